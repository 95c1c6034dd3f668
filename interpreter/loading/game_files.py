"""The files that belong to a game: rules, examples, items, languages, variants, and the boards that these name."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from dsl import ast
from dsl.checker.board_path import board_file
from dsl.diagnostics import Diagnostic, RulesError, has_errors
from dsl.text.files import files_in, is_file
from dsl.text.folders import SUFFIX
from dsl.text.variant_files import FOLDER, head_of, name_of
from interpreter.loading.game_library import companion_of, items_file
from interpreter.loading.languages import languages_of
from interpreter.loading.rules import read_rules, shown
from interpreter.loading.variants import read_variant


def files_of_game(rules: Path) -> list[Path]:
    """Everything that belongs to a game, by the path of its rules file, which comes first.

    Variants are those in the folder `variants` beside it, languages those in `languages`. Raises RulesError if the
    rules cannot be read.
    """
    file, _, diagnostics = read_rules(rules, examples=False)
    if file is None or has_errors(diagnostics):
        raise RulesError(diagnostics)
    beside = [path for path in (companion_of(rules), items_file(rules)) if path is not None]
    variants = [path for path in files_in(rules.parent / FOLDER, SUFFIX) if _is_variant_of(path, rules)]
    boards = [board for path in variants for board in _boards(read_variant(path, shown(path), 0)[0], path)]
    return list(
        dict.fromkeys([rules, *beside, *languages_of(rules).values(), *_boards(file, rules), *variants, *boards])
    )


def _is_variant_of(path: Path, rules: Path) -> bool:
    head = head_of(path)
    return head is not None and head.game == name_of(rules)


def _boards(file: ast.RulesFile | None, path: Path) -> Iterator[Path]:
    """The board files that a rules file names."""
    for node in () if file is None else file.walk():
        if isinstance(node, ast.Board):
            board = board_file(path.parent, node)
            if not isinstance(board, Diagnostic) and is_file(board):
                yield board
