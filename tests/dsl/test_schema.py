"""The tree as data: its JSON Schema, and back."""

from __future__ import annotations

import json
from dataclasses import fields, is_dataclass
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from dsl import ast
from dsl.schema import as_data, json_schema
from dsl.syntax import parse, read_source
from dsl.text.span import Source, Span
from tests.support.json_schemas import validate
from tests.support.project import ROOT

NAMES = ["chinesische_mauer", "go_fish", "kuhn_poker", "tic_tac_toe"]
FILES = [ROOT / "games" / f"{name}.rules" for name in NAMES]
NODES = {
    each.default: model
    for model in vars(ast).values()
    if is_dataclass(model)
    for each in fields(model)
    if each.name == "kind" and model is not ast.Node
}
VARIANT = 'variant "V" of a_game:\n    add step go: end game\n    replace option a: Truth = true\n    remove zone b\n'


@pytest.fixture(scope="module")
def schema() -> dict[str, Any]:
    made = json_schema()
    jsonschema.Draft202012Validator.check_schema(made)
    return made


def tree(source: object) -> ast.RulesFile:
    assert isinstance(source, Source)
    found, diagnostics = parse(source)
    assert diagnostics == []
    assert found is not None
    return found


def from_data(data: Any) -> Any:
    """Rebuild the nodes from plain data, using only `kind` and the names of the fields."""
    if isinstance(data, list):
        return tuple(map(from_data, data))
    if not isinstance(data, dict):
        return data
    fields = {name: from_data(value) for name, value in data.items()}
    return NODES[data["kind"]](span=Span(Source("", ""), 0, 0), number=-1, **fields)


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_nothing_of_a_game_is_missing_in_its_data(path: Path) -> None:
    file = tree(read_source(path))
    assert from_data(json.loads(json.dumps(as_data(file)))) == file


def test_a_game_fits_the_schema(schema: dict[str, Any]) -> None:
    validate(as_data(tree(read_source(FILES[0]))), schema)


def test_companion_and_variant_fit_the_schema(schema: dict[str, Any]) -> None:
    for text in ('examples of x\n\nexample "a":\n    then over\n', VARIANT):
        file = tree(Source("x", text))
        validate(as_data(file), schema)
        assert from_data(as_data(file)) == file


def test_what_is_no_tree_does_not_fit(schema: dict[str, Any]) -> None:
    data = as_data(tree(Source("x", VARIANT)))
    data["changes"][0]["verb"] = "swap"
    with pytest.raises(jsonschema.ValidationError):
        validate(data, schema)


def test_places_are_no_part_of_the_data(schema: dict[str, Any]) -> None:
    assert "span" not in str(as_data(tree(Source("x", VARIANT))))
    assert all("span" not in model["properties"] for model in schema["$defs"].values() if "properties" in model)
    assert all(model["description"] for model in schema["$defs"].values() if "properties" in model)
