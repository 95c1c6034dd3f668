"""What holds in every game of backgammon, beside its examples: what people see of it and how moves are written."""

from __future__ import annotations

import random
import re
from collections import Counter

from interpreter.loading.rules import Rules
from interpreter.seat.views.model import View
from tests.support.positions import opening, positions, texts

SEATS = ("white", "black")
BAR, OFF = 25, 0
HIGHEST = 5
"""So many men are drawn on a point; of more their number is written."""


def men(view: View, seat: str) -> list[int]:
    """How many men of a seat lie on each point, as it counts them."""
    return [view.zones[f"men[{seat}, {point}]"].count for point in range(BAR + 1)]


def the_board_shows_the_men(rules: Rules) -> None:
    """Each player sees their own numbers, five men at most on a point, and those on the bar and off the board."""
    crowds: Counter[str] = Counter()
    for state in positions(rules, 2, 1):
        for viewer in SEATS:
            view = state.view(viewer)
            white, black = men(view, "white"), men(view, "black")
            points = range(1, BAR)
            assert texts(view, "Points") == [[str(x if viewer == "white" else BAR - x)] for x in points]
            slots = iter(texts(view, "Men"))
            for x in points:
                number, owner = max((white[x], "white"), (black[BAR - x], "black"))
                for height in range(1, HIGHEST + 1):
                    more = height == HIGHEST and number > HIGHEST
                    crowds[owner] += more
                    shown = owner if height <= number and not more else "nobody"
                    assert next(slots) == [shown, str(number) if more else "none"]
            assert next(slots, None) is None
            for (found,), place in zip(texts(view, "Bar and off"), (BAR, OFF), strict=True):
                assert found.split() == ["white"] * white[place] + ["black"] * black[place]
    assert crowds.keys() == set(SEATS)


def the_tables_tell_the_state(rules: Rules) -> None:
    """How far each player has to go, the dice, and the cube where it is in use."""
    for options in ({}, {"cube": "true"}):
        for state in positions(rules, 2, 3, options):
            view = state.view("white")
            found = [(seat, men(view, seat)) for seat in SEATS]
            pips = [sum(point * number for point, number in enumerate(lying)) for _, lying in found]
            rows = zip(found, pips, strict=True)
            assert texts(view, "Players") == [[seat, str(far), str(lying[OFF])] for (seat, lying), far in rows]
            numbers = ", ".join(map(str, view.notes["numbers"])) or "nothing"
            assert texts(view, "Dice") == [[str(view.notes["dice[1]"]), str(view.notes["dice[2]"]), numbers]]
            cube = [[str(view.notes["stake"]), view.notes["cube_owner"] or "nobody"]] if options else []
            assert texts(view, "Doubling cube") == cube


def written(view: View, name: str, numbers: list[int]) -> str:
    """A move as players write it."""
    if name in ("double", "take", "drop"):
        return f"double to {2 * view.notes['stake']}" if name == "double" else name
    number, start = numbers[0], numbers[1] if name != "enter" else BAR
    if name == "bear_off":
        return f"{number}: play {start}/off"
    end = start - number
    other = view.zones[f"men[{'black' if view.turn == 'white' else 'white'}, {BAR - end}]"]
    return f"{number}: {'hit' if other.count == 1 else 'play'} {'bar' if name == 'enter' else start}/{end}"


def moves_are_written_as_players_do(rules: Rules) -> None:
    """The number, from where, to where, and whether it hits."""
    seen: Counter[str] = Counter()
    for seed, options in enumerate([{}, *[{"cube": "true"}] * 4]):
        state, draw = opening(rules, 2, seed, options), random.Random(seed)
        while not state.over:
            view = state.view(None)
            for move in state.legal_moves:
                if move.name != "done":
                    expected = written(view, move.name, [int(text) for text in re.findall(r"\d+", move.notation)])
                    assert move.label == expected
                    seen[" ".join(re.findall("play|hit|bar|off|double|take|drop", expected))] += 1
            state.push(draw.choice(state.legal_moves))
    assert seen.keys() == {"play", "hit", "play bar", "hit bar", "play off", "double", "take", "drop"}


def the_cube_is_an_option(rules: Rules) -> None:
    """It is not in use unless somebody says so."""
    assert opening(rules, 2, 0).game.options == {"cube": "false"}


PROPERTIES = {
    "the board shows the men": the_board_shows_the_men,
    "the tables tell the state": the_tables_tell_the_state,
    "moves are written as players do": moves_are_written_as_players_do,
    "the cube is an option": the_cube_is_an_option,
}
