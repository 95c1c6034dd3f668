"""A progress line on standard error for anything that takes longer than a second; cleared when done."""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, TypeVar

from cli.render.echo import echo
from dsl.lazy_dataclasses import dataclass
from dsl.text.visible import visible
from interpreter.errors import Interrupted

if TYPE_CHECKING:
    from rich import progress as rich
    from rich.text import Text

    from interpreter.analysis.workers import Progress, Watch

T = TypeVar("T")

BAR_DELAY = 1.0
"""Seconds before anything is shown."""

UPDATE_INTERVAL = 0.1
"""Seconds between updates."""

UNKNOWN = "-:--:--"
"""The text shown for the remaining time while it is not known."""


@dataclass
class Stage:
    """The current stage, and how much of its total is done; without a total only the elapsed time is shown.

    The total may shrink in the meantime. `note` describes the result so far, `place` says where the work is done,
    `processes` is the number of processes. If `predicted`, `end` is the time of the monotonic clock at which all will
    be done, None while it is not known; otherwise the remaining time is estimated from recent progress.
    """

    words: str = ""
    completed: int = 0
    total: int = 0
    note: str = ""
    place: str = ""
    processes: int = 1
    predicted: bool = False
    end: float | None = None

    def begin(self, what: object, stage: str) -> None:
        """Begin another stage."""
        self.words = f"{what}: {stage}"

    def expect(self, seconds: float | None) -> None:
        """Predict the seconds that the rest will take; None while they are not known."""
        self.predicted = True
        self.end = None if seconds is None else time.monotonic() + seconds

    def update(self, progress: Progress) -> None:
        """Show the progress of a call that plays many games."""
        self.completed, self.total, self.note, self.place = (
            progress.completed, progress.total, progress.note, progress.place,
        )  # fmt: skip
        self.expect(progress.seconds_left)

    @property
    def time_left(self) -> str | None:
        """The remaining time, as `0:01:30`; None if it is not predicted."""
        if not self.predicted:
            return None
        return UNKNOWN if self.end is None else clock(max(0.0, self.end - time.monotonic()))


def with_progress(results: Iterator[T], games: int, size: Callable[[T], int] = lambda _: 1) -> Iterator[T]:
    """Pass on the results, showing a bar after a second; `size` is the number of games one result covers."""
    with show_progress(Stage(total=games)) as stage:
        for result in results:
            stage.completed += size(result)
            yield result


def unless_interrupted(stage: Stage, call: Callable[[Watch], T]) -> T:
    """The result of a call that plays many games, while its progress is shown; after Ctrl-C what it has so far."""
    with show_progress(stage):
        try:
            return call(stage.update)
        except Interrupted as interrupt:
            partial_result: T = interrupt.result
            return partial_result


def say_interrupted(into: str | None, what: str = "this is what was found so far") -> None:
    """Say that Ctrl-C ended something, and that it can be continued if a file or folder, `into`, keeps it."""
    more = "" if into is None else f"; the same command goes on with {into}"
    echo(f"interrupted: {what}{more}", err=True)


@contextmanager
def show_progress(stage: Stage) -> Iterator[Stage]:
    """Show progress from a thread during the block, if standard error is a terminal and the work takes long enough."""
    if not sys.stderr.isatty():
        yield stage
        return
    over = threading.Event()
    thread = threading.Thread(target=_show, args=(stage, over), daemon=True)
    thread.start()
    try:
        yield stage
    finally:
        over.set()
        thread.join()


def _show(stage: Stage, over: threading.Event) -> None:
    if over.wait(BAR_DELAY):
        return
    # start-up of every verb that shows progress: rich is slow to import, and most work ends before it is needed
    from rich import progress as rich

    from cli.render.screen import screen

    columns: tuple[rich.ProgressColumn, ...] = (
        (
            rich.BarColumn(),
            rich.MofNCompleteColumn(),
            rich.TextColumn("{task.fields[rate]}"),
            _time_left(),
            rich.TextColumn("{task.fields[note]}", markup=False),
        )
        if stage.total
        else (rich.TextColumn("{task.description}", markup=False), rich.TimeElapsedColumn())
    )
    with rich.Progress(*columns, console=screen(sys.stderr), transient=True) as progress:
        task = progress.add_task(visible(stage.words), total=stage.total or None, rate="", note="", time_left=None)
        begun, done_at_start = time.monotonic(), stage.completed
        while not over.wait(UPDATE_INTERVAL):
            progress.update(
                task,
                description=visible(stage.words),
                completed=stage.completed,
                total=stage.total or None,
                rate=_rate(stage.completed - done_at_start, time.monotonic() - begun),
                time_left=stage.time_left,
                note=visible(", ".join(filter(None, (stage.note, stage.place)))),
            )


def _time_left() -> rich.ProgressColumn:
    """The column of the remaining time: the predicted one, or else the library's estimate."""
    from rich.progress import TimeRemainingColumn
    from rich.text import Text

    class TimeLeft(TimeRemainingColumn):
        max_refresh = 0.0  # update each time, not only twice a second

        def render(self, task: rich.Task) -> Text:
            time_left: str | None = task.fields["time_left"]
            return super().render(task) if time_left is None else Text(time_left, style="progress.remaining")

    return TimeLeft()


def clock(seconds: float) -> str:
    """`0:01:30`."""
    minutes, rest = divmod(round(seconds), 60)
    return f"{minutes // 60}:{minutes % 60:02}:{rest:02}"


def _rate(finished: int, seconds: float) -> str:
    """The rate per second, or the seconds per item."""
    if not finished or not seconds:
        return ""
    return f"{finished / seconds:,.0f}/s" if finished >= 10 * seconds else f"{finished / seconds:.2f}/s"
