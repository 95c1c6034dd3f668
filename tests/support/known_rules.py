"""Rules read and checked once for all tests of a process: that takes longer than to play them.

What is read in other ways, such as with examples or variants of one's own, shares the trees of the project's files.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from pathlib import Path

from dsl import ast
from dsl.diagnostics import Diagnostic
from dsl.syntax import parse
from dsl.text.span import Source
from interpreter.errors import VariantError
from interpreter.loading.rules import Rules, load_rules
from interpreter.loading.variants import base_of, find_variants
from tests.support.project import ROOT


def known_rules(
    path: Path, board: Path | None = None, variants: Sequence[str | Path] = (), language: str | None = None,
    every_language: bool = False,
) -> Rules:  # fmt: skip
    """Rules as `load_rules` gives them; those of games of the project, which no test changes, are read once.

    That is without a board of one's own, and with variants of the project only.
    """
    known = None if board is not None or not path.absolute().is_relative_to(ROOT) else _files(path, variants)
    if known is None:
        return load_rules(path, board=board, variants=variants, language=language, every_language=every_language)
    folder = Path.cwd()
    return _rules(path, folder if folder.is_relative_to(ROOT) else None, known, language, every_language)


def _files(path: Path, variants: Sequence[str | Path]) -> tuple[Path, ...] | None:
    """The files of variants, if all belong to the project."""
    if not variants:
        return ()
    try:
        files = None if base_of(path) is not None else find_variants(path, variants)
    except VariantError:
        return None
    return files if files is not None and all(file.absolute().is_relative_to(ROOT) for file in files) else None


def known_tree(source: Source, first_number: int = 0) -> tuple[ast.RulesFile | None, list[Diagnostic]]:
    """What `parse` gives; a text of the project's games is parsed once."""
    if source.text not in _texts():
        return parse(source, first_number)
    tree, diagnostics = _tree(source, first_number)
    return tree, [*diagnostics]


@cache
def _texts() -> frozenset[str]:
    return frozenset(path.read_text("utf-8") for path in (ROOT / "games").rglob("*.rules"))


_tree = cache(parse)


@cache
def _rules(
    path: Path, folder: Path | None, variants: tuple[Path, ...], language: str | None, every_language: bool
) -> Rules:
    """Rules read in a folder of the project, or elsewhere: findings name files relative to it."""
    return load_rules(path, variants=variants, language=language, every_language=every_language)
