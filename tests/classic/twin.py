"""A game of ours beside the same game of OpenSpiel, move by move.

A `Twin` says how the two are set up alike and what an action id of OpenSpiel is called here. `in_step` then plays
random games on both sides and compares all that can be compared at every decision.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Any, Literal

from interpreter.play.game import Game, State, load
from interpreter.runtime.chance import ChanceEvent

Spiel = Any
"""A game or a state of OpenSpiel, which has no types."""


@dataclass
class Pack:
    """Chance outcomes of OpenSpiel as cards: the first `taken` are drawn there one by one, never put back."""

    cards: list[int]
    taken: int

    def chances(self) -> dict[int, float]:
        """How likely each outcome is to be the next one, if nobody knows the order."""
        return {card: number / len(self.cards) for card, number in Counter(self.cards).items()}

    def draw(self) -> int:
        """The next one."""
        self.taken -= 1
        return self.cards.pop(0)


Feed = Callable[[ChanceEvent, Any], "Pack | None"]
"""What the result of a chance event of ours is there; none if it must not come up, and another is drawn."""


def by_winners(state: State, spiel: Spiel) -> list[float]:
    """A point is shared by the winners and paid by the others, alike; nothing if all win, or nobody does."""
    assert state.outcome is not None
    winners, seats = state.outcome.winners, state.game.seats
    if len(winners) in (0, len(seats)):
        return [0.0] * len(seats)
    return [1 / len(winners) if seat in winners else -1 / (len(seats) - len(winners)) for seat in seats]


def no_chance(event: ChanceEvent, result: Any) -> Pack | None:
    """Of a game without chance."""
    raise AssertionError(f"{event} in a game without chance")


@dataclass(frozen=True)
class Twin:
    """How a game of ours is the same as one of OpenSpiel.

    `called(spiel, action)` is our notation of an action; None: nothing is decided here then, such as a pass that is
    the only action. `returns` are what OpenSpiel says each seat gets, from our final state. `last_alone`: OpenSpiel
    makes the last moves by itself where there is only one. `certain`: the first outcomes of chance there, each the only
    one. `hidden`: its information states are compared, too, those of all seats or of the seat to move. `forgetful`:
    these do not hold all that the seat has seen, so all of them up to now are looked at.
    """

    name: str
    spiel: str
    called: Callable[[Spiel, int], str | None]
    options: Mapping[str, object] = field(default_factory=dict)
    players: int = 2
    returns: Callable[[State, Spiel], Sequence[float]] = by_winners
    feed: Feed = no_chance
    longest: int = 2000
    last_alone: bool = False
    certain: Sequence[int] = ()
    hidden: Literal["", "all", "mover"] = ""
    forgetful: bool = False

    def game(self) -> Game:
        """Our side."""
        return loaded(self.name, self.players, tuple(self.options.items()))


@cache
def loaded(name: str, players: int, options: tuple[tuple[str, object], ...]) -> Game:
    """A game with its players and options, loaded once."""
    return load(name, players, dict(options))


@dataclass(frozen=True)
class Made:
    """A move that was made: by whom, and among which."""

    seat: int
    notation: str
    moves: tuple[str, ...]


class Pair:
    """The same game on both sides."""

    def __init__(self, twin: Twin, pyspiel: Any, seed: int, results: Sequence[Any] = ()) -> None:
        """Set up; `results` are those of the first chance events, the others are drawn."""
        self.twin, self.rng = twin, random.Random(seed)
        self.given = list(results)
        self.events: list[tuple[ChanceEvent, Any]] = []
        self.made: list[Made] = []
        self.spiel: Spiel = pyspiel.load_game(twin.spiel).new_initial_state()
        self.packs = [Pack([outcome], 1) for outcome in twin.certain]
        self.state = twin.game().start(seed=seed, chance=self._chance)
        self.settle()

    def _chance(self, event: ChanceEvent) -> Any:
        pack = None
        while pack is None:
            result = self.given.pop(0) if self.given else self._drawn(event)
            pack = self.twin.feed(event, result)
        self.packs.append(pack)
        self.events.append((event, result))
        return result

    def _drawn(self, event: ChanceEvent) -> Any:
        if event.kind == "shuffle":
            return self.rng.sample(range(event.size), event.size)
        return self.rng.randrange(event.size)

    def settle(self) -> None:
        """Let OpenSpiel draw what we have drawn, each outcome as likely, and make what is no decision here."""
        spiel = self.spiel
        while not spiel.is_terminal():
            if spiel.is_chance_node():
                self.packs = [pack for pack in self.packs if pack.taken]
                assert self.packs, f"chance on the other side only: {spiel.chance_outcomes()}"
                chances, theirs = self.packs[0].chances(), dict(spiel.chance_outcomes())
                assert chances.keys() == theirs.keys(), f"{chances} here, {theirs} there:\n{spiel}"
                assert all(abs(chance - theirs[outcome]) < 1e-12 for outcome, chance in chances.items())
                spiel.apply_action(self.packs[0].draw())
                continue
            legal = spiel.legal_actions()
            if len(legal) != 1 or self.twin.called(spiel, legal[0]) is not None:
                return
            spiel.apply_action(legal[0])

    def moves(self) -> list[str]:
        """The moves of the pending decision, the same on both sides; none if the game is over."""
        state, spiel, twin = self.state, self.spiel, self.twin
        while twin.last_alone and spiel.is_terminal() and len(state.legal_moves) == 1:
            state.push(state.legal_moves[0])
        assert (state.player is None) == bool(spiel.is_terminal()), f"{state.player} here, there:\n{spiel}"
        if state.player is None:
            return []
        assert state.game.seats.index(state.player) == spiel.current_player(), f"{state.player} here, there:\n{spiel}"
        self.actions = {twin.called(spiel, action): action for action in spiel.legal_actions()}
        ours = {move.notation.replace(" ", "") for move in state.legal_moves}
        assert ours == set(self.actions), f"{sorted(ours ^ set(map(str, self.actions)))} on one side only:\n{spiel}"
        return sorted(ours)

    def make(self, notation: str) -> None:
        """Make a move of `moves` on both sides."""
        self.made.append(Made(self.spiel.current_player(), notation, tuple(map(str, self.actions))))
        self.spiel.apply_action(self.actions[notation])
        (move,) = [move for move in self.state.legal_moves if move.notation.replace(" ", "") == notation]
        self.state.push(move)
        self.settle()


def in_step(twin: Twin, pyspiel: Any, seed: int) -> Iterator[Pair]:
    """One random game on both sides, at every decision and at the end; an assertion fails where they differ."""
    yield from played(Pair(twin, pyspiel, seed))


def played(pair: Pair) -> Iterator[Pair]:
    """A pair at every decision of a random game and at the end; an assertion fails where the sides differ."""
    twin = pair.twin
    for _ in range(twin.longest):
        moves = pair.moves()
        yield pair
        if not moves:
            assert list(map(float, pair.spiel.returns())) == list(map(float, twin.returns(pair.state, pair.spiel)))
            return
        pair.make(pair.rng.choice(moves))
    raise AssertionError("the game does not end")
