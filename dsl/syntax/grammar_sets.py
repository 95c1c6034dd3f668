"""Sets of terminals that follow from the grammar: what can begin a line or a value, and what can continue a value."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import TYPE_CHECKING

from dsl.syntax.parser_cache import machine

if TYPE_CHECKING:
    from lark.grammar import Symbol


@cache
def productions() -> dict[str, list[Sequence[Symbol]]]:
    """Map each nonterminal to its right-hand sides; none of them is empty."""
    expansions: dict[str, list[Sequence[Symbol]]] = {}
    for rule in machine().rules:
        expansions.setdefault(rule.origin.name, []).append(rule.expansion)
    return expansions


@cache
def first(symbol: str) -> frozenset[str]:
    """The terminals that a nonterminal can begin with."""
    return frozenset(_starts(symbol))


def _starts(symbol: str) -> dict[str, set[str]]:
    """Map the terminals that a nonterminal can begin with to the symbols that may come next in the same production."""
    followers: dict[str, set[str]] = {}
    seen, waiting = {symbol}, [symbol]
    while waiting:
        for head, *rest in productions()[waiting.pop()]:
            if head.is_term:
                followers.setdefault(head.name, set()).add(rest[0].name if rest else "")
            elif head.name not in seen:
                seen.add(head.name)
                waiting.append(head.name)
    return followers


def fixed_starts(*symbols: str) -> list[tuple[str, ...]]:
    """The terminals that these nonterminals can begin with, each with the next one if only that can come next."""
    starts = {start: following for symbol in symbols for start, following in _starts(symbol).items()}
    return [(start, *following) if _is_one_terminal(following) else (start,) for start, following in starts.items()]


def _is_one_terminal(names: set[str]) -> bool:
    return len(names) == 1 and "" not in names and names.isdisjoint(productions())


@cache
def operators() -> frozenset[str]:
    """The terminals that can continue a complete value: operators, and what begins arguments or an index."""
    seen, waiting = {"expr"}, ["expr"]
    terminals: set[str] = set()
    while waiting:
        for head, *rest in productions()[waiting.pop()]:
            if head.is_term:
                continue
            if rest:
                terminals |= {rest[0].name} if rest[0].is_term else first(rest[0].name)
            if head.name not in seen:
                seen.add(head.name)
                waiting.append(head.name)
    return frozenset(terminals)


@cache
def without_block(symbol: str) -> frozenset[str]:
    """The terminals that begin those alternatives of a nonterminal in which no indented block can occur."""
    return frozenset(
        start
        for (alternative,) in productions()[symbol]
        if "_INDENT" not in reachable(alternative.name)
        for start in first(alternative.name)
    )


@cache
def reachable(symbol: str) -> frozenset[str]:
    """The terminals that can occur anywhere in a nonterminal."""
    seen, waiting = {symbol}, [symbol]
    while waiting:
        for expansion in productions()[waiting.pop()]:
            names = {part.name for part in expansion} - seen
            waiting += [name for name in names if name in productions()]
            seen |= names
    return frozenset(seen - productions().keys())
