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
        found = play_out(game, seed + number, players)
        if isinstance(found, Broken):
            yield FailedRecord(number, found.failed, found.moves)
            cut_off += found.failed.cut_off
            if cut_off >= MOST_CUT_OFF:
                return
        else:
            yield record_of(courses, number, found, detailed(number))


def _at_random(courses: Courses, seed: int, numbers: range, detailed: Callable[[int], bool]) -> Iterator[Record]:
    found = attempts(courses.game, len(numbers), seed + numbers.start, courses.backend)
    for number, each in zip(numbers, found, strict=False):
        if isinstance(each, Failed):
            yield FailedRecord(number, each)
        else:
            course = _course(courses, each.seed, None) if detailed(number) else None
            yield _of_playout(courses.game, number, each, course)


def _of_playout(game: Game, number: int, found: Playout, course: Course | None) -> GameRecord:
    seats = game.seats
    winners = tuple(seats.index(seat) for seat in found.winners)
    scores = tuple(tuple(map(int, found.scores[seat])) for seat in seats)
    return GameRecord(
        number, winners, scores, found.teams, found.decisions, found.choices, found.widest, course
    )  # fmt: skip


def record_of(courses: Courses, number: int, state: State, detailed: bool) -> GameRecord:
    """The record of a game that was played decision by decision to its end; its course is found if it is `detailed`."""
    program, cells = state.program, state.cells
    chosen, widths = list[int](), list[int]()
    for made in state.made:
        assert made.legal is not None  # as the state was not unpickled
        chosen.append(made.legal.index(made.code))
        widths.append(len(made.legal))
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
