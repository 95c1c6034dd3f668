"""Typed moves over all shipped games: a text is the move that it names, is asked about, or is refused."""

import random
import re
from functools import cache

import pytest

from cli.play.prompt import Unclear, read_answer
from interpreter.errors import IllegalMoveError
from interpreter.play.game import load
from interpreter.seat.narrowing import Narrowing
from interpreter.seat.notation.reading import Vocabulary, begins, named_by, tokens_of, words_in
from interpreter.seat.question_words import words_of
from tests.interpreter.test_narrowing import GAMES, decisions
from tests.support.long_run import one_in

PREFIXES = """game "Bids" for 2 players ann, ben

== components ==
type Spot is a, a1, a10, b, wall, at1
note bid: 0..99 = 0
note high: 0..999 = 0
note free: several Spot = {a10, at1, b}
define bids: {18, 20, 22, 216}
define levels: {30, 40}

== phases ==
phase play, turns from ann, over when high > 900:
    must raise_to or lay or raise
action raise_to(n in bids):
    require n > high    because "the bid is {high} already"
    set high to n
action raise(n in levels):
    require high < 10   because "too late"
    set high to n
action lay(s: Spot):
    "lay at {s}"
    require s is in free   because "{s} is taken"
    set free to free - {s}

== scoring ==
winner high > 100
"""


@pytest.fixture
def bids(tmp_path):
    path = tmp_path / "bids.rules"
    path.write_text(PREFIXES, encoding="utf-8")
    return load(path).start(1)


def typed(state, line):
    """What a line means to the seat that decides."""
    narrowing = Narrowing(state.legal_moves)
    step = narrowing.step(lambda words: True)
    return read_answer(line, state.legal_moves, narrowing, step, Vocabulary.of(state.program))


def move_typed(state, line):
    """The notation of the move that a line makes; None if it asks or refuses."""
    answer = typed(state, line)
    return answer.move.notation if isinstance(answer, Narrowing) and answer.move is not None else None


@pytest.mark.parametrize(
    ("line", "notation"),
    [
        ("raise_to(216)", "raise_to(216)"),
        ("raise_to( 216 )", "raise_to(216)"),
        ("RAISE_TO(216)", "raise_to(216)"),
        ("raise_to(21)", None),
        ("raise_to(2 16)", None),
        ("raise_to(0216)", None),
        ("raise_to(21", None),
        ("raise_to(216", None),
        ("raise(20)", None),
        ("raise to 216", "raise_to(216)"),
        ("raise to 21", None),
        ("raise 216", None),  # there is an action `raise`
        ("216 raise to", None),
        ("216.", None),
        ("raise to -216", None),
        ("raise to 2.16", None),
        ("raise-to 216", "raise_to(216)"),
        ("lay a10", "lay(a10)"),
        ("lay a1", None),
        ("lay a", None),  # there is a place `a`
        ("lay(a1)", None),
        ("lay at", None),
        ("b", "lay(b)"),
        ("B", "lay(b)"),
        ("lay at wall", None),
    ],
)
def test_nothing_is_made_that_was_not_named(bids, line, notation):
    assert move_typed(bids, line) == notation


def test_a_move_in_doubt_is_asked_for(bids):
    bids.push("raise_to(22)")
    answer = typed(bids, "raise 216")
    assert answer.move is None and answer.in_doubt and [move.notation for move in answer.moves] == ["raise_to(216)"]
    assert answer.answer(answer.step(lambda words: True).candidates[0]).move == answer.moves[0]


@pytest.mark.parametrize("line", ["raise_to(2 16)", "raise_to(21)", "raise_to (216", "RAISE_TO(216)", "raise_to216"])
def test_a_program_makes_the_move_written_or_none(bids, line):
    with pytest.raises(IllegalMoveError):
        bids.push(line)


def test_why_speaks_of_the_move_written(bids):
    assert bids.why("raise_to(21)").headline.startswith("`raise_to(21)` is not legal")
    assert bids.why("raise_to(+20)").legal and bids.why("Raise_To(20)").legal
    assert bids.why("raise_to(2 0)").legal is False
    assert bids.why("Raise_To(21)").headline == bids.why("raise_to(21)").headline.replace("raise_to", "Raise_To")
    assert bids.why("lay at a1").headline == "`lay(a1)` is not legal: a1 is taken"


WAYS = """game "Ways" for 2 players ann, ben

== components ==
type Way is north, north_east, east, up_up, south_west
note walked: 0..99 = 0
note shut: several Way = {north, east}

== phases ==
phase play, turns from ann, over when walked > 90:
    must go or push
action go(w: Way):
    "go {w}"
    require w is not in shut    because "{w} is shut"
    add 1 to walked
action push(x in {north_east}, y in {south_west}):
    "push {x} from {y}"
    add 2 to walked

== scoring ==
winner walked > 90
"""


