"""People at a table in real browsers: whole games, what every page is sent, accidents, and accessibility."""

from __future__ import annotations

import json
import os
import re
import signal
from typing import Any

import pytest

from interpreter.play.game import load
from interpreter.play.saves.files import PERSON, read_save
from interpreter.seat.views.model import plain_data
from tests.support.long_run import one_in
from tests.support.project import ROOT
from tests.web.conftest import PATIENCE, Server
from web.session import Session
from web.table import Table

GAMES = (
    "mauerbauer", "texas_holdem",
    *(pytest.param(name, marks=pytest.mark.long) for name in ("chinesische_mauer", "china", "dschingis_khan")),
)  # fmt: skip
DECISIONS = 7
"""How many decisions of a game are made in the normal run; in the long run, all of them."""

TAKE = """index => {
    const main = document.querySelector('#step button.main');
    if (main) { main.click(); return 'played'; }
    const candidates = document.querySelectorAll('#step .candidates button');
    if (!candidates.length) return '';
    candidates[index % candidates.length].click();
    return 'chosen';
}"""


class Person:
    """A person with a browser: their page, everything it was sent, and what went wrong in it."""

    def __init__(
        self, browser: Any, server: Server, link: str, width: int = 1280, language: str = "", **more: object
    ) -> None:
        settings = {"viewport": {"width": width, "height": 844}, "reduced_motion": "reduce"} | more
        self.context = browser.new_context(**settings)
        self.context.set_default_timeout(PATIENCE * 1000)
        self.page = self.context.new_page()
        self.sent: list[str] = []
        self.faults: list[str] = []
        self.page.on("websocket", lambda socket: socket.on("framereceived", lambda frame: self.sent.append(frame)))
        self.page.on("pageerror", lambda error: self.faults.append(str(error)))
        self.page.on("request", self._request)
        self.server = server
        path, _, token = link.partition("#")
        self.page.goto(f"{server.address}{path}{f'?language={language}' if language else ''}#{token}")
        self.page.wait_for_selector("#seats li")

    def _request(self, request: Any) -> None:
        if not request.url.startswith((self.server.address, "data:", "blob:")):
            self.faults.append(f"asked for {request.url}")

    @property
    def position(self) -> dict[str, Any]:
        """The last position that was sent, with the log and the board that were sent before it."""
        board, log, latest = None, list[Any](), dict[str, Any]()
        for text in self.sent:
            message = json.loads(text)
            if message["kind"] == "welcome":
                board, log = None, []
            elif message["kind"] == "position":
                board = message["board"] or board
                log = [*log[: message["log"]["start"]], *message["log"]["entries"]]
                latest = message
        return latest | {"board": board, "log": log}

    def is_asked(self) -> bool:
        return bool(self.page.locator("#step button").count()) and self.page.locator("#step .ranking").count() == 0

    def decide(self, index: int) -> None:
        """Answer the question by clicking, until a move is made."""
        for _ in range(12):
            before = self.page.inner_text("#question")
            is_played = self.page.evaluate(TAKE, index) == "played"
            self.until("before => document.querySelector('#question').innerText !== before", before)
            if is_played:
                return
        raise AssertionError(self.page.inner_text("#question"))

    def until(self, expression: str, argument: object = None, seconds: float = PATIENCE) -> None:
        """Wait in the test: in the page, waiting would evaluate text as code, which the page's policy forbids."""
        for _ in range(round(seconds / 0.05)):
            if self.page.evaluate(expression, argument):
                return
            self.page.wait_for_timeout(50)
        raise AssertionError(f"{expression} never came true: {self.page.inner_text('body')[:500]}")

    def leave(self) -> None:
        assert self.faults == []
        self.context.close()


def restored(server: Server, link: str) -> Table:
    """The table as the server keeps it, played through again."""
    name = link.removeprefix("/table/").partition("#")[0]
    save = read_save(server.folder / "tables.sqlite" / name)
    game = load(save.path, save.players, save.options).in_words()
    table = Table(game.start(save.seed), dict.fromkeys(game.seats, PERSON))
    for made in save.moves:
        if len(table.state.legal_moves) == 1:
            table.forced.add(table.state.ply)
        table.state.push(made.move)
    return table


def expected(table: Table, seat: str | None) -> dict[str, Any]:
    """What a page that is opened now is sent."""
    data: dict[str, Any] = plain_data(Session(table, seat).position())
    return data | {"log": data["log"]["entries"], "moved": ()}


