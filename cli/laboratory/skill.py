"""Measuring how much skill a game rewards: how often each bot of a ladder beats the one before it."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path

from cli.arena.playing import Contest, play_missing
from cli.progress import Stage, show_progress
from dsl.lazy_dataclasses import dataclass
from interpreter.laboratory.pairings import Pairing, PlayedGames
from interpreter.laboratory.report import LadderStep
from interpreter.laboratory.results_file import Header, arena_form, kept_results
from interpreter.laboratory.setting import Setting
from interpreter.opponents.matches import seatings, sides_of
from interpreter.opponents.specs import BotSpec, SpecProblem, spec_of

LADDER = ("random", "greedy", "mcts:30", "mcts:120", "mcts:480")
"""Bots, each expected to be stronger than the one before; each `mcts` thinks four times as long as the one before."""

MOST_OF_TWO = 10_000
"""The maximum number of games of a bot against the one before it."""


@dataclass(frozen=True)
class Skill:
    """The steps of the ladder; `interrupted` if not all games were played."""

    steps: tuple[LadderStep, ...]
    interrupted: bool = False


def skill_of(setting: Setting, games: int, jobs: int, path: Path | None) -> Skill:
    """Let every bot of the ladder play `games` games against the one below it; a file keeps them if a path is given."""
    game = setting.game
    bots = tuple(_spec(name) for name in LADDER)
    sides = sides_of(game, setting.seed)
    steps = [
        Pairing(better, weaker, sides, -(-games // len(seatings(sides, better, weaker))))
        for weaker, better in pairwise(range(len(bots)))
    ]
    contest, interrupted = Contest(game, setting.options, bots, setting.seed), False
    header = Header.of(game, bots, setting.seed)
    with kept_results(path, arena_form(len(game.seats), len(bots)), header) as file:
        results: PlayedGames = {} if file is None else file.results
        add = results.__setitem__ if file is None else file.add
        try:
            with show_progress(stage := Stage(total=1, place="skill")):
                play_missing(contest, steps, results, add, jobs, stage)
        except KeyboardInterrupt:
            interrupted = True
        for step in steps:
            step.advance(results)
    return Skill(tuple(_steps(steps)), interrupted)


def _spec(name: str) -> BotSpec:
    spec = spec_of(name)
    assert not isinstance(spec, SpecProblem)
    return spec


def _steps(pairings: Sequence[Pairing]) -> list[LadderStep]:
    return [
        LadderStep(
            LADDER[pairing.first], LADDER[pairing.second], pairing.share, *pairing.interval, pairing.even, pairing.games
        )
        for pairing in pairings
        if pairing.games
    ]
