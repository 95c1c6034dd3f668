"""What stays in sight in full screen: one's own hand, the board with its legend, the last move, tables as tables."""

import random

import pytest

from cli.fullscreen.sight import moved_places
from cli.render.board import PLACE, board_drawing
from cli.render.palette import palette
from cli.render.tables import on_board
from tests.cli.at_table import at_table, session_of
from tests.cli.viewing import at_once

SMALL, MIDDLE, LARGE, LARGEST = (80, 24), (100, 30), (120, 40), (200, 60)
SIZES = (SMALL, MIDDLE, LARGE, LARGEST)
WITH_A_HAND = {
    "chinesische_mauer": "Hand:",
    "china": "Hand:",
    "mauerbauer": "Hand:",
    "dschingis_khan": "Tokens:",
    "hearts": "Hand:",
    "texas_holdem": "Cards:",
}


@pytest.fixture(autouse=True)
def own_folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


def later(name, decisions, seed=3, players=None):
    """A game after so many random decisions."""
    session = session_of(name, players)
    chosen = random.Random(seed)
    for _ in range(decisions):
        if not session.state.over:
            session.state.push(chosen.choice(session.state.legal_moves))
    return session


# ---- the hand


def hands():
    """Each of the games at each size; in the normal run at one of them, in turn."""
    for number, (game, heading) in enumerate(WITH_A_HAND.items()):
        for place, size in enumerate(SIZES):
            yield pytest.param(game, heading, size, marks=pytest.mark.long if (number + place) % len(SIZES) else ())


@pytest.mark.parametrize(("game", "heading", "size"), list(hands()))
@at_once
async def test_the_own_hand_is_above_the_question_whatever_pane_is_in_front(game, heading, size):
    async with at_table(session_of(game), size=size) as table:
        view = table.app.sight.now.view
        held = next(zone for name, zone in view.zones.items() if name.endswith(f"[{view.viewer}]") and zone.pieces)
        for _ in range(3):
            question = next(at for at, line in enumerate(table.lines) if ", you m" in line)
            above = "\n".join(table.lines[question - 5 : question])
            assert heading in above
            assert len(held.pieces) > 0
            await table.press("f2")


@at_once
async def test_nothing_that_others_see_too_is_shown_as_ones_own():
    async with at_table(later("chess", 10)) as table:
        assert not table.app.query_one("#own").display
    async with at_table(later("dschingis_khan", 40)) as table:
        own = "\n".join(map(str, table.app._own(table.app.sight.now.view)))
        assert "stack" not in own, "what lies on the board is seen there"


@at_once
async def test_the_hand_is_covered_while_the_keyboard_is_passed_on():
    session = session_of("chinesische_mauer", seats={"red": "human", "green": "human"})
    async with at_table(session) as table:
        assert "Hand" not in table.text
        await table.press("enter")
        assert "Hand:" in table.text
        while "press Enter" not in table.text:
            await table.press("=1")
        await table.press("enter")
        assert "pass the keyboard to green" in table.text
        assert "Hand" not in table.text


@at_once
async def test_a_hand_longer_than_its_lines_is_cut():
    async with at_table(session_of("hearts"), size=(60, 16)) as table:
        own = [str(line) for line in table.app._own(table.app.sight.now.view)]
        assert len(own) == 2
        assert own[-1].endswith(" …")


# ---- the board


@at_once
async def test_a_board_is_whole_where_it_fits_at_every_question():
    for decisions in (0, 20, 60):
        async with at_table(later("mauerbauer", decisions), size=LARGE) as table:
            for answer in ("=1", "=1", "escape"):
                board = table.app.board
                assert len(board._drawn(board.columns).picture) <= board.lines
                assert "part 1 of" not in table.text
                await table.press(answer)


