"""The analysis pane: the expected shares of seats over the game, and the costliest decisions."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence
from math import ceil
from typing import TYPE_CHECKING

from rich.console import RenderableType
from rich.style import Style
from rich.text import Text
from textual import events
from textual.timer import Timer

from cli.render.pieces import Hanging
from cli.render.reviews import cost_interval
from cli.widgets.scroll_pane import ScrollPane
from dsl.lazy_dataclasses import dataclass
from dsl.text.numbers import percent
from interpreter.errors import PlayError
from interpreter.opponents.review import REVIEW, Judged, Review, Reviewed, accuracies, final_shares
from interpreter.opponents.thinking import Thinking

if TYPE_CHECKING:
    from cli.render.palette import Palette
    from cli.viewer.session import Session
    from interpreter.play.game import Game, State


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
            state = (required_judges, present.steps, present.total, self._is_waiting, self.progress)
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
        return [] if self._present is None else costly(self._present, self.session.known, MAX_DECISIONS)

    def words(self, decision: Costly) -> Text:
        """A costly decision in one line."""
        return Text.assemble(f"{percent(decision.cost):>5}  ", self._made(decision))

    def _made(self, decision_made: Costly) -> Text:
        seat = Text(self.look.words.name(decision_made.seat), style=self.look.style(decision_made.seat))
        decision = self.look.words.phrase("decision {number}", number=decision_made.ply)
        return Text.assemble((decision, "dim"), (", ", "dim"), seat, f": {decision_made.reviewed.made_label}")

    @property
    def progress(self) -> str:
        """How many decisions have been judged, and the time that the rest will take."""
        present, words = self._present, self.look.words
        if present is None or present.total is None:
            return words.phrase("looking for decisions to judge …")
        if present.review.is_coarse:
            parts = [words.counted_phrase(
                "judged {judged} of {number} decision", "judged {judged} of {number} decisions", present.total,
                judged=len(present.judged),
            )]  # fmt: skip
        else:
            parts = [words.phrase("judging doubtful decisions again")]
        seconds = present.review.seconds_left
        if seconds is not None and not present.is_complete:
            parts.append(words.phrase("about {seconds} s left", seconds=ceil(seconds)))
        return f"{', '.join(parts)}{'' if present.is_complete else ' …'}"

    # ---- what is shown

    def _parts(self, analysis: GameAnalysis, width: int) -> Iterator[RenderableType]:
        session, words = self.session, self.look.words
        yield Hanging(Text(" "), Text(self._heading(analysis), style="bold"))
        shares = expectations(analysis, session.game, session.known)
        yield from chart(shares, session.position.ply, self.look, width, round(self.lines * SHARE_OF_LINES))
        fault = analysis.fault
        if fault is not None:
            ended = words.phrase("the analysis ended: {reason}", reason=words.message(fault))
            yield Hanging(Text(" "), Text(ended, style="dim italic"))
        elif not analysis.is_complete:
            yield Text(f" {self.progress}", style="dim italic")
        accuracy_by_seat = {accuracy.seat: accuracy.kept for accuracy in accuracies(analysis.judged)}
        if accuracy_by_seat:
            texts = [
                f"{words.name(seat)} {percent(accuracy_by_seat[seat])}"
                for seat in session.game.seats
                if seat in accuracy_by_seat
            ]
            yield Hanging(Text(" "), Text(words.phrase("accuracy: {seats}", seats=", ".join(texts))))
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


# ---------------- the expected shares of seats in a game and the costs of their decisions, computed one by one in a
# thread
# The decisions of a seat are judged from what it knew when it decided. If everything is shown, each seat judges its
# own decisions; if the game is viewed as one seat, only that seat judges. In a game without secrets all know the
# same.


Expectations = Mapping[str, Sequence[float | None]]
"""The expected share of the win of each seat after 0, 1, 2, … decisions; None where it is unknown."""


def judges(state: State, as_seat: str | None) -> tuple[str, ...]:
    """The seats from whose knowledge a game is judged if it is viewed as `as_seat`."""
    return state.game.seats if as_seat is None or state.game.is_open else (as_seat,)


class GameAnalysis:
    """The judgements of a game by some seats.

    `steps` counts the judgements, those of decisions that were judged again included; `final` are the shares of the win
    if the game is over.
    """

    def __init__(self, state: State, judges: Sequence[str]) -> None:
        self._state, self.judges = state.copy(), tuple(judges)
        self.final: Mapping[str, float] = {}
        self.steps = 0
        self._thinking: Thinking[None] = Thinking(" and ".join(judges))
        self.review = Review(self._state, self.judges, REVIEW, self._thinking.is_stopped)
        self._thinking.begin(self._work)

    def _work(self) -> None:
        if self._state.over:
            self.final = final_shares(self._state)
        for _ in self.review.run(pending=True):
            self.steps += 1

    @property
    def judged(self) -> list[Judged]:
        """The judgements so far, in the order of the decisions."""
        return [judged for _, judged in sorted(self.review.judged.items())]

    @property
    def total(self) -> int | None:
        """The number of decisions to judge, None until it is known."""
        return self.review.total

    @property
    def is_done(self) -> bool:
        """True once every decision has been judged, or the analysis was cancelled."""
        return self._thinking.is_done

    @property
    def is_complete(self) -> bool:
        """True once every decision is judged, and those worth it again."""
        return self.is_done and not self._thinking.is_stopped() and not self.review.is_coarse

    def stop(self) -> None:
        """Cancel the analysis."""
        self._thinking.stop()

    @property
    def fault(self) -> PlayError | None:
        """The error of the rule that failed, if one did. Raises any other error."""
        try:
            if self.is_done:
                self._thinking.result()
        except PlayError as fault:
            return fault
        return None


@dataclass(frozen=True)
class Costly:
    """A decision that has cost its seat something; `ply` is its number in the viewer."""

    ply: int
    seat: str
    cost: float
    reviewed: Reviewed


def expectations(analysis: GameAnalysis, game: Game, known_plies: Sequence[int]) -> Expectations:
    """The expected share of each seat after each decision in `known_plies`; None where none has been judged yet.

    Between two judgements the earlier one applies; at the end of the game its outcome does. If several seats with
    different knowledge judge, each judges only its own share.
    """
    plies, seats = len(known_plies), game.seats
    own_only = len(analysis.judges) > 1 and not game.is_open
    shares_by_seat: dict[str, list[float | None]] = {seat: [None] * (plies + 1) for seat in seats}
    judged = list(analysis.judged)
    end = plies if analysis.is_complete else shown_at(judged[-1].ply, known_plies) if judged else -1
    for judgement in judged:
        if judgement.win_shares is not None:
            for seat in (judgement.seat,) if own_only else seats:
                shares_by_seat[seat][shown_at(judgement.ply, known_plies)] = judgement.win_shares[seat]
    for shares in shares_by_seat.values():
        for ply in range(1, end + 1):
            if shares[ply] is None:
                shares[ply] = shares[ply - 1]
    for seat, share in analysis.final.items():
        shares_by_seat[seat][plies] = share
    return shares_by_seat


def shown_at(ply: int, known_plies: Sequence[int]) -> int:
    """How many of the known decisions come before decision `ply`, which need not be known."""
    return bisect_left(known_plies, ply)


def costly(analysis: GameAnalysis, known_plies: Sequence[int], most: int) -> list[Costly]:
    """The costliest of the decisions judged so far, in descending order."""
    decisions = [
        Costly(shown_at(judgement.ply, known_plies) + 1, judgement.seat, judgement.reviewed.cost, judgement.reviewed)
        for judgement in list(analysis.judged)
        if judgement.reviewed is not None and judgement.reviewed.cost is not None and judgement.reviewed.cost > 0
    ]
    return sorted(decisions, key=lambda decision: (-decision.cost, decision.ply))[:most]


# ---------------- A chart of the expected shares of the win over a game: a row of bars for each seat, and the
# current position


HERE = "#3a3f58"
"""The background of the current position, the same as that of the current line in other panes."""
EIGHTHS = " ▁▂▃▄▅▆▇█"
MAX_BAR_WIDTH, MAX_ROW_HEIGHT = 3, 6
"""Maximum width of a bar in columns, and maximum height of a row in lines."""
MAX_NAME_WIDTH, FIGURE_WIDTH = 14, 6
"""Maximum columns for the name of a seat, and columns for the figure beside its row."""


def chart(shares: Expectations, now: int, look: Palette, width: int, lines: int) -> Iterator[Text]:
    """A row for each seat, as tall as `lines` allow for all rows, and below them a mark at the current position."""
    names = {seat: Text(look.words.name(seat), style=look.style(seat)) for seat in shares}
    for name in names.values():
        name.truncate(MAX_NAME_WIDTH, overflow="ellipsis")
    margin = max(name.cell_len for name in names.values()) + 2
    room = max(1, width - margin - FIGURE_WIDTH)
    count = len(next(iter(shares.values())))
    columns = list(_columns(count, room))
    current = next(number for number, (first, last) in enumerate(columns) if first <= now <= last)
    height = max(1, min(MAX_ROW_HEIGHT, (lines - 1) // len(shares)))
    for seat, seat_shares in shares.items():
        bars = [_last_known(seat_shares[first : last + 1]) for first, last in columns]
        style = Style.parse(look.style(seat))
        for line in range(height - 1, -1, -1):
            row = Text(" ", no_wrap=True)
            row.append_text(names[seat] if line == 0 else Text())
            row.pad_right(margin - row.cell_len)
            for number, share in enumerate(bars):
                row.append(_cell(share, line, height), style if number != current else style + Style(bgcolor=HERE))
            if line == 0:
                share = seat_shares[now]
                row.append(f"{'' if share is None else percent(share):>{FIGURE_WIDTH}}", "bold")
            yield row
    yield Text(" " * (margin + current) + "▲", style="bold bright_yellow", no_wrap=True)


def _columns(count: int, room: int) -> Iterator[tuple[int, int]]:
    """The first and last position that each column shows: bars of several columns, or columns of several positions."""
    broad = min(MAX_BAR_WIDTH, room // count)
    if broad:
        yield from ((place // broad, place // broad) for place in range(count * broad))
    else:
        yield from ((place * count // room, (place + 1) * count // room - 1) for place in range(room))


def _last_known(shares: Sequence[float | None]) -> float | None:
    return next((share for share in reversed(shares) if share is not None), None)


def _cell(share: float | None, line: int, height: int) -> str:
    """The part of a bar in one line.

    A share of 0 is a line at the bottom, to distinguish it from an unknown one; one of 1 does not touch the row above.
    """
    if share is None:
        return " "
    eighths = 1 + round(share * (8 * height - 2))
    return EIGHTHS[max(0, min(8, eighths - 8 * line))]
