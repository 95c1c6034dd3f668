"""Anything slower than a second shows its progress: on a terminal only, on standard error, cleared at the end."""

import io
import re
import time
from types import SimpleNamespace

import pytest

from cli import progress
from cli.progress import Stage, show_progress, with_progress
from tests.cli.conftest import PEBBLES
from tests.cli.terminal import plain


class Tty(io.StringIO):
    def isatty(self):
        return True


@pytest.fixture
def stderr(monkeypatch):
    """A terminal as standard error, and nothing shown before a twentieth of a second."""
    monkeypatch.setattr(progress, "BAR_DELAY", 0.05)
    monkeypatch.setattr(progress, "UPDATE_INTERVAL", 0.01)
    monkeypatch.setattr(progress, "sys", SimpleNamespace(stderr=(stream := Tty())))  # pytest sets the one of `sys`
    monkeypatch.setenv("TERM", "xterm-256color")
    return stream


def wait_for(stream, text):
    """Something that takes until a text is shown."""
    end = time.monotonic() + 60
    while text not in stream.getvalue():
        assert time.monotonic() < end, f"{text!r} was not shown: {stream.getvalue()!r}"
        time.sleep(0.01)


def test_a_bar_from_the_first_slow_step_on(stderr):
    def found():
        for number in range(3):
            wait_for(stderr, f"{number}/3")
            yield number

    assert list(with_progress(found(), 3)) == [0, 1, 2]
    assert stderr.getvalue().rstrip().endswith("\x1b[2K")  # the line is cleared


def test_one_step_may_stand_for_several_games(stderr):
    def found():
        yield 25
        wait_for(stderr, "25/50")
        yield 25

    assert list(with_progress(found(), 50, lambda games: games)) == [25, 25]


def test_stages(stderr):
    with show_progress(Stage()) as doing:
        doing.begin("x.rules", "[names]")
        wait_for(stderr, "x.rules: [names]")
        doing.begin("x.rules", "leaks")
        wait_for(stderr, "x.rules: leaks")


def test_the_time_that_is_left(stderr):
    with show_progress(Stage(total=10)) as stage:
        stage.expect(5400.4)
        wait_for(stderr, "1:30:00")
        stage.expect(-3)
        wait_for(stderr, "0:00:00")


def test_the_time_that_is_left_is_not_guessed_where_it_will_be_foreseen(stderr):
    """From how much was done so far it would be known after the second step."""
    with show_progress(Stage(total=10)) as stage:
        stage.expect(None)
        for _ in range(4):
            stage.completed += 1
            wait_for(stderr, f"{stage.completed}/10")
            time.sleep(0.05)
        assert re.search(r"\d:\d\d:\d\d", stderr.getvalue()) is None
        assert "-:--:--" in stderr.getvalue()


def test_nothing_for_what_is_quick(stderr, monkeypatch):
    monkeypatch.setattr(progress, "BAR_DELAY", 60.0)
    begun = time.monotonic()
    assert list(with_progress(iter(range(3)), 3)) == [0, 1, 2]
    assert stderr.getvalue() == ""
    assert time.monotonic() - begun < 10


def test_nothing_in_a_pipe(monkeypatch):
    monkeypatch.setattr(progress, "BAR_DELAY", 0.0)
    monkeypatch.setattr(progress, "sys", SimpleNamespace(stderr=(stream := io.StringIO())))
    with show_progress(Stage()):
        time.sleep(0.3)
    assert list(with_progress(iter([1]), 1)) == [1]
    assert stream.getvalue() == ""


def test_it_is_over_when_the_work_fails(stderr):
    def found():
        wait_for(stderr, "0/3")
        yield 1
        raise ValueError

    with pytest.raises(ValueError):
        list(with_progress(found(), 3))
    told = stderr.getvalue()
    time.sleep(0.1)
    assert stderr.getvalue() == told


def test_simulate_on_a_terminal(terminal):
    """The bar is gone when the figures come; there are enough games to take longer than a second anywhere."""
    shown = terminal("simulate", PEBBLES, "-n", 40_000, "-j", 2).until("even share")
    assert "/40000" in plain(shown)
    assert plain(shown).index("/40000") < plain(shown).index("40000 games of 2 random bots")
