"""Games that begin in a position given as a text: the lines of an example, without its title.

    given hand[red] is [king, 2 ace]
    and score[red] is 7
    when phase main from red
    when red: play(king)

The text is read and run as any example is. What it leads to becomes the first position of a game, and chance goes on
from the seed of that game.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TypeVar

from dsl.checker.later_examples import LaterExample, read_scenes
from dsl.diagnostics import RulesError
from dsl.text.span import Source
from interpreter.engine.seated_game import GivenStart
from interpreter.engine.seating import choose_options, choose_seats
from interpreter.errors import PlayError, PositionError, UsageError
from interpreter.play.game import Game
from interpreter.play.scenes.runner import ExampleError, Runner
from interpreter.play.scenes.setup import GivenError, table_of
from interpreter.runtime.cells import Cells
from interpreter.runtime.layout import DRAWN, IDLE, MOVES, RANDOM
from interpreter.wording.phrases import Phrase

SomeGame = TypeVar("SomeGame", bound=Game)


def game_at(game: SomeGame, position: Source) -> SomeGame:
    """The game with the seats and options of a position, which begins there.

    Raises RulesError for what is wrong with the text, PositionError for a position that cannot be reached, and
    PlayersError and OptionError.
    """
    if not any(line.strip() and not line.lstrip().startswith("#") for line in position.text.splitlines()):
        raise PositionError(Phrase("{path}: the position is empty; it needs a line such as {line}",
                                   path=position.name, line="`when phase setup`"))  # fmt: skip
    read = read_scenes(game.rules.model, position)
    if not isinstance(read, LaterExample):
        raise RulesError(read)
    players, options = table_of(read.model, read.example)
    seats = game.seats if players is None else choose_seats(game.rules, players)
    chosen = choose_options(game.rules, {**game.options, **options}, seats)
    seated = replace(game, seats=seats, options=chosen, programs={}, given=None)
    program = seated.compiled(solo=True).extended(read.model, read.example)
    cells = _reached(Runner(seated, read.example, program=program))
    said = {*options, *([_players(seated)] if players is not None else [])}
    facts = [fact for fact in table_facts(seated) if fact.partition(" is ")[0] not in said]
    text = "".join(f"{line}\n" for line in [*run_lines(facts), *position.text.splitlines()])
    return replace(seated, programs={}, given=GivenStart(text, tuple(cells)))


def table_facts(game: Game) -> list[str]:
    """Who plays, and the options that are not as declared, as lines of `given` say it."""
    defaults = {option.name: option.default for option in game.option_info}
    changed = [f"{name} is {value}" for name, value in game.options.items() if value != defaults[name]]
    header = game.rules.model.file.header
    return changed if len(game.all_seats) == header.fewest else [_players(game), *changed]


def _players(game: Game) -> str:
    count = len(game.seats)
    if game.seats != game.all_seats[:count]:
        return f"players {', '.join(game.seats)}"
    return "1 player" if count == 1 else f"{count} players"


def run_lines(facts: Sequence[str]) -> Iterator[str]:
    """Consecutive lines of `given`."""
    for number, fact in enumerate(facts):
        yield f"{'and' if number else 'given'} {fact}"


def _reached(runner: Runner) -> Cells:
    """The position after all scenes, at a decision or at the end of the game. Raises PositionError."""
    (scene, *_) = runner.example.scenes
    try:
        for scene in runner.example.scenes:
            runner.scene(scene)
        runner.begin_course()
    except (ExampleError, GivenError, UsageError, PlayError) as fault:
        raise PositionError(runner.failure_at(scene, fault)) from None
    if not runner.state.over and runner.state.player is None:
        phase = next(iter(runner.program.model.phases))
        reason = f"    nobody is asked anything here: go on with a line such as `when phase {phase}`"
        raise PositionError("\n".join([scene.span.location, *scene.span.excerpt(), reason]))
    cells = Cells(runner.cells)
    cells[MOVES], cells[RANDOM], cells[IDLE], cells[DRAWN] = None, 0, 0, 0
    return cells
