"""The measures of games: one number per game, computed from its record, for tables, comparisons and exports alike."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from typing import Literal

from dsl.lazy_dataclasses import dataclass
from interpreter.analysis.figures import Figure, amount, figure, share, within
from interpreter.laboratory.courses import Course, GameRecord
from interpreter.laboratory.setting import TOGETHER, Criterion, Setting, Side
from interpreter.laboratory.tension import Teams, decisiveness, drama, lead_changes, settled, uncertainty

Value = Callable[[GameRecord], float | None]

MeasureKind = Literal["win", "part", "amount", "number"]
"""The kind of the values: 1 for a win, 0 for none and fractions for shared wins; anything from 0 to 1; anything that
cannot be negative; any number. It alone determines the kind of interval of the mean."""

INTERVALS: dict[MeasureKind, Callable[[Iterable[float]], Figure]] = {
    "win": share,
    "part": within,
    "amount": amount,
    "number": figure,
}


@dataclass(frozen=True)
class Measure:
    """A number that every game has, or some games have.

    `key` names the measure in files, such as `win:red`, `words` in tables. `subject` is the seat or team it is about,
    if any. `value` is None for a game that has none; a measure that `needs_course` has values only for games analysed
    in detail.
    """

    key: str
    words: str
    kind: MeasureKind
    value: Value
    subject: str | None = None
    needs_course: bool = False

    @property
    def share(self) -> bool:
        """True for values from 0 to 1, which are shown as percentages."""
        return self.kind in ("win", "part")

    @property
    def of_wins(self) -> bool:
        """True for the measure of the games that a seat or team wins."""
        return self.key.startswith("win:")

    def values(self, records: Iterable[GameRecord]) -> list[float]:
        """The values of the games that have one."""
        return [value for record in records if (value := self.value(record)) is not None]

    def figure(self, records: Iterable[GameRecord]) -> Figure | None:
        """Mean, interval and extremes over the games that have a value; None if there is none."""
        values = self.values(records)
        return INTERVALS[self.kind](values) if values else None


def measures_of(setting: Setting, records: Sequence[GameRecord]) -> tuple[Measure, ...]:
    """All measures of a setting, in the order in which tables list them; its teams are those in the `records`."""
    return tuple(_all(setting, records))


def _all(setting: Setting, records: Sequence[GameRecord]) -> Iterator[Measure]:
    several = len(setting.game.seats) > 1 and not setting.together
    yield from _wins(setting, records)
    for number in range(len(setting.criteria)):
        for place, seat in enumerate(setting.seats_with_figures):
            yield _score(setting, number, place, seat)
    if several and setting.criteria and not setting.criteria[0].condition:
        # a seat that is ahead does not win if it fails a condition
        kind: MeasureKind = "number" if any(criterion.condition for criterion in setting.criteria) else "amount"
        yield Measure("margin", f"margin in {setting.criteria[0].words}", kind, partial(_margin, setting))
    yield Measure("decisions", "decisions per game", "amount", lambda record: record.decisions)
    yield Measure("moves", "legal moves per decision", "amount", _moves)
    yield Measure("widest", "most legal moves at a decision", "amount", lambda record: record.widest)
    yield _course_measure("forced", "forced decisions", "part", _forced)
    yield _course_measure("returns", "most returns to one position", "amount", _returns)
    if several:
        for key, words, kind, value in TENSION:
            yield _course_measure(key, words, kind, partial(_tension, value))


TENSION: tuple[tuple[str, str, MeasureKind, Callable[[Course, Teams], float | None]], ...] = (
    ("lead_changes", "changes of the lead", "amount", lead_changes),
    ("settled", "game settled after", "part", settled),
    ("uncertainty", "uncertainty", "part", uncertainty),
    ("drama", "drama", "part", drama),
    ("decisiveness", "decisiveness", "part", decisiveness),
)
"""The measures of tension, for games of several sides."""


def _tension(value: Callable[[Course, Teams], float | None], course: Course, record: GameRecord) -> float | None:
    return value(course, record.teams)


def _moves(record: GameRecord) -> float | None:
    return record.choices / record.decisions if record.decisions else None


def _forced(course: Course, record: GameRecord) -> float | None:
    return course.forced / record.decisions if record.decisions else None


def _returns(course: Course, _: GameRecord) -> float:
    """How often the most frequent position recurred; 0 for a game without decisions."""
    return max(0, course.repeats - 1)


def _course_measure(
    key: str, words: str, kind: MeasureKind, value: Callable[[Course, GameRecord], float | None]
) -> Measure:
    def of(record: GameRecord) -> float | None:
        return None if record.course is None else value(record.course, record)

    return Measure(key, words, kind, of, needs_course=True)


def _wins(setting: Setting, records: Sequence[GameRecord]) -> Iterator[Measure]:
    seats, together = setting.game.seats, setting.together
    if not together:
        for seat in seats:
            yield _win(setting, seat, None)
    teams = dict.fromkeys(team for record in records for team in record.teams if team is not None)
    # A team named after a seat, such as the first of two partners, has the figure of its seats.
    for team in [TOGETHER] if together else [team for team in teams if team not in seats]:
        yield _win(setting, team, (team, True))
    if len(seats) > 1 and any(criterion.condition for criterion in setting.criteria):
        yield Measure("nobody", "games won", "win", lambda record: float(not record.winners), "nobody")


def _win(setting: Setting, name: str, side: Side | None) -> Measure:
    """The measure of the games won by a side or, without one, by the side of the seat with this name."""
    place = None if side is not None else setting.game.seats.index(name)

    def value(record: GameRecord) -> float:
        own_side = setting.sides(record)[place] if place is not None else side
        return setting.parts_won(record).get(own_side, 0.0) if own_side is not None else 0.0

    return Measure(f"win:{name}", "games won", "win", value, setting.side_name(name))


def _score(setting: Setting, number: int, place: int, seat: str) -> Measure:
    criterion = setting.criteria[number]
    sign = -1 if criterion.lowest else 1
    return Measure(
        f"score{number + 1}:{seat}", criterion.words, score_kind(criterion),
        lambda record: sign * record.scores[place][number], setting.side_name(seat),
    )  # fmt: skip


def score_kind(criterion: Criterion) -> MeasureKind:
    """The kind of the values of a criterion."""
    return "win" if criterion.condition else "amount" if criterion.amount else "number"


def _margin(setting: Setting, record: GameRecord) -> float | None:
    """How far the winners are ahead of the best loser by the first criterion; 0 if nobody loses."""
    if not record.winners:
        return None
    sides = setting.sides(record)
    winning = {sides[seat] for seat in record.winners}
    best = max(record.scores[seat][0] for seat in record.winners)
    others = [scores[0] for seat, scores in enumerate(record.scores) if sides[seat] not in winning]
    return float(best - max(others)) if others else 0.0
