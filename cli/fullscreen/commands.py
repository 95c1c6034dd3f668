"""The commands of the prompt in full screen; answers are shown over the table."""

from __future__ import annotations

from rich.text import Text

from cli.fullscreen.game import Game
from cli.fullscreen.hint import HintScreen
from cli.play.answers import copy_save, explained, previewed
from cli.play.prompt import Command, entries_wanted
from cli.play.undo import possible_undo
from cli.render.log import story
from cli.save_paths import short
from interpreter.errors import UsageError
from interpreter.seat.narrowing import Step

NO_STEP = Step("move", ())
"""The question while nobody has to decide."""


def run(game: Game, command: Command, step: Step | None = None) -> None:
    """Carry out a command at the question `step`; `step` is None if no decision is pending."""
    match command.word:
        case "quit":
            game.action_leave()
        case "undo":
            _undo(game)
        case "back":
            game.take_back_pick(
                game.words.phrase("there is no pick to take back; `undo` goes back to your last decision")
            )
        case "help":
            game.action_help()
        case "names":
            game.action_names()
        case "trace":
            game.action_look()
        case "rules":
            game.action_rules()
        case "log":
            _log(game, command.rest)
        case "why":
            game.answer(f"why {command.rest}", list(explained(game.session, command.rest, step or NO_STEP)))
        case "know":
            game.know()
        case "preview":
            game.answer(f"preview {command.rest}", list(previewed(game.session, command.rest, step or NO_STEP)))
        case "hint":
            _hint(game, command.rest, step)
        case "save":
            _save(game, command.rest)
        case _:
            game.show()


def _undo(game: Game) -> None:
    seat = game.course.seat
    found = None if seat is None else possible_undo(game.session, seat)
    if found is None:
        game.say(game.words.phrase("you have made no decision yet that could be taken back"))
    else:
        game.undo(found)


def _log(game: Game, rest: str) -> None:
    lines = game.course.log()
    most = entries_wanted(rest, len(lines))
    if most is None:
        game.say(game.words.phrase("`log` expects a number of entries, at least 1, or `all`"))
    else:
        shown = list(story(lines[-most:], game.look, every=game.course.details))
        phrase = game.words.phrase
        game.answer(phrase("so far"), shown or [Text(phrase("nothing has happened yet"))])


def _hint(game: Game, limit: str, step: Step | None) -> None:
    if step is None:
        game.say(game.words.phrase("hints are for the deciding seat; nobody at this keyboard has to decide now"))
        return
    try:
        hint = game.session.hints.begin(game.session.state, limit)
    except UsageError as fault:
        game.say(game.words.fault(fault))
    else:
        game.push_screen(HintScreen(hint, lambda: hint.parts(step, game.look)))


def _save(game: Game, rest: str) -> None:
    session = game.session
    if rest:
        game.say(copy_save(session, rest))
    elif session.unsaved:
        game.say(game.words.phrase("NOT saved ({reason}): ", reason=session.unsaved) + short(session.path))
    else:
        game.say(game.words.phrase("saved in {path}", path=short(session.path)))
