"""Searches in either engine: the same routines, their arrays, and the keys of moves in Python.

`compiler/machine/routines/tree_search.py` and `alpha_beta.py` are the searches. As they are, Python runs them here;
printed into the module of a game, the machine engine does. What bots make of them is in `opponents`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Mapping, Sequence
from contextlib import suppress
from typing import Protocol

from interpreter.analysis.bulk import rollouts_in_python
from interpreter.analysis.search_states import Begun, MachineSearchState, PythonSearchState, SearchState
from interpreter.compiler.machine.forms import WORD_BITS
from interpreter.compiler.machine.routines import alpha_beta, search_records
from interpreter.compiler.machine.routines.kinds import RecordOf
from interpreter.compiler.machine.routines.language import WORD_MASK
from interpreter.compiler.machine.searches import CALLS
from interpreter.compiler.privacy import Argument, Pieces, privacy_of
from interpreter.engine.machine.hosts import NoMachineError
from interpreter.engine.machine.searches import Arrays, MachineSearch
from interpreter.engine.program import Program
from interpreter.errors import PlayError
from interpreter.play.game import Game
from interpreter.play.state import key_of
from interpreter.runtime.bitset import bits
from interpreter.runtime.cells import Cells, MoveCode, StoredValue
from interpreter.runtime.chance import seeded
from interpreter.runtime.layout import ME, POINT, RANDOM
from interpreter.runtime.ranking import leaders
from interpreter.seat.notation.moves import DECLINING

Lengths = Mapping[str, Mapping[str, int]]
Contents = Mapping[str, Mapping[str, Sequence[int]]]

UNNOTICED = -1
"""The key of a move that others do not notice."""


class RunningSearch(Protocol):
    """The search of one decision in one of the engines, and its arrays by the names of records and fields."""

    @property
    def arrays(self) -> Arrays:
        """By the names of records and fields."""

    @property
    def fault(self) -> PlayError | None:
        """How the last call failed, as far as that is known."""

    def call(self, name: str, *numbers: int) -> int | None:
        """Call one of `CALLS`; None if a rule failed, and then no move is left to take back."""


def search_from(
    record: RecordOf, worlds: Sequence[SearchState[Begun]], lengths: Lengths, contents: Contents, past: int = 0
) -> RunningSearch:
    """A search with a record from the positions of some states, which it leaves as they are.

    `contents` are what arrays contain at the beginning, `past` is how many moves it takes back at most. Where the
    machine engine has no room for the search, Python searches.
    """
    machines = [world.position for world in worlds if isinstance(world, MachineSearchState)]
    if len(machines) == len(worlds):
        pieces = [machine.pieces() for machine in machines]
        with suppress(NoMachineError):
            return MachineSearch(machines[0].game, record, pieces, lengths, contents, past)
    positions = [world.cells if isinstance(world, PythonSearchState) else world.export().cells for world in worlds]
    return PythonSearch(record, worlds[0].game, positions, lengths, contents)


class PythonSearch:
    """See `RunningSearch`."""

    def __init__(
        self, record: RecordOf, game: Game, worlds: Sequence[Cells], lengths: Lengths, contents: Contents
    ) -> None:
        self.arrays = {
            name: {field: [0] * length for field, length in of_record.items()} for name, of_record in lengths.items()
        }
        for name, of_record in contents.items():
            for field, numbers in of_record.items():
                self.arrays[name][field][: len(numbers)] = numbers
        self._record = self._record_of(record)
        self._game = _Game(game, worlds)
        self.fault: PlayError | None = None

    def _record_of(self, record: RecordOf) -> object:
        """The record with its arrays and the records in it."""
        parts = {field: self._record_of(kind) for field, kind in record.fields if isinstance(kind, RecordOf)}
        make = CLASSES[record.name]
        return make(**self.arrays[record.name], **parts)

    def call(self, name: str, *numbers: int) -> int | None:
        """See `RunningSearch.call`."""
        search_call = CALLS[name]
        function: Callable[..., int | None] = getattr(search_call.module, search_call.routine)
        try:
            return function(self._game, self._record, *numbers) or 0
        except PlayError as fault:
            self.fault = fault
            self._game.take_back_all()
            return None


CLASSES: Mapping[str, Callable[..., object]] = {
    record.__name__: record
    for record in (
        search_records.Search, search_records.Trees, search_records.Path, search_records.Scoring,
        search_records.Results, alpha_beta.Lookahead,
    )
}  # fmt: skip
"""The records of searches, by their names."""


class _Game:
    """See `Game` in `routines/language.py`."""

    def __init__(self, game: Game, worlds: Sequence[Cells]) -> None:
        self._of, self._program, self._worlds = game, game.program, worlds
        self._state = Cells()
        self._past: list[Cells] = []
        self._hash = 0
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

    def push(self, number: int) -> None:
        previous, self._state = self._state, Cells(self._state)
        self._past.append(previous)
        self.make(number)

    def pop(self) -> None:
        self._state = self._past.pop()

    def take_back_all(self) -> None:
        """Go back to where no move has been pushed."""
        self._state = self._past[0] if self._past else self._state
        self._past.clear()

    def hash(self) -> None:
        self._hash = int(key_of(self._state), 16)

    def first_hash(self) -> int:
        return self._hash & WORD_MASK

    def second_hash(self) -> int:
        return self._hash >> WORD_BITS

    def score_now(self) -> None:
        criteria = self._program.criteria_of_all(self._state)
        self._scores = [number for of_seat in criteria for number in of_seat]
        self._winners = sum(1 << seat for seat in leaders(self._program.ranks(self._state, criteria)))

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

    def offer(self, own_keys: list[int], public: list[int]) -> int:
        legal = self._program.legal(self._state)
        own_keys[: len(legal)], public[: len(legal)] = self._keys.keys(self._state[POINT], self._state[ME], legal)
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

    def keys(self, point: int, seat: int, codes: Sequence[MoveCode]) -> tuple[list[int], list[int]]:
        """The keys of some moves for the deciding seat and for the others."""
        privacy = self._privacies[point]
        arguments = [privacy.arguments(code[0], len(code) - 1) for code in codes]
        own_keys = [self._by_kind(code, of_code) for code, of_code in zip(codes, arguments, strict=True)]
        times = Counter(own_keys)
        own_keys = [(key, code) if times[key] > 1 else key for key, code in zip(own_keys, codes, strict=True)]
        public: list[int] = []
        for key, code, of_code in zip(own_keys, codes, arguments, strict=True):
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
        return [self._number(("own", point, seat, key)) for key in own_keys], public

    def _by_kind(self, code: MoveCode, arguments: Sequence[Argument], masked: bool = False) -> Hashable:
        """A move with its pieces by kind; `masked`: without what is secret."""
        values: list[Hashable] = [code[0]]
        for value, argument in zip(code[1:], arguments, strict=False):
            if masked and argument.secret:
                continue
            values.append(self._plain(value, argument.pieces))
        return tuple(values)

    def _plain(self, value: StoredValue, pieces: Pieces) -> Hashable:
        if pieces is Pieces.SET:
            return tuple(sorted([self._kinds[piece] for piece in bits(value if isinstance(value, int) else 0)]))
        return self._kinds[value] if pieces is not Pieces.NONE and isinstance(value, int) else value

    def _number(self, key: Hashable) -> int:
        return self._numbers.setdefault(key, len(self._numbers))
