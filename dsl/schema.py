"""The syntax tree as plain data, and the JSON Schema of that data."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, get_args

from dsl import ast
from dsl.ast.base import content_fields

if TYPE_CHECKING:
    from pydantic.json_schema import JsonSchemaValue
    from pydantic_core import core_schema

DIALECT = "https://json-schema.org/draft/2020-12/schema"

UNIONS = {
    "Expression": ast.Expression,
    "Statement": ast.Statement,
    "Declaration": ast.Declaration,
    "Scene": ast.Scene,
    "TypeAtom": ast.TypeAtom,
}
"""Unions that have a definition of their own in the schema."""


def json_schema() -> dict[str, Any]:
    """The JSON Schema (draft 2020-12) of what `as_data` returns, which excludes spans and node numbers."""
    # pydantic is needed only for the schema; it would double the start-up time of everything else.
    from pydantic import ConfigDict, TypeAdapter
    from pydantic.json_schema import GenerateJsonSchema

    class TreeSchema(GenerateJsonSchema):
        """Leaves out the fields that `as_data` leaves out."""

        def dataclass_args_schema(self, schema: core_schema.DataclassArgsSchema) -> JsonSchemaValue:
            public_fields = [field for field in schema["fields"] if field["name"] not in ("span", "number")]
            return super().dataclass_args_schema({**schema, "fields": public_fields})

    config = ConfigDict(extra="forbid", json_schema_serialization_defaults_required=True)
    adapter: TypeAdapter[ast.RulesFile] = TypeAdapter(ast.RulesFile, config=config)
    schema = adapter.json_schema(mode="serialization", schema_generator=TreeSchema)
    definitions = {name: _with_unions(definition) for name, definition in schema["$defs"].items()}
    for name, union in UNIONS.items():
        definitions[name] = _by_kind(name, union)
    return {"$schema": DIALECT, "title": "A Regelwerk rules file", "anyOf": schema["anyOf"], "$defs": definitions}


def _with_unions(schema: Any) -> Any:
    """Refer to a union by its name wherever a schema lists all its members."""
    if isinstance(schema, list):
        return [_with_unions(part) for part in schema]
    if not isinstance(schema, dict):
        return schema
    changed = {key: _with_unions(value) for key, value in schema.items()}
    members = [part.get("$ref") for part in schema.get("anyOf", ())]
    for name, union in UNIONS.items():
        references = [_reference(model) for model in get_args(union)]
        if members[: len(references)] == references:
            rest = changed.pop("anyOf")[len(references) :]
            changed |= {"anyOf": [{"$ref": f"#/$defs/{name}"}, *rest]} if rest else {"$ref": f"#/$defs/{name}"}
            break
    return changed


def _by_kind(name: str, union: Any) -> dict[str, Any]:
    """The schema of a union: `kind` decides, so that a mistake is reported where it is and not at every member."""
    models = {model.__dataclass_fields__["kind"].default: model for model in get_args(union)}
    return {
        "description": f"{name}: `kind` says which.",
        "type": "object",
        "required": ["kind"],
        "properties": {"kind": {"enum": list(models)}},
        "allOf": [
            {"if": {"properties": {"kind": {"const": kind}}}, "then": {"$ref": _reference(model)}}
            for kind, model in models.items()
        ],
    }


def _reference(model: type) -> str:
    return f"#/$defs/{model.__name__}"


def as_data(node: ast.Node) -> dict[str, Any]:
    """Convert a node and its descendants to plain data, ready for `json.dumps`."""
    return {name: _plain(getattr(node, name)) for name in content_fields(type(node))}


def _plain(value: object) -> object:
    if isinstance(value, ast.Node):
        return as_data(value)
    return [_plain(item) for item in value] if isinstance(value, tuple) else value
