"""From C source to a loaded library, now or in the background."""

from __future__ import annotations

import hashlib
import os
import sys
import threading
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Generic, TypeVar

from interpreter.native.cache import Cache, open_cache
from interpreter.native.compiler import Compiler, find_compiler, noted_compiler
from interpreter.native.forms import NotInC
from interpreter.native.not_built import NotBuilt

FORMAT = "regelwerk library 1"
"""A version, changed when earlier libraries must not be used any more."""

LARGE = 100_000
"""The minimum length of a large source. Smaller ones compile with all optimisations within about a second."""


def optimisation(source: str, optimise: bool) -> tuple[str, ...]:
    """The flags for a source. For large ones -O2 takes twice as long as -O1, and its code is hardly faster."""
    if not optimise:
        return ("-O0",)
    return ("-O1",) if len(source) >= LARGE else ("-O2",)


Loaded = TypeVar("Loaded")
"""A loaded library."""

Opener = Callable[[Path], Loaded | NotBuilt]
"""Loads a library that has been verified to be ours."""


def build(source: str, opener: Opener[Loaded], optimise: bool = True) -> Loaded | NotBuilt:
    """The library of a source: from the cache, or else compiled, which can take seconds."""
    cache = open_cache()
    if isinstance(cache, NotBuilt):
        return cache
    flags = optimisation(source, optimise)
    noted = noted_compiler(cache)
    found = None if noted is None else _cached(source, opener, flags, cache, noted)
    if found is not None:
        return found
    compiler = find_compiler(cache)
    if isinstance(compiler, NotBuilt):
        return compiler
    found = None if compiler == noted else _cached(source, opener, flags, cache, compiler)
    return found if found is not None else _compiled(source, opener, flags, cache, compiler)


def why_no_compiler() -> str | None:
    """Why nothing can be compiled here, with a remedy; None if there is a compiler."""
    cache = open_cache()
    found = cache if isinstance(cache, NotBuilt) else noted_compiler(cache) or find_compiler(cache)
    return found.reason if isinstance(found, NotBuilt) else None


def cached(source: str, opener: Opener[Loaded], optimise: bool = True) -> Loaded | None:
    """The library of a source if it is in the cache; no compiler is started."""
    cache = open_cache()
    compiler = None if isinstance(cache, NotBuilt) else noted_compiler(cache)
    if isinstance(cache, NotBuilt) or compiler is None:
        return None
    return _cached(source, opener, optimisation(source, optimise), cache, compiler)


def _cached(
    source: str, opener: Opener[Loaded], flags: Sequence[str], cache: Cache, compiler: Compiler
) -> Loaded | None:
    path = cache.find(key_of(source, flags, compiler))
    opened = opener(path) if path is not None else None
    return None if isinstance(opened, NotBuilt) else opened


def _compiled(
    source: str, opener: Opener[Loaded], flags: tuple[str, ...], cache: Cache, compiler: Compiler
) -> Loaded | NotBuilt:
    try:
        with cache.scratch() as folder:
            file, made = folder / "game.c", folder / "game.so"
            file.write_text(source, "ascii")
            failed = compiler.compile(file, made, flags, cache)
            if failed is not None:
                return failed
            path = cache.keep(key_of(source, flags, compiler), made)
    except OSError as error:
        return NotBuilt.after("the rules cannot be compiled", str(error))
    return path if isinstance(path, NotBuilt) else opener(path)


def key_of(source: str, flags: Sequence[str], compiler: Compiler) -> str:
    """The cache key of a compiled source: a hash of everything it depends on."""
    key = hashlib.sha256()
    for part in (FORMAT, source, *flags, "", *compiler.identity):
        key.update(hashlib.sha256(part.encode("utf-8", "surrogateescape")).digest())
    return key.hexdigest()


class Building(Generic[Loaded]):
    """A library being built in the background, from the moment this object is made.

    A cached library is available at once. Otherwise the caller never waits for the compiler: even without optimisation
    a large game takes a second, longer than most uses of a game. Large sources are compiled first without optimisation,
    which is already many times as fast as Python, then with it.
    """

    def __init__(self, source: str, opener: Opener[Loaded]) -> None:
        self.source, self._opener = source, opener
        self._begin()

    def _begin(self) -> None:
        self._process = os.getpid()
        self._done = threading.Event()
        self._best: Loaded | NotBuilt | None = cached(self.source, self._opener)
        if self._best is None:
            threading.Thread(target=self._build, name="regelwerk compiles", daemon=True).start()
        else:
            self._done.set()

    def _build(self) -> None:
        try:
            if len(self.source) >= LARGE:
                self._best = build(self.source, self._opener, optimise=False)
            final = build(self.source, self._opener)
            # An unoptimised library is better than none.
            if not isinstance(final, NotBuilt) or self._best is None or isinstance(self._best, NotBuilt):
                self._best = final
        finally:
            self._done.set()

    def _begin_here(self) -> None:
        """In a forked process no thread continues the build: start again."""
        if self._process != os.getpid() and not self._done.is_set():
            self._begin()

    def library_if_ready(self, wait: bool = False) -> Loaded | None:
        """The best library so far; with `wait` the optimised one, unless it cannot be built."""
        self._begin_here()
        if wait:
            self._done.wait()
        best = self._best
        return None if isinstance(best, NotBuilt) else best

    def failure(self) -> NotBuilt | None:
        """Why there will be no library, once that is certain."""
        self._begin_here()
        best = self._best
        return best if self._done.is_set() and isinstance(best, NotBuilt) else None

    @property
    def done(self) -> bool:
        """True if no better library will follow."""
        self._begin_here()
        return self._done.is_set()


class InMachineCode(Generic[Loaded]):
    """The machine code of a program: a library built in the background, or the reason why there is none.

    `printed` returns the source, or raises NotInC. `warned` is for callers that warn once that there is no library.
    """

    def __init__(self, printed: Callable[[], str], opener: Opener[Loaded]) -> None:
        self.source, self.warned = "", False
        self.building: Building[Loaded] | None = None
        self.reason: str | None = None
        if sys.platform == "emscripten":
            self.reason = "the native backend needs a compiler, and there is none in a browser"
            return
        try:
            self.source = printed()
        except NotInC as problem:
            self.reason = f"the native backend cannot play {problem}"
        else:
            self.building = Building(self.source, opener)

    def library(self, wait: bool = False) -> Loaded | None:
        """The library, if there is one yet; `wait`: wait for the optimised one, unless it fails."""
        return None if self.building is None else self.building.library_if_ready(wait)

    def failure(self) -> str | None:
        """Why there will be no library, once that is certain."""
        if self.building is None:
            return self.reason
        failed = self.building.failure()
        return failed.reason if isinstance(failed, NotBuilt) else None
