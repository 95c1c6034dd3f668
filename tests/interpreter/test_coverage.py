"""Coverage: what is not reached is said, watched games are the same games, and ordinary code knows nothing of it."""

from __future__ import annotations

import random
import re
from functools import cache
from pathlib import Path

import pytest

from dsl.types import Number
from interpreter.authoring.coverage.instrumentation import instrumented
from interpreter.authoring.coverage.random_games import BranchCounts, CoveragePlayer, chunks, settings
from interpreter.authoring.coverage.report import Coverage, Missing, run_instrumented
from interpreter.authoring.coverage.subjects import derived
from interpreter.authoring.examples.suite import run_checked
from interpreter.compiler.passes.record import PassRecords
from interpreter.loading.rules import load_rules
from interpreter.play.game import Game, State, load
from interpreter.runtime.chance import seeded
from interpreter.runtime.layout import POINT, RANDOM
from tests.support.library import GAMES, representative
from tests.support.long_run import one_in

RULES = Path(__file__).parent / "rules" / "covered.rules"
SHIPPED = [GAMES / f"{name}.rules" for name in representative()]
LONGEST = 120
CALLS = re.compile(r"\bbranch_(taken|value|condition|packing)\(")


@cache
def game_of(path: Path) -> Game:
    """A shipped game, loaded once for the tests that compile it."""
    return load(path)


@cache
def instrumented_game(path: Path) -> Game:
    """The same with counted branches, compiled once."""
    return instrumented(game_of(path))


shipped_games = pytest.mark.parametrize("path", one_in(5, SHIPPED, 2), ids=lambda path: path.stem)


def covered(path: Path, games: int = 60) -> Coverage:
    rules = load_rules(path, examples=True)
    results, examples = run_instrumented(rules)
    gone, watcher = BranchCounts(), CoveragePlayer(rules)
    to_play = chunks(rules, games, 0)
    for chunk in to_play:
        gone.add(watcher.play(chunk))
    return Coverage(rules, results, examples, gone, [chunk.setting for chunk in to_play], 0)


def changed(folder: Path, *changes: tuple[str, str]) -> Coverage:
    """The coverage of the game with some of its text changed."""
    text = RULES.read_text(encoding="utf-8")
    for old, new in changes:
        assert old in text
        text = text.replace(old, new)
    path = folder / "covered.rules"
    path.write_text(text, encoding="utf-8")
    path.with_suffix(".items").write_text(RULES.with_suffix(".items").read_text(encoding="utf-8"), encoding="utf-8")
    return covered(path)


def told(found: list[Missing]) -> list[tuple[str, str, tuple[str, ...]]]:
    return [(f"{m.subject.kind} {m.subject.name}".strip(), m.part.text if m.part else "", m.branches) for m in found]


@pytest.fixture(scope="module")
def holes() -> Coverage:
    return covered(RULES)


# ---- what is missing


def test_branches_that_nothing_reaches(holes):
    assert told(holes.never) == [
        ("action take", "require n >= 1", ("refused",)),
        ("action take", "if count taken[me] >= 99", ("holds",)),
        ("action pass", "", ()),
        ("action pass", "require count pot is 1000", ("held",)),
        ("when bored", "", ()),
        ("define size", "3 if count taken[p] >= 99", ("reached",)),
        ("define nobody_asks", "", ()),
    ]


def test_branches_that_only_random_games_reach(holes):
    found = told(holes.not_shown)
    assert ("phase taking", "", ()) in found
    assert ("action take", "require n <= count pot", ("refused",)) in found
    assert ("option rich", "true", ("reached",)) in found
    assert ("define size", "2 if count taken[p] >= 3", ("reached",)) in found
    assert not [one for one in found if one in told(holes.never)]


def test_branches_that_only_examples_reach(tmp_path):
    found = changed(
        tmp_path,
        (
            "    then count taken[ann] is 2\n",
            "    then ann may not pass\n    and size(ann) is 1\n    and nobody_asks is 1\n",
        ),
    )
    assert ("define nobody_asks", "", ()) in told(found.not_played)
    assert ("define nobody_asks", "", ()) not in told(found.never)


