"""Locating the board of a game: in the folder of the file that names it or in a subfolder, and nowhere else."""

from __future__ import annotations

from pathlib import Path, PurePosixPath, PureWindowsPath
from stat import S_ISREG

from dsl import ast
from dsl.diagnostics import Diagnostic


def board_file(folder: Path, node: ast.Board) -> Path | Diagnostic:
    """Resolve a board named in a file of this folder; a diagnostic if it will not be read."""
    if leads_out(node.path):
        return _refused(node, "the board is outside the game's folder")
    path = folder / node.path
    try:
        if not path.resolve().is_relative_to(folder.resolve()):
            return _refused(node, "this link leads outside the game's folder")
        if path.exists() and not path.is_dir() and not S_ISREG(path.stat().st_mode):
            return _refused(node, "this is not a regular file")
    except (OSError, ValueError, RuntimeError):  # a name the system cannot have, or a cycle of links
        return _refused(node, "this path cannot be resolved")
    return path


def leads_out(path: str) -> bool:
    """True if a path is not certain to stay in its folder on every system."""
    return any(
        pure.is_absolute() or pure.drive or pure.root or ".." in pure.parts
        for pure in (PurePosixPath(path), PureWindowsPath(path))
    )


def _refused(node: ast.Board, message: str) -> Diagnostic:
    helps = ("put the board into the folder of the rules or a subfolder, and write its path from there",)
    return Diagnostic("E0760", "error", message, node.span, helps=helps)
