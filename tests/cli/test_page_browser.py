"""`trace --html` in a real browser."""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Iterator
from functools import partial
from importlib.resources import files
from itertools import product
from pathlib import Path
from typing import Any

import pytest

from cli.html.page import page
from cli.viewer.keys import KEYS
from interpreter.play.game import load
from interpreter.play.trace import Position, Timeline
from tests.cli.browser import Tab
from tests.cli.conftest import PEBBLES
from tests.cli.pages import ARROWS, LARGE, NASTY, in_words, played, whole
from tests.support.long_run import one_in

# ---- in a browser


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    folder = tmp_path_factory.mktemp("pages")
    (folder / "nasty.rules").write_text(NASTY, encoding="utf-8")
    states = {"game": played(load(PEBBLES, 3), 5), "nasty": played(load(folder / "nasty.rules", 2), 0)}
    for name, state in states.items():
        (folder / f"{name}.html").write_text(whole(state), encoding="utf-8")
    return {name: folder / f"{name}.html" for name in states}


@pytest.fixture(scope="module")
def timeline() -> Timeline:
    return Timeline(played(load(PEBBLES, 3), 5))


def named(position: Position | None) -> str:
    assert position is not None
    return f"{position.ply}.{position.event + 1}"


@pytest.fixture
def opened(browser: Tab, pages: dict[str, Path]) -> Iterator[Tab]:
    browser.screen(1280, 800)
    browser.open(pages["game"])
    yield browser
    assert browser.faults == []


def test_it_opens_at_the_beginning(opened, timeline):
    assert opened.at == "0.1"
    assert opened.ask("document.title") == "Pebbles: what the rules did"
    assert opened.text("#title") == "Pebbles"
    assert "turns is few" in opened.text("#about")
    assert "the game is over" in opened.text("#about")
    heads = opened.ask("Array.from(document.querySelectorAll('.head .words'), e => e.textContent)")
    assert heads == [timeline.headline(ply) for ply in range(timeline.plies + 1)]
    assert opened.ask("document.querySelectorAll('.line').length") == len(Path(PEBBLES).read_text().splitlines())


def test_every_key_steps_as_the_timeline_does(opened, timeline):
    position, rng = timeline.first, random.Random(1)
    ways = {
        "i": timeline.into, " ": timeline.into, "o": timeline.over, "u": timeline.out, "-": timeline.back,
        "Backspace": timeline.back, ".": timeline.next_decision, ",": timeline.previous_decision,
    }  # fmt: skip
    for _ in range(80):
        key = rng.choice([*ways, "i", "."])
        opened.press(key)
        position = ways[key](position) or position
        assert opened.at == named(position), key
        assert opened.ask("location.hash") == f"#{named(position)}"
    opened.press("End")
    assert opened.at == named(timeline.last)
    opened.press("i")
    assert opened.text("#message") == "this is the last event"
    opened.press("Home")
    assert (opened.at, opened.text("#message")) == ("0.1", "")


def test_each_moment_shows_rule_table_change_and_names(opened, timeline):
    position: Position | None = Position(1)
    opened.press(".")
    while position is not None and position.ply < 4:
        event, snapshot = timeline.event(position), timeline.snapshot(position)
        if event.span is not None:
            assert opened.text(".line.here .number") == str(event.span.line)
            assert opened.text("#place") == f"pebbles.rules:{event.span.line}"
            assert opened.text(".line.here code").strip() == event.span.source.line(event.span.line).strip()
        assert event.text in opened.text("#now")
        names = [f"{name} = {value}" for name, value in snapshot.names]
        assert opened.text("#names").split("\n") == (names or ["none here"])
        seen = opened.ask(
            "Array.from(document.querySelectorAll('#tables caption, #tables th, #tables td, #tables .single'),"
            " cell => cell.textContent.trimEnd())"
        )
        assert seen == in_words(snapshot.view())
        following = timeline.into(position)
        assert following is not None
        found = timeline.difference(position, following)
        opened.press("i")
        shown = opened.text("#differences")
        assert [line for line in found if line.name not in shown or f"→ {line.after}" not in shown] == []
        assert ("nothing changed" in shown) == (not found)
        position = following
    in_view = "(e => { const r = e.getBoundingClientRect(), p = e.closest('.body').getBoundingClientRect();"
    in_view += " return r.top >= p.top && r.bottom <= p.bottom; })"
    for row in (".line.here", "#outline .here"):
        assert opened.ask(f"{in_view}(document.querySelector('{row}'))")


