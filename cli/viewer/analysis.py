"""The expected shares of seats in a game and the costs of their decisions, computed one by one in a thread.

The decisions of a seat are judged from what it knew when it decided. If everything is shown, each seat judges its own
decisions; if the game is viewed as one seat, only that seat judges. In a game without secrets all know the same.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from dsl.lazy_dataclasses import dataclass
from interpreter.errors import PlayError
from interpreter.opponents.review import REVIEW, Judged, Reviewed, Reviewer, decisions_of, final_shares, has_choice
from interpreter.opponents.thinking import Thinking

if TYPE_CHECKING:
    from interpreter.play.game import Game, State

Expectations = Mapping[str, Sequence[float | None]]
"""The expected share of the win of each seat after 0, 1, 2, … decisions; None where it is unknown."""


def judges(state: State, as_seat: str | None) -> tuple[str, ...]:
    """The seats from whose knowledge a game is judged if it is viewed as `as_seat`."""
    return state.game.seats if as_seat is None or state.game.is_open else (as_seat,)


class GameAnalysis:
    """The judgements of a game by some seats.

    `total` is the number of decisions to judge, None until it is known; `final` are the shares of the win if the game
    is over.
    """

    def __init__(self, state: State, judges: Sequence[str]) -> None:
        self._state, self.judges = state.copy(), tuple(judges)
        self.judged: list[Judged] = []
        self.total: int | None = None
        self.final: Mapping[str, float] = {}
        self._thinking: Thinking[None] = Thinking(" and ".join(judges))
        self._thinking.begin(self._work)

    def _work(self) -> None:
        state, is_stopped = self._state, self._thinking.is_stopped
        if state.over:
            self.final = final_shares(state)
        plies = decisions_of(state, self.judges)
        if has_choice(state, self.judges):
            plies.append(state.ply)
        self.total = len(plies)
        reviewer = Reviewer(state, REVIEW, is_stopped)
        for ply in plies:
            judged = reviewer.judge(ply)
            if is_stopped():
                return
            self.judged.append(judged)

    @property
    def is_done(self) -> bool:
        """True once every decision has been judged, or the analysis was cancelled."""
        return self._thinking.is_done

    @property
    def is_complete(self) -> bool:
        """True once every decision is judged."""
        return self.is_done and len(self.judged) == self.total

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
