"""The lobby: what can be chosen for a table, in the language of its reader."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

import pytest

from interpreter.play.saves.files import read_save
from interpreter.wording.words import Words
from tests.support.project import ROOT
from tests.web.conftest import Server
from tests.web.test_pages import Person
from web.session import phrases_of_page

CHILD = re.compile(r'\belement\("\w+", \{[^{}]*\}, (?:"([^"]*[A-Za-z]{2}[^"]*)"|`([^`$]*[A-Za-z]{2}[^`$]*)`)')
"""A text that a script shows without having it translated."""


@pytest.fixture(scope="module")
def own_board(server: Server) -> Iterator[str]:
    """The name of a board in the folder of the server, that of China with another name."""
    board = json.loads((ROOT / "games" / "boards" / "china.json").read_text("utf-8")) | {"name": "Our China"}
    path = server.folder / "boards" / "our_china.json"
    path.parent.mkdir(exist_ok=True)
    path.write_text(json.dumps(board), "utf-8")
    (path.parent / "other.json").write_text(json.dumps({"name": "Nothing"}), "utf-8")
    yield path.stem
    path.unlink()


def test_games_and_what_can_be_chosen_are_in_words(server: Server, own_board: str) -> None:
    _, games, _ = server.ask("/api/games?language=de")
    (sentence,) = (game["sentence"] for game in games if game["name"] == "china")
    assert sentence.startswith("Besiedle")
    families = [game["family"] for game in games]
    assert families == sorted(families, key=str.casefold) and {"Kartenspiele", "Schachspiele"} < set(families)
    assert {"Mühle", "Vier gewinnt", "Sternhalma"} < {game["title"] for game in games}
    _, game, _ = server.ask("/api/games/china?language=de")
    assert game["words"]["green"] == "Grün"
    assert all(option["sentence"] and option["texts"].keys() == set(option["values"]) for option in game["options"])
    assert {"false": "nein", "true": "ja"} in [option["texts"] for option in game["options"]]
    assert [board["name"] for board in game["boards"]] == ["", own_board]  # not one that has other places
    assert all(variant["title"] and variant["sentence"] for variant in game["variants"])


def test_a_table_can_have_variants_and_a_board_of_ones_own(server: Server, own_board: str, browser: Any) -> None:
    seats = dict.fromkeys(("red", "green", "violet"), "human")
    links = server.table("china", seats, board=own_board, variants=["fifty_will_do"])
    server.end()
    server.start()  # the table is opened from what was kept
    save = read_save(server.folder / "tables.sqlite" / links["red"].removeprefix("/table/").partition("#")[0])
    assert save.board is not None and save.board.endswith("our_china.json") and save.variants is not None
    person = Person(browser, server, links["red"])
    assert person.position["board"]["name"] == "Our China"
    person.leave()


@pytest.mark.parametrize("choice", [{"board": "../../china"}, {"board": "other"}, {"variants": ["../equal_cards"]}])
def test_only_boards_and_variants_with_a_name_are_taken(choice: dict[str, object], server: Server) -> None:
    seats = dict.fromkeys(("red", "green", "violet"), "human")
    status, answer, _ = server.ask(
        "/api/tables", {"game": "china", "seats": seats, **choice}, {"Origin": server.address}
    )
    assert status == 400 and answer["reason"]


# ---- the words of the pages

SAID = """() => {
    const said = [];
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) {
        const text = walker.currentNode;
        if (text.parentElement.checkVisibility()) said.push(text.data.trim());
    }
    for (const labelled of document.querySelectorAll('[aria-label], [title]'))
        said.push(labelled.getAttribute('aria-label'), labelled.getAttribute('title'));
    return said;
}"""


def test_no_page_says_anything_untranslated(server: Server, browser: Any) -> None:
    words = Words(language="de")
    english = {phrase for phrase in phrases_of_page() if words.template(phrase) != phrase}
    context = browser.new_context(locale="de-DE")
    page = context.new_page()
    said: list[str] = []
    page.goto(server.address)
    page.locator("#games button").first.wait_for()
    said += page.evaluate(SAID)
    page.locator("#games button", has_text="Mauerbauer").click()
    page.wait_for_selector("#setup:not([hidden])")
    page.locator("summary").click()
    said += page.evaluate(SAID)
    page.locator(".player select").nth(1).select_option("human")
    page.locator("#submit").click()
    page.locator("#of-seats a").first.wait_for()
    said += page.evaluate(SAID)
    page.locator("#of-seats a").first.click()
    page.wait_for_selector("#seats li")
    said += page.evaluate(SAID)
    page.locator("#tools button").last.click()
    said += page.evaluate(SAID)
    assert "Einstellungen" in said and "Deine Tische" not in english
    assert english & set(said) == set()
    context.close()


@pytest.mark.parametrize("path", sorted((ROOT / "web" / "page").glob("*.js")), ids=lambda path: path.stem)
def test_scripts_show_no_text_that_is_not_translated(path: Any) -> None:
    assert [first or second for first, second in CHILD.findall(path.read_text("utf-8"))] == []


def test_the_setup_follows_what_is_chosen(server: Server, browser: Any) -> None:
    """Variants bring their options, bots need no name, and the number of players is that which was asked for."""
    page = browser.new_page(viewport={"width": 390, "height": 844})
    page.goto(server.address)
    page.locator("#games button").first.wait_for()
    page.select_option("#few", "5")
    assert not page.get_by_role("button", name="Chess").count()
    page.get_by_role("button", name="Chinesische Mauer").click()
    page.wait_for_selector("#setup:not([hidden])")
    assert page.input_value("#number") == "5" and page.locator(".player").count() == 5
    assert page.locator(".player input:visible").count() == 1  # the only person
    page.locator("#variants input").first.evaluate("box => { box.isEarlier = true; }")
    page.locator("#variants input").first.check()
    while page.locator("#variants input").first.evaluate("box => box.isEarlier"):
        page.wait_for_timeout(10)
    assert page.locator("#variants input").first.is_checked() and page.input_value("#number") == "5"
    page.close()


def test_a_game_is_found_among_all_and_left_again(server: Server, browser: Any) -> None:
    """By parts of its name, however they are spelt; the browser leads back to where the list was left."""
    page = browser.new_page(viewport={"width": 390, "height": 844})
    page.goto(server.address)
    games = page.locator("#games button")
    games.first.wait_for()
    total = games.count()
    assert page.locator("#fitting").inner_text() == f"{total} of {total} games"
    for searched in ("AERGERE", "dich  ärg", "mensch argere"):
        page.locator("#search").fill(searched)
        assert [name.split("\n")[0] for name in games.all_inner_texts()] == ["Mensch ärgere dich nicht"], searched
        assert page.locator("#fitting").inner_text() == f"1 of {total} games"
    page.locator("#search").fill("no such game")
    assert games.count() == 0
    page.locator("#search").fill("")
    page.select_option("#kind", "patience")
    page.select_option("#few", "1")
    assert 2 <= games.count() < 10 and "\n1 player, " in games.first.inner_text()
    page.select_option("#kind", "")
    page.get_by_role("button", name="Yacht").click()
    page.wait_for_selector("#setup:not([hidden])")
    assert page.url.endswith("#game=yacht")
    page.reload()
    page.wait_for_selector("#setup:not([hidden])")
    page.get_by_role("button", name="All games").click()
    page.wait_for_selector("#choice:not([hidden])")
    assert page.evaluate("document.activeElement.id") == "game-yacht" and page.evaluate("scrollY") > 1000
    page.go_back()
    page.wait_for_selector("#setup:not([hidden])")
    assert page.locator("#setup-title").inner_text() == "Yacht"
    page.close()


def test_an_answer_that_comes_late_leads_nobody_back(server: Server, browser: Any) -> None:
    page = browser.new_page()
    page.goto(server.address)
    page.locator("#games button").first.wait_for()
    page.get_by_role("button", name="Chinesische Mauer").click()
    page.wait_for_selector("#setup:not([hidden])")
    held: list[Any] = []
    page.route("**/api/games/**", lambda route: held.append(route))
    page.locator("#variants input").first.check()
    page.get_by_role("button", name="All games").click()
    page.get_by_role("button", name="Othello").click()
    page.get_by_role("button", name="Mancala").click()
    while len(held) < 3:
        page.wait_for_timeout(10)
    for route in reversed(held):  # the last one first
        with page.expect_response("**/api/games/**"):
            route.continue_()
    page.wait_for_selector("#setup:not([hidden])")
    assert page.locator("#setup-title").inner_text() == "Mancala"
    page.get_by_role("button", name="All games").click()
    page.locator("#games").wait_for()
    page.locator("#setup").wait_for(state="hidden")
    page.close()