@pytest.fixture
def ways(tmp_path):
    path = tmp_path / "ways.rules"
    path.write_text(WAYS, encoding="utf-8")
    return load(path).start(1)


@pytest.mark.parametrize(
    ("line", "made", "explained"),
    [
        ("go north", None, "`go(north)` is not legal: north is shut"),
        ("go North", None, "`go(north)` is not legal: north is shut"),
        ("go east", None, "`go(east)` is not legal: east is shut"),
        ("go north_east", "go(north_east)", "`go(north_east)` is legal"),
        ("go north e", "go(north_east)", "`go(north_east)` is legal"),
        ("go up", "go(up_up)", "`go(up_up)` is legal"),
        ("go south", "go(south_west)", "`go(south_west)` is legal"),
        ("push north", None, "`push(north, north)` is not legal: north cannot be chosen here, only north_east"),
        ("push north_east south_west", "push(north_east, south_west)", "`push(north_east, south_west)` is legal"),
    ],
)
def test_a_name_is_not_the_beginning_or_end_of_a_longer_one(ways, line, made, explained):
    assert move_typed(ways, line) == made
    assert ways.why(line).headline.startswith(explained)


def test_names_in_any_order_but_only_one():
    names = [(1, "red one"), (2, "one red"), (3, "Red two"), (4, "[ace, red king]"), (5, "play(red two, [a, b])")]
    assert named_by("red one", names) == [1]
    assert named_by("ONE RED", names) == [2]
    assert named_by("two red", names) == [3]
    assert named_by("[king red, ace]", names) == [4]
    assert named_by("play(two red, [b, a])", names) == [5]
    assert named_by("play([b, a], two red)", names) == []
    assert named_by("(" * 9999, names) == named_by("[ace, red king", names) == named_by("", names) == []


# ---------------------------------------------------------------- all shipped games


@cache
def sampled(name):
    """Some decisions of a random game, each as a copy."""
    chosen = random.Random(name)
    states = [state.copy() for state in decisions(name, most=60)]
    return chosen.sample(states, min(2, len(states)))


def nearly(text, chosen, values):
    """Texts that look like a notation: cut, longer, with blanks inside, with another value."""
    words = re.findall(r"\w+", text)
    at = chosen.randrange(len(text))
    yield from (text[:at], text[:at] + text[at + 1 :], text[:at] + " " + text[at:], text[:-2] + ")", text + ")")
    yield re.sub(r"(\d+)", r"\g<1>0", text)
    yield re.sub(r"\d(\d*)", r"\1", text)
    for _ in range(4):
        word = chosen.choice(words)
        yield re.sub(rf"\b{word}\b", chosen.choice(values), text)


@pytest.mark.parametrize("name", one_in(3, GAMES))
def test_what_is_written_with_brackets_is_that_move_or_none(name):
    chosen = random.Random(name)
    for state in sampled(name):
        legal = state.legal_moves
        values = sorted(Vocabulary.of(state.program).values) or ["1"]
        for move in chosen.sample(legal, min(6, len(legal))):
            text = move.notation if "(" in move.notation else f"{move.notation}()"
            assert move_typed(state, text) == move.notation
            state.copy().push(move.notation)
            for other in nearly(text, chosen, values):
                if "(" not in other:
                    continue
                found = named_by(other, [(each.notation, each.notation) for each in legal])
                exactly = [notation for notation in found if tokens_of(notation) == tokens_of(other)]
                assert move_typed(state, other) in (exactly or (found if len(found) == 1 else [None])), other
                if not found:
                    with pytest.raises(IllegalMoveError):
                        state.copy().push(other)


@pytest.mark.parametrize("name", one_in(3, GAMES, 1))
def test_words_make_only_a_move_that_they_name(name):
    chosen = random.Random(name)
    for state in sampled(name):
        legal = state.legal_moves
        vocabulary = Vocabulary.of(state.program)
        values = sorted(vocabulary.values) or ["1"]
        for move in chosen.sample(legal, min(5, len(legal))):
            label = words_of(move)
            same = [each.notation for each in legal if tokens_of(words_of(each), True) == tokens_of(label, True)]
            if not label.isdecimal():
                assert move_typed(state, label) == (move.notation if len(same) == 1 else None), label
            for line in nearly(label, chosen, values):
                made = move_typed(state, line)
                if made is None or line.strip().isdecimal():
                    continue
                (move_made,) = (each for each in legal if each.notation == made)
                written = words_in(f"{words_of(move_made)} {made}")
                for word in words_in(line):
                    assert word in written or (
                        any(begins(word, other) for other in written) and word not in vocabulary.values
                    ), (line, made)


def test_the_refusal_names_what_was_typed(bids):
    answer = typed(bids, "raise_to(21)")
    assert isinstance(answer, Unclear) and "`raise_to(21)`" in answer.message
