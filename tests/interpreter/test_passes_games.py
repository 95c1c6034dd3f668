"""Games are the same with all passes, with none, and with any single one of them: only how fast they are differs.

At every decision are compared: the legal moves in order, the state, and in every other game the changes and chance;
then faults, who is ahead, and undoing. After every pass the verifier looks at the module.
"""

from __future__ import annotations

import pickle
from collections import Counter
from collections.abc import Callable
from copy import copy
from itertools import islice
from pathlib import Path

import pytest
from interpreter.random_games import random_games

from interpreter import PlayError, RulesError, load
from interpreter.ir import statements as st
from interpreter.ir.expressions import FALSE
from interpreter.ir.module import Module
from interpreter.passes.pipeline import FOR_BLOCKS, FOR_RANDOM_GAMES, MEANINGS, PASSES
from interpreter.passes.record import PassRecords
from interpreter.passes.rewriting.functions import functions
from regelwerk import Game, UsageError
from tests.interpreter.lockstep import (
    ALL,
    AND_MORE,
    LONGEST,
    NONE,
    Difference,
    play,
    programs,
    same_playout,
    with_only,
)
from tests.recorded.tables import (
    SHORT_SITTINGS,
    SITTING,
    SITTINGS,
    Table,
    game_at,
    games_in_sitting,
    shipped,
    tables_of,
)
from tests.support import at_once_games, bound_games, round_games, secret_games, typed_games

NAMES = shipped()
CHUNKS = 8
"""In how many parts games of the long run are played, so that an interrupted run continues near where it stopped."""

