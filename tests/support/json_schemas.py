"""Documents compared with their JSON Schemas, of which each is examined once: that takes longer than all documents."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache
from typing import Any

from jsonschema.protocols import Validator
from jsonschema.validators import validator_for


def validate(document: object, schema: Mapping[str, Any]) -> None:
    """Raise `ValidationError` if the schema does not allow the document, or `SchemaError` if it is no schema."""
    _validator(json.dumps(schema)).validate(document)


@cache
def _validator(schema: str) -> Validator:
    read = json.loads(schema)
    validator = validator_for(read)
    validator.check_schema(read)
    return validator(read)
