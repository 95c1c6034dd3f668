"""Many random games in one call: no journal, no names, only results."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass

from interpreter.arguments import told, whole
from interpreter.chance import seeded
from interpreter.compile.layout import POINT, RANDOM
from interpreter.faults import RuntimeFault, UsageFault
from interpreter.game import Game
from interpreter.outcome import winners_of

MOST_DECISIONS = 100_000
"""After so many random decisions a game is taken never to end."""


def never_ends(game: Game) -> RuntimeFault:
    """The fault of a game that random moves do not bring to its end."""
    message = f"the game is not over after {MOST_DECISIONS} random decisions"
    return RuntimeFault(message, game.rules.model.file.header.span.place)


@dataclass(frozen=True)
class Played:
    """A game played at random.

    `decisions` is how many there were, `choices` how many moves were legal in all of them together, `widest` in the one
    with the most; scores hold one number a criterion, higher is better.
    """

    seed: int
    scores: dict[str, tuple[int, ...]]
    winners: tuple[str, ...]
    decisions: int
    choices: int
    widest: int


def play_at_random(game: Game, seed: int) -> Played:
    """One game, every legal move equally likely; chance and moves both follow from the seed.

    Raises `RuntimeFault` if a rule fails, or the game does not end.
    """
    program = game.program
    S = list(program.initial)
    S[RANDOM] = seeded(seed)
    draw = random.Random(seed).random
    program.run(S, None, 0)
    decisions = choices = widest = 0
    while S[POINT] >= 0:
        legal = program.legal(S)
        count = len(legal)
        decisions += 1
        choices += count
        if count > widest:
            widest = count
        program.do(S, None, legal[int(draw() * count)])
        if decisions >= MOST_DECISIONS:
            raise never_ends(game)
    seats = game.seats
    scores = {seat: program.criteria(S, place) for place, seat in enumerate(seats)}
    winners = tuple(seats[place] for place in winners_of(program, S))
    return Played(seed, scores, winners, decisions, choices, widest)


def playouts(game: Game, games: int, seed: int = 0) -> Iterator[Played]:
    """Random games with the seeds `seed`, `seed + 1`, ...: each the same whatever is played before or beside it."""
    if not isinstance(game, Game):
        raise UsageFault(f"games are played of what `load` gives, not of {told(game)}")
    number, first = whole(games, "the number of games", least=0), whole(seed, "a seed")
    return (play_at_random(game, first + place) for place in range(number))
