"""The productions of the language without those that the parser has only for the sake of messages.

The parser accepts a little more than the language: any word before `"…"` in the header of a game, a requirement after a
statement, the parts of a game in any order and number. The builder of the tree refuses these with a message. A text
that is written by a grammar must not contain them, so here such productions are left out or replaced.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise
from typing import TypeAlias

from dsl.syntax.layout import DEDENT, INDENT, NEW_LINE
from dsl.syntax.prescan import PARTS
from dsl.syntax.terminals import productions

Production: TypeAlias = tuple[str, ...]
Productions: TypeAlias = Mapping[str, Sequence[Production]]
"""The right-hand sides of each nonterminal: symbols of the grammar, or `LITERAL` and a text."""

LITERAL = "'"
"""What a symbol begins with that stands for the text after it."""

SHOWN_TEXT, SEVERAL, MINUTES = "SHOWN_TEXT", "SEVERAL", "MINUTES"
"""Terminals that only these productions have: a quoted text with values in braces, a number above 1, the minutes that
a game takes.
"""

_WITH_SHOWN_TEXTS = frozenset({"label", "require", "simple", "name_entry", "text_entry", "table", "column"})
"""Nonterminals whose quoted texts may show values."""


def narrowed_productions() -> Productions:
    """The productions of all texts that are free of syntax errors, or nearly all: see `docs/generate.md`."""
    narrowed: dict[str, Sequence[Production]] = {
        nonterminal: [_narrowed(nonterminal, side) for side in sides if not _is_refused(side)]
        for nonterminal, sides in productions().items()
    }
    narrowed |= {name: [tuple(side.split()) for side in sides] for name, sides in _REPLACED.items()}
    narrowed[_list_of("scene")] = _one_or_more(_list_of("scene"), "scenes")
    narrowed[_list_of("require", "stmt")] = [("requirements",), ("requirements", "statements"), ("statements",)]
    narrowed |= _in_order(_list_of("about_line"), _ABOUT)
    narrowed |= _in_order(_list_of("part"), [f"part_{part}" for part in PARTS])
    for part in PARTS:
        content = "items" if part == "setup" else "declarations"
        narrowed[f"part_{part}"] = [(f"{LITERAL}== {part} ==", NEW_LINE, content)]
    for list_, member in _LISTS.items():
        narrowed[list_] = _one_or_more(list_, member)
    return narrowed


_LISTS = {"items": "item", "declarations": "declaration", "statements": "stmt", "requirements": "requirement"}
"""Nonterminals for one or more of another."""

_ABOUT = ("about_purpose", "about_family", "about_designer", "about_minutes")
"""The lines about a game below its header, in the order in which they are written."""

_REPLACED = {
    "start": ["game", "companion", "variant", "names_file"],
    "companion": [f"_EXAMPLES_OF NAME {NEW_LINE} examples"],
    "examples": ["example", "examples example"],
    "numbers": [SEVERAL, f"{SEVERAL} _OR {SEVERAL}", f"{LITERAL}1 _TO {SEVERAL}", f"{SEVERAL} _TO {SEVERAL}"],
    "about_purpose": [f"STRING {NEW_LINE}"],
    "about_family": [f"{LITERAL}family STRING {NEW_LINE}"],
    "about_designer": [f"{LITERAL}designer STRING {NEW_LINE}"],
    "about_minutes": [f"{LITERAL}minutes {MINUTES} {NEW_LINE}"],
    "holding": ["names_or", f"{LITERAL}one names_or", f"{LITERAL}row _OF names_or", f"{LITERAL}stack _OF names_or"],
    "requirement": ["require", f"_LET NAME EQUAL expr {NEW_LINE}"],
    "scenes": [
        "given_scenes", "then_scenes", f"_WHEN NAME COLON choice {NEW_LINE}", f"_WHEN _PHASE NAME {NEW_LINE}",
        f"_WHEN _PHASE NAME _FROM NAME {NEW_LINE}",
    ],
    "given_scenes": [
        f"_GIVEN given {NEW_LINE}", f"given_scenes _AND expr {NEW_LINE}",
        f"given_scenes _AND post _SHOWS add_c {NEW_LINE}",
    ],
    "then_scenes": [f"_THEN then {NEW_LINE}", f"then_scenes _AND then {NEW_LINE}"],
}  # fmt: skip
"""Right-hand sides that take the place of those of the grammar, or that of new nonterminals."""


def _narrowed(nonterminal: str, side: Sequence[str]) -> Production:
    """A right-hand side with closer terminals: only some texts show values, and `change` and `inside` name the setup.

    A rule `otherwise` has no value to be a clause for, so its parameters are plain ones.
    """
    if nonterminal in ("change", "inside") and side[1] == "NAME":
        return (side[0], f"{LITERAL}setup", *side[2:])
    text = SHOWN_TEXT if nonterminal in _WITH_SHOWN_TEXTS else "STRING"
    parameters = "params" if "rest_clause" in side else "rule_params"
    return tuple({"STRING": text, "rule_params": parameters}.get(symbol, symbol) for symbol in side)


def _is_refused(side: Sequence[str]) -> bool:
    """True for a block without lines, which the parser reads to report it."""
    return (INDENT, DEDENT) in pairwise(side)


def _list_of(*symbols: str) -> str:
    """The nonterminal that the generator of the parser made for a repetition of these: `__action_star_34`."""
    single_sides = {(symbol,) for symbol in symbols}
    return next(
        name
        for name, sides in productions().items()
        if name.startswith("__") and {tuple(side) for side in sides if len(side) == 1} == single_sides
    )


def _one_or_more(list_: str, member: str) -> Sequence[Production]:
    return [(member,), (list_, member)]


def _in_order(name: str, parts: Iterable[str]) -> dict[str, Sequence[Production]]:
    """A nonterminal for these parts in this order, each at most once and at least one of them.

    For a, b, c: `name: a | a name_1 | name_1` and `name_1: b | b c | c`.
    """
    *others, last = parts
    chain: dict[str, Sequence[Production]] = {}
    for index, part in enumerate(others):
        follower = f"{name}_{index + 1}" if index + 1 < len(others) else last
        chain[f"{name}_{index}" if index else name] = [(part,), (part, follower), (follower,)]
    return chain
