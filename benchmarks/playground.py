"""`python -m benchmarks.playground`: how long the playground takes to open, from a server and from the cache."""

from __future__ import annotations

import sys
from collections.abc import Iterator
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
    first, again, parts = [], [], []
    with served(folder) as address, sync_playwright() as playwright:
        for _ in range(rounds):
            browser = playwright.chromium.launch(executable_path=path, args=["--no-sandbox"])
            context = browser.new_context()
            first.append(_opened(browser, context, address)[:2])
            *taken, started = _opened(browser, context, address)
            again.append(taken)
            parts.append(started)
            browser.close()
    for name, measured in (("from a server", first), ("from its cache", again)):
        yield Figure(f"opening the playground {name}", "s", tuple(wall for wall, _ in measured), "by the clock")
        yield Figure(f"opening the playground {name}: processor time", "s", tuple(used for _, used in measured), "")
    for name in ("snapshot", "all"):
        note = {"snapshot": "fetched and unpacked", "all": "Python is restored"}[name]
        yield Figure(f"in the worker, until: {note}", "s", tuple(part[name] / 1000 for part in parts), "from the cache")


def _opened(browser: Any, context: Any, address: str) -> tuple[float, float, dict[str, float]]:
    """Open the page: seconds until the first question, processor time, and what the worker says of its start."""
    devtools = browser.new_browser_cdp_session()

    def used() -> float:
        processes = devtools.send("SystemInfo.getProcessInfo")["processInfo"]
        return float(sum(process["cpuTime"] for process in processes if process["type"] == "renderer"))

    page, before, began = context.new_page(), used(), monotonic()
    page.goto(address)
    page.frame_locator("#table").locator("#step button").first.wait_for(timeout=MAX_SECONDS * 1000)
    seconds, processor = monotonic() - began, used() - before
    started = page.evaluate("performance.getEntriesByName('python')[0].detail")
    page.evaluate("async () => { await navigator.serviceWorker.ready; }")
    page.close()
    return seconds, processor, started


if __name__ == "__main__":
    print(table(measure("", ROUNDS, 1.0)))
