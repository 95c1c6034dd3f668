"""What holds in every game of Weir Keepers, beside its examples: pieces, endings, views and announcements."""

from __future__ import annotations

import random
from collections import Counter

from interpreter.loading.rules import Rules
from interpreter.play.game import State
from interpreter.seat.views.model import HIDDEN, View
from tests.games.weir_keepers_player import NEEDS, PLACES, STREAMS, played_well
from tests.support.positions import opening, positions

SEATS = ("ann", "ben", "cleo", "dan")
STORMS_AND_CLEAR_SKIES = {"easy": (3, 4), "normal": (4, 2), "hard": (5, 0)}
BEARABLE = {"easy": 5, "normal": 4, "hard": 3}
HOURS_AND_CARDS = {1: (7, 2), 2: (4, 2), 3: (4, 3), 4: (4, 4)}
WON = "the fourth weir stands: the valley is saved"
RUINED = "places are in ruins: the people leave the valley"
DROWNED = "there is no end to the water: the valley is a lake"
TOO_LATE = "the snow is gone and the weirs are not ready: the great flood comes"
WEIRS_ARE_BUILT = 61
"""A seed with which somebody builds a weir."""

TABLES = [(players, difficulty) for players in HOURS_AND_CARDS for difficulty in BEARABLE]


def lying(view: View, *zones: str) -> Counter[str]:
    """The pieces in these zones, at all their places."""
    return Counter(
        piece.name for name, zone in view.zones.items() if name.partition("[")[0] in zones for piece in zone.pieces
    )


def table(view: View, title: str) -> list[list[str]]:
    """The rows of a table as people read them; pieces by what they are."""
    (found,) = (table for table in view.tables if table.title == title)
    return [
        [" ".join(sorted(piece.name for piece in cell.pieces)) if cell.kind == "pieces" else cell.text for cell in row]
        for row in found.rows
    ]


def the_options(rules: Rules) -> None:
    """Their values, and what is played unless somebody chooses something else."""
    found = {info.name: info for info in opening(rules, 4, 0).game.option_info}
    assert (found["difficulty"].values, found["difficulty"].default) == (tuple(BEARABLE), "normal")
    assert (found["start"].values, found["start"].default) == ((*SEATS, "random"), "random")


def nothing_is_created_or_lost(rules: Rules) -> None:
    """Cards, loads, roles, weirs and water are always all somewhere; nobody carries too much."""
    for players, difficulty in TABLES:
        storms, clear = STORMS_AND_CLEAR_SKIES[difficulty]
        for state in positions(rules, players, players, {"difficulty": difficulty}):
            view = state.view(None)
            cards = {**{f"rain({place})": 2 for place in PLACES}, "storm": storms, "clear_sky": clear}
            assert lying(view, "deck", "sky", "past") == Counter(cards)
            assert lying(view, "store", "hand") == Counter(dict.fromkeys(("timber", "stone", "clay", "iron"), 4))
            roles = lying(view, "posts", "post")
            assert roles == Counter(("boatman", "digger", "mason", "porter", "shepherd"))
            assert lying(view, "yard", "weir").total() == 4
            assert lying(view, "supply", "water").total() == 22
            for seat in state.game.seats:
                (role,) = (piece.name for piece in view.zones[f"post[{seat}]"].pieces)
                most = {"mason": 3, "porter": 6}.get(role, 4)
                assert view.zones[f"hand[{seat}]"].count <= most


def no_place_holds_more_than_it_can(rules: Rules) -> None:
    """Three water, five at a weir; and weirs stand only where one is planned."""
    for players, difficulty in TABLES:
        for state in positions(rules, players, 10 + players, {"difficulty": difficulty}):
            zones = state.view(None).zones
            for place in PLACES:
                weir = zones[f"weir[{place}]"].count
                assert zones[f"water[{place}]"].count <= (5 if weir else 3) or state.over
                assert not weir or place in NEEDS


def everybody_wins_or_everybody_loses(rules: Rules) -> None:
    """The last announcement says why. All four endings occur."""
    ends: Counter[str] = Counter()
    for difficulty, seed, building in (("easy", 1, True), ("hard", 0, True), ("hard", 1, False)):
        state = opening(rules, 1, seed, {"difficulty": difficulty})
        ends[ending(played_well(state, building=building))] += 1
    for players, difficulty in TABLES:
        *_, last = positions(rules, players, 20, {"difficulty": difficulty})
        ends[ending(last)] += 1
    assert ends.keys() == {WON, RUINED, DROWNED, TOO_LATE}


def ending(state: State) -> str:
    """The announced reason why a game is over, which must be the true one."""
    assert state.outcome is not None
    view, ruins = state.view(None), len(state.view(None).notes["ruins"])
    found = WON if not view.zones["yard"].count else DROWNED if not view.zones["supply"].count else TOO_LATE
    if ruins > BEARABLE[state.game.options["difficulty"]]:
        found = RUINED
    told = [text for entry in state.log(None) for text in entry.told]
    assert told[-1] == (f"{ruins} {RUINED}" if found is RUINED else found)
    assert state.outcome.winners == (state.game.seats if found is WON else ())
    assert found is not TOO_LATE or not view.zones["deck"].count + view.zones["sky"].count
    return found


def the_weather_is_told(rules: Rules) -> None:
    """Storms, clear skies and floods are announced as they come."""
    told: Counter[str] = Counter()
    for seed in range(3):
        *_, last = positions(rules, 2, seed)
        for entry in last.log(None):
            past = [detail.partition(":")[0] for detail in entry.details if detail.endswith("→ past")]
            assert entry.told.count("a storm: from now on it rains harder") == past.count("storm")
            assert entry.told.count("the sky is clear") == past.count("clear_sky")
            told.update(text.split()[-1] for text in entry.told)
    assert {"harder", "clear", "flooded"} <= told.keys()


