"""The folders in which rules files are looked up by name."""

from __future__ import annotations

from pathlib import Path

from platformdirs import user_data_path

SUFFIX = ".rules"
EXAMPLES_SUFFIX = ".examples.rules"
OF_TABLE = "table:"
"""What the name of a table of the server begins with, where saves are named."""


def shipped_folder() -> Path:
    """The folder of the games that come with the program: inside the package, or beside it in a checkout."""
    root = Path(__file__).parents[2]
    inside = root / "interpreter" / "shipped"
    return inside if inside.is_dir() else root / "games"


def user_data() -> Path:
    """The user's folder for what belongs to the program; it need not exist."""
    return user_data_path("regelwerk", appauthor=False)


def user_folder() -> Path:
    """The user's own games folder; it need not exist."""
    return user_data() / "games"


def saves_folder() -> Path:
    """The user's folder for saves; it need not exist."""
    return user_data() / "saves"


def tables_file() -> Path:
    """The file in which the server keeps tables unless told otherwise; it need not exist."""
    return saves_folder() / "tables.sqlite"
