"""The games of an arena as stored in its file, identified by seating and rotation."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from pydantic import TypeAdapter

from interpreter.laboratory.results_file import ResultsFormat
from interpreter.opponents.matches import Broken, Finished, Meeting


def games_form(seats: int, bots: int) -> ResultsFormat[Meeting, Finished | Broken]:
    """The format of a file of games between this number of bots."""
    meetings, finished, broken = TypeAdapter(Meeting), TypeAdapter(Finished), TypeAdapter(Broken)

    def read(document: Mapping[str, Any]) -> tuple[Meeting, Finished | Broken]:
        meeting = meetings.validate_python({name: document[name] for name in ("seating", "rotation")})
        if len(meeting.seating) != seats or not set(meeting.seating) <= set(range(bots)) or meeting.rotation < 0:
            raise ValueError("other seats or bots")
        if "failed" in document:
            return meeting, broken.validate_python(document["failed"])
        result = finished.validate_python(document["result"])
        if len(result.scores) != seats or not set(result.winners) <= set(range(seats)):
            raise ValueError("other seats")
        return meeting, result

    return ResultsFormat("arena results", read, _written)


def _written(meeting: Meeting, result: Finished | Broken) -> Mapping[str, Any]:
    kind = "failed" if isinstance(result, Broken) else "result"
    return {**asdict(meeting), kind: asdict(result)}
