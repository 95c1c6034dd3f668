"""The knowledge pane: what a seat knows after the current decision, computed in a thread while keys are handled."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from rich.console import RenderableType
from rich.text import Text
from textual.timer import Timer

from cli.inquiry import Inquiry
from cli.render.knowledge import knowledge_lines
from cli.render.pieces import Hanging, phrase_text
from cli.widgets.scroll_pane import ScrollPane
from interpreter.opponents.knowledge.summary import Knowledge
from interpreter.wording.phrases import Phrase

if TYPE_CHECKING:
    from cli.render.palette import Palette
    from cli.viewer.session import Session

TICK = 0.1
"""Seconds between two checks for the result."""

MIN_PARTS = 2
"""The number of parts while nothing is known yet."""

Asked = tuple[int, str]
"""The number of decisions made, and the seat whose knowledge is shown."""


class KnowledgePane(ScrollPane):
    """The knowledge of the seat the game is viewed as, or, if everything is shown, of the seat that decides next.

    It is computed only while the pane is visible, and for one position at a time; results are kept.
    """

    def __init__(self, session: Session, look: Palette, *, id: str) -> None:
        super().__init__(id=id)
        self.session, self.look = session, look
        self._found: dict[Asked, Sequence[RenderableType]] = {}
        self._inquiry: tuple[Asked, Inquiry] | None = None
        self._timer: Timer | None = None

    @property
    def is_waiting(self) -> bool:
        """True while something is being computed or cancelled."""
        return self._inquiry is not None

    def on_mount(self) -> None:
        """Poll while something is being computed."""
        self._timer = self.set_interval(TICK, self.show, pause=True)

    def on_unmount(self) -> None:
        """Cancel the computation."""
        self._cancel()

    def show(self) -> None:
        """Show what is known at the current position, or that it is being computed."""
        self._collect()
        question = self._asked() if self.display else None
        if self._inquiry is not None and self._inquiry[0] != question:
            self._cancel()
        if question is not None and question not in self._found and self._inquiry is None:
            self._inquiry = question, Inquiry(self.session.state_after_decision(), question[1])
        if self._timer is not None:
            self._timer.resume() if self._inquiry is not None else self._timer.pause()
        if self.display:
            parts = self._parts(question)
            is_found = question in self._found or len(parts) > MIN_PARTS
            about = question, len(parts), self._estimate(question)
            self.write(lambda width: parts, about=about if is_found else str(parts[0]))

    def _asked(self) -> Asked | None:
        """What to compute; None if everything is shown and the game is over."""
        seat = self.session.as_seat or self.session.next_player
        return None if seat is None else (self.session.decided, seat)

    def _collect(self) -> None:
        """Keep the result, unless it was cancelled and may be incomplete."""
        if self._inquiry is None or not self._inquiry[1].is_done:
            return
        question, inquiry = self._inquiry
        self._inquiry = None
        if not inquiry.is_stopped:
            answer = inquiry.answer()
            self._found[question] = (
                list(knowledge_lines(answer, self.look))
                if isinstance(answer, Knowledge)
                else [Hanging(Text(" "), Text(self.look.words.fault(answer), style="dim italic"))]
            )

    def _estimate(self, question: Asked | None) -> Knowledge | None:
        return None if self._inquiry is None or self._inquiry[0] != question else self._inquiry[1].estimate

    def _cancel(self) -> None:
        if self._inquiry is not None:
            self._inquiry[1].stop()

    def _parts(self, question: Asked | None) -> Sequence[RenderableType]:
        words = self.look.words
        if question is None:
            return [
                Text(f" {words.phrase('the game is over, and everything is revealed (v: as one seat)')}", style="dim")
            ]
        seat = Text(words.name(question[1]), style=f"not dim {self.look.style(question[1])}")
        ply = str(self.session.position.ply)
        head = Text(" ", style="dim")
        if self.session.as_seat is None:
            deciding = "after decision {number}, {seat} is to decide (v: another seat)"
            head.append_text(phrase_text(words, Phrase(deciding), number=ply, seat=seat))
        else:
            head.append_text(phrase_text(words, "after decision {number}", number=ply))
        if question in self._found:
            return [head, *self._found[question]]
        estimate = self._estimate(question)
        so_far = [] if estimate is None else knowledge_lines(estimate, self.look)
        return [head, *so_far, Text(f" {words.phrase('working out what is known …')}", style="dim italic")]
