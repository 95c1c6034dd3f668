"""`serve`, with the page of the trace that the terminal makes as well.

The table in the browser and the terminal do not know each other; this module is above them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from web.serve import serving

if TYPE_CHECKING:
    from interpreter.play.game import State


def trace_page(state: State, as_seat: str | None) -> str:
    """The page of a game's trace as a seat may know it; None for everything."""
    from cli.html.page import page_of_game  # the server itself does not need it

    return page_of_game(state, as_seat)


serve = serving(trace_page)
