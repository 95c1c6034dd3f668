"""Undo: going back to a seat's own last decision, without consent if nobody loses anything by it.

If several things are chosen one at a time, taking back a pick before the choice is complete is not an undo: it has had
no effect yet, so nobody needs to agree, and neither log nor save mentions it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from dsl.lazy_dataclasses import dataclass
from interpreter.play.game import State
from interpreter.play.saves.files import Note
from interpreter.play.shown import shown_state
from interpreter.seat.views.model import Hidden, PieceView, View
from interpreter.wording.words import PLAIN, Words


@dataclass(frozen=True)
class Undo:
    """A possible undo: the state to return to, the moves it takes back as (seat, move), and who has to agree.

    `is_unseen`: the others have not been shown any of these moves, because the last one was followed by a secret
    decision.
    """

    seat: str
    state: State
    moves: tuple[tuple[str, str], ...]
    ask: tuple[str, ...]
    is_unseen: bool

    def request(self, words: Words) -> str:
        """The question to the others; it does not reveal how much is taken back, which may be secret."""
        return words.phrase("{seat} asks to go back to {seat}'s last decision", seat=words.name(self.seat))

    def note(self, *, everything_seen: bool = False) -> Note | None:
        """The note for the log and the save; None if it would tell the others that something was decided secretly.

        With `everything_seen` nobody hides anything from anybody.
        """
        if self.is_unseen and not everything_seen:
            return None
        return Note(self.state.ply, "undo", self.seat, undone(self.ask), agreed=self.ask, moves=self.moves)


def possible_undo(now: State, seat: str, people: Sequence[str]) -> Undo | None:
    """Find the last decision of a seat that had an alternative; None if there is none.

    `people` are the seats that people play: bots are not asked to agree.
    """
    back = now.copy()
    for _ in range(now.ply):
        back.pop()
        if back.player == seat and len(back.legal_moves) > 1:
            moves = tuple((decision.player, decision.notation) for decision in now.history[back.ply :])
            others = tuple(person for person in people if person != seat)
            ask = others if others and _is_contested(now, back, seat, others) else ()
            return Undo(seat, back, moves, ask, not ask and shown_state(now, None).ply <= back.ply)
    return None


def before_last_pick(state: State) -> State | None:
    """The state before the last pick of the pending choice of several; None if nothing else could have been picked."""
    back = state.copy()
    for _ in range(state.picked):
        back.pop()
        if len(back.legal_moves) > 1:
            return back
    return None


def _is_contested(now: State, back: State, seat: str, others: Sequence[str]) -> bool:
    """True if since then one of the others has decided, chance was involved, or a hidden piece was revealed."""
    decided = any(decision.player in others for decision in now.history[back.ply :])
    drawn = len(now.chance_results) != len(back.chance_results)
    return decided or drawn or _came_to_light(back, now, seat)


def _came_to_light(earlier: State, later: State, seat: str) -> bool:
    """True if a seat now sees a piece or attribute that it did not see before."""
    return bool(_seen(later.view(seat)) - _seen(earlier.view(seat)))


def _seen(view: View) -> Counter[str]:
    """Every piece that is fully known, and every known attribute of any piece."""
    seen: Counter[str] = Counter()
    for zone in view.zones.values():
        for piece in _with_attached(zone.pieces):
            facts = [f"{name} {value}" for name, value in piece.attributes.items() if not isinstance(value, Hidden)]
            seen.update(f"{piece.type} {words}" for words in facts)
            if not piece.hidden:
                seen[f"{piece.type} {piece.name}"] += 1
    return seen


def _with_attached(pieces: Iterable[PieceView]) -> Iterator[PieceView]:
    for piece in pieces:
        yield piece
        for others in piece.attached.values():
            yield from _with_attached(others)


def undone(agreed: Sequence[str], words: Words = PLAIN) -> str:
    """An undo in words, and who agreed to it."""
    if not agreed:
        return words.phrase("took back the last decision")
    names = words.both([words.name(seat) for seat in agreed])
    return words.phrase("took back the last decision; {seats} agreed", seats=names)
