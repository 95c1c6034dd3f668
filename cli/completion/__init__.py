"""Completion in a shell: what can follow the words of a command line. Nothing is compiled, and no verb is imported."""

from cli.completion.words import Candidate, candidates

__all__ = ["Candidate", "candidates"]
