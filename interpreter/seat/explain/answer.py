"""Answers to `why`: a move requirement by requirement, a number part by part, a place change by change."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import field

from dsl import ast
from dsl.lazy_dataclasses import dataclass
from interpreter.seat.explain.breakdown import Explanation
from interpreter.seat.explain.evaluator import ShownValue
from interpreter.seat.notation.moves import Move


@dataclass(frozen=True)
class Reason:
    """One requirement, or the rule that asks.

    `text` is its reason in the author's words with the values filled in if it fails, else its condition; `values` are
    those of the parts of its condition, `location` is `file:line:column`.
    """

    text: str
    holds: bool
    values: tuple[ShownValue, ...]
    location: str
    cites: tuple[str, ...]
    node: ast.Node = field(repr=False, compare=False)
    asks: bool = field(default=False, compare=False)
    """True for the rule that asks."""


@dataclass(frozen=True)
class Origin:
    """A change that led to the content of a place or note: its segment, decision, and rule."""

    ply: int
    decision: str
    change: str
    rule: str
    location: str
    cites: tuple[str, ...]


@dataclass(frozen=True)
class Why:
    """The answer to one `why` question.

    For a move, `legal` is True or False, `reasons` are its requirements after the rule that asks, and `nearest` are the
    legal moves most like one that is not, or those that the words of a question name. If an argument does not fit,
    `signature` says what the action takes. For a value, `legal` is None and `explained` is its explanation; for a place
    or note `origins` are the changes that led to its content, the earliest first.
    """

    legal: bool | None
    headline: str
    reasons: tuple[Reason, ...] = ()
    nearest: tuple[Move, ...] = ()
    explained: Explanation | None = None
    origins: tuple[Origin, ...] = ()
    signature: tuple[str, ...] = ()
    refusal: str = field(default="", compare=False)
    """Why the move is not legal, without the move itself; empty if the headline is no such sentence."""

    @property
    def offered_once(self) -> bool:
        """True if the move is not legal only because an equal one is offered."""
        return any(isinstance(reason.node, ast.OfferedOnce) and not reason.holds for reason in self.reasons)

    @property
    def reason(self) -> str:
        """The headline without the move itself."""
        return self.refusal or self.headline

    def lines(self) -> list[str]:
        """The answer as lines of text."""
        signature = (f"  {line}" for line in self.signature)
        return [self.headline, *signature, *self._reasons(), *self._nearest(), *self._explained(), *self._origins()]

    def _reasons(self) -> Iterator[str]:
        for reason in self.reasons:
            values = ", ".join(f"{text} = {value}" for text, value in reason.values)
            cites = f" [{' '.join(reason.cites)}]" if reason.cites else ""
            yield f"  {'holds' if reason.holds else 'fails'}: {reason.text}{cites}"
            if values:
                yield f"         {values}"
            yield f"         {reason.location}"

    def _nearest(self) -> Iterator[str]:
        if self.nearest:
            moves = ", ".join(move.notation for move in self.nearest)
            yield f"  {'legal' if self.legal else 'nearest legal'} moves: {moves}"

    def _explained(self) -> Iterator[str]:
        if self.explained is not None:
            yield from self.explained.lines(1)

    def _origins(self) -> Iterator[str]:
        for origin in self.origins:
            cites = f" [{' '.join(origin.cites)}]" if origin.cites else ""
            yield f"  {origin.ply} {origin.decision}: {origin.change}"
            if origin.location:
                yield f"         {origin.rule}{cites}"
                yield f"         {origin.location}"
