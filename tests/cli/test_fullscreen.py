"""A game in full screen: answering step by step, commands, several persons, the end."""

from pathlib import Path

import pytest
from textual import events

from cli.play.file_watcher import Watcher
from interpreter.loading.rules import files_of
from tests.cli.at_table import at_table, session_of
from tests.cli.conftest import PEBBLES, QUIET
from tests.cli.viewing import at_once


@pytest.fixture(autouse=True)
def own_folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


@at_once
async def test_first_a_part_of_the_move_then_the_move():
    async with at_table(session_of("dschingis_khan")) as table:
        assert "… to [ ? ], the other token to …" in table.text
        assert " 9 B4" in table.text
        await table.press("=9")
        assert "to B4, the other token to B5" in table.text
        assert table.state.ply == 0
        await table.press("=2")
        assert table.state.ply > 0


@at_once
async def test_words_narrow_while_they_are_typed():
    async with at_table(session_of("dschingis_khan")) as table:
        await table.press(*"e2 pea")
        assert "red peasant to E1, the other token to E2" in table.text
        assert "red Chinese" not in table.text.split("red, you must")[1]
        await table.press("enter")
        assert "e2 pea:" in table.text
        assert table.state.ply == 0, "several moves match"
        await table.press(*"e1")
        assert "which move?" in table.text
        await table.press("enter")
        assert table.state.history[0].notation.endswith("red peasant)")


@at_once
async def test_escape_goes_one_step_back():
    async with at_table(session_of("dschingis_khan")) as table:
        first = table.text
        await table.press("=9", *"red")
        await table.press("escape")
        assert "which move?" in table.text
        await table.press("escape")
        assert table.text == first
        await table.press("escape")
        assert "`undo` goes back to your last decision" in table.lines[-1]


@at_once
async def test_arrows_choose_and_tab_completes():
    async with at_table(session_of("china")) as table:
        await table.press("down", "enter")
        assert "house on [ ? ] for" in table.text
        await table.press("escape", "up", "enter")
        assert "which move?" in table.text or "discard [ ? ] and draw" in table.text
        await table.press("escape", *"exch", "tab")
        assert table.app.line.value == "exchange "


@at_once
async def test_a_candidate_is_clicked():
    async with at_table(session_of("china")) as table:
        row = next(number for number, line in enumerate(table.lines) if "2 discard" in line)
        column = table.lines[row].index("2 discard")
        await table.pilot.click(offset=(column + 3, row))
        await table.settle()
        assert "discard … and draw:" in table.text


@at_once
async def test_a_move_as_written_and_a_number_out_of_range():
    async with at_table(session_of("china")) as table:
        await table.press("=99")
        assert "the answers are numbered 1 to 2" in table.lines[-1]
        await table.press("=nonsense")
        assert "there is no move `nonsense`" in table.lines[-1]
        await table.press("=exchange(red)")
        assert table.state.history[0].notation == "exchange(red)"


@at_once
async def test_commands():
    async with at_table(session_of("chinesische_mauer")) as table:
        await table.press("=why 1")
        assert "is legal" in table.text
        await table.press("escape", "=log")
        assert "the game is set up" in table.text
        await table.press("escape", "=help")
        assert "accept the input" in table.text
        await table.press("escape", "=save copy.json")
        assert "copied the save to" in table.lines[-1]
        await table.press("=go on", "=undo")
        assert "taken back" in table.lines[-1]
        assert table.state.ply == 0
        await table.press("=undo")
        assert "you have made no decision yet" in table.lines[-1]


@at_once
async def test_enter_that_was_pressed_before_the_screen_opened():
    async with at_table(session_of("china")) as table:
        await table.press("1", "ctrl+j")
        assert "house on … for … …:" in table.text
        assert table.app.line.value == ""


@at_once
async def test_panes_and_names():
    async with at_table(session_of("china")) as table:
        board = table.text
        await table.press("f2")
        assert "Players" in table.text
        await table.press("f2", "f2")
        assert table.text == board
        await table.press("f3")
        assert "yan1" in table.text


@at_once
async def test_the_position_is_copied_as_far_as_the_person_knows_it():
    async with at_table(session_of("hearts")) as table:
        await table.press("f6")
        assert "copied as an example" in table.text
        assert table.app.clipboard.startswith('example "after 1 decision":\n    given ')
        assert "    # hand[east]: 13 card\n" in table.app.clipboard


@at_once
async def test_too_small_and_larger_again():
    async with at_table(session_of("china"), size=(50, 12)) as table:
        assert "needs at least 60 columns by 16" in table.text
        await table.pilot.resize_terminal(120, 40)
        await table.settle()
        assert "Players" in table.text
        assert "green, you must" in table.text


@at_once
async def test_two_persons_never_see_the_cards_of_each_other():
    session = session_of("chinesische_mauer", seats={"red": "human", "green": "human"})
    async with at_table(session) as table:

        def covered():
            panes = "".join(
                strip.text for name in ("board", "tables", "log") for strip in table.app.pane_of(name)._strips
            )
            return not panes and "Hand" not in table.text

        assert "pass the keyboard to red" in table.text
        assert covered()
        await table.press("enter")
        assert "You: Hand:" in table.text
        while "press Enter" not in table.text:
            await table.press("=1")
        assert "red, press Enter when you have seen this" in table.text
        await table.press("enter")
        assert "pass the keyboard to green" in table.text
        assert covered()
        await table.press("enter")
        assert "turn of green" in table.text
        assert "hand[red]" not in table.text
        while "press Enter" not in table.text:
            await table.press("=1")
        await table.press("enter", "enter", "=undo")
        assert "red asks to go back" in table.text
        assert covered()
        await table.press("n")
        assert "pass the keyboard to red" in table.text
        assert covered()


@at_once
async def test_an_open_game_is_not_covered():
    async with at_table(session_of("tic_tac_toe", seats={"all": "human"})) as table:
        mover = table.state.player
        await table.press("=1")
        assert table.state.player != mover
        assert f"{table.state.player}, you must" in table.text


@at_once
async def test_the_end_and_what_can_be_typed_then():
    session = session_of("tic_tac_toe", seats={"all": "human"})
    async with at_table(session) as table:
        while not table.state.over:
            await table.press("=1")
        end = table.text
        assert "the game is over" in end
        await table.press("escape", "=hello")
        assert "play again: regelwerk play tic_tac_toe" in end
        assert "the game is over; Ctrl-Q leaves" in table.lines[-1]
        await table.press("=quit")
    assert table.app.return_value == "left"


@at_once
async def test_changed_rules_are_loaded(tmp_path):
    path, text = tmp_path / "mine.rules", Path(PEBBLES).read_bytes()
    path.write_bytes(text)
    session = session_of(str(path), 2, seats={"red": "human"})
    async with at_table(session, watcher=Watcher(files_of(session.game.rules))) as table:
        path.write_bytes(text + b"\n# changed\n")
        await table.until("the rules were reloaded")
        path.write_bytes(text + b"\nnonsense\n")
        await table.until("the game continues under the old rules")


@at_once
async def test_a_place_of_the_board_is_clicked():
    async with at_table(session_of("dschingis_khan")) as table:
        row = next(number for number, line in enumerate(table.lines) if " B4 " in line)
        await table.pilot.click(offset=(table.lines[row].index(" B4 ") + 2, row))
        await table.settle()
        assert "B4:  which move?" in table.text
        await table.press("escape")
        await table.pilot.click(offset=(0, row))
        await table.settle()
        assert "… to [ ? ]" in table.text, "nothing is clicked beside the board"


@at_once
async def test_a_block_is_clicked_by_any_of_its_places():
    async with at_table(session_of("pentago", 2), size=(100, 34)) as table:

        def style_of(row, column):  # of a place, by the numbers of its row and column in the picture
            pane = table.app.board.region
            drawn = [line[pane.x : pane.right] for line in table.lines[pane.y : pane.bottom]]
            line = next(number for number, text in enumerate(drawn) if text.lstrip().startswith(f"{row} "))
            places = [at for at, letter in enumerate(drawn[line]) if letter not in " │" and at > 2]
            at = (pane.x + places[column - 1], pane.y + line)
            return at, table.app.screen.get_style_at(*at)

        await table.press("=b2")
        assert all(style_of(row, column)[1].reverse for row in (1, 6) for column in (3, 4))
        assert "b2:  which move?" in table.text
        await table.pilot.click(offset=style_of(5, 5)[0])
        await table.settle()
        assert "b2:  upper right:  which move?" in table.text
        assert not style_of(5, 5)[1].reverse, "both moves are about that block"


@at_once
async def test_what_was_said_about_a_pasted_line_stays_when_the_next_one_is_shown(own_folder):
    async with at_table(session_of(PEBBLES, seed=int(QUIET)), size=(100, 30)) as table:
        table.app.line.post_message(events.Paste("log none\nbuild\nbuild"))
        await table.press("enter")
        assert "`log` expects a number of entries, at least 1, or `all`; 1 more line was pasted" in table.text
        assert table.app.line.value == "build"
        await table.press("escape", "enter")
        assert not table.state.history
