"""The games of a run as stored in its file, identified by their numbers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from pydantic import TypeAdapter

from interpreter.laboratory.records import FailedRecord, GameRecord
from interpreter.laboratory.results_file import ResultsFormat

Record = GameRecord | FailedRecord


def games_form(seats: int) -> ResultsFormat[int, Record]:
    """The format of a file of games with this number of seats."""
    finished, failed = TypeAdapter(GameRecord), TypeAdapter(FailedRecord)

    def read(document: Mapping[str, Any]) -> tuple[int, Record]:
        record: Record
        if "failed" in document:
            record = failed.validate_python(document)
        else:
            record = finished.validate_python(document)
            if len(record.scores) != seats or not set(record.winners) <= set(range(seats)):
                raise ValueError("other seats")
        if record.number < 0:
            raise ValueError("a negative number")
        return record.number, record

    return ResultsFormat("games", read, _written)


def _written(number: int, record: Record) -> Mapping[str, Any]:
    return {name: value for name, value in asdict(record).items() if value is not None}
