"""The output files that flags name, checked before anything is played."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Annotated

import typer

from cli.errors import MisuseError
from cli.laboratory.files import (
    Result,
    TableFormat,
    frame_path,
    html_path,
    svg_folder,
    write_frame,
    write_html,
    write_svg,
)
from cli.laboratory.frames import figures_frame, games_frame
from cli.laboratory.language import report_in, worded
from cli.laboratory.report import Report
from cli.save_paths import short
from dsl.lazy_dataclasses import dataclass
from dsl.text.nouns import counted

Html = Annotated[
    str | None, typer.Option("--html", metavar="FILE", help="Write a page with charts to FILE, to read in a browser.")
]
Svg = Annotated[
    str | None, typer.Option("--svg", metavar="FOLDER", help="Write each chart to a file of its own in FOLDER.")
]
Figures = Annotated[
    str | None,
    typer.Option("--figures", metavar="FILE", help="Write all figures to FILE: .csv, .parquet or .json."),
]
PerGame = Annotated[
    str | None,
    typer.Option("--per-game", metavar="FILE", help="Write the values of every game to FILE: .csv, .parquet or .json."),
]


FORMATS = ("text", "json", "csv")
Format = Annotated[str, typer.Option("--format", metavar="|".join(FORMATS), help="Output format.")]


def check_format(form: str) -> None:
    """Raise MisuseError unless a result can be printed in this format."""
    if form not in FORMATS:
        raise MisuseError(f"--format must be {', '.join(FORMATS[:-1])} or {FORMATS[-1]}, not {form}")


@dataclass(frozen=True)
class Outputs:
    """Where a result is written besides the screen."""

    html: Path | None = None
    svg: Path | None = None
    figures: tuple[Path, TableFormat] | None = None
    games: tuple[Path, TableFormat] | None = None

    def write(self, result: Result) -> Iterator[str]:
        """Write the page and the pictures, with display names, and yield a line about each. Raises CommandError."""
        if self.html is not None or self.svg is not None:
            result = worded(result)
        if self.html is not None:
            size = write_html(result, self.html)
            yield f"{short(self.html)}: {size / 1_000_000:.1f} MB; open it in a browser"
        if self.svg is not None:
            yield f"{short(self.svg)}: {counted(len(write_svg(result, self.svg)), 'picture')}"

    def write_tables(self, report: Report) -> Iterator[str]:
        """Write the tables of figures and of games, with the names of the rules, and yield a line about each.

        Raises CommandError.
        """
        if self.figures is not None or self.games is not None:
            report = report_in(report, plain=True)
        if self.figures is not None:
            write_frame(figures_frame(report), *self.figures)
            yield f"{short(self.figures[0])}: {counted(len(report.measures), 'figure')}"
        if self.games is not None:
            write_frame(games_frame(report), *self.games)
            yield f"{short(self.games[0])}: {counted(len(report.records) + len(report.failed), 'game')}"


def outputs(
    html: str | None, svg: str | None, figures: str | None = None, per_game: str | None = None
) -> Outputs:  # fmt: skip
    """Check the files and folders that flags name. Raises MisuseError, CommandError."""
    return Outputs(
        None if html is None else html_path(html),
        None if svg is None else svg_folder(svg),
        None if figures is None else frame_path(figures, "--figures"),
        None if per_game is None else frame_path(per_game, "--per-game"),
    )
