"""The games that OpenSpiel has too, each with what its action ids are called here."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

from interpreter.chance import ChanceEvent
from interpreter.state import State
from tests.classic.twin import Feed, Pack, Spiel, Twin


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


def _rolled(event: ChanceEvent, rng: random.Random) -> tuple[Any, Pack]:
    """A die, or an option left to chance: its results are numbered alike."""
    assert event.kind in ("roll", "pick")
    results = rng.sample(range(event.size), event.size)
    return results[0], Pack(results, 1)


def _dealt(number: Callable[[str], int], most: int | None = None) -> Feed:
    """A shuffled stack, of which OpenSpiel is dealt the first `most` one by one; `number` is its id of a piece."""

    def feed(event: ChanceEvent, rng: random.Random) -> tuple[Any, Pack]:
        if event.kind != "shuffle":
            return _rolled(event, rng)
        order = rng.sample(range(event.size), event.size)
        return order, Pack([number(event.faces[place]) for place in order], most or event.size)

    return feed


def _scored(state: State, spiel: Spiel) -> list[float]:
    """What each seat gets is its score."""
    assert state.outcome is not None
    return [float(state.outcome.scores[seat][0]) for seat in state.game.seats]


def _kuhn(spiel: Spiel, action: int) -> str:
    facing = "b" in str(spiel)
    return (["fold", "call"] if facing else ["check", "bet"])[action]


def _bid(spiel: Spiel, action: int) -> str:
    words = _told(spiel, action)
    if words == "Liar":
        return "call_liar"
    quantity, face = words.split("-")
    return f"bid({quantity},{FACES[int(face) - 1]})"


FACES = ["one", "two", "three", "four", "five", "six"]
SUITS = ["clubs", "diamonds", "hearts", "spades"]
RANKS = ["two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "jack", "queen", "king", "ace"]


def _heart(card: str) -> int:
    rank, suit = card.split()
    return RANKS.index(rank) * 4 + SUITS.index(suit)


def _hearts(spiel: Spiel, action: int) -> str:
    rank, suit = divmod(action, 4)
    verb = "pass_on" if "Pass Direction: No" not in str(spiel) and len(spiel.full_history()) < 65 else "play"
    return f"{verb}({RANKS[rank]}{SUITS[suit]})"


def _penalty(state: State, spiel: Spiel) -> list[float]:
    assert state.outcome is not None
    return [26.0 - state.outcome.scores[seat][0] for seat in state.game.seats]


def _nim(spiel: Spiel, action: int) -> str:
    return f"take({action % 4 + 1},{action // 4 + 1})"


TWINS = [
    Twin("tic_tac_toe", "tic_tac_toe", lambda spiel, action: f"put({_square(action, 3)})"),
    Twin("connect_four", "connect_four", lambda spiel, action: f"drop({action + 1})"),
    Twin("breakthrough", "breakthrough", _breakthrough),
    Twin("hex", "hex", lambda spiel, action: f"put({_square(action, 11)})"),
    Twin("hex", "hex(board_size=5)", lambda spiel, action: f"put({_square(action, 5)})", options={"size": 5}),
    Twin("othello", "othello", _othello),
    Twin("checkers", "checkers", _checkers),
    Twin("nine_mens_morris", "nine_mens_morris", _morris),
    Twin("mancala", "mancala", _mancala),
    Twin(
        "pig",
        "pig(winscore=50,horizon=100000)",
        lambda spiel, action: ["throw", "hold"][action],
        options={"goal": 50},
        feed=_rolled,
    ),
    Twin("nim", "nim", _nim),
    Twin("nim", "nim(is_misere=false)", _nim, options={"last_loses": False}),
    Twin(
        "kuhn_poker",
        "kuhn_poker",
        _kuhn,
        returns=_scored,
        feed=_dealt(["jack", "queen", "king"].index, 2),
        hidden=True,
    ),
    Twin(
        "leduc_poker",
        "leduc_poker",
        lambda spiel, action: ["fold", "call", "bet"][action],
        returns=_scored,
        feed=_dealt([f"{rank} {suit}" for rank in RANKS[9:12] for suit in ("spades", "hearts")].index, 3),
        hidden=True,
    ),
    Twin("liars_dice", "liars_dice", _bid, feed=_dealt(lambda side: FACES.index(side.split()[-1]), 1), hidden=True),
    Twin(
        "liars_dice",
        "liars_dice(numdice=2)",
        _bid,
        options={"dice": 2},
        feed=_dealt(lambda side: FACES.index(side.split()[-1]), 1),
    ),
    Twin(
        "goofspiel",
        "turn_based_simultaneous_game(game=goofspiel())",
        lambda spiel, action: f"bid({('ann', 'ben')[spiel.current_player()]}{action + 1})",
        feed=_dealt(lambda prize: int(prize) - 1),
        last_alone=True,
    ),
    Twin("hearts", "hearts", _hearts, players=4, returns=_penalty, feed=_dealt(_heart)),
]