def same(person: Person, table: Table, seat: str | None) -> None:
    def matches() -> bool:
        return json.dumps(person.position | {"moved": ()}) == json.dumps(expected(table, seat))

    for _ in range(10 * PATIENCE):
        if matches():
            return
        person.page.wait_for_timeout(100)
    assert person.position | {"moved": ()} == json.loads(json.dumps(expected(table, seat)))


@pytest.mark.parametrize("name", GAMES)
def test_people_play_against_each_other_and_each_sees_what_they_may(
    name: str, server: Server, browser: Any, long_run: bool
) -> None:
    _, game, _ = server.ask(f"/api/games/{name}")
    seats = game["seats"][: max(2, game["counts"][0])]
    links = server.table(name, dict.fromkeys(seats, "human"))
    people: dict[str | None, Person] = {seat: Person(browser, server, links[seat]) for seat in seats}
    people[None] = Person(browser, server, links["spectator"])
    decision = 0
    while long_run or decision < DECISIONS:
        table = restored(server, links[seats[0]])
        for seat, person in people.items():
            same(person, table, seat)
        if table.state.over:
            break
        deciding = people[table.state.player]
        assert [seat for seat, person in people.items() if person.is_asked()] == [table.state.player]
        if decision == 3:
            deciding.page.reload()
            deciding.page.wait_for_selector("#step button")
        if decision == 5:
            server.end(signal.SIGKILL)
            deciding.until("() => document.querySelector('#connection').textContent !== ''")
            server.start()
            for person in people.values():
                person.until("() => document.querySelector('#connection').textContent === ''")
        deciding.decide(decision)
        decision += 1
    assert decision >= DECISIONS or restored(server, links[seats[0]]).state.over
    for person in people.values():
        person.leave()


def test_two_tabs_of_one_seat_agree(server: Server, browser: Any) -> None:
    _, game, _ = server.ask("/api/games/nim")
    seats = game["seats"][: game["counts"][0]]
    links = server.table("nim", dict.fromkeys(seats, "human"))
    tabs = [Person(browser, server, links[seats[0]]) for _ in range(2)]
    table = restored(server, links[seats[0]])
    if table.state.player == seats[0]:
        tabs[0].decide(0)
    for tab in tabs:
        same(tab, restored(server, links[seats[0]]), seats[0])
        tab.leave()


def test_a_lost_connection_is_made_again(server: Server, browser: Any) -> None:
    _, game, _ = server.ask("/api/games/nim")
    seats = game["seats"][: game["counts"][0]]
    links = server.table("nim", dict.fromkeys(seats, "human"))
    people = {seat: Person(browser, server, links[seat]) for seat in seats}
    deciding = restored(server, links[seats[0]]).state.player
    (waiting,) = (person for seat, person in people.items() if seat != deciding)
    waiting.context.set_offline(True)
    waiting.page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    people[deciding or ""].decide(0)
    waiting.context.set_offline(False)
    waiting.page.wait_for_selector("#step button", timeout=60_000)
    for person in people.values():
        person.leave()


def test_the_lobby_opens_a_table_and_gives_links(server: Server, browser: Any) -> None:
    page = browser.new_page(viewport={"width": 390, "height": 844})
    page.goto(server.address)
    page.get_by_role("button", name=re.compile("^Tic-tac-toe")).click()
    page.locator("#kind-nought").select_option("human")
    page.get_by_role("button", name="Open the table").click()
    page.wait_for_selector("#of-seats a")
    links = [link.inner_text() for link in page.query_selector_all("#of-seats a")]
    assert links == ["Play as cross", "Play as nought", "Watch"]
    page.get_by_role("link", name="Play as nought").click()
    page.wait_for_selector("#step button, #picture svg")
    page.close()


def test_who_plays_against_bots_is_at_the_table_at_once(server: Server, browser: Any) -> None:
    """And finds it again in the lobby, with the link for those who watch."""
    page = browser.new_page(viewport={"width": 390, "height": 844})
    page.goto(server.address)
    page.get_by_role("button", name=re.compile("^Tic-tac-toe")).click()
    page.get_by_role("button", name="Open the table").click()
    page.wait_for_selector("#seats li")
    assert page.get_by_text("cross (you)").count() == 1
    page.go_back()
    page.locator("#mine a").nth(1).wait_for()
    assert [link.inner_text() for link in page.query_selector_all("#mine a")] == ["cross", "spectators"]
    page.evaluate(
        "() => { const [key] = Object.keys(localStorage), [table] = JSON.parse(localStorage[key]);"
        " localStorage[key] = JSON.stringify(Array(9).fill(table)); }"
    )
    page.reload()
    page.get_by_text("… 6 more").wait_for()  # the games below stay in sight
    assert page.locator("#mine a:visible").count() == 6
    page.close()


