"""Playing the games of a run that are still missing, in several processes, until there are enough."""

from __future__ import annotations

import pickle
import re
from collections import Counter, deque
from collections.abc import Generator, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, ExitStack, closing
from dataclasses import replace
from functools import partial
from itertools import chain
from math import ceil
from pathlib import Path
from statistics import median

from dsl.lazy_dataclasses import dataclass
from dsl.text.files import special_at
from interpreter.analysis.figures import half_width, share
from interpreter.analysis.playouts import MAX_CUT_OFF
from interpreter.analysis.workers import Progress, Stop, Watch, never, spread, unwatched
from interpreter.arguments import Backend
from interpreter.errors import Interrupted, RunError, UsageError
from interpreter.laboratory.cluster import played_on_cluster
from interpreter.laboratory.comparing import Comparison, compare, mean_difference
from interpreter.laboratory.courses import FailedRecord, GameRecord, Record
from interpreter.laboratory.measures import measures_of
from interpreter.laboratory.playing import Crew, Parameters, PlayedChunk, load_and_play, play_chunks
from interpreter.laboratory.report import Report, report_of
from interpreter.laboratory.results_file import Results, games_form, kept_results
from interpreter.laboratory.setting import Setting, Side

BLOCK = 100
"""The number of games between two checks of whether there are enough; it does not depend on the number of processes."""

LARGE, SMALL = 25, 1
"""Games per chunk: of random games, and of games in which bots think or that are analysed in detail."""


ROLLOUTS = 100
"""Random games from each moment of a game that is analysed in detail."""


@dataclass(frozen=True)
class Plan:
    """What is to be played: at most `games` games, the first `details` of which are analysed in detail.

    With `until`, the run ends once the share of the wins of every side is known to within ±`until`. `rollouts` is the
    number of random games from each moment of a game that is analysed in detail. The games are played in `jobs`
    processes, or on the cluster whose scheduler has the address `on`.
    """

    setting: Setting
    games: int
    details: int = 0
    rollouts: int = ROLLOUTS
    until: float | None = None
    backend: Backend = "auto"
    jobs: int = 1
    on: str | None = None

    def lacks(self, records: Mapping[int, Record], number: int) -> bool:
        """True if a game has yet to be played, or to be analysed in detail."""
        record = records.get(number)
        return record is None or (number < self.details and isinstance(record, GameRecord) and record.course is None)


@dataclass
class Run:
    """The games played so far, by number; the first `end` of them count.

    A run that was `interrupted` has fewer than were planned; `by_keyboard`: because of Ctrl-C.
    """

    records: Mapping[int, Record]
    end: int = 0
    interrupted: bool = False
    by_keyboard: bool = False

    def report(self, plan: Plan) -> Report:
        """The report of the games that count."""
        counted = [self.records[number] for number in range(self.end)]
        return report_of(
            plan.setting,
            [record for record in counted if isinstance(record, GameRecord)],
            [record for record in counted if isinstance(record, FailedRecord)],
            plan.games,
            self.interrupted,
        )


