"""What holds in every game of Dschingis Khan, beside its examples: tried on random games, and on every mutant."""

from __future__ import annotations

import random
from collections import Counter

from dsl import ast
from interpreter.loading.rules import Rules
from interpreter.play.game import seat_game
from interpreter.seat.views.model import HIDDEN, View
from tests.games import comparing_dschingis_khan as beside
from tests.games.playing import Shuffles
from tests.games.reference_dschingis_khan_wall import LINES, VILLAGES
from tests.support.positions import opening, positions

DEFAULTS = {
    "start": "random", "initial_wall": "twelve_pieces", "setup_on_occupied": "false", "branch_blocks_road": "true",
    "gate_needs_road": "false", "walk_on_branches": "true", "close_at_turn_end": "false", "blocked_may_deploy": "false",
    "reenter_any_own": "false", "wall_ends": "west_east", "forbid_branch_loop": "false",
    "supply_means_all_played": "false", "check_trigger_at_turn_end": "false", "remember_seen": "false",
    "turn_cap": "0",
}  # fmt: skip
ODD = {
    "setup_on_occupied": "true", "branch_blocks_road": "false", "gate_needs_road": "true", "walk_on_branches": "false",
    "close_at_turn_end": "true", "reenter_any_own": "true", "wall_ends": "any_rim", "remember_seen": "true",
    "turn_cap": "60",
}  # fmt: skip
OTHER_ODD = {
    "blocked_may_deploy": "true", "wall_ends": "any_rim", "forbid_branch_loop": "true",
    "supply_means_all_played": "true", "turn_cap": "120",
}  # fmt: skip
SEEDS = range(6)


def names(view: View, zone: str) -> list[str]:
    """The pieces of a zone in their order."""
    return [piece.name for piece in view.zones[zone].pieces]


def everything_is_mixed(rules: Rules) -> None:
    """Each colour lies in another order every time."""
    views = [opening(rules, 4, seed).view(None) for seed in SEEDS]
    for seat in ("red", "green", "blue", "yellow"):
        orders = {tuple(names(view, f"active[{seat}]") + names(view, f"passive[{seat}]")) for view in views}
        assert len(orders) == len(SEEDS)


def anybody_may_begin(rules: Rules) -> None:
    """Nobody says who begins: then chance does, among those who play."""
    for players, seats in ((2, "red green"), (4, "red green blue yellow")):
        game = seat_game(rules, players, {})
        assert {game.start(seed).player for seed in range(40)} == set(seats.split())


def nothing_is_said_but_the_usual(rules: Rules) -> None:
    """What an option is when nobody says anything."""
    assert opening(rules, 4, 0).game.options == DEFAULTS


def backs_show_their_colour(rules: Rules) -> None:
    """Of a token one may not look at one sees whose it is, and nothing else."""
    for options in ({}, ODD):
        for state in positions(rules, 3, 1, options):
            for seat in () if state.over else state.game.seats:
                view = state.view(seat)
                for zone, content in view.zones.items():
                    for piece in content.pieces:
                        assert piece.type == "Wall" or piece.attributes["owner"] in view.seats
                        assert not piece.hidden or piece.attributes["kind"] == HIDDEN
                        assert piece.hidden or not zone.startswith("passive")


def tables_show_the_board(rules: Rules) -> None:
    """Villages and walls on the map; stacks, supplies, the end; one's own tokens."""
    for state in positions(rules, 3, 2):
        view = state.view("red")
        zones, notes = view.zones, view.notes
        villages, wall, stacks, supplies, course, you = view.tables
        assert [table.title for table in view.tables] == [
            "Map", "Wall", "Stacks, from the top", "Supplies", "Table", "You",
        ]  # fmt: skip
        assert list(villages.headings) == ["Realm", "Tokens", "Scout"]
        assert list(villages.board.places) == VILLAGES
        scouts = {notes[f"scout[{seat}]"]: seat for seat in view.seats}
        for (_, tokens, scout), village in zip(villages.rows, VILLAGES, strict=True):
            assert tokens.pieces == zones[f"stack[{village}]"].pieces
            assert scout.text == scouts.get(village, "nobody")
        assert list(wall.headings) == ["Main wall", "Gate"]
        standing = [line for line in LINES if zones[f"wall[{line}]"].count]
        assert list(wall.board.places) == standing
        for (main, gate), line in zip(wall.rows, standing, strict=True):
            assert main.value == (line in notes["main"])
            assert (gate.text == "closed") == (line in notes["shut"])
        assert list(stacks.headings) == ["Village", "Realm", "Tokens"]
        realm = dict(zip(VILLAGES, (row[0].text for row in villages.rows), strict=True))
        filled = [village for village in VILLAGES if zones[f"stack[{village}]"].count]
        assert [row[0].text for row in stacks.rows] == filled
        assert [row[1].text for row in stacks.rows] == [realm[village] for village in filled]
        assert [row[2].pieces for row in stacks.rows] == [zones[f"stack[{name}]"].pieces for name in filled]
        assert list(supplies.headings) == ["Player", "To draw", "Tokens", "Walls", "Lost", "Scout"]
        for row, seat in zip(supplies.rows, view.seats, strict=True):
            counts = [str(zones[f"{zone}[{seat}]"].count) for zone in ("passive", "active", "held", "lost")]
            assert [cell.text for cell in row] == [seat, *counts, notes[f"scout[{seat}]"] or "none"]
        assert list(course.headings) == ["Walls to draw", "Set aside", "End announced by"]
        counts = [str(zones[zone].count) for zone in ("walls", "set_aside")]
        assert [cell.text for cell in course.rows[0]] == [*counts, notes["announcer"] or "nobody"]
        assert list(you.headings) == ["Tokens"]
        assert you.rows[0][0].pieces == zones["active[red]"].pieces


