"""Further games that OpenSpiel has too: tricks that are bid, coins, walls and races, each with its action ids."""

from __future__ import annotations

from interpreter.play.game import State
from interpreter.runtime.chance import ChanceEvent
from tests.classic.more_twins import SUITS, _card, _dealt_in_turn, _number, _picked, _scores, _told
from tests.classic.twin import Pack, Spiel, Twin

SUITS_OF_OH_HELL = ["clubs", "diamonds", "spades", "hearts"]


def _oh_hell(players: int, tricks: int) -> Twin:
    """One hand of so many tricks; there the number of tricks is always left to chance, here the suits are sorted."""
    deal = _dealt_in_turn(_number(suits=SUITS_OF_OH_HELL), players, tricks, drawn=players * tricks + 1)

    def called(spiel: Spiel, action: int) -> str:
        if action >= 52:
            return f"bid({action - 52})"
        rank, suit = divmod(action, 4)
        return f"play({_card(rank, SUITS.index(SUITS_OF_OH_HELL[suit]))})"

    def feed(event: ChanceEvent, result: object) -> Pack:
        return _picked(event, result) if event.kind == "pick" else deal(event, result)

    return Twin(
        "oh_hell",
        f"oh_hell(players={players},num_tricks_fixed={tricks})",
        called,
        options={"most": tricks, "least": tricks},
        players=players,
        returns=_scores,
        feed=feed,
        certain=(tricks,),
        hidden="mover",
    )


def _oshi_zumo(coins: int, size: int, least_bid: int, rounds: int) -> Twin:
    game = f"oshi_zumo(coins={coins},size={size},min_bid={least_bid},horizon={rounds})"
    return Twin(
        "oshi_zumo",
        f"turn_based_simultaneous_game(game={game})",
        lambda spiel, action: f"bid({action})",
        options={"coins": coins, "size": size, "least_bid": least_bid, "most_rounds": rounds},
    )


def _sealed_auction(players: int, most: int) -> Twin:
    """What the lot is worth to each is drawn first there, too, and in the end who of the highest bidders buys it."""

    def feed(event: ChanceEvent, result: int) -> Pack:
        outcomes = [int(face) if face.isdigit() else "abcdef".index(face[0]) for face in event.faces]
        return Pack([outcomes.pop(result), *outcomes], 1)

    return Twin(
        "sealed_auction",
        f"first_sealed_auction(players={players},max_value={most})",
        lambda spiel, action: f"bid({action})",
        options={"most": most},
        players=players,
        returns=lambda state, spiel: [float(state.evaluate(f"gain({seat})")) for seat in state.game.seats],
        feed=feed,
    )


def quoridor() -> Twin:
    """Rows are counted from above there, and a wall is named by its upper left square; after 324 moves nobody wins."""

    def called(spiel: Spiel, action: int) -> str:
        words = _told(spiel, action)
        column, row = words[0], int(words[1])
        if len(words) == 2:
            return f"go({column}{10 - row})"
        return f"build({column}{9 - row},{'upright' if words[2] == 'v' else 'level'})"

    return Twin("quoridor", "quoridor", called)


def _mensch(players: int) -> Twin:
    """There are no three throws there; fields are counted from where each player starts, in both."""
    letters, quarter = (
        "abcdefghijk",
        [(0, 7), (1, 7), (2, 7), (3, 7), (4, 7), (4, 8), (4, 9), (4, 10), (4, 11), (5, 11)],
    )

    def field(arm: int, count: int) -> str:
        """The field that is the first after so many others of the way, or the first goal after forty."""
        turns, steps = divmod(count, 10) if count < 40 else (0, None)
        column, row = quarter[steps] if steps is not None else (count - 39, 6)
        for _ in range((turns + arm) % 4):
            column, row = row - 1, 11 - column
        return f"{letters[column]}{row}"

    def called(spiel: Spiel, action: int) -> str | None:
        arm = spiel.current_player() * (2 if players == 2 else 1)
        return None if action == 0 else "enter" if action == 1 else f"go({field(arm, action - 2)})"

    def returns(state: State, spiel: Spiel) -> list[float]:
        assert state.outcome is not None
        return [players - 1.0 if seat in state.outcome.winners else -1.0 for seat in state.game.seats]

    return Twin(
        "mensch_aergere_dich_nicht",
        f"maedn(players={players})",
        called,
        options={"three_throws": False},
        players=players,
        returns=returns,
        feed=_picked,
    )


