"""Choices of several members, as generated code calls them: groups of equal pieces, and all subsets of these."""

from __future__ import annotations

from collections.abc import Iterable

from dsl import ast
from interpreter.errors import PlayError
from interpreter.runtime.cells import Cells, Namespace
from interpreter.runtime.primitives import Runtime
from interpreter.runtime.subsets import MAX_HANDFULS, Groups, count_subsets, subsets_of_sizes
from interpreter.wording.phrases import Phrase


class SubsetCalls:
    """The functions of one layout that choose several members; `names()` is what generated code sees."""

    def __init__(self, runtime: Runtime) -> None:
        self.runtime, self.layout = runtime, runtime.layout
        self.attribute_order: dict[str, tuple[str, ...]] = {}

    def names(self) -> Namespace:
        """The functions by name."""
        return {"alike": self.alike, "in_turn": self.in_turn, "handfuls": self.handfuls}

    def alike(self, state: Cells, pieces: Iterable[int]) -> Groups:
        """Group pieces that no rule can tell apart, because they are equal and lie together."""
        runtime = self.runtime
        groups: dict[tuple[int, int], list[int]] = {}
        for piece in pieces:
            place = state[runtime.base + piece]
            apart = runtime.orders[place] or any(state[cell] != plain for cell, _, plain in runtime.attached[piece])
            groups.setdefault((-1, piece) if apart else (runtime.kinds[piece], place), []).append(piece)
        return list(groups.values())

    def in_turn(self, state: Cells, pieces: Iterable[int]) -> Groups:
        """Group equal pieces, in the order in which they are chosen one by one.

        Pieces that more seats see come first, so that the order of the choice reveals nothing about the rest.
        """
        return sorted(self.alike(state, pieces), key=lambda group: self._choice_rank(state, group[0]))

    def _choice_rank(self, state: Cells, piece: int) -> tuple[int, ...]:
        place = state[self.runtime.base + piece]
        if self.runtime.orders[place]:
            return (place,)
        return place, *self.choice_key(self.layout.places[place].zone, piece)

    def choice_key(self, zone: str, piece: int) -> tuple[int, ...]:
        """The sort key of a piece of an unordered zone whose pieces are chosen one by one."""
        attributes = self.layout.pieces[piece].attributes
        return tuple([attributes.get(name, -1) for name in self._seen_first(zone)])

    def _seen_first(self, zone: str) -> tuple[str, ...]:
        """The attributes of the pieces of a zone, those that more seats see first."""
        if zone not in self.attribute_order:
            declaration = self.layout.model.zones[zone].declaration
            sights = {sight.attribute: sight.viewers for sight in declaration.sights}

            def rank(name: str) -> int:
                viewers = sights.get(name, sights.get(None))
                observers = viewers.name if isinstance(viewers, ast.Name) else ""
                if viewers is None or observers == "all":
                    return 0
                return 3 if observers in ("nobody", "none") else 1 if name in sights else 2

            types = [content.name for content in declaration.holds]
            names = dict.fromkeys(name for type_ in types for name in self.layout.model.pieces[type_].attributes)
            self.attribute_order[zone] = tuple(sorted(names, key=rank))
        return self.attribute_order[zone]

    def handfuls(self, groups: Groups, fewest: int, most: int, node: int) -> tuple[int, ...]:
        """All subsets of `fewest` to `most` members, up to equal members. Raises PlayError if there are too many."""
        if count_subsets(groups, fewest, most) > MAX_HANDFULS:
            message = Phrase(
                "there are more than {number} handfuls: choose the members one at a time", number=MAX_HANDFULS
            )
            raise PlayError(message, self.runtime.location_of(node))
        return subsets_of_sizes(groups, fewest, most)
