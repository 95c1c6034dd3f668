"""The output files that flags name, checked before anything is played."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from importlib.util import find_spec
from pathlib import Path
from typing import Annotated, Any, Literal

import typer

from cli.errors import CommandError, MisuseError
from cli.html.standalone import replaceable_path
from cli.laboratory.page import KIND
from cli.laboratory.sweeping import Sweep, selected, with_same_winners
from cli.output_files import in_writable_folder, output_file, target_path, write_shared
from cli.progress import Stage, show_progress
from cli.save_paths import short
from dsl.lazy_dataclasses import dataclass
from dsl.text.files import special_at
from dsl.text.nouns import counted
from dsl.text.visible import json_text
from interpreter.laboratory.comparing import EXTRA, Comparison, compare
from interpreter.laboratory.courses import GameRecord
from interpreter.laboratory.report import Report, report_of
from interpreter.wording.phrases import Phrase

# ---- The figures and the games of a run as tables for other programs: CSV, JSON or, with the library `polars`,
# Parquet
#
# The names of columns are stable: those of `FIGURES` and `GAMES`, and for each measure its key, such as `win:red`.


ColumnType = Literal["text", "whole", "number", "truth"]
Cell = str | int | float | bool | None
LARGEST_INT64 = 1 << 63
"""Numbers below it are those that a 64-bit column of a Parquet file holds."""

FIGURES: dict[str, ColumnType] = {
    "measure": "text",
    "words": "text",
    "subject": "text",
    "share": "truth",
    "games": "whole",
    "mean": "number",
    "low": "number",
    "high": "number",
    "least": "number",
    "most": "number",
}
"""The columns of a table of figures, which has a row for each measure: the fields of `Measured`."""

GAMES: dict[str, ColumnType] = {
    "game": "whole",
    "seed": "whole",
    "failed": "truth",
    "winners": "text",
    "choices": "whole",
    "looked_at": "truth",
}
"""The first columns of a table of games, which has a row for each game; a column for each measure follows."""


@dataclass(frozen=True)
class Frame:
    """A table: its columns by name, with the kind of their cells, and its rows. An empty cell is None."""

    columns: dict[str, ColumnType]
    rows: tuple[tuple[Cell, ...], ...]

    def csv(self) -> str:
        """Comma-separated values with a header line; empty cells are empty, truth values are `true` and `false`."""
        text = io.StringIO()
        writer = csv.writer(text, lineterminator="\n")
        writer.writerow(self.columns)
        writer.writerows([_written(cell) for cell in row] for row in self.rows)
        return text.getvalue()

    def json(self) -> str:
        """A list with an object for each row, without its empty cells."""
        rows = [dict(zip(self.columns, row, strict=True)) for row in self.rows]
        return json_text([{name: cell for name, cell in row.items() if cell is not None} for row in rows]) + "\n"

    def parquet(self) -> bytes:
        """A Parquet file. The library `polars` must be installed."""
        import polars  # an optional extra, and slow to import

        types: dict[ColumnType, Any] = {
            "text": polars.String,
            "whole": polars.Int64,
            "number": polars.Float64,
            "truth": polars.Boolean,
        }
        schema = {name: types[kind] for name, kind in self.columns.items()}
        for number, name in enumerate(self.columns):
            integers = [cell for row in self.rows if isinstance(cell := row[number], int)]
            if any(not -LARGEST_INT64 <= cell < LARGEST_INT64 for cell in integers):
                schema[name] = polars.Decimal(20, 0)  # seeds have up to 64 bits and a sign
        content = io.BytesIO()
        polars.DataFrame([list(row) for row in self.rows], schema=schema, orient="row").write_parquet(content)
        return content.getvalue()


def _written(cell: Cell) -> str | int | float:
    if cell is None:
        return ""
    return str(cell).lower() if isinstance(cell, bool) else cell


def figures_frame(report: Report) -> Frame:
    """The figures of a run: a row for each measure."""
    rows = tuple(
        (
            measure.key, measure.words, measure.subject, measure.share, measured.games,
            figure.mean, figure.low, figure.high, figure.least, figure.most,
        )
        for measured in report.measures for measure, figure in [(measured.measure, measured.figure)]
    )  # fmt: skip
    return Frame(FIGURES, rows)


def games_frame(report: Report) -> Frame:
    """The games of a run: a row for each, in order, with the value of each measure.

    A game that ended in an error has no values. `winners` are the names of the winning seats, separated by spaces.
    """
    measures = [measured.measure for measured in report.measures]
    columns: dict[str, ColumnType] = {**GAMES, **{measure.key: "number" for measure in measures}}
    return Frame(columns, tuple(row for _, row in sorted(_rows(report))))


def _rows(report: Report) -> Iterator[tuple[int, tuple[Cell, ...]]]:
    setting, measures = report.setting, [measured.measure for measured in report.measures]
    for record in report.records:
        values = [_number(measure.value(record)) for measure in measures]
        head = (record.number, setting.seed + record.number, False, _winners(report, record))
        yield record.number, (*head, record.choices, record.course is not None, *values)
    for failed in report.failed:
        nothing = (None for _ in measures)
        yield failed.number, (failed.number, setting.seed + failed.number, True, None, None, False, *nothing)


def _number(value: float | None) -> float | None:
    return None if value is None else float(value)


def _winners(report: Report, record: GameRecord) -> str:
    return " ".join(report.setting.game.seats[seat] for seat in record.winners)


Html = Annotated[
    str | None, typer.Option("--html", metavar="FILE", help="Write a page with charts to FILE, to read in a browser.")
]
Svg = Annotated[
    str | None, typer.Option("--svg", metavar="FOLDER", help="Write each chart to a file of its own in FOLDER.")
]
Figures = Annotated[
    str | None, typer.Option("--figures", metavar="FILE", help="Write all figures to FILE: .csv, .parquet or .json.")
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


# ---- Results with display names, for people, or with the names of the rules, for programs


def worded(result: Report | Sweep | Comparison) -> Report | Sweep | Comparison:
    """The same result with display names."""
    match result:
        case Report():
            return report_in(result, plain=False)
        case Comparison():
            return compare(report_in(result.report_a, plain=False), report_in(result.report_b, plain=False))
        case Sweep():
            reports = with_same_winners([report_in(report, plain=False) for report in result.reports])
            keys = [measure.key for measure in result.measures]
            return Sweep(result.choices, reports, selected(reports, keys) if keys else ())


def report_in(report: Report, *, plain: bool) -> Report:
    """The same report with display names or, if `plain`, with the names of the rules."""
    if report.setting.plain == plain:
        return report
    setting = replace(report.setting, plain=plain)
    return replace(report_of(setting, report.records, report.failed, report.requested), skill=report.skill)


# ---- Writing a report to files: a page, a folder of charts, tables for other programs


CHARTS, PARQUET = ("altair", "vl_convert"), ("polars",)
"""The libraries for charts, and the one for Parquet."""

DRAWING = "drawing charts"

TableFormat = Literal["csv", "parquet", "json"]
FORMS: Mapping[str, TableFormat] = {".csv": "csv", ".parquet": "parquet", ".json": "json"}
"""The formats of tables, by the extension of the file name."""
Result = Report | Sweep | Comparison
"""The results that can be written as a page and as pictures."""


def require(libraries: Sequence[str], purpose: str) -> None:
    """Raise MisuseError, with the command that installs them, if any of these libraries is missing."""
    missing = [name for name in libraries if not _is_installed(name)]
    if missing:
        raise MisuseError(f"{purpose} needs the library {' and '.join(missing)}: {EXTRA}")


def _is_installed(name: str) -> bool:
    try:
        return find_spec(name) is not None
    except ValueError:  # a module without a specification, such as one that a test replaced
        return False


# ---- targets


def html_path(text: str) -> Path:
    """The file to which `--html` writes: a new one, or a page of a report to be replaced.

    Raises MisuseError, CommandError.
    """
    require(CHARTS, "--html")
    return replaceable_path(text, "--html", KIND, Phrase("page of a report"))


def svg_folder(text: str) -> Path:
    """The folder to which `--svg` writes; only its parent must exist. Raises MisuseError, CommandError."""
    require(CHARTS, "--svg")
    path = target_path(text, "--svg")
    kind = special_at(path)
    if path.exists() and kind != "a folder":
        raise MisuseError(f"--svg {text} is {kind or 'a file'}, not a folder")
    return path if path.exists() else in_writable_folder(path, "--svg")


def frame_path(text: str, flag: str) -> tuple[Path, TableFormat]:
    """The file to which a flag writes a table, and the format, determined by its extension.

    Raises MisuseError, CommandError.
    """
    path = output_file(text, flag)
    form: TableFormat | None = FORMS.get(path.suffix.lower())
    if form is None:
        raise MisuseError(f"{flag} expects a file called ….csv, ….parquet or ….json, not {text}")
    if form == "parquet":
        require(PARQUET, f"{flag} {text}")
    return in_writable_folder(path, flag), form


# ---- writing


def write_html(result: Result, path: Path) -> int:
    """Write the page of a run, a sweep or a comparison and return its size in bytes.

    Raises CommandError if the file cannot be written.
    """
    from cli.laboratory.page.pages import page_of  # an optional extra, and slow to import

    with show_progress(Stage(DRAWING)):
        text = page_of(result)
    return write_shared(path, text.encode())


def write_svg(result: Result, folder: Path) -> list[Path]:
    """Write each chart of a run, a sweep or a comparison to its own file and return the paths.

    Raises CommandError.
    """
    from cli.laboratory.page.pages import pictures_of  # an optional extra, and slow to import

    with show_progress(Stage(DRAWING)):
        pictures = pictures_of(result)
    try:
        folder.mkdir(exist_ok=True)
    except OSError as fault:
        raise CommandError(f"cannot make {folder}: {(fault.strerror or str(fault)).lower()}") from None
    for name, text in pictures.items():
        write_shared(folder / f"{name}.svg", text.encode())
    return [folder / f"{name}.svg" for name in pictures]


def frame_bytes(frame: Frame, form: TableFormat) -> bytes:
    """A table as the content of a file."""
    if form == "parquet":
        return frame.parquet()
    return (frame.csv() if form == "csv" else frame.json()).encode()


def write_frame(frame: Frame, path: Path, form: TableFormat) -> int:
    """Write a table and return its size in bytes. Raises CommandError if the file cannot be written."""
    return write_shared(path, frame_bytes(frame, form))
