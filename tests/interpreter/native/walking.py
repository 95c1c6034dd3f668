"""One game forward and back in Python and in machine code, which must agree at every decision."""

from __future__ import annotations

from collections import Counter
from random import Random
from typing import Any

from interpreter import Game, PlayError
from interpreter.bitset import bits
from interpreter.layout.cells import POINT, RANDOM
from interpreter.native.building import build
from interpreter.native.forms import SCALAR
from interpreter.native.games import shape_of
from interpreter.native.step_cells import MoveReader, from_words, to_words
from interpreter.native.step_games import steps_of
from interpreter.native.step_library import DONE, FAULT, NOT_LEGAL, MemoryState, StepLibrary, open_step_library
from interpreter.native.steps import Steps
from interpreter.native.words import NONE
from interpreter.play_state import key_of
from interpreter.runtime.chance import seeded
from interpreter.runtime.primitives import Cells
from interpreter.runtime.ranking import leaders
from interpreter.runtime.recorded import Recorded
from tests.interpreter.native.comparing import Difference

BACK, AGAIN = 0.15, 0.05
"""How often a walk goes back, and how often it goes on with a copy or with the cells of Python."""

FARTHEST_BACK = 6


def steps_library(game: Game, optimise: bool = False) -> tuple[Steps, StepLibrary]:
    """A game to be played step by step in machine code. Raises NotInC."""
    steps = steps_of(game.program)
    library = build(steps.source, open_step_library, optimise)
    assert isinstance(library, StepLibrary), library
    return steps, library


class Walk:
    """A game in both backends; `keys` are those of Python by those of machine code."""

    def __init__(self, game: Game, steps: Steps, library: StepLibrary, seed: int) -> None:
        self.game, self.steps, self.library, self.seed = game, steps, library, seed
        self.program, self.shape = game.program, shape_of(game.program)
        self.figures: Counter[str] = Counter()
        self.readers = {point: MoveReader(steps, rows) for point, rows in steps.rows.items()}
        self.keys: dict[int, str] = {}
        self.S = list(self.program.initial)
        self.S[RANDOM] = seeded(seed)
        self.program.run(self.S, None, 0)
        self.past: list[Cells] = []
        self.native = self.imported()

    def imported(self) -> MemoryState:
        """The present cells of Python in machine code."""
        found = MemoryState.from_words(self.library, to_words(self.steps, self.S))
        assert found is not None
        self.past = []
        return found

    def different(self, what: str, mine: object, theirs: object) -> Difference:
        where = f"{self.game.name}, seed {self.seed}, step {self.figures['steps']}"
        return Difference(f"{where}: {what}: in C {mine!r:.300}, in Python {theirs!r:.300}")

    def compare(self) -> None:
        """Compare everything about the present position. Raises Difference."""
        S, native, program = self.S, self.native, self.program
        moves = self.readers[S[POINT]].read(native.rows()) if S[POINT] >= 0 else []
        if moves != program.legal(S):
            raise self.different("legal moves", moves, program.legal(S))
        for cell, mine in from_words(self.steps, native.words()).items():
            theirs = plain(S[cell], mine, self.steps.cells.forms.get(cell, SCALAR))
            if mine != theirs:
                raise self.different(f"cell {cell}", mine, theirs)
        key = key_of(S)
        if self.keys.setdefault(native.key(), key) != key or len(set(self.keys.values())) != len(self.keys):
            raise self.different("states with equal keys", native.key(), key)
        found, expected = native.scores(self.shape), self.scores()
        if (None if found is None else (found[0].tolist(), found[1].tolist(), found[2])) != expected:
            raise self.different("scores", found, expected)

    def scores(self) -> tuple[list[int], list[int], int] | None:
        """The criteria and teams of all seats, and who is ahead, if a rule does not fail."""
        program, S = self.program, self.S
        try:
            criteria = program.criteria_of_all(S)
            teams = [NONE if team is None else team for team in program.teams(S)] or [0] * len(criteria)
            ahead = sum(1 << seat for seat in leaders(program.ranks(S, criteria)))
        except PlayError:
            return None
        return [value for row in criteria for value in row], teams, ahead

    def forward(self, number: int) -> None:
        """Make a move in both, or find that both fail. Raises Difference."""
        after = list(self.S)
        try:
            self.program.do(after, None, self.program.legal(self.S)[number])
        except PlayError as fault:
            if self.native.push(number) != FAULT:
                raise self.different("a fault", "none", fault) from None
            self.figures["faults"] += 1
            return
        if self.native.push(number) != DONE:
            raise self.different("a move", "a fault", "none")
        self.past.append(self.S)
        self.S = after
        self.figures["moves"] += 1

    def back(self) -> bool:
        """Take a move back in both, if there is one."""
        if not self.past:
            assert self.native.pop() == NOT_LEGAL
            return False
        self.S = self.past.pop()
        assert self.native.pop() == DONE
        return True

    def go(self, steps: int) -> Counter[str]:
        """Go on at random, comparing at every step. Raises Difference."""
        random = Random(self.seed)
        for _ in range(steps):
            self.figures["steps"] += 1
            self.compare()
            if self.S[POINT] < 0 or random.random() < BACK:
                self.figures["over"] += self.S[POINT] < 0
                found = [self.back() for _ in range(random.randint(1, FARTHEST_BACK))]
                if not all(found) and self.S[POINT] < 0:
                    break
                continue
            legal = self.program.legal(self.S)
            assert self.native.push(len(legal)) == NOT_LEGAL
            self.forward(random.randrange(len(legal)))
            if random.random() < AGAIN:
                self.native, self.past = self.native.copy(), []
            elif random.random() < AGAIN:
                self.native = self.imported()
        return self.figures


def plain(theirs: Any, mine: Any, form: str) -> Any:
    """What a cell of Python is in machine code: of a record only how much, of a set that is gone through its members.

    A cell of rows that nothing has been stored in holds 0.
    """
    if mine is None and theirs == 0 and form != SCALAR:
        return None
    if isinstance(theirs, Recorded):
        return sum(times for _, times in theirs.items())
    if isinstance(mine, tuple):
        return tuple(bits(theirs) if isinstance(theirs, int) else theirs or ())
    return theirs
