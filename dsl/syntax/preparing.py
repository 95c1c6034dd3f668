"""`python -m dsl.syntax.preparing`: generate `tables.json` from `grammar.lark`, after a change of the grammar."""

from __future__ import annotations

import json
import re
from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from operator import itemgetter
from pathlib import Path
from typing import Any

from lark import Lark
from lark import Token as LarkToken
from lark.grammar import Rule, Terminal
from lark.lark import PostLex
from lark.lexer import TerminalDef
from lark.parsers.lalr_analysis import Shift

from dsl.syntax.layout import NEW_LINE, Layout
from dsl.syntax.parser import TABLES, Prepared

GRAMMAR = Path(__file__).parent.parent / "grammar.lark"
STARTS = ("start", "expr", "rest", "changes")

_KEYWORD = re.compile(r"[a-z0-9]+(?:(?:\[ \t\]|\\s)\+[a-z]+)*\\b")
"""The pattern of a keyword, of one word or more: it begins as the keyword does."""


class LarkLayout(PostLex):
    """Layout for the parser that lark generates."""

    always_accept = (NEW_LINE,)

    def process(self, stream: Iterator[LarkToken]) -> Iterator[LarkToken]:
        """Insert indents and dedents. Raises LayoutError."""
        mixed: Iterator[Any] = Layout().process(stream)  # type: ignore[arg-type]  # it keeps the tokens it is given
        for token in mixed:
            places = {"start_pos": token.start_pos, "end_pos": token.end_pos}
            yield token if isinstance(token, LarkToken) else LarkToken(token.type, str(token), **places)


def generated(strict: bool = False) -> Lark:
    """The parser that lark generates from the text of the grammar. `strict` refuses terminals that collide."""
    grammar = GRAMMAR.read_text(encoding="utf-8")
    return Lark(
        grammar, parser="lalr", start=list(STARTS), postlex=LarkLayout(), maybe_placeholders=True, strict=strict
    )


def prepared() -> Prepared:
    """The content of `tables.json`.

    Lark numbers states and rules as the order of its sets happens to be; here they have the same numbers in every run.
    """
    parser = generated()
    table = parser.parser.parser._parse_table
    symbols = sorted({name for row in table.states.values() for name in row})
    rules = sorted(map(_rule, parser.rules))
    rule_numbers = {rule: rules.index(_rule(rule)) for rule in parser.rules}
    numbers = _numbered(table.states, [table.start_states[start] for start in STARTS])
    states = []
    for state in numbers:
        actions = [
            (symbols.index(name), numbers[follower] if action is Shift else -1 - rule_numbers[follower])
            for name, (action, follower) in table.states[state].items()
        ]
        states.append(" ".join(f"{symbol} {action}" for symbol, action in sorted(actions)))
    return {
        "terminals": [(terminal.name, terminal.pattern.to_regexp(), _initial(terminal)) for terminal in _tried(parser)],
        "ignored": sorted(parser.ignore_tokens),
        "symbols": symbols,
        "rules": rules,
        "states": states,
        "starts": {start: (numbers[table.start_states[start]], numbers[table.end_states[start]]) for start in STARTS},
    }


def _numbered(states: Mapping[int, Mapping[str, tuple[object, Any]]], starts: Sequence[int]) -> dict[int, int]:
    """Number the states in the order in which they are reached from the first ones."""
    numbers = {start: number for number, start in enumerate(starts)}
    waiting = deque(starts)
    while waiting:
        for _, (action, follower) in sorted(states[waiting.popleft()].items(), key=itemgetter(0)):
            if action is Shift and follower not in numbers:
                numbers[follower] = len(numbers)
                waiting.append(follower)
    return numbers


def _tried(parser: Lark) -> list[TerminalDef]:
    """The terminals in the order in which lark would prefer them."""

    def precedence(terminal: TerminalDef) -> tuple[int, int, int, str]:
        pattern = terminal.pattern
        return -terminal.priority, -pattern.max_width, -len(pattern.value), terminal.name

    return sorted(parser.terminals, key=precedence)


def _initial(terminal: TerminalDef) -> str:
    """The only character that a terminal can begin with; empty if there may be several."""
    pattern = terminal.pattern
    is_fixed = pattern.type == "str" or _KEYWORD.fullmatch(pattern.value) is not None
    return pattern.value[0] if is_fixed and not pattern.flags else ""


def _rule(rule: Rule) -> tuple[str, list[str], str, bool, list[tuple[int, bool, int]], int]:
    """A rule as `Prepared` has it, by what lark does with the children of its trees."""
    options, alias = rule.options, rule.alias
    empty = [*(options.empty_indices or [False] * len(rule.expansion))]
    missing = [len(absent) for absent in "".join(str(int(is_absent)) for is_absent in empty).split("0")]
    parts: list[tuple[int, bool, int]] = []
    absent = 0
    for index, symbol in enumerate(rule.expansion):
        absent += missing[index]
        is_left_out = isinstance(symbol, Terminal) and symbol.filter_out
        if options.keep_all_tokens or not is_left_out:
            parts.append((index, not symbol.is_term and symbol.name.startswith("_"), absent))
            absent = 0
    name = str(alias or options.template_source or rule.origin.name)
    is_replaced = bool(options.expand1) and not alias
    return rule.origin.name, [symbol.name for symbol in rule.expansion], name, is_replaced, parts, absent + missing[-1]


def write() -> None:
    """Write `tables.json`, with a state or a rule on each line."""
    parts = []
    for name, part in prepared().items():
        items = part if isinstance(part, list) else None
        rows = None if items is None else ",\n".join(json.dumps(item, separators=(",", ":")) for item in items)
        parts.append(f'"{name}":' + (json.dumps(part) if rows is None else f"[\n{rows}\n]"))
    TABLES.write_text("{" + ",\n".join(parts) + "}\n", encoding="utf-8")


if __name__ == "__main__":
    write()
