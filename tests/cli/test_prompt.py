"""What a person may type, and what it means."""

from dataclasses import dataclass

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cli.play.prompt import Command, Unclear, command_in, read_answer
from interpreter.seat.narrowing import Narrowing


@dataclass(frozen=True)
class Named:
    """A move in words."""

    name: str
    label: str
    notation: str
    arguments: tuple[str, ...] = ()
    names: frozenset[str] = frozenset()

    @property
    def parts(self):
        return (self.label,)


MOVES = tuple(
    Named(name, label, notation)
    for name, label, notation in (
        ("lay", "lay 1 wall at A", "lay(wall, 1, A)"),
        ("lay", "lay 1 wall at B", "lay(wall, 1, B)"),
        ("lay", "lay 2 wall at A", "lay(wall, 2, A)"),
        ("draw", "draw a card", "draw"),
        ("quit", "quit the field", "quit"),
        ("done", "done", "done"),
    )
)


def answered(line, moves=MOVES, left=None):
    """What a line means at a question about moves."""
    narrowing = left or Narrowing(tuple(moves))
    return read_answer(line, moves, narrowing, narrowing.step(lambda words: True))


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
    assert answered(line).move == MOVES[number - 1]


def test_a_number_that_is_chosen_is_no_number_of_a_move():
    moves = [Named("choose", str(value), f"choose({value})", ("prize",)) for value in (2, 4)]
    assert answered("2", moves).move == moves[1]
    assert answered("prize 2", moves).move == moves[0]
    assert answered("choose(2)", moves).move == moves[0]
    assert isinstance(answered("4", moves), Unclear)


@pytest.mark.parametrize(
    ("line", "numbers"),
    [("d", (4, 6)), ("lay", (1, 2, 3)), ("wall b", (2,)), ("a 1", (1,)), ("LAY A", (1, 3)), ("lay1", (1, 2))],
)
def test_words_of_several_moves(line, numbers):
    assert answered(line).moves == tuple(MOVES[number - 1] for number in numbers)


def test_words_narrow_what_is_left_of_the_moves_first():
    left = Narrowing(MOVES[1:3])
    assert answered("wall", left=left).moves == MOVES[1:3]
    assert answered("2", left=left).move == MOVES[2]
    assert answered("card", left=left).move == MOVES[3]


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
    assert answered(line) == command_in(line) == command


@pytest.mark.parametrize(
    ("line", "part"),
    [
        ("0", "numbered 1 to 6"),
        ("7", "numbered 1 to 6"),
        ("dance", "no move `dance`"),
        ("²", "no move"),
        ("1" * 5000, "numbered 1 to 6"),
    ],
)
def test_neither(line, part):
    answer = answered(line)
    assert isinstance(answer, Unclear)
    assert part in answer.message


@given(st.text())
def test_anything_typed_is_understood_or_refused(line):
    assert isinstance(answered(line), Command | Narrowing | Unclear)
