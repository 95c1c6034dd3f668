"""Recording what a seat observes of a game in progress.

Only this looks at the real state; what it returns is the observation.
"""

from __future__ import annotations

from typing import Any

from interpreter.errors import UsageError
from interpreter.knowledge.observation import (
    Entry,
    Observation,
    is_over,
    label_for,
    prompt_of,
    segment,
    sight_can_change,
    table_seen,
)
from interpreter.layout.cells import ME, MOVES, POINT
from interpreter.play_state import PlayState
from interpreter.runtime.primitives import Cells
from interpreter.views.log import changes


def observation_of(state: PlayState, player: str) -> Observation:
    """All that a seat has observed since the start."""
    program, seat = state.game.program, state.seat_number(player)
    if seat is None or len(state.cells) != len(program.initial):
        raise UsageError("this state belongs to an example: what a seat knows begins with the setup of a game")
    journal, made = state.journal, state.made
    starts = [each.start for each in made]
    dynamic = sight_can_change(program)
    cells, found = changes(state.cells, journal, 0)
    entries: list[Entry] = []
    tables: list[object] = []
    end = starts[0] if starts else len(journal)
    learnt = segment(program, cells, found[:end], seat)
    entries.append(Entry("", "", (), -1, learnt.lines, tuple(learnt.sightings)))
    _advance(cells, found[:end])
    for number, each in enumerate(made):
        end = starts[number + 1] if number + 1 < len(made) else len(journal)
        cells[MOVES] = each.legal
        own = cells[ME] == seat
        label = label_for(program, cells, each.code, seat)
        if label is not None:
            if dynamic:
                tables.append(table_seen(program, cells, seat))
            prompt = prompt_of(program, cells) if own else ()
            chosen = program.legal(cells).index(each.code) if own else -1
            player_name = program.layout.seats[cells[ME]]
        part = found[each.start : end]
        learnt = segment(program, cells, part, seat)
        if label is not None:
            entries.append(Entry(player_name, label, prompt, chosen, learnt.lines, tuple(learnt.sightings)))
        else:
            last = entries[-1]
            entries[-1] = Entry(
                last.player, last.label, last.prompt, last.chosen, last.lines + learnt.lines,
                last.sightings + tuple(learnt.sightings),
            )  # fmt: skip
        _advance(cells, part)
    if dynamic:
        tables.append(table_seen(program, cells, seat))
    pending = state.cells[POINT] >= 0 and state.cells[ME] == seat
    prompt = prompt_of(program, state.cells) if pending else ()
    return Observation(tuple(entries), tuple(tables), prompt, is_over(state.cells))


def _advance(cells: Cells, found: list[tuple[int, Any, Any]]) -> None:
    for cell, _, after in found:
        if cell >= 0:
            cells[cell] = after
