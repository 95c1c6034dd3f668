"""The words that can come next on a command line."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from cli.completion.flags import Signature, ValueKind, signatures
from cli.completion.rules_files import (
    game_files,
    options_of,
    player_numbers,
    rules_file,
    seats_of,
    text_of,
    variant_files,
)
from cli.topics import topics
from cli.verbs import VERBS
from dsl.lazy_dataclasses import dataclass
from dsl.text.folders import saves_folder
from dsl.text.variant_files import head_of, name_of

PERSON = "human"
BOTS = ("random", "greedy", "mcts", "alphabeta")
"""The bots that come with Regelwerk, without limits: shells may split a word at a colon."""
OWN_BOTS = "regelwerk.bots"
"""The entry point group of custom bots."""


@dataclass(frozen=True)
class Candidate:
    """A word that can come next, with a short description. The attributes are those that typer's completion reads."""

    value: str
    help: str = ""
    type: str = "plain"


def candidates(words: Sequence[str], incomplete: str) -> list[Candidate]:
    """The words that begin with `incomplete` and can follow `words`, the first of which is the verb."""
    words, incomplete, prefix = _joined(list(words), incomplete)
    possible = _all(words, incomplete)
    matching = [candidate for candidate in dict.fromkeys(possible) if candidate.value.startswith(incomplete)]
    return [Candidate(candidate.value[len(prefix) :], candidate.help, candidate.type) for candidate in matching]


def _joined(words: list[str], incomplete: str) -> tuple[list[str], str, str]:
    """Rejoin `NAME=VALUE`, which bash splits at the sign; also return the prefix that bash expects to be omitted.

    As long as the value is empty, bash does not pass on the sign.
    """
    # For `--option advanced=t` bash passes on `--option`, `advanced`, `=` and completes `t`; for `--option advanced=`
    # it passes on `--option`, `advanced` and completes an empty word, as if the next argument was asked for. Only the
    # flag before the name, one that takes NAME=VALUE, tells the two apart.
    if words[-1:] == ["="] and len(words) > 1:
        name, rest = words[-2], words[:-2]
    elif (
        len(words) > 2 and "=" not in words[-1] and not incomplete and _kind(words[0], words[-2]) in ("option", "seat")
    ):
        name, rest = words[-1], words[:-1]
    else:
        return words, incomplete, ""
    return rest, f"{name}={incomplete}", f"{name}="


def _kind(verb: str, flag: str) -> ValueKind | tuple[str, ...]:
    signature = signatures().get(verb)
    return "none" if signature is None else signature.flags.get(flag, "none")


def _all(words: Sequence[str], incomplete: str) -> Iterator[Candidate]:
    if not words:
        yield from (Candidate(verb, about) for verb, about in VERBS.items())
        yield from map(Candidate, ("--version", "--help", "--install-completion", "--show-completion"))
        return
    signature = signatures().get(words[0])
    if signature is None:
        return
    flag = words[-1] if len(words) > 1 else ""
    kind = signature.flags.get(flag, "none")
    if kind != "none":
        yield from _of_kind(kind, words[1:], signature)
    elif incomplete.startswith("-"):
        yield from map(Candidate, [*(name for name in signature.flags if name.startswith("--")), "--help"])
    else:
        yield from _of_kind(_next_argument(words[1:], signature), words[1:], signature)


def _next_argument(words: Sequence[str], signature: Signature) -> ValueKind:
    position = len(_arguments(words, signature))
    if position < len(signature.arguments):
        return signature.arguments[position]
    return signature.arguments[-1] if signature.repeats else ""


def _arguments(words: Sequence[str], signature: Signature) -> list[str]:
    """The words that are neither flags nor their values."""
    arguments: list[str] = []
    flag = ""
    for word in words:
        if signature.flags.get(flag, "none") == "none" and not word.startswith("-"):
            arguments.append(word)
        flag = word
    return arguments


def _of_kind(kind: ValueKind | tuple[str, ...], words: Sequence[str], signature: Signature) -> Iterator[Candidate]:
    """The values of a kind, given the preceding words."""
    if isinstance(kind, tuple):
        yield from map(Candidate, kind)
        return
    game = next(iter(_arguments(words, signature)), None) if "game" in signature.arguments else None

    def rules_text() -> str:
        return text_of(rules_file(game)) if game else ""

    match kind:
        case "game":
            yield from (Candidate(name_of(path)) for path in game_files())
        case "variant":
            heads = (head_of(path) for path in variant_files(game))
            yield from (Candidate(head.name, head.title) for head in heads if head is not None)
        case "option":
            for name, values in options_of(rules_text()).items():
                yield from (Candidate(f"{name}={value}") for value in values or [""])
        case "seat":
            seats = [*seats_of(rules_text()), "all"] if game else []
            yield from (Candidate(f"{seat}={who}") for seat in seats for who in (PERSON, *_bots()))
        case "bot":
            yield from map(Candidate, _bots())
        case "players":
            yield from map(Candidate, player_numbers(rules_text()))
        case "as":
            yield from _seats_of_save(words)
        case "save":
            yield from _saves()
        case "topic":
            yield from (Candidate(topic.name, topic.title) for topic in topics())
        case "file" | "none" | "":
            return  # shells complete the names of files


def _bots() -> list[str]:
    """The names of all bots."""
    from importlib.metadata import entry_points  # imported late: it is slow, and other completions do not need it

    return [*BOTS, *sorted(entry_point.name for entry_point in entry_points(group=OWN_BOTS))]


def _saves() -> Iterator[Candidate]:
    """The saves in the user's folder, newest first."""
    try:
        paths = sorted(saves_folder().glob("*.json"), key=lambda path: path.stat().st_mtime, reverse=True)
    except OSError:
        return
    yield from (Candidate(str(path)) for path in paths)


def _seats_of_save(words: Sequence[str]) -> Iterator[Candidate]:
    """The seats of the game of a save: the game whose name is the longest prefix of the save's file name."""
    stem = next((Path(word).stem for word in words if word.endswith(".json")), "")
    games = [path for path in game_files() if stem.startswith(name_of(path))]
    if games:
        longest = max(games, key=lambda path: len(name_of(path)))
        yield from map(Candidate, seats_of(text_of(longest)))
