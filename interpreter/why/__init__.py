"""Why: of a move, a value, or what lies at a place."""

from interpreter.why.answer import Origin, Reason, Why
from interpreter.why.moves import is_move, requirements_of, why_move
from interpreter.why.reading import offered_to

__all__ = ["Origin", "Reason", "Why", "is_move", "offered_to", "requirements_of", "why_move"]
