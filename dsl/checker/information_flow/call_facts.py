"""The facts under which a definition, a step or an action is called."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

from dsl.checker.information_flow.facts import Env, Known, together
from dsl.checker.logic.terms import UNKNOWN, Term, Truths
from dsl.lazy_dataclasses import dataclass
from dsl.symbols import LocalSymbol


@dataclass(frozen=True)
class CallFacts:
    """The input of a definition or rule: facts about its arguments, their terms, and the conditions that hold."""

    arguments: tuple[Known, ...]
    terms: tuple[Term, ...]
    truths: Truths

    def __hash__(self) -> int:
        return self._hash

    @cached_property
    def _hash(self) -> int:
        return hash((self.arguments, self.terms, self.truths))

    def env(self, parameters: Sequence[LocalSymbol]) -> Env:
        """Facts known inside."""
        env = Env(truths=self.truths)
        for parameter, argument, term in zip(parameters, self.arguments, self.terms, strict=False):
            env = env.bind(parameter, argument, None if term == Term(parameter) else term)
        return env

    def together(self, second: CallFacts) -> CallFacts:
        """Facts known in both cases."""
        arguments = tuple(together(pair).anywhere() for pair in zip(self.arguments, second.arguments, strict=True))
        terms = tuple(
            left_term if left_term == right_term else UNKNOWN
            for left_term, right_term in zip(self.terms, second.terms, strict=True)
        )
        return CallFacts(arguments, terms, self.truths & second.truths)
