"""Looking at a game as one seat, to find out whether it could tell what it may not know."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass

from interpreter.opponents.knowledge.observation import label_for
from interpreter.play.game import Game, State
from interpreter.seat.views.log import LogEntry
from tests.interpreter.ways import ways_of
from tests.support.resampling import resampled


def news(state: State, seat: str, since: int) -> list[LogEntry]:
    """What the seat is told from a decision on; the set-up is past."""
    return [entry for entry in state.log(seat, since) if entry.kind != "chance"]


@dataclass
class Known:
    """What a seat sees and is asked at a decision, and what it is told of the move made there."""

    state: State
    seat: str
    notation: str

    def __post_init__(self) -> None:
        self.view = self.state.view(self.seat)
        self.question, self.player, self.ply = self.state.question, self.state.player, self.state.ply
        self.own = self.player == self.seat
        self.moves = self.state.legal_moves if self.own else ()
        self.after = self.state.copy()
        self.after.push(self.notation)
        self.told = news(self.after, self.seat, self.ply)

    def compare(self, other: State) -> None:
        """The seat cannot tell the other state from this one, now and after the same move of anybody."""
        assert other.view(self.seat) == self.view
        assert other.player == self.player
        if self.own:
            assert other.question == self.question
            assert other.legal_moves == self.moves
        if other.question == self.question:
            self.compare_after(other)
        elif self.notation == "done":  # where nothing was asked in secret, play is already there
            assert self.question is not None and self.question.secretly and not self.own
            assert self.after.view(self.seat) == other.view(self.seat)
            assert all(entry.player is None for entry in self.told)

    def compare_after(self, other: State) -> None:
        """What is told of the move, and if that differs, it differs by what the move let the seat see."""
        if self.notation not in [move.notation for move in other.legal_moves]:
            assert not self.own
            return
        before = other.copy()
        other.push(self.notation)
        told = news(other, self.seat, self.ply)
        assert label_before(before, other, self.seat) == label_before(self.state, self.after, self.seat)
        if told != self.told and not (other.over or self.after.over):
            shown = other.view(self.seat) != self.after.view(self.seat)
            assert shown or ways_of(before, other, self.seat) != ways_of(self.state, self.after, self.seat)


def label_before(before: State, after: State, seat: str) -> str | None:
    """The last move in the words of what the seat saw before it; the log adds what the move lets it see."""
    number = before.seat_number(seat)
    assert number is not None
    return label_for(before.program, before.cells, after.made[before.ply].code, number)


def leaks(game: Game, seeds: range, samples: int = 3) -> list[str]:
    """Where in random games some seat could tell a state from another that differs only in what it may not know."""
    return list(each_leak(game, seeds, samples))


def each_leak(game: Game, seeds: range, samples: int = 3) -> Iterator[str]:
    """The same, one by one: for games that are meant to leak the first is enough."""
    for seed in seeds:
        state, rng = game.start(seed), random.Random(seed)
        while state.player is not None:
            before, notation = state.copy(), rng.choice(state.legal_moves).notation
            state.push(notation)
            for seat in game.seats:
                known = Known(before, seat, notation)
                for sample in range(samples):
                    try:
                        known.compare(resampled(before, seat, seed * 1000 + before.ply * samples + sample))
                    except AssertionError as fault:
                        yield f"seed {seed}, ply {before.ply}, {seat}: {fault}"
