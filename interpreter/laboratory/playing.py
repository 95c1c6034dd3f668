"""Playing the games of a run: one record for each game, for any bots."""

from __future__ import annotations

import pickle
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from dsl.lazy_dataclasses import dataclass
from interpreter.analysis.failed_games import Failed, before_failure
from interpreter.analysis.playouts import MAX_CUT_OFF, attempts
from interpreter.analysis.results import Playout
from interpreter.arguments import Backend
from interpreter.errors import PlayError
from interpreter.laboratory.courses import Course, Courses, FailedRecord, GameRecord, Record
from interpreter.laboratory.matches import Broken, play_out, state_before
from interpreter.laboratory.setting import Setting
from interpreter.opponents.driver import Driver
from interpreter.opponents.specs import BotSpec
from interpreter.play.game import Game, State
from interpreter.seat.explain.outcome import winners_of


def records(
    courses: Courses, bots: Sequence[BotSpec], seed: int, numbers: range, detailed: Callable[[int], bool],
) -> Iterator[Record]:  # fmt: skip
    """Play the games of a run with these consecutive numbers; the seed of each is `seed` plus its number.

    `courses` has the game, and finds the courses of those games that are `detailed`; what it has compiled serves many
    calls. `bots` has one for each seat; they are created for each game, and are not asked where there is only
    one move. Where all move at random, the backend of `courses` plays the games.

    A record depends on nothing but the game, the bots, its seed, and the number of rollouts if it is detailed; unless
    bots think for a time. No more games are played once `MAX_CUT_OFF` of them were cut off, because each of those
    takes long. Raises BotError if a bot fails.
    """
    game = courses.game
    if all(bot.is_random for bot in bots):
        yield from _at_random(courses, seed, numbers, detailed)
        return
    cut_off = 0
    for number in numbers:
        players = [Driver(bot, seat) for bot, seat in zip(bots, game.seats, strict=True)]
        playout = play_out(game, seed + number, players)
        if isinstance(playout, Broken):
            yield FailedRecord(number, playout.failed, playout.moves)
            cut_off += playout.failed.cut_off
            if cut_off >= MAX_CUT_OFF:
                return
        else:
            record = record_of(courses, number, playout, detailed(number))
            yield replace(record, at_a_loss=sum(player.moves_at_a_loss for player in players))


def _at_random(courses: Courses, seed: int, numbers: range, detailed: Callable[[int], bool]) -> Iterator[Record]:
    played = attempts(courses.game, len(numbers), seed + numbers.start, courses.backend)
    for number, attempt in zip(numbers, played, strict=False):
        if isinstance(attempt, Failed):
            yield FailedRecord(number, attempt)
        else:
            course = _course(courses, attempt.seed, None) if detailed(number) else None
            yield _of_playout(courses.game, number, attempt, course)


def _of_playout(game: Game, number: int, playout: Playout, course: Course | None) -> GameRecord:
    seats = game.seats
    winners = tuple(seats.index(seat) for seat in playout.winners)
    scores = tuple(tuple(map(int, playout.scores[seat])) for seat in seats)
    return GameRecord(
        number, winners, scores, playout.teams, playout.decisions, playout.choices, playout.widest, course
    )  # fmt: skip


def record_of(courses: Courses, number: int, state: State, detailed: bool) -> GameRecord:
    """The record of a game that was played decision by decision to its end; its course is found if it is `detailed`."""
    program, cells = state.program, state.cells
    chosen, widths = list[int](), list[int]()
    for decision in state.made:
        assert decision.legal is not None  # as the state was not unpickled
        chosen.append(decision.legal.index(decision.code))
        widths.append(len(decision.legal))
    return GameRecord(
        number, winners_of(program, cells), tuple(program.criteria_of_all(cells)),
        tuple(map(program.team_name, program.teams(cells))), state.ply, sum(widths), max(widths, default=0),
        _course(courses, state.seed, chosen) if detailed else None,
    )  # fmt: skip


def _course(courses: Courses, seed: int, chosen: Sequence[int] | None) -> Course | None:
    """The course of a game; None where rules that count their branches are nested too deeply for Python."""
    try:
        return courses.of(seed, chosen)
    except PlayError:
        return None


# ---- The tasks into which a run is divided for other processes and machines: chunks of games, by their numbers


@dataclass(frozen=True)
class Parameters:
    """The parameters of all tasks of a run: what another process needs besides the game."""

    bots: tuple[BotSpec, ...]
    seed: int
    details: int
    rollouts: int
    backend: Backend


@dataclass(frozen=True)
class PlayedChunk:
    """The games of a chunk, and the seconds they took."""

    records: list[Record]
    seconds: float


@dataclass
class Crew:
    """Who plays the games of a run at the moment: the number of processes, and where they are, in words."""

    processes: int = 1
    place: str = ""


def load_and_play(pickled: bytes, parameters: Parameters, chunks: Sequence[range]) -> Iterator[list[PlayedChunk]]:
    """Load a pickled game and play chunks of games."""
    return play_chunks(pickle.loads(pickled), parameters, chunks)


def play_chunks(game: Game, parameters: Parameters, chunks: Sequence[range]) -> Iterator[list[PlayedChunk]]:
    """Play chunks of games; each result is a list with one item, as `spread` expects."""
    courses = Courses(game, parameters.rollouts, parameters.backend)
    return ([play_chunk(courses, parameters, numbers)] for numbers in chunks)


def play_chunk(courses: Courses, parameters: Parameters, numbers: range) -> PlayedChunk:
    """Play the games of a chunk."""
    started, detailed = time.monotonic(), range(parameters.details).__contains__
    played = list(records(courses, parameters.bots, parameters.seed, numbers, detailed))
    return PlayedChunk(played, time.monotonic() - started)


# ---- One game of a run again, decision by decision


def replayed(setting: Setting, number: int) -> tuple[State | None, Failed | None]:
    """Play the game with this number to its end, or up to the decision at which a rule fails; with the failure, if any.

    There is no state if a rule fails during setup. Raises BotError.
    """
    players = [Driver(bot, seat) for bot, seat in zip(setting.bots, setting.game.seats, strict=True)]
    result = play_out(setting.game, setting.seed + number, players)
    if isinstance(result, Broken):
        return state_before(setting.game, result), result.failed
    return result, None


def differs(setting: Setting, state: State, record: Record | None) -> bool:
    """True if a game differs from its record, which can happen if bots have a time budget."""
    outcome = state.outcome
    if not isinstance(record, GameRecord) or outcome is None:
        return False
    winners = tuple(setting.game.seats[seat] for seat in record.winners)
    return (record.decisions, winners) != (state.ply, outcome.winners)


def state_before_failure(setting: Setting, record: FailedRecord) -> State | None:
    """A game as it was before the decision that failed, or after its recorded moves; None if setup failed."""
    if setting.is_random:
        return before_failure(setting.game, record.failed)
    return state_before(setting.game, Broken(record.failed, record.moves))
