"""Answers to the questions of a person during a game, the same at the prompt and in full screen."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from rich.console import RenderableType
from rich.text import Text

from cli.errors import CommandError, MisuseError
from cli.play.prompt import candidate_numbered
from cli.render.diagnostics import coloured
from cli.render.knowledge import knowledge_lines
from cli.render.palette import Palette
from cli.render.pieces import Hanging
from cli.render.reasons import reasons
from cli.render.rules_summary import summary_lines
from cli.save_paths import claimed_save, path_to_write, short
from dsl.text.files import is_there
from dsl.text.visible import brief
from interpreter.errors import ExpressionError, PlayError, RegelwerkError, SaveError, UsageError
from interpreter.play.saves.files import SaveMeta, write_save
from interpreter.play.trace.origins import why
from interpreter.seat.explain.moves import why_move
from interpreter.seat.explain.rules_summary import rules_summary
from interpreter.seat.narrowing import Narrowing

if TYPE_CHECKING:
    from cli.play.table import PlaySession
    from interpreter.opponents.knowledge.summary import Knowledge
    from interpreter.play.game import State
    from interpreter.seat.narrowing import NarrowingStep
    from interpreter.seat.notation.moves import Move


MORE = "more"
"""The word after a question to `why` that asks for everything."""


def sentence(words: str) -> RenderableType:
    """One sentence, indented."""
    return Hanging(Text(" "), Text(words))


def explained(session: PlaySession, seat: str | None, rest: str, step: NarrowingStep) -> Sequence[RenderableType]:
    """Why a move is legal or not, the parts of a value, or what changed a place; a number is that of a candidate.

    The answer contains what `seat` may know, which is not that of the pending decision while a bot is thinking.
    """
    state, phrase = session.state, session.words.phrase
    if not rest:
        return [sentence(phrase("`why` expects a move (its number, or as written; legal or not), a value or a place"))]
    as_seat = None if session.opened or state.over else seat
    if as_seat is None and not session.opened and not state.over:
        return [sentence(phrase("nobody is at the keyboard whose knowledge could be shown"))]
    is_own = seat == state.player  # a seat must not learn from the words that are understood what another may do
    move = move_in(session, rest, step) if is_own else None
    further = phrase("{command} shows the rest", command=f"`why {rest} {MORE}`")
    if move is None and rest.lower().endswith(f" {MORE}"):
        rest, further = rest[: -len(MORE)].strip(), ""
        move = move_in(session, rest, step) if is_own else None
    if move is None and rest.isdecimal():
        text = phrase("number {text} is not a move; `why` expects one as written, or a value", text=brief(rest))
        return [sentence(text)]
    question = rest if move is None else move.notation
    try:
        return list(reasons(why(state, question, as_seat), None, further, session.words))
    except ExpressionError as fault:
        return [coloured(diagnostic) for diagnostic in fault.diagnostics]
    except PlayError as fault:
        return [sentence(session.words.fault(session.told(fault)))]
    except UsageError as fault:
        return [sentence(session.words.fault(fault))]


def inferences(knowledge: Knowledge | RegelwerkError, look: Palette) -> Sequence[RenderableType]:
    """What a seat can infer about things it does not see, or why that cannot be computed."""
    if isinstance(knowledge, RegelwerkError):
        return [sentence(look.words.fault(knowledge))]
    return list(knowledge_lines(knowledge, look))


def summarised(session: PlaySession) -> Sequence[RenderableType]:
    """A summary of the rules."""
    return list(summary_lines(rules_summary(session.game.rules.model, session.words), session.words))


def move_in(session: PlaySession, text: str, step: NarrowingStep) -> Move | None:
    """The legal move denoted by the number of a candidate of `step` or by words; None if there are none or several."""
    if text.isdecimal():
        candidate = candidate_numbered(text, step)
        return candidate.moves[0] if candidate is not None and len(candidate.moves) == 1 else None
    answer = session.answer(text, Narrowing(session.state.legal_moves), step)
    return answer.move if isinstance(answer, Narrowing) else None


def previewed(session: PlaySession, rest: str, step: NarrowingStep) -> Sequence[RenderableType]:
    """The effects of a move, as far as the deciding seat can tell."""
    phrase, move = session.words.phrase, move_in(session, rest, step)
    if move is None:
        return [sentence(phrase("`preview` expects a legal move: its number, or words that only it has"))]
    lines = session.state.effects(move)
    if not lines:
        return [sentence(phrase("its effects cannot be known in advance"))]
    return [sentence(move.label), *map(sentence, lines)]


def offered_once(state: State, line: str) -> str:
    """A sentence naming the equivalent move offered in place of the one that a line names; empty if there is none."""
    try:
        answer = why_move(state.program, state.cells, " ".join(line.split()), {})
    except PlayError:
        return ""
    return answer.headline if answer.offered_once else ""


def copy_save(session: PlaySession, name: str) -> str:
    """Write a copy of the save; return a message saying where it is, or why it could not be written."""
    try:
        path = path_to_write(name, "save")
    except (CommandError, MisuseError) as fault:
        return str(fault)
    try:
        with claimed_save(path):
            if is_there(path):
                return session.words.phrase("{name} already exists; choose another name", name=name)
            write_save(path, session.state, SaveMeta(session.kinds, session.notes))
    except (CommandError, SaveError) as fault:
        return str(fault)
    except OSError as fault:
        reason = (fault.strerror or str(fault)).lower()
        return session.words.phrase("cannot write {name}: {reason}", name=name, reason=reason)
    place = short(path.absolute())
    return session.words.phrase("copied the save to {path}; the game continues in the old one", path=place)
