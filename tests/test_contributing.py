"""The tables of CONTRIBUTING.md, which say what a new aggregate or statement needs, are true.

A model of each kind, `sum` and `shuffle`, is named in the files of its table and nowhere else, but for what does more
than necessary with it.
"""

from __future__ import annotations

import ast as python
import re
from collections.abc import Iterator
from pathlib import Path
from typing import get_args

import pytest

from interpreter.compiler.ir import statements as st
from interpreter.compiler.python import statements as printed
from interpreter.runtime.primitives import Runtime
from tests.interpreter.test_dispatches import cases
from tests.support.project import ROOT

PACKAGES = ("dsl", "interpreter", "cli", "web", "editors", "regelwerk")
TABLES = {"sum": "An aggregate function such as", "Shuffle": "A statement, such as"}
"""The models, with how the paragraph before their table begins."""

DOES_MORE = (
    "interpreter/compiler/passes/",
    "interpreter/compiler/lowering/packings.py",
    "interpreter/compiler/python/searches.py",
    "interpreter/opponents/",
    "interpreter/exploration/mutants.py",
    "dsl/checker/information_flow/unasked.py",
)
"""Where a model is optimised, or special: what is not named there is kept as it is, or judged with caution."""


def rows(model: str) -> dict[str, str]:
    """What is to be done in each file, from the table for a model."""
    text = (ROOT / "CONTRIBUTING.md").read_text("utf-8")
    table = text[text.index(TABLES[model]) :].split("\n\n")[1]
    return dict(re.findall(r"^\| `([^`]+)` \| (.*) \|$", table, re.MULTILINE))


def names_in(path: Path) -> Iterator[str]:
    """The words and the names of classes in a module."""
    for node in python.walk(python.parse(path.read_text("utf-8"))):
        match node:
            case python.Constant(value=str() as word):
                yield word
            case python.Name(id=name) | python.Attribute(attr=name) | python.ClassDef(name=name) if name.istitle():
                yield name


def files_naming(model: str) -> set[str]:
    modules = [path for package in PACKAGES for path in (ROOT / package).rglob("*.py")]
    return {
        path.relative_to(ROOT).as_posix()
        for path in modules
        if model in path.read_text("utf-8") and model in names_in(path)
    }


@pytest.mark.parametrize("model", TABLES)
def test_a_new_one_needs_changes_where_the_table_says_and_nowhere_else(model: str) -> None:
    naming = {file for file in files_naming(model) if not file.startswith(DOES_MORE)}
    written_otherwise = {"dsl/grammar.lark", "interpreter/runtime/primitives.py"}
    assert naming == rows(model).keys() - written_otherwise
    assert f"in {len(rows(model))} files" in " ".join((ROOT / "CONTRIBUTING.md").read_text("utf-8").split())


@pytest.mark.parametrize("model", TABLES)
def test_what_the_table_names_is_there(model: str) -> None:
    for file, task in rows(model).items():
        path = ROOT / file
        text = path.read_text("utf-8")
        for name in re.findall(r"`(\w+)`", task):
            assert re.search(rf"\b{name}\b", text), f"{name} in {file}"


def test_every_statement_that_moves_pieces_has_a_run_time_function() -> None:
    """Those that the printer does not name are calls of a function with the name of the class."""
    for class_ in set(get_args(st.Moving)):
        name = class_.__name__
        assert name in cases(printed) or callable(getattr(Runtime, name.lower()))