COLOURS_OF_HANABI = ["red", "yellow", "green", "white", "blue"]
SEATS_OF_HANABI = ["ann", "ben", "cleo", "dora", "emil"]
RANKS_OF_HANABI = ["one", "two", "three", "four", "five"]


def hanabi(players: int) -> Twin:
    """Each seat is dealt its hand at once there, too; `together` are the points of all."""

    def called(spiel: Spiel, action: int) -> str:
        words = _told(spiel, action).strip("()").split()
        if words[0] != "Reveal":
            return f"{words[0].lower()}({int(words[1]) + 1})"
        other = SEATS_OF_HANABI[(spiel.current_player() + int(words[2])) % players]
        if words[3] == "rank":
            return f"hint_rank({other},{RANKS_OF_HANABI[int(words[4]) - 1]})"
        return f"hint_colour({other},{COLOURS_OF_HANABI['RYGWB'.index(words[4])]})"

    def feed(event: ChanceEvent, result: object) -> Pack:
        cards = [event.faces[place].split() for place in result]
        numbers = [5 * COLOURS_OF_HANABI.index(colour) + RANKS_OF_HANABI.index(rank) for colour, rank in cards]
        return Pack(numbers, event.size)

    def together(state: State, spiel: Spiel) -> list[float]:
        """Nothing if all lives are lost."""
        points = state.evaluate("points") if state.evaluate("lives") != 0 else 0
        return [float(str(points))] * players

    return Twin(
        "hanabi",
        f"hanabi(players={players})",
        called,
        options={"start": "ann"},
        players=players,
        returns=together,
        feed=feed,
    )


ROWS_OF_THE_STAR = [1, 2, 3, 4, 13, 12, 11, 10, 9, 10, 11, 12, 13, 4, 3, 2, 1]
PLACES_OF_THE_STAR = [
    f"{'abcdefghijklmnopq'[(17 - length - row) // 2 + step + 4]}{row + 1}"
    for row, length in enumerate(ROWS_OF_THE_STAR)
    for step in range(length)
]
"""Named as here, in the order in which they are numbered there: the rows from above, each from the left."""


def chinese_checkers(players: int, turns: int = 60) -> Twin:
    """Both let a chain of jumps end early; after many turns nobody has won."""
    ways = ["northwest", "northeast", "west", "east", "southwest", "southeast"]

    def called(spiel: Spiel, action: int) -> str | None:
        if action == 726:
            return "done" if len(spiel.legal_actions()) > 1 else None
        start, way = divmod(action, 6)
        return f"{'jump' if '=>' in _told(spiel, action) else 'go'}({PLACES_OF_THE_STAR[start]},{ways[way]})"

    return Twin(
        "chinese_checkers",
        f"chinese_checkers(players={players},max_moves={turns})",
        called,
        options={"most_turns": turns},
        players=players,
    )


FURTHER_TWINS = [
    *(_oh_hell(players, tricks) for players, tricks in ((3, 17), (7, 3))),
    *(_oshi_zumo(*table) for table in ((50, 3, 1, 1000), (10, 2, 0, 5))),
    *(_sealed_auction(*table) for table in ((2, 10), (3, 2), (6, 50))),
    quoridor(),
    *(_mensch(players) for players in (2, 3, 4)),
    *(hanabi(players) for players in (2, 3, 5)),
    *(chinese_checkers(players) for players in (2, 3, 4, 6)),
]