def play_run(plan: Plan, stored: Results[int, Record], watch: Watch = unwatched, stop: Stop = never) -> Run:
    """Play the games of a plan that are missing from `kept`, and add them.

    If a run is interrupted, or stopped because several games were cut off, the games before the first missing one
    count. Raises KeyboardInterrupt if there are none.
    """
    # Example: `until` is 1 %, games 0 to 399 are in the file, there are two processes. Games 400 to 799 arrive in
    # chunks, but are counted one by one, in order, and after each block the rule says whether to stop. If it says so
    # after game 599, games that arrived later are in the file but do not count: with any number of processes, and
    # however often the run was interrupted, the same games count.
    #
    # INVARIANT: the games before `run.end` have been given to `stopping` in the order of their numbers, each once.
    records = stored.results
    run, stopping = Run(records), _StoppingRule(plan)
    gaps = list(_gaps(plan, records))
    detailed, pace = {number for gap in gaps if gap.start < plan.details for number in gap}, Pace()
    played_now: set[int] = set()  # an analysis fails if rules are nested too deeply, and is not tried again
    completed, total, seconds_left, crew = plan.games - sum(map(len, gaps)), plan.games, None, Crew()

    def can_count() -> bool:
        return not stopping.reached and (run.end in played_now or not plan.lacks(records, run.end))

    def show() -> None:
        note = _detail_note(plan, run.end) or stopping.note
        watch(Progress(completed, total, seconds_left, note, crew.place))

    try:
        with closing(_played(plan, _chunks(plan, gaps), crew)) as parcels:
            while run.end < plan.games and not stopping.reached:
                if can_count():
                    stopping.add(records[run.end])
                    run.end += 1
                    continue
                show()
                if stop():
                    run.interrupted = True
                    break
                played = next(parcels)
                stored.add((record.number, record) for record in played.records)
                numbers = {record.number for record in played.records}
                if numbers:
                    pace.add(not numbers.isdisjoint(detailed), len(numbers), played.seconds)
                detailed -= numbers
                played_now |= numbers
                completed += len(numbers)
                total = min(plan.games, max(stopping.expected, completed))
                others = total - completed - len(detailed)
                seconds_left = pace.remaining_seconds(len(detailed), max(0, others), crew.processes)
        show()
    except KeyboardInterrupt:
        while run.end < plan.games and can_count():  # kept, but the interruption came before they were counted
            run.end += 1
        if not run.end:
            raise
        run.interrupted = run.by_keyboard = True
    return run


def _detail_note(plan: Plan, number: int) -> str:
    """The progress note while the next game is analysed in detail: one takes long enough for the bar to stand still."""
    return f"analysing game {number + 1} of {plan.details} in detail" if number < plan.details else ""


def _gaps(plan: Plan, records: Mapping[int, Record]) -> Iterator[range]:
    """The missing games as ranges, separate ones for games to be analysed in detail and for others."""
    # Games 2 and 5 of 8 are there, the first 4 are to be analysed: 0-1, 3, 4, 6-7. `middle` ends the part in detail.
    present = sorted(number for number in records if number < plan.games and not plan.lacks(records, number))
    start = 0
    for number in (*present, plan.games):
        middle = min(max(start, plan.details), number)
        yield from filter(None, (range(start, middle), range(middle, number)))
        start = number + 1


def _chunks(plan: Plan, gaps: Sequence[range]) -> list[range]:
    """The missing games, divided into chunks."""
    quick = plan.setting.is_random
    chunks = [
        gap[first : first + size]
        for gap in gaps
        for size in (LARGE if quick and gap.start >= plan.details else SMALL,)
        for first in range(0, len(gap), size)
    ]
    return _with_early_sample(plan, chunks)


def _with_early_sample(plan: Plan, chunks: list[range]) -> list[range]:
    """Move one chunk of games without details close to the start, so that their pace is soon known."""
    # Games to be analysed in detail have the first numbers, and all others would come after them: until then nothing
    # could be said of the time that is left. In place `jobs`, the chunk is the second of the first process.
    first = next((place for place, chunk in enumerate(chunks) if chunk[0] >= plan.details), 0)
    if first > plan.jobs:
        chunks.insert(plan.jobs, chunks.pop(first))
    return chunks


def _played(plan: Plan, chunks: Sequence[range], crew: Crew) -> Generator[PlayedChunk, None, None]:
    """Play the chunks and yield their games in order, regardless of the process that played them."""
    setting = plan.setting
    crew.processes = max(1, min(plan.jobs, len(chunks)))
    parameters = Parameters(setting.bots, setting.seed, plan.details, plan.rollouts, plan.backend)
    if plan.on is not None:
        yield from played_on_cluster(plan.on, setting, parameters, chunks, crew)
    elif crew.processes < 2:
        yield from chain.from_iterable(play_chunks(setting.game, parameters, chunks))
    else:
        yield from spread(partial(load_and_play, pickle.dumps(setting.game), parameters), chunks, plan.jobs)


