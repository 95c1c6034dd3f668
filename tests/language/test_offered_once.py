"""Moves that are offered once: which are legal, what is said of the others, variants, random games, secrets."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from dsl.diagnostics import Diagnostic
from interpreter.analysis.perft import perft
from interpreter.analysis.playouts import play_at_random
from interpreter.authoring.coverage.report import run_instrumented
from interpreter.authoring.coverage.subjects import subjects
from interpreter.authoring.examples.suite import run_examples
from interpreter.compiler.passes.pipeline import PASSES
from interpreter.errors import SaveError, UsageError
from interpreter.loading.rules import RulesError, load_rules
from interpreter.play.game import Game, State, load
from interpreter.play.saves.files import SaveMeta, read_save, resume, write_save
from tests.interpreter.machine.comparing import compared
from tests.support.resampling import resampled

OFFERED = Path(__file__).parent / "rules" / "offered_once.rules"
LINE = "    offered once for t, sides(t.shape, r), c\n"


@pytest.fixture(scope="module")
def game() -> Game:
    return load(OFFERED)


@pytest.fixture(scope="module")
def unchanged(tmp_path_factory: pytest.TempPathFactory) -> Game:
    """The game in which every turn of a tile is offered."""
    path = tmp_path_factory.mktemp("games") / "all.rules"
    path.write_text(OFFERED.read_text("utf-8").split("== examples ==")[0].replace(LINE, ""), encoding="utf-8")
    return load(path)


@pytest.mark.parametrize("variants", [[], ["any_turn"]])
def test_the_examples_hold(variants: list[str]) -> None:
    results = run_examples(OFFERED, variants=variants)
    assert len(results) == (3 if variants else 5)
    assert [failure for result in results for failure in result.failures] == []


def side_names(move: str) -> tuple[object, ...]:
    """What the sides of a tile that is laid look like, and where it lies."""
    shape, turn, cell = move.removeprefix("lay(").removesuffix(")").split(", ")
    number = int(turn[1:])
    return shape, {"straight": number % 2, "curve": number, "crossing": 0}[shape], cell


@pytest.mark.parametrize("seed", range(6))
def test_of_equal_moves_the_first_is_offered(game: Game, unchanged: Game, seed: int) -> None:
    state, whole, rng = game.start(seed), unchanged.start(seed), random.Random(seed)
    while state.player is not None:
        first: dict[tuple[object, ...], str] = {}
        for move in whole.legal_moves:
            first.setdefault(side_names(move.notation) if move.name == "lay" else (move.notation,), move.notation)
        assert [move.notation for move in state.legal_moves] == list(first.values())
        chosen = rng.choice(state.legal_moves).notation
        state.push(chosen)
        whole.push(chosen)
    assert state.key() == whole.key()


def equal_move(state: State) -> str:
    """A move that is not offered, as it is equal to one that is."""
    move = next(move.notation for move in state.legal_moves if move.notation.startswith("lay(straight, r0"))
    return move.replace("r0", "r2")


def straight(game: Game) -> State:
    """A game in which a straight tile can be laid."""
    states = (game.start(seed) for seed in range(20))
    return next(state for state in states if any("straight" in move.notation for move in state.legal_moves))


def test_an_equal_move_is_not_legal_and_why_says_which_one_is_offered(game: Game) -> None:
    state = straight(game)
    other = equal_move(state)
    with pytest.raises(UsageError):
        state.push(other)
    answer = state.why(other)
    offered = other.replace("r2", "r0")
    assert answer.legal is False and answer.offered_once
    assert answer.headline == f"`{other}` is not legal: it is offered as `{offered}`"
    assert answer.reasons[-1].location.partition("offered_once.rules")[2] == ":36:5"
    chosen = state.why(offered)
    assert chosen.legal and not chosen.offered_once
    assert chosen.reasons[-1].text == "offered once for t, sides(t.shape, r), c"


def test_a_save_with_a_move_that_is_not_offered_any_more_is_refused(tmp_path: Path) -> None:
    rules, path = tmp_path / "a.rules", tmp_path / "a.json"
    text = OFFERED.read_text("utf-8").split("== examples ==")[0]
    rules.write_text(text.replace(LINE, ""), encoding="utf-8")
    state = straight(load(rules))
    other = equal_move(state)
    state.push(other)
    write_save(path, state, SaveMeta(dict.fromkeys(state.game.seats, "random")), durable=False)
    assert resume(read_save(path)).key() == state.key()
    rules.write_text(text, encoding="utf-8")
    with pytest.raises(SaveError) as refused:
        resume(read_save(path))
    assert f"is no longer legal: it is offered as `{other.replace('r2', 'r0')}`" in str(refused.value)


def test_random_games_are_the_same_however_they_are_played(game: Game) -> None:
    plain = game.without(*PASSES)
    assert compared(game, 0, 30)["games"] == 30
    assert [play_at_random(game, seed) for seed in range(30)] == [play_at_random(plain, seed) for seed in range(30)]


def test_perft_counts_offered_moves(game: Game, unchanged: Game) -> None:
    assert perft(game, 2, seed=1).levels[1].nodes < perft(unchanged, 2, seed=1).levels[1].nodes


@pytest.mark.parametrize("seed", range(4))
def test_what_is_offered_tells_no_secret(game: Game, seed: int) -> None:
    state = game.start(seed)
    seat = state.player
    assert seat is not None
    other = resampled(state, seat, seed)
    assert [move.notation for move in other.legal_moves] == [move.notation for move in state.legal_moves]


def test_coverage_shows_whether_a_move_was_omitted() -> None:
    rules = load_rules(OFFERED)
    _, times = run_instrumented(rules)
    parts = [part for each in subjects(rules.model) for part in each.parts if part.kind == "offered once"]
    assert [part.text.partition(" for ")[0] for part in parts] == ["offered once", "offered once"]
    assert all(times[branch] > 0 for part in parts for branch in part.branches.values())
    assert [*parts[0].branches] == ["offered", "left out"]


def findings(tmp_path: Path, text: str) -> list[Diagnostic]:
    path = tmp_path / "a.rules"
    path.write_text(text, encoding="utf-8")
    try:
        return list(load_rules(path).warnings)
    except RulesError as error:
        return list(error.diagnostics)


@pytest.mark.parametrize(
    "line, code, message",
    [
        ("offered once for count hand[left(me)] of t.shape, c", "E0606", "`offered once for` would tell the acting"),
        ("offered once for sizes(t), c", "E0201", "there is no definition `sizes`"),
        ("offered once for t, r, c", "E0350", "no two moves have the same values here"),
        ("offered once for t, coins[me], c", "E0350", "this is the same for all moves of the action"),
        ("offered once for [t, r], c", "E0311", "a list is not a value"),
        ("offered once for c\n    offered once for t", "E0350", "`lay` is `offered once` twice"),
        ("offered once c", "E0105", "expected `for`, found `c`"),
        ("offered only once for c", "E0112", "`offered only once for` is not a phrase"),
    ],
)
def test_mistakes_are_reported(tmp_path: Path, line: str, code: str, message: str) -> None:
    text = OFFERED.read_text("utf-8").split("== examples ==")[0].replace(LINE, f"    {line}\n")
    assert any(found.code == code and message in found.message for found in findings(tmp_path, text))
