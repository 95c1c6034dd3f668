"""Runs that are continued: the changes tried so far, one in a line of a file, after a line that says of which rules."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path

from dsl.lazy_dataclasses import dataclass
from dsl.text.files import JsonObject, Unreadable, read_file
from dsl.text.replacing import replace_text
from dsl.text.visible import json_text
from interpreter.authoring.coverage.random_games import Setting
from interpreter.errors import RunError
from interpreter.exploration.in_step import Witness
from interpreter.exploration.mutation import Survey, Tried
from interpreter.loading.rules import Rules

FORMAT = "regelwerk changes tried"
MAX_BYTES = 100_000_000


@dataclass(frozen=True)
class KeptRun:
    """The file of a run. `is_anew`: it holds no run of these rules and examples, and is begun again."""

    path: Path
    head: JsonObject
    is_anew: bool

    def add(self, tried: Tried) -> None:
        """Add a change that has been tried. Raises OSError."""
        with self.path.open("a", encoding="utf-8") as file:
            file.write(json_text(asdict(tried)) + "\n")


def continued(path: Path, survey: Survey) -> KeptRun:
    """Take what a file says of an earlier run into a survey, or begin the file. Raises RunError and OSError."""
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
    kept = [head] if is_anew else lines
    replace_text(path, "".join(f"{json_text(line)}\n" for line in kept))  # without a line that was cut off
    return KeptRun(path, head, is_anew)


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
