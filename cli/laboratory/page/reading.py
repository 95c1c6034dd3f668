"""The meaning of the figures of a report, in words for people who do not know the measures."""

from __future__ import annotations

from collections.abc import Mapping

MEANINGS: Mapping[str, str] = {
    "forced": "The share of the decisions in which there was only one legal move.",
    "returns": "How often the most frequent position recurred.",
    "lead_changes": "How often the lead passed from one seat to another, judged by the expected shares.",
    "settled": "The part of the game after which the eventual winner was ahead until the end.",
    "uncertainty": "How open the game was on average: 100% if all could always expect the same share.",
    "drama": "How far behind the eventual winner was when it was behind; 0% if it never was.",
    "decisiveness": "How soon the game ended once it was decided: 100% if at once.",
    "margin": "How far the winners were ahead of the best of the others.",
}
"""The meaning of each measure that does not explain itself, by its key."""

INTERVALS = (
    "If the same games were played again and again with other seeds, intervals made in this way would contain the true "
    "value 95 times out of 100. The shares of games are given with Wilson's score interval. More games make intervals "
    "narrower: four times as many for half the width."
)
COURSES = (
    "What happened in the course of a game, such as who was ahead when, is known only for these, so the intervals of "
    "such figures are wider."
)
EXPECTED = (
    "The expected share of the win at a moment is the share that a seat gets in random games from there. It says how "
    "good a position is if nobody plays with a plan."
)
SWEEPS = (
    "All settings have the same seeds, so neighbouring values differ less by chance than their intervals suggest. To "
    "know whether two settings differ, compare them."
)
PAIRS = (
    "The games of a pair have the same number, seed and bots, so luck they have in common does not count. No "
    "difference shown does not mean that there is none: the interval says how large it may be."
)
CORRECTED = (
    "More and less are corrected for all comparisons together: in 95 of 100 such runs none of them is wrong. The "
    "intervals are for each row alone, so one may exclude 0 where no difference is shown."
)
BOTS = (
    "These are games of bots. They show what the rules allow, what never happens, and which differences are too small "
    "to matter. They do not show what people enjoy, and not how people play: a seat that is worse for bots may be "
    "better for people, and a card that no bot chooses may be the best one in the hands of somebody with a plan."
)
