"""An arena: bots play each other in pairings, and their games say who is stronger, and how surely.

Seats are not equal: who begins may win more often, whoever plays. So games come in rotations: with one seed, each bot
plays each side equally often, and only the share of the whole rotation counts. Luck of the draw then falls to both.

`until_decided` ends a pairing as soon as equality is excluded. Looking at an ordinary interval after each game would
exclude it sooner or later for equal bots, too; the intervals used here are valid however often they are looked at
(`confidence.py`). For the same reason rotations count in their order, not in the order in which processes finish them:
short games end first, and they are not like long ones.

Games are kept in a file as they end, so an arena that was interrupted goes on where it was.
"""

from __future__ import annotations

import pickle
import time
from collections import Counter, defaultdict
from collections.abc import Generator, Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import field, replace
from functools import cached_property, partial
from itertools import chain, combinations, pairwise
from pathlib import Path

from dsl.lazy_dataclasses import dataclass
from dsl.text.files import JsonObject
from interpreter.analysis.figures import Figure
from interpreter.analysis.playouts import MAX_CUT_OFF
from interpreter.analysis.workers import Progress, Stop, Watch, never, spread, unwatched
from interpreter.engine.seated_game import game_data
from interpreter.errors import Interrupted
from interpreter.laboratory.confidence import Rating, excluded, interval, ratings
from interpreter.laboratory.matches import (
    Broken,
    Finished,
    Meeting,
    Seating,
    Sides,
    even_share,
    meetings,
    play,
    rotation_share,
    seatings,
    sides_of,
)
from interpreter.laboratory.measures import INTERVALS, score_kind
from interpreter.laboratory.results_file import Header, Results, arena_form, kept_results
from interpreter.laboratory.setting import Criterion, criteria_of, spec_named
from interpreter.opponents.driver import Driver
from interpreter.opponents.specs import BotSpec
from interpreter.play.game import Game

Result = Finished | Broken

LADDER = ("random", "greedy", "mcts:30", "mcts:120", "mcts:480")
"""Bots, each expected to be stronger than the one before; each `mcts` thinks four times as long as the one before."""