def test_a_rule_that_is_reached_is_not_missing(tmp_path):
    found = told(changed(tmp_path, ("rounds is 77", "rounds is 2"), ("is 1000", "is 3"), ("n >= 1 ", "n >= 2 ")).never)
    assert [one[:2] for one in found] == [
        ("action take", "if count taken[me] >= 99"),
        ("define size", "3 if count taken[p] >= 99"),
        ("define nobody_asks", ""),
    ]


def test_a_definition_that_says_how_many_pieces_there_are_is_reached(tmp_path):
    chips = "\ndefine chips:\n    9 if rich\n    six otherwise\ndefine six: 6\n"
    found = changed(tmp_path, ("(9 if rich else 6) in pot", "chips in pot"), ("\ndefine size", f"{chips}\ndefine size"))
    assert not [one for one in told(found.never) if one[0] in ("define chips", "define six")]
    assert ("define chips", "9 if rich", ("reached",)) in told(found.not_shown)
    assert ("define chips", "", ()) not in told(found.not_shown)


def test_the_items_and_who_cites_them(holes):
    cited = {item.id: (len(item.rules), item.examples) for item in holes.items}
    title = "two are taken"
    assert cited == {"K-1": (1, (title,)), "K-2": (1, ()), "K-3": (0, (title,)), "K-4": (0, ())}


def test_an_example_that_fails_cites_nothing(tmp_path):
    found = changed(tmp_path, ("then count taken[ann] is 2", "then count taken[ann] is 3"))
    assert [result.passed for result in found.results] == [False]
    assert {item.examples for item in found.items} == {()}


def test_a_criterion_is_needed_where_seats_are_still_equal(tmp_path, holes):
    winner = next(subject for subject in holes.subjects if subject.kind == "winner")
    games = [holes.reached(branch).playouts for part in winner.parts[:3] for branch in part.branches.values()]
    assert holes.playouts.games == games[0] > games[1] > games[2] > 0
    alone = changed(tmp_path, ("winner highest size(me)", "winner highest (1 if latest is me else 0)"))
    missing = [one for one in told(alone.never) if one[0] == "winner"]  # the others are equal, but behind
    assert missing[0] == ("winner", "highest count taken[me]", ("reached",))


def test_a_condition_of_the_winner_is_to_hold_and_to_fail(tmp_path):
    found = changed(tmp_path, ("winner highest size(me) then", "winner rounds < 99 then count taken[me] > 1 then"))
    winner = next(subject for subject in found.subjects if subject.kind == "winner")
    assert [part.kind for part in winner.parts] == ["condition", "condition", "criterion", "criterion", "if"]
    assert ("winner", "rounds < 99", ("fails",)) in told(found.never)
    assert not [one for one in told(found.never) if one[1] == "count taken[me] > 1"]


def test_a_number_is_needed_only_among_seats_that_can_win(tmp_path):
    found = changed(tmp_path, ("winner highest size(me) then", "winner me is ann then"))
    missing = [one[1] for one in told(found.never) if one[0] == "winner" and one[2] == ("reached",)]
    assert missing == ["highest count taken[me]", "highest (1 if latest is me else 0)"]


def test_games_that_end_in_an_error_are_reported(tmp_path):
    found = changed(tmp_path, ("note rounds: 0..99", "note rounds: 0..2"))
    assert found.playouts.failed
    assert all("covered.rules:" in failed.location for _, failed in found.playouts.failed)


def test_percentages_count_every_branch_once(holes):
    figures = holes.figures()
    assert figures["ways"] == len(set(holes.branches)) == len(holes.branches)
    assert figures["either"] == figures["playouts"] > figures["examples"] > 0


# ---- the searches for the best choice


