"""Undo: back to one's own last decision; free where it takes nothing from anybody."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from interpreter.saves.files import Note

if TYPE_CHECKING:
    from cli.play.table import PlaySession
    from interpreter import State


@dataclass(frozen=True)
class Undo:
    """A way back: to which state, what it takes back as (seat, move), and who has to agree."""

    seat: str
    state: State
    moves: tuple[tuple[str, str], ...]
    ask: tuple[str, ...]

    @property
    def request(self) -> str:
        """The question to the others; how much it takes back may be a secret, and stays one."""
        return f"{self.seat} asks to go back to {self.seat}'s last decision"

    def note(self) -> Note:
        """What the log and the save say of it."""
        words = "took back the last decision"
        if self.ask:
            words += f"; {' and '.join(self.ask)} agreed"
        return Note(self.state.ply, "undo", self.seat, words, agreed=self.ask, moves=self.moves)


def way_back(sitting: PlaySession, seat: str) -> Undo | None:
    """The way to the last decision of a seat that had an alternative; none when it has not decided yet."""
    now = sitting.state
    back = now.copy()
    for _ in range(now.ply):
        back.pop()
        if back.player == seat and len(back.legal_moves) > 1:
            moves = tuple((made.player, made.notation) for made in now.history[back.ply :])
            return Undo(seat, back, moves, _must_agree(sitting, back, seat))
    return None


def _must_agree(sitting: PlaySession, back: State, seat: str) -> tuple[str, ...]:
    """The other persons, when one of them decided since, or chance or a hidden piece came to light."""
    others = tuple(person for person in sitting.people if person != seat)
    now = sitting.state
    decided = any(made.player in others for made in now.history[back.ply :])
    drawn = len(now.chance_results) != len(back.chance_results)
    return others if others and (decided or drawn or _came_to_light(back, now, seat)) else ()


def _came_to_light(before: State, after: State, seat: str) -> bool:
    """Whether a seat sees a piece now that it did not see then."""
    return bool(_seen(after.view(seat)) - _seen(before.view(seat)))


def _seen(view: Mapping[str, Any]) -> Counter[str]:
    """Every piece that is wholly known, and every attribute that is known of any."""
    seen: Counter[str] = Counter()
    for zone in view["zones"].values():
        for piece in _with_attached(zone.get("pieces", ())):
            known = [f"{name} {value}" for name, value in piece["attributes"].items() if value is not None]
            seen.update(f"{piece['type']} {words}" for words in known)
            if not piece.get("hidden"):
                seen[f"{piece['type']} {piece['name']}"] += 1
    return seen


def _with_attached(pieces: Iterable[Mapping[str, Any]]) -> Iterator[Mapping[str, Any]]:
    for piece in pieces:
        yield piece
        attached: Mapping[str, Sequence[Mapping[str, Any]]] = piece.get("attached", {})
        for others in attached.values():
            yield from _with_attached(others)


def take_back(sitting: PlaySession, undo: Undo) -> None:
    """Go back, write it into the log and the save, and forget that later things were told."""
    sitting.go_back_to(undo.state)
    sitting.note(undo.note())
