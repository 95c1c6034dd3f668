"""A bar on standard error while something long is done."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from typing import TypeVar

T = TypeVar("T")


def with_progress(found: Iterator[T], games: int, size: Callable[[T], int] = lambda _: 1) -> Iterator[T]:
    """What is found, with a bar when that is a terminal; `size` is how many of the games one of them stands for."""
    if not sys.stderr.isatty():
        yield from found
        return
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TimeRemainingColumn

    from cli.render.screen import screen

    first = next(found, None)  # processes are started before there is a thread that draws
    if first is None:
        return
    columns = (BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=screen(sys.stderr), transient=True) as progress:
        bar = progress.add_task("games", total=games, completed=size(first))
        yield first
        for one in found:
            progress.advance(bar, size(one))
            yield one
