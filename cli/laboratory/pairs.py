"""Playing pairs of games until the differences between the shares of the wins are known precisely enough.

After every block of pairs, playing stops if the widest interval of a difference is narrow enough. Only the width of the
intervals decides, not where they lie. So they remain valid although they are examined repeatedly: the narrower they
have to be, the closer their coverage is to 95 % (Chow and Robbins 1965).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import replace
from math import ceil
from pathlib import Path

from cli.errors import MisuseError
from cli.laboratory.running import BLOCK, Plan, Run, play_run
from cli.laboratory.series import Series, file_in, kept_games
from cli.progress import Stage, show_progress
from interpreter.analysis.figures import half_width
from interpreter.laboratory.comparing import mean_difference
from interpreter.laboratory.measures import measures_of
from interpreter.laboratory.records import GameRecord
from interpreter.laboratory.report import report_of
from interpreter.laboratory.setting import Setting
from interpreter.laboratory.statistics import Side


class KnownDifferences:
    """How precisely the differences between the shares of the wins are known so far: to within ±`half`."""

    def __init__(self, setting_a: Setting, setting_b: Setting) -> None:
        self._settings = setting_a, setting_b
        self._sides: tuple[dict[Side, None], dict[Side, None]] = {}, {}
        self._differences: dict[Side, Counter[float]] = {}
        self.pairs = 0

    def add(self, record_a: GameRecord, record_b: GameRecord) -> None:
        """Count one more pair of games."""
        self.pairs += 1
        for setting, sides, record in zip(self._settings, self._sides, (record_a, record_b), strict=True):
            sides.update(dict.fromkeys(setting.sides(record)))
        first, second = (setting.parts_won(r) for setting, r in zip(self._settings, (record_a, record_b), strict=True))
        for side in first | second:
            difference = second.get(side, 0.0) - first.get(side, 0.0)
            self._differences.setdefault(side, Counter())[difference] += 1

    @property
    def half(self) -> float:
        """Half the width of the widest interval of a difference, over the sides that both games have."""
        both = self._sides[0].keys() & self._sides[1].keys()
        return max(map(self._half_width_of, both), default=1.0) if self.pairs else 1.0

    def _half_width_of(self, side: Side) -> float:
        counts = self._differences.get(side, Counter[float]())
        estimate = mean_difference(counts + Counter({0.0: self.pairs - counts.total()}), bounded=True)
        return half_width(estimate.low, estimate.high)


def check_comparable(setting_a: Setting, setting_b: Setting) -> None:
    """Raise MisuseError if no seat of one game can be compared with a seat of the other."""
    first, second = (
        {measure.key for measure in measures_of(setting, ()) if measure.of_wins} for setting in (setting_a, setting_b)
    )
    if first.isdisjoint(second):
        raise MisuseError("--until: A and B have no seat in common, so there are no shares of wins to compare")


def play_pairs(plans: Sequence[tuple[str, Plan]], folder: Path | None, until: float) -> Series:
    """Play the games of two named plans until the differences are known to within ±`until`, or all games are played.

    If a folder is given, the games are kept in it. Those after the last block that was needed do not count. Raises
    KeyboardInterrupt if there is no game yet.
    """
    (_, plan_a), (_, plan_b) = plans
    differences, most = KnownDifferences(plan_a.setting, plan_b.setting), min(plan_a.games, plan_b.games)
    runs: list[Run] = []
    with ExitStack() as stack:
        games = [stack.enter_context(kept_games(plan.setting, file_in(folder, name))) for name, plan in plans]
        number, compared, note, reached, interrupted = min(BLOCK, most), 0, "", False, False
        while not reached:
            for place, ((name, plan), (held, add)) in enumerate(zip(plans, games, strict=True)):
                stage = Stage(name, total=number, place=f"{place + 1} of 2: {name}{note}")
                try:
                    with show_progress(stage):
                        runs[place : place + 1] = [play_run(replace(plan, games=number), held, add, stage)]
                except KeyboardInterrupt:
                    if not runs:
                        raise
                    interrupted = True
                if interrupted := interrupted or runs[place].interrupted:
                    break
            if interrupted or any(run.end < number for run in runs):
                break
            while compared < number and not reached:
                first, second = (held[compared] for held, _ in games)
                if isinstance(first, GameRecord) and isinstance(second, GameRecord):
                    differences.add(first, second)
                compared += 1
                reached = compared == most or (compared % BLOCK == 0 and differences.half <= until)
            number = _next(compared, differences.half, until, most)
            note = f", differences known to ±{100 * differences.half:.2f} %"
    if reached:
        runs = [replace(run, end=compared) for run in runs]
    requested = compared if reached else most
    reports = [
        report_of(plan.setting, run.finished, run.failed, requested)
        for (_, plan), run in zip(plans, runs, strict=False)
    ]
    return Series(tuple(reports), interrupted)


def _next(pairs: int, half: float, until: float, most: int) -> int:
    """The number of pairs to play before the next check: as many as are expected to suffice, but at most twice as many.

    Widths are inversely proportional to the square root of the number of pairs.
    """
    expected = ceil(pairs * (half / until) ** 2 / BLOCK) * BLOCK
    return min(most, max(pairs + BLOCK, min(2 * pairs, expected)))
