"""The games that OpenSpiel has too, each with what its action ids are called here."""

from __future__ import annotations

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


TWINS = [
    Twin("tic_tac_toe", "tic_tac_toe", lambda spiel, action: f"put({_square(action, 3)})"),
    Twin("connect_four", "connect_four", lambda spiel, action: f"drop({action + 1})"),
    Twin("breakthrough", "breakthrough", _breakthrough),
    Twin("hex", "hex", lambda spiel, action: f"put({_square(action, 11)})"),
    Twin(
        "hex", "hex(board_size=5)", lambda spiel, action: f"put({_square(action, 5)})", options={"size": 5}
    ),
    Twin("othello", "othello", _othello),
]
