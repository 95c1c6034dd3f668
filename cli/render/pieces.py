"""Pieces as short texts: `r:king[4]`, `b:ace/r:king`, `3 king`, `2 r:?`, `5 hidden`.

These are a red king with a 4 attached, a blue ace with a red king on it (attached, and of the same type), three kings,
two backs of red's pieces, and five backs without an order. In a heap equal pieces are counted, in a row they are not,
and in a stack only backs that lie next to each other are.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from string import Formatter
from typing import TYPE_CHECKING

from rich.console import Console, ConsoleOptions
from rich.measure import Measurement
from rich.text import Text

from cli.render.palette import Palette
from dsl.lazy_dataclasses import dataclass
from interpreter.seat.views.piece_words import is_back, label, noted
from interpreter.wording.words import Words

if TYPE_CHECKING:
    from interpreter.seat.views.model import Cell, EachEntry, PieceView


NOTHING = "-"
HIDDEN = "hidden"


def piece_text(piece: PieceView, look: Palette, *, bare: bool = False, number: int = 1) -> Text:
    """A piece with its notes and attached pieces, in the plural if `number` is not 1.

    `bare` omits its owner's letter.
    """
    seat = piece.owner
    style = look.style(seat) if seat else ""
    text = Text()
    if seat and not bare:
        text.append(f"{look.letter(seat)}:", style=f"bold {style}")
    text.append("?" if is_back(piece, look.letters) else label(piece, look.words, number), style=style or None)
    notes = noted(piece, look.words)
    if notes:
        text.append(f" ({notes})", style="dim")
    for others in piece.attached.values():
        _attach(text, piece, others, look)
    return text


def _attach(text: Text, bearer: PieceView, others: Sequence[PieceView], look: Palette) -> None:
    """Append attached pieces: those of another type in brackets, those of the bearer's own type after slashes."""
    apart = [piece for piece in others if piece.type != bearer.type]
    if apart:
        text.append("[", style="bold")
        text.append_text(Text(" ").join([piece_text(piece, look) for piece in apart]))
        text.append("]", style="bold")
    for piece in others:
        if piece.type == bearer.type:
            text.append("/", style="bold")
            text.append_text(piece_text(piece, look))


def entries(cell: Cell, look: Palette, viewer: str | None = None) -> list[Text]:
    """A cell as unbreakable texts; a line break may come between any two of them.

    If a heap holds only the viewer's own pieces, their letters are omitted.
    """
    if cell.kind == "value":
        return [Text(cell.text, style=look.style(cell.value) if isinstance(cell.value, str) else "")]
    if cell.kind == "each":
        return [_noted(entry, look) for entry in cell.entries]
    all_own = cell.order == "heap" and all(piece.owner == viewer for piece in cell.pieces)
    return pieces(cell.pieces, cell.order, look, bare=all_own and viewer is not None)


def _noted(entry: EachEntry, look: Palette) -> Text:
    return Text(" ").join(entries(entry.item, look)).append(" ").append(entry.note.text, style="bold")


def pieces(all_pieces: Sequence[PieceView], order: str, look: Palette, *, bare: bool = False) -> list[Text]:
    """Pieces in their order, or grouped and counted if they have none."""
    if order in ("row", "one"):
        return [piece_text(piece, look) for piece in all_pieces]
    if order == "stack" and any(piece.owner or not is_back(piece, look.letters) for piece in all_pieces):
        return _runs(all_pieces, look)
    backs = sum(1 for piece in all_pieces if is_back(piece, look.letters) and not noted(piece))
    fronts = [piece for piece in all_pieces if not is_back(piece, look.letters) or noted(piece)]
    return [
        *_counted(
            [(piece_text(piece, look, bare=bare), piece_text(piece, look, bare=bare, number=2)) for piece in fronts]
        ),
        *([Text(f"{backs} {look.words.name(HIDDEN)}", style="dim")] if backs else []),
    ]