class _StoppingRule:
    """Tells whether the games counted so far are enough for a plan.

    `expected` is the number of games likely to be needed: widths are inversely proportional to the square root of it.
    """

    def __init__(self, plan: Plan) -> None:
        self.setting, self.until = plan.setting, plan.until
        self.games = self.finished = self.cut_off = 0
        self.parts: dict[Side, Counter[float]] = {}
        self.reached = False
        self.note = ""
        self.expected = plan.games

    def add(self, record: Record) -> None:
        """Count one more game."""
        self.games += 1
        if isinstance(record, FailedRecord):
            self.cut_off += record.failed.cut_off
            self.reached = self.cut_off >= MAX_CUT_OFF
            return
        self.finished += 1
        for side in self.setting.sides(record):
            self.parts.setdefault(side, Counter())
        for side, part in self.setting.parts_won(record).items():
            self.parts[side][part] += 1
        if self.games % BLOCK == 0:
            half = self._half_width()
            self.note = f"shares of the wins known to ±{100 * half:.2f} %"
            if self.until is not None:
                self.reached = half <= self.until
                self.expected = -(-ceil(self.games * (half / self.until) ** 2) // BLOCK) * BLOCK

    def _half_width(self) -> float:
        """Half the width of the widest interval of a share of the wins."""
        return max(map(self._half_width_of, self.parts.values()), default=1.0)

    def _half_width_of(self, parts: Counter[float]) -> float:
        counts = parts + Counter({0.0: self.finished - parts.total()})
        figure = share(counts)
        return half_width(figure.low, figure.high)


# ---- The pace at which the games of a run are played, and the time that the rest will take
# A game that is analysed in detail takes much longer than one that is only played, and such games come first. Each of
# the two kinds has a pace of its own.


RECENT = 200
"""The number of latest chunks of each kind that count: games become faster once the machine engine plays them."""


class Pace:
    """The seconds that one process takes per game of each kind, estimated from the chunks played so far.

    The estimate is the median over chunks, because the first chunk of each process includes compiling the rules.
    """

    def __init__(self) -> None:
        self._seconds: dict[bool, deque[float]] = {detailed: deque(maxlen=RECENT) for detailed in (True, False)}

    def add(self, detailed: bool, games: int, seconds: float) -> None:
        """Record the seconds that a process took for some games, all of which were analysed in detail, or none."""
        self._seconds[detailed].append(seconds / games)

    def remaining_seconds(self, detailed: int, others: int, processes: int) -> float | None:
        """The seconds that the rest of the games will take; None while the pace of a kind that remains is not known."""
        seconds_of_work = 0.0
        for number, seconds in ((detailed, self._seconds[True]), (others, self._seconds[False])):
            if number:
                if not seconds:
                    return None
                seconds_of_work += number * median(seconds)
        return seconds_of_work / max(1, min(processes, detailed + others))


# ---- Runs with their games in a file


def simulated(plan: Plan, path: Path | None = None, watch: Watch = unwatched, stop: Stop = never) -> Report:
    """Play a run, and keep its games in a file if a path is given. Raises Interrupted with the report after Ctrl-C."""
    with kept_run(plan, path) as stored:
        run = play_run(plan, stored, watch, stop)
    report = run.report(plan)
    if run.by_keyboard:
        raise Interrupted(report)
    return report


def kept_run(plan: Plan, path: Path | None) -> AbstractContextManager[Results[int, Record]]:
    """The games of a run that a file holds, if a path is given; it is open within the block."""
    return kept_results(path, games_form(len(plan.setting.game.seats)), plan.setting.header)


def file_in(folder: Path | None, run: str) -> Path | None:
    """The file of a run in a folder, which is created if it does not exist. Raises RunError, OSError."""
    if folder is None:
        return None
    if folder.exists() and not folder.is_dir():
        raise RunError(f"{folder} is {special_at(folder) or 'a file'}, not a folder")
    folder.mkdir(parents=True, exist_ok=True)
    return folder / f"{re.sub(r'[^A-Za-z0-9_=.+-]+', '_', run)}.jsonl"


# ---- Playing pairs of games until the differences between the shares of the wins are known precisely enough
#
# After every block of pairs, playing stops if the widest interval of a difference is narrow enough. Only the width of
# the intervals decides, not where they lie. So they remain valid although they are examined repeatedly: the narrower
# they have to be, the closer their coverage is to 95 % (Chow and Robbins 1965).


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
    """Raise UsageError if no seat of one game can be compared with a seat of the other."""
    first, second = (
        {measure.key for measure in measures_of(setting, ()) if measure.of_wins} for setting in (setting_a, setting_b)
    )
    if first.isdisjoint(second):
        raise UsageError("A and B have no seat in common, so there are no shares of wins to know")


def compared(
    plan_a: Plan, plan_b: Plan, folder: Path | None = None, watch: Watch = unwatched, stop: Stop = never
) -> Comparison:
    """Play the games of two plans and compare them; with `until`, only until the differences are known that precisely.

    If a folder is given, the games are kept in it. Those after the last block that was needed do not count. After
    Ctrl-C, raises Interrupted with the comparison of what was played, KeyboardInterrupt if there is no game yet.
    """
    # Example: up to 1,000 pairs, until ±3 %. A plays games 0 to 99, then B; if the differences of these hundred pairs
    # are known to ±6 %, about four times as many are needed, so both play on to 200, then to 400.
    until, most = plan_a.until, min(plan_a.games, plan_b.games)
    if until is not None:
        check_comparable(plan_a.setting, plan_b.setting)
    plans = [replace(plan, games=most, until=None) for plan in (plan_a, plan_b)]
    differences = KnownDifferences(plan_a.setting, plan_b.setting)
    runs: list[Run] = [Run({}, interrupted=True), Run({}, interrupted=True)]
    with ExitStack() as stack:
        kept = [
            stack.enter_context(kept_run(plan, file_in(folder, name))) for plan, name in zip(plans, "ab", strict=True)
        ]
        number, compared, note, reached = most if until is None else min(BLOCK, most), 0, "", False
        while not reached:
            for place, plan in enumerate(plans):
                show = partial(_show, watch, number, place, runs[1 - place].end, note)
                try:
                    runs[place] = play_run(replace(plan, games=number), kept[place], show, stop)
                except KeyboardInterrupt:
                    if not runs[0].end:
                        raise
                    runs[place].interrupted = runs[place].by_keyboard = True
                if runs[place].interrupted:
                    break
            if any(run.interrupted or run.end < number for run in runs):
                break
            while compared < number and not reached:
                first, second = (games.results[compared] for games in kept)
                if until is not None and isinstance(first, GameRecord) and isinstance(second, GameRecord):
                    differences.add(first, second)
                compared += 1
                reached = compared == most or (compared % BLOCK == 0 and differences.half <= (until or 0.0))
            if until is not None:
                number = _next(compared, differences.half, until, most)
                note = f"differences known to ±{100 * differences.half:.2f} %"
    if reached:
        runs, plans = [replace(run, end=compared) for run in runs], [replace(plan, games=compared) for plan in plans]
    comparison = compare(*(run.report(plan) for run, plan in zip(runs, plans, strict=True)))
    if any(run.by_keyboard for run in runs):
        raise Interrupted(comparison)
    return comparison


def _show(watch: Watch, number: int, place: int, others: int, note: str, progress: Progress) -> None:
    """Pass the progress of one side on as that of both."""
    words = ", ".join(filter(None, (f"{place + 1} of 2: {'ab'[place]}", note, progress.place)))
    seconds_left = progress.seconds_left if place else None
    watch(
        replace(
            progress, completed=progress.completed + others, total=2 * number, seconds_left=seconds_left, place=words
        )
    )


def _next(pairs: int, half: float, until: float, most: int) -> int:
    """The number of pairs to play before the next check: as many as are expected to suffice, but at most twice as many.

    Widths are inversely proportional to the square root of the number of pairs.
    """
    expected = ceil(pairs * (half / until) ** 2 / BLOCK) * BLOCK
    return min(most, max(pairs + BLOCK, min(2 * pairs, expected)))
