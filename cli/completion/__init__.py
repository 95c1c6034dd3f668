"""Shell completion, without compiling rules or importing verbs."""

from cli.completion.words import Candidate, candidates

__all__ = ["Candidate", "candidates"]
