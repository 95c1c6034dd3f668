"""Further games that OpenSpiel has too: tricks that are bid, coins, walls and races, each with its action ids."""

from __future__ import annotations

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


def _oshi_zumo(coins: int, least_bid: int, rounds: int) -> Twin:
    return Twin(
        "oshi_zumo",
        f"turn_based_simultaneous_game(game=oshi_zumo(coins={coins},min_bid={least_bid},horizon={rounds}))",
        lambda spiel, action: f"bid({action})",
        options={"coins": coins, "least_bid": least_bid, "most_rounds": rounds},
    )


def _quoridor(spiel: Spiel, action: int) -> str:
    """Rows are counted from above there, and a wall is named by its upper left square."""
    words = _told(spiel, action)
    column, row = words[0], int(words[1])
    if len(words) == 2:
        return f"go({column}{10 - row})"
    return f"build({column}{9 - row},{'upright' if words[2] == 'v' else 'level'})"


FURTHER_TWINS = [
    *(_oh_hell(players, tricks) for players, tricks in ((3, 17), (7, 3))),
    *(_oshi_zumo(*table) for table in ((50, 1, 1000), (10, 0, 5))),
    Twin("quoridor", "quoridor", _quoridor),
]
