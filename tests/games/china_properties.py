"""What holds in every game of China, beside its examples: tried on random games, and on every mutant."""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Mapping
from itertools import pairwise
from typing import Any

from interpreter.loading.rules import Rules
from interpreter.play.game import seat_game
from interpreter.seat.views.model import HIDDEN, View, ZoneView
from tests.games import comparing_china as beside
from tests.games.playing import Shuffles
from tests.support.positions import opening, positions

DEFAULTS = {
    "start": "random", "side_for_four": "side_3_4", "advanced": "false", "exhaustion": "last_card",
    "waste": "false", "exchanged": "one_card", "rows": "disjoint", "discards": "open",
}  # fmt: skip
ADVANCED = {"advanced": "true", "start": "red"}
ODD = {"side_for_four": "side_4_5", "advanced": "true", "waste": "true", "exchanged": "any_number",
       "exhaustion": "on_demand"}  # fmt: skip
SEEDS = range(6)


def colours(view: View, zone: str) -> list[str]:
    """The cards of a zone in their order."""
    return [piece.attributes["colour"] for piece in view.zones[zone].pieces]


def everything_is_mixed(rules: Rules) -> None:
    """The deck lies in another order every time, and so does what the discards become."""
    decks = [colours(opening(rules, 3, seed).view(None), "deck") for seed in SEEDS]
    assert len(set(map(tuple, decks))) == len(SEEDS)
    renewed = 0
    for seed in SEEDS:
        before = 0
        for state in positions(rules, 3, seed):
            view = state.view(None)
            if before == 0 and view.notes["used_up_times"] == 1:
                found = colours(view, "deck")
                changes = sum(one != other for one, other in pairwise(found))
                assert changes > len(set(found)), "the discards were laid down colour by colour"
                renewed += 1
            before = view.notes["used_up_times"]
    assert renewed == len(SEEDS)


def anybody_may_begin(rules: Rules) -> None:
    """Nobody says who begins: then chance does, among those who play."""
    for players in (3, 5):
        found = {opening(rules, players, seed).player for seed in range(40)}
        assert found == {"green", "red", "violet", "blue", "yellow"} - ({"blue", "yellow"} if players == 3 else set())
    assert opening(rules, 3, 0, {"start": "violet"}).player == "violet"


def nothing_is_said_but_the_usual(rules: Rules) -> None:
    """What an option is when nobody says anything."""
    assert opening(rules, 4, 0).game.options == DEFAULTS


def views_name_only_what_is_known(rules: Rules) -> None:
    """Of cards in the deck and in other hands one sees nothing, of all else everything."""
    for options in ({}, {"discards": "top_only"}):
        for state in positions(rules, 3, 1, options):
            for seat in () if state.over else state.game.seats:
                for name, zone in state.view(seat).zones.items():
                    backs = {"deck", *(f"hand[{other}]" for other in state.game.seats if other != seat)}
                    hidden = name in backs or (name == "discard_pile" and bool(options))
                    assert all(piece.hidden is hidden for piece in zone.pieces), name
                    assert all(piece.attributes.get("colour", HIDDEN) == HIDDEN or not hidden for piece in zone.pieces)


def logs_tell_of_the_table_alone(rules: Rules) -> None:
    """People are told what moves, scores and ends, and not where the rules keep the province of the turn."""
    for state in positions(rules, 3, 3, ADVANCED):
        for seat in () if state.over else state.game.seats:
            assert state.view(seat).notes["site"] == HIDDEN
            told = [line for entry in state.log(seat) for line in entry.details]
            assert not [line for line in told if line.startswith("site")]


def tables_show_the_board(rules: Rules) -> None:
    """Spaces, courts and alliances on the board; the cards; the players with their scores and stocks."""
    for options in ({}, ADVANCED):
        for state in positions(rules, 3, 2, options):
            view = state.view("red")
            zones, notes = view.zones, view.notes
            houses, provinces, alliances, cards, players = view.tables
            assert [table.title for table in view.tables] == [
                "Houses", "Provinces", "Alliances", "Cards", "Players",
            ]  # fmt: skip
            assert list(houses.headings) == ["House", "Fortification"]
            assert [row[0].pieces for row in houses.rows] == of(zones, "house[")
            assert [row[1].pieces for row in houses.rows] == of(zones, "fort[")
            assert list(provinces.headings) == ["Court", "Scored"]
            assert [row[0].pieces for row in provinces.rows] == of(zones, "court[")
            names = [name[6:-1] for name in zones if name.startswith("court[")]
            assert [row[1].value for row in provinces.rows] == [p in notes["scored"] for p in names]
            assert list(alliances.headings) == ["Number"]
            assert [row[0].value for row in alliances.rows] == list(range(1, 16))
            assert list(cards.headings) == ["Deck", "Used up", "Display", "Last discard", "Below it"]
            ((deck, used_up, display, last, below),) = cards.rows
            assert [deck.value, used_up.value] == [zones["deck"].count, notes["used_up_times"]]
            shown = [display.pieces, last.pieces, below.pieces]
            assert shown == [zones[name].pieces for name in ("display", "discard_top", "discard_pile")]
            assert list(players.headings) == [
                "Player", "Score", "Marker", "Point cards", "Houses", "Emissaries", "Forts", "Hand",
            ]  # fmt: skip
            for (*texts, hand), seat in zip(players.rows, view.seats, strict=True):
                score = notes[f"score[{seat}]"]
                left = Counter(piece.type for piece in zones[f"stock[{seat}]"].pieces)
                past = (score > 50) + (score > 100)
                assert [texts[0].text, *(cell.value for cell in texts[1:])] == [
                    seat, score, score - 50 * past, past, left["House"], left["Emissary"], left["Fort"],
                ]  # fmt: skip
                assert hand.pieces == zones[f"hand[{seat}]"].pieces


