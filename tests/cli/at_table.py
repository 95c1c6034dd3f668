"""A game in full screen without a terminal: keys in, the screen as text out."""

import contextlib
import time
from pathlib import Path

from cli.fullscreen.app import Table
from cli.fullscreen.sight import Sight
from cli.play.course import Course
from cli.play.seats import fill_kinds
from cli.play.table import PlaySession
from interpreter.play.game import load
from interpreter.wording.words import OWN
from tests.cli.terminal import PATIENCE
from tests.cli.viewing import screen_text


class AtTable:
    """A table in full screen that is running."""

    def __init__(self, app, pilot):
        self.app, self.pilot, self.session = app, pilot, app.session

    async def press(self, *keys):
        """Press keys, one after the other; what follows `=` is typed where the cursor is, and entered."""
        for key in keys:
            if key.startswith("="):
                line = self.app.screen.query_one("#input")
                line.replace(key[1:], *line.selection)
                key = "enter"
            await self.pilot.press(key)
            await self.settle()

    async def settle(self):
        """Wait until somebody is asked something, the game is over or left, and all is drawn."""
        app = self.app
        end = time.monotonic() + PATIENCE
        while app.narrowing is None and len(app.screen_stack) == 1 and not self.state.over and app.is_running:
            assert time.monotonic() < end, f"nobody is asked; there was:\n{self.text}"
            await self.pilot.pause()
        for _ in range(3):
            await self.pilot.pause()

    async def until(self, words):
        """Wait until some words are on the screen."""
        end = time.monotonic() + PATIENCE
        while words not in self.text:
            assert time.monotonic() < end, f"{words!r} did not come; there was:\n{self.text}"
            await self.pilot.pause(0.05)

    @property
    def text(self):
        """The screen as one sees it."""
        return screen_text(self.app)

    @property
    def lines(self):
        """The lines of the screen."""
        return self.text.splitlines()

    @property
    def state(self):
        """The state of the game."""
        return self.session.state


def session_of(name, players=None, seed=3, seats=None, before=(), **options):
    """A game as `play` starts it."""
    game = load(name, players, options=options).in_words(OWN)
    state = game.start(seed=seed)
    for move in before:
        state.push(move)
    return PlaySession(state, fill_kinds(seats or {}, game.seats, "random"), seed, Path.cwd() / "table.json")


@contextlib.asynccontextmanager
async def at_table(session, size=(80, 24), **flags):
    """Open the full screen on a game."""
    app = Table(Sight(Course(session, **flags)))
    async with app.run_test(size=size) as pilot:
        table = AtTable(app, pilot)
        await table.settle()
        yield table
