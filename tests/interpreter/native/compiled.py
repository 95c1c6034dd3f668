"""C compiled for a test, as a library."""

from __future__ import annotations

import ctypes
import shutil
import subprocess
from functools import cache
from importlib.resources import files
from pathlib import Path
from tempfile import TemporaryDirectory

COMPILERS = ("cc", "gcc", "clang")
SANITIZED = (
    "-O1",
    "-std=gnu11",
    "-Wall",
    "-Wextra",
    "-Wno-unused",
    "-Werror",
    "-fsanitize=undefined",
    "-fno-sanitize-recover",
)


def header(name: str) -> str:
    """One of the headers of the C backend."""
    return (files("interpreter.native") / "c" / f"{name}.h").read_text("ascii")


@cache
def library(source: str, *flags: str) -> ctypes.CDLL:
    """The library of a C source."""
    compiler = next(filter(None, map(shutil.which, COMPILERS)), None)
    assert compiler is not None, "there is no C compiler"
    with TemporaryDirectory() as folder:
        written, built = Path(folder, "it.c"), Path(folder, "it.so")
        written.write_text(source, "ascii")
        done = subprocess.run(
            [compiler, *(flags or ("-O1", "-std=gnu11")), "-fPIC", "-shared", "-o", built, written],
            capture_output=True, text=True, check=False,
        )  # fmt: skip
        assert done.returncode == 0, done.stderr
        return ctypes.CDLL(str(built))
