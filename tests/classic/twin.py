"""A game of ours beside the same game of OpenSpiel, move by move.

A `Twin` says how the two are set up alike and what an action id of OpenSpiel is called here. `in_step` then plays
random games on both sides and compares all that can be compared at every decision.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from interpreter import load
from interpreter.chance import ChanceEvent
from interpreter.game import Game
from interpreter.state import State

Spiel = Any
"""A game or a state of OpenSpiel, which has no types."""

Feed = Callable[[ChanceEvent, Spiel, random.Random], Any]
"""Gives our result of a chance event, and makes OpenSpiel's state take the same one."""


def by_winners(state: State, spiel: Spiel) -> list[float]:
    """1 for who wins alone, -1 for who loses, 0 for all if a win is shared."""
    assert state.outcome is not None
    winners = state.outcome.winners
    if len(winners) == len(state.game.seats):
        return [0.0] * len(winners)
    return [1.0 if seat in winners else -1.0 for seat in state.game.seats]


def no_chance(event: ChanceEvent, spiel: Spiel, rng: random.Random) -> Any:
    """Of a game without chance."""
    raise AssertionError(f"{event} in a game without chance")


@dataclass(frozen=True)
class Twin:
    """How a game of ours is the same as one of OpenSpiel.

    `called(spiel, action)` is our notation of an action; None: nothing is decided here then, such as a pass that is
    the only action. `returns` are what OpenSpiel says each seat gets, from our final state. `opening` deals what our
    set-up deals in one shuffle.
    """

    name: str
    spiel: str
    called: Callable[[Spiel, int], str | None]
    options: Mapping[str, object] = field(default_factory=dict)
    players: int = 2
    returns: Callable[[State, Spiel], Sequence[float]] = by_winners
    feed: Feed = no_chance
    longest: int = 2000

    def game(self) -> Game:
        """Our side."""
        return load(self.name, self.players, self.options)


def passed_over(twin: Twin, spiel: Spiel) -> None:
    """Make the actions that are no decision here."""
    while not spiel.is_terminal() and not spiel.is_chance_node():
        legal = spiel.legal_actions()
        if len(legal) != 1 or twin.called(spiel, legal[0]) is not None:
            return
        spiel.apply_action(legal[0])


def in_step(twin: Twin, pyspiel: Any, seed: int, most: int | None = None) -> State:
    """One random game on both sides; the same decisions, moves and results, or an assertion fails."""
    rng = random.Random(seed)
    spiel = pyspiel.load_game(twin.spiel).new_initial_state()
    state = twin.game().start(seed=seed, chance=lambda event: twin.feed(event, spiel, rng))
    for _ in range(most or twin.longest):
        passed_over(twin, spiel)
        assert not spiel.is_chance_node(), f"chance on the other side only: {spiel.chance_outcomes()}"
        assert (state.player is None) == bool(spiel.is_terminal()), f"{state.player} here, there:\n{spiel}"
        if state.player is None:
            assert list(map(float, spiel.returns())) == list(map(float, twin.returns(state, spiel)))
            return state
        assert state.game.seats.index(state.player) == spiel.current_player()
        actions = {twin.called(spiel, action): action for action in spiel.legal_actions()}
        ours = {move.notation.replace(" ", ""): move for move in state.legal_moves}
        assert set(ours) == set(actions), f"{sorted(set(ours) ^ set(map(str, actions)))} on one side only:\n{spiel}"
        notation = rng.choice(sorted(ours))
        spiel.apply_action(actions[notation])
        passed_over(twin, spiel)
        state.push(ours[notation])
    assert most, "the game does not end"
    return state
