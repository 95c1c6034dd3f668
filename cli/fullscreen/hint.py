"""A hint, shown over the table.

The dialog stays open during the search, so the hint is shown to the person who asked for it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import ClassVar

from rich.console import RenderableType
from rich.text import Text
from textual.binding import Binding, BindingType
from textual.timer import Timer

from cli.play.hints import Hint
from cli.widgets.dialogs import Answer

TICK = 0.05
"""Seconds between two checks of a search."""


class HintScreen(Answer):
    """Shows the progress of a search, then its result."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("enter", "now", show=False)]

    def __init__(self, hint: Hint, lines_found: Callable[[], Sequence[RenderableType]]) -> None:
        super().__init__(hint.words.phrase("hint"), [self._waiting(hint)])
        self.hint, self.lines_found = hint, lines_found
        self.timer: Timer | None = None

    @staticmethod
    def _waiting(hint: Hint) -> Text:
        return Text(f"{hint.status}; {hint.words.phrase('Enter: show it now')}")

    def on_mount(self) -> None:
        """Show the elapsed time, and poll the search."""
        super().on_mount()
        self.timer = self.set_interval(TICK, self._look)

    def on_unmount(self) -> None:
        """Stop the search if the dialog is closed early."""
        self.hint.thinking.stop()

    def _look(self) -> None:
        if self.hint.thinking.is_done:
            if self.timer is not None:
                self.timer.stop()
            self.rewrite(self.lines_found())
        else:
            self.rewrite([self._waiting(self.hint)])

    def action_now(self) -> None:
        """Stop the search to show its best moves so far; close the dialog if it has ended."""
        if self.hint.thinking.is_done:
            self.action_close()
        else:
            self.hint.thinking.stop()
