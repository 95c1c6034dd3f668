"""The console of the debugger: commands, and expressions of the language."""

from __future__ import annotations

from collections.abc import Callable

from dsl.lazy_dataclasses import dataclass
from dsl.text.numbers import whole_number
from editors.dap.debuggee import AT_A_TABLE, DebuggedGame, Debuggee
from editors.dap.variables import Variable, explained
from interpreter.errors import UsageError
from interpreter.play.trace import Position, Snapshot
from interpreter.runtime.cells import Cells
from interpreter.runtime.layout import ME
from interpreter.seat.explain.moves import is_move
from interpreter.seat.notation.moves import moves_in_words

MAX_LISTED_MOVES = 60
"""Maximum number of legal moves that are listed at once."""

MOVES_OF_ANOTHER = "another seat decides here, and what it may do is not shown"
"""A seat that knew which moves of others are legal would know their cards."""

HELP = """\
push MOVE    make a move where the game waits for it, in the notation of `moves`
pop          take the last decision back
branch       forget what follows the decision shown, and go on from there
moves        the moves that are legal here
why MOVE     why a move is legal or not here; why EXPRESSION: how a value comes about
go N         go to decision N; 0 is the setup
anything else is an expression of the language, with the names in scope"""


@dataclass(frozen=True)
class Answer:
    """What the console answers; `moved_to` is given if the debugger is somewhere else now.

    `run_to` is the number of a decision that is still to be made; the debugger runs until it is.
    """

    variable: Variable
    moved_to: Position | None = None
    run_to: int | None = None


def answer(debuggee: Debuggee, position: Position, line: str) -> Answer:
    """Do what a line of the console says. Raises UsageError, PlayError."""
    command, _, rest = line.strip().partition(" ")
    rest = rest.strip()
    if command == "help" and not rest:
        return _text(HELP)
    if command == "why" and rest:
        return _text("\n".join(_reasons(debuggee.recording.snapshot(position), rest)))
    if command == "go" and whole_number(rest) is not None:
        return _go(debuggee, whole_number(rest) or 0)
    commands: dict[str, Callable[[DebuggedGame], Answer]] = {
        "push": lambda game: _push(game, position, rest),
        "pop": _pop,
        "branch": lambda game: _branch(game, position),
    }
    if command == "moves" and not rest:
        return _text(moves_listed(debuggee.recording.snapshot(position)))
    if command in commands and bool(rest) == (command == "push"):
        if not isinstance(debuggee, DebuggedGame):
            raise UsageError("an example makes its own moves")
        if debuggee.is_at_a_table:
            raise UsageError(AT_A_TABLE)
        return commands[command](debuggee)
    return value(debuggee, position, line)


def value(debuggee: Debuggee, position: Position, text: str) -> Answer:
    """The value of an expression, for a hover or a watch: a word in the rules is no command. Raises UsageError."""
    return Answer(explained(debuggee.recording.snapshot(position).evaluate(text)))


def _reasons(snapshot: Snapshot, text: str) -> list[str]:
    if is_move(snapshot.program, _deciding(snapshot), text, snapshot.seat):
        return snapshot.why(text).lines()
    return list(snapshot.evaluate(text).lines())


def _deciding(snapshot: Snapshot) -> Cells:
    """The state in which the decision is pending that a moment belongs to."""
    return snapshot.deciding if snapshot.deciding is not None else snapshot.cells


def _text(text: str) -> Answer:
    return Answer(Variable("", text))


def _go(debuggee: Debuggee, number: int) -> Answer:
    if number < 0:
        raise UsageError("decisions are counted from 0, which is the setup")
    if number > debuggee.recording.plies:
        return Answer(Variable("", f"the game runs to decision {number}"), run_to=number)
    return Answer(Variable("", f"decision {number}"), Position(number))


def _push(game: DebuggedGame, position: Position, move: str) -> Answer:
    if position.ply < game.recording.plies:
        raise UsageError(
            f"this is decision {position.ply} of {game.recording.plies}: "
            f"`go {game.recording.plies}` leads to the last, `branch` goes on from here"
        )
    if game.as_seat not in (None, game.state.player):
        raise UsageError(MOVES_OF_ANOTHER)
    number = whole_number(move)
    legal = game.state.legal_moves
    chosen = legal[number - 1] if number is not None and 0 < number <= len(legal) else move
    game.make(chosen)
    after_move = Position(game.recording.plies)
    return Answer(Variable("", game.recording.event(after_move).text), after_move)


def _pop(game: DebuggedGame) -> Answer:
    game.take_back()
    return Answer(Variable("", f"{game.state.ply} decisions are left"), game.recording.last)


def _branch(game: DebuggedGame, position: Position) -> Answer:
    game.branch(position)
    return Answer(Variable("", f"the game goes on after decision {game.state.ply}"), game.recording.last)


def moves_listed(snapshot: Snapshot) -> str:
    """The legal moves of the decision that a moment belongs to, numbered."""
    cells = Cells(_deciding(snapshot))
    if snapshot.program.decision(cells) is None:
        return "no decision is pending here"
    if snapshot.seat not in (None, cells[ME]):
        return MOVES_OF_ANOTHER
    moves = moves_in_words(snapshot.program, cells, snapshot.program.legal(cells))
    lines = [f"{number:>3} {move.notation}" for number, move in enumerate(moves[:MAX_LISTED_MOVES], start=1)]
    more = [f"    and {len(moves) - MAX_LISTED_MOVES} more"] if len(moves) > MAX_LISTED_MOVES else []
    return "\n".join([*lines, *more])
