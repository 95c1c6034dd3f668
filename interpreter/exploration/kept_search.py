"""A search that is continued: everything it knows, in one JSON file that is replaced after each part of the run."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

from dsl.text.files import JsonObject, Unreadable, read_file
from dsl.text.replacing import replace_text
from dsl.text.visible import json_text
from interpreter.authoring.coverage.random_games import Setting
from interpreter.errors import PlayError, RunError, writing
from interpreter.exploration.findings import Course, Finding
from interpreter.exploration.kept_runs import digest
from interpreter.exploration.runs import Goal
from interpreter.exploration.search import DecisionStats, Explorer

FORMAT = "regelwerk search"
MAX_BYTES = 100_000_000


def keep(path: Path, explorer: Explorer) -> None:
    """Write everything a search knows. Raises RunError."""
    document = {
        "format": FORMAT,
        "rules": digest(explorer.rules),
        "seed": explorer.seed,
        "runs": explorer.runs,
        "games": explorer.games,
        "decisions": explorer.decisions,
        "seconds": explorer.seconds,
        "taken": list(explorer.runs_by_branch.items()),
        "done": [[*act, count] for act, count in explorer.act_counts.items()],
        "extremes": [[*extreme, value] for extreme, value in explorer.extremes.items()],
        "asked": [
            [number, stats.location, stats.times, stats.choices, course_data(stats.course)]
            for number, stats in explorer.decision_stats.items()
        ],
        "places": [[goal, course_data(place.course), place.runs] for goal, place in explorer.places.items()],
        "findings": [
            {
                "kind": finding.kind,
                "location": finding.location,
                "words": str(finding.words),
                "course": course_data(finding.course),
                "in_move": finding.in_move,
                "at_display": finding.at_display,
            }
            for finding in explorer.findings.values()
        ],
    }
    with writing(path):
        replace_text(path, json_text(document) + "\n")


def resume(path: Path, explorer: Explorer) -> bool:
    """Take what a file says into a new search; False if it is about other rules or another seed. Raises RunError."""
    try:
        document: JsonObject = json.loads(read_file(path, MAX_BYTES).decode("utf-8"))
    except (Unreadable, UnicodeDecodeError) as fault:
        raise RunError(f"{path}: {fault}") from None
    except ValueError:
        document = {}
    if not isinstance(document, dict) or document.get("format") != FORMAT:
        raise RunError(f"{path} is not a file of a search")
    if (document["rules"], document["seed"]) != (digest(explorer.rules), explorer.seed):
        return False
    explorer.runs, explorer.games = document["runs"], document["games"]
    explorer.decisions, explorer.seconds = document["decisions"], document["seconds"]
    explorer.runs_by_branch = Counter(dict(document["taken"]))
    explorer.act_counts = Counter({(point, act): count for point, act, count in document["done"]})
    explorer.extremes = {(name, end): value for name, end, value in document["extremes"]}
    for number, location, times, choices, course in document["asked"]:
        explorer.decision_stats[number] = DecisionStats(location, course_of(course), times, choices)
    for entry in document["findings"]:
        finding = Finding(**{**entry, "course": course_of(entry["course"])})
        explorer.findings[finding.key] = finding
    for written, course, runs in document["places"]:
        goal: Goal = (written[0], written[1]) if isinstance(written, list) else written
        try:
            explorer.place_at(goal, course_of(course), runs)
        except PlayError:
            continue
    return True


def course_data(course: Course) -> JsonObject:
    """A course as plain data; moves are numbers of the program."""
    return {
        "players": course.setting.players, "options": dict(course.setting.options), "seed": course.seed,
        "moves": [list(move) for move in course.moves],
    }  # fmt: skip


def course_of(data: JsonObject) -> Course:
    """The course that plain data says."""
    setting = Setting(data["players"], tuple(data["options"].items()))
    return Course(setting, data["seed"], tuple(map(tuple, data["moves"])))
