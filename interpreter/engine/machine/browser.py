"""A module run by a browser, for Python in a web page (Pyodide).

Nothing can interrupt a call here: while a module runs, nothing else does in its thread, and no other one can set the
word that its loops look at. A page that wants to end a game has to end the worker that Python runs in.
"""

from __future__ import annotations

import struct
from collections.abc import MutableSequence
from functools import lru_cache, partial
from typing import Any, cast

from interpreter.compiler.machine.forms import WORD_BYTES
from interpreter.compiler.wasm.modules import IMPORTED
from interpreter.engine.machine.hosts import Compiled, TrappedError

TRAPS = ("RuntimeError", "RangeError")
"""The errors of JavaScript with which a call ends that traps, or exhausts the stack."""

VIEWS = 256
"""Maximum number of parts of a memory that are kept ready to be read or written."""


class BrowserModule:
    """A compiled module. Outside of a worker, browsers may refuse to compile a large one at once (Chromium: 8 MB)."""

    def __init__(self, binary: bytes) -> None:
        # Pyodide has these packages. They are imported here because this file is also imported elsewhere.
        from js import WebAssembly
        from pyodide.ffi import to_js

        self._module = WebAssembly.Module.new(to_js(binary))

    def instance(self) -> BrowserInstance:
        """See `Compiled.instance`."""
        return BrowserInstance(self._module)

    def beside(self, binary: bytes) -> BrowserModule:
        """See `Compiled.beside`."""
        return _beside(binary)

    @property
    def module(self) -> Any:
        """The module of the browser."""
        return self._module


@lru_cache(maxsize=2)
def _beside(binary: bytes) -> BrowserModule:
    return BrowserModule(binary)


class BrowserInstance:
    """See `hosts.Instance`."""

    def __init__(self, module: Any) -> None:  # `Any` here: objects of JavaScript
        from js import Object, Uint8Array, WebAssembly
        from pyodide.ffi import JsException, to_js

        instance = WebAssembly.Instance.new(module)
        self._exports: dict[str, Any] = dict(Object.entries(instance.exports))
        self._imports: Any = to_js({IMPORTED: instance.exports}, dict_converter=Object.fromEntries)
        self._new_view, self._error = Uint8Array.new, JsException
        self._renew_views()
        self._wide: set[str] = set()
        """Functions that have refused plain numbers, as parameters are 64 bits wide."""

    def link(self, compiled: Compiled) -> None:
        """See `hosts.Instance.link`."""
        from js import Object, WebAssembly

        assert isinstance(compiled, BrowserModule)
        instance = WebAssembly.Instance.new(compiled.module, self._imports)
        self._exports.update(Object.entries(instance.exports))

    def call(self, name: str, *arguments: int) -> int:
        """See `hosts.Instance.call`."""
        function = self._exports[name]
        try:
            # JavaScript converts text to a number of either width, but plain numbers are faster.
            result = function(*map(str, arguments)) if name in self._wide else function(*arguments)
        except self._error as error:
            if error.name == "TypeError" and name not in self._wide:
                self._wide.add(name)
                return self.call(name, *arguments)
            if error.name not in TRAPS:
                raise
            raise TrappedError(error.message) from None
        finally:
            if not self._buffer.byteLength:  # memory has grown
                self._renew_views()
        return int(result or 0)

    def read(self, address: int, size: int) -> bytes:
        """See `hosts.Instance.read`."""
        content: bytes = self._bytes(address, size).to_bytes()
        return content

    def write(self, address: int, content: bytes) -> None:
        """See `hosts.Instance.write`."""
        self._bytes(address, len(content)).assign(content)

    def _renew_views(self) -> None:
        """Begin with new views of memory, which are kept: making one takes ten times as long as reading its bytes."""
        self._buffer = self._exports["memory"].buffer
        self._bytes: Any = lru_cache(maxsize=VIEWS)(partial(self._new_view, self._buffer))

    def view(self, address: int, count: int) -> MutableSequence[int]:
        """See `hosts.Instance.view`."""
        return cast("MutableSequence[int]", _View(self, address, count))


class _View:
    """Words of memory: what a list of numbers is asked for, and no more."""

    def __init__(self, instance: BrowserInstance, address: int, count: int) -> None:
        self._instance, self._address, self._count = instance, address, count

    def __len__(self) -> int:
        return self._count

    def __getitem__(self, place: int) -> int:
        (word,) = struct.unpack("<q", self._instance.read(self._address_of(place), WORD_BYTES))
        return int(word)

    def __setitem__(self, place: int, word: int) -> None:
        self._instance.write(self._address_of(place), struct.pack("<q", word))

    def _address_of(self, place: int) -> int:
        return self._address + WORD_BYTES * range(self._count)[place]
