"""Search trees kept from one decision of a seat to its next one.

What a search has found out about a position stays valid only if the seat learns nothing in between but which moves were
made. That is so in games of perfect information without chance, and in others while the seat makes several decisions in
a row. Otherwise the values in a tree are averages over hidden pieces and chance results of which the seat has learned
since.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from interpreter.analysis.search_states import search_state
from interpreter.errors import PlayError
from interpreter.game import Game, State
from interpreter.knowledge.observation import lines_since
from interpreter.opponents.information import can_be_proven
from interpreter.opponents.move_keys import NOTHING, Offer
from interpreter.opponents.situation import Situation
from interpreter.opponents.tree import Trees
from interpreter.views.log import LogEntry

Path = Sequence[tuple[Offer, int]]
"""Moves made one after the other: what was offered, and the number of the move."""

WORLDS_COMPARED = 8
"""The worlds of a search in which the moves made since are repeated, to see whether the seat has learned anything."""


@dataclass(frozen=True, slots=True)
class KeptTrees:
    """The trees of a search, with the log of the seat at their root, and worlds that agreed with it."""

    trees: Trees
    game: Game
    log: tuple[LogEntry, ...]
    worlds: tuple[State, ...]

    def at(self, situation: Situation, world: State) -> Trees | None:
        """The part of the trees from a situation on, one of whose worlds this is; None if they are of no use there."""
        count = len(self.log)
        if world.game is not self.game or situation.log[:count] != self.log:
            return None
        root, moves = world.copy(), []
        for _ in situation.log[count:]:
            code = root.made[-1].code
            root.pop()
            position = search_state(root, "python")
            moves.append((self.trees.keys.offer(position), position.legal_moves.index(code)))
        moves.reverse()
        if can_be_proven(self.game) or self._nothing_learned(situation, world, root.ply, moves):
            return _subtrees(self.trees, moves)
        return None

    def _nothing_learned(self, situation: Situation, world: State, ply: int, moves: Path) -> bool:
        """True if only the seat has decided since, and would have observed the same after these moves in any world."""
        seat = situation.seat
        if any(situation.seats[offer.seat] != seat or offer.at_once for offer, _ in moves):
            return False
        learned = lines_since(world, seat, ply)
        for each in self.worlds:
            other = each.copy()
            try:
                for _, number in moves:
                    other.push(other.legal_moves[number])
            except (PlayError, IndexError):
                return False
            if len(other.chance_results) > len(each.chance_results):
                return False
            if lines_since(other, seat, each.ply) != learned or other.view(seat) != situation.view:
                return False
        return True


def kept_trees(trees: Trees, situation: Situation, worlds: Sequence[State]) -> KeptTrees | None:
    """Keep the trees of a search of a situation; None if they are too large."""
    if trees.keys.is_half_full:
        return None
    return KeptTrees(trees, worlds[0].game, situation.log, tuple(worlds[:WORLDS_COMPARED]))


def _subtrees(trees: Trees, moves: Path) -> Trees | None:
    """The parts of the trees after some moves; None if no iteration has made them."""
    keys, root, others = trees
    for offer, number in moves:
        found = root.children.get(offer.own[number])
        if found is None:
            return None
        root, public = found, offer.public[number]
        if public != NOTHING:
            others = {who: node.children[public] for who, node in others.items() if public in node.children}
    return Trees(keys, root, others)
