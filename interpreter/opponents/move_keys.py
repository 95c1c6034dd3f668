"""Keys of moves: what one seat can distinguish, and what the others learn of a move.

A key consists of the decision, the seat, the act and the arguments, with pieces by their kind: in indistinguishable
states, equal pieces have different numbers. If two legal moves differ only in equal pieces at different places, the
numbers are kept. For the other seats, `secret` arguments are masked, and so are chosen pieces that are hidden from some
seat. They do not notice a declined secret question, and learn of simultaneous choices when all have chosen.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Sequence
from typing import TYPE_CHECKING, Any

from dsl import ast
from dsl.lazy_dataclasses import dataclass
from dsl.symbols import ZoneSymbol
from dsl.types import PieceType, Several, Type, bare
from interpreter.compiler.decisions import Decision, acts_of, chosen_type
from interpreter.engine.program import Program
from interpreter.play.game import State
from interpreter.runtime.bitset import bits
from interpreter.runtime.cells import Cells
from interpreter.runtime.cells import Move as Code
from interpreter.seat.notation.moves import DECLINING

if TYPE_CHECKING:
    from interpreter.analysis.search_states import SearchState

Key = int
"""The number of a key: keys are numbered in order of first occurrence, the same for both backends."""

NOTHING = -1
"""The key of a move that is not noticed."""

MOST_KEPT = 1 << 16
"""Maximum number of cached lists of legal moves."""

Plain = Callable[[Any], Hashable]


@dataclass(frozen=True, slots=True, eq=False)
class Offer:
    """The legal moves of a decision, each with its key for the deciding seat and its key for the others.

    `at_once`: the others learn of it when all have chosen. `several`: one of several successive picks.
    """

    seat: int
    point: int
    own: tuple[Key, ...]
    public: tuple[Key, ...]
    at_once: bool
    several: bool


class MoveKeys:
    """Makes and keeps the keys of the moves of a program."""

    def __init__(self, program: Program) -> None:
        self._program = program
        self._numbers: dict[Hashable, Key] = {}
        self._offers: dict[tuple[int, int, Hashable], Offer] = {}
        self._readers: dict[int, _Reader] = {}

    def offer(self, search: SearchState[State]) -> Offer:
        """What is to be decided in a state."""
        key = search.point, search.seat, search.listed
        found = self._offers.get(key)
        if found is None:
            if len(self._offers) >= MOST_KEPT:
                self._offers.clear()
            found = self._offers[key] = self._offer(search.point, search.seat, search.legal_moves)
        return found

    @property
    def is_half_full(self) -> bool:
        """True if half as many lists of legal moves are cached as there is room for."""
        return len(self._offers) > MOST_KEPT // 2

    def _offer(self, point: int, seat: int, codes: Sequence[Code]) -> Offer:
        reader = self._readers.get(point)
        if reader is None:
            reader = self._readers[point] = _Reader(self._program, point)
        decision = reader.decision
        own = [reader.own(code) for code in codes]
        times = Counter(own)
        kept = [(key, code) if times[key] > 1 else (key,) for key, code in zip(own, codes, strict=True)]
        public = [
            NOTHING if decision.node.secretly and (decision.at_once or code[0] == DECLINING)
            else self._number(("seen", point, seat, reader.public(code, key)))
            for code, key in zip(codes, kept, strict=True)
        ]  # fmt: skip
        return Offer(
            seat, point, tuple([self._number(("own", point, seat, key)) for key in kept]), tuple(public),
            decision.at_once, decision.chosen is not None,
        )  # fmt: skip

    def _number(self, key: Hashable) -> Key:
        return self._numbers.setdefault(key, len(self._numbers))


class _Reader:
    """Reads the codes of one decision point."""

    def __init__(self, program: Program, point: int) -> None:
        decision = program.decision(Cells([point]))
        assert decision is not None
        self.decision: Decision = decision
        node = decision.node
        self._secret: dict[int, tuple[bool, ...]] = {}
        self._plain: dict[int, tuple[Plain | None, ...]] = {}
        if isinstance(node, ast.Choose):
            self._hidden = _hides_pieces(program, node)
            self._of_choice = _plain_of(program, chosen_type(program.model, node))
            return
        for number, act in enumerate(acts_of(node)):
            rule = program.model.rules[act.name]
            self._plain[number] = tuple(_plain_of(program, parameter.type) for parameter in rule.parameters)
            self._secret[number] = tuple(parameter.secret for parameter in rule.declaration.parameters)

    def own(self, code: Code) -> Hashable:
        """A move with its pieces by kind."""
        act = code[0]
        if act == DECLINING:
            return code
        if isinstance(self.decision.node, ast.Choose):
            return (act, *[value if self._of_choice is None else self._of_choice(value) for value in code[1:]])
        plain = self._plain[act]
        return (act, *[
            value if read is None else read(value) for value, read in zip(code[1:], plain, strict=True)
        ])  # fmt: skip

    def public(self, code: Code, key: tuple[Hashable, ...]) -> Hashable:
        """A move as the others learn of it."""
        act = code[0]
        if act == DECLINING:
            return key
        if isinstance(self.decision.node, ast.Choose):
            return act if self._hidden else key
        secret = self._secret[act]
        if not any(secret):
            return key
        plain = self._plain[act]
        return (act, *[
            None if hidden else value if read is None else read(value)
            for value, read, hidden in zip(code[1:], plain, secret, strict=True)
        ])  # fmt: skip


def _plain_of(program: Program, type_: Type) -> Plain | None:
    """The encoding of values of a type, with pieces by kind; None if the type contains no pieces."""
    kinds = [piece.kind for piece in program.layout.pieces]
    core = bare(type_)
    if isinstance(core, PieceType):
        return lambda value: None if value is None else kinds[value]
    if isinstance(core, Several):
        element = _plain_of(program, core.element)
        if element is not None and isinstance(bare(core.element), PieceType):
            return lambda value: tuple([kinds[piece] for piece in bits(value or 0)])
        if element is not None:
            return lambda value: tuple(sorted(map(element, value or ()), key=repr))
    return None


def _hides_pieces(program: Program, node: ast.Choose) -> bool:
    """True if the chosen pieces may, by the rules, be hidden from some seat."""
    if _plain_of(program, chosen_type(program.model, node)) is None:
        return False
    named = (program.model.refers.get(inner.number) for inner in node.domain.walk())
    zones = [symbol for symbol in named if isinstance(symbol, ZoneSymbol)]
    return not zones or any(zone.declaration.sights for zone in zones)


def has_masked_moves(program: Program) -> bool:
    """True if of some move, some seats learn more than others."""
    for node in program.model.nodes:
        match node:
            case ast.Decide() | ast.Choose() if node.secretly:
                return True
            case ast.Choose() if _hides_pieces(program, node):
                return True
            case ast.Parameter() if node.secret:
                return True
            case ast.EachPlayer() if node.at_once:
                return True
    return False
