"""The parser: from a text to the tree of the grammar, by the tables in `tables.json`.

The problem: generating a parser from `grammar.lark` takes half a second, and importing what generates it a quarter of
a short command. The grammar changes rarely, a text is parsed by every command.

The idea: `preparing.py` lets lark generate the tables once, and they are shipped. Here is what reads a text by them: an
LALR(1) parser with a contextual lexer, which tries only terminals that the parser can accept where it is. What a text
does not need is never decoded: rows of the table, rules and patterns of terminals are, each at its first use.

It finds the trees, tokens and errors that lark finds; `tests/dsl/test_parser.py` compares them.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from functools import cache, cached_property
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias, TypedDict

from dsl.syntax.layout import NEW_LINE, Layout, Token

TABLES = Path(__file__).with_name("tables.json")
END = "$END"
"""The terminal after the last one of a text."""

Built: TypeAlias = Any
"""What a rule of the grammar becomes: a token, a tree, a node, a list of them. What builds it says what it takes."""


class Tree:
    """The tree of a grammar rule, with the offsets of its text; both are -1 if the text is empty.

    `outer_start` and `outer_end` include what encloses it in rules that have no tree of their own, such as parentheses.
    """

    __slots__ = ("children", "data", "end", "outer_end", "outer_start", "start")

    def __init__(self, data: str, children: list[Built]) -> None:
        self.data, self.children = data, children
        self.start = self.end = self.outer_start = self.outer_end = -1


class Unexpected(Exception):
    """Raised where a text cannot go on.

    `kind` is the terminal found between two offsets, None for a character with which none begins.
    """

    def __init__(self, kind: str | None, start: int, end: int, allowed: frozenset[str], at: Place) -> None:
        super().__init__(f"unexpected {kind or 'character'} at {start}")
        self.kind, self.start, self.end = kind, start, end
        self._allowed, self._at = allowed, at

    @cached_property
    def expected(self) -> frozenset[str]:
        """The terminals that were possible here."""
        return (self.kind is not None and self._at.accepts()) or self._allowed


# ---------------- the tables


class Prepared(TypedDict):
    """The content of `tables.json`.

    `terminals` are in the order in which they are tried: name, pattern, and the character with which all their texts
    begin, or "". `rules` are the nonterminal, the symbols, the name of the tree, whether one child takes its place, and
    for each child of the tree which of the symbols it is, whether its children are taken instead, and how many optional
    parts are missing before it; the last of these numbers is about the end. `states` are symbols by number, each with
    the state that follows, or with -1 minus the number of a rule that is complete. `starts` are the first and the last
    state for each nonterminal that a text can be.
    """

    terminals: list[tuple[str, str, str]]
    ignored: list[str]
    symbols: list[str]
    rules: list[tuple[str, list[str], str, bool, list[tuple[int, bool, int]], int]]
    states: list[str]
    starts: dict[str, tuple[int, int]]


class Candidate(NamedTuple):
    """A terminal that may come next, or several keywords of one word by their text."""

    name: str | dict[str, str]
    pattern: re.Pattern[str]
    is_ignored: bool


_WORD = re.compile(r"\w+")
_KEYWORD = re.compile(r"[a-z0-9]+\\b")
"""The pattern of a keyword that is one word."""


class Rule:
    """A rule of the grammar, and what its tree is made of: see `Prepared`.

    `ends` are the states after it, by the next terminal and the state that it uncovers: a `chain` of rules that leave
    one value as it is goes on as far as that terminal allows.
    """

    __slots__ = ("ends", "is_chain", "is_replaced", "missing", "name", "origin", "parts", "size")

    def __init__(
        self, origin: str, symbols: Sequence[str], name: str, is_replaced: bool, parts: Sequence[tuple[int, bool, int]],
        missing: int,
    ) -> None:  # fmt: skip
        self.origin, self.size, self.name, self.is_replaced = origin, len(symbols), name, is_replaced
        self.parts, self.missing = parts, missing
        self.is_chain = is_replaced and len(symbols) == 1 and not missing and [*map(tuple, parts)] == [(0, False, 0)]
        self.ends: dict[tuple[str, int], int] = {}

    def build(self, children: list[Built]) -> Built:
        """The tree of the rule, or its only child if the rule has no tree of its own."""
        values: list[Built] = []
        for index, is_spread, missing in self.parts:
            if missing:
                values += [None] * missing
            if not is_spread:
                values.append(children[index])
            elif values:
                values += children[index].children
            else:
                values = children[index].children  # a list that grows at its end is not copied at every step
        values += [None] * self.missing
        if self.is_replaced and len(values) == 1:
            tree = values[0]
            if type(tree) is not Tree or (len(children) == 1 and tree is children[0]):
                return tree
        else:
            tree = Tree(self.name, values)
        tree.outer_start, tree.outer_end = _start_of(children), _end_of(children)
        if tree.start < 0:
            tree.start, tree.end = tree.outer_start, tree.outer_end
        return tree


def _start_of(children: list[Built]) -> int:
    """Where the first of them that is somewhere starts, -1 if none is anywhere."""
    for child in children:
        if type(child) is Token:
            return child.start_pos
        if type(child) is Tree and child.outer_start >= 0:
            return child.outer_start
    return -1


def _end_of(children: list[Built]) -> int:
    """Where the last of them that is somewhere ends, -1 if none is anywhere."""
    for child in reversed(children):
        if type(child) is Token:
            return child.end_pos
        if type(child) is Tree and child.outer_end >= 0:
            return child.outer_end
    return -1


class Tables:
    """The tables of the grammar, decoded as far as texts have needed them. Threads may share them."""

    def __init__(self, prepared: Prepared) -> None:
        self.terminals = {name: pattern for name, pattern, _ in prepared["terminals"]}
        self.starts = prepared["starts"]
        self.rules = prepared["rules"]
        self.initials = [(name, initial) for name, _, initial in prepared["terminals"]]
        self.ignored = frozenset(prepared["ignored"])
        self._symbols = prepared["symbols"]
        self.states: list[str | dict[str, int]] = [*prepared["states"]]
        self._rules: dict[int, Rule] = {}
        self._candidates: dict[int, dict[str, list[Candidate]]] = {}
        self._candidates_by_set: dict[frozenset[str], dict[str, list[Candidate]]] = {}
        self._patterns: dict[str, re.Pattern[str]] = {}

    def actions(self, state: int) -> dict[str, int]:
        """What may come next in a state: see `Prepared`."""
        row = self.states[state]
        if isinstance(row, str):
            numbers = [*map(int, row.split())]
            row = dict(zip(map(self._symbols.__getitem__, numbers[::2]), numbers[1::2], strict=True))
            self.states[state] = row
        return row

    def rule(self, action: int) -> Rule:
        """The rule that is complete before such an action."""
        rule = self._rules.get(action)
        if rule is None:
            rule = self._rules[action] = Rule(*self.rules[-1 - action])
        return rule

    def end_of(self, rule: Rule, uncovered: int, terminal: str) -> int:
        """The state after a rule."""
        end = self.actions(uncovered)[rule.origin]
        if rule.is_chain:
            action = self.actions(end).get(terminal, 0)
            if action < 0 and (following := self.rule(action)).is_chain:
                end = self.end_of(following, uncovered, terminal)
        rule.ends[terminal, uncovered] = end
        return end

    def accepted(self, state: int) -> frozenset[str]:
        """The terminals that a token may be in a state."""
        return self.ignored.union(self.actions(state), {NEW_LINE}).intersection(self.terminals)

    def candidates(self, state: int, character: str) -> list[Candidate]:
        """What may begin with a character in a state, in the order in which it is tried."""
        by_character = self._candidates.get(state)
        if by_character is None:
            by_character = self._candidates[state] = self._candidates_by_set.setdefault(self.accepted(state), {})
        if character not in by_character:
            by_character[character] = self._beginning_with(character, self.accepted(state))
        return by_character[character]

    def everywhere(self, character: str) -> list[Candidate]:
        """What may begin with a character anywhere."""
        return self._beginning_with(character, frozenset(self.terminals))

    def _beginning_with(self, character: str, accepted: frozenset[str]) -> list[Candidate]:
        candidates: list[Candidate] = []
        keywords: dict[str, str] = {}
        for name, initial in self.initials:
            if name not in accepted or initial not in ("", character):
                continue
            if _KEYWORD.fullmatch(self.terminals[name]):
                # INVARIANT: keywords of one word are tried after all else that begins with their letter, see
                # `preparing.terminals`. At most one of them is the next word.
                keywords[self.terminals[name].removesuffix(r"\b")] = name
            else:
                candidates.append(Candidate(name, self._pattern(name), name in self.ignored))
        return [*candidates, Candidate(keywords, _WORD, False)] if keywords else candidates

    def _pattern(self, name: str) -> re.Pattern[str]:
        if name not in self._patterns:
            self._patterns[name] = re.compile(self.terminals[name])
        return self._patterns[name]


@cache
def tables() -> Tables:
    """The tables of the language."""
    return Tables(json.loads(TABLES.read_text(encoding="utf-8")))


# ---------------- a text


class Place:
    """Where the parser is in a text: the stack of its states, and what has been built in each."""

    def __init__(self, start: str) -> None:
        self.tables = tables()
        self.first, self.last = self.tables.starts[start]
        self.states, self.values = [self.first], list[Built]()

    def tokens(self, text: str) -> Iterator[Token]:
        """The tokens of a text, each one that can come next once those before it are fed."""
        return Layout().process(self._tokens(text))

    def _tokens(self, text: str) -> Iterator[Token]:
        position, end, states, candidates = 0, len(text), self.states, self.tables.candidates
        while position < end:
            for name, pattern, is_ignored in candidates(states[-1], text[position]):
                match = pattern.match(text, position)
                if match is None:
                    continue
                value = match.group()
                kind = name if isinstance(name, str) else name.get(value)
                if kind is None:
                    continue
                begun, position = position, match.end()
                if not is_ignored:
                    yield Token(kind, value, begun, position)
                break
            else:
                raise self._unexpected(text, position)

    def _unexpected(self, text: str, position: int) -> Unexpected:
        """The error for a text that is no terminal here; it may be one elsewhere."""
        allowed = self.tables.accepted(self.states[-1]) - self.tables.ignored
        for name, pattern, _ in self.tables.everywhere(text[position]):
            match = pattern.match(text, position)
            kind = None if match is None else name if isinstance(name, str) else name.get(match.group())
            if match is not None and kind is not None:
                signs = self.tables.terminals.items()
                sign = next((name for name, sign in signs if sign == re.escape(match.group())), kind)
                return Unexpected(sign, position, match.end(), allowed, self)
        return Unexpected(None, position, position + 1, allowed, self)

    def feed(self, token: Token) -> None:
        """Build what is complete before a token, and go on to the state after it. Raises Unexpected."""
        terminal, states, values = token.type, self.states, self.values
        rule_of, end_of, actions = self.tables.rule, self.tables.end_of, self.tables.actions
        while True:
            action = actions(states[-1]).get(terminal)
            if action is None:
                expected = frozenset(name for name in actions(states[-1]) if name.isupper())
                raise Unexpected(terminal, token.start_pos, token.end_pos, expected, self)
            if action >= 0:
                states.append(action)
                values.append(token)
                return
            rule = rule_of(action)
            if rule.is_chain:
                uncovered = states[-2]
                states[-1] = rule.ends.get((terminal, uncovered)) or end_of(rule, uncovered, terminal)
            else:
                children: list[Built] = []
                if rule.size:
                    children = values[-rule.size :]
                    del values[-rule.size :], states[-rule.size :]
                uncovered = states[-1]
                values.append(rule.build(children))
                states.append(rule.ends.get((terminal, uncovered)) or end_of(rule, uncovered, terminal))
            if terminal == END and states[-1] == self.last:
                return

    def accepts(self) -> frozenset[str]:
        """The terminals that may come next."""
        return frozenset(name for name in self.tables.actions(self.states[-1]) if name.isupper() and self._takes(name))

    def _takes(self, terminal: str) -> bool:
        states = self.states.copy()
        while (action := self.tables.actions(states[-1]).get(terminal)) is not None:
            if action >= 0:
                return True
            rule = self.tables.rule(action)
            del states[len(states) - rule.size :]
            states.append(self.tables.actions(states[-1])[rule.origin])
            if terminal == END and states[-1] == self.last:
                return True
        return False


def tokens(text: str, start: str) -> Iterator[Token]:
    """The tokens of a text that can be read, layout included. Raises Unexpected and LayoutError."""
    place = Place(start)
    for token in place.tokens(text):
        yield token
        place.feed(token)


def tree(text: str, start: str) -> Tree:
    """Parse lines. Raises Unexpected and LayoutError."""
    return _parsed(text if text.endswith("\n") else text + "\n", start)


def expression_tree(text: str) -> Tree:
    """Parse an expression. Raises Unexpected and LayoutError."""
    return _parsed(text, "expr")


def _parsed(text: str, start: str) -> Tree:
    place = Place(start)
    last = Token(END, "", 0, 0)
    for token in place.tokens(text):
        place.feed(token)
        last = token
    place.feed(Token(END, "", last.start_pos, last.end_pos))
    parsed = place.values[-1]
    assert isinstance(parsed, Tree)
    return parsed
