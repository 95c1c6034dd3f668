"""Whether a rule that fails in a decision fails by what every seat knows, so that everybody may be told why.

A message names the value that failed, and the value may come from anything that was read before: a sum, a condition, a
loop that went on to that place. So the move is made once more on a state that refuses whatever spectators may not read,
chance included (`seat/redaction.py`). If it fails there in the same way, everything that led to the fault was open to
all. If it meets something hidden first, nobody learns the reason, even if the fault does not depend on it.
"""

from __future__ import annotations

from typing import cast

from interpreter.compiler.privacy import privacy_of
from interpreter.engine.program import Program
from interpreter.errors import LimitError, PlayError, public_if_same
from interpreter.play.state import PlayState, push_in_words
from interpreter.runtime.cells import Cells, MoveCode
from interpreter.seat.notation.moves import Listing, Move
from interpreter.seat.redaction import HiddenValueError, PublicVisibility, SupposedState


def push_at_table(state: PlayState, move: Move | str) -> None:
    """Make a move like `push_in_words`. Raises PublicFaultError if a rule fails by what every seat knows."""
    try:
        push_in_words(state, move)
    except PlayError as fault:
        raise judged(state.program, state.cells, state.code_of(move), fault) from None


def judged(program: Program, state: Cells, code: MoveCode, fault: PlayError) -> PlayError:
    """The fault of a move that was made in this state: a PublicFaultError if every seat knows what it follows from."""
    if isinstance(fault, LimitError) or not _is_known_to_all(program, state, code):
        return fault
    try:
        program.do(cast("Cells", SupposedState(PublicVisibility(program), state)), None, code)
    except HiddenValueError:
        return fault
    except PlayError as public:
        return public_if_same(fault, public)
    return fault


def _is_known_to_all(program: Program, state: Cells, code: MoveCode) -> bool:
    """True if all seats know the whole move before it has any effect, and that it was to be made."""
    decision = program.decision(state)
    assert decision is not None
    privacy, visibility = privacy_of(program.model, decision), PublicVisibility(program)
    values = code[1:]
    if privacy.secretly or privacy.at_once or privacy.hidden:
        return False
    if any(argument.secret for argument in privacy.arguments(code[0], len(values))):
        return False
    types = Listing(program, state, decision.node, [code]).types(code)
    return all(visibility.value_seen(state, type_, value) for type_, value in zip(types, values, strict=True))
