"""What holds in every game of Mauerbauer, beside its examples: tried on random games, and on every mutant."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from typing import Any

from interpreter.loading.rules import Rules
from interpreter.play.game import State, seat_game
from interpreter.seat.views.model import HIDDEN, View
from tests.games import comparing_mauerbauer as beside
from tests.games import reference_mauerbauer as reference
from tests.games.playing import Shuffles
from tests.games.reference_mauerbauer import BOARD

DEFAULTS = {
    "start": "random", "exchange": "last", "trigger": "latched", "inner": "all", "tower_die": "free_end",
    "pair": "city", "discards": "hidden",
}  # fmt: skip
ODD = {
    "start": "blue", "exchange": "all_behind_leader", "trigger": "end_of_turn", "inner": "detached",
    "tower_die": "satisfied", "pair": "field", "discards": "open",
}  # fmt: skip
SEEDS = range(6)


def played(
    rules: Rules, players: int, seed: int, options: dict[str, str] | None = None, eager: bool = False
) -> Iterator[tuple[State, reference.Game]]:
    """Every decision of a random game, and its end, with the same game in plain Python.

    Where players are eager they close cities as soon as they can: there are many more, and the game is longer.
    """
    chance, draw = Shuffles(seed), random.Random(seed)
    state = seat_game(rules, players, options or {}).start(chance=chance)
    other = beside.begun(state, chance)
    while state.player is not None:
        yield state, other
        moves = state.legal_moves
        chosen = beside.eagerly(moves, other, draw) if eager else draw.randrange(len(moves))
        meant = beside.meant(moves[chosen], other)
        state.push(moves[chosen])
        other.do(meant)
    yield state, other


def names(view: View, zone: str) -> list[str]:
    """The pieces of a zone in their order."""
    return [piece.name for piece in view.zones[zone].pieces]


def two_to_four_play(rules: Rules) -> None:
    """Nobody plays alone, and there are four seats."""
    header = rules.model.file.header
    assert (header.fewest, header.most, len(header.seats)) == (2, 4, 4)


def everything_is_mixed(rules: Rules) -> None:
    """The pile lies in another order every time, and so does what the discards become."""
    game = seat_game(rules, 3, {})
    piles = [names(game.start(seed).view(None), "pile") for seed in SEEDS]
    assert len(set(map(tuple, piles))) == len(SEEDS)
    renewed = 0
    for seed in SEEDS:
        before = 60
        for state, other in played(rules, 4, seed):
            if len(other.pile) > before:
                pile = names(state.view(None), "pile")
                kinds = [reference.KINDS.index(beside.card(name)) for name in pile]
                assert kinds != sorted(kinds), "the discards were laid down kind by kind"
                renewed += 1
            before = len(other.pile)
    assert renewed


def anybody_may_begin(rules: Rules) -> None:
    """Chance says who begins, among those who play."""
    for players in (2, 4):
        game = seat_game(rules, players, {})
        found = {game.start(seed).player for seed in range(30)}
        assert found == {"red", "blue", "green", "yellow"} - ({"green", "yellow"} if players == 2 else set())
    assert seat_game(rules, 3, {"start": "green"}).start(0).player == "green"


def nothing_is_said_but_the_usual(rules: Rules) -> None:
    """What an option is when nobody says anything."""
    assert seat_game(rules, 4, {}).options == DEFAULTS


def dice_come_after_the_wall(rules: Rules) -> None:
    """They are rolled once a turn, when the wall stands, and all their faces come up."""
    towers, houses = set[str](), set[str]()
    for seed in range(2):
        before: dict[str, Any] = {}
        for state, _ in played(rules, 2, seed):
            view = state.view(None)
            faces = {name: face for name, face in view.notes.items() if "_die" in name}
            assert list(faces) == ["shade_die", "colour_die[1]", "colour_die[2]"]
            if state.history and not state.history[-1].notation.startswith("build_wall"):
                assert faces == before
            before = faces
            towers.add(faces["shade_die"])
            houses |= {faces["colour_die[1]"], faces["colour_die[2]"]}
    assert towers == {None, *reference.SHADES}
    assert houses == {None, "wild", *reference.COLOURS}


def views_name_only_what_is_known(rules: Rules) -> None:
    """Of both piles, other hands and cards laid off one sees how many there are, of all else everything."""
    for options in ({}, {"discards": "open"}):
        laid_off = 0
        for state, model in played(rules, 3, 2, options):
            if state.over or (state.ply % 7 and not any(model.hidden.values())):
                continue
            for seat in state.game.seats:
                others = [other for other in state.game.seats if other != seat]
                backs = {"pile", "discard_pile", *(f"hand[{other}]" for other in others)}
                if not options:
                    backs |= {f"laid_off[{other}]" for other in others}
                for name, zone in state.view(seat).zones.items():
                    laid_off += name.startswith("laid_off") * zone.count
                    assert all(piece.hidden is (name in backs) for piece in zone.pieces), name
                    assert all(piece.attributes.get("kind", HIDDEN) == HIDDEN for piece in zone.pieces if name in backs)
        assert laid_off


def others_learn_what_they_may(rules: Rules) -> None:
    """A card played is told to everybody, one laid off or given away only if discards are open."""
    for options in ({}, {"discards": "open"}):
        seen = Counter[str]()
        for state, _ in played(rules, 2, 2, options):
            if not state.history:
                continue
            made = state.history[-1]
            other = next(seat for seat in state.game.seats if seat != made.player)
            (entry, *_) = state.log(other, since=state.ply - 1)
            told = entry.text + " ".join(line for line in entry.details if made.player in line.partition(":")[2])
            for action in ("play(", "lay_off("):
                if made.notation.startswith(action):
                    cards = made.notation.removeprefix(action).strip("[])")
                    kind = cards.split(", ")[0].rstrip(")")
                    assert (kind in told) is (action == "play(" or bool(options)), (made.notation, told)
                    seen[action] += 1
        assert len(seen) == 2


def tables_show_the_board(rules: Rules) -> None:
    """Fields, walls and towers on the board; cities, dice, supplies, players; what one's own cards are worth now."""
    lists = 0
    for players, options, eager in ((2, {}, False), (3, ODD, True)):
        for state, other in played(rules, players, 3, options, eager):
            if state.over or (state.ply % 6 and not other.ended):
                continue
            view, table = state.view("red"), other.table
            inside, zones = table.in_cities(), view.zones
            tables = {each.title: each for each in view.tables}
            assert {title: list(each.headings) for title, each in tables.items()} == {
                "Fields": ["House", "Palace", "City"], "Walls": ["Wall", "City wall"], "Towers": ["Tower"],
                "Cities": ["City", "Size", "Colours", "Towers", "Palaces", "Houses"],
                "Turn": ["New wall", "Tower die", "First house die", "Second house die", "City to score"],
                "Supply": ["Walls", "Towers", "Houses", "Palaces", "Draw pile", "Discards"],
                "Players": ["Player", "Score", "Cards", "Played", "Laid off"],
                "Cities to choose from": ["City", "Your cards"], "You": ["Hand"],
            }  # fmt: skip
            for field, (house, palace, city) in zip(BOARD.fields, tables["Fields"].rows, strict=True):
                assert house.pieces == zones[f"house[{field}]"].pieces
                assert palace.pieces == zones[f"palace[{field}]"].pieces
                assert city.value is (field in inside)
            walls = [line for line in BOARD.ends if line in table.walls]
            for line, (wall, edge) in zip(walls, tables["Walls"].rows, strict=True):
                assert wall.pieces == zones[f"wall[{line}]"].pieces
                assert edge.value is bool(inside & set(BOARD.sides[line]))
            towers = [row[0].pieces[0].name for row in tables["Towers"].rows]
            assert towers == [table.tower[spot] for spot in BOARD.spots if spot in table.tower]
            for found, (city, size, *cells) in zip(table.cities(), tables["Cities"].rows, strict=True):
                assert (beside.fields(city.text), size.value) == (found, len(found))
                colours, shades, palaces, houses = cells
                around = [shade for spot, shade in table.tower.items() if BOARD.around[spot] & found]
                assert Counter(piece.name for piece in shades.pieces) == Counter(around)
                held = [sum((each[field] for field in found), Counter[str]()) for each in (table.palaces, table.houses)]
                for cell, counted in zip((palaces, houses), held, strict=True):
                    assert Counter(piece.name for piece in cell.pieces) == counted
                assert colours.value == len(+(held[0] + held[1]))
            ((*chance, city),) = tables["Turn"].rows
            now = [view.notes[name] for name in ("line", "shade_die", "colour_die[1]", "colour_die[2]")]
            assert [cell.text for cell in chance] == [name or "none" for name in now]
            assert city.text == (", ".join(field for field in BOARD.fields if field in other.city) or "nothing")
            ((count, *heaps, pile, discards),) = tables["Supply"].rows
            assert [cell.pieces for cell in heaps] == [zones[z].pieces for z in ("towers", "houses", "palaces")]
            for cell, zone in ((count, "walls"), (pile, "pile"), (discards, "discard_pile")):
                assert cell.value == zones[zone].count
            for (player, score, cards, shown, hidden), seat in zip(tables["Players"].rows, view.seats, strict=True):
                assert [player.text, score.value] == [seat, other.score[seat]]
                assert cards.value == other.hand[seat].total()
                assert shown.pieces == zones[f"played[{seat}]"].pieces
                assert hidden.pieces == zones[f"laid_off[{seat}]"].pieces
            assert worth(tables["You"].rows[0][0]) == expected(other, other.city)
            choice = tables["Cities to choose from"].rows
            if other.ended and not other.city:
                for found, (city, cards) in zip(table.cities(), choice, strict=True):
                    assert beside.fields(city.text) == found
                    assert worth(cards) == expected(other, found)
                    lists += 1
            else:
                assert not choice
    assert lists


