"""Why a value is what it is: how it came about, and which changes made a place or note what it is."""

from __future__ import annotations

import re

from interpreter.explain.answer import Origin, Why
from interpreter.explain.evaluator import HIDDEN
from interpreter.explain.moves import is_move, why_move
from interpreter.play_state import PlayState
from interpreter.trace.events import Event
from interpreter.trace.search import cells_named, is_called, known_names
from interpreter.trace.timeline import Timeline

MOST_TOLD = 20
"""So many of the latest changes of a place are told; none from before it was empty."""


def why(state: PlayState, text: str, as_seat: str | None) -> Why:
    """The answer to a question about a move, a value, or what is at a place, as a seat (None: all) may know it.

    What speaks of nothing the game has is taken for a move. Raises ExpressionError, PlayError.
    """
    model = state.program.model
    valued = {*model.zones, *model.notes, *model.dice, *model.defines, *model.options, "me"}
    if is_move(state.program, state.cells, text) or valued.isdisjoint(re.findall(r"\w+", text)):
        return why_move(state.program, state.cells, text, {}, None if state.over else state.seat_number(as_seat))
    timeline = Timeline(state, as_seat)
    explained = timeline.snapshot(timeline.last).evaluate(text)
    origins = changes_of(timeline, text) if any(is_called(name, text) for name in known_names(state.program)) else ()
    told = f"{explained.text} is {explained.value}"
    return Why(None, told, explained=explained if explained.value != HIDDEN else None, origins=origins)


def changes_of(timeline: Timeline, name: str) -> tuple[Origin, ...]:
    """The latest changes of a place or note, the earliest of them first."""
    found: list[Origin] = []
    for ply in range(timeline.plies, -1, -1):
        if not timeline.may_change(ply, name):
            continue
        above: list[Event] = []
        here: list[Origin] = []
        for event in timeline.events(ply):
            while above and above[-1].depth >= event.depth:
                above.pop()
            if any(is_called(what, name) for what in event.what):
                rule = above[-1] if above else None
                place, said, cites = ("", "", ()) if rule is None else (rule.place, rule.text, _cites(above))
                here.append(Origin(ply, timeline.headline(ply), event.text, said, place, cites))
            above.append(event)
        found = here + found
        if len(found) >= MOST_TOLD or _empty(timeline, ply, name):
            break
    return tuple(found[-MOST_TOLD:])


def _empty(timeline: Timeline, ply: int, name: str) -> bool:
    """Whether nothing lay at a place when a segment began."""
    cells, layout = timeline.before(ply), timeline.program.layout
    named = cells_named(timeline.program, name)
    lying = [cells[cell] for cell in named if cell in layout.lying]
    return bool(lying) and not any(lying)


def _cites(above: list[Event]) -> tuple[str, ...]:
    """The items of the statement, or else of the rule it stands in."""
    return next((event.cites for event in reversed(above) if event.cites), ())
