"""The first version of a new game: a template whose lines are chosen by how the game is to be.

A template is a rules file in which lines may end in `#?` and the traits of the games they belong to:

    zone hand[p: Player] holds Card, seen by p        #? hidden
    zone hand[p: Player] holds Card                   #? open

So every combination can be read in one place, and is a file that checks, tests and plays (tests/cli/test_new.py).
"""

from __future__ import annotations

import re
from importlib.resources import files
from typing import Literal

from dsl.formatter import canonical
from dsl.lazy_dataclasses import dataclass
from dsl.text.span import Source

Kind = Literal["board", "cards"]
Sight = Literal["hidden", "open"]
Ending = Literal["points", "race", "last"]

SEATS = ("red", "blue", "green", "yellow", "white")
"""The seats of a new game, in turn order; all of them are colours, so that pieces are drawn in them."""

MIN_SEATS = 2

_CHOSEN_LINE = re.compile(r"(?P<text>.*?)\s*#\? (?P<traits>[a-z ]+)")


@dataclass(frozen=True)
class StartingPoint:
    """How a new game is to be.

    `kind`: cards, or stones on a board. `sight`: whether something is hidden from the other seats. `ending`: most
    points when nothing is left (`points`), the first to reach a goal (`race`), or the last who can play (`last`).
    """

    kind: Kind = "cards"
    fewest: int = 2
    most: int = 4
    sight: Sight = "hidden"
    ending: Ending = "points"


def first_version(start: StartingPoint, title: str, file: str) -> str:
    """The rules of a new game as text in the canonical layout; `file` is the name under which it will be found."""
    template = files("interpreter.authoring").joinpath("starters", f"{start.kind}.template").read_text("utf-8")
    seats = SEATS[: start.most]
    number = f"{start.fewest}" if start.fewest == start.most else f"{start.fewest} to {start.most}"
    words = {
        "title": title, "file": file, "players": f"{number} players {', '.join(seats)}",
        "first": seats[0], "second": seats[1],
    }  # fmt: skip
    text = "\n".join(_chosen(template.splitlines(), {start.sight, start.ending}))
    for name, word in words.items():
        text = text.replace(f"{{{name}}}", word)
    formatted, diagnostics = canonical(Source(file, f"{text}\n"))
    assert formatted is not None, diagnostics
    return formatted


def _chosen(lines: list[str], traits: set[str]) -> list[str]:
    """The lines of a template for a game with these traits."""
    chosen = []
    for line in lines:
        marked = _CHOSEN_LINE.fullmatch(line)
        if marked is None:
            chosen.append(line)
        elif traits & set(marked["traits"].split(" or ")):
            chosen.append(marked["text"])
    return chosen
