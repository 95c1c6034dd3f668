"""Lark's contextual lexer, compiled as far as a text needs it.

For each set of terminals that the parser can accept, of which the grammar has 324, lark compiles one pattern of them
all. For the 89 sets that a small game needs this takes 50 ms, ten times as long as parsing it. Here each terminal is
compiled once, at its first trial, and a character is tried only with those that can begin with it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator
from typing import Any, NamedTuple

from lark import Token
from lark.lexer import ContextualLexer, LexerState, TerminalDef

Match = Callable[[str, int, int], re.Match[str] | None]

_KEYWORD = re.compile(r"[a-z0-9]+(?:(?:\[ \t\]|\\s)\+[a-z]+)*\\b")
"""The pattern of a keyword, of one word or more: it begins as the keyword does."""


class Candidate(NamedTuple):
    """A terminal that may come next."""

    name: str
    match: Match
    is_ignored: bool


class LazyLexer(ContextualLexer):
    """Finds the same tokens as its base, which takes over where no terminal matches and reports the error."""

    def __init__(self, conf: Any, states: dict[int, Collection[str]], always_accept: Collection[str] = ()) -> None:
        self._settings = conf, states, always_accept
        self._base: ContextualLexer | None = None
        self._accepted = states
        self._everywhere = frozenset(conf.ignore).union(always_accept)
        self._ignored = frozenset(conf.ignore)
        self._flags: int = conf.g_regex_flags
        self._terminals = [(terminal, _initial(terminal)) for terminal in sorted(conf.terminals, key=_precedence)]
        self._terminals_by_character: dict[str, list[TerminalDef]] = {}
        self._matches: dict[str, Match] = {}
        self._candidates: dict[int, dict[str, list[Candidate]]] = {}
        self._candidates_by_set: dict[frozenset[str], dict[str, list[Candidate]]] = {}

    def __reduce__(self) -> tuple[Any, ...]:
        """For a pickle: without what has been compiled."""
        return LazyLexer, self._settings

    def lex(self, lexer_state: LexerState, parser_state: Any) -> Iterator[Token]:
        """The tokens of a text, each one that the parser accepts where it is. Raises the errors of lark."""
        text, end, place = lexer_state.text.text, lexer_state.text.end, lexer_state.line_ctr
        while place.char_pos < end:
            start, line, column = place.char_pos, place.line, place.column
            for name, match, is_ignored in self._possible(parser_state.position, text[start]):
                found = match(text, start, end)
                if found is None:
                    continue
                value = found.group()
                place.feed(value)
                if not is_ignored:
                    token = Token(name, value, start, line, column, place.line, place.column, place.char_pos)
                    lexer_state.last_token = token
                    yield token
                break
            else:
                yield from self._of_lark().lex(lexer_state, parser_state)
                return

    def _possible(self, state: int, character: str) -> list[Candidate]:
        """What may begin with a character in a state of the parser, in the order in which lark would prefer it."""
        by_character = self._candidates.get(state)
        if by_character is None:
            accepted = self._everywhere.union(self._accepted[state])
            by_character = self._candidates[state] = self._candidates_by_set.setdefault(accepted, {})
        if character not in by_character:
            accepted = self._everywhere.union(self._accepted[state])
            by_character[character] = [
                Candidate(terminal.name, self._match_of(terminal), terminal.name in self._ignored)
                for terminal in self._beginning_with(character)
                if terminal.name in accepted
            ]
        return by_character[character]

    def _beginning_with(self, character: str) -> list[TerminalDef]:
        if character not in self._terminals_by_character:
            self._terminals_by_character[character] = [
                terminal for terminal, initial in self._terminals if initial in (None, character)
            ]
        return self._terminals_by_character[character]

    def _match_of(self, terminal: TerminalDef) -> Match:
        if terminal.name not in self._matches:
            self._matches[terminal.name] = re.compile(terminal.pattern.to_regexp(), self._flags).match
        return self._matches[terminal.name]

    def _of_lark(self) -> ContextualLexer:
        if self._base is None:
            self._base = ContextualLexer(*self._settings)
        return self._base


def _precedence(terminal: TerminalDef) -> tuple[int, int, int, str]:
    """What lark sorts terminals by, those to try first in front."""
    pattern = terminal.pattern
    return -terminal.priority, -pattern.max_width, -len(pattern.value), terminal.name


def _initial(terminal: TerminalDef) -> str | None:
    """The only character that a terminal can begin with; None if there may be several."""
    pattern = terminal.pattern
    is_fixed = pattern.type == "str" or _KEYWORD.fullmatch(pattern.value) is not None
    return pattern.value[0] if is_fixed and not pattern.flags else None