@at_once
async def test_the_legend_stays_in_sight_beside_a_board_that_is_scrolled():
    async with at_table(later("mauerbauer", 20), size=SMALL) as table:
        assert "1 North 2 West 3 East" in table.text
        before = table.lines[2]
        await table.press("pagedown")
        assert table.lines[2] != before
        assert "1 North 2 West 3 East" in table.text


@pytest.mark.parametrize("game", ["dschingis_khan", "china", "chess", "go"])
@at_once
async def test_large_screens_have_larger_boards(game):
    heights = []
    for size in (SMALL, LARGEST):
        async with at_table(session_of(game), size=size) as table:
            board = table.app.board
            heights.append(len(board._drawn(board.columns).picture))
            assert size is SMALL or heights[-1] <= board.lines
    assert heights[1] > heights[0]


@at_once
async def test_tables_are_tables_on_large_screens():
    async with at_table(later("china", 20), size=LARGEST) as table:
        heads = [line for line in table.lines if "Emissaries" in line]
        assert len(heads) == 1, "no word is broken"
        assert "Houses" in heads[0]
        assert "Hand" in heads[0]


WIDE = """\
game "Wide" for 2 players red, blue

== components ==

type Place from grid(3, 3)
piece Pebble: 9 for each owner: Player in store[owner]
zone store[p: Player] holds Pebble
zone heap[c: Place] holds row of Pebble

table "Board" for each c in Place, on board:
    "Pebbles": heap[c]

== phases ==

phase laying, turns from red, over when no p in Player where store[p] is not empty:
    must put

action put(c in Place):
    "put on {c}"
    move 1 from store[me] to heap[c]

== scoring ==

winner highest count heap[a1]
"""


@at_once
async def test_contents_do_not_split_a_board_that_fits_without_them(tmp_path):
    (tmp_path / "wide.rules").write_text(WIDE, encoding="utf-8")
    session = session_of(str(tmp_path / "wide.rules"), before=["put(c2)"] * 18)
    session.state.pop()
    board = session.state.view("red")
    for width in range(18, 40):
        drawing = board_drawing(board.board, on_board(board), palette(board.seats), width)
        assert "part 1 of" not in "\n".join(map(str, drawing.picture)), width
        assert max(line.cell_len for line in drawing.picture) <= width


# ---- the last move


def underlined(app):
    """The places with something underlined on the board."""
    return {
        segment.style.meta[PLACE]
        for strip in app.board._strips
        for segment in strip
        if segment.style and segment.style.underline and PLACE in segment.style.meta
    }


@at_once
async def test_the_last_move_is_underlined_on_the_board():
    session = session_of("chess", seats={"all": "human"})
    async with at_table(session, size=LARGE) as table:
        assert underlined(table.app) == set()
        await table.press("=go(e2, e4)")
        assert underlined(table.app) == {"e2", "e4"}
        await table.press("=go(d7, d5)")
        assert underlined(table.app) == {"d7", "d5"}
        await table.press("=go(e4, d5)")
        assert underlined(table.app) == {"e4", "d5"}
        await table.press("=undo", "y")
        assert underlined(table.app) == {"e2", "e4"}


def rows_on_board(view):
    """The rows of the tables on the board."""
    tables = [table for table in view.tables if table.board is not None]
    return {
        (table.title, place): row for table in tables for place, row in zip(table.board.places, table.rows, strict=True)
    }


def test_the_whole_turn_of_the_last_player_who_changed_the_board_counts(long_run):
    several = 0
    for decisions in range(20, 50, 1 if long_run else 4):
        session = later("dschingis_khan", decisions)
        state, seat = session.state, "red"
        before, mover = state.copy(), state.history[-1].player
        while before.history and before.history[-1].player == mover:
            before.pop()
        then, now = rows_on_board(before.view(seat)), rows_on_board(state.view(seat))
        changed = {place for (title, place), row in now.items() if then.get((title, place), row) != row}
        if changed:
            several += len(changed) > 1
            assert moved_places(session, seat, state.view(seat)) == changed
    assert several
