"""The JSON Schema of a view; `view.schema.json` is generated from the types in `model.py`."""

from __future__ import annotations

from typing import Any


def schema() -> dict[str, Any]:  # a JSON Schema nests as it likes
    """The JSON Schema of what `View.as_data` returns."""
    from pydantic import TypeAdapter
    from pydantic.json_schema import GenerateJsonSchema

    from interpreter.seat.views.model import View

    class Complete(GenerateJsonSchema):
        """Every field is always there, those with a default too."""

        def field_is_required(self, *_: object, **__: object) -> bool:
            return True

    definition = TypeAdapter(View).json_schema(mode="serialization", schema_generator=Complete)
    for part in (definition, *definition["$defs"].values()):
        if "properties" in part:
            part["additionalProperties"] = False
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **definition, "title": "Regelwerk view"}
