"""Figures and names as text, for reports."""

from __future__ import annotations

from dsl.text.nouns import counted
from dsl.text.visible import visible
from interpreter.analysis.figures import Figure
from interpreter.laboratory.measures import Measure
from interpreter.laboratory.usage import RuleUsage

MINUS, DASH = "\N{MINUS SIGN}", "\N{EN DASH}"


def percent(value: float) -> str:
    """`41.2%`; only 0 is shown as 0.0%, and only 1 as 100.0%."""
    text = f"{100 * value:.1f}"
    if text == "0.0" and value > 0:
        return "<0.1%"
    return ">99.9%" if text == "100.0" and value < 1 else f"{text}%"


def number(value: float) -> str:
    """`7.41`, `1,234`: two decimals for small numbers, none for large ones and for whole ones."""
    text = f"{value:,.0f}" if value == int(value) or abs(value) >= 1000 else f"{value:,.2f}"
    return text.replace("-", MINUS)


def at_a_loss(moves: int) -> str:
    """That bots made some moves at random, as they found no state to search."""
    random_moves = f"{counted(moves, 'move')} {'was' if moves == 1 else 'were'} made at random"
    return f"{random_moves}: no state was found in time that agrees with what the bot's seat had observed"


def value_of(value: float, share: bool) -> str:
    """A value of a measure, which is a share or a number."""
    return percent(value) if share else number(value)


def interval_of(figure: Figure, share: bool) -> str:
    """`38.0% to 44.5%`; a dash if there is no interval."""
    if figure.low is None or figure.high is None:
        return DASH
    return f"{value_of(figure.low, share)} to {value_of(figure.high, share)}"


def in_words(figure: Figure, share: bool) -> str:
    """`41.2% (38.0% to 44.5%)`."""
    bounds = interval_of(figure, share)
    return value_of(figure.mean, share) + ("" if bounds == DASH else f" ({bounds})")


def subject_of(measure: Measure) -> str:
    """The seat or team a measure is about; empty for all."""
    return visible(measure.subject or "")


def rule_words(rule: RuleUsage) -> str:
    """A part of the rules: `action take`, `case worth: 3 if sold`."""
    named = f"{rule.name}: {rule.text}" if rule.name and rule.text else rule.name or rule.text
    return visible(f"{rule.kind} {named}")