def test_running_on(opened, timeline):
    find = partial(first, timeline)
    ((name, _),) = Counter(name for _, event in timeline.all_events() for name in event.what).most_common(1)
    opened.press("c", *name, "Enter")
    one = find(Position(0), lambda event: name in event.what)
    assert opened.at == named(one)
    opened.press("n")
    two = find(one, lambda event: name in event.what)
    assert opened.at == named(two)
    opened.press("N")
    assert opened.at == named(one)
    opened.press("d", *"blue", "Enter")
    blue = find(one, lambda event: event.kind == "decision" and event.seat == "blue")
    assert opened.at == named(blue)
    opened.press("/", *"THROW", "Enter")
    thrown = find(blue, lambda event: "throw" in event.text)
    assert opened.at == named(thrown)
    opened.press("Home", "h")
    assert opened.at == named(find(Position(0), lambda event: event.kind == "chance"))
    opened.press("g", "3", "Enter")
    assert opened.at == "3.1"
    opened.press("/", *"nowhere", "Enter")
    assert (opened.at, opened.text("#message")) == ("3.1", "nowhere: not found after this event")
    opened.press("c", *"nowhere", "Enter")
    assert opened.text("#message") == "nothing called nowhere changes in this game"


def first(timeline: Timeline, after: Position, wanted: Any) -> Position:
    return next(position for position, event in timeline.all_events() if position > after and wanted(event))


def test_lines_and_breakpoints(opened, timeline):
    number = next(n for n, line in enumerate(Path(PEBBLES).read_text().splitlines(), 1) if "roll luck" in line)
    found = [p for p, event in timeline.all_events() if event.span is not None and event.span.line == number]
    opened.click(f".line:nth-child({number}) .number")
    listed = opened.ask("Array.from(document.querySelectorAll('.event-of-line .ply'), e => e.textContent)")
    assert listed == [named(position) for position in found]
    opened.click("#contents .stop")
    assert opened.ask("document.querySelector('.line.stop .number').textContent") == str(number)
    for position in found[:2]:
        opened.press("r")
        assert opened.at == named(position)
    opened.press("R")
    assert opened.at == named(found[0])
    opened.click(f".line:nth-child({number}) .number")
    opened.click(".event-of-line:last-of-type")
    assert opened.at == named(found[-1])
    opened.press("L")
    assert opened.at == named(found[-2])
    opened.press("b", "r")
    assert "there is no breakpoint yet" in opened.text("#message")


def test_with_a_pointer_alone(opened, timeline):
    opened.click("#buttons button:nth-child(6)")
    assert opened.at == "1.1"
    opened.click("#buttons button:nth-child(3)")
    assert opened.at == "1.2"
    opened.press(" ")
    assert opened.at == "1.3"
    opened.click('#outline [data-index="0"]')
    assert opened.at == "0.1"
    opened.click("#buttons button:nth-child(9)")
    opened.click("#choices button:nth-child(2)")
    green = first(timeline, Position(0), lambda event: event.kind == "decision" and event.seat == "green")
    assert opened.at == named(green)


def test_folding_and_rows(opened):
    opened.press(".", "i")
    while opened.ask("document.querySelector('#outline .here .fold').textContent") != "▾":
        opened.press("i")
    here = opened.at
    rows = opened.ask("document.querySelectorAll('#outline .row').length")
    opened.press("f")
    assert opened.at == here
    assert opened.ask("document.querySelectorAll('#outline .row').length") < rows
    opened.press("i")
    assert opened.ask("document.querySelectorAll('#outline .row').length") == rows
    opened.press("ArrowUp")
    assert opened.at == here
    opened.press("ArrowLeft")
    assert opened.ask("document.querySelectorAll('#outline .row').length") < rows
    opened.press("ArrowRight")
    assert (opened.at, opened.ask("document.querySelectorAll('#outline .row').length")) == (here, rows)
    opened.press("1", "Enter")
    line = opened.text(".line.here .number")
    assert opened.at != here
    assert opened.text("#message") in ("", f"line {line}: not found after this event")


