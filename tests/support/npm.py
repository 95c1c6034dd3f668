"""Packages of npm that tests need, fetched once into the user's cache."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import platformdirs
import pytest

from website.playground import is_unreachable


def packages_of_npm(name: str, packages: tuple[str, ...], proof: str) -> Path:
    """The folder `node_modules` with these packages; the test is skipped where they cannot be fetched.

    `name` is that of their folder in the cache, `proof` a file that is there once they are.
    """
    npm = shutil.which("npm")
    if npm is None:
        pytest.skip("npm is not installed")
    folder = Path(os.environ.get("REGELWERK_CACHE") or platformdirs.user_cache_dir("regelwerk")) / name
    if not (folder / "node_modules" / proof).exists():
        folder.mkdir(parents=True, exist_ok=True)
        done = subprocess.run(
            [npm, "install", "--prefix", str(folder), "--no-audit", "--no-fund", *packages],
            capture_output=True, text=True, check=False,
        )  # fmt: skip
        if done.returncode and not is_unreachable(done.stderr):
            pytest.fail(f"npm does not install {', '.join(packages)}: {done.stderr.strip()[-2000:]}")
        if done.returncode:
            pytest.skip(f"npm cannot fetch {', '.join(packages)}: {done.stderr.strip()[-200:]}")
    return folder / "node_modules"
