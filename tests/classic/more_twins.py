"""More games that OpenSpiel has too: sowing, matrix, dice and card games, each with what its action ids are called."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from importlib import import_module
from importlib.util import find_spec
from itertools import permutations
from typing import Any

from interpreter.play.game import State
from interpreter.runtime.chance import ChanceEvent
from tests.classic.twin import Feed, Pack, Spiel, Twin, by_winners

if find_spec("open_spiel"):
    import_module("open_spiel.python.games.block_dominoes")  # which registers it

SEATS = ["ann", "ben", "cleo", "dan", "eve", "finn", "gil"]
SUITS = ["clubs", "diamonds", "hearts", "spades"]
RANKS = ["two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "jack", "queen", "king", "ace"]
LOW_RANKS = [RANKS[-1], *RANKS[:-1]]


def _told(spiel: Spiel, action: int) -> str:
    return str(spiel.action_to_string(spiel.current_player(), action))


def _scores(state: State, spiel: Spiel) -> Sequence[float]:
    """What each seat gets is its score."""
    assert state.outcome is not None
    return [float(state.outcome.scores[seat][0]) for seat in state.game.seats]


def _ahead(state: State, spiel: Spiel) -> Sequence[float]:
    """What one of two seats has more than the other."""
    one, two = _scores(state, spiel)
    return [one - two, two - one]


def _oware(spiel: Spiel, action: int) -> str:
    return f"sow({action + 1 + 6 * spiel.current_player()})"


def _blotto(players: int, soldiers: int) -> Twin:
    return Twin(
        "blotto",
        f"turn_based_simultaneous_game(game=blotto(players={players},coins={soldiers}))",
        lambda spiel, action: f"divide({_told(spiel, action)[1:-1]})",
        options={"soldiers": soldiers},
        players=players,
        returns=by_winners,
    )


def _repeated(name: str, matrix: str, rounds: int, options: dict[str, object], verb: str, choices: str) -> Twin:
    return Twin(
        name,
        f"turn_based_simultaneous_game(game=repeated_game(stage_game={matrix}(),num_repetitions={rounds}))",
        lambda spiel, action: f"{verb}({choices.split()[action]})",
        options=options,
        returns=_scores if matrix == "matrix_pd" else _ahead,
    )


def _card(rank: int, suit: int, ranks: Sequence[str] = RANKS) -> str:
    return f"{ranks[rank]}{SUITS[suit]}"


def _number(ranks: Sequence[str] = RANKS, suits: Sequence[str] = SUITS) -> Callable[[str], int]:
    """OpenSpiel's number of a card: by rank, then by suit."""

    def number(card: str) -> int:
        rank, suit = card.split()
        return ranks.index(rank) * len(suits) + suits.index(suit)

    return number


def _picked(event: ChanceEvent, result: Any, first: int = 0) -> Pack:
    """An option left to chance; `first` is the id of its first value there."""
    others = (other for other in range(event.size) if other != result)
    return Pack([first + result, *(first + other for other in others)], 1)


def _dealt_in_turn(
    number: Callable[[str], int], seats: int, each: int, first: int = 0, drawn: int | None = None
) -> Callable[[ChanceEvent, Any], Pack]:
    """A pack of which hands are dealt, one after another here and card by card there, beginning `first` seats later."""

    def feed(event: ChanceEvent, result: Any) -> Pack:
        cards = [number(event.faces[place]) for place in result]
        hands = [cards[each * ((place + first) % seats) + turn] for turn in range(each) for place in range(seats)]
        return Pack(hands + cards[seats * each :], drawn or event.size)

    return feed


