"""A pytest plugin that makes the long run predictable and resumable; `python3 run.py long` loads it.

Each test's result is appended to a file the moment it is known. A later run of the same version leaves out what has
passed, so an interrupted run continues where it stopped. Tests with the longest expected duration start first; expected
durations come from an earlier complete run (`tests/long_durations.json`).
"""

from __future__ import annotations

import hashlib
import json
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from tests.support.project import ROOT

DURATIONS = Path("tests/long_durations.json")
SOURCES = (
    "regelwerk", "dsl", "interpreter", "cli", "web", "editors", "website", "games", "tests", "benchmarks", "docs",
    "pyproject.toml", "README.md",
)  # fmt: skip
USUAL = 0.5
"""Expected seconds of a test that has no recorded duration."""

SHORTEST_RECORDED = 2.0
"""Only tests at least this long, in seconds, are listed in the file of expected durations."""


@dataclass(frozen=True)
class Result:
    """The outcome of one test; `seconds` is the time it took in its process, `version` the sources it ran on."""

    test: str
    outcome: str
    seconds: float
    version: str


@cache
def version(root: Path) -> str:
    """A hash of everything that a test can depend on in the project."""
    digest = hashlib.sha256()
    for name in SOURCES:
        top = root / name
        for path in sorted(top.rglob("*")) if top.is_dir() else [top]:
            if path.is_file() and "__pycache__" not in path.parts and path.relative_to(root) != DURATIONS:
                digest.update(f"{path.relative_to(root).as_posix()}\0".encode() + path.read_bytes())
    return digest.hexdigest()[:12]


def one_in(share: int, values: Iterable[Any], first: int = 0) -> list[Any]:
    """Values as parameters of a test: in the normal run one of each `share`, from the `first` on; all in the long run.

    Tests of all shipped games begin at different ones, so that each game is in the normal run of some of them.
    """
    return [
        pytest.param(*(value if isinstance(value, tuple) else (value,)), marks=_unless(number % share == first))
        for number, value in enumerate(values)
    ]


def _unless(normal: bool) -> tuple[pytest.MarkDecorator, ...]:
    return () if normal else (pytest.mark.long,)


# ---------------------------------------------------------------- results and expected durations


def read_results(path: Path) -> dict[str, Result]:
    """The last result of each test; a line cut off by a kill is skipped."""
    found: dict[str, Result] = {}
    for line in path.read_text("utf-8").splitlines() if path.exists() else ():
        try:
            result = Result(**json.loads(line))
        except (ValueError, TypeError):
            continue
        found[result.test] = result
    return found


def read_durations(path: Path) -> dict[str, float]:
    """Expected seconds by test."""
    found: dict[str, float] = json.loads(path.read_text("utf-8")) if path.exists() else {}
    return found


def recorded(results: Iterable[Result]) -> str:
    """The file of expected durations, from the results of a run."""
    kept = {each.test: round(each.seconds, 1) for each in results if each.seconds >= SHORTEST_RECORDED}
    return json.dumps(dict(sorted(kept.items())), indent=0) + "\n"


def share(tests: Sequence[str], durations: Mapping[str, float], number: int, of: int) -> set[str]:
    """The tests of one share when all are dealt to `of` shares of about equal duration, the longest first."""
    loads, mine = [0.0] * of, set()
    for test in sorted(tests, key=lambda test: (-durations.get(test, USUAL), test)):
        lightest = loads.index(min(loads))
        loads[lightest] += durations.get(test, USUAL)
        if lightest == number - 1:
            mine.add(test)
    return mine


def table(tests: Iterable[str], results: Mapping[str, Result], durations: Mapping[str, float]) -> Iterator[str]:
    """A line for each test module: tests, expected and measured minutes, outcomes."""
    modules: dict[str, list[str]] = defaultdict(list)
    for test in tests:
        modules[test.partition("::")[0]].append(test)
    yield f"{'part':<48} {'tests':>5} {'expected':>9} {'took':>9}  outcome"
    for module, mine in sorted(modules.items()):
        done = [results[test] for test in mine if test in results]
        expected = sum(durations.get(test, USUAL) for test in mine) / 60
        outcomes = Counter(each.outcome for each in done)
        words = ", ".join(f"{count} {outcome}" for outcome, count in sorted(outcomes.items()))
        left = f"{len(mine) - len(done)} to do" if len(done) < len(mine) else ""
        took = f"{sum(each.seconds for each in done) / 60:.1f} min"
        told = ", ".join(filter(None, (words, left)))
        yield f"{module.removeprefix('tests/'):<48} {len(mine):>5} {expected:>5.1f} min {took:>9}  {told}"


# ---------------------------------------------------------------- the plugin


def pytest_addoption(parser: pytest.Parser) -> None:
    """Flags of the long run."""
    group = parser.getgroup("long run")
    group.addoption("--results", type=Path, default=ROOT / ".long_run.jsonl", help="file the results are appended to")
    group.addoption("--split", metavar="I/N", help="run only share I of N shares of about equal duration")
    group.addoption("--fresh", action="store_true", help="run everything again, whatever has passed before")
    group.addoption("--accept-older", action="store_true", help="count what has passed on other versions as done")
    group.addoption("--list", action="store_true", help="list the parts with durations and outcomes; run nothing")
    group.addoption("--record", action="store_true", help="make this run's durations the expected ones")


