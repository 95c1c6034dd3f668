"""The games that OpenSpiel has too, each with what its action ids are called here."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any

from interpreter.play.game import State
from interpreter.runtime.chance import ChanceEvent
from tests.classic.further_twins import FURTHER_TWINS
from tests.classic.latest_twins import LATEST_TWINS
from tests.classic.more_twins import MORE_TWINS
from tests.classic.twin import Pack, Spiel, Twin


def _told(spiel: Spiel, action: int) -> str:
    return str(spiel.action_to_string(spiel.current_player(), action))


def _square(action: int, columns: int) -> str:
    row, column = divmod(action, columns)
    return f"{'abcdefghijklmnopqrstuvwxyz'[column]}{row + 1}"


def _way(start: str, end: str) -> str:
    north = "north" if end[1] > start[1] else "south"
    return north + ("" if end[0] == start[0] else "east" if end[0] > start[0] else "west")


def _breakthrough(spiel: Spiel, action: int) -> str:
    words = _told(spiel, action)
    return f"go({words[:2]},{_way(words[:2], words[2:4])})"


def _othello(spiel: Spiel, action: int) -> str | None:
    return None if action == 64 else f"put({_square(action, 8)})"


def _checkers(spiel: Spiel, action: int) -> str:
    words = _told(spiel, action)
    start, end = words[:2], words[2:]
    kind = "jump" if abs(ord(start[0]) - ord(end[0])) == 2 else "go"
    return f"{kind}({start},{_way(start, end)})"


ROWS = {7: "adg", 6: "bdf", 5: "cde", 4: "abcefg", 3: "cde", 2: "bdf", 1: "adg"}
POINTS = [f"{column}{row}" for row, columns in ROWS.items() for column in columns]


def _morris(spiel: Spiel, action: int) -> str:
    if action >= 24:
        start, end = divmod(action - 24, 24)
        return f"slide({POINTS[start]},{POINTS[end]})"
    return f"{'take' if 'Capture time' in str(spiel) else 'place'}({POINTS[action]})"


def _mancala(spiel: Spiel, action: int) -> str:
    return f"sow({action})"


def _rolled(event: ChanceEvent, result: Any) -> Pack:
    """A die, or an option left to chance: its results are numbered alike."""
    assert event.kind in ("roll", "pick")
    return Pack([result, *(other for other in range(event.size) if other != result)], 1)


def _dealt(number: Callable[[str], int], most: int | None = None) -> Callable[[ChanceEvent, Any], Pack]:
    """A shuffled stack, of which OpenSpiel is dealt the first `most` one by one; `number` is its id of a piece."""

    def feed(event: ChanceEvent, result: Any) -> Pack:
        if event.kind != "shuffle":
            return _rolled(event, result)
        return Pack([number(event.faces[place]) for place in result], most or event.size)

    return feed


def _scored(state: State, spiel: Spiel) -> list[float]:
    """What each seat gets is its score."""
    assert state.outcome is not None
    return [float(state.outcome.scores[seat][0]) for seat in state.game.seats]


def _half(state: State, spiel: Spiel) -> list[float]:
    """Our gains are counted in halves."""
    return [score / 2 for score in _scored(state, spiel)]


def _kuhn(spiel: Spiel, action: int) -> str:
    facing = "b" in str(spiel)
    return (["fold", "call"] if facing else ["check", "bet"])[action]


def _ranked(players: int) -> Callable[[str], int]:
    """Of a pack of ranks up to the king, one more than there are players: the number of a rank."""
    return RANKS[11 - players : 12].index


def _leduc(players: int) -> Callable[[str], int]:
    """The same with two suits."""

    def number(card: str) -> int:
        rank, suit = card.split()
        return 2 * _ranked(players)(rank) + ("spades", "hearts").index(suit)

    return number


def _holdem(spiel: Spiel, action: int) -> str:
    rounds = str(spiel.information_state_string(spiel.current_player())).rsplit("Sequences: ", 1)[1].split("|")
    raised = len(rounds) == 1 or "r" in rounds[-1]
    return ["fold", "call" if 0 in spiel.legal_actions() else "check", "raise" if raised else "bet"][action]


def _without_burnt(players: int) -> Callable[[ChanceEvent, Any], Pack]:
    """Two cards for each seat, one seat after the other there, and the open cards; a card is burnt before each deal."""

    def feed(event: ChanceEvent, result: Any) -> Pack:
        pack = _dealt(_heart, 2 * players + 5)(event, result)
        order = [seat + turn * players for seat in range(players) for turn in range(2)]
        order += [2 * players + place for place in (1, 2, 3, 5, 7)]
        rest = [place for place in range(event.size) if place not in order]
        pack.cards = [pack.cards[place] for place in order + rest]
        return pack

    return feed


def _won(state: State, spiel: Spiel) -> list[float]:
    """What each seat has won; there parts of chips are shared, here whole ones."""
    won = [score - 200 for score in _scored(state, spiel)]
    theirs = spiel.returns()
    return theirs if all(abs(here - there) < 1 for here, there in zip(won, theirs, strict=True)) else won


def _bid(spiel: Spiel, action: int) -> str:
    words = _told(spiel, action)
    if words == "Liar":
        return "call_liar"
    quantity, face = words.split("-")
    return f"bid({quantity},{FACES[int(face) - 1]})"


SEATS = ["ann", "ben", "cleo", "dan", "eve", "finn", "gil", "hana", "ivo", "joan"]
FACES = ["one", "two", "three", "four", "five", "six"]
SUITS = ["clubs", "diamonds", "hearts", "spades"]
RANKS = ["two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "jack", "queen", "king", "ace"]

FISH = [RANKS[-1], *RANKS[:-1]]


def _heart(card: str) -> int:
    rank, suit = card.split()
    return RANKS.index(rank) * 4 + SUITS.index(suit)


def _one_by_one(event: ChanceEvent, result: Any) -> Pack:
    """Four hands of thirteen, which are dealt in turn there."""
    pack = _dealt(_heart)(event, result)
    if event.kind == "shuffle":
        pack.cards = [pack.cards[13 * seat + turn] for turn in range(13) for seat in range(4)]
    return pack


def _hearts(spiel: Spiel, action: int) -> str:
    rank, suit = divmod(action, 4)
    verb = "pass_on" if "Pass Direction: No" not in str(spiel) and len(spiel.full_history()) < 65 else "play"
    return f"{verb}({RANKS[rank]}{SUITS[suit]})"


def _ask(spiel: Spiel, action: int) -> str:
    other, rank = divmod(action, len(FISH))
    return f"ask({SEATS[other]},{FISH[rank]})"


def _no_book_dealt(event: ChanceEvent, result: Any) -> Pack | None:
    """A pond for two seats. A book that is dealt is laid at once there, and the seat dealt more cards; so none is."""
    pack = _dealt(FISH.index)(event, result)
    hands = pack.cards[:7], pack.cards[7:14]
    return None if any(4 in Counter(hand).values() for hand in hands) else pack


def _goofspiel(spiel: Spiel, action: int) -> str:
    return f"bid({SEATS[spiel.current_player()]}{action + 1})"


def _penalty(state: State, spiel: Spiel) -> list[float]:
    assert state.outcome is not None
    return [26.0 - state.outcome.scores[seat][0] for seat in state.game.seats]


def _nim(spiel: Spiel, action: int) -> str:
    return f"take({action % 4 + 1},{action // 4 + 1})"


def _line_of_action(spiel: Spiel, action: int) -> str:
    words = _told(spiel, action)
    start, end = words[:2], words[3:]
    east = "east" if end[0] > start[0] else "west" if end[0] < start[0] else ""
    return f"go({start},{'north' if end[1] > start[1] else 'south' if end[1] < start[1] else ''}{east})"


MEN_OF_SHOGI = dict(zip("RBGSNLP", ["rook", "bishop", "gold", "silver", "knight", "lance", "pawn"], strict=True))


def _shogi(spiel: Spiel, action: int) -> str:
    """There columns are numbered from the right, and rows lettered from above."""
    words = _told(spiel, action)
    start, end = (f"{'ihgfedcba'[int(at[0]) - 1]}{'ihgfedcba'.index(at[1]) + 1}" if at[1] != "*" else at[0]
                  for at in (words[:2], words[2:4]))  # fmt: skip
    if start in MEN_OF_SHOGI:
        return f"drop({MEN_OF_SHOGI[start]},{end})"
    return f"{'promote' if words.endswith('+') else 'go'}({start},{end})"


def _clobber(spiel: Spiel, action: int) -> str:
    words = _told(spiel, action)
    return f"clobber({words[:2]},{words[2:]})"


def _havannah(size: int) -> Twin:
    """Rows are counted from the other side there."""

    def called(spiel: Spiel, action: int) -> str:
        words = _told(spiel, action)
        return f"put({words[0]}{2 * size - int(words[1:])})"

    return Twin("havannah", f"havannah(board_size={size})", called, options={"size": size})


def _gomoku(size: int) -> Twin:
    def called(spiel: Spiel, action: int) -> str:
        column, row = map(int, _told(spiel, action).split(","))
        return f"put({'abcdefghijklmnopqrs'[column]}{row + 1})"

    return Twin("gomoku", f"gomoku(size={size})", called, options={"size": size})


def _ultimate(spiel: Spiel, action: int) -> str:
    """Boards and cells are numbered alike there; a cell of a small board is one of the large board here."""
    words = _told(spiel, action)
    if words.startswith("Choose"):
        row, column = divmod(action, 3)
        return f"enter({'adg'[column]}{3 * row + 1}_{'cfi'[column]}{3 * row + 3})"
    (upper, left), (row, column) = divmod(int(words.split()[2].rstrip(":")), 3), divmod(action, 3)
    return f"put({'abcdefghi'[3 * left + column]}{3 * upper + row + 1})"


QUARTERS = ["a4_c6", "d4_f6", "d1_f3", "a1_c3"]


def _pentago(spiel: Spiel, action: int) -> str:
    """Rows are counted from the top there."""
    (row, column), (quarter, clockwise) = divmod(action // 8, 6), divmod(action % 8, 2)
    turning = "clockwise" if clockwise else "counterclockwise"
    return f"place({'abcdef'[column]}{6 - row},{QUARTERS[quarter]},{turning})"


def _dots_and_boxes(rows: int, columns: int) -> Twin:
    """There so many boxes, here dots; and their rows are counted from above."""

    def called(spiel: Spiel, action: int) -> str:
        kind, row, column = _told(spiel, action).removesuffix(")").split("(")[1].split(",")
        upper, left, right = rows + 1 - int(row), *"abcdefghi"[int(column) : int(column) + 2].ljust(2)
        return f"draw({left}{upper}_{right}{upper})" if kind == "h" else f"draw({left}{upper - 1}_{left}{upper})"

    spiel = f"dots_and_boxes(num_rows={rows},num_cols={columns})"
    return Twin("dots_and_boxes", spiel, called, options={"columns": columns + 1, "rows": rows + 1})


def _hex(size: int) -> Twin:
    named = "hex" if size == 11 else f"hex(board_size={size})"
    return Twin("hex", named, lambda spiel, action: f"put({_square(action, size)})", options={"size": size})


def _twixt(size: int) -> Twin:
    def called(spiel: Spiel, action: int) -> str:
        """There the hole of the first peg stands for taking it over, and rows are counted from the top."""
        if spiel.history() == [action]:
            return "swap"
        words = _told(spiel, action)
        return f"place({words[1]}{size + 1 - int(words[2:])})"

    return Twin("twixt", f"twixt(board_size={size},ansi_color_output=false)", called, options={"size": size})


def _dark_hex(size: int) -> Twin:
    return Twin(
        "dark_hex",
        f"dark_hex(board_size={size},obstype=reveal-numturns)",
        lambda spiel, action: f"try({_square(action, size)})",
        options={"size": size},
        hidden="mover",
    )


def _pig(players: int) -> Twin:
    return Twin(
        "pig",
        f"pig(players={players},winscore=50,horizon=100000)",
        lambda spiel, action: ["throw", "hold"][action],
        options={"goal": 50},
        players=players,
        feed=_rolled,
    )


def _kuhn_poker(players: int) -> Twin:
    return Twin(
        "kuhn_poker",
        f"kuhn_poker(players={players})",
        _kuhn,
        players=players,
        returns=_scored,
        feed=_dealt(_ranked(players), players),
        hidden="all",
    )


def _leduc_poker(players: int) -> Twin:
    return Twin(
        "leduc_poker",
        f"leduc_poker(players={players})",
        lambda spiel, action: ["fold", "call", "bet"][action],
        players=players,
        returns=_half,
        feed=_dealt(_leduc(players), players + 1),
        hidden="all",
    )


def _texas_holdem(players: int) -> Twin:
    """One hand; there everybody has as many chips as it takes, so nobody is all-in, and five seats make it crash."""
    blinds, first = ("2 1", 2) if players == 2 else ("1 2" + " 0" * (players - 2), 3)
    return Twin(
        "texas_holdem",
        f"universal_poker(betting=limit,numPlayers={players},numRounds=4,blind={blinds},raiseSize=2 2 4 4,"
        f"firstPlayer={first} 1 1 1,maxRaises=3 4 4 4,numSuits=4,numRanks=13,numHoleCards=2,numBoardCards=0 3 1 1)",
        _holdem,
        options={"hands": 1, "stack": 200, "first_button": SEATS[players - 1]},
        players=players,
        returns=_won,
        feed=_without_burnt(players),
        hidden="all" if players == 3 else "",
    )


def _liars_dice(dice: int) -> Twin:
    return Twin(
        "liars_dice",
        f"liars_dice(numdice={dice})",
        _bid,
        options={"dice": dice},
        feed=_dealt(FACES.index, 1),
        hidden="all",
    )


def _goofspiels(players: int, shown: bool) -> Twin:
    secret = "" if shown else ",imp_info=true"
    return Twin(
        "goofspiel",
        f"turn_based_simultaneous_game(game=goofspiel(players={players}{secret}))",
        _goofspiel,
        options={"bids_shown": shown},
        players=players,
        feed=_dealt(lambda prize: int(prize) - 1),
        last_alone=True,
        hidden="mover",
        forgetful=shown,
    )


TWINS = [
    Twin("tic_tac_toe", "tic_tac_toe", lambda spiel, action: f"put({_square(action, 3)})"),
    Twin("ultimate_tic_tac_toe", "ultimate_tic_tac_toe", _ultimate),
    Twin("pentago", "pentago", _pentago),
    Twin("connect_four", "connect_four", lambda spiel, action: f"drop({action + 1})"),
    Twin("breakthrough", "breakthrough", _breakthrough),
    *(_hex(size) for size in (11, 5, 8)),
    Twin(
        "phantom_tic_tac_toe",
        "phantom_ttt(obstype=reveal-numturns)",
        lambda spiel, action: f"try({_square(action, 3)})",
        hidden="mover",
    ),
    *(_twixt(size) for size in (5, 8)),
    *(_dark_hex(size) for size in (3, 5)),
    *(_havannah(size) for size in (5, 3)),
    Twin("game_of_y", "y(board_size=9)", lambda spiel, action: f"put({_told(spiel, action)})"),
    *(_gomoku(size) for size in (9, 6)),
    Twin("lines_of_action", "lines_of_action", _line_of_action, options={"repetitions": 2}),
    *(_dots_and_boxes(*size) for size in ((2, 2), (3, 4))),
    Twin("shogi", "shogi", _shogi),
    Twin("clobber", "clobber", _clobber),
    Twin("clobber", "clobber(rows=3,columns=4)", _clobber, options={"rows": 3, "columns": 4}),
    Twin("othello", "othello", _othello),
    Twin("checkers", "checkers", _checkers),
    Twin("nine_mens_morris", "nine_mens_morris", _morris),
    Twin("mancala", "mancala", _mancala),
    *(_pig(players) for players in (2, 3, 10)),
    Twin("nim", "nim", _nim),
    Twin("nim", "nim(is_misere=false)", _nim, options={"last_loses": False}),
    *(_kuhn_poker(players) for players in (2, 3, 10)),
    *(_leduc_poker(players) for players in (2, 3, 10)),
    *(_texas_holdem(players) for players in (2, 3, 4)),
    *(_liars_dice(dice) for dice in (1, 2, 5)),
    *(_goofspiels(players, shown) for players in (2, 3) for shown in (True, False)),
    Twin("go_fish", "go_fish", _ask, options={"start": "ann"}, feed=_no_book_dealt, hidden="mover", forgetful=True),
    Twin("hearts", "hearts", _hearts, players=4, returns=_penalty, feed=_one_by_one, hidden="mover"),
    *MORE_TWINS,
    *FURTHER_TWINS,
    *LATEST_TWINS,
]
