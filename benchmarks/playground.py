"""`python -m benchmarks.playground`: how long the playground takes to open, from a server and from the cache."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from time import monotonic
from typing import Any

from benchmarks.figures import Figure, table
from benchmarks.python_in_browser import MissingError, served
from tests.cli.browser import found_browser
from website.playground import CannotBuildError, built

ROUNDS = 5
MAX_SECONDS = 120.0


def measure(_: str, rounds: int, span: float) -> list[Figure]:
    """The time until the first question of a game is asked in the playground."""
    try:
        return list(figures(built(), rounds))
    except (CannotBuildError, MissingError) as error:
        print(f"the playground is not measured: {error}", file=sys.stderr)
        return []


def figures(folder: Path, rounds: int) -> Iterator[Figure]:
    """Seconds and processor time until the first question, and what they are spent on. Raises MissingError."""
    from playwright.sync_api import sync_playwright

    path = found_browser()
    if path is None:
        raise MissingError("Chromium is not installed")
    first, again = list[Opening](), list[Opening]()
    with served(folder) as address, sync_playwright() as playwright:
        for _ in range(rounds):
            browser = playwright.chromium.launch(executable_path=path, args=["--no-sandbox"])
            context = browser.new_context()
            for openings in (first, again):
                openings.append(_opened(browser, context, address))
            browser.close()
    parts = [opening.worker for opening in again]
    for name, measured in (("from a server", first), ("from its cache", again)):
        for until, ends in (
            ("editor", [each.editor for each in measured]),
            ("question", [each.question for each in measured]),
        ):
            words = f"opening the playground {name}, until its {until}"
            yield Figure(f"{words} is there", "s", tuple(end.seconds for end in ends), "by the clock")
            yield Figure(f"{words} is there: processor time", "s", tuple(end.processor for end in ends), "")
    for name in ("snapshot", "all"):
        note = {"snapshot": "fetched and unpacked", "all": "Python is restored"}[name]
        yield Figure(f"in the worker, until: {note}", "s", tuple(part[name] / 1000 for part in parts), "from the cache")


@dataclass(frozen=True)
class Moment:
    """Seconds by the clock and of processor time since the page was asked for."""

    seconds: float
    processor: float


@dataclass(frozen=True)
class Opening:
    """When the editor can be used, when the first question is asked, and what the worker says of its start."""

    editor: Moment
    question: Moment
    worker: dict[str, float]


def _opened(browser: Any, context: Any, address: str) -> Opening:
    """Open the page."""
    devtools = browser.new_browser_cdp_session()

    def used() -> float:
        processes = devtools.send("SystemInfo.getProcessInfo")["processInfo"]
        return float(sum(process["cpuTime"] for process in processes if process["type"] == "renderer"))

    page, before, began = context.new_page(), used(), monotonic()
    page.goto(address, timeout=MAX_SECONDS * 1000)
    page.locator("#editor .cm-line").nth(2).wait_for(timeout=MAX_SECONDS * 1000)
    editor = Moment(monotonic() - began, used() - before)
    page.frame_locator("#table").locator("#step button").first.wait_for(timeout=MAX_SECONDS * 1000)
    question = Moment(monotonic() - began, used() - before)
    started = page.evaluate("performance.getEntriesByName('python')[0].detail")
    page.evaluate("async () => { await navigator.serviceWorker.ready; }")
    page.close()
    return Opening(editor, question, started)


if __name__ == "__main__":
    print(table(measure("", ROUNDS, 1.0)))
