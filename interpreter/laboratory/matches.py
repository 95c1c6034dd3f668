"""Matches between bots: the seatings, a single game, and its value for each bot.

Two bots meet in *rotations*: sets of games with the same seed, and so the same chance as long as the moves allow, in
which each bot plays every seat equally often. Seats that win together, such as the two of a team, are one *side*. With
two sides, a rotation has two games. With more, one bot plays each side in turn while the other plays all the remaining
sides, and then the other way round. If all seats are one side (in a solo or cooperative game), each bot plays separate
games, and those with the same seed are compared.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import field
from fractions import Fraction
from typing import Protocol

from dsl.lazy_dataclasses import dataclass
from interpreter.analysis.failed_games import MAX_SAVED_DECISIONS, Failed
from interpreter.analysis.playouts import MAX_DECISIONS, never_ends
from interpreter.errors import LimitError, PlayError
from interpreter.play.game import Game, State
from interpreter.seat.explain.outcome import winners_of
from interpreter.seat.notation.moves import Move

Sides = tuple[tuple[int, ...], ...]
"""The seats of each side, by number."""

Seating = tuple[int, ...]
"""Which bot sits at each seat, by number."""

SAMPLE = 3
"""The number of games that must begin with the same teams for teams to count as sides."""

DIGEST = 8
"""Bytes of the digest of the moves of a game."""


class Player(Protocol):
    """A program that plays a seat."""

    def play(self, state: State) -> Move:
        """A legal move of the pending decision, which is one of its seat."""


@dataclass(frozen=True)
class Meeting:
    """One game to play: who sits where, and the rotation that it belongs to."""

    seating: Seating
    rotation: int


@dataclass(frozen=True)
class Finished:
    """The result of a game of bots.

    `winners` are numbers of seats; `scores` has one number per seat and criterion, higher is better. Games with the
    same moves have the same `digest`. `at_a_loss` is the number of moves that bots made at random, as they found no
    state to search.
    """

    winners: tuple[int, ...]
    scores: tuple[tuple[int, ...], ...]
    decisions: int
    digest: str
    at_a_loss: int = 0


@dataclass(frozen=True)
class Broken:
    """A game that ended in an error, with the notations of its first moves."""

    failed: Failed
    moves: tuple[str, ...] = field(repr=False)


# ---- seatings


def sides_of(game: Game, seed: int) -> Sides:
    """The seats that play together, if these are the same in every setup.

    Raises PlayError if the game cannot be set up.
    """
    winner = game.rules.model.winner
    assert winner is not None
    count = len(game.seats)
    if all(map(game.program.is_same_for_all, winner.criteria)):
        return (tuple(range(count)),)
    teams = {_teams(game, seed + number) for number in range(SAMPLE)}
    return teams.pop() if len(teams) == 1 else tuple((seat,) for seat in range(count))


def _teams(game: Game, seed: int) -> Sides:
    state = game.start(seed)
    teams = state.program.teams(state.cells) or [None] * len(game.seats)
    sides: dict[object, list[int]] = {}
    for seat, team in enumerate(teams):
        sides.setdefault(("seat", seat) if team is None else team, []).append(seat)
    return tuple(tuple(side) for side in sides.values())


def seatings(sides: Sides, first: int, second: int, *, alone: bool = False) -> tuple[Seating, ...]:
    """The seatings of a rotation of two bots; with `alone` only those at which the first has one side."""
    if len(sides) == 1:
        return tuple((bot,) * len(sides[0]) for bot in (first, second))
    pairs = ((first, second),) if alone else ((first, second), (second, first))
    all_seatings = [_seating(sides, place, *pair) for pair in pairs for place in range(len(sides))]
    return tuple(dict.fromkeys(all_seatings))


def _seating(sides: Sides, place: int, single: int, others: int) -> Seating:
    """A seating with one bot at the side with this number, and the other bot at all other sides."""
    bots = {seat: single if number == place else others for number, side in enumerate(sides) for seat in side}
    return tuple(bots[seat] for seat in sorted(bots))


def meetings(sides: Sides, first: int, second: int, rotation: int, *, alone: bool = False) -> tuple[Meeting, ...]:
    """The games of a rotation of two bots."""
    return tuple(Meeting(seating, rotation) for seating in seatings(sides, first, second, alone=alone))


# ---- one game


def play(game: Game, seed: int, players: Sequence[Player]) -> Finished | Broken:
    """Play a game, with a player for each seat; forced moves are made without asking."""
    outcome = play_out(game, seed, players)
    return outcome if isinstance(outcome, Broken) else _finished(outcome)


def play_out(game: Game, seed: int, players: Sequence[Player]) -> State | Broken:
    """Play the same game; return its end, where all criteria have a value, with the decisions that led there."""
    try:
        state = game.start(seed)
    except PlayError as fault:
        return Broken(_failed(seed, 0, None, None, fault), ())
    move: Move | None = None
    try:
        while state.player is not None:
            if state.ply >= MAX_DECISIONS:
                raise never_ends(game)
            legal = state.legal_moves
            move = legal[0] if len(legal) == 1 else players[game.seats.index(state.player)].play(state)
            state.push(move)
            move = None
        winners_of(state.program, state.cells)
        return state
    except PlayError as fault:
        notation = None if move is None else _notation(move)
        return Broken(_failed(seed, state.ply, state.player, notation, fault), _past(state))


def _finished(state: State) -> Finished:
    moves = repr([decision.code for decision in state.made]).encode()
    return Finished(
        winners_of(state.program, state.cells), tuple(state.program.criteria_of_all(state.cells)), state.ply,
        hashlib.sha256(moves).hexdigest()[: 2 * DIGEST],
    )  # fmt: skip


def _failed(seed: int, decisions: int, player: str | None, move: str | None, fault: PlayError) -> Failed:
    return Failed(seed, decisions, player, move, fault.message, fault.location, isinstance(fault, LimitError))


def _notation(move: Move) -> str | None:
    try:
        return move.notation
    except PlayError:
        return None


def _past(state: State) -> tuple[str, ...]:
    """The notations of the first moves of a game, as far as they can be rendered."""
    try:
        return tuple(record.notation for record in state.history[:MAX_SAVED_DECISIONS])
    except PlayError:
        return ()


def state_before(game: Game, broken: Broken) -> State | None:
    """The game as it was before the decision that failed, or after the moves that are known; None if setup failed."""
    try:
        state = game.start(broken.failed.seed)
        for move in broken.moves:
            state.push(move)
    except PlayError:
        return None
    return state


# ---- what a game is worth


def share(result: Finished, seating: Seating, sides: Sides, bot: int) -> Fraction:
    """A bot's share of the win: winning sides get equal parts; if nobody wins, all sides get equal parts."""
    winning = [side for side in sides if any(seat in result.winners for seat in side)] or sides
    return Fraction(sum(seating[side[0]] == bot for side in winning), len(winning))


def even_share(seatings: Sequence[Seating], sides: Sides, bot: int) -> Fraction:
    """The share of a bot in a rotation if all sides win equally often."""
    if len(sides) == 1:
        return Fraction(1, 2)
    parts = [Fraction(sum(seating[side[0]] == bot for side in sides), len(sides)) for seating in seatings]
    return sum(parts, Fraction()) / len(parts)


def rotation_share(results: Mapping[Seating, Finished], sides: Sides, first: int, second: int) -> Fraction:
    """The share of the first bot in the games of a rotation, by seating.

    If all seats are one side, it is 1 if the bot's own game went better than the other bot's, and a half if equally
    well: compared first by whether it was won, then by the criteria of `winner` in order.
    """
    if len(sides) == 1:
        mine, theirs = (_success(results[(bot,) * len(sides[0])]) for bot in (first, second))
        return Fraction(1, 2) if mine == theirs else Fraction(mine > theirs)
    shares = [share(result, seating, sides, first) for seating, result in results.items()]
    return sum(shares, Fraction()) / len(shares)


def _success(result: Finished) -> tuple[bool, tuple[int, ...]]:
    return bool(result.winners), max(result.scores)
