"""How much a good memory is worth in Go fish: docs/opponents.md gives the figure."""

from __future__ import annotations

import random

import pytest

from interpreter.analysis.figures import share
from interpreter.play.game import State, load
from interpreter.seat.notation.moves import Move

GAMES = 1000


def asked_for(move: Move) -> tuple[str, str]:
    """The seat that is asked, and the rank."""
    return str(move.arguments["other"]), str(move.arguments["rank"])


class Memory:
    """What each of two seats certainly holds, because it has asked for it or was given it."""

    def __init__(self, seats: tuple[str, ...]) -> None:
        self.held: dict[str, set[str]] = {seat: set() for seat in seats}

    def follow(self, state: State, asking: str, move: Move) -> None:
        """Take a move into account that has just been made."""
        asked, rank = asked_for(move)
        self.held[asking].add(rank)
        self.held[asked].discard(rank)
        zones = state.view(None).zones
        for seat in self.held:
            self.held[asking] -= {piece.name for piece in zones[f"books[{seat}]"].pieces}

    def choose(self, moves: tuple[Move, ...], rng: random.Random) -> Move:
        """Ask for what the other certainly holds, if there is such a rank; otherwise for any."""
        certain = [move for move in moves if self.is_certain(*asked_for(move))]
        return rng.choice(certain or moves)

    def is_certain(self, seat: str, rank: str) -> bool:
        """True if a seat certainly holds a card of a rank."""
        return rank in self.held[seat]


def share_of_memory(seed: int) -> float:
    """The share of the win of a seat with a memory, against random moves."""
    state, rng = load("go_fish", players=2).start(seed), random.Random(seed)
    remembering, memory = state.game.seats[seed % 2], Memory(state.game.seats)
    while state.player is not None:
        seat, moves = state.player, state.legal_moves
        move = memory.choose(moves, rng) if seat == remembering else rng.choice(moves)
        state.push(move)
        memory.follow(state, seat, move)
    assert state.outcome is not None
    winners = state.outcome.winners
    return (remembering in winners) / len(winners)


@pytest.mark.long
def test_a_memory_is_worth_a_little_against_random_moves() -> None:
    found = share(map(share_of_memory, range(GAMES)))
    assert found.low is not None and found.high is not None
    assert (round(found.low, 2), round(found.high, 2)) == (0.54, 0.60)