def test_an_address_leads_to_a_moment(browser, pages):
    browser.open(pages["game"], "#3.2")
    assert browser.at == "3.2"
    browser.ask("void (location.hash = '#2')")
    browser.ask("new Promise(done => setTimeout(done, 50))")
    assert browser.at == "2.1"
    browser.open(pages["game"], "#999.999")
    assert browser.at.startswith(browser.ask("String(lastPly)") + ".")


def test_the_help_names_every_key(opened):
    opened.press("?")
    told = opened.text("#contents")
    for key in opened.ask("Array.from(KEYS.keys())"):
        shown = {" ": "space", "Escape": "Esc"} | dict(zip(ARROWS, "←↑→↓", strict=True))
        assert shown.get(key, key) in told or key in "2345", key
    ours = {key.label: key.text for key in KEYS if key.text}
    theirs = opened.ask("Object.fromEntries(GROUPS.flatMap(([, keys]) => keys).map(key => [key.shown, key.text]))")
    assert {"i, space", "o", "u", ".", ",", "/", "c", "d", "h", "b", "r, R", "n, N"} <= set(theirs)
    assert {shown for shown in {*ours} & {*theirs} if ours[shown] != theirs[shown]} <= {"1 … 5", "Esc"}, (
        "as in the viewer"
    )
    opened.press("Escape", "i")
    assert opened.at == "0.2"


def test_on_a_phone_nothing_is_cut_off(browser, pages):
    for dark in (False, True):
        browser.screen(390, 844, phone=True, dark=dark)
        browser.open(pages["game"], "#3")
        assert browser.ask("document.documentElement.scrollWidth") <= 390
        assert browser.ask("document.documentElement.scrollHeight") <= 844
        browser.click("#tabs button:nth-child(2)")
        assert browser.text("#drawing").strip()
        assert browser.ask("(e => e.scrollWidth <= e.clientWidth)(document.getElementById('drawing'))")
        ground = browser.ask("getComputedStyle(document.body).backgroundColor")
        assert ground == ("rgb(22, 24, 30)" if dark else "rgb(255, 255, 255)")
    assert browser.faults == []


def test_words_of_a_rules_file_do_nothing_in_the_page(browser, pages):
    browser.screen(1280, 800)
    browser.open(pages["nasty"], "#1")
    assert browser.faults == []
    assert browser.ask("document.title").startswith("</title><b>&")
    assert browser.ask("document.querySelectorAll('img, b:not(#names b, #differences b)').length") == 0
    assert "<img src=x onerror=alert(1)> </script> & 'take' Ünï 🎲" in browser.text("#now")
    assert "gone" in browser.text(".line:nth-child(7)")


# ---- the bar of decisions, the board, the scores


