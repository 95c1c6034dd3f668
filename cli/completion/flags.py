"""The arguments and flags of each verb, with the kinds of their values.

The verbs themselves are slow to import; a test compares this table with them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

Kind = Literal[
    "game", "games", "file", "files", "save", "saves", "variant", "option", "seat", "bot", "bots", "as", "players",
    "topic", "none", "",
]  # fmt: skip
"""`games`, `files`, `saves` and `bots` may be repeated, `none` takes no value, and an empty kind cannot be
completed."""


@dataclass(frozen=True)
class Takes:
    """The kinds of a verb's arguments, in order, and its flags: the kind of their value, or the values themselves."""

    arguments: tuple[Kind, ...]
    flags: Mapping[str, Kind | tuple[str, ...]]


_FORMAT: Mapping[str, tuple[str, ...]] = {"--format": ("text", "json")}
_GAME: Mapping[str, Kind] = {"--option": "option", "-o": "option", "--variant": "variant", "--board": "file"}
_SEATED: Mapping[str, Kind] = {**_GAME, "--players": "players", "--seed": ""}
_LOOKING: Mapping[str, Kind] = {"--at": "", "--as": "as", "--all": "none"}
_LANGUAGE: Mapping[str, Kind] = {"--language": ""}
_BACKEND: Mapping[str, tuple[str, ...]] = {"--backend": ("auto", "python", "native")}
_SERIES: Mapping[str, Kind] = {
    "--games": "", "-n": "", "--details": "", "--bots": "bot", "--seat": "seat", "--seed": "", "--into": "file",
    "--jobs": "", "-j": "", "--on": "", "--html": "file", "--svg": "file",
}  # fmt: skip
LEVELS = ("moves", "rules", "requirements", "everything")

TAKES: Mapping[str, Takes] = {
    "games": Takes(("games",), {**_FORMAT, **_LANGUAGE}),
    "rules": Takes(("game",), {**_FORMAT, **_LANGUAGE, "--variant": "variant"}),
    "play": Takes(
        ("game",),
        {
            **_SEATED, "--seat": "seat", "--bots": "bot", "--save": "file", "--resume": "save",
            "--trace": "none", "--follow": "none", "--watch": "none", "--all": "none", "--plain": "none", "--at": "",
            **_LANGUAGE,
        },
    ),
    "saves": Takes(("saves",), {**_FORMAT, "--delete": "none", "--yes": "none", "--rename": "none"}),
    "check": Takes(("games",), {**_FORMAT, "--variant": "variant", "--board": "file", "--accept": "none"}),
    "explain": Takes(("",), {}),
    "fmt": Takes(("games",), {"--check": "none", "--diff": "none"}),
    "parse": Takes(("game",), _FORMAT),
    "test": Takes(
        ("games",),
        {
            **_FORMAT, "--variant": "variant", "--board": "file", "--coverage": "none", "--annotate": "file",
            "--playouts": "", "--seed": "", "--jobs": "", "-j": "",
        },
    ),
    "trace": Takes(
        ("save",),
        {**_FORMAT, **_LOOKING, "--plain": "none", "--level": LEVELS, "--html": "file", **_LANGUAGE},
    ),
    "why": Takes(("save", ""), {**_FORMAT, **_LOOKING, **_LANGUAGE}),
    "hint": Takes(("save",), {**_FORMAT, "--as": "as", "--budget": "", "--review": "none", **_LANGUAGE}),
    "know": Takes(("save",), {**_FORMAT, **_LOOKING, **_LANGUAGE}),
    "diff": Takes(
        ("game", "game"),
        {**_FORMAT, "--players": "", "--games": "", "-n": "", "--seed": "", "--option": "option", "-o": "option"},
    ),
    "simulate": Takes(
        ("game",), {**_FORMAT, **_SEATED, **_SERIES, **_BACKEND, **_LANGUAGE, "--until": "", "--game": "",
         "--skill": "", "--figures": "file", "--per-game": "file"}
    ),
    "compare": Takes(
        ("game", "game"),
        {
            **_FORMAT, "--players": "players", **_SERIES, "--until": "", "--option": "option", "-o": "option",
            "--option-a": "option", "--option-b": "option", "--board": "file", "--board-a": "file", "--board-b": "file",
            **_BACKEND, **_LANGUAGE,
        },
    ),
    "sweep": Takes(
        ("game",),
        {
            "--format": ("text", "json", "csv"), "--option": "option", "-o": "option", "--variant": "variant",
            "--players": "players", "--measure": "", "-m": "", **_SERIES, "--board": "file", **_BACKEND, **_LANGUAGE,
        },
    ),
    "arena": Takes(
        ("game", "bots"),
        {
            **_FORMAT, **_SEATED, "--games": "", "-n": "", "--until-decided": "none", "--into": "file", "--jobs": "",
            "-j": "", **_LANGUAGE,
        },
    ),
    "perft": Takes(("game",), {**_FORMAT, **_SEATED, **_BACKEND, "--depth": ""}),
    "compile": Takes(
        ("game",),
        {
            **_GAME, "--players": "players", "--form": ("ir", "python"), "--only": "", "--explain": "none",
            "--without": "",
        },
    ),
    "copy": Takes(("game", "file"), {}),
    "help": Takes(("topic", ""), {}),
}  # fmt: skip
