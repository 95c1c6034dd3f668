"""Finding a C compiler: $CC, cc, gcc, clang, or the one of the package ziglang.

Each is tested on a small program with all features that generated sources use; one that fails is skipped. The result is
kept for this process and stored in the cache folder, so that another process need not start a compiler to know which
libraries it can use.
"""

from __future__ import annotations

import ctypes
import hashlib
import os
import platform
import shlex
import shutil
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

from interpreter.native.cache import Cache
from interpreter.native.not_built import NotBuilt
from interpreter.native.processes import run

FLAGS = ("-std=gnu11", "-shared", "-fPIC", "-w", "-fwrapv", "-fno-sanitize=undefined")
"""For every library. Overflow is a fault; -fwrapv keeps it defined in case a check is missing. `zig cc`
enables the sanitizer unless it is switched off, and its checks slow games down."""

NATIVE = "-march=native"
PROBE_SECONDS = 600.0
"""Time to compile the small program; ziglang compiles parts of its own run-time library the first time."""

COMPILE_SECONDS = 120.0
FORMAT = "1"
"""A version, changed with the format of stored facts about compilers."""

HINT = "install gcc or clang, or `pip install 'regelwerk[native]'`"

PROBE = """\
#include <setjmp.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
typedef struct { jmp_buf fault; int64_t value; } X;
static __attribute__((noinline, cold, unused)) _Noreturn void fault(X *x) { longjmp(x->fault, 1); }
static inline __attribute__((always_inline, unused)) int64_t add(X *x, int64_t a, int64_t b) {
    int64_t found;
    if (__builtin_expect(__builtin_add_overflow(a, b, &found), 0)) fault(x);
    return found;
}
int64_t probe(int64_t a, int64_t b) {
    X *x = calloc(1, sizeof(X));
    struct timespec t;
    if (!x || clock_gettime(CLOCK_MONOTONIC, &t)) return -1;
    volatile int64_t result = 0;
    if (setjmp(x->fault)) result = 1;
    else x->value = add(x, INT64_MAX, a);
    result += ({ int64_t high = (int64_t)((unsigned __int128)a * UINT64_MAX >> 64); high + __builtin_popcountll(b); });
    free(x);
    return result;
}
"""
PROBED = ((5, 7), 1 + 4 + 3)
"""Arguments and result of the small program."""


@dataclass(frozen=True)
class Compiler:
    """A working compiler: its command, its version string, its flags, and its target processor.

    The processor is empty unless code is generated for the host processor.
    """

    words: tuple[str, ...]
    version: str
    flags: tuple[str, ...]
    processor: str

    @property
    def identity(self) -> tuple[str, ...]:
        """Everything but source and flags of optimisation that a library depends on."""
        return (*self.words, self.version, *self.flags, self.processor, sys.platform, platform.machine())

    def compile(
        self, source: Path, library: Path, optimisation: tuple[str, ...], cache: Cache, seconds: float = COMPILE_SECONDS
    ) -> NotBuilt | None:
        """Compile one file in its own folder to a library beside it; returns what failed."""
        words = (*self.words, *self.flags, *optimisation, "-o", library.name, source.name)
        done = run(words, source.parent, seconds, surroundings(cache))
        if isinstance(done, NotBuilt):
            return done
        return None if library.is_file() else NotBuilt(f"{self.words[0]} made no library")


@dataclass(frozen=True)
class _Candidate:
    """A possible compiler; `file` is the executable that changes with its version."""

    called: str
    words: tuple[str, ...]
    file: Path


_found: dict[tuple[_Candidate | NotBuilt, ...], Compiler | NotBuilt] = {}
"""The compiler found in this process, and the candidates."""


def find_compiler(cache: Cache) -> Compiler | NotBuilt:
    """The first compiler that works, or why none does. Each is tried once in a process."""
    candidates = tuple(_candidates())
    if candidates not in _found:
        _found[candidates] = _search(candidates, cache)
    return _found[candidates]


def noted_compiler(cache: Cache) -> Compiler | None:
    """The first compiler known to work, without starting any."""
    candidates = tuple(_candidates())
    if candidates in _found:
        found = _found[candidates]
        return found if isinstance(found, Compiler) else None
    for candidate in candidates:
        if isinstance(candidate, _Candidate) and (known := _known(candidate, cache)):
            return known
    return None


def _search(candidates: Sequence[_Candidate | NotBuilt], cache: Cache) -> Compiler | NotBuilt:
    reasons = []
    for candidate in candidates:
        if isinstance(candidate, NotBuilt):
            reasons.append(candidate.reason)
            continue
        tried = _known(candidate, cache) or _tried(candidate, cache)
        if isinstance(tried, Compiler):
            return tried
        reasons.append(f"{candidate.called}: {tried.reason}")
    return NotBuilt(f"no C compiler works here ({'; '.join(reasons)}); {HINT}")


