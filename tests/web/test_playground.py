"""The playground in a real browser: rules are written, checked, corrected, played and shared without our server."""

from __future__ import annotations

import hashlib
import os
import subprocess
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from benchmarks.python_in_browser import served
from interpreter.loading.game_library import shipped_folder
from tests.support.project import ROOT
from tests.web.conftest import PATIENCE
from tests.web.test_pages import TAKE
from tests.web.test_patience import ENDLESS
from tests.web.test_scripts import STRICT, tools
from website.examples import Project
from website.playground import FOLDER, CannotBuildError, built

__all__ = ["tools"]

NIM = (shipped_folder() / "nim.rules").read_text("utf-8")
MISTAKE = NIM.replace("note taker:", "noet taker:")
assert MISTAKE != NIM
MINE = NIM.replace('game "Nim"', 'game "My game"')


@pytest.fixture(scope="module")
def playground() -> Path:
    try:
        return built()
    except CannotBuildError as reason:
        pytest.skip(str(reason))


@pytest.fixture(scope="module")
def address(playground: Path) -> Iterator[str]:
    with served(playground) as address:
        yield address


def link_to(files: dict[str, str]) -> str:
    """The fragment of a link that contains files of an author's own game."""
    return Project("game.rules", files).fragment


KEPT = """() => {
    const entry = JSON.parse(localStorage.getItem('regelwerk playground') ?? '{}').entry;
    const {files, rules} = JSON.parse(localStorage.getItem(`regelwerk playground/${entry}`) ?? '{"files": {}}');
    return files[rules] ?? '';
}"""


BEGUN = """title => document.querySelector('#title').textContent === title
    && document.querySelector('#tables').textContent !== '' && document.querySelector('#tables del') === null"""
"""Whether a game has begun, and is not the one whose tables have a mark."""


def _is_true(frame: Any, expression: str, argument: object) -> bool:
    """True if an expression is; not while the frame is loaded, as that of the table is for each game."""
    try:
        return bool(frame.evaluate(expression, argument))
    except import_module("playwright.sync_api").Error as fault:
        if not any(reason in str(fault) for reason in ("context was destroyed", "properties of null")):
            raise
        return False


class Author:
    """An author with a browser of their own, and what went wrong in it."""

    def __init__(self, browser: Any, address: str, fragment: str = "", **screen: Any) -> None:
        self.context = browser.new_context(
            **{"viewport": {"width": 1280, "height": 800}, "reduced_motion": "reduce", **screen}
        )
        self.context.set_default_timeout(PATIENCE * 1000)
        self.address = address
        self.page = self.context.new_page()
        self.faults: list[str] = []
        self.page.on("pageerror", lambda error: self.faults.append(str(error)))
        self.page.on("console", lambda message: self.faults.append(message.text) if message.type == "error" else None)
        self.context.on("request", self._request)
        self.page.goto(address + fragment)

    def _request(self, request: Any) -> None:
        if not request.url.startswith((self.address, "data:", "blob:")):
            self.faults.append(f"asked for {request.url}")

    @property
    def table(self) -> Any:
        """The frame with the table."""
        return self.page.wait_for_selector("#table", state="attached").content_frame()

    def until(self, expression: str, argument: object = None, seconds: float = PATIENCE) -> None:
        """Wait until an expression is true in the page; the policy of the page forbids to wait inside it."""
        self._until(self.page, expression, argument, seconds)

    def until_at_table(self, expression: str, argument: object = None, seconds: float = PATIENCE) -> None:
        self._until(self.table, expression, argument, seconds)

    def _until(self, frame: Any, expression: str, argument: object, seconds: float) -> None:
        for _ in range(round(seconds / 0.05)):
            if _is_true(frame, expression, argument):
                return
            self.page.wait_for_timeout(50)
        raise AssertionError(
            f"{expression} never came true: {self.page.inner_text('body')[:800]} {self.table.inner_text('body')[:800]}"
        )

    def start(self, name: str, title: str) -> None:
        """Start from a shipped game."""
        self.until_at_table("() => document.querySelector('#tables').textContent !== ''")
        self.table.evaluate("document.querySelector('#tables').append(document.createElement('del'))")
        self.page.select_option("#start", name)
        self.until_at_table(BEGUN, title)

    def write(self, text: str) -> None:
        """Replace the file by another text, and wait until the editor has read it, as nobody is so quick to go on."""
        self.page.locator("#editor .cm-content").click()
        self.page.keyboard.press("Control+a")
        self.page.keyboard.press("Delete")  # or the browser would try to style the new text as the old one
        self.page.keyboard.insert_text(text)
        self.until(f"text => ({KEPT})() === text", text)

    @property
    def text(self) -> str:
        """The rules at hand, as the browser keeps them; empty if they are not the author's."""
        return str(self.page.evaluate(KEPT))

    def decide(self, index: int) -> None:
        """Answer the question by clicking, until a move is made."""
        for _ in range(12):
            before = self.table.inner_text("#question")
            is_played = self.table.evaluate(TAKE, index) == "played"
            self.until_at_table("before => document.querySelector('#question').innerText !== before", before)
            if is_played:
                return
        raise AssertionError(self.table.inner_text("#question"))

    def forget(self) -> None:
        """Leave nothing to the next author at this browser but a page that has been used."""
        assert self.faults == []
        self.page.evaluate("for (const dialog of document.querySelectorAll('dialog[open]')) dialog.close()")
        self.page.get_by_role("tab", name="Problems").click()
        self.page.evaluate("localStorage.clear(); sessionStorage.clear()")

    def leave(self) -> None:
        assert self.faults == []
        self.context.close()


