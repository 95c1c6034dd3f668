"""The grammar of the language as tree-sitter reads it, for editors and code hosts that colour by trees.

Tree-sitter generates its parser, in C, from `grammar.json`; here that file is made from the rules and terminals of
`dsl/grammar.lark`, so that there is one grammar. Its nodes have the names of the rules and of their alternatives. What
depends on the line, and not on the next characters alone, is in `scanner.c`: ends of lines, indentation, brackets that
go on over several lines, citations.

`python -m editors.tree_sitter FOLDER` writes everything that `tree-sitter generate` and an editor need.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache

from dsl.syntax.layout import DEDENT, INDENT, NEW_LINE
from dsl.syntax.parser import tables
from dsl.syntax.terminals import keywords, sign

Json = dict[str, object]

VISIBLE = {
    "NAME": "identifier", "INT": "number", "STRING": "string", "HEADING": "heading", "CITE": "citation",
}  # fmt: skip
"""Terminals that are nodes, and the names of these."""

HIDDEN = {NEW_LINE: "_newline", INDENT: "_indent", DEDENT: "_dedent"}
COMMENT, LINE_BREAK = "comment", "_line_break"
BRACKETS = ("(", ")", "[", "]", "{", "}")
NAME_PATTERN = "[A-Za-z_][A-Za-z0-9_]*"

TOP = ("header", "companion", "variant", "names_file", "part", "item")
"""What a file is a list of, for tree-sitter: in any order, so that a mistake in its first line takes nothing else."""

_ALTERNATIVES = re.compile(r"\(\?:(.*)\)")


def symbol(name: str) -> Json:
    """A reference to a rule or a token that has a name."""
    return {"type": "SYMBOL", "name": name}


def literal(text: str) -> Json:
    """Characters that stand for themselves."""
    return {"type": "STRING", "value": text}


EXTERNAL: tuple[Json, ...] = (
    *(symbol(HIDDEN[terminal]) for terminal in (NEW_LINE, INDENT, DEDENT)),
    symbol(VISIBLE["CITE"]), symbol(COMMENT), symbol(LINE_BREAK), *map(literal, BRACKETS),
)  # fmt: skip
"""The tokens that `scanner.c` finds, in the order of its `enum`."""


def tree_sitter_grammar() -> Json:
    """The content of `grammar.json`."""
    rules: dict[str, Json] = {}
    for origin, alternatives in _alternatives().items():
        rules |= _rules(origin, alternatives)
    rules |= {"start": {"type": "REPEAT", "content": _choice([_member(name) for name in TOP])}}
    heads = [_sequence(["_EXAMPLES_OF", "NAME", *cited, NEW_LINE]) for cited in ([], ["CITE"])]
    rules["companion"] = _choice(heads)
    rules["part"] = {"type": "PREC_RIGHT", "value": 0, "content": rules["part"]}
    patterns = {"identifier": NAME_PATTERN} | {
        VISIBLE[name]: tables().terminals[name] for name in ("INT", "STRING", "HEADING")
    }
    tokens = {name: {"type": "PATTERN", "value": pattern} for name, pattern in patterns.items()}
    return {
        "name": "regelwerk",
        "word": VISIBLE["NAME"],
        "rules": {**rules, **tokens},
        "extras": [{"type": "PATTERN", "value": r"[ \t\r]"}, symbol(COMMENT), symbol(LINE_BREAK)],
        "conflicts": [],
        "precedences": [],
        "externals": list(EXTERNAL),
        "inline": [],
        "supertypes": [],
    }


_Alternative = tuple[Sequence[str], str, bool]
"""The symbols of an alternative of a rule, the name of its tree, and whether it gives way to an only child."""


def _reachable(start: str) -> dict[str, list[_Alternative]]:
    """The rules that a file can consist of, the first one first."""
    alternatives: dict[str, list[_Alternative]] = {}
    for origin, symbols, name, is_replaced, *_ in tables().rules:
        alternatives.setdefault(origin, []).append((symbols, name, is_replaced))
    reached, waiting = dict[str, list[_Alternative]](), [start]
    while waiting:
        origin = waiting.pop(0)
        if origin not in reached and origin in alternatives:
            reached[origin] = alternatives[origin]
            waiting += [part for symbols, *_ in alternatives[origin] for part in symbols]
    return reached


def _name(origin: str, alternatives: Iterable[_Alternative]) -> str:
    """The name of a rule; one that has no node of its own begins with `_`."""
    has_node = all(name == origin and not is_replaced for _, name, is_replaced in alternatives)
    return origin if has_node or origin.startswith("_") else f"_{origin}"


def _rules(origin: str, alternatives: Sequence[_Alternative]) -> dict[str, Json]:
    """A rule, and one more for each of its alternatives with a name of its own."""
    by_name: dict[str, list[Json]] = {}
    for symbols, name, is_replaced in alternatives:
        by_name.setdefault("" if is_replaced else name, []).append(_sequence(symbols))
    rule_name = _name(origin, alternatives)
    if set(by_name) <= {"", origin} and len(by_name) == 1:
        return {rule_name: _choice(next(iter(by_name.values())))}
    rules = {f"_{origin}__{name}": _choice(bodies) for name, bodies in by_name.items() if name}
    named: list[Json] = [
        {"type": "ALIAS", "content": symbol(f"_{origin}__{name}"), "named": True, "value": name}
        for name in by_name
        if name
    ]
    return {rule_name: _choice(named + by_name.get("", [])), **rules}


def _choice(members: Sequence[Json]) -> Json:
    return members[0] if len(members) == 1 else {"type": "CHOICE", "members": list(members)}


def _sequence(symbols: Sequence[str]) -> Json:
    members = [_member(name) for name in symbols]
    return members[0] if len(members) == 1 else {"type": "SEQ", "members": members}


def _member(name: str) -> Json:
    """What stands for a symbol of the grammar."""
    rules = _alternatives()
    if name in rules:
        return symbol(_name(name, rules[name]))
    if name in VISIBLE or name in HIDDEN:
        return symbol((VISIBLE | HIDDEN)[name])
    pattern = tables().terminals[name]
    word = sign(name)
    if " " in word:
        token: Json = {"type": "TOKEN", "content": {"type": "PATTERN", "value": pattern.removesuffix(r"\b")}}
        return {"type": "ALIAS", "content": token, "named": False, "value": word}
    signs = _ALTERNATIVES.fullmatch(pattern)
    texts = signs[1].split("|") if signs else [pattern.removesuffix(r"\b")]
    return _choice([literal(text.replace("\\", "")) for text in texts])


@cache
def _alternatives() -> Mapping[str, list[_Alternative]]:
    return _reachable("start")


# ---------------------------------------------------------------- colours

CAPTURES = {
    "comment": "comment", "string": "string", "number": "number", "heading": "markup.heading",
    "citation": "markup.link",
}  # fmt: skip
DECLARED = {"type": ("type_list", "type_table", "type_board", "piece"), "function": ("action", "step", "when", "phase")}
"""Nodes whose first name is what they declare, by how editors colour it."""


def highlights() -> str:
    """The query by which editors colour a tree."""
    several = {word for word in map(sign, tables().terminals) if " " in word}
    words, nodes = _literals()
    keywords_in_rules = [f'"{word}"' for word in sorted(words & {*keywords(), *several})]
    keywords_alone = [f"({node})" for word, node in sorted(nodes.items()) if word in {*keywords(), *several}]
    lines = [f"({node}) @{capture}" for node, capture in CAPTURES.items()]
    lines += [f"({node} . (identifier) @{capture})" for capture, names in DECLARED.items() for node in names]
    return "\n".join([*lines, "[", *keywords_in_rules, *keywords_alone, "] @keyword", ""])


def _literals() -> tuple[set[str], dict[str, str]]:
    """The words in the grammar that are nodes without a name, and those that are a named node, with its name.

    A word has the name of a rule if it is all of it, and in no other rule.
    """
    rules = tree_sitter_grammar()["rules"]
    assert isinstance(rules, dict)
    uses = Counter(_words_in(rules))
    alone = {
        str(rule["value"]): name.rpartition("__")[2]
        for name, rule in rules.items()
        if rule["type"] == "STRING" and uses[str(rule["value"])] == 1
    }
    return uses.keys() - alone.keys(), alone


def _words_in(part: object) -> Iterator[str]:
    if isinstance(part, dict):
        if part.get("type") == "STRING" or part.get("named") is False:
            yield str(part["value"])
        part = list(part.values())
    if isinstance(part, list):
        for inner in part:
            yield from _words_in(inner)