SINGLES = (SITTINGS // 4, 10)
"""At how many tables a pass is tried alone in the long run, and how many games are played at each: 100 together.

Of games that take long fewer are played, as many as are recorded of them.
"""

WHOLE = (NONE, ALL, AND_MORE)
"""The ways that games of the normal run are played to their ends, of games that take long too."""

OPENING = 25
"""How many decisions single passes play in the normal run of games that take long."""

LONG_ENOUGH, WIDE_ENOUGH = 60, 3_000
"""How many decisions of games that take long are played in the normal run, with how many legal moves in all.

One game is played to its end.
"""

FEW = ((0, 1), (13, 2), (26, 2))
"""The tables of the normal run, and how many games are played there: five together. Each game begins elsewhere.

At the first one passes are tried alone, too. Of games that take long one is played at each, and there to its end.
"""

SHARES = 3
"""In the normal run one pass in so many is tried alone with a game, and each with one game in so many.

Those for random games alone are not tried with games that take long.
"""


def compared(
    game: Game, seeds: range, *singles: str, opening: int = LONGEST, longest: int = LONGEST, most: int | None = None
) -> None:  # fmt: skip
    """Games played by programs with and without passes; each of `singles` alone, too. Raises Difference.

    Games are left after `longest` decisions, or after `most` legal moves; programs with a single pass play so many
    decisions as `opening` says. Where that is not the whole game, functions for random games with single passes, which
    can only play whole games, are not tried.
    """
    single = programs(game, *[name for name in singles if name in FOR_RANDOM_GAMES])
    compiled = single if opening == LONGEST else {way: each for way, each in single.items() if way in WHOLE}
    alone = [name for name in singles if name not in PASSES] if opening == LONGEST else []
    others = [with_only(game, *names) for names in ((), *[(name,) for name in alone])] if alone else []
    for seed in seeds:
        played = play(compiled, len(game.seats), seed, journal=seed % 2 == 1, longest=longest, most=most)
        same_playout(game, seed, played, *others)
        if single is not compiled:
            play(single, len(game.seats), seed, journal=seed % 2 == 1, longest=opening)


def table_of(name: str, number: int) -> Table:
    return next(islice(tables_of(name), number % SITTINGS, None))


def seeds(number: int, many: int) -> range:
    """The seeds of the games at a table."""
    return range(number * SITTING, number * SITTING + many)


# ---------------------------------------------------------------- the shipped games


@pytest.mark.parametrize("name", NAMES)
def test_a_few_games_with_passes_and_without(name: str) -> None:
    """Five games at different tables with all passes, the first ones also with some of the passes alone.

    Of games that take long three are played, two of them not to the end, and only the beginning with single passes.
    """
    takes_long, place = name in SHORT_SITTINGS, NAMES.index(name)
    for table, games in FEW:
        number = (table + place) % SITTINGS
        singles = [*MEANINGS][place % SHARES :: SHARES] if (table, games) == FEW[0] else ()
        game = game_at(table_of(name, number))
        if takes_long:
            longest, most = (LONGEST, None) if singles else (LONG_ENOUGH, WIDE_ENOUGH)
            compared(game, seeds(number, 1), *singles, opening=OPENING, longest=longest, most=most)
        else:
            compared(game, seeds(number, games), *singles)


@pytest.mark.long
@pytest.mark.parametrize("chunk", range(CHUNKS))
@pytest.mark.parametrize("name", NAMES)
def test_many_games_with_all_passes_and_with_none(name: str, chunk: int) -> None:
    for number in range(chunk, SITTINGS, CHUNKS):
        compared(game_at(table_of(name, number)), seeds(number, games_in_sitting(name)))


@pytest.mark.long
@pytest.mark.parametrize("single", MEANINGS)
@pytest.mark.parametrize("name", NAMES)
def test_many_games_with_a_single_pass(name: str, single: str) -> None:
    tables, games = SINGLES
    games = games * games_in_sitting(name) // SITTING
    for number in range(0, SITTINGS, SITTINGS // tables):
        compared(game_at(table_of(name, number)), seeds(number, games), single)


# ---------------------------------------------------------------- random games

PARTS, PARTS_IN_THE_LONG_RUN = 3, 20
GAMES, GAMES_IN_THE_LONG_RUN = 12, 500
SEEDS = 3

every_part = pytest.mark.parametrize(
    "part",
    [pytest.param(part, marks=() if part < PARTS else pytest.mark.long) for part in range(PARTS_IN_THE_LONG_RUN)],
)


@every_part
def test_generated_games_with_all_passes_and_with_none(part: int, long_run: bool, tmp_path: Path) -> None:
    many = GAMES_IN_THE_LONG_RUN if long_run else GAMES
    figures: Counter[str] = Counter()
    for number in range(part * many, (part + 1) * many):
        figures += generated(number, tmp_path)
    _telling(figures, many)
    assert figures["faults"] > many / (4 if long_run else 12), figures


def _telling(figures: Counter[str], many: int) -> None:
    """Enough was compared to mean something; a few games may by chance have few decisions."""
    enough = (0.7, 5) if many > GAMES else (0.5, 1)
    assert figures["accepted"] > many * enough[0] and figures["decisions"] > many * enough[1], figures


OF_A_KIND, OF_A_KIND_IN_THE_LONG_RUN = 6, 100
"""How many games of one kind, with what a certain construct needs, a part has."""


def _all_generated(part: int, long_run: bool, folder: Path, text: Callable[[int], str]) -> None:
    """The games of a part with all passes and with none; `text` makes the rules for a number."""
    many = OF_A_KIND_IN_THE_LONG_RUN if long_run else OF_A_KIND
    figures: Counter[str] = Counter()
    for number in range(part * many, (part + 1) * many):
        figures += generated(number, folder, text(number))
    _telling(figures, many)


@every_part
def test_generated_games_with_hypotheses(part: int, long_run: bool, tmp_path: Path) -> None:
    """Games that ask what would be the case after a step: at every decision also with all passes and with none."""
    _all_generated(part, long_run, tmp_path, lambda number: typed_games.rules(number, hypotheses=True))


@every_part
def test_generated_games_with_numbers(part: int, long_run: bool, tmp_path: Path) -> None:
    """Games with divisions, ordered values and choices of several: with all passes and with none."""
    _all_generated(part, long_run, tmp_path, lambda number: typed_games.rules(number, numbers=True))


@every_part
def test_generated_games_in_rounds(part: int, long_run: bool, tmp_path: Path) -> None:
    """Games whose phases are repeated and whose notes begin anew: with all passes and with none."""
    _all_generated(part, long_run, tmp_path, round_games.rules)


@every_part
def test_generated_games_with_loops_at_once(part: int, long_run: bool, tmp_path: Path) -> None:
    """Games in which whole loops happen at once: with all passes and with none."""
    _all_generated(part, long_run, tmp_path, at_once_games.rules)


@every_part
def test_generated_games_with_relations(part: int, long_run: bool, tmp_path: Path) -> None:
    """Games whose graph functions take definitions in place of edges: with all passes and with none."""
    _all_generated(part, long_run, tmp_path, lambda number: typed_games.rules(number, relations=True))


@every_part
def test_generated_games_with_repetition(part: int, long_run: bool, tmp_path: Path) -> None:
    """Games that record positions and ask how often they have occurred, or would have."""
    _all_generated(
        part, long_run, tmp_path, lambda number: typed_games.rules(number, hypotheses=number % 2 == 1, repetition=True)
    )


@every_part
def test_generated_games_with_reactions_that_ask(part: int, long_run: bool, tmp_path: Path) -> None:
    """Games whose reactions ask, and with rules for single values: with all passes and with none."""
    _all_generated(part, long_run, tmp_path, lambda number: typed_games.rules(number, reactions=True))


@every_part
def test_generated_games_that_offer_equal_moves_once(part: int, long_run: bool, tmp_path: Path) -> None:
    """Games whose actions say which of their moves are the same: with all passes and with none."""
    _all_generated(
        part, long_run, tmp_path, lambda number: typed_games.rules(number, hypotheses=number % 2 == 1, once=True)
    )


@every_part
def test_generated_games_with_bound_truths_and_none(part: int, long_run: bool, tmp_path: Path) -> None:
    """Games that bind truth values, and values that may be none, in every position: with all passes and with none."""
    _all_generated(part, long_run, tmp_path, bound_games.rules)


TELLING = (109, 176, 531, 648, 760, 793, 3413, 4300, 5758)
"""Games that random games by one function did not play correctly once, each for another reason."""


@pytest.mark.parametrize("number", TELLING)
def test_telling_games_with_all_passes_and_with_none(number: int, tmp_path: Path) -> None:
    assert generated(number, tmp_path)["accepted"]


def generated(number: int, folder: Path, text: str = "") -> Counter[str]:
    """A generated game is the same with all passes and with none; what it was."""
    text = text or (secret_games.rules(number) if number % 4 == 0 else typed_games.rules(number))
    path = folder / f"game_{number}.rules"
    path.write_text(text, encoding="utf-8")
    figures: Counter[str] = Counter()
    try:
        game = load(path, players=None)
        compiled = programs(game)
    except RulesError:
        return Counter(refused=1)
    except PlayError:
        return Counter(unplayable=1)
    for seed in range(SEEDS):
        try:
            played = play(compiled, len(game.seats), seed, journal=seed % 2 == 1)
            same_playout(game, seed, played)
        except Difference as difference:
            raise Difference(f"generated({number}, folder), seed {seed}: {difference}") from None
        figures += Counter(decisions=played.decisions, faults=int(played.fault != ""))
    return figures + Counter(accepted=1)


# ---------------------------------------------------------------- what is noticed


def without_moves(module: Module, records: PassRecords) -> None:
    """A wrong pass: every loop over legal moves is left after the first one."""
    for function in functions(module):
        if function.kind == "moves":
            function.body = tuple(
                st.For(node.loops, (*node.body, st.Break()), node.listed, node.source) if isinstance(node, st.For)
                else node
                for node in function.body
            )  # fmt: skip


def without_changes(module: Module, records: PassRecords) -> None:
    """A wrong pass: rules set no notes."""
    for function in functions(module):
        if function.kind == "rule":
            function.body = tuple(node for node in function.body if not isinstance(node, st.Store))


def badly_typed(module: Module, records: PassRecords) -> None:
    """A wrong pass: a rule that gives a value."""
    for function in functions(module):
        if function.kind == "rule":
            function.body = (*function.body, st.Return(FALSE))


@pytest.mark.parametrize(
    ("wrong", "name", "told"),
    [
        (without_moves, "checkers", "legal moves"), (without_changes, "nim", "cells"),
        (badly_typed, "hearts", "after folding"),
    ],
)  # fmt: skip
def test_a_wrong_pass_is_noticed(wrong: object, name: str, told: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(FOR_RANDOM_GAMES, "folding", wrong)  # type: ignore[misc]
    with pytest.raises(AssertionError, match=told):
        compared(game_at(table_of(name, 0)), range(3))


# ---------------------------------------------------------------- switching passes off


def test_passes_are_switched_off_by_name() -> None:
    game = load("othello")
    plain = game.without(*MEANINGS)
    assert plain.program.records.entries == []
    alone = game.without(*MEANINGS.keys() - {"folding"})
    assert {record.name for record in alone.program.records.entries} == {"folding"}
    found = random_games(alone.program).records
    assert found.off == alone.off and not {record.name for record in found.entries} & alone.off
    assert len(game.program.records.entries) > len(alone.program.records.entries)
    assert game.off == frozenset() and game.without("folding").without("hoisting").off == {"folding", "hoisting"}


def test_a_game_without_passes_is_the_same_game() -> None:
    game = load("go_fish", 3, {})
    plain = game.without(*PASSES)
    state, other = game.start(seed=5), plain.start(seed=5)
    for _ in range(20):
        assert [move.label for move in state.legal_moves] == [move.label for move in other.legal_moves]
        move = state.legal_moves[-1].notation
        state.push(move)
        other.push(move)
    assert state.view(None) == other.view(None) and state.key() == other.key()
    again = pickle.loads(pickle.dumps(other))
    assert again.game.off == frozenset(PASSES) and again.program.records.entries == []
    assert copy(plain).off == plain.off


def test_an_unknown_pass_is_reported() -> None:
    with pytest.raises(UsageError, match="there is no pass `foldin`; did you mean folding"):
        load("nim").without("foldin")
    with pytest.raises(UsageError, match=f"the passes are {', '.join(MEANINGS)}"):
        load("nim").without("?")


def test_every_pass_says_what_it_does() -> None:
    assert MEANINGS.keys() >= FOR_RANDOM_GAMES.keys() | FOR_BLOCKS.keys()
    assert all(len(text) < 100 and not text.endswith(".") for text in MEANINGS.values())
