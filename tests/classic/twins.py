"""The games that OpenSpiel has too, each with what its action ids are called here."""

from __future__ import annotations

import random

from interpreter.chance import ChanceEvent
from tests.classic.twin import Spiel, Twin


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


def _rolled(event: ChanceEvent, spiel: Spiel, rng: random.Random) -> int:
    """A die, each face as likely there as here."""
    assert event.kind == "roll"
    outcomes = spiel.chance_outcomes()
    assert [face for face, _ in outcomes] == list(range(event.size))
    assert all(abs(probability - 1 / event.size) < 1e-12 for _, probability in outcomes)
    face = rng.randrange(event.size)
    spiel.apply_action(face)
    return face


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
]