def worth(cell: Any) -> Counter[tuple[str, int]]:
    """The cards of a cell, each with the points noted at it."""
    return Counter((beside.card(entry.item.pieces[0].name), entry.note.value) for entry in cell.entries)


def expected(other: reference.Game, city: reference.City) -> Counter[tuple[str, int]]:
    """The cards red holds, each with what it is worth for a city."""
    return Counter((card, other.table.points(card, city)) for card in other.hand["red"].elements())


def moves_speak_plainly(rules: Rules) -> None:
    """Every action has a sentence of its own with all its arguments."""
    heard: set[str] = set()
    for seed in SEEDS:
        for state, other in played(rules, 2, seed):
            for move in state.legal_moves:
                what, meant = move.arguments, beside.meant(move, other)
                pairs = sorted(meant[1], key=lambda pair: [*BOARD.spots, *BOARD.fields].index(pair[0])) if (
                    meant[0] in ("towers", "houses")) else []  # fmt: skip
                listed = ", ".join(f"{colour} on {place}" for place, colour in pairs)
                sentence = {
                    "build_wall": f"wall on {what.get('l')}",
                    "raise_two": f"towers: {listed}",
                    "raise_one": f"tower: {listed}",
                    "settle_two": f"houses: {listed}",
                    "settle_one": f"house: {listed}",
                    "play": f"play {str(what.get('cards')).strip('[]')}",
                    "play_for_a_city": f"play {str(what.get('cards')).strip('[]')} for the city "
                    + str(what.get("g")).strip("{}"),
                    "play_nothing": "play no card",
                    "lay_off": f"lay off {what.get('c')}",
                }.get(move.name)
                if sentence is not None:
                    assert move.label == sentence, move
                    heard.add(move.name)
    assert len(heard) == 9


