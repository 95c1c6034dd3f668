"""Search trees kept from one decision of a seat to its next one.

The results of a search stay valid only as long as the seat learns nothing but the moves that are made. This is always
so in games of perfect information without chance. In others it may be so while the seat makes several decisions in a
row; otherwise the values in a tree are averages over hidden pieces and chance results that the seat has learned since.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from dsl.lazy_dataclasses import dataclass
from interpreter.analysis.search_states import search_state
from interpreter.errors import PlayError
from interpreter.opponents.information import can_be_proven
from interpreter.opponents.knowledge.observation import lines_since
from interpreter.opponents.move_keys import NOTHING, Offer
from interpreter.opponents.situation import Situation
from interpreter.opponents.tree import Trees
from interpreter.play.game import Game, State
from interpreter.seat.views.log import LogEntry
from interpreter.seat.views.model import View

Moves = Sequence[tuple[Offer, int]]
"""Moves made one after the other: what was offered, and the number of the move."""

WORLDS_COMPARED = 8
"""The number of worlds of a search in which later moves are repeated to see whether the seat has learned anything."""


@dataclass(frozen=True, slots=True)
class KeptTrees:
    """The trees of a search, with the log of the seat at their root, and worlds that agreed with it."""

    trees: Trees
    game: Game
    log: tuple[LogEntry, ...]
    worlds: tuple[State, ...]

    def at(self, situation: Situation, world: State, too_late: Callable[[], bool]) -> Trees | None:
        """The part of the trees that belongs to a later situation, or None if they are of no use there.

        `world` is a state that agrees with what the seat has observed up to that situation. When it is `too_late`, no
        more worlds are compared, and the trees are given up.
        """
        count, seat, only_moves = len(self.log), situation.seat, can_be_proven(self.game)
        if world.game is not self.game or situation.log[:count] != self.log:
            return None
        root = world.copy()
        moves: list[tuple[Offer, int]] = []
        for _ in situation.log[count:]:
            code = root.made[-1].code
            root.pop()
            position = search_state(root, "python")
            offer = self.trees.keys.offer(position)
            if not only_moves and situation.seats[offer.seat] != seat:
                return None
            moves.insert(0, (offer, position.legal_moves.index(code)))
        if moves and not only_moves:
            lines = lines_since(world, seat, root.ply)
            if not self._learned_nothing(moves, seat, lines, situation.view, too_late):
                return None
        return _subtrees(self.trees, moves)

    def _learned_nothing(
        self, moves: Moves, seat: str, lines: tuple[str, ...], view: View, too_late: Callable[[], bool]
    ) -> bool:
        """True if a seat would have observed the same after its moves in any of the worlds."""
        for each in self.worlds:
            if too_late():
                return False
            other = each.copy()
            try:
                for _, number in moves:
                    other.push(other.legal_moves[number])
            except (PlayError, IndexError):
                return False
            if len(other.chance_results) > len(each.chance_results):
                return False
            if lines_since(other, seat, each.ply) != lines or other.view(seat) != view:
                return False
        return True


def kept_trees(trees: Trees, situation: Situation, worlds: Sequence[State]) -> KeptTrees | None:
    """Keep the trees of a search of a situation; None if they are too large."""
    if trees.keys.is_half_full:
        return None
    return KeptTrees(trees, worlds[0].game, situation.log, tuple(worlds[:WORLDS_COMPARED]))


def _subtrees(trees: Trees, moves: Moves) -> Trees | None:
    """The parts of the trees after some moves; None if no iteration has made them."""
    keys, root, others = trees
    for offer, number in moves:
        found = root.children.get(offer.own[number])
        if found is None:
            return None
        root, public = found, offer.public[number]
        if offer.at_once:
            others = {}  # the other seats have not learned of the move yet
        elif public != NOTHING:
            others = {who: node.children[public] for who, node in others.items() if public in node.children}
    return Trees(keys, root, others)
