"""Hand-written C for the benchmarks, compiled by the system's compiler, `cc`."""

from __future__ import annotations

import ctypes
import shutil
import subprocess
import sys
import tempfile
from functools import cache
from pathlib import Path


@cache
def by_hand(name: str) -> ctypes.CDLL | None:
    """The library of a C file beside this one; None with a note where there is no compiler."""
    if shutil.which("cc") is None:
        print("there is no C compiler (cc): nothing is compared with hand-written C", file=sys.stderr)
        return None
    with tempfile.TemporaryDirectory() as folder:
        library = Path(folder, "by_hand.so")
        source = Path(__file__).with_name(name)
        subprocess.run(["cc", "-O2", "-march=native", "-shared", "-fPIC", "-o", library, source], check=True)
        return ctypes.CDLL(str(library))


def entry(name: str, function: str, result: type, *arguments: type) -> ctypes._NamedFuncPointer | None:
    """A function of a C file; None where there is no compiler."""
    library = by_hand(name)
    if library is None:
        return None
    found = library[function]
    found.restype, found.argtypes = result, arguments
    return found
