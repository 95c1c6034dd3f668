"""Pieces as short texts: `r:king[4]`, `b:ace/r:king`, `3 king`, `2 r:?`, `5 hidden`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from rich.text import Text

from cli.render.palette import Palette

View = Mapping[str, Any]
Piece = Mapping[str, Any]
NOTHING = "-"
HIDDEN = "hidden"


def owner(piece: Piece, look: Palette) -> str | None:
    """The seat a piece belongs to, as far as is visible.

    The view names it; otherwise it is the value of the first attribute whose value is a seat.
    """
    if "owner" in piece:
        return None if piece["owner"] is None else str(piece["owner"])
    return next((str(value) for value in piece["attributes"].values() if str(value) in look.letters), None)


def is_back(piece: Piece, look: Palette) -> bool:
    """True if nothing is known of a piece except possibly its owner."""
    known = (value for value in piece["attributes"].values() if value is not None)
    return bool(piece.get("hidden")) and all(str(value) in look.letters for value in known)


def label(piece: Piece, look: Palette) -> str:
    """The name of a piece beside its owner's letter: without the seat, or its type if nothing else remains."""
    seat = owner(piece, look)
    words = [word for word in str(piece["name"]).split() if word != seat]
    return " ".join(words) or str(piece["type"]).lower()


def piece_text(piece: Piece, look: Palette, *, bare: bool = False) -> Text:
    """One piece with its notes and the pieces on it and with it; `bare` omits its owner's letter."""
    seat = owner(piece, look)
    style = look.style(seat) if seat else ""
    text = Text()
    if seat and not bare:
        text.append(f"{look.letter(seat)}:", style=f"bold {style}")
    text.append("?" if is_back(piece, look) else label(piece, look), style=style or None)
    notes = noted(piece)
    if notes:
        text.append(f" ({notes})", style="dim")
    for others in piece.get("attached", {}).values():
        _attach(text, piece, others, look)
    return text


def noted(piece: Piece) -> str:
    """The visible notes of a piece: `marked, used 2, known {red, blue}`; omitted if none or 0."""
    told = []
    for name, content in piece.get("notes", {}).items():
        if content == "true":
            told.append(str(name))
        elif isinstance(content, list) and content:
            told.append(f"{name} {{{', '.join(map(str, content))}}}")
        elif content and not isinstance(content, list) and content not in ("false", "0"):
            told.append(f"{name} {content}")
    return ", ".join(told)


def _attach(text: Text, bearer: Piece, others: Sequence[Piece], look: Palette) -> None:
    """Append attached pieces: those of another type in brackets, those of the bearer's own type after slashes."""
    apart = [other for other in others if other["type"] != bearer["type"]]
    if apart:
        text.append("[", style="bold")
        text.append_text(Text(" ").join([piece_text(other, look) for other in apart]))
        text.append("]", style="bold")
    for other in others:
        if other["type"] == bearer["type"]:
            text.append("/", style="bold")
            text.append_text(piece_text(other, look))


def entries(cell: Mapping[str, Any], look: Palette, viewer: str | None = None) -> list[Text]:
    """A cell as unbreakable texts; a line break may come between any two of them.

    In a heap of nothing but the viewer's own pieces the letters are omitted.
    """
    if cell["kind"] == "text":
        return [plain(str(cell["text"]), look)]
    if cell["kind"] == "each":
        return [_noted(entry, look) for entry in cell["entries"]]
    order = cell.get("order", "heap")
    mine = order == "heap" and all(owner(piece, look) == viewer for piece in cell["pieces"])
    return pieces(cell["pieces"], order, look, bare=mine and viewer is not None)


def plain(text: str, look: Palette) -> Text:
    """A text; a seat's name is shown in its colour."""
    return Text(text, style=look.style(text))


def _noted(entry: Mapping[str, Any], look: Palette) -> Text:
    item = entry["item"]
    text = Text(" ").join(entries(item, look)) if "kind" in item else piece_text(item, look)
    return text.append(" ").append(str(entry["note"]), style="bold")


def pieces(all_pieces: Sequence[Piece], order: str, look: Palette, *, bare: bool = False) -> list[Text]:
    """Pieces one after the other in their order, or grouped and counted if they have none."""
    if order in ("row", "one"):
        return [piece_text(piece, look) for piece in all_pieces]
    if order == "stack" and any(owner(piece, look) or not is_back(piece, look) for piece in all_pieces):
        return _runs(all_pieces, look)
    backs = sum(1 for piece in all_pieces if is_back(piece, look) and not noted(piece))
    fronts = [piece for piece in all_pieces if not is_back(piece, look) or noted(piece)]
    return [
        *_counted([piece_text(piece, look, bare=bare) for piece in fronts]),
        *([Text(f"{backs} {HIDDEN}", style="dim")] if backs else []),
    ]


def _runs(stack: Sequence[Piece], look: Palette) -> list[Text]:
    """A stack in its order, consecutive backs of one owner counted: `r:king, 2 b:?, r:?`."""
    runs: list[tuple[Text, int]] = []
    for piece in stack:
        text = piece_text(piece, look)
        if is_back(piece, look) and runs and runs[-1][0] == text:
            runs[-1] = text, runs[-1][1] + 1
        else:
            runs.append((text, 1))
    return [text if number == 1 else Text(f"{number} ").append_text(text) for text, number in runs]


def _counted(fronts: Iterable[Text]) -> list[Text]:
    """Group equal texts as `3 king`, unless their names are numbers: `4 4 7`."""
    order: list[Text] = []
    numbers: dict[str, int] = {}
    for text in fronts:
        if text.plain not in numbers or is_number(text):
            order.append(text)
        numbers[text.plain] = numbers.get(text.plain, 0) + 1
    return [
        text if numbers[text.plain] == 1 or is_number(text) else Text(f"{numbers[text.plain]} ").append_text(text)
        for text in order
    ]


def is_number(text: Text) -> bool:
    """True if a text is a number: numbers are separated by blanks, everything else by commas."""
    return text.plain.lstrip("-").isdigit()
