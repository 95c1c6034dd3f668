"""`python -m benchmarks.opponents.between_versions CHECKOUT`: this version of the bots against one that is checked out.

Each side is a process of its own in its folder, and both play the same game, with the same seed, move by move. Thinking
times are those of the processor. When restarted with the same file, it continues where it stopped:

    git worktree add ../earlier REVISION
    python -m benchmarks.opponents.between_versions ../earlier --game mauerbauer --bot mcts:1s --into earlier.jsonl
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from collections.abc import Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any

from benchmarks.opponents.series import ROOT
from interpreter.laboratory.confidence import interval

WORKER = Path(__file__).with_name("version_worker.py")
PLAYERS = 2


class Side(AbstractContextManager["Side"]):
    """The process of one version, with the time its bot has thought."""

    def __init__(self, folder: Path) -> None:
        self._process = subprocess.Popen(
            [sys.executable, str(WORKER)], cwd=folder, text=True, stdin=subprocess.PIPE, stdout=subprocess.PIPE
        )
        self.choices, self.seconds = 0, 0.0

    def __exit__(self, *_: object) -> None:
        assert self._process.stdin is not None
        self._process.stdin.close()
        self._process.wait()

    def ask(self, **request: object) -> dict[str, Any]:
        """The answer to a request. Raises RuntimeError if the process ended."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        print(json.dumps(request), file=self._process.stdin, flush=True)
        line = self._process.stdout.readline()
        if not line:
            raise RuntimeError("the process of a version ended; what it wrote is above")
        answer: dict[str, Any] = json.loads(line)
        return answer

    def choose(self) -> int:
        """The number of the move that its bot makes."""
        answer = self.ask(choose=True)
        self.choices, self.seconds = self.choices + 1, self.seconds + answer["seconds"]
        return int(answer["move"])


def share(sides: Sequence[Side], name: str, seed: int, bot: str, seat: int) -> float:
    """The share of the win that the first side has in a game in which it plays a seat."""
    positions = [side.ask(begin=[name, PLAYERS, seed, bot]) for side in sides]
    seats = positions[0]["seats"]
    while True:
        deciding, moves, winners = (positions[0][key] for key in ("seat", "moves", "winners"))
        if any((one["seat"], one["moves"]) != (deciding, moves) for one in positions):
            raise RuntimeError(f"the two versions do not play the same game: {positions}")
        if deciding is None:
            return float((seats[seat] in winners) / len(winners))
        number = 0 if moves == 1 else sides[deciding != seat].choose()
        positions = [side.ask(make=number) for side in sides]


def main() -> None:
    """Play what is missing, and say what came of it."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.opponents.between_versions", description=__doc__)
    parser.add_argument("checkout", type=Path, help="folder of the other version")
    parser.add_argument("--game", required=True, metavar="NAME")
    parser.add_argument("--bot", default="mcts:1s", metavar="BOT")
    parser.add_argument("--rotations", type=int, default=20, metavar="N", help="pairs of games, one from each seat")
    parser.add_argument("--into", type=Path, required=True, metavar="FILE", help="file of results")
    asked = parser.parse_args()
    lines = asked.into.read_text("utf-8").splitlines() if asked.into.exists() else []
    same = {"game": asked.game, "bot": asked.bot, "checkout": asked.checkout.name}
    played = [one for one in map(json.loads, lines) if {key: one[key] for key in same} == same]
    with Side(ROOT) as ours, Side(asked.checkout) as theirs:
        for number in range(len(played), asked.rotations):
            before = [(side.choices, side.seconds) for side in (ours, theirs)]
            value = sum(share((ours, theirs), asked.game, number, asked.bot, seat) for seat in range(PLAYERS)) / PLAYERS
            times = [
                round((side.seconds - seconds) / max(1, side.choices - choices), 4)
                for side, (choices, seconds) in zip((ours, theirs), before, strict=True)
            ]
            played.append(same | {"number": number, "share": value, "ours": times[0], "theirs": times[1]})
            with asked.into.open("a", encoding="utf-8") as file:
                file.write(json.dumps(played[-1]) + "\n")
            print(json.dumps(played[-1]), file=sys.stderr, flush=True)
    shares = [float(one["share"]) for one in played]
    low, high = interval(shares)
    ours_mean, theirs_mean = (sum(one[key] for one in played) / len(played) for key in ("ours", "theirs"))
    print(
        f"{asked.game}, {asked.bot}: {sum(shares) / len(shares):.3f} in {PLAYERS * len(shares)} games "
        f"({low:.3f} to {high:.3f}); {ours_mean:.2f} s a choice against {theirs_mean:.2f} s"
    )


if __name__ == "__main__":
    main()
