"""Matching of pieces with a list of kinds."""

from __future__ import annotations

from collections.abc import Sequence


def same_pieces(pieces: Sequence[int], kinds: Sequence[int], ordered: bool) -> bool:
    """True if the pieces are exactly one each of these kinds, in this order or in any."""
    if len(pieces) != len(kinds):
        return False
    if ordered or not kinds:
        return all(kind >> piece & 1 for piece, kind in zip(pieces, kinds, strict=True))
    return matched(pieces, kinds)


def matched(pieces: Sequence[int], kinds: Sequence[int]) -> bool:
    """True if each kind can be given a different piece: a matching, extended by augmenting paths.

    Giving each kind the first piece that fits is not enough: of a red king and a red rook, the kind "red" may take the
    king that the kind "king" needs. A path from a kind without a piece to a free piece exchanges such choices.
    """
    owner: dict[int, int] = {}
    for start in range(len(kinds)):
        came_from: dict[int, int] = {}  # the kind from which the search reached a piece
        waiting = [start]
        last = None
        while waiting and last is None:
            kind = waiting.pop()
            for piece in pieces:
                if piece not in came_from and kinds[kind] >> piece & 1:
                    came_from[piece] = kind
                    if piece not in owner:
                        last = piece
                        break
                    waiting.append(owner[piece])
        if last is None:
            return False
        # INVARIANT: each piece has one owner, and the kinds matched so far stay matched when the path is flipped.
        piece_of_kind = {kind: piece for piece, kind in owner.items()}
        while last is not None:
            kind = came_from[last]
            owner[last] = kind
            last = piece_of_kind.get(kind)
    return True
