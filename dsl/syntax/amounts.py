"""How many to choose, written as in other languages or plain English."""

from __future__ import annotations

import re

from dsl.diagnostics import Diagnostic
from dsl.syntax.build_tree import parse_number
from dsl.syntax.common_mistakes import NO_KEYWORD, NUMBER_WORDS, LineForm, first_of, line
from dsl.syntax.stop import Problem

_BOUND = r"(?:\d+|[A-Za-z_][\w.]*(?:\[[^\]]*\])?|\([^()]*\))"
_CHOOSING = r"(?P<a>(?:must|may)(?: secretly)? choose )"
_CHOSEN = r" (?P<r>[A-Za-z_]\w* from .+)"
_BRACKETS = "a computed number to choose must be in brackets"


def _bound(match: re.Match[str], name: str) -> str:
    bound = match[name]
    return bound if bound.isdigit() or bound.startswith("(") else f"({bound})"


def _bounds(match: re.Match[str]) -> str:
    return f"{match['a']}{_bound(match, 'low')} to {_bound(match, 'high')} {match['r']}"


def _neighbours(match: re.Match[str]) -> str | None:
    low, high = match["low"], match["high"]
    beside = low.isdigit() and high.isdigit() and parse_number(high) == parse_number(low) + 1
    return _bounds(match) if beside else None


def _upper_bound(match: re.Match[str]) -> str:
    return f"{match['a']}up to {_bound(match, 'high')} {match['r']}"


def _written_out(match: re.Match[str]) -> str:
    return f"{match['a']}{NUMBER_WORDS[match['at']]} {match['r']}"


AMOUNTS: tuple[LineForm, ...] = (
    LineForm(
        line(rf"{_CHOOSING}(?P<low>{_BOUND}) ?(?P<at>\.\.|-) ?(?P<high>{_BOUND}){_CHOSEN}"), "E0105",
        "expected `to`, found `{at}`", _bounds,
    ),
    LineForm(
        line(rf"{_CHOOSING}(?P<low>{_BOUND}) (?P<at>or) (?P<high>{_BOUND}){_CHOSEN}"), "E0105",
        "expected `to`, found `{at}`", _neighbours, "this allows every number between them, too",
    ),
    LineForm(
        line(rf"{_CHOOSING}(?P<at>between) (?P<low>{_BOUND}) (?:and|to) (?P<high>{_BOUND}){_CHOSEN}"), "E0112",
        NO_KEYWORD, _bounds,
    ),
    LineForm(
        line(rf"{_CHOOSING}(?P<at>at least) (?P<low>{_BOUND}) (?:and |but )?at most (?P<high>{_BOUND}){_CHOSEN}"),
        "E0112", NO_KEYWORD, _bounds,
    ),
    LineForm(
        line(rf"{_CHOOSING}(?P<at>at most|no more than|maximum) (?P<high>{_BOUND}){_CHOSEN}"), "E0112", NO_KEYWORD,
        _upper_bound,
    ),
    LineForm(
        line(rf"{_CHOOSING}(?P<at>at least|minimum) (?P<n>{_BOUND}){_CHOSEN}"), "E0112", NO_KEYWORD,
        help="give both bounds, such as `{n} to 9`",
    ),
    LineForm(
        line(rf"{_CHOOSING}(?P<at>{'|'.join(NUMBER_WORDS)}){_CHOSEN}"), "E0105", "expected a number, found `{at}`",
        _written_out,
    ),
    LineForm(
        line(rf"{_CHOOSING}up to (?P<high>(?P<at>{_BOUND})){_CHOSEN}"), "E0105", _BRACKETS, _upper_bound,
    ),
    LineForm(
        line(rf"{_CHOOSING}(?P<at>(?P<low>{_BOUND}) to (?P<high>{_BOUND})){_CHOSEN}"), "E0105", _BRACKETS, _bounds,
    ),
    LineForm(
        line(rf"{_CHOOSING}(?P<at>{_BOUND}){_CHOSEN}"), "E0105", _BRACKETS, "{a}({at}) {r}",
        fits=lambda p: "INT" not in p.expected,
    ),
    LineForm(
        line(rf"(?P<a>(?:must|may)(?: secretly)? choose (?:up to )?)(?P<at>{_BOUND} ?[-+*/] ?[^\"]+?){_CHOSEN}"),
        "E0105", _BRACKETS, "{a}({at}) {r}",
    ),
)  # fmt: skip


def foreign_amount(p: Problem) -> Diagnostic | None:
    """Report how many to choose, written otherwise."""
    return first_of(AMOUNTS, p)
