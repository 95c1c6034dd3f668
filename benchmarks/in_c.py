"""Hand-written C for the benchmarks, compiled by the compiler of the native backend."""

from __future__ import annotations

import ctypes
import shutil
import tempfile
from functools import cache
from pathlib import Path

from interpreter.native.cache import open_cache
from interpreter.native.compiler import find_compiler
from interpreter.native.not_built import NotBuilt

FLAGS = ("-O2",)


@cache
def by_hand(name: str) -> ctypes.CDLL:
    """The library of a C file beside this one."""
    kept = open_cache()
    assert not isinstance(kept, NotBuilt), kept.reason
    compiler = find_compiler(kept)
    assert not isinstance(compiler, NotBuilt), compiler.reason
    with tempfile.TemporaryDirectory() as folder:
        source, library = Path(folder, name), Path(folder, "by_hand.so")
        shutil.copy(Path(__file__).with_name(name), source)
        failed = compiler.compile(source, library, FLAGS, kept)
        assert failed is None, failed
        return ctypes.CDLL(str(library))


def entry(name: str, function: str, result: type, *arguments: type) -> ctypes._NamedFuncPointer:
    """A function of a C file."""
    found = by_hand(name)[function]
    found.restype, found.argtypes = result, arguments
    return found
