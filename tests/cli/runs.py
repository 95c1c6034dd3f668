"""Runs of small games, for tests of what the laboratory writes."""

from __future__ import annotations

import random
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

from cli.laboratory.sweeping import Choice, Sweep, selected
from interpreter.analysis.failed_games import Failed
from interpreter.laboratory.courses import PARTS, Course, Courses, FailedRecord, GameRecord, Picks
from interpreter.laboratory.playing import records
from interpreter.laboratory.report import Report, report_of
from interpreter.laboratory.setting import Setting
from interpreter.opponents.specs import BotSpec
from interpreter.play.game import Game, load

MARKET = """game "Market" for 2 to 3 players red, green, ann

option goal: 6..12 = 12

== components ==

type Good is silk, tea, salt
piece Crate: 4 for each good: Good in wharf
zone wharf holds Crate
zone shelf[p: Player] holds Crate
note points[p: Player]: 0..99 = 0
note turns: 0..20 = 0
die luck: 1, 2, 3, 4, 5, 6

== phases ==

phase main, turns from red, over when turns is goal:
    add 1 to turns
    must load or trade or rest

action load(c in wharf):
    "load {c}"
    move c to shelf[me]
    add value(c) to points[me] because "{c} on the shelf"

action trade:
    "trade with the market"
    roll luck
    if luck > 4: add 3 to points[me] because "a good bargain"

action rest:
    "rest"
    require turns > 11 because "there is work to do"

define value(c: Crate):
    3 if c is silk
    2 if c is tea
    1 otherwise

== scoring ==

winner highest points[me] then lowest count shelf[me]
"""

EVIL = "</script><img src=x onerror=alert(1)><b>&amp;"
"""What nobody should write into rules."""

HOSTILE = (
    MARKET.replace('game "Market"', f'game "{EVIL}"')
    .replace('because "a good bargain"', f'because "{EVIL}"')
    .replace('because "{c} on the shelf"', "because \"' + alert(1) + ' {c}\"")
)
"""The same game with texts that would do something in a page if they were read as anything but text."""


def game_of(rules: str, players: int = 3, goal: int = 12) -> Game:
    """A game from the text of its rules."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / "market.rules"
        path.write_text(rules, encoding="utf-8")
        return load(path, players, options={"goal": goal})


def setting_of(game: Game, seed: int = 7) -> Setting:
    """A setting with random bots."""
    return Setting(game, tuple(BotSpec("random", "random") for _ in game.seats), seed)


@cache
def run_of(rules: str = MARKET, games: int = 60, details: int = 15, players: int = 3, goal: int = 12) -> Report:
    """The report of a real run."""
    setting = setting_of(game_of(rules, players, goal))
    courses = Courses(setting.game, 6, "python")
    found = [*records(courses, setting.bots, setting.seed, range(games), lambda number: number < details)]
    return report_of(setting, [record for record in found if isinstance(record, GameRecord)], [], games)


def sweep_of(*goals: int) -> Sweep:
    """A sweep over the length of the game."""
    reports = tuple(run_of(games=40, details=0, goal=goal) for goal in goals)
    options = [{"goal": str(goal)} for goal in goals]
    choices = tuple(Choice(options=each, varied=each) for each in options)
    return Sweep(choices, reports, selected(reports, ()))


def made_up(game: Game, games: int, details: int, failed: int = 0, seed: int = 1) -> Report:
    """A report of games that nobody played, some of which failed: one number, higher or lower, decides each."""
    rng = random.Random(seed)
    kinds = len(setting_of(game).criteria)
    found = [_record(rng, number, len(game.seats), kinds, number < details) for number in range(games)]
    faults = [
        FailedRecord(number, Failed(7 + number, 4, game.seats[0], "rest", "11 is too much", f"m.rules:{number % 2}:5"))
        for number in range(games, games + failed)
    ]
    return report_of(setting_of(game), found, faults, games + failed + 5)


def _record(rng: random.Random, number: int, seats: int, kinds: int, detailed: bool) -> GameRecord:
    scores = tuple(tuple(rng.randrange(-40, 900) for _ in range(kinds)) for _ in range(seats))
    decisions = rng.randrange(20, 90)
    best = max(scores)
    winners = tuple(seat for seat in range(seats) if scores[seat] == best)
    course = _course(rng, scores, winners, decisions) if detailed else None
    return GameRecord(number, winners, scores, (), decisions, decisions * 4, 9, course)


def _course(rng: random.Random, scores: Sequence[Sequence[int]], winners: tuple[int, ...], decisions: int) -> Course:
    seats = len(scores)
    shares = [[rng.random() for _ in range(seats)] for _ in range(PARTS)]
    even = [tuple(share / sum(row) for share in row) for row in shares]
    even.append(tuple(float(seat in winners) / len(winners) for seat in range(seats)))
    return Course(
        forced=decisions // 5,
        branching=tuple(rng.uniform(2, 9) for _ in range(PARTS)),
        scores=tuple(tuple(scores[seat][0] * part // PARTS for part in range(PARTS + 1)) for seat in range(seats)),
        shares=tuple(zip(*even, strict=True)),
        repeats=rng.randrange(1, 4),
        branches=(),
        points=(),
        picks=(Picks("silk", 5, rng.randrange(5)),),
    )
