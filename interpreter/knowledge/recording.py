"""Recording what a seat observes of a game in progress.

Only this looks at the real state; what it returns is the observation.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from interpreter.errors import UsageError
from interpreter.knowledge.arrangement import Arrangement, arrangement, rearranged
from interpreter.knowledge.observation import Entry, Observation, is_over, label_for, prompt_of, segment
from interpreter.layout.cells import ME, MOVES, POINT
from interpreter.play_state import PlayState
from interpreter.runtime.primitives import Cells
from interpreter.views.log import changes
from interpreter.visibility.hidden_loops import Change


def observation_of(state: PlayState, player: str) -> Observation:
    """All that a seat has observed since the start. Raises UsageError for a state that was not set up by its rules."""
    program, seat = state.game.program, state.seat_number(player)
    if seat is None or len(state.cells) != len(program.initial):
        raise UsageError("this state belongs to an example: what a seat knows begins with the setup of a game")
    journal, made = state.journal, state.made
    starts = [each.start for each in made]
    cells, found = changes(state.cells, journal, 0)
    end = starts[0] if starts else len(journal)
    learnt = segment(program, cells, found[:end], seat)
    entries = [Entry("", "", (), -1, learnt.lines, tuple(learnt.sightings))]
    arrangements: list[Arrangement] = []
    _advance(cells, found[:end])
    places = rearranged(program, cells, found[:end])

    def arranged() -> Arrangement:
        return arrangement(program, cells, seat, sorted(places))

    for number, each in enumerate(made):
        end = starts[number + 1] if number + 1 < len(made) else len(journal)
        cells[MOVES] = each.legal
        label = label_for(program, cells, each.code, seat)
        part = found[each.start : end]
        learnt = segment(program, cells, part, seat)
        if label is None:
            last = entries[-1]
            sightings = (*last.sightings, *learnt.sightings)
            entries[-1] = replace(last, lines=last.lines + learnt.lines, sightings=sightings)
        else:
            arrangements.append(arranged())
            places.clear()
            own, player_asked = cells[ME] == seat, program.layout.seats[cells[ME]]
            prompt = prompt_of(program, cells) if own else ()
            chosen = program.legal(cells).index(each.code) if own else -1
            entries.append(Entry(player_asked, label, prompt, chosen, learnt.lines, tuple(learnt.sightings)))
        _advance(cells, part)
        places |= rearranged(program, cells, part)
    arrangements.append(arranged())
    pending = state.cells[POINT] >= 0 and state.cells[ME] == seat
    prompt = prompt_of(program, state.cells) if pending else ()
    return Observation(tuple(entries), tuple(arrangements), prompt, is_over(state.cells))


def _advance(cells: Cells, found: Sequence[Change]) -> None:
    for cell, _, after in found:
        if cell >= 0:
            cells[cell] = after
