"""`python wheels.py FOLDER LOCK`: fetch the packages that the interpreter needs in a browser.

They are wheels for the Python of the Pyodide whose `pyodide-lock.json` is LOCK. Boards with errors need `jsonschema`,
too, but there is no wheel for a browser of one of its dependencies.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
import tomllib
from pathlib import Path

PACKAGES = ("lark", "platformdirs", "polib", "pydantic")
PROJECT = Path(__file__).resolve().parents[3] / "pyproject.toml"


def main(folder: str, lock: str) -> int:
    """Fetch the wheels with pip; its exit code."""
    about = json.loads(Path(lock).read_text("utf-8"))["info"]
    version = about["python"].rpartition(".")[0]
    platform = f"pyemscripten_{about['abi_version']}_wasm32"
    tags = ("--platform", platform, "--python-version", version, "--abi", f"cp{version.replace('.', '')}")
    dependencies = tomllib.loads(PROJECT.read_text("utf-8"))["project"]["dependencies"]
    needed = [requirement for requirement in dependencies if re.split(r"\W", requirement)[0] in PACKAGES]
    fit = ("--only-binary=:all:", "--implementation", "cp", *tags)
    command = [sys.executable, "-m", "pip", "download", "--quiet", "--dest", folder, *fit, *needed]
    return subprocess.run(command, check=False).returncode


if __name__ == "__main__":
    raise SystemExit(main(*sys.argv[1:]))
