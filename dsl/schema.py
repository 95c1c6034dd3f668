"""The syntax tree as data: its JSON Schema, and the tree of a file as plain data."""

from __future__ import annotations

from typing import Any

from pydantic import TypeAdapter

from dsl import ast

DIALECT = "https://json-schema.org/draft/2020-12/schema"


def json_schema() -> dict[str, Any]:
    """The JSON Schema (draft 2020-12) of what `as_data` returns, which excludes spans and node numbers."""
    adapter: TypeAdapter[ast.RulesFile] = TypeAdapter(ast.RulesFile)
    schema = adapter.json_schema(mode="serialization")
    return {"$schema": DIALECT, "title": "A Regelwerk rules file", **schema}


def as_data(node: ast.Node) -> dict[str, Any]:
    """Convert a node and its descendants to plain data, ready for `json.dumps`."""
    return node.model_dump(mode="json")
