"""A look at the game where an example ends, by one seat: what only tables show may fail although no rule does."""

from __future__ import annotations

from interpreter.errors import PlayError
from interpreter.play.scenes.runner import Runner
from interpreter.runtime.cells import Cells
from interpreter.seat.views.seat_view import failing_part, view_of


def failures_to_look(runner: Runner, number: int) -> list[str]:
    """What fails if a seat looks at the game where an example has ended; the seats take turns by the example's number.

    Nobody looks where no decision is pending and the game is not over. What is laid out there tests a definition or a
    step alone, and is no position that play comes to.
    """
    state, program = runner.state, runner.program
    if state.player is None and not state.over:
        return []
    seats = program.layout.seats
    seat = number % len(seats)
    try:
        view_of(program, Cells(runner.cells), seat)
    except PlayError as fault:
        span = (failing_part(program, Cells(runner.cells), seat) or runner.example).span
        looks = f"    {seats[seat]} cannot look at the game where this example ends"
        return ["\n".join([span.location, *span.excerpt(), looks, f"    {fault}"])]
    return []