def _candidates() -> Iterator[_Candidate | NotBuilt]:
    """Possible compilers, in the order in which they are tried."""
    if wanted := os.environ.get("CC", "").strip():
        try:
            words = shlex.split(wanted)
        except ValueError as error:
            yield NotBuilt.after("$CC cannot be read", str(error))
        else:
            file = _program(words[0])
            if file is None:
                yield NotBuilt.after("$CC", f"{words[0]} is not a program")
            else:
                yield _Candidate("$CC", (str(file), *words[1:]), file)
    for name in ("cc", "gcc", "clang"):
        file = _program(name)
        yield NotBuilt(f"{name} is not installed") if file is None else _Candidate(name, (str(file),), file)
    package = find_spec("ziglang")
    if package is None or package.origin is None or not sys.executable:
        yield NotBuilt("the package ziglang is not installed")
    else:
        file = Path(package.origin).with_name("zig.exe" if os.name == "nt" else "zig")
        yield _Candidate("ziglang", (sys.executable, "-m", "ziglang", "cc"), file)


def _program(name: str) -> Path | None:
    """The program of a name or path; a name is never looked up in the current folder, which may be a stranger's."""
    path = shutil.which(name)
    if path is None or (Path(name).name == name and not Path(path).is_absolute()):
        return None
    return Path(path).absolute()


def _known(candidate: _Candidate, cache: Cache) -> Compiler | None:
    """The compiler as noted earlier, if its program has not changed since."""
    noted = cache.note(_note_name(candidate))
    match noted:
        case {"version": str(version), "native": bool(native)}:
            return _compiler(candidate, version, native)
        case _:
            return None


def _tried(candidate: _Candidate, cache: Cache) -> Compiler | NotBuilt:
    try:
        with cache.scratch() as folder:
            version = run((*candidate.words, "--version"), folder, PROBE_SECONDS, surroundings(cache))
            if isinstance(version, NotBuilt):
                return version
            # Without a name for the processor it would not be known for which one a library was compiled.
            for native in (True, False) if processor() else (False,):
                compiler = _compiler(candidate, version.strip(), native)
                failed = _probe(compiler, folder / str(int(native)), cache)
                if failed is None:
                    cache.write_note(_note_name(candidate), {"version": compiler.version, "native": native})
                    return compiler
    except OSError as error:
        return NotBuilt.after("it cannot be tried", str(error))
    assert failed is not None
    return failed


def _probe(compiler: Compiler, folder: Path, cache: Cache) -> NotBuilt | None:
    """Compile, load and call the small program; returns what failed. Raises OSError if there is no room for it."""
    folder.mkdir()
    source, library = folder / "probe.c", folder / "probe.so"
    source.write_text(PROBE, "ascii")
    failed = compiler.compile(source, library, ("-O1",), cache, PROBE_SECONDS)
    if failed is not None:
        return failed
    try:
        probe = ctypes.CDLL(str(library))["probe"]
    except (OSError, AttributeError) as error:
        return NotBuilt.after("what it compiles cannot be loaded", str(error))
    probe.restype, probe.argtypes = ctypes.c_int64, (ctypes.c_int64, ctypes.c_int64)
    arguments, expected = PROBED
    return None if probe(*arguments) == expected else NotBuilt("what it compiles computes something else")


def _compiler(candidate: _Candidate, version: str, native: bool) -> Compiler:
    flags = (*FLAGS, NATIVE) if native else FLAGS
    return Compiler(candidate.words, version, flags, processor() if native else "")


def _note_name(candidate: _Candidate) -> str:
    try:
        found = candidate.file.resolve().stat()
        file = (str(candidate.file.resolve()), found.st_size, found.st_mtime_ns, found.st_ino)
    except OSError:
        file = (str(candidate.file), 0, 0, 0)
    text = repr((FORMAT, candidate.words, file, FLAGS, PROBE, processor(), sys.platform, platform.machine()))
    return hashlib.sha256(text.encode("utf-8", "surrogateescape")).hexdigest()


def surroundings(cache: Cache) -> dict[str, str]:
    """Variables for a compiler: ziglang keeps its own files beside the libraries, unless the user says where."""
    return {} if "ZIG_GLOBAL_CACHE_DIR" in os.environ else {"ZIG_GLOBAL_CACHE_DIR": str(cache.folder / "zig")}


_DESCRIBING = (
    "vendor_id", "cpu family", "model", "model name", "stepping", "flags",
    "Features", "CPU implementer", "CPU architecture", "CPU variant", "CPU part",
    "cpu", "isa", "uarch", "features",
)  # fmt: skip
"""The lines of /proc/cpuinfo that describe the features of a processor."""


def processor() -> str:
    """Identifies the processor and its features; empty if the system does not report them."""
    found: list[str] = []
    try:
        with Path("/proc/cpuinfo").open(encoding="utf-8", errors="replace") as lines:
            for line in lines:
                if not line.strip() and found:
                    break  # the other processors
                if line.partition(":")[0].strip() in _DESCRIBING:
                    found.append(" ".join(line.split()))
    except OSError:
        return ""
    return "\n".join(found)