@pytest.mark.parametrize(
    ("name", "width", "scheme"),
    one_in(
        2,
        [
            ("mauerbauer", 360, "dark"), ("mauerbauer", 1280, "light"), ("texas_holdem", 1280, "light"),
            ("texas_holdem", 360, "dark"),
        ],
    ),
)  # fmt: skip
def test_pages_are_accessible_and_fit(name: str, width: int, scheme: str, server: Server, browser: Any) -> None:
    from axe_playwright_python.sync_playwright import Axe

    _, game, _ = server.ask(f"/api/games/{name}")
    seats = game["seats"][: max(2, game["counts"][0])]
    links = server.table(name, dict.fromkeys(seats, "human"))
    table = restored(server, links[seats[0]])
    context = browser.new_context(viewport={"width": width, "height": 800}, color_scheme=scheme, bypass_csp=True)
    page = context.new_page()
    page.goto(server.address + links[table.state.player or ""])
    page.wait_for_selector("#step button")
    found = Axe().run(page, options={"resultTypes": ["violations"]})
    assert found.response["violations"] == [], found.generate_report()
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    for tool in ("Rules", "Why?", "Know", "Trace", "Settings"):
        page.get_by_role("button", name=tool, exact=True).click()
        page.wait_for_selector("dialog[open]")
        found = Axe().run(page, options={"resultTypes": ["violations"]})
        assert found.response["violations"] == [], found.generate_report()
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        page.keyboard.press("Escape")
    page.goto(server.address)
    page.wait_for_selector("#games button")
    found = Axe().run(page, options={"resultTypes": ["violations"]})
    assert found.response["violations"] == [], found.generate_report()
    context.close()


def test_a_block_of_places_is_chosen_on_the_board(server: Server, browser: Any) -> None:
    links = server.table("pentago", {"white": "human", "black": "human"})
    person = Person(browser, server, links["white"])
    page = person.page
    page.locator('.tile[data-place="b2"]').click()
    person.until("() => document.querySelectorAll('.block.possible').length === 4")
    assert page.locator(".tile.possible").count() == 0, "every answer is about b2"
    page.get_by_role("button", name="upper right", exact=True).click()
    person.until("() => document.querySelectorAll('#step .candidates button').length === 2")
    assert page.locator(".trail li").all_inner_texts() == ["b2", "upper right"]
    page.locator(".candidates button").first.click()
    person.until("() => document.querySelectorAll('.block.chosen, .tile.chosen').length === 2")
    page.locator("#step button.main").click()
    person.until("() => document.querySelector('.tile[data-place=b2] title').textContent !== 'b2, empty'")
    person.leave()


def test_tables_that_are_too_wide_are_stacked(server: Server, browser: Any) -> None:
    links = server.table("chinesische_mauer", dict.fromkeys(("red", "green"), "human"))
    person = Person(browser, server, links["red"], 390)
    assert person.page.locator(".stacked").count() == 0
    person.page.set_viewport_size({"width": 230, "height": 800})
    person.until("() => document.querySelectorAll('.stacked').length > 0")
    widths = "each => each.map(({ scrollWidth, clientWidth }) => scrollWidth <= clientWidth)"
    assert all(person.page.locator(".scroll").evaluate_all(widths))
    shown = person.page.locator(".stacked").first.locator(":is(th, td):visible")
    headings = shown.evaluate_all("cells => cells.map(cell => cell.dataset.heading)")
    assert headings == ["Section", "Fame"] * 2, "what is empty is left out"
    person.page.set_viewport_size({"width": 390, "height": 800})
    person.until("() => document.querySelectorAll('.stacked').length === 0")
    person.leave()


def test_a_clock_is_chosen_shown_and_runs_out(server: Server, browser: Any) -> None:
    from axe_playwright_python.sync_playwright import Axe

    lobby = browser.new_page()
    lobby.goto(server.address)
    lobby.get_by_role("button", name=re.compile("^Tic-tac-toe")).click()
    lobby.get_by_label("time to decide").select_option("move")
    lobby.get_by_label("seconds for each move").fill("20")
    lobby.get_by_label("when time is up").select_option("rest random")
    assert Axe().run(lobby).response["violations"] == []
    lobby.get_by_role("button", name="Open the table").click()
    lobby.wait_for_url("**/table/**")
    person = Person(browser, server, lobby.url.removeprefix(server.address))
    lobby.close()
    page = person.page
    assert re.fullmatch("0:(20|1[0-9]|0[1-9])", page.get_by_role("timer").inner_text())
    person.until("() => document.querySelector('#time').textContent === 'Your time is nearly up.'")
    assert Axe().run(page).response["violations"] == []
    person.until("() => document.querySelector('#step .ranking')")
    assert "is played by random from here on" in page.inner_text("#entries")
    assert page.get_by_role("timer").count() == 0 and page.inner_text("#time") == ""
    person.leave()


