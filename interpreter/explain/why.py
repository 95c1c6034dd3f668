"""Why: of a move, a value, or what lies at a place."""

from interpreter.explain.answer import Origin, Reason, Why
from interpreter.explain.move_arguments import offered_to
from interpreter.explain.moves import is_move, requirements_of, why_move

__all__ = ["Origin", "Reason", "Why", "is_move", "offered_to", "requirements_of", "why_move"]
