"""How long the tests may take: the normal run, and the long one of `python3 run.py long`; and what they are called."""

import gc
import inspect
import os
from collections.abc import Iterator
from pathlib import Path
from weakref import WeakKeyDictionary

try:
    import fcntl
except ImportError:  # not everywhere
    fcntl = None

import hypothesis
import pytest

import cli  # noqa: F401 - it sets the limits of garbage collection, and must not undo ours later
from dsl.syntax import parse
from interpreter.engine import seated_game
from interpreter.loading.rules import read_game
from tests.support.known_rules import known_rules, known_tree
from tests.support.project import ROOT

hypothesis.settings.register_profile(
    "ci", max_examples=12, deadline=None, derandomize=True, suppress_health_check=[hypothesis.HealthCheck.too_slow]
)
hypothesis.settings.register_profile(
    "long", max_examples=500, deadline=None, suppress_health_check=[hypothesis.HealthCheck.too_slow]
)


HERE = ROOT / "tests"

TEST_SECONDS, LONG_TEST_SECONDS = 600, 4 * 3600
"""After how many seconds a test fails, in the normal run and in the long one: many times what the longest takes.

It takes 25 s, and 190 s beside eight other busy programs; in the long run 2,300 s.
"""


def pytest_make_parametrize_id(val: object) -> str | None:
    """Name a file by its name alone, so that a test is called the same in every folder."""
    is_here = isinstance(val, str | Path) and Path(val).is_relative_to(ROOT)
    return Path(str(val)).stem if is_here else None


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--long",
        action="store_true",
        default=os.environ.get("REGELWERK_LONG") == "1",
        help="also the tests marked long, and many more games and generated inputs in the others",
    )


@pytest.hookimpl(tryfirst=True)
def pytest_configure(config: pytest.Config) -> None:
    if config.getoption("timeout", None) is None:  # before pytest-timeout, where it is installed, reads it
        config.option.timeout = LONG_TEST_SECONDS if config.getoption("--long") else TEST_SECONDS
    gc.set_threshold(500_000, 50, 50)  # most of what tests allocate is gone before it is looked at: a tenth of the time
    hypothesis.settings.load_profile("long" if config.getoption("--long") else "ci")


@pytest.hookimpl(wrapper=True)
def pytest_collection(session: pytest.Session) -> Iterator[object]:
    """One process compiles the modules of the tests, and the others read what it has written.

    In a new checkout, and where packages were installed without being compiled, each would otherwise compile them all.
    """
    if fcntl is None:
        return (yield)
    with Path(__file__).open() as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            fcntl.flock(file, fcntl.LOCK_SH)
        return (yield)


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out long tests in the normal run, and begin with those of the whole project and of pages.

    Single ones of these take longest: at the end, all but one process would wait for them. What tests of pages share,
    such as the built website, is made in few processes, as others take from the end of what one has.
    """
    items.sort(key=lambda item: (item.path.parent != HERE, item.path.parent != HERE / "web"))
    if config.getoption("--long"):
        return
    left_out, kept = [], []
    for item in items:
        (left_out if item.get_closest_marker("long") else kept).append(item)
    if left_out:
        config.hook.pytest_deselected(items=left_out)
        items[:] = kept


def pytest_collection_finish() -> None:
    """Leave out of later garbage collections what stays to the end: modules, tests, games read for their parameters.

    Going through it takes long, even once; a test of the watchdog fails if its signals come only in the meantime.
    """
    gc.freeze()


def pytest_sessionfinish() -> None:
    """Look for no garbage at the end: pytest does so five times, and Python once more, which would take long."""
    gc.freeze()


@pytest.fixture(scope="session", autouse=True)
def rules_known() -> Iterator[None]:
    """Loading and resuming games of the project reads their rules once in each process, whatever else their texts."""
    reader = inspect.unwrap(read_game)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("interpreter.play.game.load_rules", known_rules)
        patch.setattr(
            reader, "__defaults__", tuple(known_tree if value is parse else value for value in reader.__defaults__)
        )
        yield


@pytest.fixture(autouse=True)
def compiled_afresh(request: pytest.FixtureRequest) -> Iterator[None]:
    """A test that changes modules shares no compiled rules with others, whose code does not have its change."""
    if "monkeypatch" not in inspect.signature(request.function).parameters:
        yield
        return
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(seated_game, "_shared", WeakKeyDictionary())
        yield


@pytest.fixture(scope="session")
def long_run(pytestconfig: pytest.Config) -> bool:
    """Whether this is the long run."""
    return bool(pytestconfig.getoption("--long"))


@pytest.fixture(scope="session")
def many_games(long_run: bool) -> int:
    """How many seeded games of each number of players a property is tried on."""
    return 300 if long_run else 14
