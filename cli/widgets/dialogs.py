"""Dialogs over a full screen: asking for a line of text or one of several choices, and showing an answer."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, Generic, TypeVar

from rich.console import RenderableType
from rich.text import Text
from textual import events
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.screen import ModalScreen
from textual.suggester import SuggestFromList
from textual.widgets import Input, OptionList, Static
from textual.widgets.option_list import Option

from cli.widgets.full_screen import FullScreen
from cli.widgets.scroll_pane import ScrollPane, strips
from dsl.text.visible import visible
from interpreter.wording.words import PLAIN

T = TypeVar("T")
MAX_ANSWER_WIDTH = 100
"""Maximum width of an answer."""
MORE = "m"
"""The key that shows the rest of an answer."""
CLOSE: list[BindingType] = [Binding("escape", "close", show=False)]


class Line(Input):
    """A line for an expression: of a paste of several lines, which would lose all but the first, it takes all."""

    def _on_paste(self, event: events.Paste) -> None:
        event.stop()
        event.prevent_default()
        self.replace(" ".join(event.text.split()), *self.selection)


class Ask(ModalScreen[str | None]):
    """Asks for a line of text. `wrong` reports an error in the previous input, `text`; the result is None on Esc."""

    AUTO_FOCUS = "Input"
    DEFAULT_CSS = """
    Ask { align: left bottom; background: transparent; }
    Ask > Vertical { height: auto; background: $panel; border-top: solid $accent; border-title-color: $accent; }
    Ask Static { padding: 0 1; }
    Ask Input { border: none; height: 1; padding: 0 1; background: $panel; }
    Ask Input:focus { border: none; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [*CLOSE, Binding("up", "last", show=False)]

    def __init__(
        self,
        request: str,
        text: str = "",
        wrong: RenderableType | None = None,
        completions: Sequence[str] = (),
        last: str = "",
    ) -> None:
        super().__init__()
        self.request, self.text, self.wrong, self.completions, self.last = request, text, wrong, completions, last

    def compose(self) -> ComposeResult:
        """The input line, below the error."""
        suggester = SuggestFromList(self.completions, case_sensitive=False) if self.completions else None
        with Vertical() as box:
            box.border_title = Text(self.request)
            if self.wrong is not None:
                yield Static(self.wrong, id="wrong")
            yield Line(self.text, suggester=suggester, select_on_focus=False)

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """Accept the line on Enter."""
        self.dismiss(visible(event.value.strip()))

    def action_close(self) -> None:
        """Cancel on Esc."""
        self.dismiss(None)

    def action_last(self) -> None:
        """Recall the previous input."""
        line = self.query_one(Input)
        line.value = self.last or line.value
        line.cursor_position = len(line.value)


class Choose(ModalScreen[T | None], Generic[T]):
    """Asks for one of several choices; the result is None on Esc."""

    AUTO_FOCUS = "OptionList"
    DEFAULT_CSS = """
    Choose { align: center middle; background: $background 50%; }
    Choose > OptionList {
        width: auto; min-width: 30; max-width: 90%; height: auto; max-height: 80%; background: $panel;
        border: solid $accent; border-title-color: $accent;
    }
    Choose > OptionList:focus { border: solid $accent; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        *CLOSE,
        Binding("q", "close", show=False),
        *(Binding(str(number), f"take({number - 1})", show=False) for number in range(1, 10)),
    ]

    def __init__(self, request: str, choices: Sequence[tuple[Text, T]]) -> None:
        super().__init__()
        self.request, self.choices = request, choices

    def compose(self) -> ComposeResult:
        """The numbered list."""
        entries = [Text(f"{index} ").append_text(text) for index, (text, _) in enumerate(self.choices, start=1)]
        options = OptionList(*(Option(entry) for entry in entries))
        options.border_title = Text(self.request)
        yield options

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        """Accept the choice on Enter."""
        self.dismiss(self.choices[event.option_index][1])

    def action_take(self, place: int) -> None:
        """Accept a choice by its number."""
        if place < len(self.choices):
            self.dismiss(self.choices[place][1])

    def action_close(self) -> None:
        """Cancel on Esc."""
        self.dismiss(None)


class Answer(ModalScreen[None]):
    """Shows the answer to a query; `more`, if there is any, is shown instead at the key `m`."""

    AUTO_FOCUS = "ScrollPane"
    DEFAULT_CSS = """
    Answer { align: center middle; background: $background 50%; }
    Answer > ScrollPane {
        background: $panel; border: solid $accent; border-title-color: $accent;
    }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        *CLOSE,
        Binding("q,enter,space,question_mark", "close", show=False),
        Binding(MORE, "more", show=False),
    ]

    def __init__(self, title: str, parts: Sequence[RenderableType], more: Sequence[RenderableType] = ()) -> None:
        super().__init__()
        self.title_text, self.parts, self.more = title, parts, more

    def compose(self) -> ComposeResult:
        """The answer, scrollable if it is long."""
        pane = ScrollPane(id="answer")
        pane.border_title = Text(self.title_text)
        words = self.app.words if isinstance(self.app, FullScreen) else PLAIN
        pane.border_subtitle = Text(words.phrase("Esc closes"))
        yield pane

    def on_mount(self) -> None:
        """Write the answer."""
        self.rewrite(self.parts)

    def rewrite(self, parts: Sequence[RenderableType]) -> None:
        """Replace the answer."""
        self.parts = parts
        self.query_one(ScrollPane).write(lambda width: parts)
        self.on_resize()

    def on_resize(self) -> None:
        """Fit the size to the answer, within the screen."""
        pane, room = self.query_one(ScrollPane), self.app.size
        width = min(MAX_ANSWER_WIDTH, room.width - 4)
        height = min(len(strips(self.parts, width - 3)) + 2, room.height - 2)
        pane.styles.width, pane.styles.height = width, height

    def action_more(self) -> None:
        """Show the rest, too."""
        if self.more:
            self.rewrite(self.more)

    def action_close(self) -> None:
        """Close on Esc."""
        self.dismiss(None)
