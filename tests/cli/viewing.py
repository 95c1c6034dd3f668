"""The viewer driven without a terminal: keys in, the screen as text out."""

import asyncio
import contextlib
import functools
import io
import os
import random
import time

import textual._wait
from rich.console import Console
from textual.widgets import Input

from cli.viewer.app import Viewer
from cli.viewer.session import Session
from dsl.text.cells import cell_width
from interpreter.play.game import load

textual._wait.SLEEP_GRANULARITY = 0.008  # after every key the pilot sleeps this long, to see whether all is quiet
textual._wait.process_time = time.thread_time  # work in other threads is not what it waits for


def played(name, players, seed=3, most=10_000, **options):
    """A game of random moves."""
    state = load(name, players, options=options).start(seed=seed)
    chosen = random.Random(seed)
    while state.outcome is None and state.ply < most:
        state.push(chosen.choice(state.legal_moves))
    return state


def at_once(test):
    """A test written as a coroutine, run to its end."""

    @functools.wraps(test)
    def run(*given, **named):
        asyncio.run(test(*given, **named))

    return run


def compared(golden, text, size):
    """Compare a screen with the one in a file, or write the file anew; no line is wider than the screen."""
    assert all(cell_width(line) <= size[0] for line in text.splitlines())
    if os.environ.get("REGELWERK_UPDATE") == "1":
        golden.parent.mkdir(parents=True, exist_ok=True)
        golden.write_text(text, encoding="utf-8")
    assert text == golden.read_text(encoding="utf-8")


def screen_text(app):
    """The screen of an app as one sees it."""
    width, height = app.size
    console = Console(
        width=width, height=height, file=io.StringIO(), force_terminal=True, color_system="truecolor",
        record=True, legacy_windows=False, safe_box=False,
    )  # fmt: skip
    drawn = app.screen._compositor.render_update(full=True, screen_stack=app._background_screens)
    console.print(drawn)
    return "".join(f"{line.rstrip()}\n" for line in console.export_text().splitlines()[:height])


class Driven:
    """A viewer that is running."""

    def __init__(self, app, pilot):
        self.app, self.pilot, self.session = app, pilot, app.session

    async def press(self, *keys):
        """Press keys, and wait until all is done and drawn."""
        await self.pilot.press(*keys)
        await self.pilot.pause()
        while self.app.running.is_on or self.app._due or self.app._rest_due:
            await self.pilot.pause()
        await self.pilot.pause()

    async def settle(self):
        """Wait until nothing is being worked out any more, and all is drawn."""
        while self.app.is_working:
            await asyncio.sleep(0.02)
        await self.press()

    async def answer(self, text):
        """Type a line into what asks for one."""
        self.app.screen.query_one(Input).value = text
        await self.press("enter")

    @property
    def at(self):
        """Decision and event, from 0."""
        return (self.session.position.ply, self.session.position.event)

    @property
    def text(self):
        """The screen as one sees it."""
        return screen_text(self.app)

    @property
    def message(self):
        """The lowest line."""
        return self.text.splitlines()[-1].strip()


@contextlib.asynccontextmanager
async def viewing(state, as_seat=None, offered=None, size=(120, 40), at=None, save=None, failing=None):
    """Open the viewer on a game."""
    session = Session(state, as_seat, (None, *state.game.seats) if offered is None else offered, save, failing)
    if at is not None:
        session.position = session.to_decision(at)
    app = Viewer(session)
    async with app.run_test(size=size) as pilot:
        driven = Driven(app, pilot)
        await driven.press()
        await pilot.pause()
        yield driven
