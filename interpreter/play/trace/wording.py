"""Events of a trace as people read them: a line of words, and where the rule that caused it is written."""

from __future__ import annotations

from collections.abc import Sequence

from interpreter.play.trace.events import Event
from interpreter.wording.words import Words

SPELT_OUT = frozenset({"requirement", "condition", "statement"})
"""Kinds of events with their values appended; the text of other kinds contains them already."""


def event_words(event: Event, words: Words) -> str:
    """The text of an event in one line, with its values."""
    text = event.text
    if event.kind == "requirement" and event.verdict is not None:
        text = words.phrase("holds: {text}" if event.verdict else "fails: {text}", text=text)
    values = ", ".join(f"{name} = {value}" for name, value in event.values) if event.kind in SPELT_OUT else ""
    return text + (f" ({values})" if values else "")


def sources(place: str, cites: Sequence[str]) -> str:
    """The source of a rule: its line in the file, and items of the rulebook."""
    parts = place.replace("\\", "/").rsplit("/", 1)[-1].split(":")
    where = ":".join(parts[:2])
    return f"{where} [{' '.join(cites)}]" if cites else where
