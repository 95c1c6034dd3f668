"""The syntax tree as plain data, and the JSON Schema of that data."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from dsl import ast
from dsl.ast.base import content_fields

if TYPE_CHECKING:
    from pydantic.json_schema import JsonSchemaValue
    from pydantic_core import core_schema

DIALECT = "https://json-schema.org/draft/2020-12/schema"


def json_schema() -> dict[str, Any]:
    """The JSON Schema (draft 2020-12) of what `as_data` returns, which excludes spans and node numbers."""
    # Only whoever wants the schema needs pydantic; it would double the start-up time of everything else.
    from pydantic import ConfigDict, TypeAdapter
    from pydantic.json_schema import GenerateJsonSchema

    class TreeSchema(GenerateJsonSchema):
        """Leaves out the fields that `as_data` leaves out."""

        def dataclass_args_schema(self, schema: core_schema.DataclassArgsSchema) -> JsonSchemaValue:
            kept = [field for field in schema["fields"] if field["name"] not in ("span", "number")]
            return super().dataclass_args_schema({**schema, "fields": kept})

    config = ConfigDict(extra="forbid", json_schema_serialization_defaults_required=True)
    adapter: TypeAdapter[ast.RulesFile] = TypeAdapter(ast.RulesFile, config=config)
    schema = adapter.json_schema(mode="serialization", schema_generator=TreeSchema)
    return {"$schema": DIALECT, "title": "A Regelwerk rules file", **schema}


def as_data(node: ast.Node) -> dict[str, Any]:
    """Convert a node and its descendants to plain data, ready for `json.dumps`."""
    return {name: _plain(getattr(node, name)) for name in content_fields(type(node))}


def _plain(value: object) -> object:
    if isinstance(value, ast.Node):
        return as_data(value)
    return [_plain(item) for item in value] if isinstance(value, tuple) else value
