"""The input line, which always has the focus; its keys act on the candidates and the panes."""

from __future__ import annotations

from typing import ClassVar

from textual import events
from textual.binding import Binding, BindingType
from textual.message import Message
from textual.widgets import Input
from textual.widgets.input import Selection

from interpreter.wording.phrases import Phrase

KEYS = (
    (
        Phrase("Enter"),
        Phrase("accept the input, or the candidate chosen with ↑ ↓; make a thinking bot move at once"),
        Phrase("answer"),
    ),
    (Phrase("Tab"), Phrase("complete the word"), Phrase("complete")),
    (Phrase("Esc"), Phrase("one step back"), Phrase("back")),
    ("↑ ↓", Phrase("choose a candidate"), Phrase("choose")),
    (Phrase("Ctrl-P Ctrl-N"), Phrase("what you typed before, or after that"), ""),
    (Phrase("PgUp PgDn"), Phrase("scroll the pane"), Phrase("scroll")),
    ("F2", Phrase("the next pane: board, tables, log"), Phrase("pane")),
    ("F3", Phrase("the names of the places on the board"), Phrase("names")),
    ("F4", Phrase("the viewer: what the rules did"), Phrase("viewer")),
    ("F5", Phrase("a summary of the rules"), Phrase("rules")),
    ("F6", Phrase("copy the position as an example"), ""),
    ("F1", Phrase("help"), Phrase("help")),
    (Phrase("Ctrl-Q"), Phrase("save and stop"), Phrase("stop")),
)
"""Keys with their meaning, in full for the help, and in a word for the bottom line if they are shown there."""


ENTER = ("enter", "ctrl+j")
"""The second is what Enter arrives as if it was pressed before the screen opened."""


class CommandLine(Input):
    """An input line that leaves Tab, Esc, arrow and page keys to the app.

    `entered` are the lines entered before, oldest first. Lines entered while nobody has to decide are kept until
    somebody does.
    """

    class Entered(Message):
        """Posted on Enter, with the text; the line is cleared at once, so that keys typed ahead are kept."""

        def __init__(self, text: str) -> None:
            super().__init__()
            self.text = text

    class Pasted(Message):
        """Posted while lines that were pasted wait to be entered; `waiting` is their number."""

        def __init__(self, waiting: int) -> None:
            super().__init__()
            self.waiting = waiting

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("tab", "app.complete", show=False),
        Binding("escape", "app.step_back", show=False),
        Binding("up", "app.choose(-1)", show=False),
        Binding("down", "app.choose(1)", show=False),
        Binding("pageup", "app.scroll(-1)", show=False),
        Binding("pagedown", "app.scroll(1)", show=False),
        Binding("ctrl+p", "recall(-1)", show=False),
        Binding("ctrl+n", "recall(1)", show=False),
    ]

    def __init__(self, *, id: str) -> None:
        super().__init__(id=id, select_on_focus=False)
        self.cursor_blink = False  # a blinking cursor would write to the terminal while nothing happens
        self.entered: list[str] = []
        self._recalled = 0
        self._waiting: list[str] = []
        self._kept: list[str] = []

    async def _on_key(self, event: events.Key) -> None:
        """Submit and edit the text at once: a binding would act only after any keys typed ahead.

        Keys for the app take effect in order with the lines that were entered before them.
        """
        edit = None if event.is_printable else self._edit_of(event.key)
        if event.key not in ENTER and edit is None:
            await super()._on_key(event)
            return
        event.stop()
        event.prevent_default()
        if edit is not None:
            await self.run_action(edit)
            return
        self._remember(self.value.strip())
        self.post_message(self.Entered(self.value.strip()))
        self.value = ""

    def _on_paste(self, event: events.Paste) -> None:
        """Insert the first line; those that follow come one by one after the line before has been entered.

        The library would drop them in silence.
        """
        event.stop()
        event.prevent_default()
        first, *others = [line for line in event.text.splitlines() if line.strip()] or [""]
        self.replace(first, *self.selection)
        self._waiting += others
        self._tell_waiting()

    def _tell_waiting(self) -> None:
        if self._waiting:
            self.post_message(self.Pasted(len(self._waiting)))

    def next_pasted(self) -> None:
        """Show the next of the lines that were pasted, unless something else has been typed."""
        if self._waiting and not self.value:
            with self.prevent(Input.Changed):  # by which a message about the line before would be cleared
                self.value = self._waiting.pop(0)
            self.cursor_position = len(self.value)
            self._tell_waiting()

    def clear_pasted(self) -> None:
        """Empty the line, and drop the lines that were pasted after it or are kept for later."""
        self.value = ""
        self._waiting.clear()
        self.forget_kept()

    @property
    def has_kept(self) -> bool:
        """True if lines are kept for later."""
        return bool(self._kept)

    def keep_for_later(self, text: str) -> None:
        """Keep a line for the next question."""
        self._kept.append(text)

    def next_kept(self) -> str | None:
        """The first of the lines kept for later, which is kept no more; None if there are none."""
        return self._kept.pop(0) if self._kept else None

    def forget_kept(self) -> None:
        """Drop the lines kept for later: one before them was not understood."""
        self._kept.clear()

    def _edit_of(self, key: str) -> str | None:
        """The action on this line that a key is bound to; None if there is none."""
        bound = self.screen.active_bindings.get(key)
        if key in ENTER or bound is None or bound.node is not self or bound.binding.action.startswith("app."):
            return None
        return bound.binding.action

    def _remember(self, text: str) -> None:
        if text and text not in self.entered[-1:]:
            self.entered.append(text)
        self._recalled = len(self.entered)

    def action_recall(self, by: int) -> None:
        """Show the line entered before the one that was recalled, or after it; after the last, an empty line."""
        self._recalled = max(0, min(self._recalled + by, len(self.entered)))
        self.value = self.entered[self._recalled] if self._recalled < len(self.entered) else ""
        self.cursor_position = len(self.value)

    def return_text(self, text: str) -> None:
        """Show a rejected text again, selected: the next key replaces it, while → or End keeps it for correction.

        Whatever has been typed meanwhile stays instead.
        """
        if not self.value:
            with self.prevent(Input.Changed):
                self.value = text
            self.selection = Selection(0, len(text))

    def forget(self) -> None:
        """Empty the line, and forget what was entered or pasted, which may be secret to the next person."""
        self.clear_pasted()
        self.entered.clear()
        self._recalled = 0
