"""Legal moves narrowed step by step: first the action, then what is open in its label, one question at a time.

Everything here follows from the legal moves and their words alone, which the seat that decides knows; nothing depends
on what is hidden from it.
"""

from interpreter.seat.narrowing.filtering import completed, matching, whole_matches
from interpreter.seat.narrowing.narrowing import Narrowing
from interpreter.seat.narrowing.steps import Candidate, NarrowingStep, step_of

__all__ = ["Candidate", "Narrowing", "NarrowingStep", "completed", "matching", "step_of", "whole_matches"]
