"""The analysis pane: the expected shares of seats over the game, and the costliest decisions."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from rich.console import RenderableType
from rich.text import Text
from textual import events
from textual.timer import Timer

from cli.render.cells import Hanging
from cli.render.hints import percent
from cli.render.reviews import cost_interval
from cli.viewer.analysis import Costly, GameAnalysis, costly, expectations, judges
from cli.viewer.chart import chart
from cli.widgets.scroll_pane import ScrollPane

if TYPE_CHECKING:
    from cli.render.palette import Palette
    from cli.viewer.session import Session

TICK = 0.2
"""Seconds between two checks of the results."""
MAX_DECISIONS = 9
"""The maximum number of decisions listed, so that each has a digit as its key."""
SHARE_OF_LINES = 0.5
"""The fraction of the pane's lines used for the chart."""


class AnalysisPane(ScrollPane):
    """The analysis of the game from what the current seat may know; started when the pane is first shown for a seat.

    It continues while other panes are shown, and is kept once it is complete.
    """

    def __init__(self, session: Session, look: Palette, *, id: str) -> None:
        super().__init__(id=id)
        self.session, self.look = session, look
        self._complete: dict[tuple[str, ...], GameAnalysis] = {}
        self._present: GameAnalysis | None = None
        self._timer: Timer | None = None
        self._shown = ""
        self._is_waiting = False

    @property
    def is_waiting(self) -> bool:
        """True while decisions are being judged, and until the last of them is shown."""
        return self._is_waiting

    def on_mount(self) -> None:
        """Poll while decisions are being judged."""
        self._timer = self.set_interval(TICK, self.show, pause=True)

    def on_unmount(self) -> None:
        """Cancel the analysis."""
        if self._present is not None:
            self._present.stop()

    def on_resize(self, event: events.Resize) -> None:
        """Redraw the chart, whose height depends on that of the pane."""
        super().on_resize(event)
        self.show()

    def show(self) -> None:
        """Show the results so far, with the current position marked."""
        required_judges = judges(self.session.state, self.session.as_seat)
        if self._present is not None and self._present.judges != required_judges:
            self._present.stop()
            self._present = self._complete.get(required_judges)
        if self.display:
            self.begin()
        present = self._present
        if present is None:
            return
        if present.is_complete:
            self._complete[required_judges] = present
        self._is_waiting = not present.is_done
        if self._timer is not None:
            self._timer.resume() if self._is_waiting else self._timer.pause()
        if self.display:
            state = (required_judges, len(present.judged), present.total, self._is_waiting)
            about = str((*state, self.session.position.ply, self.session.as_seat, self.lines))
            if about != self._shown:
                self._shown = about
                self.write(lambda width: list(self._parts(present, width)))

    def begin(self) -> None:
        """Start the analysis unless it has already been started."""
        if self._present is None:
            required_judges = judges(self.session.state, self.session.as_seat)
            self._present = self._complete.get(required_judges) or GameAnalysis(self.session.state, required_judges)
            self.show()

    def costly(self) -> list[Costly]:
        """The costliest decisions found so far."""
        return [] if self._present is None else costly(self._present, self.session.timeline.known, MAX_DECISIONS)

    def words(self, decision: Costly) -> Text:
        """A costly decision in one line."""
        return Text.assemble(f"{percent(decision.cost):>5}  ", self._made(decision))

    def _made(self, decision_made: Costly) -> Text:
        seat = Text(self.look.words.name(decision_made.seat), style=self.look.style(decision_made.seat))
        decision = self.look.words.phrase("decision {number}", number=decision_made.ply)
        return Text.assemble((decision, "dim"), (", ", "dim"), seat, f": {decision_made.reviewed.made_label}")

    @property
    def progress(self) -> str:
        """How many decisions have been judged."""
        present = self._present
        if present is None or present.total is None:
            return self.look.words.phrase("looking for decisions to judge …")
        more = "" if present.is_complete else " …"
        judged = self.look.words.counted_phrase(
            "judged {judged} of {number} decision", "judged {judged} of {number} decisions", present.total,
            judged=len(present.judged),
        )  # fmt: skip
        return f"{judged}{more}"

    # ---- what is shown

    def _parts(self, analysis: GameAnalysis, width: int) -> Iterator[RenderableType]:
        session, words = self.session, self.look.words
        yield Hanging(Text(" "), Text(self._heading(analysis), style="bold"))
        shares = expectations(analysis, session.game, session.timeline.known)
        yield from chart(shares, session.position.ply, self.look, width, round(self.lines * SHARE_OF_LINES))
        fault = analysis.fault
        if fault is not None:
            ended = words.phrase("the analysis ended: {reason}", reason=words.message(fault))
            yield Hanging(Text(" "), Text(ended, style="dim italic"))
        elif not analysis.is_complete:
            yield Text(f" {self.progress}", style="dim italic")
        decisions = self.costly()
        if decisions:
            yield Text()
            yield Hanging(Text(" "), Text(words.phrase("the costliest decisions; m goes to one"), style="bold"))
            for number, decision in enumerate(decisions, start=1):
                yield from self._entry(number, decision)
        elif analysis.is_complete:
            yield Text(f" {words.phrase('no decision was costly')}", style="dim")

    def _heading(self, analysis: GameAnalysis) -> str:
        """The heading: what is shown, and from whose knowledge."""
        words = self.look.words
        if self.session.state.game.is_open:
            return words.phrase("expected shares of the win")
        if len(analysis.judges) == 1:
            return words.phrase("expected shares of the win, as {seat} knew", seat=words.name(analysis.judges[0]))
        return words.phrase("expected shares of the win, as each seat knew")

    def _entry(self, number: int, decision: Costly) -> Iterator[RenderableType]:
        """A costly decision in the list, with what would have been better."""
        head = Text.assemble((f" {number} ", "bold bright_yellow"), (f"{percent(decision.cost):>5}  ", "bold"))
        yield Hanging(head, self._made(decision))
        words = self.look.words
        interval = cost_interval(decision.reviewed, words)
        better = words.phrase("better: {move} ({interval})", move=decision.reviewed.best_label, interval=interval)
        yield Hanging(Text(" " * head.cell_len), Text(better, style="dim"))
