"""What finished and cut-off games are worth: winners, margins, teams, games that all win or lose together."""

from __future__ import annotations

from pathlib import Path

import pytest

from interpreter.analysis.search_states import search_state
from interpreter.arguments import Backend
from interpreter.errors import UsageError
from interpreter.opponents.budgets import Budget
from interpreter.opponents.evaluation import scoring_of
from interpreter.opponents.greedy import Greedy
from interpreter.opponents.mcts import Mcts, analyse
from interpreter.opponents.situation import Bot
from interpreter.play.game import load
from tests.support.situations import choice_in, play_out, situation_of

GIFTS = """\
game "Gifts" for 4 players north, east, south, west:
    "Give a point to somebody."

== components ==

type Side is north_south, east_west
note score[p: Player]: 0..9 = 0

== phases ==

phase giving, turns from north, over when some p in Player where score[p] > 0:
    must give

action give(p: Player):
    "give a point to {p}"
    require p is not me because "not to yourself"
    add 1 to score[p]

== scoring ==

define side(p: Player):
    north_south if p is north or p is south
    east_west   otherwise
winner highest score[me] "most points"
teams by side(me)
"""

TOGETHER = """\
game "Together" for 3 players ann, ben, cleo:
    "Keep the fire burning."

== components ==

note wood: 0..9 = 2

== phases ==

phase keeping, turns from ann, over when wood is 0 or wood >= 4:
    must fetch or burn

action fetch:
    add 1 to wood

action burn:
    add -1 to wood

== scoring ==

{winner}
"""
LIVES = """\
game "Lives" for 2 players ann, ben:
    "Gather wood, and come back."

== components ==

note wood: 0..99 = 0
note lives: 0..9 = 1
note days: 0..9 = 0

== phases ==

phase gathering, turns from ann, over when days is 1:
    must gather

action gather(n: 1..9):
    add n to wood
    add 1 to days
    if n is 9: set lives to 0

== scoring ==

{winner}
"""
LOANS = """\
game "Loans" for 2 players ann, ben:
    "Earn what you can, and pay it back."

== components ==

note debts[p: Player]: 0..1 = 0
note points[p: Player]: 0..9 = 0
note settled: 0..2 = 0
note common: 0..2 = 0

== phases ==

phase settling, turns from ann, over when settled is 2:
    must settle

action settle(debt: 0..1, n: 0..9):
    set debts[me] to debt
    set points[me] to n
    add debt to common
    add 1 to settled

== scoring ==

{winner}
"""
BACKENDS: tuple[Backend, ...] = ("python", "machine")


def written(text: str, folder: Path) -> Path:
    path = folder / "written.rules"
    path.write_text(text, encoding="utf-8")
    return path


@pytest.mark.parametrize("bot", [Greedy("python"), Mcts(Budget(iterations=60), "python")], ids=["greedy", "mcts"])
def test_partners_win_together(bot: Bot, tmp_path: Path) -> None:
    state = load(written(GIFTS, tmp_path)).start(0)
    assert choice_in(state, bot) == "give(south)"
    scoring = scoring_of(state, "python")
    assert scoring.sides == ((0, 2), (1, 3), (0, 2), (1, 3)) and scoring.rivals[0] == (1, 3)
    assert scoring.shares(0b0101) == (1.0, 0.0, 1.0, 0.0)
    values = scoring.values(0b0101, [0, 0, 1, 0])
    assert values[0] == values[2] > 0.5 > values[1] == values[3]


@pytest.mark.parametrize("winner", ["winner wood >= 4", "winner highest wood"])
def test_all_win_or_lose_together(winner: str, tmp_path: Path) -> None:
    state = load(written(TOGETHER.format(winner=winner), tmp_path)).start(0)
    scoring = scoring_of(state, "python")
    assert scoring.cooperative
    found = analyse(situation_of(state), Budget(iterations=200), "python")
    assert state.legal_moves[found.moves[0].move].notation == "fetch"
    assert len(set(found.win_shares.values())) == 1
    assert play_out(state, {seat: Mcts(Budget(iterations=60), "python") for seat in state.game.seats}).evaluate(
        "wood"
    ) == 4  # fmt: skip


@pytest.mark.parametrize(
    "winner", ["winner lives > 0 then highest wood", "winner highest wood then lives > 0", "winner highest wood"]
)
@pytest.mark.parametrize("backend", BACKENDS)
def test_points_count_beside_conditions_in_any_order(winner: str, backend: Backend, tmp_path: Path) -> None:
    """A deed of each number of points, one of which costs a life: what is worth most is known without any search."""
    state = load(written(LIVES.format(winner=winner), tmp_path)).start(0)
    scoring = scoring_of(state, backend)
    assert scoring.cooperative and scoring.conditional is ("lives" in winner)
    best = "gather(8)" if "lives" in winner else "gather(9)"
    assert choice_in(state, Greedy(backend)) == best
    found = analyse(situation_of(state), Budget(iterations=400), backend)
    assert state.legal_moves[found.moves[0].move].notation == best
    score = found.moves[0].score
    assert score is not None and score > 7.5


