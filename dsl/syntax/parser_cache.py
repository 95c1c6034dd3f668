"""The parser generated from `grammar.lark`, kept in the user's cache folder as generating it takes half a second."""

from __future__ import annotations

import hashlib
import io
import os
import pickle
import re
import sys
import tempfile
from collections.abc import Callable, Collection, Iterator
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple

import lark
import platformdirs
from lark import Token
from lark.lexer import ContextualLexer, LexerState, TerminalDef
from lark.parsers.lalr_analysis import Action

from dsl.garbage import uncollected
from dsl.syntax.layout import Layout, Parser, Tree
from dsl.syntax.parser_steps import FastTables

GRAMMAR = Path(__file__).parent.parent / "grammar.lark"
STARTS = ("start", "expr", "rest", "changes")
FORMAT = b"regelwerk parser 3\n"


# ---------------- lark's contextual lexer, compiled as far as a text needs it
# For each set of terminals that the parser can accept, of which the grammar has 324, lark compiles one pattern of
# them all. For the 89 sets that a small game needs this takes 50 ms, ten times as long as parsing it. Here each
# terminal is compiled once, at its first trial, and a character is tried only with those that can begin with it.


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
        candidates, states = self._candidates, parser_state.state_stack
        position, line, line_start = place.char_pos, place.line, place.line_start_pos
        while position < end:
            by_character = candidates.get(states[-1])
            possible = None if by_character is None else by_character.get(text[position])
            for name, match, is_ignored in self._possible(states[-1], text[position]) if possible is None else possible:
                found = match(text, position, end)
                if found is None:
                    continue
                # The constructor of tokens and the counting of lines take as long as all the rest.
                value = found.group()
                token = str.__new__(Token, value)
                token.type, token.value = name, value
                token.start_pos, token.line, token.column = position, line, position - line_start + 1
                position = found.end()
                if "\n" in value:
                    line += value.count("\n")
                    line_start = token.start_pos + value.rindex("\n") + 1
                column = position - line_start + 1
                token.end_pos, token.end_line, token.end_column = position, line, column
                place.char_pos, place.line, place.column, place.line_start_pos = position, line, column, line_start
                if not is_ignored:
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


# ---------------------------------------------------------------- the parser and its cache


CLASSES = (FastTables, Layout, LazyLexer, Parser)
"""Parts of the parser that are ours: a cached parser has been made by the same modules."""
PLUGINS = {"ContextualLexer": LazyLexer, "LALR_Parser": FastTables}


def build(strict: bool = False) -> lark.Lark:
    """Generate the parser from the text of the grammar. `strict` refuses terminals that collide."""
    return Parser(
        GRAMMAR.read_text(encoding="utf-8"),
        parser="lalr",
        start=list(STARTS),
        postlex=Layout(),
        tree_class=Tree,
        maybe_placeholders=True,
        strict=strict,
        _plugins={} if strict else PLUGINS,  # only the lexer of lark checks terminals
    )


@cache
def machine() -> lark.Lark:
    """The parser, loaded from the cache folder if possible."""
    path = cache_path()
    with uncollected():
        parser = load(path)
    if parser is None:
        parser = build()
        store(parser, path)
    return parser


def tree(text: str, start: str) -> Tree:
    """Parse lines. Raises LayoutError and the errors of lark."""
    return _parsed(text if text.endswith("\n") else text + "\n", start)


def expression_tree(text: str) -> Tree:
    """Parse an expression. Raises LayoutError and the errors of lark."""
    return _parsed(text, "expr")


def _parsed(text: str, start: str) -> Tree:
    parsed = machine().parse(text, start=start)
    assert isinstance(parsed, Tree)
    return parsed


def cache_path() -> Path:
    """Path of the cached parser for this grammar, this lark and this Python."""
    key = hashlib.sha256()
    for part in (
        FORMAT,
        GRAMMAR.read_bytes(),
        *(Path(sys.modules[class_.__module__].__file__ or "").read_bytes() for class_ in CLASSES),
        lark.__version__.encode(),
        sys.version.encode(),
        *map(str.encode, STARTS),
    ):
        key.update(hashlib.sha256(part).digest())
    folder = os.environ.get("REGELWERK_CACHE") or platformdirs.user_cache_dir("regelwerk")
    return Path(folder) / f"parser-{key.hexdigest()[:24]}.bin"


def load(path: Path) -> lark.Lark | None:
    """Load a cached parser; None unless it is certain to be complete.

    It is a pickle of the whole parser: reading lark's own form of it takes four times as long.
    """
    try:
        data = path.read_bytes()
        head, digest, body = data[: len(FORMAT)], data[len(FORMAT) : len(FORMAT) + 32], data[len(FORMAT) + 32 :]
        if head != FORMAT or hashlib.sha256(body).digest() != digest:
            return None
        parser = _Unpickler(io.BytesIO(body)).load()
    except (OSError, ValueError, EOFError, TypeError, LookupError, AttributeError, ImportError, pickle.PickleError):
        return None
    return parser if isinstance(parser, Parser) else None


def store(parser: lark.Lark, path: Path) -> bool:
    """Store a parser atomically; True on success. A folder that is not writable is left alone."""
    try:
        with io.BytesIO() as buffer:
            _Pickler(buffer, pickle.HIGHEST_PROTOCOL).dump(parser)
            body = buffer.getvalue()
        path.parent.mkdir(parents=True, exist_ok=True)
        handle, name = tempfile.mkstemp(dir=path.parent, prefix="parser-", suffix=".tmp")
        temporary = Path(name)
        try:
            with os.fdopen(handle, "wb") as file:
                file.write(FORMAT + hashlib.sha256(body).digest() + body)
            temporary.replace(path)
        finally:
            temporary.unlink(missing_ok=True)
    except (OSError, ValueError, TypeError, AttributeError, pickle.PickleError):
        return False
    return True


class _Pickler(pickle.Pickler):
    """Writes a parser, of which two things cannot be written as they are."""

    def reducer_override(self, value: object) -> Any:
        if isinstance(value, Action):
            return value.name  # lark compares it by identity: it is looked up in its module
        return (_patterns, ()) if value is re else NotImplemented


class _Unpickler(pickle.Unpickler):
    """Reads a parser and nothing else: a file in the cache folder cannot call other functions."""

    def find_class(self, module: str, name: str) -> Any:
        is_of_parser = module.startswith(("lark.", "dsl.syntax.")) and "." not in name
        if is_of_parser or (module, name) == ("functools", "partial"):
            return super().find_class(module, name)
        raise pickle.UnpicklingError(f"{module}.{name} is not part of a parser")


def _patterns() -> ModuleType:
    """The module with which lark compiles terminals."""
    return re