def _runs(stack: Sequence[PieceView], look: Palette) -> list[Text]:
    """A stack in its order, with consecutive backs of one owner counted: `r:king, 2 b:?, r:?`."""
    runs: list[tuple[Text, int]] = []
    for piece in stack:
        text = piece_text(piece, look)
        if is_back(piece, look.letters) and runs and runs[-1][0] == text:
            runs[-1] = text, runs[-1][1] + 1
        else:
            runs.append((text, 1))
    return [text if number == 1 else Text(f"{number} ").append_text(text) for text, number in runs]


def _counted(fronts: Iterable[tuple[Text, Text]]) -> list[Text]:
    """Group equal texts, given in singular and plural, as `3 kings`, unless their names are numbers: `4 4 7`."""
    order: list[tuple[Text, Text]] = []
    numbers: dict[str, int] = {}
    for text, several in fronts:
        if text.plain not in numbers or is_number(text):
            order.append((text, several))
        numbers[text.plain] = numbers.get(text.plain, 0) + 1
    return [
        text if numbers[text.plain] == 1 or is_number(text) else Text(f"{numbers[text.plain]} ").append_text(several)
        for text, several in order
    ]


def is_number(text: Text) -> bool:
    """True if a text is a number: numbers are separated by blanks, everything else by commas."""
    return text.plain.lstrip("-").isdigit()


# ---------------- A cell of a table: unbreakable texts, filled into lines of the available width


@dataclass(frozen=True)
class Flow:
    """Consecutive texts, separated by commas, or by blanks between numbers; lines break only between texts."""

    texts: Sequence[Text]
    comma: str = ","

    def parts(self) -> list[Text]:
        """The texts, each with the comma that follows it."""
        if not self.texts:
            return [Text(NOTHING, style="dim")]
        joined = [text.copy() for text in self.texts]
        for text, following in zip(joined, self.texts[1:], strict=False):
            if not (is_number(text) and is_number(following)):
                text.append(self.comma)
        return joined

    @property
    def breadth(self) -> int:
        """The total width on one line."""
        parts = self.parts()
        return sum(part.cell_len for part in parts) + len(parts) - 1

    @property
    def longest(self) -> int:
        """The width of the longest part, below which it is folded."""
        return max(part.cell_len for part in self.parts())

    def lines(self, width: int) -> list[Text]:
        """Lines of at most `width` columns; a text that is longer is folded."""
        lines: list[Text] = []
        for part in self.parts():
            if lines and lines[-1].cell_len + 1 + part.cell_len <= width:
                lines[-1].append(" ").append_text(part)
            else:
                lines += _folded(part, width)
        return lines

    def __rich_measure__(self, console: Console, options: ConsoleOptions) -> Measurement:
        return Measurement(min(self.longest, options.max_width), min(self.breadth, options.max_width))

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> Iterator[Text]:
        yield from self.lines(options.max_width)


@dataclass(frozen=True)
class Hanging:
    """A head with words beside it; continuation lines are indented to where the words begin."""

    head: Text
    words: Text

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> Iterator[Text]:
        margin = self.head.cell_len
        lines = _folded(self.words, max(10, options.max_width - margin))
        for index, line in enumerate(lines):
            yield (self.head.copy() if index == 0 else Text(" " * margin)).append_text(line)


def phrase_text(words: Words, text: str, /, **values: Text | str) -> Text:
    """A phrase of the command whose values may have a style of their own."""
    assembled = Text()
    for literal, name, _, _ in Formatter().parse(words.template(text)):
        assembled.append(literal)
        if name is not None:
            value = values[name]
            assembled.append_text(value if isinstance(value, Text) else Text(value))
    return assembled


def _folded(text: Text, width: int) -> list[Text]:
    """A text split into lines, at blanks where possible."""
    if text.cell_len <= width:
        return [text]
    lines = list(text.wrap(Console(width=width), max(1, width), overflow="fold"))
    for line in lines:
        line.rstrip()
    return lines
