"""Texts in place of files: what an editor has not saved yet, or all there is where there are no files."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from dsl.text.files import Disk, Files, Unreadable


class Texts:
    """Texts by absolute path, in place of those of other files.

    `asked` are the paths and folders that were asked for: what was read depends on them and on nothing else.
    """

    def __init__(self, texts: Mapping[Path, str], below: Files) -> None:
        self._texts, self._below = texts, below
        self.asked: set[Path] = set()

    def read(self, path: Path, most: int) -> bytes:
        """The beginning of a text as UTF-8, or of the file. Raises Unreadable."""
        path = path.absolute()
        self.asked.add(path)
        text = self._texts.get(path)
        if text is None:
            return self._below.read(path, most)
        return text.encode("utf-8", "surrogatepass")[: most + 1]

    def is_file(self, path: Path) -> bool:
        """True if there is a text or a file."""
        path = path.absolute()
        self.asked.add(path)
        return path in self._texts or self._below.is_file(path)

    def inside(self, folder: Path) -> list[Path]:
        """The texts and files of a folder."""
        folder = folder.absolute()
        self.asked.add(folder)
        return list({*self._below.inside(folder), *(path for path in self._texts if path.parent == folder)})


class Nothing:
    """No files at all."""

    def read(self, path: Path, most: int) -> bytes:
        """Raises Unreadable."""
        raise Unreadable("missing")

    def is_file(self, path: Path) -> bool:
        """False."""
        return False

    def inside(self, folder: Path) -> list[Path]:
        """Nothing."""
        return []


DISK, NOTHING = Disk(), Nothing()
