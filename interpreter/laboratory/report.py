"""The report of a run: its figures, curves over the game, the usage of the rules, and point sources."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import asdict

from dsl import ast
from dsl.lazy_dataclasses import dataclass
from dsl.text.files import JsonObject
from dsl.text.nouns import counted
from dsl.text.visible import brief
from interpreter.analysis.figures import Figure, amount, figure, share, within
from interpreter.engine.seated_game import game_data
from interpreter.errors import UsageError
from interpreter.laboratory.arena import Match
from interpreter.laboratory.courses import PARTS, Course, FailedRecord, GameRecord
from interpreter.laboratory.measures import INTERVALS, Measure, measures_of, score_kind
from interpreter.laboratory.setting import TOGETHER, Setting
from interpreter.laboratory.usage import KindUsage, Usage, usage


@dataclass(frozen=True)
class Measured:
    """A measure with its figure, and the number of games that have a value."""

    measure: Measure
    figure: Figure
    games: int


@dataclass(frozen=True)
class Curve:
    """The course of a value over the game, for one seat: a figure for each of `PARTS + 1` moments, from 0 to 100 %."""

    seat: str
    moments: tuple[Figure, ...]


@dataclass(frozen=True)
class PointSource:
    """A rule that gives points for a reason, its `text`, with the mean points per game that it gives each seat.

    `games` is the share of the games in which it gives any; `part` is its part of all points given for a reason,
    counting absolute amounts.
    """

    text: str
    location: str
    seats: tuple[tuple[str, float], ...]
    games: Figure
    part: float


@dataclass(frozen=True, repr=False)
class Report:
    """The figures of many games of one set of rules.

    `records` are the games that were finished, `failed` those that ended in an error, `requested` is the number of
    games asked for. `interrupted`: the call was ended before it had played them. `measures` has everything that tables
    show, `figure` one of them by its key. Of the first `detailed` games, which were analysed in detail, `branching` has
    the number of legal moves in each of `PARTS` parts of the game, `scores` and `shares` what each seat had and could
    expect at each moment, `points` the rules that gave points, and `usage` how often each rule was used. `skill` is
    empty if it was not measured.
    """

    setting: Setting
    records: tuple[GameRecord, ...]
    failed: tuple[FailedRecord, ...]
    requested: int
    detailed: int
    measures: tuple[Measured, ...]
    branching: tuple[Figure, ...]
    scores: tuple[Curve, ...]
    shares: tuple[Curve, ...]
    points: tuple[PointSource, ...]
    usage: Usage
    skill: tuple[Match, ...] = ()
    interrupted: bool = False

    def __repr__(self) -> str:
        shares = [f"{name} {100 * figure.mean:.1f}%" for name, figure in self.wins.items()]
        games = counted(len(self.records), "game")
        failed = [f"{len(self.failed)} failed"] if self.failed else []
        return f"<Report of {self.setting.game.title}: {', '.join([games, *shares, *failed])}>"

    @property
    def wins(self) -> dict[str, Figure]:
        """The share of the games that each seat and each team has won, by its name in the rules.

        A win shared by several sides is divided among them. Where all seats win or lose together, there is only
        `everyone`.
        """
        return {
            measured.measure.key.removeprefix("win:"): measured.figure
            for measured in self.measures
            if measured.measure.of_wins
        }

    def figure(self, key: str) -> Figure:
        """The figure of a measure, such as `decisions` or `win:red`. Raises UsageError if there is none."""
        for measured in self.measures:
            if measured.measure.key == key:
                return measured.figure
        keys = [measured.measure.key for measured in self.measures]
        raise UsageError(f"there is no measure `{brief(key)}` (there are {', '.join(keys) or 'none'})")

    @property
    def even_share(self) -> float | None:
        """The share of the wins of each seat if all sides were equal; None without games or opponents."""
        setting = self.setting
        if not self.records or setting.together or len(setting.game.seats) < 2:
            return None
        return setting.even_share(self.records)

    @property
    def shared_wins(self) -> int:
        """The number of games that several sides won."""
        return sum(len(self.setting.parts_won(record)) > 1 for record in self.records)

    @property
    def at_a_loss(self) -> int:
        """The number of moves that bots made at random, as they found no state to search."""
        return sum(record.at_a_loss for record in self.records)

    @property
    def sides(self) -> tuple[str, ...]:
        """The display names of the seats, and of the teams that have figures."""
        won = (measured.measure.subject for measured in self.measures if measured.measure.of_wins)
        return tuple(dict.fromkeys([*self.setting.seats, *(side for side in won if side is not None)]))

    @property
    def picks(self) -> tuple[KindUsage, ...]:
        """The kinds of pieces that could be chosen, the most readily chosen ones first."""
        return tuple(sorted(self.usage.kinds, key=lambda kind: (-kind.chosen / max(1, kind.offered), kind.kind)))

    def as_data(self) -> JsonObject:
        """The report as dictionaries and lists for JSON, as `cli/schemas/simulate.schema.json` has it, but `failed`."""
        return _report_data(self)


def report_of(
    setting: Setting, records: Sequence[GameRecord], failed: Sequence[FailedRecord], requested: int,
    interrupted: bool = False,
) -> Report:  # fmt: skip
    """The report of these games."""
    courses = [record.course for record in records if record.course is not None]
    return Report(
        setting,
        tuple(records),
        tuple(failed),
        requested,
        len(courses),
        tuple(_measured(setting, records)),
        _over_the_game(courses, PARTS, lambda course: course.branching, amount),
        _curves(setting, courses, lambda course: _signed_as_rules(setting, course.scores), _score_estimator(setting)),
        _curves(setting, courses, lambda course: course.shares, within),
        tuple(_sources(setting, courses)),
        usage(setting.game, courses, setting.words),
        interrupted=interrupted,
    )


def _measured(setting: Setting, records: Sequence[GameRecord]) -> Iterable[Measured]:
    for measure in measures_of(setting, records):
        estimate = measure.figure(records)
        if estimate is not None:
            yield Measured(measure, estimate, len(measure.values(records)))


Estimator = Callable[[Iterable[float]], Figure]


def _over_the_game(
    courses: Sequence[Course], length: int, values: Callable[[Course], Sequence[float]], estimator: Estimator
) -> tuple[Figure, ...]:
    """A figure for each part or moment, over the courses that have values."""
    series = [moments for course in courses if (moments := values(course))]
    return tuple(estimator(moments[place] for moments in series) for place in range(length)) if series else ()


def _curves(
    setting: Setting,
    courses: Sequence[Course],
    values: Callable[[Course], Sequence[Sequence[float]]],
    estimator: Estimator,
) -> tuple[Curve, ...]:
    curves = [
        Curve(
            setting.side_name(seat),
            _over_the_game(courses, PARTS + 1, lambda course, place=place: _of_seat(values(course), place), estimator),  # type: ignore[misc]
        )
        for place, seat in enumerate(setting.seats_with_figures)
    ]
    return tuple(curve for curve in curves if curve.moments)


def _signed_as_rules(setting: Setting, scores: Sequence[Sequence[int]]) -> Sequence[Sequence[int]]:
    """Scores with the sign they have in the rules; a course has them negated where less is better."""
    return [[-score for score in row] for row in scores] if setting.criteria[0].lowest else scores


def _score_estimator(setting: Setting) -> Estimator:
    """The estimator of scores; without a criterion there are no scores, so any will do."""
    return INTERVALS[score_kind(setting.criteria[0])] if setting.criteria else figure


def _of_seat(values: Sequence[Sequence[float]], place: int) -> Sequence[float]:
    return values[place] if values else ()


def _sources(setting: Setting, courses: Sequence[Course]) -> Iterable[PointSource]:
    """The rules that give points, the largest source first."""
    nodes = setting.game.program.nodes
    seats = setting.seats
    # By rule, not by the text that players read: of `because "{n} in a row"` there is one for every n.
    amounts_by_node: dict[int, Counter[int]] = {}
    for course in courses:
        for gain in course.points:
            amounts_by_node.setdefault(gain.node, Counter())[gain.seat] += gain.amount
    total = sum(abs(points) for amounts in amounts_by_node.values() for points in amounts.values()) or 1
    sized = {node: sum(map(abs, amounts.values())) for node, amounts in amounts_by_node.items()}
    for node in sorted(amounts_by_node, key=lambda node: (-sized[node], node)):
        rule = nodes[node]
        assert isinstance(rule, ast.Add)
        assert rule.because is not None
        yield PointSource(
            _reason(setting, rule.because),
            rule.span.location,
            tuple((seat, amounts_by_node[node][place] / len(courses)) for place, seat in enumerate(seats)),
            share(float(any(gain.node == node for gain in course.points)) for course in courses),
            sized[node] / total,
        )


def _reason(setting: Setting, because: ast.Text) -> str:
    """The reason a rule gives, with the expressions in it as they are written in the rules."""
    parts = setting.words.parts(because)
    return " ".join("".join(part if isinstance(part, str) else f"{{{part.span.text}}}" for part in parts).split())


# ---- The report of a run as plain data


def setting_data(setting: Setting) -> JsonObject:
    """A setting as plain data."""
    game = setting.game
    return {
        **game_data(game),
        "bots": [bot.text for bot in setting.bots],
        "seed": setting.seed,
        "criteria": [criterion.words for criterion in setting.criteria],
    }


def _report_data(report: Report) -> JsonObject:
    return {
        **setting_data(report.setting),
        "wanted": report.requested,
        **_summary(report),
        "measures": [figure_data(measured) for measured in report.measures],
        "unusual": [
            {
                "words": game.words,
                "measure": game.measure.key,
                "value": game.value,
                "game": game.number,
                "seed": game.seed,
            }
            for game in unusual_games(report)
        ],
        "course": _course(report) if report.detailed else None,
        "skill": [_step_data(step) for step in report.skill] or None,
        **at_a_loss_data(report.at_a_loss),
    }


def at_a_loss_data(moves: int) -> JsonObject:
    """That bots made some moves at random, as they found no state to search; empty if there are none."""
    return {"at_a_loss": moves} if moves else {}


def _step_data(step: Match) -> JsonObject:
    """A step of the ladder of skill as plain data."""
    return {
        "better": step.bot,
        "weaker": step.opponent,
        "share": step.share,
        "low": step.low,
        "high": step.high,
        "even": step.even,
        "games": step.games,
    }


def _summary(report: Report) -> JsonObject:
    """Lengths, scores and wins of the finished games, without figures if there are none."""
    if not report.records:
        return {"games": 0, "length": None, "sizes": None, "widest": 0, "seats": [], "teams": [],
                "shared": 0, "nobody": None}  # fmt: skip
    setting, figures = report.setting, {measured.measure.key: measured.figure for measured in report.measures}
    seats = setting.seats_with_figures
    teams = [name for name in report.wins if name == TOGETHER or name not in setting.game.seats]
    return {
        "games": len(report.records),
        "length": asdict(figures["decisions"]),
        "sizes": asdict(figures["moves"]) if "moves" in figures else asdict(amount(())),
        "widest": int(figures["widest"].most),
        "seats": [
            {
                "seat": seat,
                "wins": asdict(report.wins[seat]),
                "scores": [asdict(figures[f"score{number}:{seat}"]) for number in range(1, len(setting.criteria) + 1)],
            }
            for seat in seats
        ],
        "teams": [{"team": team, "wins": asdict(report.wins[team])} for team in teams],
        "shared": report.shared_wins,
        "nobody": asdict(share(float(not record.winners) for record in report.records)),
    }


def measure_data(measure: Measure) -> JsonObject:
    """A measure as plain data, without its figure."""
    return {"key": measure.key, "words": measure.words, "subject": measure.subject, "share": measure.share}


def figure_data(measured: Measured) -> JsonObject:
    """A measure as plain data, with its figure."""
    return {**measure_data(measured.measure), "games": measured.games, **asdict(measured.figure)}


def _course(report: Report) -> JsonObject:
    return {
        "games": report.detailed,
        "moves": _figures(report.branching),
        "scores": _curve_data(report.scores),
        "expected": _curve_data(report.shares),
        "points": [
            {
                "rule": source.text,
                "place": source.location,
                "seats": dict(source.seats),
                "games": asdict(source.games),
                "part": source.part,
            }
            for source in report.points
        ],
        "rules": [asdict(rule) for rule in report.usage.rules],
        "pieces": [asdict(kind) for kind in report.usage.kinds],
    }


def _curve_data(curves: Iterable[Curve]) -> dict[str, list[JsonObject]]:
    return {curve.seat: _figures(curve.moments) for curve in curves}


def _figures(figures: Iterable[Figure]) -> list[JsonObject]:
    return [asdict(figure) for figure in figures]


# ---- Games of a run that are worth a look: the longest, the closest, and others, each with its number and seed


EXTREMES: tuple[tuple[str, str, Callable[..., float]], ...] = (
    ("decisions", "longest", max),
    ("decisions", "shortest", min),
    ("widest", "most legal moves at a decision", max),
    ("margin", "clearest win", max),
    ("margin", "closest", min),
    ("lead_changes", "most changes of the lead", max),
    ("settled", "settled last", max),
    ("drama", "greatest comeback", max),
    ("returns", "most returns to one position", max),
)
"""The games worth a look: the measure, a description, and whether the greatest or the least value is wanted."""


@dataclass(frozen=True)
class UnusualGame:
    """A game with the greatest or the least value of a measure: its number in the run and its seed."""

    words: str
    measure: Measure
    value: float
    number: int
    seed: int


def unusual_games(report: Report) -> Iterator[UnusualGame]:
    """The first game with each of the extremes; none for a measure that is the same in all games."""
    measured_by_key = {measured.measure.key: measured for measured in report.measures}
    for key, words, chosen in EXTREMES:
        if key in measured_by_key and measured_by_key[key].figure.least < measured_by_key[key].figure.most:
            measure, extreme = (
                measured_by_key[key].measure,
                chosen(measured_by_key[key].figure.least, measured_by_key[key].figure.most),
            )
            number = next(record.number for record in report.records if measure.value(record) == extreme)
            yield UnusualGame(words, measure, extreme, number, report.setting.seed + number)