def pair(line: object) -> list[str]:
    """The villages beside a line in their order."""
    return sorted((LINES[str(line)]["left"], LINES[str(line)]["right"]), key=VILLAGES.index)


def moves_speak_plainly(rules: Rules) -> None:
    """Every action has a sentence of its own."""
    heard: Counter[str] = Counter()
    for seed in SEEDS:
        for state in positions(rules, 2, seed):
            view = state.view(None)
            here = view.notes.get(f"scout[{state.player}]")
            for move in state.legal_moves:
                what = move.arguments
                line = pair(what["l"]) if "l" in what else ["", ""]
                up, down = pair(what.get("x", "h0_3")), pair(what.get("y", "h0_3"))
                there = line[0] if line[1] == here else line[1]
                sentence = {
                    "settle": f"{what.get('t')} to {line[0]}, the other token to {line[1]}",
                    "take_wall": "draw a wall",
                    "take_token": "draw a token",
                    "walls_out": f"place walls: {view.zones[f'held[{state.player}]'].count}",
                    "tokens_out": f"lay tokens: {view.zones[f'active[{state.player}]'].count}",
                    "lift": "lift your scout",
                    "pass": "do nothing",
                    "go_by_road": f"by road to {there}, laying {what.get('t')}",
                    "go_through": f"through the gate to {there}, laying {what.get('t')}",
                    "go_along": f"along the wall, {up[0]}-{up[1]} to {down[0]}-{down[1]}, down to {what.get('w')}, "
                    f"laying {what.get('t')}",
                    "build": f"wall between {line[0]} and {line[1]}",
                }.get(move.name)
                if sentence is not None:
                    assert move.label == sentence, move
                    heard[move.name] += 1
    assert set(heard) >= {"settle", "take_wall", "take_token", "walls_out", "tokens_out", "build"}
    assert set(heard) >= {"go_by_road", "go_through", "go_along"}


def rare_moves_speak_plainly(rules: Rules) -> None:
    """The same for what random games hardly ever come to."""
    for name, sentence in (("lift", "lift your scout"), ("pass", "do nothing")):
        action = rules.model.rules[name].declaration
        assert isinstance(action, ast.Action)
        assert action.label is not None and action.label.value == sentence


def nobody_hears_what_is_laid(rules: Rules) -> None:
    """Of a token that is laid the others are told whose it is, not what."""
    told = 0
    for seed in SEEDS:
        *_, state = positions(rules, 3, seed)
        moves = [made.notation for made in state.history]
        state = opening(rules, 3, seed)
        for notation in moves:
            mover = state.player
            state.push(notation)
            for seat in () if state.over else state.game.seats:
                texts = [entry.text for entry in state.log(seat, since=state.ply - 1)]
                spoken = any(kind in text for text in texts for kind in ("chinese", "mongol", "peasant"))
                assert not spoken or seat == mover
                assert any("…" in text for text in texts) == (seat != mover and notation.startswith(("settle", "go_")))
                told += spoken
    assert told


def games_go_as_in_the_rulebook(rules: Rules) -> None:
    """Random games agree with the model in plain Python, decision by decision."""
    for players, options in ((2, {}), (4, ODD), (3, OTHER_ODD), (3, {"check_trigger_at_turn_end": "true"})):
        chance, draw = Shuffles(players), random.Random(players)
        state = seat_game(rules, players, options).start(chance=chance)
        other = beside.begun(state, chance)
        while state.player is not None:
            if state.ply % 20 == 0:
                beside.same_table(state, state.view(None), other)
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
    "backs show their colour": backs_show_their_colour,
    "tables show the board": tables_show_the_board,
    "moves speak plainly": moves_speak_plainly,
    "rare moves speak plainly": rare_moves_speak_plainly,
    "nobody hears what is laid": nobody_hears_what_is_laid,
    "games go as in the rulebook": games_go_as_in_the_rulebook,
}