@pytest.fixture(scope="module")
def used_pages() -> list[Author]:
    return []


@pytest.fixture
def author(browser: Any, address: str, used_pages: list[Author], request: pytest.FixtureRequest) -> Iterator[Author]:
    """An author at the page that others have used, as each new page starts Python anew, which takes four seconds.

    Who needs a page that nobody has used opens one.
    """
    failed = request.session.testsfailed
    if not used_pages:
        used_pages.append(Author(browser, address))
    author = used_pages.pop()
    yield author
    if request.session.testsfailed == failed:
        author.forget()
        used_pages.append(author)


def test_a_whole_game_is_played_and_traced(author: Author) -> None:
    author.start("nim", "Nim")
    author.page.get_by_role("tab", name="Trace").click()
    for decision in range(16):
        author.until_at_table("() => document.querySelector('#step button') !== null")
        if author.table.locator(".ranking").count():
            break
        author.decide(decision)
    assert author.table.locator(".ranking tr").count() == 2
    author.until("() => document.querySelectorAll('#events .decision').length > 2")
    author.page.locator("#events .rule + .at").first.click()
    assert "phase taking" in author.page.locator("#editor .cm-activeLine").inner_text()


def test_a_mistake_is_found_fixed_and_shared(browser: Any, address: str, author: Author) -> None:
    """By the keyboard alone, from the mistake on."""
    author.start("nim", "Nim")
    author.write(MISTAKE)
    author.page.locator("#problems .error").first.wait_for()
    assert author.page.locator("#tab-problems").inner_text() == "Problems (1)"
    assert author.page.locator("#editor .cm-lintRange-error").inner_text() == "noet"
    author.page.keyboard.press("F8")  # to the mistake
    author.page.keyboard.press("Control+.")
    author.page.locator("#problems .nothing").wait_for()
    author.page.locator("#forget").wait_for(state="hidden")  # nothing of it is one's own any more
    author.write(NIM.replace("only 2", "only 3"))  # the reason that an example expects
    author.page.keyboard.press("Control+s")
    author.until("() => document.querySelector('#tab-examples').innerText === 'Examples (0/1)'")
    assert author.page.locator("#editor .fails").count() == 1
    author.page.get_by_role("button", name="Share").click()
    author.page.locator("#sharing[open]").wait_for()
    link = author.page.locator("#link").input_value()

    friend = Author(browser, address, link.removeprefix(address))
    friend.until("() => document.querySelector('#tab-examples').innerText === 'Examples (0/1)'")
    friend.decide(0)
    friend.leave()


