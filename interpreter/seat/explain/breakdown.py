"""Explanation of a number: the tree of its cases, sums and parts, computed by the same code that plays.

    points(red) = 7
      houses in the north = 4          the terms of `sum … for …`, each named after its member
        …
      longest wall = 3                 a definition, with the case that applied

Each part is evaluated by the program itself, with the names in scope there, so that an explanation cannot disagree with
the game. Evaluating a part again for each level costs time that does not matter for one answer, but a sum over a large
board has thousands of parts: `MAX_PARTS` and `MAX_EXPLANATION_DEPTH` bound it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import assert_never

from dsl import ast
from dsl.checker.names.declarations import EXAMPLE_NAMES
from dsl.checker.names.functions import OF_NUMBERS
from dsl.lazy_dataclasses import dataclass
from dsl.symbols import BuiltinSymbol, DefineSymbol, FamilySymbol, LocalSymbol, NoteSymbol, ValueSymbol
from dsl.types import Kind, ListType, Type
from interpreter.compiler.expression_facts import loose_pieces
from interpreter.compiler.names import NO_NAMES, Names
from interpreter.engine.program import Program
from interpreter.engine.sight import Standing, value_standing
from interpreter.runtime.cells import LEFT, LOOP, Cells, JournalEntry, ReasonPayload, StoredValue, number_in
from interpreter.runtime.layout import ME
from interpreter.seat.explain.evaluator import HIDDEN, Bindings, Rendering, SeatEvaluator, counted_text
from interpreter.seat.explain.reading_aloud import Reader
from interpreter.seat.notation.words import filled_text, kept_values
from interpreter.seat.redaction import HiddenValueError, fully_known
from interpreter.wording.phrases import Phrase
from interpreter.wording.words import Words

MAX_TERMS = 40
"""Maximum number of terms of a sum that are listed one by one."""

IF, IF_NOT = Phrase("if {condition}"), Phrase("not {condition}")
"""Which case of a definition, or branch of an `if`, gave a value."""

Term = tuple[tuple[StoredValue, ...], int]
"""A term of a sum: the values of its binders, and the term."""

MAX_PARTS = 1000
"""Maximum number of parts of an explanation; beyond that, parts are shown without their own parts."""

MAX_EXPLANATION_DEPTH = 40
"""Maximum depth of an explanation."""


@dataclass(frozen=True)
class Explanation:
    """A part of an expression with its value and the parts it was computed from; `place` is `file:line:column`.

    `case` is the condition of the case of a definition, or of an `if`, that gave the value, as it is in the file;
    empty where there is only one. `shown`, `text_shown` and `case_shown` are the value, the text and the case in the
    words in which people read the game, `members` are those of a set in these words.
    """

    text: str
    value: str
    children: tuple[Explanation, ...]
    location: str
    cites: tuple[str, ...]
    case: str = ""
    shown: str = ""
    members: tuple[str, ...] = ()
    text_shown: str = ""
    case_shown: str = ""

    def lines(self, depth: int = 0) -> Iterator[str]:
        """The tree as indented lines."""
        cites = f"  [{' '.join(self.cites)}]" if self.cites else ""
        case = f"  ({self.case})" if self.case else ""
        yield f"{'  ' * depth}{self.text} = {self.value}{case}{cites}"
        for child in self.children:
            yield from child.lines(depth + 1)


@dataclass(frozen=True)
class Origins:
    """The origins of a value: the trees of its parts, the items cited for it, the case that gave it."""

    children: Sequence[Explanation] = ()
    cites: tuple[str, ...] = ()
    case: str = ""
    case_shown: str = ""


class Explainer:
    """Explains expressions in one state; `unknown` are the names in scope whose values may not be known.

    `lists_counted`: what is counted is a part of the count. `reader` reads its expressions to people.
    """

    def __init__(
        self, program: Program, state: Cells, score_reasons: Mapping[int, Sequence[ScoreReason]] | None = None,
        evaluator: SeatEvaluator | None = None, unknown: frozenset[LocalSymbol] = frozenset(),
        lists_counted: bool = False, reader: type[Reader] = Reader,
    ) -> None:  # fmt: skip
        self.lists_counted, self.reader = lists_counted, reader
        self.program, self.state, self.score_reasons, self.unknown = program, state, score_reasons or {}, unknown
        self.evaluator = evaluator or SeatEvaluator(program, None)
        self.depth = self.parts = 0
        self.acting = program.layout.seats[state[ME]] if state[ME] != self.evaluator.seat else ""

    def value(self, node: ast.Expression, names: Names) -> StoredValue:
        """The value of an expression. Raises HiddenValueError, PlayError."""
        return self.evaluator.value(node, Bindings(names, self.unknown), self.state)

    def text(self, node: ast.Expression, names: Names) -> str:
        """The source text of an expression, with values for its locals where it is a name or call."""
        refers = self.program.model.refers
        if isinstance(node, ast.Call) and isinstance(refers.get(node.number), DefineSymbol):
            bound = Bindings(names, self.unknown)
            arguments = [self.evaluator.render(argument, bound, self.state, "operand") for argument in node.arguments]
            return f"{node.base.span.text}({', '.join(arguments)})"
        if isinstance(node, ast.Name) and isinstance(refers.get(node.number), LocalSymbol):
            return self.evaluator.render(node, Bindings(names, self.unknown), self.state)
        return " ".join(node.span.text.split())

    def text_shown(self, node: ast.Expression, names: Names) -> str:
        """An expression as a player reads it, with values for its locals and the seat that acts for `me`."""
        bound, words = Bindings(names, self.unknown), self.program.words

        def value(name: ast.Name) -> str | None:
            if self.program.model.refers.get(name.number) not in names:
                return None
            rendering: Rendering = "value" if name is node else "operand as read"
            return self.evaluator.render(name, bound, self.state, rendering, words)

        return self.reader(self.program.model, words, value, self.acting).read(node)

    def lines_of(self, node: ast.Expression) -> list[str]:
        """The tree of an expression as lines; empty for an expression without a value of its own."""
        return list(self.explain(node, NO_NAMES).lines()) if self.has_value(node) else []

    def has_value(self, node: ast.Expression) -> bool:
        """True if an expression has a value that differs from how it is written, unlike words, kinds and lists."""
        type_ = self.program.model.types.get(node.number)
        symbol = self.program.model.refers.get(node.number)
        is_word = isinstance(node, ast.Name) and isinstance(symbol, BuiltinSymbol | ValueSymbol)
        is_word = is_word and symbol is not None and symbol.name not in EXAMPLE_NAMES
        is_word = is_word or isinstance(symbol, FamilySymbol)
        without = isinstance(type_, Kind | ListType) or isinstance(node, ast.ListOf | ast.Pattern)
        return type_ is not None and not is_word and not without

    def explain(self, node: ast.Expression, names: Names) -> Explanation:
        """Build the tree of an expression; a part that may not be known is shown as hidden. Raises PlayError."""
        self.depth += 1
        self.parts += 1
        try:
            value, type_ = self.value(node, names), self.program.model.types[node.number]
            words = self.evaluator.words(type_, value, self.state)
            words_shown = self.evaluator.words(type_, value, self.state, self.program.words)
            members = tuple(self.evaluator.members(type_, value, self.state, self.program.words))
            origins = self._dependencies(node, names) if self._has_room() else Origins()
            return Explanation(
                self.text(node, names), words, tuple(origins.children), node.span.location, origins.cites, origins.case,
                words_shown, members, self.text_shown(node, names), origins.case_shown,
            )  # fmt: skip
        except HiddenValueError:
            shown = self.text_shown(node, names)
            return Explanation(self.text(node, names), HIDDEN, (), node.span.location, (), text_shown=shown)
        finally:
            self.depth -= 1

    def _has_room(self) -> bool:
        return self.depth < MAX_EXPLANATION_DEPTH and self.parts < MAX_PARTS

    def _dependencies(self, node: ast.Expression, names: Names) -> Origins:
        """The origins of the value of an expression."""
        symbol = self.program.model.refers.get(node.number)
        match node:
            case ast.Call() | ast.Name() if isinstance(symbol, DefineSymbol):
                arguments = node.arguments if isinstance(node, ast.Call) else ()
                return self._definition(symbol, arguments, names)
            case ast.Index() | ast.Name() if isinstance(symbol, NoteSymbol):
                return Origins(self._score_reasons(node, names))
            case ast.Aggregate():
                return Origins(self._terms(node, names))
            case ast.Arithmetic() | ast.Division():
                return Origins(self._parts((node.left, node.right), names))
            case ast.Call() if isinstance(symbol, BuiltinSymbol) and symbol.name in OF_NUMBERS:
                return Origins(self._parts(node.arguments, names))
            case ast.Negative():
                return Origins(self._parts((node.operand,), names))
            case ast.Count() | ast.Quantified(quantifier="count", binders=(_,)) if self.lists_counted:
                return Origins(self._counted(node, names))
            case ast.Either():
                with_captures = self.program.with_captures(node.condition, names)
                holds = bool(self.value(node.condition, with_captures))
                branch, scope = (node.then, with_captures) if holds else (node.otherwise, names)
                case = self._condition(IF if holds else IF_NOT, node.condition, names)
                return Origins(self._parts((branch,), scope), (), *case)
            case _:
                return Origins()

    def _counted(self, node: ast.Count | ast.Quantified, names: Names) -> list[Explanation]:
        """The members that are counted, as a part of its own; empty if there are none, or they may not be known."""
        operand = node.operand if isinstance(node, ast.Count) else node
        if isinstance(self.program.model.refers.get(operand.number), LocalSymbol):
            return []  # it is listed where it is bound
        bound, words = Bindings(names, self.unknown), self.program.words
        members = self.evaluator.counted(node, bound, self.state)
        if not members:
            return []
        listed = tuple(self.evaluator.counted(node, bound, self.state, words))
        text, shown = counted_text(node), self.text_shown(operand, names)
        joined = ", ".join(members), ", ".join(listed)
        return [Explanation(text, joined[0], (), node.span.location, (), "", joined[1], listed, shown)]

    def _parts(self, nodes: Sequence[ast.Expression], names: Names) -> list[Explanation]:
        """The trees of the parts of an expression; a part that is its own value, such as `3` or `-3`, is omitted."""
        return [self.explain(node, names) for node in nodes if not self._is_literal(node)]

    def _is_literal(self, node: ast.Expression) -> bool:
        operand = node.operand if isinstance(node, ast.Negative) else node
        return self.evaluator.is_literal(operand)

    def _score_reasons(self, node: ast.Index | ast.Name, names: Names) -> list[Explanation]:
        """The score reasons of a note; empty if anything else changed it as well."""
        if not self.score_reasons:
            return []
        cell = self.program.cell_of(node, self.state, names)
        reasons = self.score_reasons.get(cell, ())
        points = sum(reason.amount for reason in reasons)
        # INVARIANT: the parts shown for a note add up to its value. If some statement changed it without `because`, the
        # reasons explain only a part of it, and it is better to show none.
        if not reasons or number_in(self.program.initial[cell]) + points != self.state[cell]:
            return []
        return [Explanation(reason.text, str(reason.amount), (), reason.location, reason.cites) for reason in reasons]

    def _definition(self, symbol: DefineSymbol, arguments: tuple[ast.Expression, ...], names: Names) -> Origins:
        parameters: Names = {
            parameter: fully_known(self.value(argument, names))
            for parameter, argument in zip(symbol.parameters, arguments, strict=True)
        }
        declaration = symbol.declaration
        for case in declaration.cases:
            case_names = (
                parameters if case.condition is None else self.program.with_captures(case.condition, parameters)
            )
            if case.condition is None or self.value(case.condition, case_names):
                cites = tuple(dict.fromkeys((*declaration.cites, *case.cites)))
                named = self._case(declaration, case, parameters)
                if self._is_literal(case.value):
                    return Origins((), cites, *named)
                tree = self.explain(case.value, case_names)
                joined = isinstance(case.value, ast.Arithmetic | ast.Aggregate)
                return Origins(tree.children if joined else (tree,), cites, *named)
        return Origins((), declaration.cites)

    def _case(self, definition: ast.Define, case: ast.Case, names: Names) -> tuple[str, str]:
        """The condition of a case of a definition, as written and as read; empty if it has only one."""
        if len(definition.cases) < 2:
            return "", ""
        if case.condition is None:
            otherwise = self.program.words.phrase("otherwise")
            return otherwise, otherwise
        return self._condition(IF, case.condition, names)

    def _condition(self, phrase: Phrase, condition: ast.Expression, names: Names) -> tuple[str, str]:
        """A phrase about a condition, as written and as read."""
        say, written = self.program.words.phrase, " ".join(condition.span.text.split())
        return say(phrase, condition=written), say(phrase, condition=self.text_shown(condition, names))

    def _terms(self, node: ast.Aggregate, names: Names) -> list[Explanation]:
        """The terms of a sum that contribute, or those from which another function takes one.

        Of many terms only a few are listed: the first ones of a sum, with the others combined; otherwise one that is
        the value.
        """
        symbols = [self.program.model.refers[binder.number] for binder in node.binders]
        terms = self._in_order(node, self.program.terms_of(node, self.evaluator.redacted(self.state), names))
        others: list[Term] = []
        match node.function:
            case "sum":
                terms = [(values, amount) for values, amount in terms if amount]
                listed, others = terms[:MAX_TERMS], terms[MAX_TERMS:]
            case "highest" | "lowest":
                value = self.value(node, names)
                listed = terms if len(terms) <= MAX_TERMS else [term for term in terms if term[1] == value][:1]
            case _ as never:
                assert_never(never)
        addends: list[Explanation] = []
        for values, _ in listed:
            words, shown = list[str](), list[str]()
            member_names = dict(names)
            for symbol, value in zip(symbols, values, strict=True):
                assert isinstance(symbol, LocalSymbol)
                member_names[symbol] = fully_known(value)
                words.append(self.evaluator.words(symbol.type, value, self.state))
                shown.append(self.evaluator.words(symbol.type, value, self.state, self.program.words))
            tree = self.explain(node.value, member_names)
            addends.append(replace(tree, text=" ".join(words), text_shown=" ".join(shown)))
        if others:
            rest = sum(amount for _, amount in others)
            addends.append(
                Explanation(
                    self.program.words.phrase("{number} more", number=len(others)),
                    str(rest),
                    (),
                    node.span.location,
                    (),
                )
            )
        return addends

    def _in_order(self, node: ast.Aggregate, terms: list[Term]) -> list[Term]:
        """The terms; those about pieces in no order follow the order in which these are listed for the seat."""
        loose = [loose_pieces(self.program.model, binder.domain) for binder in node.binders]
        if not any(loose) or self.evaluator.active_visibility(self.state) is None:
            return terms
        types = [self._type_bound(binder) for binder in node.binders]

        def rank(numbered: tuple[int, Term]) -> tuple[Standing, ...]:
            number, (values, _) = numbered
            return tuple(
                value_standing(self.program, self.state, self.evaluator.seat, type_, value)
                if in_no_order
                else (number,)
                for type_, value, in_no_order in zip(types, values, loose, strict=True)
            )

        return [term for _, term in sorted(enumerate(terms), key=rank)]

    def _type_bound(self, binder: ast.Binder) -> Type:
        symbol = self.program.model.refers[binder.number]
        assert isinstance(symbol, LocalSymbol)
        return symbol.type


def value_headline(explained: Explanation, value: str, case: str, words: Words) -> str:
    """The answer to what a value is; `case` is the case that gave it, if there are several."""
    headline = words.phrase("{left} is {right}", left=explained.text, right=value)
    return f"{headline} ({case})" if case else headline


def explain(
    program: Program,
    state: Cells,
    node: ast.Expression,
    score_reasons: Mapping[int, Sequence[ScoreReason]] | None = None,
) -> Explanation:
    """Explain the value of an expression in a state; `score_reasons` maps cells to their score reasons.

    Raises PlayError if the expression has no value.
    """
    return Explainer(program, state, score_reasons).explain(node, NO_NAMES)


# ---- Score reasons: what the rules say with `because`, kept in the journal beside the change itself


@dataclass(frozen=True)
class ScoreReason:
    """One addition to a number with its reason; `amount` may be negative."""

    text: str
    amount: int
    location: str
    cites: tuple[str, ...]


def score_reason(program: Program, state: Cells, payload: ReasonPayload, seat: int | None) -> ScoreReason:
    """Read a score reason from an entry of the journal, as a seat may know it."""
    number, _, amount, values = payload
    node = program.nodes[number]
    assert isinstance(node, ast.Add)
    assert node.because is not None
    text = filled_text(program, state, node.because, kept_values(node.because, iter(values)), seat)
    return ScoreReason(text, amount, node.span.location, node.cites)


def score_reasons_of(
    program: Program, state: Cells, journal: Iterable[JournalEntry], seat: int | None = None
) -> dict[int, list[ScoreReason]]:
    """All score reasons by the cell they concern, in the order of play.

    Reasons from a loop over pieces are sorted for a seat, because the order of its rounds follows the pieces, seen or
    not.
    """
    reasons: dict[int, list[ScoreReason]] = {}
    depth, added = 0, dict[int, list[ScoreReason]]()
    for cell, payload in journal:
        if isinstance(payload, ReasonPayload):
            reason = score_reason(program, state, payload, seat)
            (added if depth else reasons).setdefault(payload.cell, []).append(reason)
        elif cell == LOOP and seat is not None:
            depth = 0 if payload == LEFT else depth + (1 if payload is not None else -1)
            if depth <= 0:
                _add_sorted(reasons, added)
    _add_sorted(reasons, added)
    return reasons


def _add_sorted(reasons_by_cell: dict[int, list[ScoreReason]], added: dict[int, list[ScoreReason]]) -> None:
    for cell, reasons in added.items():
        reasons_by_cell.setdefault(cell, []).extend(
            sorted(reasons, key=lambda reason: (reason.location, reason.text, reason.amount))
        )
    added.clear()
