"""Random games in machine code are the same as in Python, game by game: results, lengths and numbers of legal moves.

A difference in one legal move changes which moves are made from there on, and so the results.
"""

from __future__ import annotations

from collections import Counter
from itertools import islice
from pathlib import Path

import pytest

from interpreter import PlayError, RulesError, load
from interpreter.ir import statements as st
from interpreter.native.building import LARGE, build
from interpreter.native.forms import NotInC
from interpreter.native.games import native_source, rules_of
from interpreter.native.library import Library, open_library
from tests.interpreter.native.comparing import Difference, compared, library_of
from tests.recorded.tables import SITTINGS, Table, game_at, shipped, tables_of
from tests.support import at_once_games, bound_games, round_games, secret_games, typed_games

NAMES = shipped()
GAMES, FEWER_GAMES = 50, {"chess": 20, "go": 10}
"""How many games are played in the normal run, all at one table."""

IN_THE_LONG_RUN = 10_000
CHUNKS = 8


def table_of(name: str, number: int) -> Table:
    return next(islice(tables_of(name), number % SITTINGS, None))


@pytest.mark.parametrize("name", NAMES)
def test_a_table_of_each_game(name: str) -> None:
    """No shipped game is left to Python; it is optimised, as people play it, unless that takes long to compile."""
    number = NAMES.index(name)
    game = game_at(table_of(name, number))
    optimise = len(native_source(game.program)) < LARGE
    compared(game, library_of(game, optimise), number * GAMES, FEWER_GAMES.get(name, GAMES))


@pytest.mark.parametrize("players", [3, 4])
def test_decisions_that_follow_in_one_block(players: int) -> None:
    """The parts of their moves have the same names, though not the same values."""
    game = load("kuhn_poker", players)
    blocks = rules_of(game.program).module.blocks.values()
    made = [node.made for block in blocks for node in st.walk(block.body) if isinstance(node, st.Decide)]
    assert any(isinstance(node, st.Decide) for body in made for node in st.walk(body))
    compared(game, library_of(game), 0, GAMES)


@pytest.mark.long
@pytest.mark.parametrize("chunk", range(CHUNKS))
@pytest.mark.parametrize("name", NAMES)
def test_many_games(name: str, chunk: int) -> None:
    for number in range(chunk, SITTINGS, CHUNKS):
        game = game_at(table_of(name, number))
        many = IN_THE_LONG_RUN // SITTINGS
        compared(game, library_of(game, optimise=True), number * many, many)


# ---------------------------------------------------------------- generated games

KINDS = {
    "typed": lambda number: secret_games.rules(number) if number % 4 == 0 else typed_games.rules(number),
    "with hypotheses": lambda number: typed_games.rules(number, hypotheses=True),
    "with numbers": lambda number: typed_games.rules(number, numbers=True),
    "in rounds": round_games.rules,
    "with loops at once": at_once_games.rules,
    "with relations": lambda number: typed_games.rules(number, relations=True),
    "with repetition": lambda number: typed_games.rules(number, hypotheses=number % 2 == 1, repetition=True),
    "with reactions": lambda number: typed_games.rules(number, reactions=True),
    "offering moves once": lambda number: typed_games.rules(number, hypotheses=number % 2 == 1, once=True),
    "with bound values": bound_games.rules,
}
PARTS, PARTS_IN_THE_LONG_RUN = 1, 20
GENERATED, GENERATED_IN_THE_LONG_RUN = 6, 60
SEEDS = 8
MOST_LEFT_TO_PYTHON = 0.2


@pytest.mark.parametrize(
    "part",
    [pytest.param(part, marks=() if part < PARTS else pytest.mark.long) for part in range(PARTS_IN_THE_LONG_RUN)],
)
@pytest.mark.parametrize("kind", KINDS)
def test_generated_games(kind: str, part: int, long_run: bool, tmp_path: Path) -> None:
    many = GENERATED_IN_THE_LONG_RUN if long_run else GENERATED
    figures: Counter[str] = Counter()
    for number in range(part * many, (part + 1) * many):
        path = tmp_path / f"game_{number}.rules"
        path.write_text(KINDS[kind](number), encoding="utf-8")
        try:
            game = load(path, players=None)
            library = library_of(game)
        except (RulesError, PlayError):
            continue
        except NotInC as problem:
            figures[f"not in C: {problem}"] += 1
            figures["left"] += 1
            continue
        try:
            figures += compared(game, library, 0, SEEDS) + Counter(accepted=1)
        except Difference as difference:
            raise Difference(f"{kind} game {number}: {difference}") from None
    assert figures["accepted"] >= many / 2, figures
    assert figures["left"] <= max(1, many * MOST_LEFT_TO_PYTHON), figures


def test_what_cannot_be_in_c_has_a_reason(tmp_path: Path) -> None:
    """A game is never played wrongly: what C cannot do yet is named."""
    path = tmp_path / "wide.rules"
    path.write_text(WIDE, encoding="utf-8")
    with pytest.raises(NotInC, match="a set of 4995 values"):
        native_source(load(path, 1).program)


def test_a_state_that_is_too_large_for_the_stack_has_a_reason(tmp_path: Path) -> None:
    """Hypotheses copy the state, and threads have small stacks."""
    path = tmp_path / "stacked.rules"
    path.write_text(STACKED, encoding="utf-8")
    with pytest.raises(NotInC, match="a state of more than 256 KB"):
        native_source(load(path, 1).program)


def test_a_changed_program_is_noticed() -> None:
    """The comparison finds a wrong constant in the C source."""
    game = load("nim")
    source = native_source(game.program)
    changed = build(
        source.replace("CHOICE_OFFSET UINT64_C(0x243F", "CHOICE_OFFSET UINT64_C(0x343F"), open_library, optimise=False
    )
    assert isinstance(changed, Library)
    with pytest.raises(Difference):
        compared(game, changed, 0, 10)


WIDE = """\
game "Wide" for 1 to 2 players ann, ben

== components ==

piece Red: 999 in box
piece Blue: 999 in box
piece Green: 999 in box
piece White: 999 in box
piece Black: 999 in box
zone box holds Red or Blue or Green or White or Black
zone pot holds Red or Blue or Green or White or Black

== phases ==

phase main, turns from ann, over when box is empty:
    must take

action take:
    move 1000 from box to pot

== scoring ==

winner highest (count pot)
"""

STACKED = """\
game "Stacked" for 1 to 2 players ann, ben

== components ==

type Cell from grid(20, 20)
piece Red: 999 in box
zone box holds Red
zone pile[c: Cell] holds stack of Red

== phases ==

phase main, turns from ann, over when box is empty:
    must take

action take(c: Cell):
    move 1 from box to pile[c]

== scoring ==

winner highest (count box)
"""
