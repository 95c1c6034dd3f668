"""One side of `benchmarks/opponents/between_versions.py`: the bots of the checkout that is the current folder.

It reads requests as lines of JSON and answers each with one. Bots with a limit of time measure it by the processor,
because `perf_counter` is replaced before anything imports it.
"""

from __future__ import annotations

import importlib
import json
import sys
import time
from pathlib import Path
from typing import Any

WARM_UP = "mcts:2"


class Table:
    """A game on this side."""

    def __init__(self, name: str, players: int, seed: int, bot: str) -> None:
        game = importlib.import_module("interpreter.play.game").load(name, players)
        game.backend = "machine"
        self._driver = importlib.import_module("interpreter.opponents.driver").Driver
        spec_of = importlib.import_module("interpreter.opponents.specs").spec_of
        self._bot = spec_of(bot)
        self._drivers: dict[str, Any] = {}
        self.state = game.start(seed)
        warm = game.start(seed)
        while len(warm.legal_moves) == 1:
            warm.push(warm.legal_moves[0])
        self._driver(spec_of(WARM_UP), warm.player).play(warm)

    def choose(self) -> dict[str, Any]:
        """Let the bot choose: the number of its move, and the processor time it took."""
        seat = self.state.player
        driver = self._drivers.setdefault(seat, self._driver(self._bot, seat))
        begun = time.process_time()
        move = driver.play(self.state)
        seconds = time.process_time() - begun
        return {"move": self.state.legal_moves.index(move), "seconds": seconds}

    def make(self, number: int) -> dict[str, Any]:
        """Make a move."""
        self.state.push(self.state.legal_moves[number])
        return self.position()

    def position(self) -> dict[str, Any]:
        """What both sides have to agree on: who decides, among how many moves, and who has won."""
        state = self.state
        if state.player is None:
            return {"seat": None, "moves": 0, "winners": list(state.outcome.winners or state.game.seats)}
        return {"seat": state.game.seats.index(state.player), "moves": len(state.legal_moves), "winners": None}


def main() -> None:
    """Answer requests until there are no more."""
    time.perf_counter = time.process_time
    sys.path[0] = str(Path.cwd())
    table: Table | None = None
    for line in sys.stdin:
        request = json.loads(line)
        if "begin" in request:
            table = Table(*request["begin"])
            answer = table.position() | {"seats": list(table.state.game.seats)}
        else:
            assert table is not None
            answer = table.choose() if request == {"choose": True} else table.make(request["make"])
        print(json.dumps(answer), flush=True)


if __name__ == "__main__":
    main()
