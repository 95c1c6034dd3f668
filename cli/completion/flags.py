"""The arguments and flags of each verb, with the kinds of their values.

Completion uses a table because the verbs themselves are slow to import. The table is generated from the commands:
`REGELWERK_UPDATE=1 pytest tests/cli/test_completion.py` writes it.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import Literal

from dsl.lazy_dataclasses import dataclass

ValueKind = Literal[
    "game", "file", "save", "variant", "option", "seat", "bot", "as", "players", "topic", "none", "",
]  # fmt: skip
"""`none` takes no value, and values of an empty kind cannot be completed."""


@dataclass(frozen=True)
class Signature:
    """The kinds of a verb's arguments, in order; and its flags, each with the kind of its value or all its values.

    If it `repeats`, the last argument may be given several times.
    """

    arguments: tuple[ValueKind, ...]
    repeats: bool
    flags: Mapping[str, ValueKind | tuple[str, ...]]


@cache
def signatures() -> Mapping[str, Signature]:
    """The signature of every verb."""
    table = json.loads(files("cli.completion").joinpath("flags.json").read_text(encoding="utf-8"))
    return {
        verb: Signature(
            tuple(entry["arguments"]),
            entry["repeats"],
            {flag: tuple(kind) if isinstance(kind, list) else kind for flag, kind in entry["flags"].items()},
        )
        for verb, entry in table.items()
    }
