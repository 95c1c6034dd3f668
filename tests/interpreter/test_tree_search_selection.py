"""Which moves the tree search selects, compared with a second implementation of the method and with known best moves.

Both engines run the same routine, so a comparison of the two cannot see a fault in it: a search that followed the
worst bound would build the same trees in both. Here small games are searched whose values are known, and faults planted
in the routine have to be noticed.
"""

from __future__ import annotations

import inspect
import random
from collections import Counter, defaultdict
from collections.abc import Callable
from math import isqrt, log, sqrt
from pathlib import Path
from statistics import fmean, median

import pytest

from interpreter.analysis.search_states import search_state
from interpreter.arguments import Backend
from interpreter.compiler.machine.routines import search_records as records
from interpreter.compiler.machine.routines import search_trees, search_values, tree_search
from interpreter.opponents.budgets import Budget, Clock
from interpreter.opponents.evaluation import scoring_of
from interpreter.opponents.search import Search
from interpreter.play.game import load

Check = Callable[[Path, Backend], None]
UNTIMED = Clock(Budget(iterations=1), lambda: False)

FIFTHS = """\
game "Fifths" for 2 players ann, ben:
    "Each chooses once; the sum says who pays whom."

== components ==

die coin: 1, 2
note total: 0..24 = 0
note chosen: 0..2 = 0

== phases ==

phase playing, turns from ann, over when chosen is 2:
    must choose_fifth

action choose_fifth(fifth: 0..4):
    "choose {fifth}"
    roll coin
    set total to 5 * total + fifth
    add 1 to chosen

== scoring ==

define payment: remainder(13 * total * total + 17 * total + 18, 21) - 10

winner highest (payment if me is ann else -payment) "money"
"""
"""The coin decides nothing, but with it nothing counts as proven."""

BANDIT = """\
game "Bandit" for 1 player ann:
    "Pull one arm."

== components ==

type Arm with wins: 0..10:
{arms}

die ten: 1, 2, 3, 4, 5, 6, 7, 8, 9, 10
note pulled: Truth = false
note won: Truth = false

== phases ==

phase playing, turns from ann, over when pulled:
    must pull

action pull(arm: Arm):
    "pull {{arm}}"
    roll ten
    set won to ten <= arm.wins
    set pulled to true

== scoring ==

winner won "won"
"""

WIDE = """\
game "Wide" for 2 players ann, ben:
    "Choose by turns among many numbers."

== components ==

die coin: 1, 2
note total: 0..200 = 0
note chosen: 0..2 = 0

== phases ==

phase playing, turns from ann, over when chosen is 2:
    must name_number

action name_number(number: 1..60):
    "name {number}"
    roll coin
    add number to total
    add 1 to chosen

== scoring ==

winner highest (total if me is ann else 100 - total) "points"
"""


def searched(rules: str, folder: Path, iterations: int, seed: int = 17, backend: Backend = "python") -> Search:
    path = folder / "small.rules"
    path.write_text(rules, encoding="utf-8")
    state = load(path).start(3)
    scoring = scoring_of(state, backend)
    search = Search(
        [search_state(state, backend)], scoring, [(None,) * len(state.game.seats)], seed << 20, None,
        Budget(iterations=iterations),
    )  # fmt: skip
    search.run(UNTIMED, iterations)
    return search


def visits_below(search: Search, node: int) -> list[int]:
    """The visits of the moves tried at a node, the most visited first."""
    trees = search._search.arrays["Trees"]
    nodes = range(1, trees["numbers"][records.NODES] + 1)
    return sorted([trees["visits"][other] for other in nodes if trees["parents"][other] == node], reverse=True)


def root_of(search: Search) -> int:
    return search._search.arrays["Search"]["roots"][search.seat]


def node_of(search: Search, number: int) -> int:
    trees = search._search.arrays["Trees"]
    first = trees["blocks"][root_of(search)] + records.BLOCK_HEAD
    entries = trees["pool"][first : first + search.count]
    return next(entry >> records.NUMBER_BITS for entry in entries if entry & records.NUMBER_MASK == number)


def payment(total: int) -> int:
    """What ben pays ann in the end, from -STAKE to STAKE."""
    return (13 * total * total + 17 * total + 18) % 21 - 10


STAKE = 10


def plain_search(iterations: int, seed: int) -> tuple[Counter[int], Counter[tuple[int, int]]]:
    """The visits of ann's moves in the game of fifths, and of ben's answers, in UCT (Kocsis and Szepesvari 2006).

    Its exploration constant is the deviation of the first hundred games, to which eight games with a deviation of one
    half are added.
    """
    rng = random.Random(seed)
    visits: Counter[int] = Counter()
    answered: Counter[tuple[int, int]] = Counter()
    totals: dict[int, float] = defaultdict(float)
    values: list[float] = []  # of ann; those of ben are at the same distance from one half

    def value_of(move: int, answer: int) -> float:
        return 0.5 + payment(5 * move + answer) / STAKE / 2

    def exploration(parent_visits: int, child_visits: int) -> float:
        mean = fmean(values[:100])
        squares = sum((value - mean) ** 2 for value in values[:100]) + 8 * 0.25
        return sqrt(squares / (len(values[:100]) + 8)) * sqrt(log(parent_visits) / child_visits)

    def bound(move: int) -> float:
        return totals[move] / visits[move] + exploration(len(values), visits[move])

    for iteration in range(iterations):
        if iteration < 5:
            move, answer = iteration, rng.randrange(5)
        else:
            move = max(range(5), key=bound)
            untried = [answer for answer in range(5) if not answered[move, answer]]
            answer = (
                rng.choice(untried)
                if untried
                else max(
                    range(5),
                    key=lambda answer: 1 - value_of(move, answer) + exploration(visits[move], answered[move, answer]),
                )
            )
            answered[move, answer] += 1
        visits[move] += 1
        totals[move] += value_of(move, answer)
        values.append(value_of(move, answer))
    return visits, answered


