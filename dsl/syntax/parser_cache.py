"""The parser generated from `grammar.lark`, kept in the user's cache folder as generating it takes half a second."""

from __future__ import annotations

import hashlib
import io
import os
import pickle
import re
import sys
import tempfile
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any

import lark
import platformdirs
from lark.parsers.lalr_analysis import Action

from dsl.garbage import uncollected
from dsl.syntax.layout import Layout
from dsl.syntax.lazy_lexer import LazyLexer
from dsl.syntax.placed_trees import Parser, Tree

GRAMMAR = Path(__file__).parent.parent / "grammar.lark"
STARTS = ("start", "expr", "rest", "changes")
FORMAT = b"regelwerk parser 3\n"
CLASSES = (Layout, LazyLexer, Parser)
"""Parts of the parser that are ours: a cached parser has been made by the same modules."""
PLUGINS = {"ContextualLexer": LazyLexer}


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
