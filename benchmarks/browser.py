"""`python -m benchmarks.browser`: random games in a web page, by Pyodide in Chromium, against Wasmtime."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from functools import partial
from pathlib import Path
from time import process_time

from benchmarks.figures import Figure, shown, table
from benchmarks.large import GAMES as LARGE
from benchmarks.paired import compared, timed
from benchmarks.python_in_browser import MissingError, PythonInBrowser, python_in_browser

IN_PAGE = Path(__file__).with_name("machine_games.py")

COMPARED = 1000
"""Number of games whose results are compared, before the speed is measured."""

TOGETHER = 1000
"""Number of games of a request: a browser counts processor time in hundredths of a second."""

PART = 0.6
"""The part of the length of a playout measurement that a round takes."""


def measure(_: str, rounds: int, span: float) -> list[Figure]:
    """Random games in a web page against Wasmtime."""
    try:
        with python_in_browser() as python:
            return list(figures(python, rounds, span))
    except MissingError as error:
        print(f"nothing is measured in a browser: {error}", file=sys.stderr)
        return []


def figures(python: PythonInBrowser, rounds: int, span: float, names: Iterable[str] = LARGE) -> Iterator[Figure]:
    """Loading Python and the games, and the speed of random games. Raises ValueError if results differ."""
    from benchmarks import machine_games

    note = f"processor time; {python.loading:.1f} s have passed"
    yield Figure("loading Pyodide and the packages in a web page", "s", (python.processor_time(),), note)
    seconds = python.timed(IN_PAGE.read_text("utf-8")) + python.timed("read_tables()")
    yield Figure("importing the interpreter there, and generating its parser", "s", (seconds,), "processor time")
    for name in names:
        for step in (machine_games.load_rules, machine_games.print_module, machine_games.compile_module):
            seconds = python.timed(f"{step.__name__}({name!r})")
            before = process_time()
            step(name)
            note = f"under Wasmtime {shown(process_time() - before)} s; processor time"
            yield Figure(f"{name}: {step.__name__.replace('_', ' ')} in a web page", "s", (seconds,), note)
        compare_results(python, name, COMPARED)
        found = compared(partial(_slice_in_page, python, name), timed(partial(_play_here, name)), rounds, span * PART)
        speeds = f"{shown(found.first)} against {shown(found.second)} games/s"
        yield Figure(f"{name}: random games in a web page against Wasmtime", "times", found.ratios, speeds)


def compare_results(python: PythonInBrowser, name: str, games: int) -> None:
    """Compare games in the page with those under Wasmtime. Raises ValueError for the first difference."""
    from benchmarks import machine_games

    here = machine_games.results(name, 0, games)
    there = python.value(f"results({name!r}, 0, {games})")
    for ours, theirs in zip(here, there, strict=True):
        if ours != theirs:
            raise ValueError(f"{name}: under Wasmtime {ours}, in the page {theirs}")


def _slice_in_page(python: PythonInBrowser, name: str, number: int, times: int) -> tuple[float, float]:
    return times * TOGETHER, python.timed(f"play({name!r}, {number * TOGETHER}, {times * TOGETHER})")


def _play_here(name: str, number: int, times: int) -> float:
    from benchmarks import machine_games

    return machine_games.play(name, number * TOGETHER, times * TOGETHER)


if __name__ == "__main__":
    print(table(measure("", 7, 1.0)))
