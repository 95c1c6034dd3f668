"""Sentences that address a seat, for other readers: `you hold no card` is `red holds no card` for them."""

from __future__ import annotations

import re

_IRREGULAR = {"have": "has", "are": "is", "were": "was", "do": "does", "don't": "doesn't", "haven't": "hasn't"}
_IRREGULAR |= {"aren't": "isn't", "weren't": "wasn't"}
_UNCHANGED = (
    "can", "can't", "cannot", "could", "did", "didn't", "had", "hadn't", "may", "might", "must", "mustn't", "should",
    "shouldn't", "will", "won't", "would", "wouldn't", "needn't", "was", "has", "is", "does", "went", "got", "lost",
    "won", "made", "took",
)  # fmt: skip
_ADVERBS = ("already", "also", "always", "first", "just", "never", "not", "now", "only", "still", "then")
_NO_VERBS = (
    "a", "after", "alone", "an", "and", "at", "before", "but", "by", "for", "from", "if", "in", "into", "is", "of",
    "off", "on", "or", "out", "than", "the", "to", "with",
)  # fmt: skip
_WORD = re.compile(r"\b[Yy]ou(?:'re|'ve|rself|rs|r)?\b")
_NEXT = re.compile(r"\s+[\w'-]+")


def for_others(text: str, seat: str) -> str:
    """A sentence said to a seat, as others read it: the seat is named, and the verb follows it."""
    match = _WORD.search(text)
    if match is None:
        return text
    start, word, rest = text[: match.start()], match.group().lower(), text[match.end() :]
    if word in ("your", "yours"):
        return f"{start}{seat}'s{for_others(rest, seat)}"
    if word == "yourself":
        return f"{start}{seat}{for_others(rest, seat)}"
    if word in ("you're", "you've"):
        verb = {"you're": "is", "you've": "has"}[word]
        return f"{start}{seat} {verb}{for_others(rest, seat)}"
    return f"{start}{seat}{for_others(_conjugated(rest), seat)}"


def _conjugated(text: str) -> str:
    """What follows `you`, with its verb in the third person; unchanged if no verb follows."""
    at = 0
    while (match := _NEXT.match(text, at)) is not None:
        word = match.group().strip()
        if word in _NO_VERBS:
            return text
        if word not in _ADVERBS:
            return f"{text[: match.end() - len(word)]}{_third_person(word)}{text[match.end() :]}"
        at = match.end()
    return text


def _third_person(verb: str) -> str:
    if verb in _UNCHANGED or verb.endswith("ed") or not verb.isalpha():
        return _IRREGULAR.get(verb, verb)
    if verb in _IRREGULAR:
        return _IRREGULAR[verb]
    if verb.endswith(("s", "x", "z", "ch", "sh", "o")):
        return f"{verb}es"
    if verb.endswith("y") and verb[-2:-1] not in "aeiou":
        return f"{verb[:-1]}ies"
    return f"{verb}s"