def points_say_what_they_are_for(rules: Rules) -> None:
    """Every point is explained by the card that brought it."""
    for seed in SEEDS:
        *_, (state, _) = played(rules, 3, seed)
        outcome = state.outcome
        assert outcome is not None
        shown: dict[str, Counter[str]] = {seat: Counter() for seat in state.game.seats}
        for made in state.history:
            if made.notation.startswith(("play(", "play_for_a_city(")):
                shown[made.player].update(made.notation.rpartition("[")[2].rstrip(")").rstrip("]").split(", "))
        for seat, trees in outcome.explained.items():
            gains = trees[0].children
            assert sum(int(gain.value) for gain in gains) == outcome.scores[seat][0]
            assert Counter(gain.text for gain in gains) <= shown[seat]


def games_go_as_in_the_rulebook(rules: Rules) -> None:
    """Random games agree with the model in plain Python, decision by decision."""
    tables: list[tuple[int, dict[str, str]]] = [(2, {}), (3, ODD), (4, {"exchange": "none", "pair": "field"})]
    for seed, (players, options) in enumerate(tables * 2):
        for state, other in played(rules, players, seed, options, eager=seed < len(tables)):
            legal = [beside.meant(move, other) for move in state.legal_moves]
            assert Counter(legal) == Counter(other.legal)
        beside.same_table(state, state.view(None), other)
        beside.same_end(state, other)


PROPERTIES = {
    "two to four play": two_to_four_play,
    "nothing is said but the usual": nothing_is_said_but_the_usual,
    "tables show the board": tables_show_the_board,
    "moves speak plainly": moves_speak_plainly,
    "anybody may begin": anybody_may_begin,
    "others learn what they may": others_learn_what_they_may,
    "points say what they are for": points_say_what_they_are_for,
    "games go as in the rulebook": games_go_as_in_the_rulebook,
    "everything is mixed": everything_is_mixed,
    "views name only what is known": views_name_only_what_is_known,
    "dice come after the wall": dice_come_after_the_wall,
}