@dataclass(frozen=True)
class Contest:
    """The plan of an arena: bots that play each other, at least `games` games for each pair, in whole rotations.

    With `until_decided`, a pairing ends as soon as its interval excludes equality. With `ladder`, each bot meets only
    the one before it in the list. `seed` is that of the first rotation. The games are played in `jobs` processes.
    With `plain`, results have the names of the rules, otherwise those of the language in which the game is shown.
    """

    game: Game
    bots: tuple[BotSpec, ...]
    games: int
    seed: int = 0
    until_decided: bool = False
    ladder: bool = False
    jobs: int = 1
    plain: bool = False

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The names of the bots; duplicates are numbered."""
        texts = [bot.text for bot in self.bots]
        several, seen = Counter(texts), Counter[str]()
        names = []
        for text in texts:
            seen[text] += 1
            names.append(f"{text} #{seen[text]}" if several[text] > 1 else text)
        return tuple(names)

    @cached_property
    def sides(self) -> Sides:
        """The seats that play together. Raises PlayError if the game cannot be set up."""
        return sides_of(self.game, self.seed)

    @property
    def criteria(self) -> list[Criterion]:
        """The criteria of `winner`."""
        return criteria_of(self.game, plain=self.plain)

    def pairings(self) -> list[Pairing]:
        """The pairs of bots that meet, before any game."""
        numbers = range(len(self.bots))
        pairs = [(b, a) for a, b in pairwise(numbers)] if self.ladder else list(combinations(numbers, 2))
        return [
            Pairing(a, b, self.sides, -(-self.games // len(seatings(self.sides, a, b))), self.until_decided)
            for a, b in pairs
        ]

    def outcomes(self, missing: Sequence[Meeting]) -> Generator[tuple[Meeting, Result], None, None]:
        """Play games, yielding each as soon as it is over, regardless of the process that played it."""
        if min(self.jobs, len(missing)) < 2:
            yield from chain.from_iterable(_play(self.game, self.bots, self.seed, missing))
        else:
            work = partial(_load_and_play, pickle.dumps(self.game), self.bots, self.seed)
            yield from spread(work, missing, self.jobs, in_order=False)


def _load_and_play(
    pickled: bytes, bots: Sequence[BotSpec], seed: int, missing: Sequence[Meeting]
) -> Iterator[Iterable[tuple[Meeting, Result]]]:
    return _play(pickle.loads(pickled), bots, seed, missing)


def _play(
    game: Game, bots: Sequence[BotSpec], seed: int, missing: Sequence[Meeting]
) -> Iterator[Iterable[tuple[Meeting, Result]]]:
    """Play games one after another; new bots are made for each, so that games are independent."""
    for meeting in missing:
        players = [Driver(bots[bot], seat) for bot, seat in zip(meeting.seating, game.seats, strict=True)]
        result = play(game, seed + meeting.rotation, players)
        if isinstance(result, Finished):
            result = replace(result, at_a_loss=sum(player.moves_at_a_loss for player in players))
        yield [(meeting, result)]


# ---- Pairings: the games that two bots have still to play, and the shares so far


@dataclass
class Pairing:
    """Two bots, by number, with the share of the first in every rotation that counts.

    Rotations are counted in order, so the figures do not depend on which games finish first. With `until_decided`, none
    counts after the one at which equality was excluded. A rotation with a game that ended in an error does not count,
    but is included in `seen`, the number of rotations played. With `alone`, only those games are played in which the
    first bot has a single side.
    """

    first: int
    second: int
    sides: Sides
    rotations: int
    until_decided: bool = False
    alone: bool = False
    values: list[float] = field(default_factory=list)
    decided: bool = False
    seen: int = 0
    _counts: Counter[float] = field(default_factory=Counter, repr=False)

    @cached_property
    def seatings(self) -> tuple[Seating, ...]:
        """The seatings of a rotation."""
        return seatings(self.sides, self.first, self.second, alone=self.alone)

    @cached_property
    def even(self) -> float:
        """The share of the first bot if both are equally strong."""
        return float(even_share(self.seatings, self.sides, self.first))

    @property
    def complete(self) -> bool:
        """True if no more games are needed."""
        return self.seen >= self.rotations or (self.until_decided and self.decided)

    def meetings(self, rotation: int) -> tuple[Meeting, ...]:
        """The games of a rotation."""
        return meetings(self.sides, self.first, self.second, rotation, alone=self.alone)

    def missing(self, results: Mapping[Meeting, object]) -> Iterator[Meeting]:
        """The games not yet played, up to the last rotation; none if the pairing is complete."""
        if not self.complete:
            for rotation in range(self.seen, self.rotations):
                yield from (meeting for meeting in self.meetings(rotation) if meeting not in results)

    def advance(self, results: Mapping[Meeting, Result]) -> None:
        """Count the completed rotations, in order."""
        while not self.complete:
            results_by_seating = {meeting.seating: results.get(meeting) for meeting in self.meetings(self.seen)}
            if None in results_by_seating.values():
                return
            self.seen += 1
            finished = {
                seating: result for seating, result in results_by_seating.items() if isinstance(result, Finished)
            }
            if len(finished) == len(results_by_seating):
                self._count(float(rotation_share(finished, self.sides, self.first, self.second)))

    def _count(self, value: float) -> None:
        self.values.append(value)
        self._counts[value] += 1
        # Once decided, it stays so, even if a later interval includes equality again.
        self.decided = self.decided or excluded(self._counts, self.even)

    @property
    def share(self) -> float:
        """The share of the first bot; an even one if no game counts."""
        return sum(self.values) / len(self.values) if self.values else self.even

    def counted(self, results: Mapping[Meeting, Finished | Broken]) -> Iterator[tuple[Meeting, Finished]]:
        """The games that count."""
        for rotation in range(self.seen):
            rotation_results = [(meeting, results.get(meeting)) for meeting in self.meetings(rotation)]
            finished = [(meeting, result) for meeting, result in rotation_results if isinstance(result, Finished)]
            if len(finished) == len(rotation_results):
                yield from finished


def play_missing(
    contest: Contest, pairings: Sequence[Pairing], stored: Results[Meeting, Result], watch: Watch = unwatched,
    stop: Stop = never,
) -> bool:  # fmt: skip
    """Play the games of the pairings that are missing from `kept`, and add them; true if it was to stop before the end.

    A pairing that stops early skips its remaining games. Nothing more is played once several games have been cut off,
    because each of those is slow.
    """
    results, begun = stored.results, time.monotonic()
    for pairing in pairings:
        pairing.advance(results)
    completed, total = 0, len({meeting for pairing in pairings for meeting in pairing.missing(results)})
    cut_off = sum(map(_is_cut_off, results.values()))
    for pairing in pairings:
        pairing.advance(results)
        missing = list(pairing.missing(results))
        place = f"{contest.names[pairing.first]} against {contest.names[pairing.second]}"
        with closing(contest.outcomes(missing)) as outcomes:
            for played in range(len(missing)):
                seconds_left = (time.monotonic() - begun) / completed * (total - completed) if completed else None
                watch(Progress(completed, total, seconds_left, place=place))
                if stop():
                    return True
                meeting, result = next(outcomes)
                stored.add([(meeting, result)])
                completed += 1
                cut_off += _is_cut_off(result)
                pairing.advance(results)
                if pairing.complete:
                    total -= len(missing) - played - 1
                if pairing.complete or cut_off >= MAX_CUT_OFF:
                    break
        if cut_off >= MAX_CUT_OFF:
            break
    watch(Progress(completed, total, 0.0))
    return False


def _is_cut_off(result: Result) -> bool:
    return isinstance(result, Broken) and result.failed.cut_off


# ---- The standings: shares, ratings, scores


@dataclass(frozen=True)
class Standing:
    """A bot: its games that count, its mean share against the others, its rating, and each criterion of the outcome.

    Without the library that computes ratings, `rating` is None.
    """

    bot: str
    games: int
    share: float
    rating: Rating | None
    scores: tuple[Figure, ...]


@dataclass(frozen=True)
class Match:
    """A bot against another one: its `share` of the wins, from 0 to 1, with a 95 % interval that is valid at any time.

    `even` is the share if both are equally strong; without games that count, `share` is that. A match is `decided` if
    the interval excludes it, `complete` if no more games are needed. If all rotations were `identical`, move by move,
    more would show nothing new.
    """

    bot: str
    opponent: str
    games: int
    rotations: int
    share: float
    low: float
    high: float
    even: float
    decided: bool
    complete: bool
    identical: bool


@dataclass(frozen=True)
class FailedMatch:
    """A game of an arena that ended in an error: the bot of each seat, and how far it came."""

    bots: Mapping[str, str]
    broken: Broken


@dataclass(frozen=True, repr=False)
class Standings:
    """The figures of an arena: all bots, the best first, and their matches.

    `failed` are games that ended in an error; their rotations do not count. `rotations` is the largest number of
    rotations that two bots played. `interrupted`: the call was ended before all games were played. `at_a_loss` is the
    number of moves that bots made at random, as they found no state to search.
    """

    contest: Contest
    bots: tuple[Standing, ...]
    matches: tuple[Match, ...]
    failed: tuple[FailedMatch, ...]
    rotations: int
    interrupted: bool = False
    at_a_loss: int = 0

    def __repr__(self) -> str:
        shares = ", ".join(f"{standing.bot} {100 * standing.share:.1f}%" for standing in self.bots)
        return f"<Standings of {self.contest.game.title}: {shares}>"

    def as_data(self) -> JsonObject:
        """The standings as dictionaries and lists for JSON, as `cli/schemas/arena.schema.json` has it, but `failed`."""
        contest, game = self.contest, self.contest.game
        return {
            **game_data(game),
            "seed": contest.seed,
            "bots": list(contest.names),
            "wanted": contest.games,
            "until_decided": contest.until_decided,
            "together": len(contest.sides) == 1,
            "criteria": [criterion.words for criterion in contest.criteria],
            "standings": [_standing_data(standing) for standing in self.bots],
            "pairings": [_match_data(match) for match in self.matches],
            **({"at_a_loss": self.at_a_loss} if self.at_a_loss else {}),
        }


def standings_of(
    contest: Contest, pairings: Sequence[Pairing], results: Mapping[Meeting, Result], interrupted: bool = False
) -> Standings:
    """Compute the figures from the games that count."""
    finished = [dict(pairing.counted(results)) for pairing in pairings]
    rated = ratings(len(contest.bots), _wins(pairings))
    evaluated = [_evaluate(contest, bot, pairings, finished, rated) for bot in range(len(contest.bots))]
    evaluated.sort(key=lambda standing: -(standing.share if standing.rating is None else standing.rating.rating))
    failed = [
        FailedMatch(
            {seat: contest.names[bot] for seat, bot in zip(contest.game.seats, meeting.seating, strict=True)}, result
        )
        for meeting, result in results.items()
        if isinstance(result, Broken)
    ]
    matches = tuple(_match(contest, pairing, games) for pairing, games in zip(pairings, finished, strict=True))
    rotations = max(pairing.seen for pairing in pairings)
    at_a_loss = sum(result.at_a_loss for games in finished for result in games.values())
    return Standings(contest, tuple(evaluated), matches, tuple(failed), rotations, interrupted, at_a_loss)


def _wins(pairings: Sequence[Pairing]) -> dict[tuple[int, int], float]:
    """The wins of each bot against each other one; shared wins count fractionally."""
    wins: dict[tuple[int, int], float] = {}
    for pairing in pairings:
        # Where all seats are one side, a rotation is one game of each bot; which of the two went better is one result.
        weight = 1 if len(pairing.sides) == 1 else len(pairing.seatings)
        total = sum(pairing.values)
        wins[pairing.first, pairing.second] = weight * total
        wins[pairing.second, pairing.first] = weight * (len(pairing.values) - total)
    return wins


def _evaluate(
    contest: Contest, bot: int, pairings: Sequence[Pairing], finished: Sequence[Mapping[Meeting, Finished]],
    rated: Sequence[Rating] | None,
) -> Standing:  # fmt: skip
    own_pairings = [pairing for pairing in pairings if bot in (pairing.first, pairing.second) and pairing.values]
    shares = [pairing.share if pairing.first == bot else 1 - pairing.share for pairing in own_pairings]
    own_results = {meeting: result for games in finished for meeting, result in games.items() if bot in meeting.seating}
    scores = tuple(
        INTERVALS[score_kind(criterion)](
            (-1 if criterion.lowest else 1) * result.scores[seat][number]
            for meeting, result in own_results.items()
            for seat, who in enumerate(meeting.seating)
            if who == bot
        )
        for number, criterion in enumerate(contest.criteria)
    )
    share = sum(shares) / len(shares) if shares else 0.5
    rating = rated[bot] if rated is not None else None
    return Standing(contest.names[bot], len(own_results), share, rating, scores)


def _match(contest: Contest, pairing: Pairing, finished: Mapping[Meeting, Finished]) -> Match:
    low, high = interval(pairing.values)
    return Match(
        contest.names[pairing.first], contest.names[pairing.second], len(pairing.values) * len(pairing.seatings),
        len(pairing.values), pairing.share, low, high, pairing.even, pairing.decided, pairing.complete,
        _all_identical(finished),
    )  # fmt: skip


def _all_identical(results: Mapping[Meeting, Finished]) -> bool:
    """True if each seating has several games, and all games of a seating have the same moves."""
    digests: defaultdict[tuple[int, ...], Counter[str]] = defaultdict(Counter)
    for meeting, result in results.items():
        digests[meeting.seating][result.digest] += 1
    return bool(digests) and all(len(counts) == 1 and counts.total() > 1 for counts in digests.values())


def _standing_data(standing: Standing) -> JsonObject:
    rating = standing.rating
    return {
        "bot": standing.bot,
        "games": standing.games,
        "share": standing.share,
        "rating": None if rating is None else {"rating": rating.rating, "low": rating.low, "high": rating.high},
        "scores": [
            {"mean": figure.mean, "low": figure.low, "high": figure.high}
            for figure in (standing.scores if standing.games else ())
        ],
    }


def _match_data(match: Match) -> JsonObject:
    return {
        "bots": [match.bot, match.opponent],
        "games": match.games,
        "rotations": match.rotations,
        "share": match.share if match.games else None,
        "low": match.low,
        "high": match.high,
        "decided": match.decided,
        "complete": match.complete,
        "all_the_same": match.identical,
    }


# ---- Whole arenas


def fought(contest: Contest, path: Path | None = None, watch: Watch = unwatched, stop: Stop = never) -> Standings:
    """Play an arena, and keep its games in a file if a path is given.

    After Ctrl-C, raises Interrupted with the standings so far, KeyboardInterrupt if there is no game yet.
    """
    pairings, by_keyboard, interrupted = contest.pairings(), False, False
    form = arena_form(len(contest.game.seats), len(contest.bots))
    with kept_results(path, form, Header.of(contest.game, contest.bots, contest.seed)) as stored:
        try:
            interrupted = play_missing(contest, pairings, stored, watch, stop)
        except KeyboardInterrupt:
            if not stored.results:
                raise
            interrupted = by_keyboard = True
        for pairing in pairings:
            pairing.advance(stored.results)
        standings = standings_of(contest, pairings, stored.results, interrupted)
    if by_keyboard:
        raise Interrupted(standings)
    return standings


def ladder_of(game: Game, games: int, seed: int = 0, jobs: int = 1) -> Contest:
    """The contest that measures how much skill a game rewards: each bot of `LADDER` against the one before it."""
    return Contest(game, tuple(map(spec_named, LADDER)), games, seed, ladder=True, jobs=jobs)
