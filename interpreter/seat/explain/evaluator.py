"""Values of expressions in a state, as far as one seat, or an observer who sees everything, may know them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import field, replace
from itertools import starmap
from typing import Literal, NamedTuple

from dsl import ast
from dsl.lazy_dataclasses import dataclass
from dsl.symbols import BuiltinSymbol, FamilySymbol, LocalSymbol, ValueSymbol
from dsl.types import Contents, Kind, PieceType, Several, Type, bare
from interpreter.compiler.decisions import OVER_POINT
from interpreter.compiler.names import Destructured, Names
from interpreter.engine.program import Program
from interpreter.engine.sight import in_order
from interpreter.errors import PlayError
from interpreter.runtime.bitset import bits
from interpreter.runtime.cells import Cells, StoredValue, number_in
from interpreter.runtime.layout import POINT
from interpreter.runtime.primitives import as_set
from interpreter.seat.notation.words import member_words, value_words
from interpreter.seat.redaction import HiddenValueError, SeatVisibility, fully_known
from interpreter.wording.words import PLAIN, Words

HIDDEN = "hidden"
"""Replaces a value that the observing seat may not know."""

Rendering = Literal["value", "operand", "operand as read", "argument"]
"""Where a value stands: alone, inside an expression (as written, or as players read it), or in a notation."""


class ShownValue(NamedTuple):
    """An expression as the rules write it, such as a name in scope or part of a condition, and its value in words."""

    text: str
    value: str


@dataclass(frozen=True)
class Bindings:
    """The names in scope with their values, and those whose values may not be known."""

    values: Names = field(default_factory=dict)
    unknown: frozenset[LocalSymbol] = frozenset()

    @classmethod
    def of(
        cls,
        symbols: Sequence[LocalSymbol],
        values: Sequence[StoredValue],
        unknown: frozenset[LocalSymbol] = frozenset(),
    ) -> Bindings:
        """Bind names to values."""
        return cls(dict(zip(symbols, values, strict=True)), unknown)


NOTHING = Bindings()


class SeatEvaluator:
    """Evaluates expressions for a seat, or (None) for an observer who sees everything."""

    def __init__(self, program: Program, seat: int | None) -> None:
        self.program, self.seat = program, seat
        self.visibility = None if seat is None else SeatVisibility(program, seat)

    def active_visibility(self, state: Cells) -> SeatVisibility | None:
        """The visibility that applies in this state; None if nothing is hidden."""
        return None if state[POINT] == OVER_POINT else self.visibility

    def redacted(self, state: Cells) -> Cells:
        """The state, restricted to what the seat may read."""
        visibility = self.active_visibility(state)
        return state if visibility is None else visibility.redacted(state)

    def value(self, node: ast.Expression, names: Bindings, state: Cells) -> StoredValue:
        """The value of an expression. Raises HiddenValueError, PlayError."""
        # INVARIANT: no value that reaches a seat was computed from what the seat may not read. Cells are protected by
        # `redacted`, whose values refuse; a name is not a cell, so an expression that mentions an unknown one is not
        # evaluated.
        if any(self.program.mentions(node, symbol) for symbol in self._unknown(names, state)):
            raise HiddenValueError
        return self.program.value_of(node, self.redacted(state), names.values)

    def _unknown(self, names: Bindings, state: Cells) -> Iterator[LocalSymbol]:
        """The names whose values may not be known: those marked so, and pieces that are not seen."""
        visibility = self.active_visibility(state)
        if visibility is None:
            return
        unknown: set[LocalSymbol] = set()
        for symbol, value in names.values.items():
            if isinstance(value, Destructured):  # it has no value unless the test holds; what is taken apart decides
                open_ = not any(self.program.mentions(value.test.left, unknown_name) for unknown_name in unknown)
            else:
                open_ = visibility.value_seen(state, symbol.type, self._value_of(names, symbol, state))
            if symbol in names.unknown or not open_:
                unknown.add(symbol)
                yield symbol

    def _value_of(self, names: Bindings, symbol: LocalSymbol, state: Cells) -> StoredValue:
        return self.program.value_of_name(symbol, state, names.values)

    def is_open(self, node: ast.Expression | None, names: Bindings, state: Cells) -> bool:
        """True if the value of an expression may be known, or if there is no expression."""
        try:
            if node is not None and self.active_visibility(state) is not None:
                self.value(node, names, state)
        except HiddenValueError:
            return False
        except PlayError:
            # A fault is known as well: what it depends on has been read without meeting a hidden value.
            return True
        return True

    def members(self, type_: Type, value: StoredValue, state: Cells, words: Words = PLAIN) -> list[str]:
        """The members of a set or the contents of a zone, of many pieces each kind once, with its number."""
        seat = self.seat if self.active_visibility(state) is not None else None
        core = bare(type_)
        element = core.pieces if isinstance(core, Contents) else core.element if isinstance(core, Several) else None
        if not value or element is None or isinstance(element, Several):
            return []
        mask = number_in(value)
        members = member_words(self.program, state, element, mask, seat, words)
        if not isinstance(element, PieceType):
            return members
        first = dict(zip(reversed(members), reversed(in_order(self.program, state, seat, bits(mask))), strict=True))
        plurals = (
            (count, value_words(self.program, state, element, first[name], seat, words, count))
            for name, count in Counter(members).items()
        )
        return [name if count == 1 else words.several(count, name) for count, name in plurals]

    def words(self, type_: Type, value: StoredValue, state: Cells, words: Words = PLAIN) -> str:
        """Render a value; of many pieces each kind is listed once, with its number."""
        seat = self.seat if self.active_visibility(state) is not None else None
        members = self.members(type_, value, state, words)
        return ", ".join(members) if members else value_words(self.program, state, type_, value, seat, words)

    def argument_words(self, type_: Type, value: StoredValue, state: Cells) -> str:
        """Render an argument, a set in brackets as in a notation: its members are not arguments themselves."""
        words, core = self.words(type_, value, state), bare(type_)
        if not isinstance(core, Several):
            return words
        inside = words if value else ""
        return f"[{inside}]" if isinstance(bare(core.element), PieceType) else f"{{{inside}}}"

    def operand_words(
        self, type_: Type, value: StoredValue, state: Cells, words: Words = PLAIN, *, as_read: bool = False
    ) -> str:
        """Render a value inside an expression, several members in brackets: round ones, `as_read` by players."""
        text, core = self.words(type_, value, state, words), bare(type_)
        element = core.pieces if isinstance(core, Contents) else core.element if isinstance(core, Several) else None
        if element is None or not value:
            return text
        if not isinstance(element, Several) and len(self.members(type_, value, state, words)) < 2:
            return text
        if as_read:
            return f"({text})"
        return f"[{text}]" if isinstance(bare(element), PieceType) else f"{{{text}}}"

    def render(
        self, node: ast.Expression, names: Bindings, state: Cells, rendering: Rendering = "value", words: Words = PLAIN
    ) -> str:
        """Render the value of an expression, `hidden` if it may not be known; an argument is always in plain words."""
        try:
            type_, value = self.program.model.types[node.number], self.value(node, names, state)
            match rendering:
                case "value":
                    return self.words(type_, value, state, words)
                case "operand" | "operand as read":
                    return self.operand_words(type_, value, state, words, as_read=rendering != "operand")
                case "argument":
                    return self.argument_words(type_, value, state)
        except HiddenValueError:
            return HIDDEN
        except PlayError as fault:
            return fault.message

    def values_in_scope(self, names: Bindings, state: Cells, about: ast.Node | None = None) -> tuple[ShownValue, ...]:
        """The names with their rendered values: all, or those that a node mentions."""
        return self._in_scope(names, state, about, self.words)

    def arguments_in_scope(self, names: Bindings, state: Cells) -> tuple[ShownValue, ...]:
        """The names, which are those of the parameters of a rule, with their values rendered as arguments."""
        return self._in_scope(names, state, None, self.argument_words)

    def _in_scope(
        self, names: Bindings, state: Cells, about: ast.Node | None, words: Callable[[Type, StoredValue, Cells], str]
    ) -> tuple[ShownValue, ...]:
        hidden = set(self._unknown(names, state))
        return tuple(
            ShownValue(
                symbol.name,
                HIDDEN if symbol in hidden else words(symbol.type, self._value_of(names, symbol, state), state),
            )
            for symbol in names.values
            if about is None or self.program.mentions(about, symbol)
        )

    def operand_values(self, node: ast.Expression, names: Bindings, state: Cells) -> tuple[ShownValue, ...]:
        """The operands of a condition that explain its value, with their values.

        One that mentions `n` of `x is run(n)` has a value only if that holds.
        """
        value_by_text: dict[str, str] = {}
        captures = [(symbol, value.test) for symbol, value in names.values.items() if isinstance(value, Destructured)]
        missing = [symbol for symbol, test in captures if not self._may_hold(test, names, state)]
        for side in operands(node):
            if not self.is_literal(side) and not any(self.program.mentions(side, symbol) for symbol in missing):
                value_by_text[" ".join(side.span.text.split())] = self.render(side, names, state)
        return tuple(starmap(ShownValue, value_by_text.items()))

    def counted_members(self, node: ast.Expression, names: Bindings, state: Cells) -> tuple[ShownValue, ...]:
        """The sets that a condition counts, `hand[me] of kind` of `count hand[me] of kind`, with their members.

        A count that depends on a name bound inside the condition, `no k in Colour where count hand[me] of k > 2`, has
        a value for each of its values, and none of its own.
        """
        parts = (part for side in operands(node) for part in side.walk())
        counts = [
            part for part in parts
            if isinstance(part, ast.Count | ast.Quantified) and _is_count(part) and self._has_value(part, names)
        ]  # fmt: skip
        members_by_text = {counted_text(part): ", ".join(self.counted(part, names, state)) for part in counts}
        return tuple(ShownValue(text, members) for text, members in members_by_text.items() if members)

    def _has_value(self, node: ast.Expression, names: Bindings) -> bool:
        """True if an expression mentions no name but those in scope, and those that it binds itself."""
        refers = self.program.model.refers
        mentioned = {symbol for part in node.walk() if isinstance(symbol := refers.get(part.number), LocalSymbol)}
        inside = {part.number for part in node.walk()}
        return all(
            symbol in names.values or (symbol.node is not None and symbol.node.number in inside) for symbol in mentioned
        )

    def counted(
        self, node: ast.Count | ast.Quantified, names: Bindings, state: Cells, words: Words = PLAIN
    ) -> list[str]:  # fmt: skip
        """The members that are counted; empty if there are none, or if they may not be known."""
        try:
            if isinstance(node, ast.Count):
                type_ = self.program.model.types[node.operand.number]
                return self.members(type_, self.value(node.operand, names, state), state, words)
            (binder,) = node.binders
            symbol = self.program.model.refers[binder.number]
            assert isinstance(symbol, LocalSymbol)
            domain = self.program.members_of(binder.domain, self.redacted(state), names.values)
            members = [
                member for member in map(fully_known, domain)
                if node.where is None
                or self.value(node.where, replace(names, values={**names.values, symbol: member}), state)
            ]  # fmt: skip
        except (HiddenValueError, PlayError):
            return []
        if isinstance(bare(symbol.type), PieceType):
            return self.members(Several(symbol.type), as_set(map(number_in, members)), state, words)
        return [self.words(symbol.type, member, state, words) for member in members]

    def _may_hold(self, test: ast.Expression, names: Bindings, state: Cells) -> bool:
        """Whether a condition holds, or may do so for all that the seat knows."""
        try:
            return bool(self.value(test, names, state))
        except HiddenValueError:
            return True
        except PlayError:
            return False

    def with_captures(self, condition: ast.Expression, names: Bindings) -> Bindings:
        """The names, and those that a condition introduces if it holds, which its own parts may mention."""
        return replace(names, values=self.program.with_captures(condition, names.values))

    def is_literal(self, node: ast.Expression) -> bool:
        """True if the source text is the value already, or the expression has no value of its own."""
        symbol, type_ = self.program.model.refers.get(node.number), self.program.model.types.get(node.number)
        is_word = isinstance(node, ast.Name) and isinstance(symbol, ValueSymbol | BuiltinSymbol)
        literal = isinstance(node, ast.Number | ast.Text | ast.Pattern | ast.ListOf) or isinstance(symbol, FamilySymbol)
        return type_ is None or isinstance(type_, Kind) or literal or is_word


def counted_text(node: ast.Count | ast.Quantified) -> str:
    """The set that is counted, as it is written: `hand[me] of king`, `c in hand where c.rank > 3`."""
    return " ".join(node.span.text.removeprefix("count").split())


def _is_count(node: ast.Count | ast.Quantified) -> bool:
    return isinstance(node, ast.Count) or (node.quantifier == "count" and len(node.binders) == 1)


def joined_by_and(condition: ast.Expression) -> Iterator[ast.Expression]:
    """The conditions that are joined by `and`."""
    if isinstance(condition, ast.And):
        yield from joined_by_and(condition.left)
        yield from joined_by_and(condition.right)
    else:
        yield condition


def operands(node: ast.Expression) -> list[ast.Expression]:
    """The operands of a condition whose values explain its value."""
    match node:
        case ast.And() | ast.Or():
            return [*operands(node.left), *operands(node.right)]
        case ast.Not():
            return operands(node.operand)
        case ast.Compare():
            return [side for side in (node.left, node.right) if not isinstance(side, ast.Number | ast.Text)]
        case _:
            return [node]