def pytest_configure(config: pytest.Config) -> None:
    """Set up the plugin of this process."""
    config.pluginmanager.register(LongRun(config), "long-run-results")


class LongRun:
    """Leaves out what has passed, orders the rest, and writes down each result."""

    def __init__(self, config: pytest.Config) -> None:
        self.config = config
        self.is_worker = hasattr(config, "workerinput")
        self.path: Path = config.getoption("--results")
        self.durations = read_durations(config.rootpath / DURATIONS)
        self.version = version(config.rootpath)
        self.tests: list[str] = []
        self.seconds: Counter[str] = Counter()
        self.outcomes: dict[str, str] = {}
        self.number, self.of = self._split(config.getoption("--split"))
        if config.getoption("--fresh") and not self.is_worker:
            self.path.unlink(missing_ok=True)
        if not self.is_worker and self.path.exists() and not self.path.read_bytes().endswith(b"\n"):
            with self.path.open("a", encoding="utf-8") as file:
                file.write("\n")  # a kill cut the last line off

    def _split(self, text: str | None) -> tuple[int, int]:
        number, slash, of = (text or "1/1").partition("/")
        if not (slash and number.isdecimal() and of.isdecimal() and 1 <= int(number) <= int(of)):
            raise pytest.UsageError(f"--split takes I/N with I from 1 to N, such as 2/3, not {text}")
        return int(number), int(of)

    def expected(self, test: str) -> float:
        """Expected seconds of a test."""
        return self.durations.get(test, USUAL)

    def done(self) -> dict[str, Result]:
        """The results that count: those of this version, or of any if the user said so."""
        any_version = self.config.getoption("--accept-older")
        return {
            test: result
            for test, result in read_results(self.path).items()
            if any_version or result.version == self.version
        }

    @pytest.hookimpl(trylast=True)
    def pytest_collection_modifyitems(self, config: pytest.Config, items: list[pytest.Item]) -> None:
        """Keep this share's tests that have not passed, the longest first."""
        mine = share([item.nodeid for item in items], self.durations, self.number, self.of)
        self.tests = sorted(mine)
        passed = {test for test, result in self.done().items() if result.outcome != "failed"}
        left = [item for item in items if item.nodeid in mine - passed]
        config.hook.pytest_deselected(items=[item for item in items if item not in left])
        items[:] = sorted(left, key=lambda item: -self.expected(item.nodeid))
        if config.getoption("--list"):
            print("\n".join(table(self.tests, self.done(), self.durations)))
            config.hook.pytest_deselected(items=items[:])
            items.clear()
        elif not self.is_worker:
            print(self.forecast([item.nodeid for item in items], 1))

    def pytest_xdist_node_collection_finished(self, node: object, ids: Sequence[str]) -> None:
        """Say once, when the first process has collected its tests, how long the run will take."""
        if not self.tests:
            self.tests = list(ids)
            print(self.forecast(ids, int(self.config.getoption("numprocesses") or 1)))

    def forecast(self, tests: Sequence[str], processes: int) -> str:
        """How much is to do and how long that takes."""
        seconds = [self.expected(test) for test in tests]
        minutes = max(sum(seconds) / processes, max(seconds, default=0.0)) / 60
        workers = f"{processes} process{'' if processes == 1 else 'es'}"
        done = f", {len(self.done())} tests are done already" if self.done() else ""
        return f"\nlong run: {len(tests)} tests, about {minutes:.0f} minutes with {workers}{done}"

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Write a test's result when it is complete. Only the process that leads does."""
        if self.is_worker:
            return
        test = report.nodeid
        self.seconds[test] += report.duration
        if self.outcomes.get(test) != "failed" and (report.when == "call" or report.outcome != "passed"):
            self.outcomes[test] = report.outcome
        if report.when == "teardown":
            result = Result(test, self.outcomes.get(test, "passed"), round(self.seconds[test], 2), self.version)
            with self.path.open("a", encoding="utf-8") as file:
                file.write(json.dumps(asdict(result)) + "\n")

    @pytest.hookimpl(trylast=True)
    def pytest_sessionfinish(self, session: pytest.Session, exitstatus: int) -> None:
        """Nothing left to run is a success."""
        if exitstatus == pytest.ExitCode.NO_TESTS_COLLECTED:
            session.exitstatus = pytest.ExitCode.OK

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        """The table of what was run so far, resumed runs included."""
        if self.is_worker or self.config.getoption("--list"):
            return
        results = read_results(self.path)
        terminalreporter.section("long run")
        for line in table(sorted(results), results, self.durations):
            terminalreporter.write_line(line)
        versions = Counter(each.version for each in results.values())
        terminalreporter.write_line(
            f"versions: {', '.join(f'{name} ({count} tests)' for name, count in versions.items())}"
        )
        if self.config.getoption("--record"):
            (self.config.rootpath / DURATIONS).write_text(recorded(results.values()), encoding="utf-8")
