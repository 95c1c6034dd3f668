"""The arguments and flags of each verb, with the kinds of their values.

Completion uses this table because the verbs themselves are slow to import; a test compares the two.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from dsl.lazy_dataclasses import dataclass

Kind = Literal[
    "game", "games", "file", "files", "save", "saves", "variant", "option", "seat", "bot", "bots", "as", "players",
    "topic", "none", "",
]  # fmt: skip
"""`games`, `files`, `saves` and `bots` may be repeated, `none` takes no value, and values of an empty kind cannot be
completed."""


@dataclass(frozen=True)
class Signature:
    """The kinds of a verb's arguments, in order; and its flags, each with the kind of its value or all its values."""

    arguments: tuple[Kind, ...]
    flags: Mapping[str, Kind | tuple[str, ...]]


_FORMAT: Mapping[str, tuple[str, ...]] = {"--format": ("text", "json")}
_GAME: Mapping[str, Kind] = {"--option": "option", "-o": "option", "--variant": "variant", "--board": "file"}
_SETUP: Mapping[str, Kind] = {**_GAME, "--players": "players", "--seed": ""}
_VIEWPOINT: Mapping[str, Kind] = {"--at": "", "--as": "as", "--all": "none"}
_LANGUAGE: Mapping[str, Kind] = {"--language": ""}
_BACKEND: Mapping[str, tuple[str, ...]] = {"--backend": ("auto", "python", "machine")}
_SERIES: Mapping[str, Kind] = {
    "--games": "", "-n": "", "--details": "", "--bots": "bot", "--seat": "seat", "--seed": "", "--into": "file",
    "--jobs": "", "-j": "", "--on": "", "--html": "file", "--svg": "file",
}  # fmt: skip
LEVELS = ("moves", "rules", "requirements", "everything")

SIGNATURES: Mapping[str, Signature] = {
    "games": Signature(("games",), {**_FORMAT, **_LANGUAGE}),
    "rules": Signature(("game",), {**_FORMAT, **_LANGUAGE, "--variant": "variant"}),
    "play": Signature(
        ("game",),
        {
            **_SETUP, "--seat": "seat", "--bots": "bot", "--save": "file", "--resume": "save",
            "--trace": "none", "--follow": "none", "--watch": "none", "--all": "none", "--plain": "none", "--at": "",
            **_LANGUAGE,
        },
    ),
    "saves": Signature(("saves",), {**_FORMAT, "--delete": "none", "--yes": "none", "--rename": "none"}),
    "check": Signature(("games",), {**_FORMAT, "--variant": "variant", "--board": "file", "--accept": "none"}),
    "explain": Signature(("",), {}),
    "fmt": Signature(("games",), {"--check": "none", "--diff": "none"}),
    "parse": Signature(("game",), _FORMAT),
    "test": Signature(
        ("games",),
        {
            **_FORMAT, "--variant": "variant", "--board": "file", "--coverage": "none", "--annotate": "file",
            "--playouts": "", "--seed": "", "--jobs": "", "-j": "",
        },
    ),
    "trace": Signature(
        ("save",),
        {**_FORMAT, **_VIEWPOINT, "--plain": "none", "--level": LEVELS, "--html": "file", **_LANGUAGE},
    ),
    "why": Signature(("save", ""), {**_FORMAT, **_VIEWPOINT, "--more": "none", **_LANGUAGE}),
    "hint": Signature(("save", ""), {**_FORMAT, "--as": "as", "--budget": "", "--review": "none", **_LANGUAGE}),
    "know": Signature(("save",), {**_FORMAT, **_VIEWPOINT, **_LANGUAGE}),
    "diff": Signature(
        ("game", "game"),
        {**_FORMAT, "--players": "", "--games": "", "-n": "", "--seed": "", "--option": "option", "-o": "option"},
    ),
    "simulate": Signature(
        ("game",), {**_FORMAT, **_SETUP, **_SERIES, **_BACKEND, **_LANGUAGE, "--until": "", "--game": "",
         "--skill": "", "--figures": "file", "--per-game": "file"}
    ),
    "compare": Signature(
        ("game", "game"),
        {
            **_FORMAT, "--players": "players", **_SERIES, "--until": "", "--option": "option", "-o": "option",
            "--option-a": "option", "--option-b": "option", "--board": "file", "--board-a": "file", "--board-b": "file",
            **_BACKEND, **_LANGUAGE,
        },
    ),
    "sweep": Signature(
        ("game",),
        {
            "--format": ("text", "json", "csv"), "--option": "option", "-o": "option", "--variant": "variant",
            "--players": "players", "--measure": "", "-m": "", **_SERIES, "--board": "file", **_BACKEND, **_LANGUAGE,
        },
    ),
    "arena": Signature(
        ("game", "bots"),
        {
            **_FORMAT, **_SETUP, "--games": "", "-n": "", "--until-decided": "none", "--into": "file", "--jobs": "",
            "-j": "", **_LANGUAGE,
        },
    ),
    "perft": Signature(("game",), {**_FORMAT, **_SETUP, **_BACKEND, "--depth": ""}),
    "compile": Signature(
        ("game",),
        {
            **_GAME, "--players": "players", "--form": ("ir", "python"), "--only": "", "--explain": "none",
            "--without": "",
        },
    ),
    "copy": Signature(("game", "file"), {}),
    "help": Signature(("topic", ""), {}),
}  # fmt: skip
