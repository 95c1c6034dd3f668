"""Who gets points, by which rule: the changes of numbers for which rules give a reason."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import field

from dsl.lazy_dataclasses import dataclass
from dsl.types import PLAYER, Type, bare
from interpreter.engine.program import Program
from interpreter.errors import PlayError
from interpreter.laboratory.records import Points
from interpreter.runtime.primitives import REASON, Cells, JournalEntry


@dataclass
class PointCounter:
    """Adds up the points of one game, by the statement that gives them and the seat that gets them.

    The points of a note with an index by seats belong to that seat, those by teams to each seat of the team. Where all
    win or lose together those of any other note belong to every seat; elsewhere they are nobody's and do not count.
    """

    program: Program
    shared: bool
    totals: dict[tuple[int, int], tuple[int, int]] = field(default_factory=dict)

    def add(self, S: Cells, entries: Iterable[JournalEntry]) -> None:
        """Count the points among entries of the journal, in the position to which they have led."""
        for cell, payload in entries:
            if cell == REASON:
                node, note, amount, _ = payload
                for seat in self._seats(S, note):
                    times, points = self.totals.get((node, seat), (0, 0))
                    self.totals[node, seat] = times + 1, points + amount

    def _seats(self, S: Cells, cell: int) -> Iterable[int]:
        """The seats whose number a cell is."""
        layout, model = self.program.layout, self.program.model
        name, slot = layout.notes_of_cell[cell]
        index = [bare(type_) for type_ in model.notes[name].index] if name in model.notes else list[Type]()
        if PLAYER in index:
            return (slot[index.index(PLAYER)],)
        team_type = None if model.teams is None else bare(model.types[model.teams.value.number])
        if team_type in index:
            team = slot[index.index(team_type)]
            return [seat for seat, of_seat in enumerate(self._teams(S)) if of_seat == team]
        return range(len(layout.seats)) if self.shared else ()

    def _teams(self, S: Cells) -> tuple[int | None, ...]:
        try:
            return self.program.teams(S)
        except PlayError:  # there are no teams yet
            return ()

    @property
    def points(self) -> tuple[Points, ...]:
        """The points counted, in the order of the rules and the seats."""
        return tuple(Points(node, seat, *self.totals[node, seat]) for node, seat in sorted(self.totals))
