"""Search conditions of a trace, and matching of events with them."""

from __future__ import annotations

from interpreter.engine.program import Program
from interpreter.play.trace.events import Event, Stop


def meets(event: Event, stop: Stop) -> bool:
    """True if an event meets a search condition."""
    return (
        (stop.line is None or (event.span is not None and event.span.line == stop.line))
        and (stop.file is None or (event.span is not None and event.span.source.name == stop.file))
        and (stop.what is None or any(is_named(name, stop.what) for name in event.what))
        and (stop.seat is None or (event.kind == "decision" and event.seat == stop.seat))
        and (not stop.kinds or event.kind in stop.kinds)
        and (stop.words is None or stop.words.casefold() in event.text.casefold())
    )


def is_named(name: str, query: str) -> bool:
    """True if a place or note is meant: by its whole name, or without its index, which means every slot."""
    plain = query.replace(" ", "")
    return name.replace(" ", "") == plain or name.partition("[")[0] == plain


def cells_named(program: Program, query: str) -> set[int]:
    """The cells of the places and notes that a name means; empty if there are none."""
    layout = program.layout
    cells = {cell for cell in layout.notes_of_cell if is_named(layout.cell_name(cell), query)}
    for place in layout.places[1:]:
        if is_named(layout.place_name(place.number), query):
            cells |= {place.mask, place.order} - {0}
    return cells | ({program.phase_cell} if query == "phase" else set())


def known_names(program: Program) -> list[str]:
    """Every name that can be searched for: zones and notes, and each slot of them."""
    layout = program.layout
    slots = [layout.place_name(place.number) for place in layout.places[1:]]
    slots += [layout.cell_name(cell) for cell in layout.notes_of_cell]
    return [*dict.fromkeys(name.partition("[")[0] for name in slots), *(name for name in slots if "[" in name)]
