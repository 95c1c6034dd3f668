"""Games and texts for tests of the page."""

from __future__ import annotations

import json
import random
import re
from typing import Any

from rich.text import Text

from cli.html.page import page
from cli.render.palette import palette
from cli.render.pieces import Flow, entries
from cli.render.tables import is_line
from interpreter.play.game import Game, State
from interpreter.play.trace import Timeline
from interpreter.seat.views.model import View

LARGE = [("china", 5), ("mauerbauer", 4), ("dschingis_khan", 4), ("chinesische_mauer", 5)]
ARROWS = ("ArrowLeft", "ArrowUp", "ArrowRight", "ArrowDown")
NASTY = """\
game "</title><b>& <!--" for 2 to 2 players red, blue

option risk: few or many = few

== components ==

piece Pebble: 9 in bag    # </script><script>document.title = "gone"</script>
zone bag holds Pebble
zone heap[p: Player] holds Pebble

== phases ==

phase main, turns from red, over when bag is empty:
    must grab

action grab:
    "<img src=x onerror=alert(1)> </script> & 'take' Ünï 🎲"
    move 1 from bag to heap[me]

== scoring ==

winner highest count heap[me]
"""


def played(game: Game, seed: int, decisions: int = 1000) -> State:
    state, rng = game.start(seed), random.Random(seed)
    while state.player is not None and state.ply < decisions:
        state.push(rng.choice(state.legal_moves))
    return state


def whole(state: State, as_seat: str | None = None) -> str:
    return page(Timeline(state, as_seat, then=True), "everything")


def data_in(text: str) -> dict[str, Any]:
    (found,) = re.findall(r'<script type="application/json" id="data">(.*?)</script>', text, re.DOTALL)
    read: dict[str, Any] = json.loads(found)
    return read


def in_words(view: View) -> list[str]:
    """The titles, headings and cells of all tables that are not on the board."""
    look, found = palette(view.seats), list[str]()
    for table in view.tables:
        if not table.rows or (table.board and view.board):
            continue
        cells = [Text(" ").join(Flow(entries(cell, look, view.viewer)).parts()).plain.rstrip()
                 for row in table.rows for cell in row]  # fmt: skip
        title = f"{table.title}: {table.headings[0]}"
        found += [f"{title}: {cells[0]}"] if is_line(table) else [table.title, *table.headings, *cells]
    return found
