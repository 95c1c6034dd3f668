"""The effects of a move as far as the seat that decides can tell beforehand.

The rules run without a journal on a redacted state, which refuses to show what is hidden from the seat; the state of
chance is hidden from everybody. The cells written until then follow from what the seat sees, so the lines reveal
nothing; see `seat/redaction.py`.
"""

from __future__ import annotations

from typing import Literal, cast

from interpreter.engine.program import Program
from interpreter.errors import PlayError
from interpreter.runtime.cells import Cells, Change, Content, MoveCode
from interpreter.runtime.layout import ME, RANDOM
from interpreter.seat.redaction import CountOnlySet, HiddenValueError, SeatVisibility, SupposedState
from interpreter.seat.views.log import LogRenderer


class OpenVisibility(SeatVisibility):
    """Visibility where nothing is hidden from anybody but how chance will turn out."""

    def access(self, state: Cells, cell: int) -> Literal["all", "count", "nothing"]:
        """See `SeatVisibility.access`."""
        return "nothing" if cell == RANDOM else "all"


def effects(program: Program, state: Cells, code: MoveCode, *, is_open: bool) -> tuple[str, ...]:
    """The overall effect of a legal move, as lines of the log, up to where the seat that decides cannot tell any more.

    It ends before chance and before anything that depends on what is hidden from the seat; if the game is open, nothing
    is. Empty if the seat can tell nothing, and if a rule fails.
    """
    visibility = (OpenVisibility if is_open else SeatVisibility)(program, state[ME])
    supposed = SupposedState(visibility, state)
    try:
        program.do(cast("Cells", supposed), None, code)
    except HiddenValueError:
        pass  # this far, and no further
    except PlayError:
        return ()
    lines = LogRenderer(program, Cells(state), state[ME]).lines(_changes(program, supposed))
    return tuple(line.text for line in lines)


def _changes(program: Program, supposed: SupposedState) -> list[Change]:
    """The pieces and notes that have changed, pieces first."""
    layout, written = program.layout, supposed.written
    pieces = range(layout.place_cells, layout.place_cells + len(layout.pieces))
    cells = [cell for cell in pieces if cell in written] + [cell for cell in layout.notes_of_cell if cell in written]
    changes = ((cell, supposed.cells[cell], written[cell]) for cell in cells)
    return [(cell, old, new) for cell, old, new in changes if not _is_partly_known(new) and new != old]


def _is_partly_known(value: Content) -> bool:
    """True if only the number of the pieces in a set is known."""
    return any(isinstance(part, CountOnlySet) for part in (value if isinstance(value, tuple) else (value,)))
