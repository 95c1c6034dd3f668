"""Running examples in a process of their own: it can be stopped at any time, and takes no time from the editor.

The process gets the open texts on its standard input, and prints one line for each example.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import signal
import sys
from collections.abc import AsyncGenerator, Mapping
from pathlib import Path

from dsl.text.files import JsonObject
from editors.service.analysis import Trees, analyse
from editors.service.results import Finding, Place
from editors.service.running import example_findings
from editors.service.texts import DISK
from interpreter.watchdog import watchdog

MAX_SECONDS = 120
"""After this time the process ends, whatever its examples do; it outlives a server that is killed by no more."""

MAX_LINE = 1 << 20
"""Maximum length of a line of its output."""


async def run_examples(
    path: Path, texts: Mapping[Path, str], title: str = "", *, with_coverage: bool = False
) -> AsyncGenerator[tuple[str, Finding | None], None]:
    """Run the examples of a game with these texts; yield their titles and what fails, as they are run.

    The process is killed when nobody asks for more.
    """
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "editors.lsp.examples", stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.DEVNULL, limit=MAX_LINE,
    )  # fmt: skip
    assert process.stdin is not None and process.stdout is not None
    task = {
        "path": str(path), "texts": {str(file): text for file, text in texts.items()}, "title": title,
        "with_coverage": with_coverage,
    }  # fmt: skip
    try:
        with contextlib.suppress(BrokenPipeError, ConnectionResetError):
            process.stdin.write(json.dumps(task).encode())
            await process.stdin.drain()
            process.stdin.close()
        while line := await process.stdout.readline():
            entry: JsonObject = json.loads(line)
            yield entry["title"], _finding(entry["finding"])
        await process.wait()
    finally:
        with contextlib.suppress(ProcessLookupError):
            process.kill()


def _finding(entry: JsonObject | None) -> Finding | None:
    if entry is None:
        return None
    return Finding(
        Place(Path(entry["path"]), entry["start"], entry["end"]),
        entry["severity"],
        "",
        entry["message"],
        is_hint=entry["is_hint"],
    )


def _run_task() -> None:
    """What the process does."""
    if hasattr(signal, "alarm"):
        signal.alarm(MAX_SECONDS)
    task: JsonObject = json.load(sys.stdin)
    texts = {Path(path): text for path, text in task["texts"].items()}
    with watchdog():
        analysis = analyse(Path(task["path"]), texts, DISK, Trees())
        for title, finding in example_findings(analysis, task["title"], with_coverage=task["with_coverage"]):
            entry: JsonObject = {"title": title, "finding": None}
            if finding is not None:
                place = finding.place
                entry["finding"] = {
                    "path": str(place.path), "start": place.start, "end": place.end, "message": finding.message,
                    "severity": finding.severity, "is_hint": finding.is_hint,
                }  # fmt: skip
            sys.stdout.write(json.dumps(entry) + "\n")
            sys.stdout.flush()


if __name__ == "__main__":
    _run_task()
