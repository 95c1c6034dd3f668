"""Notes about a piece are shown with it on the screen, to those who see them."""

from __future__ import annotations

import io
from pathlib import Path

from rich.console import Console

from cli.render.palette import palette
from cli.render.tables import draw_tables
from interpreter.play.game import State, load

RULES = """game "Noted" for 2 players ann, ben

== components ==

piece Card: 1 for each rank: 1..4 in deck
zone deck holds stack of Card, seen by nobody
zone hand[p: Player] holds Card, seen by p
note marked[c: Card]: Truth = false
note tried[c: Card]: 0..9 = 0, seen by ann

table "Hands" for each p in Player:
    "Player": p
    "Hand": hand[p]

== setup ==

for each p in Player: move 2 from deck to hand[p]

== phases ==

phase main, turns from ann, over when deck is not empty:
    must show

action show(c in hand[me]):
    "mark {c}"
    require not marked[c]           because "{c} is marked"
    set marked[c] to true
    add 2 to tried[c]

== scoring ==

winner highest 1
"""


def screen(state: State, seat: str) -> str:
    out = io.StringIO()
    console = Console(file=out, width=100, highlight=False, markup=False)
    console.print(draw_tables(state.view(seat), palette(state.game.seats), 100))
    return out.getvalue()


def test_notes_are_shown_with_their_piece_to_those_who_see_them(tmp_path: Path) -> None:
    path = tmp_path / "noted.rules"
    path.write_text(RULES, encoding="utf-8")
    state = load(path).start(1)
    assert "marked" not in screen(state, "ann")
    state.push(state.legal_moves[0])
    own, other = screen(state, "ann"), screen(state, "ben")
    assert "(marked, tried 2)" in own
    assert "? (marked)" in other and "tried" not in other
    assert "1 hidden" in other
