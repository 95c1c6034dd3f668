"""The files that flags of a verb ask for: checked before anything is played, written when the figures are there."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import typer

from cli.laboratory.files import Form, Result, frame_path, html_path, svg_folder, write_frame, write_html, write_svg
from cli.laboratory.frames import games_frame
from cli.laboratory.report import Report
from cli.render.echo import echo
from dsl.text.nouns import counted

Html = Annotated[
    str | None, typer.Option("--html", metavar="FILE", help="Write a standalone page with charts for a browser.")
]
Svg = Annotated[str | None, typer.Option("--svg", metavar="FOLDER", help="Write each chart as a picture.")]
Table = Annotated[
    str | None,
    typer.Option("--table", metavar="FILE", help="Write a table with a row for each game: ….csv or ….parquet."),
]


@dataclass(frozen=True)
class Outputs:
    """Where to write what."""

    page: Path | None
    pictures: Path | None
    table: tuple[Path, Form] | None

    def write(self, found: Result) -> None:
        """Write all files, and say so on standard error. Raises CommandError if one cannot be written."""
        if self.table is not None and isinstance(found, Report):
            path, form = self.table
            frame = games_frame(found)
            _say(path, f"{counted(len(frame.rows), 'game')}, {_size(write_frame(frame, path, form))}")
        if self.page is not None:
            _say(self.page, f"{_size(write_html(found, self.page))}; open it in a browser")
        if self.pictures is not None:
            _say(self.pictures, counted(len(write_svg(found, self.pictures)), "picture"))


def outputs(html: str | None, svg: str | None, table: str | None = None) -> Outputs:
    """The files that flags ask for. Raises MisuseError, CommandError."""
    return Outputs(
        None if html is None else html_path(html),
        None if svg is None else svg_folder(svg),
        None if table is None else frame_path(table, "--table"),
    )


def _size(size: int) -> str:
    return f"{max(1, round(size / 1000))} KB"


def _say(path: Path, what: str) -> None:
    echo(f"{path}: {what}", err=True)
