"""A small game with a variant, for the verbs that compare rules: every turn rolls a die or takes two steps."""

from __future__ import annotations

from pathlib import Path

from typer.testing import Result

WALK = """game "Walk" for 2 to 3 players ann, ben, cleo

option length: 1..20 = 6
option slow: Truth = false

== components ==

note turns: 0..99 = 0
note steps[p: Player]: 0..99 = 0
die luck: 1, 2, 3, 4, 5, 6

== phases ==

phase main, turns from ann, over when turns is length:
    add 1 to turns
    must walk or stay

action walk:
    "walk"
    roll luck
    add luck to steps[me]

action stay:
    "stay"
    add (1 if slow else 2) to steps[me]

== scoring ==

winner highest steps[me]
"""

VARIANT = """variant "Far" of walk:
    "A longer walk."
    replace option length: 1..20 = 12
"""


def write_walk(folder: Path) -> Path:
    """Write the game and its variant."""
    (folder / "walk.rules").write_text(WALK)
    (folder / "variants").mkdir()
    (folder / "variants" / "far.rules").write_text(VARIANT)
    return folder


def with_one_process(run):
    """Run a command line with one process, unless it says how many there are."""

    def alone(*words: object, **more: str) -> Result:
        return run(*words, *(() if {"-j", "--jobs"} & set(words) else ("-j", 1)), **more)

    return alone
