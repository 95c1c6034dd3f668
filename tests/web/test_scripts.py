"""The scripts of the page: checked by the compiler of TypeScript against the types of the messages."""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from dsl.text.visible import json_text
from tests.support.npm import packages_of_npm
from tests.support.project import ROOT
from web.messages import schema
from web.workshop.messages import author_schema

SCHEMA, PAGE, PLAYGROUND = ROOT / "web" / "messages.schema.json", ROOT / "web" / "page", ROOT / "web" / "playground"
TOOLS = ("typescript@7.0.2", "json-schema-to-typescript@16.0.0")
STRICT = (
    "--allowJs", "--checkJs", "--noEmit", "--strict", "--target", "es2023", "--module", "esnext",
    "--moduleResolution", "bundler", "--lib", "es2023,dom,dom.iterable", "--types", "",
)  # fmt: skip
UPDATING = bool(os.environ.get("REGELWERK_UPDATE"))


@pytest.fixture(scope="module")
def tools() -> Path:
    """The folder of the tools of npm."""
    return packages_of_npm("scripts", TOOLS, ".bin/json2ts") / ".bin"


def test_the_schema_in_the_package_is_that_of_the_messages() -> None:
    text = json_text(schema(), indent=1) + "\n"
    if UPDATING:
        SCHEMA.write_text(text, encoding="utf-8")
    assert json.loads(SCHEMA.read_text("utf-8")) == schema(), "run REGELWERK_UPDATE=1 pytest tests/web/test_scripts.py"


def with_older_tuples(part: object) -> object:
    """A schema with tuples as earlier drafts write them, which the generator of types understands."""
    if isinstance(part, list):
        return [with_older_tuples(member) for member in part]
    if not isinstance(part, dict):
        return part
    return {"items" if name == "prefixItems" else name: with_older_tuples(value) for name, value in part.items()}


@pytest.mark.parametrize(
    ("schema_of_messages", "path", "banner"),
    [
        (schema, PAGE / "messages.d.ts", "web/messages.schema.json"),
        (author_schema, PLAYGROUND / "src" / "messages.d.ts", "web/workshop/messages.py"),
    ],
    ids=["page", "playground"],
)
def test_the_types_of_the_scripts_are_those_of_the_schema(
    schema_of_messages: Callable[[], object], path: Path, banner: str, tools: Path, tmp_path: Path
) -> None:
    older = tmp_path / "messages.schema.json"
    older.write_text(json.dumps(with_older_tuples(schema_of_messages())), encoding="utf-8")
    options = (
        "--unreachableDefinitions",
        "--no-additionalProperties",
        "--bannerComment",
        f"// Generated from {banner}.",
    )
    done = subprocess.run([tools / "json2ts", "-i", older, *options], capture_output=True, text=True, check=True)
    if UPDATING:
        path.write_text(done.stdout, encoding="utf-8")
    assert path.read_text("utf-8") == done.stdout, "run REGELWERK_UPDATE=1 pytest tests/web/test_scripts.py"


def test_the_scripts_have_the_types_that_they_say(tools: Path) -> None:
    scripts = sorted(PAGE.glob("*.js"))
    done = subprocess.run([tools / "tsc", *STRICT, *scripts], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout
