"""What a person may type, and what it means."""

from types import SimpleNamespace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cli.play.prompt import Command, Pick, Unclear, read_line

MOVES = tuple(
    SimpleNamespace(name=name, label=label, notation=notation)
    for name, label, notation in (
        ("lay", "lay 1 wall at A", "lay(wall, 1, A)"),
        ("lay", "lay 1 wall at B", "lay(wall, 1, B)"),
        ("lay", "lay 2 wall at A", "lay(wall, 2, A)"),
        ("draw", "draw a card", "draw"),
        ("quit", "quit the field", "quit"),
        ("done", "done", "done"),
    )
)


@pytest.mark.parametrize(
    ("line", "number"),
    [
        ("1", 1),
        (" 3 ", 3),
        ("lay(wall, 2, A)", 3),
        ("lay(wall,2,A)", 3),
        ("LAY ( Wall , 2 , a )", 3),
        ("lay 2", 3),
        ("lay 1 wall at b", 2),
        ("d", None),
        ("dr", 4),
        ("draw", 4),
        ("draw()", 4),
        ("quit the", 5),
        ("5", 5),
        ("done", 6),
        ("go on", 6),
        ("go", 6),
    ],
)
def test_a_move(line, number):
    answer = read_line(line, MOVES)
    if number is None:
        assert isinstance(answer, Unclear)
    else:
        assert answer == Pick(MOVES[number - 1])


def test_a_number_that_is_chosen_is_no_number_of_a_move():
    moves = [
        SimpleNamespace(name="choose", label=str(value), notation=f"choose({value})", arguments={"prize": value})
        for value in (2, 4)
    ]
    assert read_line("2", moves) == Pick(moves[1])
    assert read_line("prize 2", moves) == Pick(moves[0])
    assert read_line("choose(2)", moves) == Pick(moves[0])
    assert isinstance(read_line("4", moves), Unclear)


@pytest.mark.parametrize(
    ("line", "command"),
    [
        ("", Command("moves")),
        ("?", Command("help")),
        ("HELP", Command("help")),
        ("why 3", Command("why", "3")),
        ("why  lay(wall, 9, A)", Command("why", "lay(wall, 9, A)")),
        ("log", Command("log")),
        ("log all", Command("log", "all")),
        ("table", Command("view")),
        ("undo", Command("undo")),
        ("save /tmp/x.json", Command("save", "/tmp/x.json")),
        ("quit", Command("quit")),
        ("q", Command("quit")),
    ],
)
def test_a_command(line, command):
    assert read_line(line, MOVES) == command


@pytest.mark.parametrize(
    ("line", "part"),
    [
        ("0", "numbered 1 to 6"),
        ("7", "numbered 1 to 6"),
        ("lay", "could be lay 1 wall at A, lay 1 wall at B, lay 2 wall at A"),
        ("dance", "no move `dance`"),
        ("²", "no move"),
        ("1" * 5000, "numbered 1 to 6"),
    ],
)
def test_neither(line, part):
    answer = read_line(line, MOVES)
    assert isinstance(answer, Unclear)
    assert part in answer.message


@given(st.text())
def test_anything_typed_is_understood_or_refused(line):
    assert isinstance(read_line(line, MOVES), Command | Pick | Unclear)
