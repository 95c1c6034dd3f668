"""Expressions as Python source. `env` maps local names to the Python expression that holds their value."""

from __future__ import annotations

from dsl import ast
from dsl.checker.types.type_declarations import GREATEST_MEMBER
from dsl.model import Model
from dsl.symbols import (
    BuiltinSymbol,
    ConstantSymbol,
    DefineSymbol,
    DieSymbol,
    FamilySymbol,
    LocalSymbol,
    NoteSymbol,
    OptionSymbol,
    Symbol,
    TypeSymbol,
    ValueSymbol,
    ZoneSymbol,
)
from dsl.types import (
    PLAYER,
    Contents,
    Listed,
    Maybe,
    Number,
    PieceType,
    Several,
    Truth,
    Type,
    bare,
    element_of,
    numeric,
    overlap,
    part_of,
)
from interpreter.compile.comparisons import Comparisons
from interpreter.compile.domains import Env
from interpreter.compile.graphs import GRAPH_FUNCTIONS
from interpreter.compile.grids import GRID_FUNCTIONS
from interpreter.compile.naming import named
from interpreter.layout.cells import ME, Layout


class Expressions(Comparisons):
    """Emits expressions for one layout. Emitted text is always safe to stand inside any other."""

    def __init__(self, layout: Layout) -> None:
        self.layout = layout
        self.model: Model = layout.model
        self.tables: dict[str, object] = {}
        self.replaced: dict[int, str] = {}
        self.sizes: dict[str, int] = {}
        self.asked_once = None
        self.held = None
        self.fresh = 0

    # ------------------------------------------------------------ entry points

    def value(self, node: ast.Expression, env: Env) -> str:
        """The value of an expression; may be None where its type is `or none`."""
        if node.number in self.replaced:
            return self.replaced[node.number]
        match node:
            case ast.Name():
                return self._name(node, env)
            case ast.Number():
                return str(node.value) if node.value >= 0 else f"({node.value})"
            case ast.Range():
                return str(sum(1 << n for n in range(node.low, node.high + 1)))
            case ast.Index():
                return self._index(node, env)
            case ast.Call():
                return self._call(node, env)
            case ast.Attribute():
                return self._attribute(node, env)
            case ast.SetOf():
                return self._set_of(node, env)
            case ast.Filter():
                return self.filtered(node, env)
            case ast.Builder():
                return self.built(node, env)
            case ast.Either():
                inner, type_ = self.taken(node.condition, env), self.type_of(node)
                condition, then = self.value(node.condition, inner), self.kept(node.then, type_, inner)
                return f"({then} if {condition} else {self.kept(node.otherwise, type_, env)})"
            case ast.Quantified():
                return self.quantified(node, env)
            case ast.Best():
                return self.best(node, env)
            case ast.Aggregate():
                return self.aggregate(node, env)
            case ast.Count() if self.is_family(node.operand):
                return f"len({self.mask(node.operand, env)})"
            case ast.Count():
                return f"({self.mask(node.operand, env)}).bit_count()"
            case ast.Of() if self._of_places(node):
                return self._filled_with(node, env)
            case ast.Of():
                return f"({self.mask(node.whole, env)} & {self.kind(node.part, self.pieces_of(node.whole), env)})"
            case ast.Compare():
                return self._compare(node, env)
            case ast.Arithmetic():
                return self._arithmetic(node, env)
            case ast.Negative():
                return f"(-{self.needed(node.operand, env)})"
            case ast.Not():
                return f"(not {self.value(node.operand, env)})"
            case ast.And():
                return f"({self.value(node.left, env)} and {self.value(node.right, env)})"
            case ast.Or():
                return f"({self.value(node.left, env)} or {self.value(node.right, env)})"
            case _:
                raise AssertionError(f"{node.kind} has no value")

    def needed(self, node: ast.Expression, env: Env) -> str:
        """The value where there must be one: `or none` is looked at in play."""
        text = self.value(node, env)
        type_ = self.type_of(node)
        if isinstance(type_, Contents) and type_.shape == "one":
            return f"need(lowest({text}), {node.number})"
        return f"need({text}, {node.number})" if isinstance(type_, Maybe) else text

    def plain(self, node: ast.Expression, env: Env) -> str:
        """The value by itself: of a zone that holds one, the piece or None."""
        text, type_ = self.value(node, env), self.type_of(node)
        return f"lowest({text})" if isinstance(type_, Contents) and type_.shape == "one" else text

    def kept(self, node: ast.Expression, type_: Type, env: Env) -> str:
        """The value as it is kept under a name of this type."""
        return self.mask(node, env) if isinstance(type_, Several) else self.plain(node, env)

    def fitted(
        self, node: ast.Expression, wanted: Type, env: Env, text: str | None = None, actual: Type | None = None
    ) -> str:
        """A value for a place of a stated type; what may be none, or leave its range, is looked at in play."""
        actual = actual or self.type_of(node)
        core = bare(wanted)
        if isinstance(core, Several):
            text = text or self.kept(node, wanted, env)
            element = element_of(actual)
            if element is not None and overlap(element, core.element) and not part_of(element, core.element):
                allowed = sum(1 << value for value in self.layout.members(core.element))
                return f"subset({text}, {allowed}, {node.number})"
            if element is None or not numeric(core.element) or self._within(bare(element), core.element):
                return text
            allowed = sum(1 << value for value in self.layout.members(core.element))
            return f"subset({text}, {allowed}, {node.number})"
        text = text or (self.plain(node, env) if isinstance(wanted, Maybe) else self.needed(node, env))
        if not numeric(core) or self._within(bare(actual), core):
            return self.one_of(text, bare(actual), core, node)
        if isinstance(core, Number):
            return f"in_range({text}, {core.low}, {core.high}, {node.number})"
        return f"among({text}, {tuple(self.layout.members(core))}, {node.number})"

    def _within(self, actual: Type, wanted: Type) -> bool:
        """Whether every number of one type is one of the other."""
        if actual == wanted or not numeric(actual):
            return True
        if isinstance(wanted, Number):
            if isinstance(actual, Number):
                return wanted.low <= actual.low and actual.high <= wanted.high
            return all(wanted.low <= value <= wanted.high for value in self.layout.members(actual))
        if isinstance(actual, Number) and actual.high - actual.low > 99:
            return False
        return set(self.layout.members(actual)) <= set(self.layout.members(wanted))

    def member_value(self, node: ast.Expression, env: Env) -> str:
        """A value that goes into a set; numbers in sets are looked at in play."""
        text, type_ = self.plain(node, env), bare(self.type_of(node))
        if isinstance(type_, Number) and not (type_.low >= 0 and type_.high <= GREATEST_MEMBER):
            return f"in_range({text}, 0, {GREATEST_MEMBER}, {node.number})"
        return text

    def mask(self, node: ast.Expression, env: Env) -> str:
        """A set, the contents of a zone, or a single piece, as a bit mask."""
        type_ = self.type_of(node)
        text = self.value(node, env)
        if isinstance(bare(type_), PieceType):
            if isinstance(type_, Maybe):
                return f"as_set(({text},))"
            return f"(1 << {text})"
        if isinstance(type_, Maybe):
            return f"({text} or ())" if self.is_family(node) else f"({text} or 0)"
        return text

    def number_of(self, value: int | str | bool | None) -> str:
        """A constant."""
        return f"({value})" if isinstance(value, int) and value < 0 else str(value)

    # ------------------------------------------------------------ names and places

    def _name(self, node: ast.Name, env: Env) -> str:
        symbol = self.model.refers[node.number]
        match symbol:
            case LocalSymbol():
                return env[symbol]
            case ValueSymbol():
                return self._named_value(symbol)
            case ConstantSymbol():
                return self._constant(symbol)
            case OptionSymbol():
                return self._option(symbol)
            case TypeSymbol():
                return str(sum(1 << value for value in self.layout.members(symbol.type)))
            case ZoneSymbol():
                if symbol.index:
                    return self._filled(symbol)
                return f"S[{self.layout.first_mask[symbol.name]}]"
            case NoteSymbol() | DieSymbol():
                return f"S[{self.layout.first_note[symbol.name]}]"
            case DefineSymbol():
                return self.inlined(symbol, []) or f"{named('f', symbol.name)}(S)"
            case BuiltinSymbol():
                return self._builtin(symbol)
            case _:
                low, high = self.layout.piece_range[symbol.name]
                return str((1 << high) - (1 << low))

    def _named_value(self, symbol: ValueSymbol) -> str:
        if symbol.type == PLAYER:
            return str(self.layout.seats.index(symbol.name)) if symbol.name in self.layout.seats else "None"
        if isinstance(symbol.type, Listed) and symbol.type.numeric:
            return symbol.name
        assert isinstance(symbol.type, Listed)
        value = self.layout.member(self.model.type_symbols[symbol.type.name], symbol.position)
        return str(value) if value in self.layout.members(symbol.type) else "None"

    def _constant(self, symbol: ConstantSymbol) -> str:
        """A cell of a table by players: a number, a truth, the value of an option, a value."""
        cell = symbol.by_count[len(self.layout.seats)]
        option = self.model.options.get(str(cell))
        core = bare(symbol.type)
        if option is not None:
            return self._option(option)
        if isinstance(cell, int) or isinstance(core, Truth):
            return self.number_of(cell if isinstance(cell, int) else cell == "true")
        if core == PLAYER:
            return str(self.layout.seats.index(cell)) if cell in self.layout.seats else "None"
        assert isinstance(core, Listed)
        return str(self.layout.value_of(core, cell))

    def _option(self, symbol: OptionSymbol) -> str:
        if symbol.by_chance and self.layout.options[symbol.name] == "random":
            return f"S[{self.layout.first_note['option ' + symbol.name]}]"
        return self.number_of(self.option_value(symbol))

    def option_value(self, symbol: OptionSymbol) -> int | bool | None:
        """The value of an option as it is kept; a seat that does not play is the first seat."""
        text = self.layout.options[symbol.name]
        core = bare(symbol.type)
        if text == "none":
            return None
        if isinstance(core, Truth):
            return text == "true"
        if core == PLAYER:
            return self.layout.seats.index(text) if text in self.layout.seats else 0
        if numeric(core):
            return int(text)
        assert isinstance(core, Listed)
        return self.layout.value_of(core, text)

    def _builtin(self, symbol: BuiltinSymbol) -> str:
        players = len(self.layout.seats)
        return {
            "me": f"S[{ME}]",
            "none": "None",
            "nobody": "None",
            "all": str((1 << players) - 1),
            "true": "True",
            "false": "False",
            "over": "over(S)",
            "winners": "winners(S)",
            "moves": "moves(S)",
            "player": "player(S)",
        }[symbol.name]

    # ------------------------------------------------------------ calls

    def _call(self, node: ast.Call, env: Env) -> str:
        symbol: Symbol = self.model.refers[node.number]
        if isinstance(symbol, DefineSymbol):
            pairs = zip(node.arguments, symbol.parameters, strict=True)
            arguments = [self.fitted(argument, parameter.type, env) for argument, parameter in pairs]
            return self.inlined(symbol, arguments) or f"{named('f', symbol.name)}({', '.join(['S', *arguments])})"
        if isinstance(symbol, FamilySymbol):
            return self.family_value(symbol, node, env)
        return self._function(symbol.name, node, env)

    def _function(self, name: str, node: ast.Call, env: Env) -> str:
        count = len(self.layout.seats)
        arguments = node.arguments
        if name in GRAPH_FUNCTIONS:
            return self.graph_function(name, node, env)
        if name in GRID_FUNCTIONS:
            return self.grid_function(name, node, env)
        if name in ("first", "last", "nth") and self.is_family(arguments[-1]):
            return self._of_family(name, arguments, env)
        match name:
            case "handfuls":
                parts = [self.groups(arguments[0], env), *(self.needed(end, env) for end in arguments[1:])]
                return f"handfuls({', '.join(parts)}, {node.number})"
            case "left":
                return f"(({self.needed(arguments[0], env)} + 1) % {count})"
            case "right":
                return f"(({self.needed(arguments[0], env)} - 1) % {count})"
            case "first" if len(arguments) == 2:
                pieces = f"bits({self.mask(arguments[1], env)})"
                if isinstance(self.type_of(arguments[1]), Contents):
                    pieces = f"contents(S, {self.place(arguments[1], env)})"
                return f"as_set({pieces}[:max(0, {self.needed(arguments[0], env)})])"
            case "first" | "top" if isinstance(self.type_of(arguments[0]), Contents):
                return f"nth(S, 1, {self.place(arguments[0], env)})"
            case "last" | "bottom" if isinstance(self.type_of(arguments[0]), Contents):
                place = self.place(arguments[0], env)
                return f"nth(S, len(contents(S, {place})), {place})"
            case "first":
                return f"lowest({self.mask(arguments[0], env)})"
            case "last":
                return f"highest_member({self.mask(arguments[0], env)})"
            case "nth" if not isinstance(self.type_of(arguments[1]), Contents):
                return f"nth_member({self.needed(arguments[0], env)}, {self.mask(arguments[1], env)})"
            case "nth":
                return f"nth(S, {self.needed(arguments[0], env)}, {self.place(arguments[1], env)})"
            case "magnitude":
                return f"abs({self.needed(arguments[0], env)})"
            case "sees":
                seat = self.needed(arguments[0], env)
                if isinstance(self.model.refers.get(arguments[1].number), NoteSymbol):
                    return f"sees_note(S, {seat}, {self.cell(arguments[1], env)})"
                if isinstance(self.type_of(arguments[1]), Contents):
                    return f"sees_place(S, {seat}, {self.place(arguments[1], env)})"
                return f"sees_piece(S, {seat}, {self.needed(arguments[1], env)})"
            case _:
                raise AssertionError(name)

    def _of_family(self, name: str, arguments: tuple[ast.Expression, ...], env: Env) -> str:
        sets = self.mask(arguments[-1], env)
        if name == "first" and len(arguments) == 2:
            return f"{sets}[:max(0, {self.needed(arguments[0], env)})]"
        number = {"first": "1", "last": "-1"}.get(name) or self.needed(arguments[0], env)
        return f"nth_set({number}, {sets})"
