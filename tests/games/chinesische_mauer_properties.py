"""What holds in every game of Chinesische Mauer, beside its examples: tried on random games, and on every mutant."""

from __future__ import annotations

from collections.abc import Sequence

from interpreter.loading.rules import Rules
from interpreter.seat.views.model import HIDDEN, PieceView, View
from tests.support.positions import opening, positions

FACES: dict[str, int] = {"wall": 1, "gate": 2, "watchtower": 3, "noble": 1, "rider": 2, "dragon": 1}
SEEDS = range(10, 16)


def names(view: View, zone: str) -> list[str]:
    """The pieces of a zone in their order."""
    return [piece.name for piece in view.zones[zone].pieces]


def everything_is_mixed(rules: Rules) -> None:
    """Each pile and the stock of tokens lie in another order every time; the cards in it are the same."""
    views = [opening(rules, 3, seed).view(None) for seed in SEEDS]
    for zone in ("pile[red]", "pile[green]", "pile[blue]", "supply"):
        assert len({tuple(names(view, zone)) for view in views}) == len(SEEDS), zone
    for seat in ("red", "green", "blue"):
        cards = [sorted(names(view, f"pile[{seat}]") + names(view, f"hand[{seat}]")) for view in views]
        assert cards == [cards[0]] * len(cards)


def the_first_seat_begins(rules: Rules) -> None:
    """Nobody says who is the youngest: then it is the first seat, whoever else plays."""
    for players in (2, 5):
        assert {opening(rules, players, seed).player for seed in SEEDS} == {"red"}


def backs_show_their_colour(rules: Rules) -> None:
    """Of a card in a pile or in another's hand one sees whose it is, and nothing else."""
    for state in positions(rules, 3, 1):
        if state.over:
            continue
        view = state.view("green")
        for zone in ("pile[red]", "pile[green]", "hand[red]", "hand[blue]"):
            for piece in view.zones[zone].pieces:
                assert piece.attributes == {"rank": HIDDEN, "owner": zone[5:-1]}


def views_name_only_what_is_known(rules: Rules) -> None:
    """Hidden pieces have no more than their known attributes, and no order but that of the zone."""
    for players in (2, 5):
        for state in positions(rules, players, 4):
            for seat in () if state.over else state.game.seats:
                for name, zone in state.view(seat).zones.items():
                    own, pieces = name == f"hand[{seat}]", zone.pieces
                    if name.startswith(("hand", "pile")):
                        assert all(piece.hidden is not own for piece in pieces)
                        assert all((piece.attributes["rank"] == HIDDEN) is not own for piece in pieces)
                    elif name == "supply" or (name.startswith("won") and name != f"won[{seat}]"):
                        assert all(piece.attributes["fame"] == HIDDEN and piece.name == "token" for piece in pieces)
                    else:
                        assert not any(piece.hidden for piece in pieces)


def nobody_hears_of_riders_kept(rules: Rules) -> None:
    """Whether somebody holds a rider and keeps it, the others learn neither from the table nor from what is told."""
    asked = 0
    for seed in SEEDS:
        for state in positions(rules, 3, seed):
            question = state.question
            if question is None or question.names != ("ride",) or question.duty != "may":
                continue
            asked += 1
            others = [seat for seat in state.game.seats if seat != state.player]
            assert question.secretly
            before = {seat: [entry.text for entry in state.log(seat)] for seat in others}
            state.push("done")
            assert {seat: [entry.text for entry in state.log(seat)] for seat in others} == before
            state.pop()
    assert asked


def value(place: int, row: Sequence[PieceView]) -> int:
    """What the card at a place of a row counts, by the words of the rulebook."""
    kind, owner = str(row[place].attributes["rank"]), row[place].attributes["owner"]
    if any(other.attributes["rank"] == "noble" for other in row[:place] + row[place + 1 :]):
        return 1
    if kind == "warrior":
        own = {"rank": "warrior", "owner": owner}
        return 1 + len([other for other in row[:place] if other.attributes == own])
    return FACES[kind]


def points(seat: str, row: Sequence[PieceView]) -> int | None:
    """What a seat has in a row: its cards less the tokens on them; None if it has no card there, covered or not."""
    own = [place for place, card in enumerate(row) if card.attributes["owner"] == seat]
    buried = [card for top in row for card in top.attached.get("under", ()) if card.attributes["owner"] == seat]
    if not own and not buried:
        return None
    tokens = [token for place in own for token in row[place].attached.get("fame_on", ())]
    return sum(value(place, row) for place in own) - sum(int(token.attributes["fame"]) for token in tokens)


def tables_show_the_wall(rules: Rules) -> None:
    """The three tables: every section in the game with its tokens, cards and points; the players; one's own hand."""
    for state in positions(rules, 3, 2):
        view = state.view("red")
        wall, players, you = view.tables
        assert [table.title for table in view.tables] == ["Wall", "Players", "You"]
        assert list(wall.headings) == ["Section", "Fame", "Cards", "Points"]
        assert tuple(row[0].text for row in wall.rows) == view.notes["open"]
        for section, fame, cards, counted in wall.rows:
            row = view.zones[f"row[{section.text}]"].pieces
            assert fame.pieces == view.zones[f"display[{section.text}]"].pieces
            assert [entry.item.pieces for entry in cards.entries] == [(card,) for card in row]
            assert [entry.note.value for entry in cards.entries] == [value(place, row) for place in range(len(row))]
            has = {seat: points(seat, row) for seat in view.seats}
            shown = {entry.item.text: entry.note.value for entry in counted.entries}
            assert shown == {seat: number for seat, number in has.items() if number is not None}
        assert list(players.headings) == ["Player", "Hand", "Pile", "Fame won"]
        for (player, hand, pile, won), seat in zip(players.rows, view.seats, strict=True):
            counts = [str(view.zones[f"{zone}[{seat}]"].count) for zone in ("hand", "pile")]
            assert [player.text, hand.text, pile.text] == [seat, *counts]
            assert won.pieces == view.zones[f"won[{seat}]"].pieces
        assert list(you.headings) == ["Hand"]
        assert you.rows[0][0].pieces == view.zones["hand[red]"].pieces


def moves_speak_plainly(rules: Rules) -> None:
    """Every action has a sentence of its own with all its arguments."""
    heard: set[str] = set()
    for seed in SEEDS:
        for state in positions(rules, 2, seed):
            for move in state.legal_moves:
                what = move.arguments
                sentence = {
                    "lay": "lay {n} {kind} at {s}",
                    "cover": "lay the dragon on {c} at {s}",
                    "draw": "draw a card",
                    "ride": "lay a rider at {s}",
                }.get(move.name)
                if sentence is not None:
                    assert move.label == sentence.format(**what), move
                    heard.add(move.name)
    assert heard == {"lay", "cover", "draw", "ride"}


PROPERTIES = {
    "everything is mixed": everything_is_mixed,
    "the first seat begins": the_first_seat_begins,
    "backs show their colour": backs_show_their_colour,
    "views name only what is known": views_name_only_what_is_known,
    "nobody hears of riders kept": nobody_hears_of_riders_kept,
    "tables show the wall": tables_show_the_wall,
    "moves speak plainly": moves_speak_plainly,
}
