"""Fitting tokens into the free cells around a point: in full if possible, as close to it as possible.

`pack` goes through the ways to write the same contents, from the best to the worst, and takes the first that fits: in
full before short forms, with the label of the place before without one, with blanks between groups before without.
For each of them, `_choices` goes through the lines: one line before several, near ones before distant ones. If nothing
fits, `…` says that something is there. Tokens are never reordered or divided, so that a place reads alike in every
picture; only the ends of lines may come between the atoms of one.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from cli.render.board.contents import MORE, Token
from cli.render.board.ink import Ink, ink, plain, width
from dsl.lazy_dataclasses import dataclass

Run = tuple[int, int, int]
"""Adjacent free cells: line, first and last column."""
Written = tuple[int, int, Ink]
"""A text and its starting position: line, column."""
BLANK = ink(" ")


@dataclass(frozen=True)
class Packed:
    """The texts placed; `complete` is True if nothing was omitted."""

    texts: tuple[Written, ...]
    complete: bool


def pack(tokens: Sequence[Token], labels: Sequence[Ink], runs: Sequence[Run], anchor: tuple[int, int]) -> Packed:
    """Place tokens, after the first label that fits, on as few lines as possible near the anchor (line, column)."""
    if not tokens:
        placed = (_place([[label]], runs, anchor) for label in labels)
        return Packed(tuple(next((placement for placement in placed if placement), ())), True)
    longest, shortest = _joined(tokens, in_full=True), _joined(tokens, in_full=False)
    for groups, complete in ((longest, True), (shortest, not any(token.loses for token in tokens))):
        for label in (*labels, ()):
            for spaced in (True, False):
                marked = [[label], *groups] if label else groups
                if placement := _place(marked, runs, anchor, spaced=spaced):
                    return Packed(tuple(placement), complete)
    return Packed(tuple(_place([[ink(MORE)]], runs, anchor) or ()), False)


def _joined(tokens: Sequence[Token], *, in_full: bool) -> list[list[Ink]]:
    """The atoms of tokens, or their short forms; consecutive single pieces are joined."""
    groups: list[list[Ink]] = []
    follows_single = False
    for token in tokens:
        atoms = list(token.atoms) if in_full else [token.short]
        if follows_single and token.single:
            groups[-1][-1] = (*groups[-1][-1], *atoms[0])
        else:
            groups.append(atoms)
        follows_single = token.single
    return groups


def _place(
    groups: Sequence[Sequence[Ink]], runs: Sequence[Run], anchor: tuple[int, int], *, spaced: bool = True
) -> list[Written] | None:
    """Place the texts on the first choice of lines on which they fit; None if there is none."""
    for chosen in _choices(runs, anchor[0]):
        if (lines := _fill(groups, [last - first + 1 for _, first, last in chosen], spaced)) is not None:
            return [
                (line, _start(width(text), first, last, anchor[1]), text)
                for (line, first, last), text in zip(chosen, lines, strict=True)
                if text
            ]
    return None


def _choices(runs: Sequence[Run], middle: int) -> Iterator[Sequence[Run]]:
    """All choices of adjacent lines: fewer lines first, then those closer to the middle."""
    for many in range(1, len(runs) + 1):
        windows = [runs[first : first + many] for first in range(len(runs) - many + 1)]
        adjoining = [window for window in windows if window[-1][0] - window[0][0] == many - 1]
        yield from sorted(adjoining, key=lambda window: abs(window[0][0] + window[-1][0] - 2 * middle))


def _fill(groups: Sequence[Sequence[Ink]], widths: Sequence[int], spaced: bool) -> list[Ink] | None:
    """The text of each line, or None if the groups do not fit; only groups are separated by blanks."""
    lines: list[Ink] = [()]
    for group in groups:
        for index, atom in enumerate(group):
            gap = BLANK if spaced and index == 0 and lines[-1] and not plain(lines[-1]).endswith(":") else ()
            if width(lines[-1]) + width(gap) + width(atom) <= widths[len(lines) - 1]:
                lines[-1] = (*lines[-1], *gap, *atom)
                continue
            lines.append(atom)
            while len(lines) <= len(widths) and width(atom) > widths[len(lines) - 1]:
                lines[-1:] = [(), atom]
            if len(lines) > len(widths):
                return None
    return [*lines, *[()] * (len(widths) - len(lines))]


def _start(breadth: int, first: int, last: int, middle: int) -> int:
    """The starting column that brings the centre of a text as close to a column as the run allows."""
    return max(first, min(middle - (breadth - 1) // 2, last - breadth + 1))
