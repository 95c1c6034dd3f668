"""Tree search from several worlds in either engine: the same routine, its arrays, and the keys of moves in Python.

`compiler/machine/routines/tree_search.py` is the search. As it is, Python runs it here; printed into the module of a
game, the machine engine does. What a bot makes of it is in `opponents/search.py`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Mapping, Sequence
from typing import Any, Protocol

from interpreter.analysis.bulk import rollouts_in_python
from interpreter.analysis.search_states import MachineSearchState, PythonSearchState, SearchState
from interpreter.compiler.machine.routines import tree_search as routine
from interpreter.compiler.privacy import Argument, Pieces, privacy_of
from interpreter.engine.machine.tree_search import Arrays, MachineTreeSearch
from interpreter.engine.program import Program
from interpreter.errors import PlayError
from interpreter.play.game import Game, State
from interpreter.runtime.bitset import bits
from interpreter.runtime.cells import Cells
from interpreter.runtime.cells import Move as Code
from interpreter.runtime.chance import seeded
from interpreter.runtime.layout import ME, POINT, RANDOM
from interpreter.seat.notation.moves import DECLINING

Lengths = Mapping[str, Mapping[str, int]]
Contents = Mapping[str, Mapping[str, Sequence[int]]]

UNNOTICED = -1
"""The key of a move that others do not notice."""


class TreeSearch(Protocol):
    """The search of one decision in one of the engines, and its arrays by the names of records and fields."""

    @property
    def arrays(self) -> Arrays:
        """By the names of records and fields."""

    def begin(self, only: int) -> None:
        """Make the root, with all moves or, from 0 on, only one of them."""

    def run(self, target: int) -> bool | None:
        """Iterate until there are `target` iterations in all; whether nothing is left, None if a rule failed."""

    def abandon(self) -> None:
        """Count the iteration in which a rule failed."""

    def line(self, number: int) -> int:
        """Write the expected continuation of a move at the root; its length, 0 if a rule fails."""


def tree_search(worlds: Sequence[SearchState[State]], lengths: Lengths, contents: Contents) -> TreeSearch:
    """A search from the positions of some states, which it leaves as they are."""
    machines = [world.position for world in worlds if isinstance(world, MachineSearchState)]
    if len(machines) == len(worlds):
        return MachineTreeSearch(machines[0].game, [machine.pieces() for machine in machines], lengths, contents)
    positions = [world.cells if isinstance(world, PythonSearchState) else world.export().cells for world in worlds]
    return PythonTreeSearch(worlds[0].game, positions, lengths, contents)


class PythonTreeSearch:
    """See `TreeSearch`."""

    def __init__(self, game: Game, worlds: Sequence[Cells], lengths: Lengths, contents: Contents) -> None:
        self.arrays = {
            name: {field: [0] * length for field, length in of_record.items()} for name, of_record in lengths.items()
        }
        for name, of_record in contents.items():
            for field, numbers in of_record.items():
                self.arrays[name][field][: len(numbers)] = numbers
        self._search = routine.Search(
            **self.arrays["Search"],
            trees=routine.Trees(**self.arrays["Trees"]),
            path=routine.Path(**self.arrays["Path"]),
            scoring=routine.Scoring(**self.arrays["Scoring"]),
            results=routine.Results(**self.arrays["Results"]),
        )
        self._game = _Game(game, worlds)

    def begin(self, only: int) -> None:
        """See `TreeSearch.begin`."""
        routine.begin(self._game, self._search, only)

    def run(self, target: int) -> bool | None:
        """See `TreeSearch.run`."""
        try:
            return routine.run(self._game, self._search, target)
        except PlayError:
            return None

    def abandon(self) -> None:
        """See `TreeSearch.abandon`."""
        routine.abandon(self._search)

    def line(self, number: int) -> int:
        """See `TreeSearch.line`."""
        try:
            return routine.continue_line(self._game, self._search, number)
        except PlayError:
            return 0


class _Game:
    """See `Game` in `routines/language.py`."""

    def __init__(self, game: Game, worlds: Sequence[Cells]) -> None:
        self._of, self._program, self._worlds = game, game.program, worlds
        self._state = Cells()
        self._keys = MoveKeys(game.program)
        self._scores: Sequence[int] = ()
        self._winners = 0
        self._scored = False

    def load_world(self, number: int) -> None:
        self._state = Cells(self._worlds[number])

    def draw_chance(self, seed: int) -> None:
        self._state[RANDOM] = seeded(seed)

    def make(self, number: int) -> None:
        self._program.do(self._state, None, self._program.legal(self._state)[number])

    def is_over(self) -> bool:
        return bool(self._state[POINT] < 0)

    def move_count(self) -> int:
        return len(self._program.legal(self._state))

    def acting(self) -> int:
        seat: int = self._state[ME]
        return seat

    def is_at_once(self) -> bool:
        return self._keys.privacy(self._state[POINT]).at_once

    def is_several(self) -> bool:
        return self._keys.privacy(self._state[POINT]).several

    def offer(self, own: list[int], public: list[int]) -> int:
        legal = self._program.legal(self._state)
        own[: len(legal)], public[: len(legal)] = self._keys.keys(self._state[POINT], self._state[ME], legal)
        return len(legal)

    def play_on(self, seed: int, horizon: int) -> None:
        results = rollouts_in_python(self._of, self._state, range(seed, seed + 1), horizon)
        self._winners, self._scores, self._scored = results.winners[0], results.scores, bool(results.scored[0])

    def is_scored(self) -> bool:
        return self._scored

    def winners(self) -> int:
        return self._winners

    def score(self, place: int) -> int:
        return self._scores[place]


class MoveKeys:
    """Numbers for what one seat can distinguish of a move, and for what the others learn of it.

    A key stands for the decision, the seat, the act and the arguments, with pieces by their kind: in indistinguishable
    states, equal pieces have different numbers. If two legal moves differ only in equal pieces at different places, the
    numbers are kept. See `compiler/privacy.py` for what others learn.
    """

    def __init__(self, program: Program) -> None:
        decisions = program.lowered.decisions
        self._privacies = {point: privacy_of(program.model, decision) for point, decision in decisions.items()}
        self._kinds = [piece.kind for piece in program.layout.pieces]
        self._numbers: dict[Hashable, int] = {}
        self.privacy = self._privacies.__getitem__

    def keys(self, point: int, seat: int, codes: Sequence[Code]) -> tuple[list[int], list[int]]:
        """The keys of some moves for the deciding seat and for the others."""
        privacy = self._privacies[point]
        arguments = [privacy.arguments(code[0], len(code) - 1) for code in codes]
        own = [self._by_kind(code, of_code) for code, of_code in zip(codes, arguments, strict=True)]
        times = Counter(own)
        own = [(key, code) if times[key] > 1 else key for key, code in zip(own, codes, strict=True)]
        public: list[int] = []
        for key, code, of_code in zip(own, codes, arguments, strict=True):
            declined = code[0] == DECLINING
            if privacy.secretly and (privacy.at_once or declined):
                public.append(UNNOTICED)
                continue
            learnt: Hashable = key
            if privacy.hidden and not declined:
                learnt = code[0]
            elif any(argument.secret for argument in of_code):
                learnt = self._by_kind(code, of_code, masked=True)
            public.append(self._number(("seen", point, seat, learnt)))
        return [self._number(("own", point, seat, key)) for key in own], public

    def _by_kind(self, code: Code, arguments: Sequence[Argument], masked: bool = False) -> Hashable:
        """A move with its pieces by kind; `masked`: without what is secret."""
        values: list[Hashable] = [code[0]]
        for value, argument in zip(code[1:], arguments, strict=False):
            if masked and argument.secret:
                continue
            values.append(self._plain(value, argument.pieces))
        return tuple(values)

    def _plain(self, value: Any, pieces: Pieces) -> Hashable:
        if pieces is Pieces.SET:
            return tuple(sorted([self._kinds[piece] for piece in bits(value or 0)]))
        plain: Hashable = value if pieces is Pieces.NONE or value is None else self._kinds[value]
        return plain

    def _number(self, key: Hashable) -> int:
        return self._numbers.setdefault(key, len(self._numbers))
