"""State shared by all checks: the model being built, the diagnostics, and the names in scope."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import field, replace
from functools import cached_property

from dsl import ast
from dsl.boards.model import Incidence
from dsl.checker.example_memory import ExampleMemory
from dsl.diagnostics import Cause, Diagnostic, Label, Replacement, Severity
from dsl.lazy_dataclasses import dataclass
from dsl.model import Model
from dsl.symbols import FamilySymbol, LocalSymbol, PhaseSymbol, RuleSymbol, Symbol, ValueSymbol
from dsl.text.span import Span
from dsl.text.spelling import nearest
from dsl.types import Type


@dataclass
class Context:
    """The model being built, and the diagnostics.

    `used` are the numbers of declarations that are used somewhere, `assigned` the names that some statement changes,
    `incidence` the incidence of the board for each choice of its alternatives. `lacking` means that places of the board
    could not be found, so that an unknown name may be one of them. `missing_types` are named but not declared,
    `forgotten_types` those of them that are no misspelling of another one, so that their values are unknown, too;
    `lost` are names of declarations that could not be read. `sizes` are the numbers each size name can mean, by its key
    in `model.chosen`; `size_names` are the nodes using it. `reported` is where there have been
    diagnostics: a new one elsewhere need not be compared with any of them. `example_memory` is what is known of the
    examples from an earlier check.
    """

    model: Model
    diagnostics: list[Diagnostic] = field(default_factory=list)
    used: set[int] = field(default_factory=set)
    assigned: set[str] = field(default_factory=set)
    incidence: dict[tuple[str, ...], Incidence] = field(default_factory=dict)
    lacking: bool = False
    missing_types: set[str] = field(default_factory=set)
    forgotten_types: set[str] = field(default_factory=set)
    lost: frozenset[str] = frozenset()
    sizes: dict[str, tuple[int, ...]] = field(default_factory=dict)
    size_names: list[ast.Name] = field(default_factory=list)
    reported: set[tuple[int, int]] = field(default_factory=set)
    example_memory: ExampleMemory | None = None

    @property
    def globals(self) -> dict[str, Symbol]:
        """The declared names."""
        return self.model.globals

    @property
    def values(self) -> dict[str, list[ValueSymbol]]:
        """The named values by name."""
        return self.model.values

    @property
    def families(self) -> dict[str, list[FamilySymbol]]:
        """The values with arguments by name."""
        return self.model.families

    @cached_property
    def choice_names(self) -> tuple[str, ...]:
        """The names that `choose` gives to what is chosen."""
        return tuple(dict.fromkeys(node.name for node in self.model.nodes if isinstance(node, ast.Choose | ast.Pick)))

    def error(
        self,
        code: str,
        message: str,
        where: ast.Node | Span,
        helps: Iterable[str] = (),
        labels: Iterable[Label] = (),
        severity: Severity = "error",
        proposals: Sequence[str] = (),
        at: Span | None = None,
        new: str | Replacement | None = None,
        causes: Sequence[Cause | None] = (),
    ) -> None:
        """Record a diagnostic; see `dsl/catalogue` for the codes.

        `proposals` are candidates for a misspelt name, `new` is a replacement text; both replace `at`, or the span of
        the diagnostic. Diagnostics with the same cause are merged into one.
        """
        span = where if isinstance(where, Span) else where.span
        if proposals:
            helps = [f"did you mean {' or '.join(f'`{word}`' for word in proposals)}?", *helps]
        words = [*proposals, *([new] if isinstance(new, str) else [])]
        replacements = [Replacement(at or span, word) for word in words] + (
            [new] if isinstance(new, Replacement) else []
        )
        diagnostic = Diagnostic(code, severity, message, span, tuple(labels), tuple(helps)[:4], tuple(replacements))
        diagnostic = replace(diagnostic, causes=tuple(cause for cause in causes if cause is not None))
        place = span.start, span.end
        if place not in self.reported or diagnostic not in self.diagnostics:
            self.reported.add(place)
            self.diagnostics.append(diagnostic)

    def names(self) -> list[str]:
        """Every global name usable as a value, every value, and what may be one, as candidates for suggestions."""
        usable = (name for name, symbol in self.globals.items() if not isinstance(symbol, PhaseSymbol | RuleSymbol))
        return [*usable, *self.values, *self.families, *self.lost]


def near(name: str, candidates: Iterable[str]) -> list[str]:
    """Candidates spelled similarly to a name, closest first."""
    return nearest(name, candidates)


def spelt(node: ast.Node, name: str) -> Span:
    """Span of a name within a node that begins with it or contains it after a word or a dot."""
    match = re.search(rf"(?<![\w]){re.escape(name)}\b", node.span.text)
    start = node.span.start + (match.start() if match else 0)
    return Span(node.span.source, start, start + len(name)) if match else node.span


@dataclass
class Scope:
    """The local names in scope: parameters, binders, lets and choices."""

    context: Context
    outer: Scope | None = None
    locals: dict[str, LocalSymbol] = field(default_factory=dict)

    def find(self, name: str) -> LocalSymbol | None:
        """Look up a local name, innermost scope first."""
        if name in self.locals:
            return self.locals[name]
        return self.outer.find(name) if self.outer else None

    def inner(self) -> Scope:
        """Open a scope inside this one."""
        return Scope(self.context, self)

    def bind(
        self, name: str, type_: Type, role: str, node: ast.Node, *, beside: frozenset[str] = frozenset()
    ) -> LocalSymbol:
        """Bring a name into scope; report it if it hides another, except one of those that it may stand `beside`."""
        hidden: Symbol | None = self.find(name) or (None if name in beside else self.context.globals.get(name))
        if hidden is None and name in self.context.values:
            hidden = self.context.values[name][0]
        if hidden is None and name in self.context.families:
            hidden = self.context.families[name][0]
        if hidden is not None:
            declared = spelt(hidden.node, name) if hidden.node else None
            labels = [Label(hidden.node.span, f"`{name}` is declared here")] if hidden.node else []
            cause = Cause("hidden", name, declared) if declared else None
            message, helps = f"`{name}` would hide another `{name}`", ["choose another name here"]
            if hidden.node is None:
                message = f"`{name}` is a built-in name"
            self.context.error("E0204", message, node, helps, labels, causes=[cause])
        symbol = LocalSymbol(name, node, type_, role)
        self.locals[name] = symbol
        self.context.model.refers[node.number] = symbol
        return symbol

    def visible(self) -> list[str]:
        """Every local name in scope, for suggestions."""
        return [*self.locals, *(self.outer.visible() if self.outer else [])]
