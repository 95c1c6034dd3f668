"""Our `mcts` against OpenSpiel's bots, in games that are played on both sides in lockstep.

Both have the same number of simulations and play random games to the end. OpenSpiel's `MCTSBot` is the C++ version,
with the settings of its example: exploration constant 2, and a solver for decided positions.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cache
from random import Random
from typing import Any

from benchmarks.classic import installed
from benchmarks.opponents.series import Series
from interpreter.opponents.budgets import Budget
from interpreter.opponents.mcts import Mcts
from interpreter.opponents.specs import MCTS
from interpreter.play.game import load
from tests.classic.twin import Pair, Twin
from tests.classic.twins import TWINS
from tests.support.situations import situation_of

SIMULATIONS = 200
OPEN = ("connect_four", "breakthrough", "othello", "mancala")
"""The games of perfect information."""

HIDDEN = ("kuhn_poker", "leduc_poker")
HANDS, DEALS = 20_000, 100
"""The hands that are played against an equilibrium policy, and the deals of a rotation; each is played from both seats.
"""

SECONDS_OF_A_HAND = 0.05
"""Expected seconds of a hand that was never played: few of them need a search that was not done before."""

EXPLORATION, MEMORY = 2.0, 1000
LONGEST = 100_000
"""Decisions after which a random game of ours is cut off: all of them are played to their end."""
CFR_ITERATIONS = 2000
"""The iterations of CFR+ for Leduc poker: exploitability below a thousandth of a chip."""

Choice = Callable[[Pair], str]
"""Chooses a move, by its notation."""


def series() -> Iterator[Series]:
    """All series of this kind."""
    for name in OPEN:
        claim = f"`mcts:{SIMULATIONS}` against OpenSpiel's `MCTSBot` with {SIMULATIONS} simulations"
        yield Series(
            f"openspiel/{name}/{SIMULATIONS}", "openspiel", name, claim, (MCTS,), 2, _against_mcts(name), rules_of(name)
        )
    for name in HIDDEN:
        for who, choose in (("mcts", _ours), ("ISMCTSBot", _theirs)):
            yield Series(
                f"equilibrium/{name}/{who}:{SIMULATIONS}", "equilibrium", name,
                f"`{who}:{SIMULATIONS}`: gain of a hand against an equilibrium policy", (MCTS,), 2 * DEALS,
                _against_equilibrium(name, choose), rules_of(name), shares=False, most=HANDS, guess=SECONDS_OF_A_HAND,
            )  # fmt: skip


@cache
def twin_of(name: str) -> Twin:
    """A game with two seats and the usual options, on both sides."""
    usual = load(name, 2).options
    return next(twin for twin in TWINS if twin.name == name and twin.players == 2 and twin.game().options == usual)


def rules_of(name: str) -> Callable[[], str]:
    """Identifies the rules of our game."""
    return lambda: twin_of(name).game().rules.hash


def pair_of(name: str, seed: int) -> Pair:
    """A game that has begun on both sides; what chance does afterwards, if anything, our side does not share."""
    pair = Pair(twin_of(name), installed(), seed)
    pair.state.game.backend = "machine"
    pair.state.journal.chance = None
    return pair


def play_in_step(pair: Pair, choices: Sequence[Choice]) -> None:
    """Play a game to its end; a move that is the only one is made without asking."""
    while moves := pair.moves():
        pair.make(moves[0] if len(moves) == 1 else choices[pair.spiel.current_player()](pair))


def _ours_with(simulations: int) -> Choice:
    return lambda pair: _searched(pair, simulations, pair.state.seed * 1000 + pair.state.ply)


def _searched(pair: Pair, simulations: int, seed: int) -> str:
    """The move of our bot."""
    state = pair.state
    chosen = Mcts(Budget(iterations=simulations), horizon=LONGEST).choose(situation_of(state, seed))
    return state.legal_moves[chosen].notation.replace(" ", "")


def notation_of(pair: Pair, action: int) -> str:
    """What we call an action of OpenSpiel."""
    found = pair.twin.called(pair.spiel, action)
    assert found is not None
    return found


# ---- perfect information


def _against_mcts(name: str) -> Callable[[int], float]:
    def play_rotation(number: int) -> float:
        return sum(_share(name, number, seat) for seat in (0, 1)) / 2

    return play_rotation


def _share(name: str, seed: int, seat: int) -> float:
    """The part of the win that our bot has at a seat."""
    pyspiel, pair = installed(), pair_of(name, seed)
    evaluator = pyspiel.RandomRolloutEvaluator(1, seed)
    game = pair.spiel.get_game()
    bot = pyspiel.MCTSBot(game, evaluator, EXPLORATION, SIMULATIONS, MEMORY, True, seed, False)
    choices: list[Choice] = [lambda pair: notation_of(pair, bot.step(pair.spiel))] * 2
    choices[seat] = _ours_with(SIMULATIONS)
    play_in_step(pair, choices)
    return share_of(pair, seat)


def share_of(pair: Pair, seat: int) -> float:
    """The part of the win that a seat has once the game is over."""
    outcome = pair.state.outcome
    assert outcome is not None
    winners = outcome.winners or pair.state.game.seats
    return (pair.state.game.seats[seat] in winners) / len(winners)


# ---- hidden cards


def _ours(name: str, seed: int) -> Choice:
    """Our bot with one of `DEALS` seeds; its choice follows from that and from what it knows, so it is kept."""
    return lambda pair: _kept(name, pair, seed % DEALS)


def _kept(name: str, pair: Pair, seed: int) -> str:
    key = name, pair.spiel.information_state_string(), seed
    if key not in _choices:
        _choices[key] = _searched(pair, SIMULATIONS, seed)
    return _choices[key]


_choices: dict[tuple[str, str, int], str] = {}


def _theirs(name: str, seed: int) -> Choice:
    pyspiel = installed()
    evaluator = pyspiel.RandomRolloutEvaluator(1, seed)
    final = pyspiel.ISMCTSFinalPolicyType.MAX_VISIT_COUNT
    bot = pyspiel.ISMCTSBot(seed, evaluator, EXPLORATION, SIMULATIONS, -1, final, False, False)
    return lambda pair: notation_of(pair, bot.step(pair.spiel))


def _against_equilibrium(name: str, choose: Callable[[str, int], Choice]) -> Callable[[int], float]:
    """The mean gain of a hand of a bot; each deal is played from both seats."""

    def play_rotation(number: int) -> float:
        gained = 0.0
        for deal in range(number * DEALS, (number + 1) * DEALS):
            for seat in (0, 1):
                rng = Random(2 * deal + seat)
                choices: list[Choice] = [lambda pair, rng=rng: _drawn(pair, name, rng)] * 2  # type: ignore[misc]
                choices[seat] = choose(name, deal)
                pair = pair_of(name, deal)
                play_in_step(pair, choices)
                gained += pair.spiel.returns()[seat]
        return gained / (2 * DEALS)

    return play_rotation


def _drawn(pair: Pair, name: str, rng: Random) -> str:
    """A move drawn from the equilibrium policy."""
    actions, weights = zip(*_equilibrium(name).action_probabilities(pair.spiel).items(), strict=True)
    return notation_of(pair, rng.choices(actions, weights)[0])


@cache
def _equilibrium(name: str) -> Any:
    """OpenSpiel's equilibrium of Kuhn poker, and what its CFR+ solver finds for Leduc poker."""
    pyspiel = installed()
    if name == "kuhn_poker":
        return pyspiel.kuhn_poker.get_optimal_policy(1 / 6)
    solver = pyspiel.CFRPlusSolver(pyspiel.load_game(twin_of(name).spiel))
    for _ in range(CFR_ITERATIONS):
        solver.evaluate_and_update_policy()
    return solver.tabular_average_policy()
