"""The pane of what a seat knows after the current decision, worked out in a thread while keys are handled."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from rich.console import RenderableType
from rich.text import Text
from textual.timer import Timer

from cli.inquiry import Inquiry
from cli.render.cells import Hanging
from cli.render.knowledge import knowledge_lines
from cli.widgets.scroll_pane import ScrollPane
from interpreter.knowledge.summary import Knowledge

if TYPE_CHECKING:
    from cli.render.palette import Palette
    from cli.viewer.session import Session

TICK = 0.1
"""Seconds between two looks at whether it is known."""

Asked = tuple[int, str]
"""A number of decisions of the game, and the seat whose knowledge is shown."""


class KnowledgePane(ScrollPane):
    """What the seat knows that the game is viewed as; where everything is seen, the seat that is to decide.

    Nothing is worked out while the pane is hidden, and only for one position at a time; what was found is kept.
    """

    def __init__(self, session: Session, look: Palette, *, id: str) -> None:
        super().__init__(id=id)
        self.session, self.look = session, look
        self._found: dict[Asked, Sequence[RenderableType]] = {}
        self._inquiry: tuple[Asked, Inquiry] | None = None
        self._timer: Timer | None = None

    @property
    def is_waiting(self) -> bool:
        """True while something is being worked out, or given up."""
        return self._inquiry is not None

    def on_mount(self) -> None:
        """Look again and again while something is being worked out."""
        self._timer = self.set_interval(TICK, self.show, pause=True)

    def on_unmount(self) -> None:
        """Give it up."""
        self._give_up()

    def show(self) -> None:
        """Show what is known at the current position, or that it is being worked out."""
        self._collect()
        asked = self._asked() if self.display else None
        if self._inquiry is not None and self._inquiry[0] != asked:
            self._give_up()
        if asked is not None and asked not in self._found and self._inquiry is None:
            self._inquiry = asked, Inquiry(self.session.after(), asked[1])
        if self._timer is not None:
            self._timer.resume() if self._inquiry is not None else self._timer.pause()
        if self.display:
            parts = self._parts(asked)
            self.write(lambda width: parts, about=str(parts[0]) if asked not in self._found else (asked, parts))

    def _asked(self) -> Asked | None:
        """What to work out; nothing where everything is seen and nobody decides any more."""
        seat = self.session.as_seat or self.session.next_player
        return None if seat is None else (self.session.decided, seat)

    def _collect(self) -> None:
        """Keep what was found, unless nobody wanted to know it any more, so that it may be incomplete."""
        if self._inquiry is None or not self._inquiry[1].is_done:
            return
        asked, inquiry = self._inquiry
        self._inquiry = None
        if not inquiry.is_stopped:
            answer = inquiry.answer()
            self._found[asked] = (
                list(knowledge_lines(answer, self.look))
                if isinstance(answer, Knowledge)
                else [Hanging(Text(" "), Text(str(answer), style="dim italic"))]
            )

    def _give_up(self) -> None:
        if self._inquiry is not None:
            self._inquiry[1].stop()

    def _parts(self, asked: Asked | None) -> Sequence[RenderableType]:
        if asked is None:
            return [Text(" the game is over, and everything is revealed (v: as one seat)", style="dim")]
        seat = Text(self.look.words.name(asked[1]), style=self.look.style(asked[1]))
        head = Text.assemble((f" after decision {self.session.position.ply}", "dim"))
        if self.session.as_seat is None:
            head.append_text(Text.assemble((", ", "dim"), seat, (" is to decide (v: another seat)", "dim")))
        if asked in self._found:
            return [head, *self._found[asked]]
        return [head, Text(" working out what is known …", style="dim italic")]
