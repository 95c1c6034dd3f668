"""Playing the missing games of an arena, in several processes, pairing by pairing."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from functools import partial
from itertools import chain

from cli.arguments import open_game
from cli.progress import Stage
from dsl.lazy_dataclasses import dataclass
from interpreter.analysis.playouts import MOST_CUT_OFF
from interpreter.analysis.workers import Opening, spread
from interpreter.laboratory.pairings import Pairing, PlayedGames
from interpreter.opponents.driver import Driver
from interpreter.opponents.matches import Broken, Finished, Meeting, play
from interpreter.opponents.specs import BotSpec
from interpreter.play.game import Game

Outcome = tuple[Meeting, "Finished | Broken"]


@dataclass(frozen=True)
class Contest:
    """The game, how other processes open it, the bots, and the seed of the first rotation."""

    game: Game
    options: Mapping[str, str]
    bots: tuple[BotSpec, ...]
    seed: int

    @property
    def opening(self) -> Opening:
        """How another process opens the game."""
        game = self.game
        return (str(game.path), game.seats, self.options, game.rules.board, game.rules.variants)

    def outcomes(self, meetings: Sequence[Meeting], jobs: int) -> Generator[Outcome, None, None]:
        """Play games, yielding each as soon as it is over, regardless of the process that played it."""
        if min(jobs, len(meetings)) < 2:
            yield from chain.from_iterable(_play(self.game, self.bots, self.seed, meetings))
        else:
            work = partial(_open_and_play, self.opening, self.bots, self.seed)
            yield from spread(work, meetings, jobs, in_order=False)


def _open_and_play(
    opening: Opening, bots: Sequence[BotSpec], seed: int, meetings: Sequence[Meeting]
) -> Iterator[Iterable[Outcome]]:
    return _play(open_game(*opening), bots, seed, meetings)


def _play(game: Game, bots: Sequence[BotSpec], seed: int, meetings: Sequence[Meeting]) -> Iterator[Iterable[Outcome]]:
    """Play games one after another; new bots are made for each, so that games are independent."""
    for meeting in meetings:
        players = [Driver(bots[bot], seat) for bot, seat in zip(meeting.seating, game.seats, strict=True)]
        yield [(meeting, play(game, seed + meeting.rotation, players))]


def play_missing(
    contest: Contest, pairings: Sequence[Pairing], results: PlayedGames,
    add: Callable[[Meeting, Finished | Broken], None], jobs: int, stage: Stage,
) -> None:  # fmt: skip
    """Play the missing games of the pairings; `add` stores each in the results.

    A pairing that stops early skips its remaining games. Nothing more is played once several games have been cut off,
    because each of those is slow.
    """
    for pairing in pairings:
        pairing.advance(results)
    stage.total = len({meeting for pairing in pairings for meeting in pairing.missing(results)})
    cut_off = sum(_is_cut_off(result) for result in results.values())
    for pairing in pairings:
        pairing.advance(results)
        missing = list(pairing.missing(results))
        with closing(contest.outcomes(missing, jobs)) as outcomes:
            for played, (meeting, result) in enumerate(outcomes, 1):
                add(meeting, result)
                stage.completed += 1
                cut_off += _is_cut_off(result)
                pairing.advance(results)
                if pairing.complete:
                    stage.total -= len(missing) - played
                if pairing.complete or cut_off >= MOST_CUT_OFF:
                    break
        if cut_off >= MOST_CUT_OFF:
            return


def _is_cut_off(result: Finished | Broken) -> bool:
    return isinstance(result, Broken) and result.failed.cut_off
