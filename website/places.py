"""Where files of the project are on the website."""

from __future__ import annotations

import posixpath
import re
from pathlib import Path, PurePosixPath

ROOT = Path(__file__).resolve().parent.parent
CATALOGUE = PurePosixPath("dsl/catalogue")

HOME, ERRORS, GAMES = "index.md", "errors/index.md", "games/index.md"
PLAYGROUND = "playground"
"""The folder of the playground on the website."""

SEPARATE = {
    PurePosixPath("README.md"): HOME,
    CATALOGUE: ERRORS,
    CATALOGUE / "introduction.md": ERRORS,
    CATALOGUE / "README.md": "errors/adding.md",
    PurePosixPath("games"): GAMES,
}
"""Files and folders that are not where `place_of` puts all others."""

PICTURES = {".png", ".svg"}

LINK = re.compile(r"(?<=\]\()([^)#\s:]+)(?=[^):]*\))")
"""What a link in Markdown leads to, if that is a file of the project."""


def place_of(source: PurePosixPath) -> str:
    """The path, below the folder of pages, of the page that shows a file or folder of the project."""
    if source in SEPARATE:
        return SEPARATE[source]
    for folder, there in ((PurePosixPath("docs"), PurePosixPath()), (CATALOGUE, PurePosixPath("errors"))):
        if source.is_relative_to(folder):
            source = there / source.relative_to(folder)
            break
    if source.name == "README.md":
        source = source.with_name("index.md")
    if not source.suffix and (ROOT / "docs" / source).is_dir():
        return f"{source}/files.md"
    return str(source) if source.suffix in {".md", *PICTURES} else f"{source}.md"


def target_of(link: str, source: PurePosixPath) -> PurePosixPath | None:
    """The file or folder of the project that a link in a file leads to; None if there is none."""
    target = PurePosixPath(posixpath.normpath(source.parent / link))
    return target if (ROOT / target).exists() and target.parts[:1] != ("..",) else None


def way_to(place: str, page: str) -> str:
    """The relative path from one page to another file, both below the folder of pages."""
    return posixpath.relpath(place, posixpath.dirname(page) or ".")