def test_a_click_while_the_page_connects_is_not_the_last_one(server: Server, browser: Any) -> None:
    links = server.table("nim", {"ann": "human", "ben": "human"})
    person = Person(browser, server, links["ann"])
    person.context.set_offline(True)
    person.until("() => document.querySelector('#connection').innerText !== ''")
    person.page.evaluate("() => document.querySelector('#step .candidates button').click()")
    person.context.set_offline(False)
    person.page.evaluate("() => document.querySelector('#step .candidates button').click()")  # while it connects
    person.until("() => document.querySelector('#connection').innerText === ''")
    # The second click counts if the page has connected before it: then there is nothing left to choose.
    person.page.evaluate("() => document.querySelector('#step .candidates button')?.click()")
    person.until("() => document.querySelector('#step button.main') !== null")
    person.leave()


def test_who_asked_to_undo_can_withdraw(server: Server, browser: Any) -> None:
    links = server.table("nim", {"ann": "human", "ben": "human"})
    ann, ben = (Person(browser, server, links[seat]) for seat in ("ann", "ben"))
    for person in (ann, ben):
        person.until("() => document.querySelector('#step button') !== null")
        person.decide(0)
    ann.until("() => document.querySelector('#step button') !== null")
    ann.page.get_by_role("button", name="Undo").click()
    ben.page.get_by_role("button", name="Agree").wait_for()
    ann.page.get_by_role("button", name="Withdraw").click()
    ben.until("() => document.querySelectorAll('#step button').length === 0")
    ann.until("() => document.querySelector('#step .candidates button') !== null")
    for person in (ann, ben):
        person.leave()


def test_the_lobby_works_in_a_browser_that_keeps_nothing(server: Server, browser: Any) -> None:
    """And says what is wrong before anything is chosen."""
    (server.folder / "faulty.rules").write_text('game "Faulty" for 2 players ann, ben:\n    "No rules."\n')
    page = browser.new_page()
    page.add_init_script("Object.defineProperty(window, 'localStorage', { get() { throw new Error('off'); } })")
    page.goto(server.address)
    page.get_by_role("button", name="Faulty").click()
    page.locator("#problem:not(:empty)").wait_for()
    assert page.locator("#problem").is_visible() and "have errors" in page.inner_text("#problem")
    page.get_by_role("button", name="Nim").click()
    page.get_by_role("button", name="Open the table").click()
    page.locator("#of-seats a").first.wait_for()
    assert page.inner_text("#problem") == ""
    page.close()
    (server.folder / "faulty.rules").unlink()


def test_the_keyboard_alone_suffices(server: Server, browser: Any) -> None:
    _, game, _ = server.ask("/api/games/nim")
    seats = game["seats"][: game["counts"][0]]
    links = server.table("nim", dict.fromkeys(seats, "human"))
    person = Person(browser, server, links[restored(server, links[seats[0]]).state.player or ""])
    person.page.keyboard.press("1")
    while person.page.locator("#step button").count():  # from then on what goes on has the focus, not the way back
        person.page.wait_for_timeout(200)
        person.page.keyboard.press("Enter")
    person.leave()


def test_names_and_texts_are_shown_as_text(server: Server, browser: Any) -> None:
    _, game, _ = server.ask("/api/games/nim")
    seats = game["seats"][: game["counts"][0]]
    name = "<img src=x onerror=alert(1)>"
    links = server.table("nim", dict.fromkeys(seats, "human"), names={seats[0]: name})
    person = Person(browser, server, links[seats[1]])
    assert name in person.page.inner_text("#seats")
    assert person.page.locator("#seats img").count() == 0
    person.leave()