@pytest.fixture(scope="module")
def page_with_a_board(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("board") / "board.html"
    path.write_text(page(Timeline(played(load("china", 3), 4, 40)), "moves"), encoding="utf-8")
    return path


@pytest.fixture
def on_board(browser: Tab, page_with_a_board: Path) -> Iterator[Tab]:
    browser.screen(1280, 800)
    browser.open(page_with_a_board)
    yield browser
    assert browser.faults == []


def test_the_slider_goes_from_decision_to_decision(opened):
    opened.page.locator("#slider").fill("5")
    assert opened.at == "5.1"
    opened.press(".")
    assert opened.page.locator("#slider").input_value() == "6"
    assert opened.page.locator("#slider").get_attribute("aria-valuetext").startswith("decision 6 of ")
    opened.page.locator("#slider").focus()
    opened.press("ArrowRight")
    assert opened.at == "7.1"


def test_it_plays_until_the_end_or_until_it_is_stopped(opened):
    opened.page.clock.install()
    opened.press("p")
    opened.page.clock.run_for(2600)
    assert opened.at == "2.1"
    opened.click("#play")
    opened.page.clock.run_for(5000)
    assert opened.at == "2.1"
    opened.click("#play")
    last = opened.ask("lastPly")
    opened.page.clock.run_for(1200 * (last + 3))
    assert opened.at == f"{last}.1"
    assert "play" in opened.text("#play")


def test_the_board_is_a_drawing_with_words(on_board):
    assert on_board.ask("document.querySelectorAll('#picture .node, #picture .area').length") > 40
    on_board.press("End")
    said = on_board.ask("document.getElementById('picture-title').textContent")
    assert re.fullmatch(r"China: \d+ of \d+ places hold something", said)
    on_board.click("#board-words summary")
    on_board.page.locator("#board-list", has_text="House").wait_for()  # written when the browser says that it is open
    titles = on_board.ask("Array.from(document.querySelectorAll('#picture g > title'), e => e.textContent)")
    assert any("house" in title.lower() for title in titles)
    before = on_board.ask("document.getElementById('picture').getBoundingClientRect().width")
    on_board.click("#larger")
    on_board.click("#larger")
    assert on_board.ask("getComputedStyle(document.documentElement).fontSize") == "20.8px"
    assert before > 300


def test_a_click_on_the_scores_goes_there(on_board):
    box = on_board.page.locator("#chart").bounding_box()
    on_board.page.mouse.click(box["x"] + box["width"] / 2, box["y"] + 5)
    assert on_board.at == "20.1"
    assert "green" in on_board.text("#score-now")
    assert on_board.ask("document.querySelectorAll('#chart path').length") == 3


def test_without_scripts_the_decisions_are_a_list(browser, pages, timeline):
    context = browser.browser.new_context(java_script_enabled=False)
    tab = context.new_page()
    tab.goto(pages["game"].absolute().as_uri())
    heads = tab.locator("noscript li").all_inner_texts()
    assert heads == [timeline.headline(ply) for ply in range(1, timeline.plies + 1)]
    assert tab.locator("noscript p").nth(1).inner_text() == timeline.event(timeline.last).text
    context.close()


def test_rows_can_be_reached_with_the_keyboard(opened):
    opened.press("2", ".")
    row = "document.activeElement.getAttribute('role') + document.activeElement.getAttribute('aria-selected')"
    assert opened.ask(row) == "treeitemtrue"
    assert opened.ask("document.activeElement.dataset.index === String(here)")
    opened.press("1", "ArrowDown", "Tab")
    assert opened.ask("document.activeElement.className") == "number"
    opened.press("Enter")
    assert opened.ask("document.getElementById('sheet').open")


@pytest.mark.parametrize(
    ("name", "phone", "dark"),
    [
        pytest.param(name, phone, dark, marks=() if phone is (dark is (name == "game")) else pytest.mark.long)
        for name, phone, dark in product(["game", "china"], [False, True], [False, True])
    ],
)  # in the normal run every two of a game, a screen and colours are together
def test_nothing_keeps_anybody_out(browser, pages, tmp_path, name, phone, dark):
    """The rules of axe-core: roles, names, contrast, what can be focused."""
    path = pages.get(name, tmp_path / "page.html")
    if name not in pages:
        path.write_text(page(Timeline(played(load(name, 3), 4, 20)), "moves"), encoding="utf-8")
    axe = files("axe_playwright_python").joinpath("axe.min.js").read_text(encoding="utf-8")
    browser.screen(*((390, 844) if phone else (1280, 800)), dark=dark, phone=phone)
    browser.open(path, "#6")
    browser.ask(axe)
    panes = (2, 3, 4, 5) if phone else (3,)
    for state in ("", *panes, "?"):
        if state:
            browser.press(str(state))
        found = browser.ask("axe.run().then(found => found.violations.map(one => [one.id, one.nodes[0].html]))")
        assert found == [], state
    assert browser.faults == []


@pytest.mark.parametrize(("name", "players"), one_in(4, LARGE, 3))
def test_a_long_game_makes_a_small_page(name, players):
    """Two megabytes are allowed for 300 decisions; a whole game has fewer."""
    state = played(load(name, players), 3, 60)
    size = len(page(Timeline(state), "everything").encode())
    assert size / state.ply * 300 < 2_000_000
