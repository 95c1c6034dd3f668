"""Runs of a survey that are continued: the changes tried, each in a line of a file whose first line names the rules."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from time import monotonic

from dsl.lazy_dataclasses import dataclass
from dsl.text.files import JsonObject, Unreadable, read_file
from dsl.text.replacing import replace_text
from dsl.text.visible import json_text
from interpreter.analysis.workers import Progress, Stop, Watch, never, unwatched
from interpreter.authoring.coverage.random_games import Setting
from interpreter.errors import Interrupted, RunError, writing
from interpreter.exploration.in_step import Witness
from interpreter.exploration.mutation import Survey, Tried
from interpreter.loading.rules import Rules

SECONDS = 60
"""Default time of a run, in seconds."""

FORMAT = "regelwerk changes tried"
MAX_BYTES = 100_000_000


@dataclass(frozen=True)
class KeptRun:
    """The file of a run. `is_anew`: it holds no run of these rules and examples, and is begun again."""

    path: Path
    head: JsonObject
    is_anew: bool

    def add(self, tried: Tried) -> None:
        """Add a change that has been tried. Raises RunError."""
        with writing(self.path), self.path.open("a", encoding="utf-8") as file:
            file.write(json_text(asdict(tried)) + "\n")


def continued(path: Path, survey: Survey) -> KeptRun:
    """Take what a file says of an earlier run into a survey, or begin the file. Raises RunError."""
    head = {
        "format": FORMAT, "rules": digest(survey.original.rules), "games": survey.games, "seed": survey.seed,
        "only": survey.only,
    }  # fmt: skip
    lines = list(_lines(path)) if path.exists() else []
    if path.exists() and (not lines or lines[0].get("format") != FORMAT):
        raise RunError(f"{path} is not a file of changes tried")
    is_anew = not lines or lines[0] != head
    for line in () if is_anew else lines[1:]:
        tried = _tried(line)
        survey.tried[tried.description] = tried
    valid_lines = [head] if is_anew else lines
    with writing(path):
        replace_text(path, "".join(f"{json_text(line)}\n" for line in valid_lines))  # without a line that was cut off
    return KeptRun(path, head, is_anew)


def surveyed(
    survey: Survey, seconds: float, jobs: int, into: Path | None, watch: Watch = unwatched, stop: Stop = never
) -> Survey:  # fmt: skip
    """Try changes for some seconds in `jobs` processes; in a folder `into` the run is kept, with all examples.

    Raises Interrupted after Ctrl-C, RunError for the folder.
    """
    began = monotonic()
    name = survey.original.rules.name
    run_file = None if into is None else continued(into / f"{name}.changes.jsonl", survey)
    survey.earlier = len(survey.tried)
    by_keyboard = False

    def show() -> None:
        watch(Progress(len(survey.tried), len(survey.changes), _seconds_left(survey, began, seconds), _note(survey)))

    try:
        show()
        for tried in survey.run(lambda: monotonic() >= began + seconds, jobs):
            if run_file is not None:
                run_file.add(tried)
            show()
            if stop():
                survey.interrupted = True
                break
    except KeyboardInterrupt:
        survey.interrupted = by_keyboard = True
    survey.seconds = monotonic() - began
    if into is not None:
        path = into / f"{name}.proposed.txt"
        with writing(path):
            replace_text(path, _proposed(survey))
    if by_keyboard:
        raise Interrupted(survey)
    return survey


def _note(survey: Survey) -> str:
    return f"{survey.count('difference')} not noticed"


def _seconds_left(survey: Survey, began: float, seconds: float) -> float | None:
    """The seconds until all changes are tried, or until the time is over; None before one was tried."""
    tried, elapsed = len(survey.tried) - survey.earlier, monotonic() - began
    if not tried:
        return None
    return max(0.0, min(seconds - elapsed, elapsed / tried * (len(survey.changes) - len(survey.tried))))


def _proposed(survey: Survey) -> str:
    """All proposed examples, each with the change that it notices."""
    return "\n".join(
        f"# {tried.location}: {tried.description}\n{tried.example}" for tried in survey.missing() if tried.example
    )


def digest(rules: Rules) -> str:
    """A hash of the rules and of their examples."""
    texts = [rules.hash, *(example.span.text for example in rules.model.examples)]
    return hashlib.sha256("\n".join(texts).encode("utf-8", "surrogatepass")).hexdigest()[:32]


def _lines(path: Path) -> Iterator[JsonObject]:
    """The lines of a file; one that was not written to its end is left out. Raises RunError."""
    try:
        text = read_file(path, MAX_BYTES).decode("utf-8")
    except (Unreadable, UnicodeDecodeError) as fault:
        raise RunError(f"{path}: {fault}") from None
    for line in text.splitlines():
        try:
            read = json.loads(line)
        except ValueError:
            return
        if not isinstance(read, dict):
            raise RunError(f"{path} is not a file of changes tried")
        yield read


def _tried(line: JsonObject) -> Tried:
    first = line["first"]
    witness = None
    if first is not None:
        setting = Setting(first["setting"]["players"], tuple(map(tuple, first["setting"]["options"])))
        witness = Witness(setting, first["seed"], tuple(first["choices"]), first["differs"], first["fault"])
    return Tried(**{**line, "first": witness})