def test_nothing_that_was_written_is_lost(browser: Any, address: str) -> None:
    """Neither by another game, nor by a link, nor by loading the page again at once.

    The editor draws only the lines in sight and some more, so the marks that are looked for are in the first one.
    """

    def offered() -> list[str]:
        return list(
            author.page.locator("#start optgroup")
            .first.locator("option")
            .evaluate_all("all => all.map(one => one.value)")
        )

    author = Author(browser, address)
    author.until_at_table("() => document.querySelector('#title').textContent === 'Last stone'")
    author.write(MINE)
    author.start("nim", "Nim")
    author.page.locator("#forget").wait_for(state="hidden")
    author.write("# second\n" + NIM)
    author.page.evaluate("fragment => { location.hash = fragment; }", link_to({"game.rules": "# of a friend\n" + MINE}))
    author.page.locator("#editor .cm-content", has_text="# of a friend").wait_for()
    author.write("# changed\n" + MINE)
    assert author.page.url == address  # or the link would win
    author.page.reload()
    author.page.locator("#editor .cm-content", has_text="# changed").wait_for()
    _, nim, mine = offered()
    author.page.select_option("#start", nim)
    author.page.locator("#editor .cm-content", has_text="# second").wait_for()
    author.page.select_option("#start", mine)
    author.page.locator("#editor .cm-content", has_text="# second").wait_for(state="hidden")
    assert author.text == MINE
    author.page.get_by_role("button", name="Delete").click()
    author.page.locator("#forget-now").click()
    author.page.locator("#editor .cm-content", has_text="Last stone").wait_for()
    assert mine not in offered()
    author.leave()


def test_a_game_that_begins_leaves_the_keys_to_the_editor(author: Author) -> None:
    author.start("nim", "Nim")
    author.page.locator("#editor .cm-content").click()
    author.table.evaluate("window.isEarlier = true")
    author.table.evaluate("location.reload()")
    author.until_at_table("() => !window.isEarlier && document.querySelector('#question button') !== null")
    author.page.keyboard.press("Control+End")
    author.page.keyboard.insert_text("# mine")
    author.until(f"() => ({KEPT})().endsWith('# mine')")
    assert author.page.evaluate("document.activeElement.id") == "editor"


def test_two_pages_that_change_the_same_rules_keep_both(address: str, author: Author) -> None:
    author.start("nim", "Nim")
    author.write(MINE)
    other = author.context.new_page()
    other.goto(address)
    other.locator("#editor .cm-content", has_text="My game").click()
    other.keyboard.insert_text("# two ")
    other.locator("#forget").wait_for()
    author.page.locator("#editor .cm-content").click()
    author.page.keyboard.insert_text("# one ")
    author.until("""() => Object.entries(localStorage).filter(([key]) => key.includes('playground/'))
        .map(([, entry]) => entry.match(/# (one|two)/)?.[1]).sort().join() === 'one,two'""")
    other.close()


def test_opened_rules_are_kept(browser: Any, address: str) -> None:
    author = Author(browser, address)
    author.until_at_table("() => document.querySelector('#tables').textContent !== ''")
    author.page.set_input_files("#disk", {"name": "mine.rules", "mimeType": "text/plain", "buffer": NIM.encode()})
    author.until_at_table("() => document.querySelector('#title').textContent === 'Nim'")
    author.page.reload()
    author.page.get_by_role("tab", name="mine").wait_for()
    author.page.evaluate(
        """project => {
            sessionStorage.clear();
            localStorage.clear();
            localStorage.setItem('regelwerk playground', JSON.stringify(project));
        }""",
        {"rules": "old.rules", "origin": "", "files": {"old.rules": NIM}, "variants": []},
    )  # as earlier versions kept them
    author.page.reload()
    author.page.get_by_role("tab", name="old").wait_for()
    assert author.text == NIM
    author.leave()


UNREADABLE = {
    "outside": {"game.rules": NIM, "../../hidden.rules": ""},
    "a file that is a folder": {"game.rules": NIM, "folder": "", "folder/file.rules": ""},
    "no Unicode": {"game.rules": NIM + "# \ud800"},
    "a bomb": {"game.rules": NIM + "#" * 20_000_000},
}


def test_a_link_that_cannot_be_read_leaves_the_page_usable(browser: Any, address: str) -> None:
    """The page begins with the first link, and is led to the others, as each new page starts Python anew."""
    first, *others = map(link_to, UNREADABLE.values())
    author = Author(browser, address, first)
    author.until_at_table("() => document.querySelector('#title').textContent === 'Last stone'")
    for link in others:
        author.page.evaluate(
            "link => { document.querySelector('#notice').textContent = ''; location.hash = link; }", link
        )
        author.until("() => document.querySelector('#notice').textContent.includes('nothing that can be read')")
    author.until_at_table("() => document.querySelector('#title').textContent === 'Last stone'")
    assert author.page.evaluate("() => Object.keys(localStorage)") == []
    author.decide(0)
    author.leave()


