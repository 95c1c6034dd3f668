"""The figures and the games of a run as tables for other programs: CSV, JSON or, with the library `polars`, Parquet.

The names of columns are stable: those of `FIGURES` and `GAMES`, and for each measure its key, such as `win:red`.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator
from typing import Any, Literal

from dsl.lazy_dataclasses import dataclass
from dsl.text.visible import json_text
from interpreter.laboratory.records import GameRecord
from interpreter.laboratory.report import Report

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
