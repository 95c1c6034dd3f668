"""Origins of values: the explanation of a value, and the changes that led to the content of a place or note."""

from __future__ import annotations

import re

from interpreter.errors import ExpressionError
from interpreter.play.state import PlayState
from interpreter.play.trace.events import Event
from interpreter.play.trace.search import cells_named, is_named, known_names
from interpreter.play.trace.timeline import Timeline
from interpreter.seat.explain.answer import Origin, Why
from interpreter.seat.explain.breakdown import value_headline
from interpreter.seat.explain.evaluator import HIDDEN
from interpreter.seat.explain.labels import names_move
from interpreter.seat.explain.moves import is_move, why_move

MAX_ORIGINS = 20
"""Maximum number of changes of a place that are shown, the latest; none from before it was last empty."""


def why(state: PlayState, text: str, as_seat: str | None) -> Why:
    """Answer a query about a move, a value, or the content of a place, as a seat (None: all) may know it.

    A text that names nothing in the game, or that is no expression but words of a label, is treated as a move. Raises
    ExpressionError, PlayError.
    """
    model = state.program.model
    valued = [*model.zones, *model.notes, *model.dice, *model.positions, *model.defines, *model.options]
    words = {word for name in (*valued, "me") for word in re.findall(r"\w+", name)}  # several in `round(hand)`
    seat = None if state.over else state.seat_number(as_seat)
    if is_move(state.program, state.cells, text, seat) or words.isdisjoint(re.findall(r"\w+", text)):
        return why_move(state.program, state.cells, text, {}, seat)
    timeline = Timeline(state, as_seat)
    try:
        explained = timeline.snapshot(timeline.last).evaluate(text)
    except ExpressionError:
        is_acting = not state.over and as_seat in (None, state.player)
        if is_acting and names_move(state.program, state.cells, text):
            return why_move(state.program, state.cells, text, {}, state.seat_number(as_seat))
        raise
    origins = changes_of(timeline, text) if any(is_named(name, text) for name in known_names(state.program)) else ()
    headline = value_headline(explained, explained.value, explained.case, state.program.words)
    return Why(None, headline, explained=explained if explained.value != HIDDEN else None, origins=origins)


def changes_of(timeline: Timeline, name: str) -> tuple[Origin, ...]:
    """The latest changes of a place or note, the earliest of them first."""
    origins: list[Origin] = []
    for ply in range(timeline.plies, -1, -1):
        if not timeline.may_change(ply, name):
            continue
        above: list[Event] = []
        origins_of_segment: list[Origin] = []
        for event in timeline.events(ply):
            while above and above[-1].depth >= event.depth:
                above.pop()
            if any(is_named(what, name) for what in event.what):
                rule = above[-1] if above else None
                location, rule_text, cites = ("", "", ()) if rule is None else (rule.location, rule.text, _cites(above))
                origins_of_segment.append(Origin(ply, timeline.headline(ply), event.text, rule_text, location, cites))
            above.append(event)
        origins = origins_of_segment + origins
        if len(origins) >= MAX_ORIGINS or _was_empty(timeline, ply, name):
            break
    return tuple(origins[-MAX_ORIGINS:])


def _was_empty(timeline: Timeline, ply: int, name: str) -> bool:
    """True if a place was empty when a segment began."""
    cells, layout = timeline.before(ply), timeline.program.layout
    named = cells_named(timeline.program, name)
    contents = [cells[cell] for cell in named if cell in layout.content_cells]
    return bool(contents) and not any(contents)


def _cites(above: list[Event]) -> tuple[str, ...]:
    """The items cited by the statement, or else by the enclosing rule."""
    return next((event.cites for event in reversed(above) if event.cites), ())