def test_a_link_that_would_be_too_long_is_said_so(author: Author) -> None:
    author.until_at_table("() => document.querySelector('#tables').textContent !== ''")
    noise = "".join(f"# {hashlib.sha256(str(number).encode()).hexdigest()}\n" for number in range(30_000))
    author.page.set_input_files("#disk", {"name": "noise.rules", "mimeType": "text/plain", "buffer": noise.encode()})
    author.page.get_by_role("tab", name="noise").wait_for()
    author.page.get_by_role("button", name="Share").click()
    author.page.locator("#share-note", has_text="too large for a link").wait_for()


def test_what_can_be_written_is_offered_and_explained(author: Author) -> None:
    author.start("nim", "Nim")
    author.write(NIM.replace("    set taker to me", "    set "))
    author.page.keyboard.press("Control+Home")
    author.page.get_by_role("tab", name="Problems").click()
    author.page.locator("#problems .at").first.click()  # to the line that is not complete
    author.page.keyboard.press("End")
    author.page.keyboard.press("Control+Space")
    author.page.locator("#editor .cm-tooltip-autocomplete li", has_text="taker").first.wait_for()
    author.page.keyboard.type("ta")
    author.page.locator("#editor .cm-tooltip-autocomplete li[aria-selected]", has_text="taker").wait_for()
    author.page.wait_for_timeout(200)  # the editor takes no answer to what it shows for less than 75 milliseconds
    author.page.keyboard.press("Enter")
    author.until(f"() => ({KEPT})().includes('set taker')")


ABYSS = ENDLESS.lstrip()


def abyss(author: Author) -> None:
    """Play rules whose `fall` never ends, alone."""
    author.until_at_table("() => document.querySelector('#tables').textContent !== ''")
    author.write(ABYSS)
    author.page.locator("#problems .nothing").wait_for()
    author.page.keyboard.press("Control+s")
    author.until_at_table("() => document.querySelector('#title').textContent === 'Abyss'")
    author.page.locator("#setup summary").click()
    author.page.select_option("#kind-ben", "human")
    author.page.get_by_role("button", name="New game").click()
    author.until_at_table("() => document.querySelector('#seats').textContent === 'ann (you)ben'")
    author.until_at_table("() => document.querySelectorAll('#step .candidates button').length === 2")
    author.decide(0)
    author.until_at_table("() => document.querySelectorAll('#step .candidates button').length === 2")


@pytest.mark.long
def test_rules_that_never_end_are_stopped_with_their_line(browser: Any, address: str) -> None:
    """By Python itself, which goes on."""
    author = Author(browser, address)
    abyss(author)
    author.table.locator("#step button", has_text="fall").click()
    author.table.get_by_role("button", name="Play this").click(timeout=200_000)  # what it would change is given up
    author.until_at_table(
        "() => /game.rules:17:.*took longer than/.test(document.querySelector('#question').textContent)",
        seconds=200,  # ten of them, of those in which Python runs
    )
    author.table.get_by_role("button", name="Back").click()
    author.decide(0)
    author.until_at_table("() => document.querySelectorAll('#entries > li').length === 3")
    author.leave()


@pytest.mark.long
def test_python_that_never_answers_is_stopped(browser: Any, address: str) -> None:
    """By the page, after a while or at once, and the game goes on in a new Python."""
    author = Author(browser, address)
    abyss(author)
    author.table.locator("#step button", has_text="fall").click()
    author.page.get_by_role("button", name="Stop and start again").click(timeout=40_000)
    author.page.locator("#notice", has_text="Nothing that you wrote is lost").wait_for(timeout=60_000)
    author.until_at_table("() => document.querySelectorAll('#step .candidates button').length === 2")
    assert author.text == ABYSS
    author.decide(0)
    author.until_at_table("() => document.querySelectorAll('#entries > li').length === 3")
    author.leave()


def test_rules_are_checked_while_a_bot_thinks(author: Author) -> None:
    author.start("nim", "Nim")
    author.page.locator("#setup summary").click()
    author.page.select_option("#kind-ben", "best")
    author.page.get_by_role("button", name="New game").click()
    author.until_at_table("() => document.querySelector('#seats').textContent.includes('best')")
    author.page.get_by_role("tab", name="Problems").click()
    author.until("() => performance.getEntriesByName('python').length === 2")  # a second one reads the rules
    author.decide(0)
    author.until_at_table("() => document.querySelector('#asked').textContent.includes('thinking')")
    author.write(MISTAKE)
    author.page.locator("#problems .error").first.wait_for()
    assert "thinking" in author.table.inner_text("#asked")
    author.until_at_table("() => document.querySelectorAll('#entries > li').length === 2")
    author.table.get_by_role("button", name="Hint").click()
    author.until_at_table("() => /%/.test(document.querySelector('#dialog-body').textContent)")