def of(zones: Mapping[str, ZoneView], prefix: str) -> list[Any]:
    """The pieces of all places of a zone, in their order."""
    return [zone.pieces for name, zone in zones.items() if name.startswith(prefix)]


def moves_speak_plainly(rules: Rules) -> None:
    """Every action has a sentence of its own with all its arguments."""
    heard: set[str] = set()
    colour = {"yan": "green", "zhao": "orange", "qi": "yellow", "lu": "orange", "wei": "red", "han": "green",
              "chin": "yellow", "shu": "red", "chu": "violet"}  # fmt: skip
    for seed in SEEDS:
        for state in positions(rules, 3, seed, ODD):
            for move in state.legal_moves:
                what = move.arguments
                amount = 1 if colour.get(str(what.get("p"))) == what.get("paid") else 2
                sentence = {
                    "build": "house on {x} for {amount} {paid}",
                    "send": "emissary to {p} for {amount} {paid}",
                    "fortify": "fortification on {x} for {amount} {paid}",
                    "throw_away": "play {thrown} for nothing",
                    "take_open": "take {c} from the display",
                    "take_hidden": "take the top card of the deck",
                    "exchange": "discard {given_up} and draw",
                    "exchange_too": "also discard {given_up}",
                }.get(move.name)
                if sentence is not None:
                    assert move.label == sentence.format(**what, amount=amount), move
                    heard.add(move.name)
    assert len(heard) == 8


def points_say_what_they_are_for(rules: Rules) -> None:
    """Every point has its reason: houses of a province, an alliance or a row, in this order, doubled or not."""
    kinds = Counter[str]()
    for seed in range(10):
        state = [*positions(rules, 3, seed, ADVANCED)][-1]
        view, outcome = state.view(None), state.outcome
        assert outcome is not None
        forts = {name[5:-1] for name, zone in view.zones.items() if name.startswith("fort[") and zone.pieces}
        owner = {name[6:-1]: zone.pieces[0].owner for name, zone in view.zones.items()
                 if name.startswith("house[") and zone.pieces}  # fmt: skip
        for seat, trees in outcome.explained.items():
            gains = trees[0].children
            assert sum(int(gain.value) for gain in gains) == outcome.scores[seat][0]
            assert [gain.text.split()[0] for gain in gains] == sorted(
                (gain.text.split()[0] for gain in gains), key=["houses", "alliance", "row"].index
            )
            numbers = [int(gain.text.split()[1].rstrip(":")) for gain in gains if gain.text.startswith("alliance")]
            assert numbers == sorted(numbers)
            for gain in gains:
                doubled = gain.text.endswith(", doubled")
                told = re.findall(r"[a-z]+\d*", gain.text.removesuffix(", doubled"))[1:]
                match gain.text.split()[0]:
                    case "houses":
                        spaces = [space for space in forts if space.rstrip("0123456789") == told[1]]
                        assert doubled == any(owner.get(space) == seat for space in spaces)
                    case "alliance":
                        assert len(told) == 2 and not doubled
                    case "row":
                        assert doubled == bool(forts & set(told))
                        assert int(gain.value) == len(told) * (2 if doubled else 1)
                        assert {owner[space] for space in told} == {seat}
                kinds[f"{gain.text.split()[0]} {doubled}"] += 1
    assert kinds["houses True"] and kinds["houses False"] and kinds["alliance False"] and kinds["row False"]


def games_go_as_in_the_rulebook(rules: Rules) -> None:
    """Random games agree with the model in plain Python, decision by decision."""
    for players, options in ((3, {}), (4, ODD), (5, {"rows": "longest_per_network", "discards": "top_only"})):
        chance, draw = Shuffles(players), random.Random(players)
        state = seat_game(rules, players, options).start(chance=chance)
        other = beside.begun(state, chance)
        while state.player is not None:
            moves = state.legal_moves
            legal = [beside.meant(move, other) for move in moves]
            assert Counter(legal) == Counter(other.legal)
            chosen = draw.randrange(len(moves))
            state.push(moves[chosen])
            other.do(legal[chosen])
        beside.same_table(state, state.view(None), other)
        beside.same_end(state, other)


PROPERTIES = {
    "everything is mixed": everything_is_mixed,
    "anybody may begin": anybody_may_begin,
    "nothing is said but the usual": nothing_is_said_but_the_usual,
    "views name only what is known": views_name_only_what_is_known,
    "logs tell of the table alone": logs_tell_of_the_table_alone,
    "tables show the board": tables_show_the_board,
    "moves speak plainly": moves_speak_plainly,
    "points say what they are for": points_say_what_they_are_for,
    "games go as in the rulebook": games_go_as_in_the_rulebook,
}