def values_of(winner: str, folder: Path, *criteria: tuple[int, int]) -> tuple[float, ...]:
    """The values for two seats at the end of a game for two, whose criteria are these for each seat."""
    state = load(written(LOANS.format(winner=winner), folder)).start(0)
    for seat, debts_and_points in zip(state.game.seats, criteria, strict=True):
        while state.player == seat:
            state.push("settle({}, {})".format(*debts_and_points))
    world = search_state(state, "python")
    assert world.over
    return scoring_of(state, "python").values(*world.rollout(0, horizon=0))


@pytest.mark.parametrize(
    "winner", ["winner debts[me] is 0 then highest points[me]", "winner highest points[me] then debts[me] is 0"]
)
def test_points_of_rivals_count_beside_conditions(winner: str, tmp_path: Path) -> None:
    narrow, clear = (values_of(winner, tmp_path, (0, 5), (0, points)) for points in (4, 0))
    assert narrow[0] < clear[0] and narrow[1] > clear[1] and narrow[0] > narrow[1]
    in_debt = values_of(winner, tmp_path, (1, 9), (0, 0))
    assert in_debt[0] <= in_debt[1], "no points make up for a debt"


def test_who_wins_need_not_win_together_because_a_condition_is_common(tmp_path: Path) -> None:
    values = values_of("winner common is 0 then highest points[me]", tmp_path, (0, 5), (0, 2))
    assert values[0] > 0.5 > values[1]
    assert max(values_of("winner common is 0 then highest points[me]", tmp_path, (1, 5), (0, 2))) < 0.5


def test_a_greater_margin_is_worth_more() -> None:
    scoring = scoring_of(load("mauerbauer", players=3).start(0), "python")
    criteria = [0] * scoring.criteria

    def value(*points: int) -> tuple[float, ...]:
        return scoring.values(1, [number for first in points for number in (first, *criteria[1:])])

    near, far = value(20, 19, 3), value(30, 10, 10)
    assert 0.5 < near[0] < far[0] < 1 and far[1] < near[1] < 0.5
    assert scoring.values(0, None) == (0.5, 0.5, 0.5)


def test_where_only_winning_counts_margins_do_not() -> None:
    for name in ("tic_tac_toe", "connect_four", "liars_dice", "breakthrough"):
        scoring = scoring_of(load(name).start(0), "python")
        assert scoring.win_share == 1.0, name
    assert scoring_of(load("othello").start(0), "python").win_share < 1.0


def test_random_games_look_the_same_with_both_backends() -> None:
    spreads = []
    for backend in BACKENDS:
        game = load("chinesische_mauer", players=3)
        spreads.append(scoring_of(game.start(4), backend).spread)
    assert spreads[0] == spreads[1] and spreads[0].deviation > 1


@pytest.mark.parametrize("backend", BACKENDS)
def test_greedy_takes_what_is_there(backend: Backend) -> None:
    state = load("othello").start(0)
    while len(state.legal_moves) < 5:
        state.push(state.legal_moves[0])
    me = state.player
    chosen = choice_in(state, Greedy(backend))
    gains = {}
    for move in state.legal_moves:
        after = state.copy()
        after.push(move.notation)
        gains[move.notation] = int(str(after.evaluate(f"count disc of {me}")))
    assert gains[chosen] == max(gains.values())


def test_greedy_has_no_favourite_where_nothing_tells_moves_apart() -> None:
    """Random games are never won here, so that all moves are worth the same."""
    state = load("weir_keepers", players=2).start(0)
    chosen = {choice_in(state, Greedy(), seed) for seed in range(12)}
    assert len(chosen) > 2
    assert len({choice_in(state, Greedy(), 5) for _ in range(3)}) == 1


def test_the_score_is_the_one_of_the_rules() -> None:
    """The fewest points win in Hearts, and points are never negative."""
    state = load("hearts").start(0)
    found = analyse(situation_of(state), Budget(iterations=40), "python")
    assert found.scores is not None and all(score >= 0 for score in found.scores.values())
    assert sum(found.scores.values()) == pytest.approx(26, abs=26)
    assert found.moves[0].score is not None and found.moves[0].line[0] == f"{state.player}: play two clubs"


@pytest.mark.parametrize(
    ("text", "budget"),
    [("1000", Budget(iterations=1000)), ("200ms", Budget(seconds=0.2)), ("1.5s", Budget(seconds=1.5))],
)
def test_budgets(text: str, budget: Budget) -> None:
    assert Budget.of(text) == budget


@pytest.mark.parametrize("text", ["", "0", "1.5", "-3", "ten", "5 s", "0ms", "1e3"])
def test_budgets_that_are_none(text: str) -> None:
    with pytest.raises(UsageError, match="a budget is a number of iterations or a time"):
        Budget.of(text)
