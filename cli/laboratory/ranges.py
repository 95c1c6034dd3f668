"""What a sweep varies: `goal=20..200:20`, `goal=20,50,100`, and all combinations of several such."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import product

from cli.arguments import read_players
from cli.errors import MisuseError

MOST_SETTINGS = 1_000
"""The most settings of one sweep."""

NONE = "none"
"""In a list of variants: without any of them."""

_RANGE = re.compile(r"(-?\d{1,9})\.\.(-?\d{1,9})(?::(\d{1,9}))?", re.ASCII)


@dataclass(frozen=True)
class Choice:
    """What is chosen for one setting: the number of players or their seats, options, and variants.

    `varied` are the choices that other settings of the sweep have otherwise, as they are shown.
    """

    players: int | tuple[str, ...] | None = None
    options: Mapping[str, str] = field(default_factory=dict)
    variants: tuple[str, ...] = ()
    varied: Mapping[str, str] = field(default_factory=dict)

    @property
    def name(self) -> str:
        """The setting among the others: `goal=20, advanced=true`."""
        return ", ".join(f"{name}={value}" for name, value in self.varied.items())


def choices(players: str | None, options: Mapping[str, str], variants: Sequence[str]) -> list[Choice]:
    """All combinations of what the flags list, the last flag varying fastest. Raises MisuseError."""
    axes: list[tuple[str, list[str]]] = []
    if players is not None:
        axes.append(("players", _players(players)))
    axes += [(name, values_of(name, text)) for name, text in options.items()]
    axes += [(f"variant {number}", _listed("--variant", text)) for number, text in enumerate(variants)]
    number = 1
    for _, values in axes:
        number *= len(values)
        if number > MOST_SETTINGS:
            raise MisuseError(f"a sweep has at most {MOST_SETTINGS} settings; use a larger step or shorter lists")
    if number == 1:
        raise MisuseError(
            "there is nothing to vary: give a range such as -o NAME=20..200:20, or a list: -o NAME=1,2, "
            f"--variant {NONE},NAME, --players 3..5"
        )
    return [_choice(axes, combination, players is not None, len(options)) for combination in _combinations(axes)]


def _combinations(axes: Sequence[tuple[str, Sequence[str]]]) -> Iterator[tuple[str, ...]]:
    return product(*(values for _, values in axes))


def _choice(
    axes: Sequence[tuple[str, Sequence[str]]], values: Sequence[str], with_players: bool, options: int
) -> Choice:  # fmt: skip
    first = int(with_players)
    names = [name for name, _ in axes]
    several = sum(len(each) > 1 for _, each in axes[first + options :]) > 1
    varied = {
        name if not name.startswith("variant ") or several else "variant": value
        for (name, each), value in zip(axes, values, strict=True)
        if len(each) > 1
    }
    return Choice(
        read_players(values[0]) if with_players else None,
        dict(zip(names[first : first + options], values[first : first + options], strict=True)),
        tuple(name for value in values[first + options :] if value != NONE for name in value.split("+")),
        varied,
    )


def values_of(name: str, text: str) -> list[str]:
    """The values of an option: a range with a step, a list, or a single one. Raises MisuseError."""
    found = [each for part in _listed(f"--option {name}", text) for each in _range(name, part)]
    if len(set(found)) < len(found):
        raise MisuseError(f"--option {name}={text} lists a value twice")
    return found


def _range(name: str, text: str) -> list[str]:
    found = _RANGE.fullmatch(text)
    if found is None:
        return [text]
    first, last, step = int(found[1]), int(found[2]), int(found[3] or 1)
    if last < first or step < 1:
        raise MisuseError(f"--option {name}={text}: a range goes up, such as 20..200:20")
    if (last - first) // step >= MOST_SETTINGS:
        raise MisuseError(f"a sweep has at most {MOST_SETTINGS} settings; {text} has more")
    return [str(value) for value in range(first, last + 1, step)]


def _players(text: str) -> list[str]:
    """Several numbers of players as a range or a list; otherwise one number, or the names of seats."""
    parts = _listed("--players", text)
    if all(part.isdecimal() or _RANGE.fullmatch(part) for part in parts):
        return [each for part in parts for each in _range("players", part)]
    return [text]


def _listed(flag: str, text: str) -> list[str]:
    parts = [part.strip() for part in text.split(",")]
    if not all(parts):
        raise MisuseError(f"{flag}: there is nothing between two commas of {text!r}")
    return parts
