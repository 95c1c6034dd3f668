"""Our `mcts` against OpenSpiel's bots, in games that are played on both sides in lockstep.

Both have the same number of simulations and play random games to the end. OpenSpiel's `MCTSBot` is the C++ version,
with the settings of its example: exploration constant 2, and a solver for decided positions.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cache
from itertools import permutations
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
SEEDS = 40
"""The seeds with which a bot chooses against an equilibrium policy, in each situation that it can get into."""

SECONDS_OF_A_SEED = 3.0
"""Expected seconds of all choices with a seed that was never tried."""

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
                f"policy/{name}/{who}:{SIMULATIONS}", "equilibrium", name,
                f"`{who}:{SIMULATIONS}`: gain of a hand against an equilibrium policy", (MCTS,), 1,
                _against_equilibrium(name, choose), rules_of(name), shares=False, most=SEEDS, guess=SECONDS_OF_A_SEED,
            )  # fmt: skip


@cache
def twin_of(name: str) -> Twin:
    """A game with two seats and the usual options, on both sides."""
    usual = load(name, 2).options
    return next(twin for twin in TWINS if twin.name == name and twin.players == 2 and twin.game().options == usual)


def rules_of(name: str) -> Callable[[], str]:
    """Identifies the rules of our game."""
    return lambda: twin_of(name).game().rules.hash


def pair_of(name: str, seed: int, results: Sequence[Any] = ()) -> Pair:
    """A game that has begun on both sides; what chance does afterwards, if anything, our side does not share.

    `results` are those of the first chance events.
    """
    pair = Pair(twin_of(name), installed(), seed, results)
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


def _against_equilibrium(name: str, choose: Callable[[Pair, int], str]) -> Callable[[int], float]:
    """The gain of a hand in both seats, for the choices that a bot makes with one seed, over all deals.

    It is computed from the probabilities of the cards and of the other player's moves, so it varies by the seed alone.
    """

    def play_rotation(number: int) -> float:
        game, choices = installed().load_game(twin_of(name).spiel), dict[str, str]()

        def chosen(spiel: Any) -> str:
            known = spiel.information_state_string()
            if known not in choices:
                choices[known] = choose(_pair_after(name, spiel), number)
            return choices[known]

        return (_gain(name, game.new_initial_state(), 0, chosen) + _gain(name, game.new_initial_state(), 1, chosen)) / 2

    return play_rotation


def _gain(name: str, spiel: Any, seat: int, chosen: Callable[[Any], str]) -> float:
    """The expected gain of a seat in a position of OpenSpiel, where it makes moves of ours."""
    if spiel.is_terminal():
        return float(spiel.returns()[seat])
    if spiel.is_chance_node():
        chances = dict(spiel.chance_outcomes())
    elif spiel.current_player() != seat:
        chances = _equilibrium(name).action_probabilities(spiel)
    else:
        actions = spiel.legal_actions()
        move = chosen(spiel) if len(actions) > 1 else ""
        made = [action for action in actions if not move or twin_of(name).called(spiel, action) == move]
        chances = {made[0]: 1.0}
    parts = [chance * _gain(name, spiel.child(action), seat, chosen) for action, chance in chances.items() if chance]
    return float(sum(parts))


def _pair_after(name: str, spiel: Any) -> Pair:
    """Our side and OpenSpiel's after the same cards and moves."""
    history = spiel.full_history()
    cards = [step.action for step in history if step.player < 0]
    pair = pair_of(name, 0, (_shuffles(name, len(cards))[*cards],))
    for step in history:
        if step.player >= 0:
            pair.moves()
            pair.make(notation_of(pair, step.action))
    pair.moves()
    assert pair.spiel.information_state_string() == spiel.information_state_string()
    return pair


@cache
def _shuffles(name: str, count: int) -> dict[tuple[int, ...], tuple[int, ...]]:
    """For each sequence of cards that OpenSpiel deals first, a shuffle of ours that deals them."""
    event, _ = pair_of(name, 0).events[0]
    packs = ((shuffle, twin_of(name).feed(event, shuffle)) for shuffle in permutations(range(event.size)))
    return {tuple(pack.cards[:count]): shuffle for shuffle, pack in packs if pack is not None}


def _ours(pair: Pair, seed: int) -> str:
    return _searched(pair, SIMULATIONS, seed)


def _theirs(pair: Pair, seed: int) -> str:
    pyspiel = installed()
    evaluator = pyspiel.RandomRolloutEvaluator(1, seed)
    final = pyspiel.ISMCTSFinalPolicyType.MAX_VISIT_COUNT
    bot = pyspiel.ISMCTSBot(seed, evaluator, EXPLORATION, SIMULATIONS, -1, final, False, False)
    return notation_of(pair, bot.step(pair.spiel))


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
