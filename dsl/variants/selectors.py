"""Selectors: finding in the base what a variant refers to, by name, reason, condition or first word.

Each function returns what was found, or a diagnostic that lists the likely candidates.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher, get_close_matches
from functools import cached_property

from dsl import ast
from dsl.diagnostics import Diagnostic, Label, Replacement
from dsl.text.span import Span
from dsl.variants.declaration_kinds import SINGLE, TITLED, called, name_of, sort_of, spoken, with_article

MOST = 4
"""Maximum number of candidates listed."""


@dataclass(frozen=True)
class Base:
    """The game that a variant changes, with the companion file of its examples if it was read."""

    file: ast.GameFile
    companion: ast.ExamplesFile | None

    @cached_property
    def declarations(self) -> tuple[ast.Node, ...]:
        """Everything that can be selected by its kind and name, in source order."""
        found: list[ast.Node] = [self.file.header, *self.file.options]
        for part in self.file.parts:
            for node in part.declarations:
                found += _with_phases(node)
        return (*found, *(self.companion.examples if self.companion else ()))

    def declared(self, sort: str, name: str, place: Span) -> ast.Node | Diagnostic:
        """The only declaration of a kind and name; titles may be given in part."""
        same = [node for node in self.declarations if sort_of(node) == sort]
        if sort in SINGLE:
            fitting = same
        else:
            fitting = [node for node in same if name_of(node) == name]
            if not fitting and sort in TITLED and name:
                fitting = [node for node in same if name in name_of(node)]
        if len(fitting) == 1:
            return fitting[0]
        if fitting:
            number = len(fitting)
            twice = f"the game has {number} times {called(sort, name)}"
            titled = f'{number} {sort}s have `"{name}"` in their titles'
            return _several(titled if sort in TITLED else twice, place, fitting)
        return self._none(sort, name, place, same)

    def _none(self, sort: str, name: str, place: Span, same: Sequence[ast.Node]) -> Diagnostic:
        other = next(
            (node for node in self.declarations if sort not in TITLED and name and name_of(node) == name), None
        )
        if other is not None:
            word = sort_of(other)
            return Diagnostic(
                "E0801", "error", f"`{name}` is {with_article(spoken(word))}, not {with_article(spoken(sort))}", place,
                (Label(other.span, "declared here"),), (f"say `{word} {name}`",), _put(place, sort, word),
            )  # fmt: skip
        return _unknown(f"the game has no {called(sort, name)}", place, name, [name_of(node) for node in same])


def requirement(rule: ast.Action | ast.Step, words: str, place: Span) -> ast.Require | Diagnostic:
    """The only requirement whose reason has these words."""
    exact = [node for node in rule.requires if node.reason.value == words]
    found = exact or [node for node in rule.requires if words in node.reason.value]
    if len(found) == 1:
        return found[0]
    if found:
        return _several(f"{len(found)} requirements of `{rule.name}` have these words in their reasons", place, found)
    reasons = [f'`"{node.reason.value}"`' for node in rule.requires]
    return _lacks(rule, f"no requirement of `{rule.name}` has these words in its reason", place, words, reasons)


def case(define: ast.Define, condition: ast.Expression | None, place: Span) -> ast.Case | Diagnostic:
    """The only case with this condition; without a condition the last one, which is `otherwise`."""
    found = [node for node in define.cases if node.condition == condition]
    if len(found) == 1:
        return found[0]
    if found:
        return _several(f"{len(found)} cases of `{define.name}` have this condition", place, found)
    guards = [f"`if {_text(node.condition)}`" if node.condition else "`otherwise`" for node in define.cases]
    wanted = f"if {_text(condition)}" if condition else "otherwise"
    return _lacks(define, f"`{define.name}` has no case with this condition", place, wanted, guards)


def row(tables: Sequence[ast.TypeTable | ast.ByPlayers], key: str | int, place: Span) -> ast.Row | Diagnostic:
    """The only row that begins with this name or number."""
    every = [node for table in tables for node in table.rows]
    found = [node for node in every if node.key == key]
    if len(found) == 1:
        return found[0]
    if found:
        return _several(f"{len(found)} rows begin with `{key}`", place, found)
    message = f"no row of {called(sort_of(tables[0]), name_of(tables[0]))} begins with `{key}`"
    return _unknown(message, place, str(key), [str(node.key) for node in every])


def _with_phases(node: ast.Node) -> Iterator[ast.Node]:
    yield node
    if isinstance(node, ast.Phase):
        for inner in node.phases:
            yield from _with_phases(inner)


def _text(node: ast.Node) -> str:
    return " ".join(node.span.text.split())


def _unknown(message: str, place: Span, name: str, known: Sequence[str]) -> Diagnostic:
    """Report an unknown name, with the most similar known ones as candidates."""
    close = get_close_matches(name, sorted(set(known) - {""}), n=MOST, cutoff=0.6)
    helps = (f"did you mean {' or '.join(f'`{word}`' for word in close)}?",) if close else ()
    ways = tuple(way for word in close for way in _put(place, name, word))
    return Diagnostic("E0801", "error", message, place, helps=helps, replacements=ways)


def _put(place: Span, word: str, other: str) -> tuple[Replacement, ...]:
    """Replace the text at a span by another word."""
    found = re.search(rf"(?<!\w){re.escape(word)}(?!\w)", place.text)
    if found is None:
        return ()
    span = Span(place.source, place.start + found.start(), place.start + found.end())
    return (Replacement(span, other),)


def _several(message: str, place: Span, found: Sequence[ast.Node]) -> Diagnostic:
    labels = tuple(Label(node.span, "one") if number == 0 else Label(node.span, "another")
                   for number, node in enumerate(found[:MOST]))  # fmt: skip
    return Diagnostic("E0802", "error", message, place, labels, ("say which one is meant by more words",))


def _lacks(owner: ast.Node, message: str, place: Span, wanted: str, known: Sequence[str]) -> Diagnostic:
    """Report a missing part, naming those most similar to it."""
    near = sorted(known, key=lambda one: SequenceMatcher(None, wanted, one.strip('`"')).ratio(), reverse=True)
    helps = (f"there {'is' if len(near) == 1 else 'are'} {', '.join(near[:MOST])}",) if near else ()
    return Diagnostic("E0801", "error", message, place, (Label(owner.span, "declared here"),), helps)