def test_only_the_result_of_a_search_counts(tmp_path):
    path = tmp_path / "rows.rules"
    path.write_text(
        """game "Rows" for 2 players ann, ben
== components ==
type Cell from grid(3, 1)
type Side from beside(Cell)
piece Stone: 6 in box
zone box holds Stone
zone stone[c: Cell] holds one Stone
== phases ==
phase once:
    must stop
action stop:
    "stop"
    end game
define worth(r: several Cell):
    7   if count r is 3
    1   otherwise
define best: highest (sum worth(r) for r in rows) for rows in packings(paths(stone, Side, 2))
== scoring ==
winner highest best
== examples ==
example "two":
    given stone is {a1, b1}
    then best is 1
""",
        encoding="utf-8",
    )
    found = covered(path, games=2)
    assert ("define worth", "7 if count r is 3", ("reached",)) in told(found.never)
    assert ("define worth", "1 otherwise", ("reached",)) not in told(found.never)


# ---- the same games


@shipped_games
def test_instrumented_games_are_the_same_games(path):
    game = game_of(path)
    other, seed = instrumented_game(path), len(path.stem)
    plain, seen = game.program, other.compiled()
    cells, twin = list(plain.initial), list(seen.initial)
    cells[RANDOM], twin[RANDOM] = seeded(seed), seeded(seed)
    rng = random.Random(seed)
    plain.run(cells, None, 0)
    seen.run(twin, None, 0)
    for _ in range(LONGEST):
        assert State(game, plain, cells, None, seed).key() == State(other, seen, twin, None, seed).key()
        assert plain.legal(cells) == seen.legal(twin)
        if cells[POINT] < 0:
            break
        move = rng.choice(plain.legal(cells))
        plain.do(cells, None, move)
        seen.do(twin, None, move)


@shipped_games
def test_ordinary_code_is_not_instrumented(path):
    game = game_of(path)
    before = game.program.source
    assert not CALLS.search(before)
    assert CALLS.search(instrumented_game(path).compiled().source)
    assert game.without().program.source == before  # compiled again


@pytest.mark.parametrize("name", ["nim", "leduc_poker", "chinesische_mauer"])
def test_instrumented_examples_have_the_same_results(name):
    rules = load_rules(next(path for path in SHIPPED if path.stem == name), examples=True)
    assert run_instrumented(rules)[0] == run_checked(rules)


# ---- which games are played


@shipped_games
def test_every_number_of_players_and_every_value_of_an_option_is_played(path):
    rules = game_of(path).rules
    usual, unusual = settings(rules)
    header = rules.model.file.header
    assert [setting.players for setting in usual] == list(header.counts)
    played = {pair for setting in unusual for pair in setting.options}
    assert {
        (name, value)
        for name, option in rules.model.options.items()
        for value in (option.values[:: len(option.values) - 1] if isinstance(option.type, Number) else option.values)
        if value != option.default
    } == played


def test_games_are_divided_by_their_seeds():
    rules = load_rules(RULES)
    dealt = chunks(rules, 50, 7)
    assert sorted(seed for chunk in dealt for seed in chunk.seeds) == list(range(7, 57))
    assert sum(len(chunk.seeds) for chunk in dealt if chunk.setting.options) == 25


def branches_taken(path: Path, uncounted: frozenset[int] = frozenset()) -> list[BranchCounts]:
    player = CoveragePlayer(load_rules(path, examples=True), uncounted)
    return [player.play(chunk) for chunk in chunks(player.rules, 2, 7)]


@shipped_games
def test_passes_hide_no_branch_that_is_counted(path, monkeypatch):
    every = branches_taken(path)
    taken = sorted({branch for counts in every for branch in counts.branches if branch > 0})
    uncounted = frozenset(random.Random(1).sample(taken, len(taken) // 2))
    rules = load_rules(path, examples=True)
    without = uncounted | set(derived(rules.model).values())
    for counts, fewer in zip(every, branches_taken(path, uncounted), strict=True):
        others, same_others = (
            {branch: count for branch, count in counted.branches.items() if branch not in without}
            for counted in (counts, fewer)
        )
        assert others == same_others
    monkeypatch.setattr("interpreter.authoring.coverage.instrumentation.run_passes", lambda module: PassRecords())
    assert branches_taken(path) == every