def test_a_person_reads_their_language(server: Server, browser: Any) -> None:
    _, game, _ = server.ask("/api/games/mauerbauer")
    seats = game["seats"][: game["counts"][0]]
    links = server.table("mauerbauer", dict.fromkeys(seats, "human"))
    person = Person(browser, server, links[seats[0]], language="de")
    tools = person.page.locator("#tools button").all_inner_texts()
    assert tools == ["Regeln", "Tipp", "Wissen", "Warum?", "Zurücknehmen", "Ablauf", "Einstellungen"]
    assert "Rot" in person.page.inner_text("#seats")  # the words of the game as well
    assert person.page.evaluate("document.documentElement.lang") == "de"
    person.leave()


@pytest.mark.parametrize(("locale", "language"), [("de-AT", "de"), ("fr-FR", "en")])
def test_the_language_of_the_browser_is_that_of_the_page(
    locale: str, language: str, server: Server, browser: Any
) -> None:
    """If the game speaks it; the person can choose another one, which is remembered."""
    links = server.table("nim", {"ann": "human", "ben": "human"})
    person = Person(browser, server, links["ann"], locale=locale)
    assert person.page.evaluate("document.documentElement.lang") == language
    other = {"de": "en", "en": "de"}[language]
    person.page.locator("#tools button").last.click()
    person.page.select_option("#language", other)
    person.page.wait_for_selector(f"html[lang={other}]")
    path, _, token = links["ann"].partition("#")
    person.page.goto(f"{server.address}{path}#{token}")
    person.page.wait_for_selector(f"html[lang={other}]")
    person.leave()


def test_the_trace_goes_on_with_the_game(server: Server, browser: Any) -> None:
    links = server.table("nim", {"ann": "human", "ben": "human"})
    ann, ben = (Person(browser, server, links[seat]) for seat in ("ann", "ben"))
    first = {"ann": ann, "ben": ben}[restored(server, links["ann"]).state.player or ""]
    watching = ben if first is ann else ann
    watching.page.get_by_role("button", name="Trace").click()
    watching.until("() => document.querySelector('.steps')?.innerText.includes('decision 0 of 0')")
    first.until("() => document.querySelector('#step button') !== null")
    first.decide(0)
    watching.until("() => document.querySelector('.steps')?.innerText.includes('decision 1 of 1')")
    watching.page.get_by_role("button", name="to the beginning").click()
    watching.until("() => document.querySelector('.steps')?.innerText.includes('decision 0 of 1')")
    with watching.context.expect_page() as opened:  # the board and the rules beside each event
        watching.page.get_by_role("link", name="with board and rules").click()
    opened.value.locator("#outline [aria-level='1']", has_text="take").first.wait_for()
    assert "phase taking" in opened.value.locator("#source").inner_text()
    for person in (ann, ben):
        person.leave()


def test_a_card_that_cannot_be_played_says_why(server: Server, browser: Any) -> None:
    links = server.table("spades", {"north": "human", "east": "random", "south": "random", "west": "random"})
    person = Person(browser, server, links["north"])
    for decision in range(8):
        person.until("() => document.querySelector('#step button') !== null")
        if person.page.locator("#own button.barred").count():
            break
        person.decide(decision)
    person.page.locator("#own button.barred").first.click()
    person.page.wait_for_selector("dialog[open]")
    assert "not legal" in person.page.inner_text("#dialog-title")
    person.leave()


@pytest.mark.parametrize(("motion", "wants"), [("no-preference", True), ("no-preference", False), ("reduce", True)])
def test_pieces_are_seen_to_move_unless_somebody_wants_them_not_to(
    motion: str, wants: bool, server: Server, browser: Any
) -> None:
    links = server.table("breakthrough", {"white": "human", "black": "human"})
    person = Person(browser, server, links[restored(server, links["white"]).state.player or ""], reduced_motion=motion)
    person.until("() => document.querySelector('#step button') !== null")
    person.page.get_by_role("button", name="Settings").click()
    person.page.set_checked("#set-animations", wants)
    person.page.keyboard.press("Escape")
    person.page.evaluate("""() => {
        window.flights = 0;
        const animate = Element.prototype.animate;
        Element.prototype.animate = function (...how) { window.flights += 1; return animate.apply(this, how); };
    }""")
    person.decide(0)
    person.until("() => document.querySelectorAll('.place.moved').length === 2")
    assert (person.page.evaluate("window.flights") > 0) is (wants and motion != "reduce")
    person.leave()