def check_fifths(folder: Path, backend: Backend) -> None:
    """A position is visited as often as in the plain search; medians over some seeds."""
    ours, plain = defaultdict(list), defaultdict(list)
    for seed in range(5):
        search = searched(FIFTHS, folder, 400, seed, backend)
        assert search.scoring.payments and search.scoring.spread.stake == STAKE
        visits, answered = plain_search(400, seed)
        for move in range(5):
            node = node_of(search, move)
            ours[move, 0].append(search._search.arrays["Trees"]["visits"][node])
            plain[move, 0].append(visits[move])
            answers = sorted((answered[move, answer] for answer in range(5)), reverse=True)
            tried = [*visits_below(search, node), 0, 0, 0, 0, 0][:5]
            for rank, (our, other) in enumerate(zip(tried, answers, strict=True), start=1):
                ours[move, rank].append(our)
                plain[move, rank].append(other)
    for key, counts in plain.items():
        assert median(ours[key]) == pytest.approx(median(counts), rel=0.15, abs=2), key


ARM_WINS = (3, 5, 4, 8, 2, 6)
"""For each arm in how many of ten cases it wins."""


def check_bandit(folder: Path, backend: Backend) -> None:
    """The best arm dominates, better arms are tried more often, and a bad one about as often as theory says."""
    arms = "\n".join(f"    arm{number}  {wins}" for number, wins in enumerate(ARM_WINS))
    best = ARM_WINS.index(max(ARM_WINS))
    visits_of_arms = defaultdict(list)
    for seed in range(15):
        search = searched(BANDIT.format(arms=arms), folder, 2000, seed, backend)
        for move in search.best_first():
            visits_of_arms[move.number].append(move.visits)
    assert min(visits_of_arms[best]) > 1800
    for arm in set(visits_of_arms) - {best}:
        # Its bound equals that of the best arm, to whose value exploration adds little.
        gap = (ARM_WINS[best] - ARM_WINS[arm]) / 10
        assert median(visits_of_arms[arm]) == pytest.approx(0.2 * log(2000) / gap**2, rel=0.5, abs=2), arm


def check_widening(folder: Path, backend: Backend) -> None:
    """Of many moves 5 + 2 * sqrt(visits) are tried, at the root and below it."""
    search = searched(WIDE, folder, 200, backend=backend)
    tried = {move.number: move.visits for move in search.best_first() if move.visits}
    assert len(tried) == 5 + isqrt(4 * 199)
    for number, visits in tried.items():
        answers = visits_below(search, node_of(search, number))
        assert len([answer for answer in answers if answer]) == min(visits - 1, 5 + isqrt(4 * (visits - 1)))


CHECKS = (check_fifths, check_bandit, check_widening)


@pytest.mark.parametrize("backend", ["python", "machine"])
@pytest.mark.parametrize("check", CHECKS)
def test_moves_are_selected_as_the_method_says(check: Check, backend: Backend, tmp_path: Path) -> None:
    check(tmp_path, backend)


@pytest.mark.parametrize(
    ("check", "routine_name", "replaced", "fault"),
    [
        pytest.param(check_fifths, "best_of", "if bound > best_bound", "if best_bound < 0 or bound < best_bound",
                     id="the worst bound"),
        pytest.param(check_fifths, "best_of", "child_node] + term", "child_node]", id="no exploration"),
        pytest.param(check_bandit, "best_of", "child_node] + term", "child_node]", id="no exploration among arms"),
        pytest.param(check_fifths, "best_of", "child_node] + term", "child_node] + 3 * term",
                     id="too much exploration"),
        pytest.param(check_fifths, "best_of", "child_node] + term", "child_node] - term", id="lower bounds"),
        pytest.param(check_fifths, "note", "values[path.chosen_seats[place]]", "values[numbers[SEAT]]",
                     id="the opponent helps"),
        pytest.param(check_fifths, "note", "values[path.chosen_seats[place]]", "values[1 - path.chosen_seats[place]]",
                     id="everybody wants to lose"),
        pytest.param(check_fifths, "note", "visit(search, path.passed[place])", "visit(search, path.passed[0])",
                     id="visits of the first node only"),
        pytest.param(check_fifths, "learn_spread", "squares + PRIOR", "PRIOR", id="the spread is not learned"),
        pytest.param(check_fifths, "iterate", "numbers[SPREAD_GAMES] < MIN_SPREAD_GAMES", "not new",
                     id="the spread shrinks once the trees are complete"),
        pytest.param(check_widening, "selected", "min(count, FIRST_MOVES + trees.widths[node])", "count",
                     id="no widening"),
        pytest.param(check_widening, "visit", "4 * visits", "visits", id="slow widening"),
    ],
)  # fmt: skip
def test_planted_faults_are_noticed(
    check: Check, routine_name: str, replaced: str, fault: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where the text of a routine has changed, choose another one that plants the same fault."""
    callers = [module for module in (tree_search, search_trees, search_values) if hasattr(module, routine_name)]
    sound = getattr(callers[0], routine_name)
    source = inspect.getsource(sound)
    assert replaced in source
    planted: dict[str, object] = {}
    exec(source.replace(replaced, fault), sound.__globals__, planted)
    for module in callers:
        monkeypatch.setattr(module, routine_name, planted[routine_name])
    with pytest.raises(AssertionError):
        check(tmp_path, "python")
