"""The games of an arena as stored in its file, identified by seating and rotation."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from cli.results_file import Form
from interpreter.analysis.failed_games import Failed
from interpreter.opponents.matches import Broken, Finished, Meeting


def games_form(seats: int, bots: int) -> Form[Meeting, Finished | Broken]:
    """The format of a file of games between this number of bots."""

    def read(document: Mapping[str, Any]) -> tuple[Meeting, Finished | Broken]:
        meeting = Meeting(tuple(map(int, document["seating"])), int(document["rotation"]))
        if len(meeting.seating) != seats or not set(meeting.seating) <= set(range(bots)):
            raise ValueError("other seats or bots")
        return meeting, _broken(document["failed"]) if "failed" in document else _finished(document["result"])

    return Form("arena results", read, _written)


def _written(meeting: Meeting, result: Finished | Broken) -> Mapping[str, Any]:
    kind = "failed" if isinstance(result, Broken) else "result"
    return {**asdict(meeting), kind: asdict(result)}


def _finished(data: Mapping[str, Any]) -> Finished:
    scores = tuple(tuple(map(int, criteria)) for criteria in data["scores"])
    return Finished(tuple(map(int, data["winners"])), scores, int(data["decisions"]), str(data["digest"]))


def _broken(data: Mapping[str, Any]) -> Broken:
    return Broken(Failed(**data["failed"]), tuple(map(str, data["moves"])))
