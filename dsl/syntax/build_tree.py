"""From the parser's tree to the syntax tree: traversal, node numbers, spans, texts.

Nodes are built bottom-up without recursion, by one function of the `build_…` modules per grammar rule. Each is given
the builder, the span, and what was built for the children of the rule: their number, their order and which of them are
None are those of the rule in `grammar.lark`, so they are named and typed parameters.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import field
from typing import TypeVar

from dsl import ast
from dsl.diagnostics import Diagnostic, Replacement
from dsl.lazy_dataclasses import dataclass
from dsl.syntax.interpolation import Hole, Unbalanced, split
from dsl.syntax.layout import Token
from dsl.syntax.parser import Built, Tree
from dsl.text.numbers import MAX_NUMBER
from dsl.text.span import Source, Span

F = TypeVar("F", bound=Callable[..., Built])
BuildFunction = Callable[..., Built]
"""Builds the node for one grammar rule from the builder, the span of the rule and what its children became."""

ExpressionParser = Callable[[Source, int, int, int], tuple[ast.Expression | None, list[Diagnostic]]]
"""Parses the text between two offsets of a source, given the number of its first node."""

MAX_TREE_DEPTH = 120
"""Maximum nesting depth of the tree."""

FURTHEST = 10**18
"""Value of a number with an absurd number of digits: too large for everything, and quick to parse."""


class RuleSet(dict[str, BuildFunction]):
    """The functions that build nodes, by the name of the grammar rule."""

    def add(self, *rules: str) -> Callable[[F], F]:
        """Register a function for these rules of the grammar."""

        def register(function: F) -> F:
            self.update(dict.fromkeys(rules, function))
            return function

        return register


def parse_number(digits: str) -> int:
    """Parse a number; one that is too large stays too large."""
    return int(digits) if len(digits) < 19 else min(FURTHEST, int(digits.lstrip("0")[:19] or "0"))


class NestingError(Exception):
    """Raised when something is nested too deeply."""

    def __init__(self, span: Span) -> None:
        self.span = span
        super().__init__("nested too deeply")


@dataclass
class Builder:
    """Builds the nodes of one parse. `offset` is where the text of the tree begins in the source.

    `depth` is the number of trees around those that are built.
    `parse_expression` parses the expressions inside texts; `number` is the number of the next node.
    """

    source: Source
    rules: Mapping[str, BuildFunction]
    parse_expression: ExpressionParser
    number: int = 0
    offset: int = 0
    depth: int = 0
    diagnostics: list[Diagnostic] = field(default_factory=list)

    def next(self) -> int:
        """The number of a new node."""
        self.number += 1
        return self.number - 1

    def error(self, code: str, message: str, span: Span, helps: Iterable[str] = (), new: str | None = None) -> None:
        """Record a diagnostic; `new` is a replacement text."""
        replacements = () if new is None else (Replacement(span, new),)
        self.diagnostics.append(
            Diagnostic(code, "error", message, span, helps=tuple(helps)[:4], replacements=replacements)
        )

    def span(self, start: int, end: int) -> Span:
        """The span between two offsets of the text that was parsed."""
        return Span(self.source, start + self.offset, end + self.offset)

    def of_token(self, token: Token) -> Span:
        """Span of a token."""
        return self.span(token.start_pos, token.end_pos)

    def whole(self, token: Token) -> int:
        """The number of a token. One with so many digits that it would be quoted as another one is an error here."""
        value = parse_number(token)
        if value >= FURTHEST:
            self.error("E0305", f"the largest number is {MAX_NUMBER}", self.of_token(token))
        return value

    def name(self, token: Token) -> ast.Name:
        """Build a name from a token."""
        return ast.Name(span=self.of_token(token), number=self.next(), name=str(token))

    def text(self, token: Token) -> ast.Text:
        """Build a text from a quoted token, parsing the contents of braces as expressions."""
        span, value = self.of_token(token), str(token)[1:-1]
        parts: list[str | ast.Expression] = []
        for part in split(value):
            match part:
                case str():
                    parts.append(part)
                case Hole(start, end):
                    expression = self._hole(span.start + 1 + start, span.start + 1 + end)
                    parts += [expression] if expression is not None else []
                case Unbalanced(brace, offset):
                    self._unbalanced(brace, span.start + 1 + offset)
        return ast.Text(span=span, number=self.next(), value=value, parts=tuple(parts))

    def _hole(self, start: int, end: int) -> ast.Expression | None:
        if not self.source.text[start:end].strip():
            helps = ["write an expression between `{` and `}`"]
            self.error("E0118", "these braces are empty", Span(self.source, start - 1, end + 1), helps)
            return None
        expression, diagnostics = self.parse_expression(self.source, start, end, self.number)
        self.diagnostics += diagnostics
        if expression is not None:
            self.number = expression.number + 1
        return expression

    def _unbalanced(self, brace: str, offset: int) -> None:
        span = Span(self.source, offset, offset + 1)
        if brace == "}":
            self.error("E0118", "this `}` has no matching `{`", span)
        else:
            helps = ["an expression in a text is written between `{` and `}`"]
            self.error("E0118", "this `{` is never closed", span, helps)

    def build(self, tree: Tree) -> Built:
        """Build the node for a tree. Raises NestingError."""
        top: list[Built] = []
        # one entry per open tree: the tree, its remaining children, those already built, and where its result goes
        stack: list[tuple[Tree, list[Built], list[Built], list[Built]]] = [(tree, tree.children[::-1], [], top)]
        while stack:
            this, waiting, built, goal = stack[-1]
            while waiting:
                child = waiting.pop()
                if isinstance(child, Tree):
                    if len(stack) + self.depth > MAX_TREE_DEPTH:
                        raise NestingError(self._span(this))
                    stack.append((child, child.children[::-1], [], built))
                    break
                built.append(child)
            else:
                stack.pop()
                goal.append(self.rules[this.data](self, self._span(this), *built))
        return top[0]

    def _span(self, tree: Tree) -> Span:
        return self.span(0, 0) if tree.start < 0 else self.span(tree.start, tree.end)


def cites(token: Token | None) -> ast.Citations:
    """The ids between the brackets of a citation."""
    return () if token is None else tuple(token[1:-1].split())


def cited(*children: Built) -> tuple[tuple[Built, ...], ast.Citations]:
    """The children of a rule that ends in a list and a citation, apart."""
    return children[:-1], cites(children[-1])
