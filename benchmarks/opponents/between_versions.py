"""`python -m benchmarks.opponents.between_versions CHECKOUT`: this version of the bots against one that is checked out.

Each side is a process of its own in its folder, and both play the same game, with the same seed, move by move. Thinking
times are those of the processor. With two seats, a rotation has two games, in which this version has each seat once.
With more, it has each seat once against the other version in all the others, and the other way round: an even share is
then 1/3 and 2/3 with three seats. When restarted with the same file, it continues where it stopped:

    git worktree add ../earlier REVISION
    python -m benchmarks.opponents.between_versions ../earlier --game china --players 3 --bot mcts:1s --into it.jsonl
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

Seats = tuple[int, ...]
"""The seats that this version plays in a game."""


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


def share(sides: Sequence[Side], name: str, players: int, seed: int, bot: str, own: Seats) -> float:
    """The share of the win that the first side has in a game in which it plays some seats."""
    positions = [side.ask(begin=[name, players, seed, bot]) for side in sides]
    seats = positions[0]["seats"]
    while True:
        deciding, moves, winners = (positions[0][key] for key in ("seat", "moves", "winners"))
        if any((one["seat"], one["moves"]) != (deciding, moves) for one in positions):
            raise RuntimeError(f"the two versions do not play the same game: {positions}")
        if deciding is None:
            return sum(seats[seat] in winners for seat in own) / len(winners)
        number = 0 if moves == 1 else sides[deciding not in own].choose()
        positions = [side.ask(make=number) for side in sides]


def rotation(players: int) -> list[Seats]:
    """The seats of this version in each game of a rotation: one after the other, then all but one."""
    alone: list[Seats] = [(seat,) for seat in range(players)]
    return alone if players == 2 else alone + [tuple(set(range(players)) - set(seats)) for seats in alone]


def report(games: Sequence[dict[str, Any]], players: int) -> None:
    """Say what share of the win this version had, by how many seats it played; of complete rotations the interval."""
    for count in sorted({len(one["seats"]) for one in games}):
        shares_by_number: dict[int, list[float]] = {}
        alike = [one for one in games if len(one["seats"]) == count]
        for one in alike:
            shares_by_number.setdefault(one["number"], []).append(one["share"])
        complete = [sum(shares) / players for shares in shares_by_number.values() if len(shares) == players]
        low, high = interval(complete)
        mean = sum(one["share"] for one in alike) / len(alike)
        print(
            f"{count} of {players} seats: {mean:.3f} of the wins in {len(alike)} games, even is {count / players:.3f} "
            f"({len(complete)} complete rotations: {low:.3f} to {high:.3f})"
        )
    for side in ("ours", "theirs"):
        choices = sum(one[f"{side}_choices"] for one in games)
        print(f"{side}: {sum(one[side] for one in games) / max(1, choices):.3f} s for each of {choices} choices")


def main() -> None:
    """Play what is missing, and say what came of it."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.opponents.between_versions", description=__doc__)
    parser.add_argument("checkout", type=Path, help="folder of the other version")
    parser.add_argument("--game", required=True, metavar="NAME")
    parser.add_argument("--players", type=int, default=2, metavar="N")
    parser.add_argument("--bot", default="mcts:1s", metavar="BOT")
    parser.add_argument("--rotations", type=int, default=20, metavar="N")
    parser.add_argument("--into", type=Path, required=True, metavar="FILE", help="file of results")
    asked = parser.parse_args()
    lines = asked.into.read_text("utf-8").splitlines() if asked.into.exists() else []
    same = {"game": asked.game, "players": asked.players, "bot": asked.bot, "checkout": asked.checkout.name}
    played = [one for one in map(json.loads, lines) if {key: one[key] for key in same} == same]
    games = [(number, own) for number in range(asked.rotations) for own in rotation(asked.players)]
    with Side(ROOT) as ours, Side(asked.checkout) as theirs:
        for number, own in games[len(played) :]:
            before = [(side.choices, side.seconds) for side in (ours, theirs)]
            value = share((ours, theirs), asked.game, asked.players, number, asked.bot, own)
            game = same | {"number": number, "seats": own, "share": value}
            for name, side, (choices, seconds) in zip(("ours", "theirs"), (ours, theirs), before, strict=True):
                game |= {name: round(side.seconds - seconds, 3), f"{name}_choices": side.choices - choices}
            played.append(game)
            with asked.into.open("a", encoding="utf-8") as file:
                file.write(json.dumps(game) + "\n")
            print(json.dumps(game), file=sys.stderr, flush=True)
    report(played, asked.players)


if __name__ == "__main__":
    main()