def test_tools_and_the_board_are_reached_by_keys(server: Server, browser: Any) -> None:
    links = server.table("tic_tac_toe", {"cross": "human", "nought": "human"})
    seat = restored(server, links["cross"]).state.player or ""
    person = Person(browser, server, links[seat])
    person.until("() => document.querySelector('#step button') !== null")
    for tool in ("Rules", "Settings"):
        person.page.get_by_role("button", name=tool).focus()
        person.page.keyboard.press("Enter")
        person.until("() => document.querySelector('dialog[open]') !== null")
        person.page.keyboard.press("Escape")
        person.until("() => document.querySelector('dialog[open]') === null")
        assert person.page.evaluate("document.activeElement.textContent") == tool
    person.page.get_by_role("button", name="Make the board larger").focus()
    person.page.keyboard.press("Enter")
    assert person.page.evaluate("document.querySelector('#picture').tabIndex") == 0  # it scrolls by keys
    person.page.locator(".place[role=button]").nth(4).focus()
    person.page.keyboard.press("Enter")
    person.until("() => document.querySelector('#step button.main') !== null")
    assert person.page.locator(".place.chosen").count() == 1
    person.page.keyboard.press("Enter")  # what goes on has the focus
    person.until("() => document.querySelectorAll('#step button').length === 0")
    person.leave()


CONTROLS = ("button", "link", "textbox", "combobox")
LISTEN = """() => {
    window.heard = [];
    const texts = ({addedNodes}) => Array.from(addedNodes, node => node.textContent);
    const observer = new MutationObserver(changes => heard.push(...changes.flatMap(texts)));
    observer.observe(document.querySelector('#news'), {childList: true});
}"""


@pytest.mark.parametrize(("name", "decisions"), [("tic_tac_toe", 9), ("hearts", 4)])
def test_who_sees_nothing_can_play(name: str, decisions: int, server: Server, browser: Any) -> None:
    """By keys and by what is read aloud: all controls have names, what happens is said, and the focus is never lost."""
    _, game, _ = server.ask(f"/api/games/{name}")
    me, *others = game["seats"]
    person = Person(browser, server, server.table(name, {me: "human", **dict.fromkeys(others, "random")})[me])
    page, before = person.page, len(person.position["log"])
    page.evaluate(LISTEN)
    for _ in range(decisions):
        person.until("() => document.querySelector('#step button, #step .ranking') !== null")
        assert page.evaluate("document.querySelector('#question').contains(document.activeElement)")
        nodes = page.context.new_cdp_session(page).send("Accessibility.getFullAXTree")["nodes"]
        controls = [node for node in nodes if node.get("role", {}).get("value") in CONTROLS]
        assert len(controls) > 6 and all(node["name"]["value"].strip() for node in controls)
        if not person.is_asked():
            break
        while (question := page.inner_text("#question")) and page.locator("#step button.main").count() == 0:
            page.keyboard.press("1")
            person.until("before => document.querySelector('#question').innerText !== before", question)
        page.keyboard.press("Enter")
        person.until("before => document.querySelector('#question').innerText !== before", question)
    heard = page.evaluate("window.heard")
    for line in person.position["log"][before:]:
        assert any(line["text"] in said for said in heard), (line, heard)
    result = person.position["scene"]["result"]
    assert (result is not None) is (name == "tic_tac_toe")
    assert result is None or (result["text"] in heard and page.evaluate("document.activeElement.id") == "asked")
    if result is not None:
        assert page.get_by_role("link", name="Play again").get_attribute("href") == f"/#game={name}"
    person.leave()


PICTURES = ROOT / "docs" / "pictures"


@pytest.mark.parametrize("name", ["chinesische_mauer", "china", "mauerbauer", "dschingis_khan"])
@pytest.mark.parametrize("size", [(1280, 800), (390, 844)], ids=lambda size: str(size[0]))
def test_the_documentation_has_a_picture_of_each_table(
    name: str, size: tuple[int, int], server: Server, browser: Any
) -> None:
    """With REGELWERK_UPDATE it is taken anew, after some turns of random bots."""
    path = PICTURES / f"web_{name}_{size[0]}.png"
    if os.environ.get("REGELWERK_UPDATE"):
        _, game, _ = server.ask(f"/api/games/{name}")
        person, *bots = game["seats"][: max(3, game["counts"][0])]
        links = server.table(name, {person: "human", **dict.fromkeys(bots, "random")})
        shown = Person(browser, server, links[person])
        for decision in range(12):
            shown.until("() => document.querySelector('#step button') !== null")
            shown.decide(decision)
        shown.until("() => document.querySelector('#step button') !== null")
        shown.page.set_viewport_size({"width": size[0], "height": size[1]})
        shown.page.screenshot(path=path)
        shown.leave()
    assert path.stat().st_size > 10_000
