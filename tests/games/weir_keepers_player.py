"""Players of Weir Keepers who look one move ahead: they go for a weir each and bail on the way, or they only bail."""

from __future__ import annotations

from functools import cache
from itertools import pairwise, permutations

from interpreter.play.game import State
from interpreter.seat.views.model import View
from tests.support.resampling import resampled

STREAMS = (
    "glacier-quarry quarry-gorge tarn-gorge tarn-mill moor-forest forest-mill gorge-town mill-smithy mill-pit "
    "town-bridge smithy-bridge pit-ford bridge-meadow bridge-marsh ford-marsh"
)
ROADS = "gorge-mill town-smithy smithy-pit bridge-ford meadow-marsh"
WAYS = [tuple(way.split("-")) for way in (STREAMS + " " + ROADS).split()]
PLACES = sorted({place for way in WAYS for place in way})
SOURCES = {"timber": "forest", "stone": "quarry", "clay": "pit", "iron": "smithy"}
NEEDS = {
    "gorge": ("timber", "stone", "iron"),
    "mill": ("timber", "clay", "iron"),
    "bridge": ("stone", "clay", "iron"),
    "ford": ("timber", "stone", "clay"),
}
DANGER = (0.0, 0.3, 1.2, 4.0, 6.0, 8.0)
"""How bad it is that so much water is at a place."""


@cache
def distance(start: str, end: str) -> int:
    """How many steps it is from one place to another."""
    reached, steps = {start}, 0
    while end not in reached:
        reached |= {b for a, b in WAYS if a in reached} | {a for a, b in WAYS if b in reached}
        steps += 1
    return steps


@cache
def effort_for(start: str, site: str, missing: frozenset[str]) -> int:
    """What it takes to fetch what is missing and to build the weir."""
    tours = ((start, *(SOURCES[good] for good in order), site) for order in permutations(sorted(missing)))
    return min(sum(distance(a, b) for a, b in pairwise(tour)) for tour in tours) + len(missing) + 2


def worth(view: View, building: bool) -> float:
    """How well the keepers stand."""
    notes, zones = view.notes, view.zones
    water = {place: zones[f"water[{place}]"].count for place in PLACES}
    ruins = set(notes["ruins"])
    sites = [site for site in NEEDS if not zones[f"weir[{site}]"].count]
    value = -12.0 * len(ruins) - sum(DANGER[level] for level in water.values()) - 25.0 * len(sites)
    for seat in [name[3:-1] for name in notes if name.startswith("at[")]:
        here = notes[f"at[{seat}]"]
        held = {piece.attributes["good"] for piece in zones[f"hand[{seat}]"].pieces}
        costs = []
        for site in sites if building else ():
            missing = frozenset(NEEDS[site]) - held
            blocked = [place for place in (site, *(SOURCES[good] for good in missing)) if place in ruins]
            costs.append((effort_for(here, site, missing) + sum(2 + water[place] for place in blocked), site))
        if costs:
            cost, site = min(costs)
            sites.remove(site)
            value -= cost
        value -= 0.4 * min((distance(here, place) for place in PLACES if water[place] > 2), default=0)
    return value


def best_move(state: State, building: bool = True) -> str:
    """The move after which they stand best, for all that the seat to move knows of the weather to come."""
    assert state.player is not None
    trial = resampled(state, state.player, state.ply)
    values = {}
    for move in trial.legal_moves:
        trial.push(move)
        values[move.notation] = worth(trial.view(None), building)
        trial.pop()
    return max(values, key=values.__getitem__)


def played_well(state: State, building: bool = True) -> State:
    """The state, played to the end of the game."""
    while not state.over:
        state.push(best_move(state, building))
    return state
