"""The extension for Visual Studio Code: it can be built, and its grammar colours rules."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import zipfile
from pathlib import Path

import platformdirs
import pytest

from editors.textmate import TARGET, as_text
from interpreter.version import __version__
from tests.support.npm import packages_of_npm
from tests.support.project import ROOT

EXTENSION = ROOT / "editors" / "vscode"
ENGINE = ("vscode-textmate@9.2.0", "vscode-oniguruma@2.0.1")

RULES = """\
# Nim
== components ==
piece Match: 16 in box   [CM-01]
zone pile[x: Pile] holds Match
action take(n: 1..7):
    "take {count pile[x]} matches"
    set taker to me
phase main, turns from ann, over when box is empty:
    "an open text
    move 3 from box to pile"""


def test_the_grammar_is_made_from_the_keywords_of_the_language() -> None:
    assert TARGET.read_text("utf-8") == as_text(), "run python -m editors.textmate"


def test_the_version_is_that_of_the_project() -> None:
    assert json.loads((EXTENSION / "package.json").read_text("utf-8"))["version"] == __version__


def test_rules_are_coloured() -> None:
    modules = packages_of_npm("textmate", ENGINE, "vscode-textmate")
    done = subprocess.run(
        ["node", str(Path(__file__).with_name("textmate_tokens.cjs")), str(TARGET)],
        input=RULES, env={**os.environ, "NODE_PATH": str(modules)}, capture_output=True, text=True, check=True,
    )  # fmt: skip
    scopes = [
        {text.strip(): scope.removesuffix(".regelwerk") for text, scope in line} for line in json.loads(done.stdout)
    ]
    comment, heading, piece, zone, action, label, statement, phase, unclosed, after = scopes
    assert comment == {"# Nim": "comment.line.number-sign"}
    assert heading == {"== components ==": "markup.heading"}
    assert (piece["piece"], piece["Match"], piece["16"]) == ("keyword.other", "entity.name.type", "constant.numeric")
    assert piece["[CM-01]"] == "markup.underline.link"
    assert (zone["pile"], zone["holds"]) == ("variable.other.definition", "keyword.control")
    assert (action["take"], action[".."]) == ("entity.name.function", "keyword.operator")
    assert (label["count"], label["matches"]) == ("keyword.control", "string.quoted.double")
    assert (statement["to"], statement["me"]) == ("keyword.control", "constant.language")
    assert phase["turns from"] == phase["over when"] == "keyword.control"
    assert list(unclosed.values())[-1] == "string.quoted.double"
    assert after["move"] == "keyword.control"  # a text that is left open ends with its line


def test_the_extension_is_packaged() -> None:
    npm = shutil.which("npm")
    if npm is None:
        pytest.skip("npm is not installed")
    folder = Path(os.environ.get("REGELWERK_CACHE") or platformdirs.user_cache_dir("regelwerk")) / "vscode"
    shutil.copytree(EXTENSION, folder, dirs_exist_ok=True, ignore=shutil.ignore_patterns("node_modules", "dist"))
    if not (folder / "node_modules" / ".bin" / "vsce").exists():
        fetched = subprocess.run([npm, "ci", "--no-audit", "--no-fund"], cwd=folder, capture_output=True, text=True)
        if fetched.returncode:
            pytest.skip(f"npm cannot fetch what the extension needs: {fetched.stderr.strip()[-200:]}")
    made = subprocess.run([npm, "run", "package"], cwd=folder, capture_output=True, text=True)
    assert made.returncode == 0, made.stdout + made.stderr
    with zipfile.ZipFile(folder / "dist" / "regelwerk.vsix") as package:
        names = set(package.namelist())
    assert {"extension/dist/extension.js", "extension/syntaxes/regelwerk.tmLanguage.json"} <= names
