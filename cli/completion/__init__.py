"""Shell completion. No rules are compiled and no verb is imported."""

from cli.completion.words import Candidate, candidates

__all__ = ["Candidate", "candidates"]
