"""The tree search is the same in either engine, node for node, however it is divided into calls."""

from __future__ import annotations

import random
from collections import Counter
from math import isqrt, log, sqrt
from pathlib import Path
from statistics import median

import pytest
from hypothesis import given
from hypothesis import strategies as some

from interpreter.analysis.search_states import search_state
from interpreter.arguments import Backend
from interpreter.compiler.machine.routines import search_records as records
from interpreter.compiler.machine.routines.search_records import ONE, square_root, table_index
from interpreter.opponents import search as of_bots
from interpreter.opponents.budgets import Budget, Clock
from interpreter.opponents.evaluation import scoring_of
from interpreter.opponents.search import INVERSE_ROOTS, LOGARITHM_ROOTS, Search, holdings_of
from interpreter.play.game import State, load
from tests.support.resampling import resampled

UNTIMED = Clock(Budget(iterations=1), lambda: False)

GAMES: dict[str, dict[str, object]] = {
    "tic_tac_toe": {},
    "connect_four": {},
    "nine_mens_morris": {},
    "backgammon": {},
    "kuhn_poker": {},
    "leduc_poker": {},
    "go_fish": {"players": 3},
    "goofspiel": {},
    "weir_keepers": {},
    "chinesische_mauer": {"players": 3},
    "china": {"players": 4},
    "dschingis_khan": {"players": 3},
}

NODES = ("visits", "totals", "possible", "priors", "widths", "proven", "blocks", "parents")


