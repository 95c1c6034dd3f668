"""The playground as people get it, built once for the website, all tests and the benchmarks."""

from __future__ import annotations

import fcntl
import hashlib
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

from website.places import ROOT

FOLDER = ROOT / "web" / "playground"
BUILT_FROM = FOLDER / "dist" / "built-from.txt"
SOURCES = ("dsl", "interpreter", "editors/service", "web", "games")
FETCHED = ("node_modules", "dist", "public", "generated", "__pycache__")


UNREACHABLE = re.compile(
    r"\b(?:ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ENETUNREACH|EHOSTUNREACH|ETIMEDOUT|ERR_SOCKET_TIMEOUT|E50[0-9]"
    r"|NewConnectionError|NameResolutionError|ConnectTimeoutError|ReadTimeoutError|ProxyError)\b"
    r"|Failed to establish a new connection"
)
"""What npm and pip say if the registry cannot be reached, and not that something is wrong with what it is asked for."""


class CannotBuildError(Exception):
    """Raised if npm is not there, or the registries cannot be reached."""


class FaultyPlaygroundError(Exception):
    """Raised if the playground cannot be built for any other reason; ends with what npm said."""


def is_unreachable(said: str) -> bool:
    """True if npm or pip has failed only because the registry cannot be reached."""
    return UNREACHABLE.search(said) is not None


def built() -> Path:
    """The folder of the playground, built unless it has been from the same sources.

    Raises CannotBuildError, FaultyPlaygroundError.
    """
    npm = shutil.which("npm")
    if npm is None:
        raise CannotBuildError("npm, which fetches what the playground is made of, is not installed")
    with (FOLDER / "package.json").open() as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)  # another process of the tests may build it
        if not (FOLDER / "node_modules" / ".package-lock.json").exists():
            done = subprocess.run(
                [npm, "ci", "--no-audit", "--no-fund"], cwd=FOLDER, capture_output=True, text=True, check=False
            )
            if done.returncode and is_unreachable(done.stderr):
                raise CannotBuildError(f"npm cannot fetch the playground's packages: {done.stderr.strip()[-200:]}")
            if done.returncode:
                raise FaultyPlaygroundError(done.stderr[-3000:])
        digest = digest_of_sources()
        if not BUILT_FROM.exists() or BUILT_FROM.read_text() != digest:
            around = {**os.environ, "PYTHON": sys.executable}
            done = subprocess.run(
                [npm, "run", "build"], cwd=FOLDER, capture_output=True, text=True, check=False, env=around
            )
            if done.returncode and "pip cannot fetch" in done.stderr and is_unreachable(done.stderr):
                raise CannotBuildError("pip cannot fetch the packages that the interpreter needs in a browser")
            if done.returncode:
                raise FaultyPlaygroundError(done.stderr[-3000:])
            BUILT_FROM.write_text(digest)
    return FOLDER / "dist"


def digest_of_sources() -> str:
    """What changes whenever a file changes that the playground is made of."""
    digest = hashlib.sha256()
    for name in SOURCES:
        for path in sorted((ROOT / name).rglob("*")):
            if path.is_file() and not any(part in FETCHED for part in path.parts):
                digest.update(str(path.relative_to(ROOT)).encode() + path.read_bytes())
    return digest.hexdigest()
