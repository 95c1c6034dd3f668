"""What a search finds in a game, and the sequence of decisions that shows it.

    fault in x.rules:62:9, `there is no card`     seed 7, 2 players: draw, lay(3), draw, lay(5)   fails in the last move

Two courses that fail with the same error at the same place are one finding, of which the shorter course is kept.
"""

from __future__ import annotations

import re
from typing import Literal

from dsl.lazy_dataclasses import dataclass
from interpreter.authoring.coverage.random_games import Setting
from interpreter.errors import PlayError
from interpreter.runtime.cells import MoveCode

Kind = Literal["fault", "stuck", "endless", "one move", "dominated"]
"""A rule fails; all that can be done leads back to the same; a random game does not end; a decision is no choice; an
action seems never worth doing."""

ORDER: tuple[Kind, ...] = ("fault", "stuck", "endless", "one move", "dominated")
"""The order in which findings are told, the gravest first."""


@dataclass(frozen=True)
class Course:
    """A game as it can be played again: seats and options, the seed of chance, and the moves made."""

    setting: Setting
    seed: int
    moves: tuple[MoveCode, ...]


@dataclass(frozen=True)
class Finding:
    """Something found, with the shortest course known that shows it.

    `location` is that of the rule. `in_move`: the last move of the course is the one in which the rule fails; otherwise
    what is found is there after the course. `at_display`: a rule fails only when people are shown the game.
    """

    kind: Kind
    location: str
    words: str
    course: Course
    in_move: bool = False
    at_display: bool = False

    @property
    def key(self) -> tuple[str, ...]:
        """What distinguishes findings: two faults of one rule that differ in numbers alone are one."""
        return self.kind, self.location, _without_values(self.words)

    @property
    def length(self) -> int:
        """The number of decisions in the course."""
        return len(self.course.moves)


def fault_key(fault: PlayError) -> tuple[str, ...]:
    """The key of the finding that an error of the rules is."""
    return "fault", fault.location, _without_values(fault.message)


def _without_values(words: str) -> str:
    """Words in which numbers and quoted names are left out, as they differ from one game to the next."""
    return re.sub(r"-?\d+|`[^`]*`", "#", words)
