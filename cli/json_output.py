"""Machine-readable output: one JSON document, each kind with a JSON Schema in `cli/schemas`."""

from __future__ import annotations

import json
from collections.abc import Mapping
from importlib.resources import files

from cli.render.echo import echo
from dsl.text.files import JsonObject
from dsl.text.visible import json_text


def emit(kind: str, document: Mapping[str, object]) -> None:
    """Write a document of a kind (`games`, `check`, …) to standard output."""
    head = {"format": f"regelwerk {kind}", "format_version": 1}
    echo(json_text(head | dict(document), indent=2))


def schema(kind: str) -> JsonObject:
    """Load the JSON Schema of a kind of document."""
    text = files("cli").joinpath("schemas", f"{kind}.schema.json").read_text(encoding="utf-8")
    read: JsonObject = json.loads(text)
    return read
