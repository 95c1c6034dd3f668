"""`python -m benchmarks.keys`: keystrokes and list lengths per move, in full screen and with a single list."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from statistics import median

from rich.console import Console
from rich.table import Table

from benchmarks.large import GAMES as LARGE
from cli.fullscreen.arrangement import most_lines
from cli.fullscreen.candidates import height
from cli.render.moves import lines_of
from interpreter.play.game import load
from interpreter.seat.narrowing import Narrowing
from interpreter.seat.notation.moves import Move

GAMES = (*LARGE, "chess", "go", "mancala", "hearts", "tallow_lane")
COLUMNS, LINES = 80, 24
PLAYED = 2
MAX_DECISIONS = 150
SAMPLE = 4
"""Maximum number of moves counted per decision."""


@dataclass(frozen=True)
class Effort:
    """The cost of a move: keystrokes, and the lines of the longest list to read."""

    keys: int
    lines: int


def whole_list(moves: Sequence[Move], index: int) -> Effort:
    """The number of a move from the list of all, and Enter."""
    return Effort(len(str(index + 1)) + 1, lines_of([move.label for move in moves], COLUMNS))


def step_by_step(moves: Sequence[Move], move: Move) -> Effort:
    """The number of a candidate and Enter, until there is one move."""
    narrowing, keys, lines = Narrowing(tuple(moves)), 0, 0
    while narrowing.move is None:
        step = narrowing.step(fits)
        index = next(at for at, candidate in enumerate(step.candidates) if move in candidate.moves)
        keys += len(str(index + 1)) + 1
        lines = max(lines, height([candidate.words for candidate in step.candidates], COLUMNS))
        narrowing = narrowing.answer(step.candidates[index])
    return Effort(keys, lines)


def fits(words: Sequence[str]) -> bool:
    """The capacity of a terminal of 80 by 24."""
    return height(words, COLUMNS) <= most_lines(LINES)


def efforts(name: str) -> Iterator[tuple[Effort, Effort]]:
    """With a single list and step by step, for moves of random games."""
    chosen = random.Random(name)
    for seed in range(PLAYED):
        state = load(name).start(seed=seed)
        while not state.over and state.ply < MAX_DECISIONS:
            moves = state.legal_moves
            if len(moves) > 1:
                for index in chosen.sample(range(len(moves)), min(SAMPLE, len(moves))):
                    yield whole_list(moves, index), step_by_step(moves, moves[index])
            state.push(chosen.choice(moves))


def main() -> None:
    """Print a table."""
    table = Table(
        "game", "keys: median", "worst", "lines: median", "worst", "keys before", "worst", "lines before", "worst"
    )
    for name in GAMES:
        found = list(efforts(name))
        cells: list[str] = []
        for which in (1, 0):
            for part in ("keys", "lines"):
                values = [getattr(pair[which], part) for pair in found]
                cells += [f"{median(values):g}", str(max(values))]
        table.add_row(name, *cells)
    Console(width=120).print(table)


if __name__ == "__main__":
    main()