def test_a_large_game_is_played(author: Author) -> None:
    author.start("mauerbauer", "Mauerbauer")
    for decision in range(3):
        author.until_at_table("() => document.querySelector('#step button') !== null")
        author.decide(decision)
    assert author.table.locator("#picture svg").count() == 1


def test_the_page_works_without_a_network(browser: Any, address: str) -> None:
    author = Author(browser, address)
    author.page.evaluate("async () => { await navigator.serviceWorker.ready; }")
    author.context.set_offline(True)
    author.page.reload()
    author.start("nim", "Nim")
    author.until_at_table("() => document.querySelector('#step button') !== null")
    author.decide(0)
    author.context.close()


@pytest.mark.parametrize(
    ("width", "height", "scheme"), [pytest.param(1280, 800, "light", marks=pytest.mark.long), (390, 844, "dark")]
)
def test_the_page_is_accessible_and_fits(width: int, height: int, scheme: str, browser: Any, address: str) -> None:
    from axe_playwright_python.sync_playwright import Axe

    screen = {"viewport": {"width": width, "height": height}, "color_scheme": scheme, "bypass_csp": True}
    author = Author(browser, address, **screen)
    author.start("nim", "Nim")
    author.write(MISTAKE)
    author.page.locator("#problems .error").first.wait_for()
    for view in ("rules", "table"):
        if width < 800:
            author.page.locator(f"#view-{view}").click()
        found = Axe().run(author.page, options={"resultTypes": ["violations"]})
        assert found.response["violations"] == []
        assert author.page.evaluate("document.documentElement.scrollWidth") <= width
    author.leave()


def test_the_page_speaks_the_language_of_its_reader(browser: Any, address: str) -> None:
    author = Author(browser, address, locale="de-DE")
    author.until_at_table("() => document.querySelector('#tools').textContent.includes('Regeln')")
    assert author.page.get_by_role("button", name="Ausführen").count() == 1
    author.write(MISTAKE)
    author.until("() => document.querySelector('#tab-problems').textContent === 'Probleme (1)'")
    assert author.page.locator("html").get_attribute("lang") == "de"
    with author.page.expect_navigation():
        author.page.select_option("#languages select", "en")  # and nothing is lost by it
    author.until("() => document.querySelector('#tab-problems').textContent === 'Problems (1)'")
    assert author.text == MISTAKE
    author.leave()


def test_the_scripts_of_the_playground_have_the_types_that_they_say(playground: Path, tools: Path) -> None:
    options = [option for option in STRICT if option not in ("--types", "")]
    more = ("--types", "vite/client", "--resolveJsonModule", "--skipLibCheck")
    scripts = [FOLDER / "src" / name for name in ("main.js", "at_worker.js", "worker.js")]
    done = subprocess.run(
        [tools / "tsc", *options, *more, *scripts], cwd=FOLDER, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout


@pytest.mark.parametrize("size", [(1280, 800), (390, 844)], ids=lambda size: str(size[0]))
def test_the_documentation_has_a_picture_of_the_playground(
    size: tuple[int, int], browser: Any, request: pytest.FixtureRequest
) -> None:
    """With REGELWERK_UPDATE it is taken anew: a mistake and its fix, beside a game."""
    path = ROOT / "docs" / "pictures" / f"web_playground_{size[0]}.png"
    if os.environ.get("REGELWERK_UPDATE"):
        viewport = {"width": size[0], "height": size[1]}
        author = Author(browser, request.getfixturevalue("address"), viewport=viewport)
        author.start("mauerbauer", "Mauerbauer")
        author.until_at_table("() => document.querySelector('#step button') !== null")
        rules = (shipped_folder() / "mauerbauer.rules").read_text("utf-8")
        author.write(rules.replace("option trigger:", "optoin trigger:"))
        author.page.locator("#problems .error").first.wait_for()
        author.page.keyboard.press("F8")
        author.page.screenshot(path=path)
        author.leave()
    assert path.stat().st_size > 10_000
