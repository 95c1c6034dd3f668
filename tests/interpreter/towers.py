"""A small game of building: four turns in which a height grows or not, for one player or for two together."""

from __future__ import annotations


def tower_rules(players: str, step: int, needed: int) -> str:
    """The rules for some players: who builds adds `step`, and more than `needed` wins."""
    return f"""game "Tower" for {players}

== components ==

note height: 0..9 = 0
note turns: 0..9 = 0

== phases ==

phase main, turns from ann, over when turns is 4:
    add 1 to turns
    must build or rest

action build:
    "build"
    add {step} to height

action rest:
    "rest"

== scoring ==

winner height > {needed} then highest height
"""


ALONE = tower_rules("1 player ann", 2, 3)
TOGETHER = tower_rules("2 players ann, ben", 1, 1)
