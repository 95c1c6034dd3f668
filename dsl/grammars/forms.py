"""Grammars of characters as data: a rule is a form, which consists of texts, ranges of characters and other rules.

`"a" name ("," name)*` is `InTurn((Text("a"), Reference("name"), Repeated(InTurn((Text(","), Reference("name"))))))`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

from dsl.lazy_dataclasses import dataclass


@dataclass(frozen=True)
class Text:
    """Characters that stand for themselves."""

    text: str


@dataclass(frozen=True)
class OneOf:
    """One character of these ranges, each written as its first and last one: `az`. If `is_other`, one outside them."""

    ranges: tuple[str, ...]
    is_other: bool = False


@dataclass(frozen=True)
class Reference:
    """The texts of another rule, by its name."""

    rule: str


@dataclass(frozen=True)
class InTurn:
    """All of these, one after another."""

    parts: tuple[Form, ...]


@dataclass(frozen=True)
class Either:
    """One of these."""

    parts: tuple[Form, ...]


@dataclass(frozen=True)
class Maybe:
    """This, or nothing."""

    part: Form


@dataclass(frozen=True)
class Repeated:
    """This, any number of times, or at least once if `least` is 1."""

    part: Form
    least: int = 0


Form: TypeAlias = Text | OneOf | Reference | InTurn | Either | Maybe | Repeated
Rules: TypeAlias = dict[str, Form]
"""The forms of the rules by name; the first rule is that of a whole text."""


def in_turn(parts: Sequence[Form]) -> Form:
    """All of these, one after another; texts that follow each other become one."""
    joined: list[Form] = []
    for part in parts:
        for member in part.parts if isinstance(part, InTurn) else (part,):
            if isinstance(member, Text) and joined and isinstance(joined[-1], Text):
                joined[-1] = Text(joined[-1].text + member.text)
            elif member != Text(""):
                joined.append(member)
    return joined[0] if len(joined) == 1 else InTurn(tuple(joined)) if joined else Text("")


def either(parts: Sequence[Form]) -> Form:
    """One of these; an empty text among them makes the others optional."""
    distinct = tuple(dict.fromkeys(part for part in parts if part != Text("")))
    choice = distinct[0] if len(distinct) == 1 else Either(distinct)
    return Maybe(choice) if len(distinct) < len({*parts}) else choice