def a_day_has_its_hours_and_its_night(rules: Rules) -> None:
    """As many cards a night as players and storms say, while there are any; the tables say so, and only they."""
    for players, difficulty in TABLES:
        hours, cards = HOURS_AND_CARDS[players]
        for state in positions(rules, players, 30 + players, {"difficulty": difficulty}):
            view = state.view(None)
            storms = sum(piece.name == "storm" for piece in view.zones["past"].pieces)
            ((left, deck, night, sky, supply, ruins, most),) = table(view, "Thaw")
            assert state.over or 0 < int(left) <= hours
            assert int(deck) == view.zones["deck"].count + view.zones["sky"].count
            assert int(night) == cards + storms
            assert sky == " ".join(sorted(piece.name for piece in view.zones["sky"].pieces))
            assert state.over or state.view("ann").notes["hours_left"] is HIDDEN
            assert (int(supply), int(ruins)) == (view.zones["supply"].count, len(view.notes["ruins"]))
            assert int(most) == BEARABLE[difficulty]


def the_tables_tell_the_state(rules: Rules) -> None:
    """The valley with its water and people, the weirs to build, and the keepers."""
    built = 0
    for players in HOURS_AND_CARDS:
        for state in positions(rules, players, WEIRS_ARE_BUILT, {"difficulty": "easy"}):
            view = state.view("ann")
            at = {seat: view.notes[f"at[{seat}]"] for seat in state.game.seats}
            rows = iter(table(view, "Valley"))
            for place in state.evaluate("Place"):
                here = ", ".join(seat for seat in at if at[seat] == place) or "nobody"
                water, people, weir, ruins = next(rows)
                assert int(water) == view.zones[f"water[{place}]"].count
                assert people in (here, "nothing" if here == "nobody" else here)
                assert weir == ("true" if view.zones[f"weir[{place}]"].count else "false")
                assert ruins == ("true" if place in view.notes["ruins"] else "false")
            assert next(rows, None) is None
            to_build = [[site, ", ".join(NEEDS[site])] for site in NEEDS if not view.zones[f"weir[{site}]"].count]
            assert table(view, "Weirs to build") == to_build
            built += len(NEEDS) - len(to_build)
            for seat, (name, role, place, loads) in zip(at, table(view, "Keepers"), strict=True):
                assert (name, place) == (seat, at[seat])
                assert [role] == [piece.name for piece in view.zones[f"post[{seat}]"].pieces]
                assert loads == " ".join(sorted(piece.name for piece in view.zones[f"hand[{seat}]"].pieces))
    assert built


def moves_are_put_into_words(rules: Rules) -> None:
    """The labels of all actions."""
    seen: set[str] = set()
    for seed in range(12):
        state, draw = opening(rules, 1 + seed % 4, seed, {"difficulty": "easy"}), random.Random(seed)
        while not state.over:
            here = state.view(None).notes[f"at[{state.player}]"]
            for move in state.legal_moves:
                name, _, rest = move.notation.removesuffix(")").partition("(")
                arguments = rest.split(", ")
                seen.add(arguments[0] if name == "skill" else name)
                assert name == "choose" or move.label == words(name, arguments, here), move.notation
            state.push(draw.choice(state.legal_moves))
    assert seen >= {"go", "bail", "fetch", "give", "repair", "boatman", "digger", "porter", "shepherd", "choose"}


def words(name: str, arguments: list[str], here: str) -> str:
    """A move in words."""
    return {
        "go": f"go to {arguments[0]}",
        "bail": f"bail water out of {here}",
        "fetch": f"fetch {arguments[0]}",
        "give": f"give {arguments[-1]} to {arguments[0]}",
        "build": f"build the weir at {here}",
        "repair": f"repair {here}",
        "skill": {
            "boatman": f"row to {arguments[-1]}",
            "digger": f"drain {here}",
            "mason": f"build the weir at {here} without {arguments[-1]}",
            "porter": f"send {arguments[-1]} to {arguments[min(1, len(arguments) - 1)]}",
            "shepherd": "read the sky",
        }.get(arguments[0], ""),
        "done": "go on",
    }[name]


def weather_and_roles_are_shuffled(rules: Rules) -> None:
    """Games begin with other roles, and the weather comes in another order."""
    begun = [opening(rules, 2, seed).view(None).zones for seed in range(20)]
    decks = {tuple(card.name for card in zones["deck"].pieces) for zones in begun}
    roles = {tuple(zones[f"post[{seat}]"].pieces[0].name for seat in SEATS[:2]) for zones in begun}
    assert len(decks) == 20
    assert len(roles) > 5


def water_flows_down_the_streams(rules: Rules) -> None:
    """The board file agrees with the links that the players use."""
    state = opening(rules, 1, 0)
    streams = {tuple(stream.split("-")) for stream in STREAMS.split()}
    assert {(a, b) for a in PLACES for b in PLACES if state.evaluate(f"below({a}, {b})")} == streams
    assert {site: state.evaluate(f"{site}.needs") for site in NEEDS} == NEEDS


PROPERTIES = {
    "the options": the_options,
    "the tables tell the state": the_tables_tell_the_state,
    "the weather is told": the_weather_is_told,
    "weather and roles are shuffled": weather_and_roles_are_shuffled,
    "water flows down the streams": water_flows_down_the_streams,
    "a day has its hours and its night": a_day_has_its_hours_and_its_night,
    "nothing is created or lost": nothing_is_created_or_lost,
    "no place holds more than it can": no_place_holds_more_than_it_can,
    "moves are put into words": moves_are_put_into_words,
    "everybody wins or everybody loses": everybody_wins_or_everybody_loses,
}
