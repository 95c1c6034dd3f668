"""Playing the games of a run: one record for each game, for any bots."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from interpreter.analysis.failed_games import Failed
from interpreter.analysis.playouts import MOST_CUT_OFF, attempts
from interpreter.analysis.results import Playout
from interpreter.errors import PlayError
from interpreter.laboratory.courses import Courses
from interpreter.laboratory.records import Course, FailedRecord, GameRecord
from interpreter.opponents.driver import Driver
from interpreter.opponents.matches import Broken, play_out
from interpreter.opponents.specs import BotSpec
from interpreter.play.game import Game, State
from interpreter.seat.explain.outcome import winners_of

Record = GameRecord | FailedRecord


def records(
    courses: Courses, bots: Sequence[BotSpec], seed: int, numbers: range, detailed: Callable[[int], bool],
) -> Iterator[Record]:  # fmt: skip
    """Play the games of a run with these consecutive numbers; the seed of each is `seed` plus its number.

    `courses` has the game, and finds the courses of those games that are `detailed`; what it has compiled serves many
    calls. `bots` has one for each seat; they are created for each game, and are not asked where there is only
    one move. Where all move at random, the backend of `courses` plays the games.

    A record depends on nothing but the game, the bots, its seed, and the number of rollouts if it is detailed; unless
    bots think for a time. No more games are played once `MOST_CUT_OFF` of them were cut off, because each of those
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
            if cut_off >= MOST_CUT_OFF:
                return
        else:
            yield record_of(courses, number, playout, detailed(number))


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
