"""The productions of the language without what is read only to say what is wrong with it.

The parser accepts a little more than the language: any word before `"…"` in the header of a game, a requirement after a
statement, the parts of a game in any order and number. What builds the tree refuses this with a message. A text that is
written by a grammar must not contain it, so here such productions are left out or replaced.
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
"""Terminals that only these productions have: a quoted text with values in braces, a number above 1, how long a game
takes.
"""

_WITH_SHOWN_TEXTS = frozenset({"label", "require", "simple", "name_entry", "text_entry", "table", "column"})
"""Nonterminals whose quoted texts may show values."""


def narrowed_productions() -> Productions:
    """The productions that texts of the language consist of."""
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
    for several, one in _LISTS.items():
        narrowed[several] = _one_or_more(several, one)
    return narrowed


_LISTS = {"items": "item", "declarations": "declaration", "statements": "stmt", "requirements": "requirement"}
"""Nonterminals for one or more of another."""

_ABOUT = ("about_purpose", "about_family", "about_designer", "about_minutes")
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
    """A right-hand side with what its names and texts must be; a clause for all other values is not also for one."""
    if nonterminal in ("change", "inside") and side[1] == "NAME":
        return (side[0], f"{LITERAL}setup", *side[2:])
    text = SHOWN_TEXT if nonterminal in _WITH_SHOWN_TEXTS else "STRING"
    parameters = "params" if "rest_clause" in side else "rule_params"
    return tuple({"STRING": text, "rule_params": parameters}.get(symbol, symbol) for symbol in side)


def _is_refused(side: Sequence[str]) -> bool:
    """True for a block without lines."""
    return (INDENT, DEDENT) in pairwise(side)


def _list_of(*items: str) -> str:
    """The nonterminal that the generator of the parser made for a repetition of these."""
    wanted = {(item,) for item in items}
    return next(
        name
        for name, sides in productions().items()
        if name.startswith("__") and {tuple(side) for side in sides if len(side) == 1} == wanted
    )


def _one_or_more(several: str, one: str) -> Sequence[Production]:
    return [(one,), (several, one)]


def _in_order(name: str, parts: Iterable[str]) -> dict[str, Sequence[Production]]:
    """A nonterminal for these, each at most once and at least one of them."""
    *others, last = parts
    chain: dict[str, Sequence[Production]] = {}
    for index, part in enumerate(others):
        follower = f"{name}_{index + 1}" if index + 1 < len(others) else last
        chain[f"{name}_{index}" if index else name] = [(part,), (part, follower), (follower,)]
    return chain