def _crazy_eights(players: int) -> Twin:
    number, each = _number(), 7 if players == 2 else 5
    deal = _dealt_in_turn(number, players, each)

    def called(spiel: Spiel, action: int) -> str:
        if action < 52:
            return f"play({_card(*divmod(action, 4))})"
        return ["draw", "pass", *(f"name_suit({suit})" for suit in SUITS)][action - 52]

    def feed(event: ChanceEvent, result: Any) -> Pack | None:
        """There an eight that is turned up goes back anywhere, so none is."""
        if event.kind == "pick":
            return _picked(event, result, 52)
        pack = deal(event, result)
        return None if pack.cards[players * each] // 4 == RANKS.index("eight") else pack

    def counted(state: State, spiel: Spiel) -> Sequence[float]:
        """There a rank counts more the later its suit comes, so its error is made for it."""
        totals = []
        for seat in state.game.seats:
            hand = [number(str(card)) for card in state.evaluate(f"hand[{seat}]")]
            totals.append(-float(sum(50 if card // 4 == 6 else 10 if card >= 36 else card + 2 for card in hand)))
        return totals

    return Twin(
        "crazy_eights",
        f"crazy_eights(players={players},max_turns=10000)",
        called,
        players=players,
        returns=counted,
        feed=feed,
    )


def _euchre_feed() -> Feed:
    ranks = RANKS[7:]
    deal = _dealt_in_turn(_number(ranks), 4, 5, 3, 21)
    return lambda event, result: _picked(event, result) if event.kind == "pick" else deal(event, result)


def _euchre_gain(state: State, spiel: Spiel) -> Sequence[float]:
    """What a side scores the other one loses there."""
    gain = float(state.evaluate("score[north_south]")) - float(state.evaluate("score[east_west]"))
    return [gain, -gain, gain, -gain]


def _euchre(spiel: Spiel, action: int) -> str:
    if action >= 24:
        words = _told(spiel, action)
        calls = {"Pass": "pass", "Alone": "go_alone", "Partner": "go_with_partner"}
        ordering = "Bidding" not in str(spiel) or spiel.move_number() < 26
        return calls.get(words) or ("order_up" if ordering else f"name_trumps({words.lower()})")
    rank, suit = divmod(action, 4)
    verb = "discard" if spiel.full_history()[-1].action in range(25, 29) else "play"
    return f"{verb}({_card(rank, suit, RANKS[7:])})"


def _blackjack_feed(event: ChanceEvent, result: Any) -> Pack:
    """A pack in the order of the suits, ace first, of which cards are drawn as they are needed."""
    names = [event.faces[place].split() for place in result]
    return Pack([SUITS.index(suit) * 13 + LOW_RANKS.index(rank) for rank, suit in names], event.size)


SHIPS = ["destroyer", "submarine", "cruiser", "battleship", "carrier"]
LENGTHS = [2, 3, 3, 4, 5]


def _battleship(spiel: Spiel, action: int) -> str:
    """Rows are counted from the top there, and a ship is placed by its upper end."""
    words = _told(spiel, action)
    row, column = map(int, words[words.index("(") + 1 : -1].split(","))
    if "shoot" in words:
        return f"shoot({_cell(row, column)})"
    ship = spiel.move_number() // 2
    if "horizontally" in words:
        return f"place({SHIPS[ship]},{_cell(row, column)},across)"
    return f"place({SHIPS[ship]},{_cell(row + LENGTHS[ship] - 1, column)},upwards)"


def _cell(row: int, column: int) -> str:
    return f"{'abcdefghij'[column]}{10 - row}"


def _ships_sunk(state: State, spiel: Spiel) -> Sequence[float]:
    """A ship sunk is a point won by one and lost by the other."""
    one, two = (float(state.evaluate(f"count sunk[{seat}]")) for seat in state.game.seats)
    return [one - two, two - one]


TILES = [f"d{low}_{high}" for low in range(7) for high in range(low, 7)]


def _dominoes(spiel: Spiel, action: int) -> str:
    """There it is `p0 tile:(0.0, 5.0) pip:5.0`, or `pip:None` for the first tile."""
    low, high, pip = re.findall(r"(\d|None)(?:\.0)?", _told(spiel, action).partition("tile:")[2])
    return f"begin_with(d{low}_{high})" if pip == "None" else f"lay(d{low}_{high},{pip})"


def _pips_won(state: State, spiel: Spiel) -> Sequence[float]:
    """Who has fewer pips gains the other one's; nothing if they are equal."""
    one, two = (float(str(state.evaluate(f"pips({seat})"))) for seat in state.game.seats)
    return [0.0, 0.0] if one == two else [two, -two] if two > one else [-one, one]


def _tiles(event: ChanceEvent, result: Any) -> Pack:
    if event.kind == "pick":
        return _picked(event, result)
    return Pack([TILES.index(event.faces[place].split()[-1]) for place in result], 14)


CUBES = ["one", "two", "three", "four", "five", "six"]
CUBE_WAYS = ["southeast", "south", "east", "north", "northwest", "west"]
ORDERS = list(permutations(range(6)))


def _cubes(event: ChanceEvent, result: Any) -> Pack:
    """There the order of six cubes is one outcome; they are set up row by row, here from below, there from above."""
    if event.kind == "roll":
        return _picked(event, result)
    numbers = [CUBES.index(event.faces[place].split()[1]) for place in result]
    places = (5, 3, 4, 0, 1, 2) if "white" in event.what else (3, 4, 5, 1, 2, 0)
    drawn = ORDERS.index(tuple(numbers[place] for place in places))
    return Pack([drawn, *(order for order in range(len(ORDERS)) if order != drawn)], 1)


def _cube(spiel: Spiel, action: int) -> str:
    """There by row, from above, column, direction and whether a cube is captured."""
    place, way = divmod(action // 2, 6)
    row, column = divmod(place, 5)
    return f"go({'abcde'[column]}{5 - row},{CUBE_WAYS[way]})"


def _morpion(spiel: Spiel, action: int) -> str:
    """There a line is told by its points, as rows from the top and columns: `[3,4] [3,5] [3,6] [3,7]`."""
    (top, left), *_, (bottom, right) = re.findall(r"(\d+),(\d+)", _told(spiel, action))
    first, last = (f"{'abcdefghijklm'[int(column)]}{13 - int(row)}" for row, column in ((top, left), (bottom, right)))
    if int(left) < int(right):
        return f"draw({first},{'east' if top == bottom else 'southeast'})"
    return f"draw({last},{'north' if left == right else 'northeast'})"


MORE_TWINS = [
    Twin("morpion_solitaire", "morpion_solitaire", _morpion, players=1, returns=_scores),
    Twin("einstein_wurfelt_nicht", "einstein_wurfelt_nicht", _cube, feed=_cubes),
    Twin("dominoes", "python_block_dominoes", _dominoes, options={"start": "ann"}, returns=_pips_won, feed=_tiles),
    Twin("battleship", "battleship(num_shots=100,allow_repeated_shots=false)", _battleship, returns=_ships_sunk),
    Twin(
        "blackjack",
        "blackjack",
        lambda spiel, action: ["hit", "stand"][action],
        players=1,
        returns=lambda state, spiel: [float(state.evaluate("gain(ann)"))],
        feed=_blackjack_feed,
    ),
    *(_crazy_eights(players) for players in (2, 3, 7)),
    Twin(
        "euchre",
        "euchre",
        _euchre,
        options={"goal": 1},
        players=4,
        returns=_euchre_gain,
        feed=_euchre_feed(),
        hidden="mover",
        forgetful=True,
    ),
    Twin("oware", "oware", _oware),
    *(_blotto(players, soldiers) for players, soldiers in ((2, 10), (3, 4))),
    _repeated("prisoners_dilemma", "matrix_pd", 10, {"rounds": 10}, "do", "cooperate defect"),
    _repeated("rock_paper_scissors", "matrix_rps", 10, {"most_rounds": 10, "goal": 10}, "show", "rock paper scissors"),
]