def in_play(name: str, decisions: int, **arguments: object) -> State:
    """A position with a choice after some random decisions."""
    state = load(name, **arguments).start(5)  # type: ignore[arg-type]
    rng = random.Random(decisions)
    while not state.over and (state.ply < decisions or len(state.legal_moves) == 1):
        state.push(rng.choice(state.legal_moves))
    return state if not state.over else in_play(name, decisions // 2, **arguments)


def searched(state: State, backend: Backend, iterations: int, worlds: int = 3, step: int = 0, seed: int = 99) -> Search:
    """A search from worlds that look the same, in one call after the other with `step` iterations."""
    assert state.player is not None
    states = [resampled(state, state.player, world) for world in range(worlds)]
    assert all(len(world.legal_moves) == len(state.legal_moves) for world in states)
    scoring = scoring_of(state, backend)
    budget = Budget(iterations=iterations)
    search = Search(
        [search_state(world, backend) for world in states], scoring, holdings_of(states), seed, 60, budget
    )  # fmt: skip
    for target in range(step, iterations + 1, step or iterations):
        search.run(UNTIMED, target)
    search.run(UNTIMED, iterations)
    return search


def trees_of(search: Search) -> dict[str, list[int]]:
    """All nodes of the trees, and the sums of the results."""
    arrays = search._search.arrays
    count = arrays["Trees"]["numbers"][records.NODES] + 1
    nodes = {name: [arrays["Trees"][name][node] for node in range(count)] for name in NODES}
    results = {name: list(arrays["Results"][name]) for name in ("sums", "shares", "scores", "move_shares")}
    return {**nodes, **results}


@pytest.mark.parametrize("name", GAMES)
def test_both_engines_build_the_same_trees(name: str, long_run: bool) -> None:
    """In the normal run at the first choice or a later one, in turn."""
    for decisions in (0, 7) if long_run else (7,) if [*GAMES].index(name) % 2 else (0,):
        state = in_play(name, decisions, **GAMES[name])
        by_machine, by_python = (searched(state, backend, 60) for backend in ("machine", "python"))
        assert type(by_machine._search).__name__ == "MachineSearch"
        assert trees_of(by_machine) == trees_of(by_python)
        assert by_machine.best_first() == by_python.best_first()
        best = by_machine.best_first()[0].number
        assert by_machine.line(best) == by_python.line(best)


def test_nearby_seeds_give_different_searches() -> None:
    """From the same worlds: each seed has luck, and an order of moves, of its own."""
    state = in_play("leduc_poker", 0)
    visits = [tuple(trees_of(searched(state, "machine", 200, seed=seed))["visits"]) for seed in range(8)]
    assert len(set(visits)) == len(visits)


def test_others_answer_a_move_from_its_second_visit_on() -> None:
    """Whatever they hold: the first game after a new move is random, and no further one for each of their trees."""
    search = searched(in_play("kuhn_poker", 0), "machine", 40, worlds=8)
    roots, trees = set(search._search.arrays["Search"]["roots"]), search._search.arrays["Trees"]
    nodes = range(1, trees["numbers"][records.NODES] + 1)
    answers: Counter[int] = Counter()
    for node in nodes:
        answers[trees["parents"][node]] += trees["visits"][node]
    unanswered: Counter[int] = Counter()
    for node in nodes:
        if trees["parents"][node] in roots and trees["blocks"][node]:  # a move of ann's, as ben learns of it
            unanswered[trees["keys"][node]] += trees["visits"][node] - answers[node]
    assert len(roots) == 3
    assert list(unanswered.values()) == [1, 1]


@pytest.mark.parametrize("backend", ["machine", "python"])
def test_calls_can_be_of_any_length(backend: Backend) -> None:
    state = in_play("go_fish", 4)
    whole, parts = searched(state, backend, 64), searched(state, backend, 64, step=5)
    assert trees_of(whole) == trees_of(parts)


FAULTY = """\
game "Faulty" for 2 players ann, ben:
    "Raise the total."

== components ==

note total: 0..1000 = 0
note part: 0..1000 = 0

== phases ==

phase playing, turns from ann, over when total > 2:
    must raise

action raise(amount: 1..3):
    "raise {amount}"
    set part to 6 / (3 - amount) rounded down
    set total to total + amount

== scoring ==

winner highest (1 if me is ann else 0) "points"
"""


def test_a_rule_that_fails_is_neither_good_nor_bad(tmp_path: Path) -> None:
    path = tmp_path / "faulty.rules"
    path.write_text(FAULTY, encoding="utf-8")
    state = load(path).start(0)
    found = [searched(state, backend, 40, worlds=1) for backend in ("machine", "python")]
    assert trees_of(found[0]) == trees_of(found[1])
    failing = next(move for move in found[0].best_first() if move.number == 2)
    assert failing.visits and failing.value == 0.5


def test_a_search_goes_on_when_there_is_no_room_for_nodes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(of_bots, "MAX_NODES", 40)
    state = in_play("connect_four", 4)
    by_machine, by_python = (searched(state, backend, 300, worlds=1) for backend in ("machine", "python"))
    assert by_machine.iterations == 300
    assert trees_of(by_machine) == trees_of(by_python)


def test_a_search_with_little_room_keeps_some_for_the_moves_it_prefers(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(of_bots, "MAX_NODES", 500)
    state = in_play("connect_four", 4)
    counts: dict[int, list[int]] = {500: [], 1000: []}
    for seed in range(5):
        for iterations, nodes in counts.items():
            search = searched(state, "machine", iterations, worlds=1, seed=seed)
            nodes.append(search._search.arrays["Trees"]["numbers"][records.NODES])
    assert all(short < long for short, long in zip(counts[500], counts[1000], strict=True))
    assert median(counts[1000]) < 490


def test_a_search_finds_the_forced_win() -> None:
    state = load("connect_four").start(0)
    for column in (3, 0, 3, 0, 3, 1):
        state.push(state.legal_moves[column])
    best = searched(state, "machine", 2000, worlds=1).best_first()[0]
    assert best.number == 3 and best.proven and best.shares[0] == 1.0


@given(some.integers(0, 1 << 62), some.integers(0, 1 << 32))
def test_square_roots_are_exact(number: int, guess: int) -> None:
    assert square_root(number, guess) == isqrt(number)


@given(some.integers(1, 1 << 60))
def test_tables_are_close_to_their_functions(number: int) -> None:
    place = table_index(number)
    assert LOGARITHM_ROOTS[place] / ONE == pytest.approx(sqrt(log(number)), rel=0.004, abs=1e-6)
    assert INVERSE_ROOTS[place] / 2**records.ROOT_BITS == pytest.approx(1 / sqrt(number), rel=0.008, abs=2e-9)
