"""The settings of a sweep: `goal=20..200:20`, `goal=20,50,100`, and all combinations of several of these."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field
from itertools import product
from math import prod
from typing import Literal

from cli.arguments import read_players
from cli.errors import MisuseError
from dsl.lazy_dataclasses import dataclass

MOST_SETTINGS = 1_000
"""The maximum number of settings of one sweep."""

NONE = "none"
"""In a list of variants: without any of them."""

_RANGE = re.compile(r"(-?\d{1,9})\.\.(-?\d{1,9})(?::(\d{1,9}))?", re.ASCII)


@dataclass(frozen=True)
class Choice:
    """The choices of one setting: the number of players or their seats, options, and variants.

    `varied` are the choices that differ between the settings of the sweep, by name.
    """

    players: int | tuple[str, ...] | None = None
    options: Mapping[str, str] = field(default_factory=dict)
    variants: tuple[str, ...] = ()
    varied: Mapping[str, str] = field(default_factory=dict)

    @property
    def name(self) -> str:
        """The choices that distinguish the setting: `goal=20, advanced=true`."""
        return ", ".join(f"{name}={value}" for name, value in self.varied.items())


@dataclass(frozen=True)
class _Axis:
    """One dimension of a sweep: what a flag chooses, the name under which it is shown, and all its values."""

    kind: Literal["players", "option", "variant"]
    name: str
    values: tuple[str, ...]


def choices(players: str | None, options: Mapping[str, str], variants: Sequence[str]) -> list[Choice]:
    """All combinations of the values that flags list; those of the last flag vary fastest. Raises MisuseError."""
    axes = list(_axes(players, options, variants))
    number = prod(len(axis.values) for axis in axes)
    if number > MOST_SETTINGS:
        raise MisuseError(f"a sweep has at most {MOST_SETTINGS} settings, not {number}; use a larger step")
    if number == 1:
        raise MisuseError(
            "there is nothing to vary: give a range such as -o NAME=20..200:20, or a list: -o NAME=1,2, "
            f"--variant {NONE},NAME, --players 3..5"
        )
    return [_choice(axes, values) for values in product(*(axis.values for axis in axes))]


def _axes(players: str | None, options: Mapping[str, str], variants: Sequence[str]) -> Iterator[_Axis]:
    if players is not None:
        yield _Axis("players", "players", tuple(_players(players)))
    for name, text in options.items():
        yield _Axis("option", name, tuple(values_of(f"--option {name}", text)))
    lists = [tuple(_listed("--variant", text)) for text in variants]
    several = sum(len(names) > 1 for names in lists) > 1
    for number, values in enumerate(lists, 1):
        yield _Axis("variant", f"variant {number}" if several else "variant", values)


def _choice(axes: Sequence[_Axis], values: Sequence[str]) -> Choice:
    chosen = list(zip(axes, values, strict=True))
    return Choice(
        next((read_players(value) for axis, value in chosen if axis.kind == "players"), None),
        {axis.name: value for axis, value in chosen if axis.kind == "option"},
        tuple(name for axis, value in chosen if axis.kind == "variant" and value != NONE for name in value.split("+")),
        {axis.name: value for axis, value in chosen if len(axis.values) > 1},
    )


def values_of(flag: str, text: str) -> list[str]:
    """The values that a flag lists: ranges with a step, and single ones. Raises MisuseError."""
    values = [value for part in _listed(flag, text) for value in _range(flag, part)]
    if len(set(values)) < len(values):
        raise MisuseError(f"{flag}: {text} has a value twice")
    return values


def _range(flag: str, text: str) -> list[str]:
    bounds = _RANGE.fullmatch(text)
    if bounds is None:
        if ".." in text:
            raise MisuseError(f"{flag}: a range is FIRST..LAST or FIRST..LAST:STEP, in whole numbers, not {text}")
        return [text]
    first, last, step = int(bounds[1]), int(bounds[2]), int(bounds[3] or 1)
    if last < first or step < 1:
        raise MisuseError(f"{flag}: a range goes up, such as 20..200:20, not {text}")
    if (last - first) // step >= MOST_SETTINGS:
        raise MisuseError(f"a sweep has at most {MOST_SETTINGS} settings; {text} has more")
    return [str(value) for value in range(first, last + 1, step)]


def _players(text: str) -> list[str]:
    """Several numbers of players as a range or a list; otherwise one number, or the names of seats."""
    parts = _listed("--players", text)
    are_numbers = all(part.isdecimal() or _RANGE.fullmatch(part) for part in parts)
    return values_of("--players", text) if are_numbers else [text]


def _listed(flag: str, text: str) -> list[str]:
    parts = [part.strip() for part in text.split(",")]
    if not all(parts):
        raise MisuseError(f"{flag}: there is nothing between two commas of {text!r}")
    return parts
