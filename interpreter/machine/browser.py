"""A module run by a browser, for Python in a web page (Pyodide).

Nothing can interrupt a call here: a browser has neither epochs nor signals, and while a module runs, nothing else does
in its thread. A page that wants to end a game has to end the worker that Python runs in.
"""

from __future__ import annotations

from typing import Any

TRAPS = ("RuntimeError", "RangeError")
"""The errors of JavaScript with which a call ends that traps, or exhausts the stack."""


class TrappedError(Exception):
    """Raised when a module traps."""


class Instance:
    """A compiled module with its memory.

    Outside of a worker, browsers may refuse to compile a large module at once (Chromium: 8 MB).
    """

    def __init__(self, binary: bytes) -> None:
        # Pyodide has these packages. They are imported here because this file is also imported elsewhere.
        from js import Object, Uint8Array, WebAssembly
        from pyodide.ffi import JsException, to_js

        instance = WebAssembly.Instance.new(WebAssembly.Module.new(to_js(binary)))
        self._exports: dict[str, Any] = dict(Object.entries(instance.exports))
        self._view, self._error = Uint8Array.new, JsException
        self._wide: set[str] = set()
        """Functions that have refused plain numbers, as parameters are 64 bits wide."""

    def call(self, name: str, *arguments: int) -> int:
        """The result of a function; 0 if it has none. Raises TrappedError."""
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
        return int(result or 0)

    def value(self, name: str) -> int:
        """The value of an exported variable."""
        return int(self._exports[name].value)

    def read(self, address: int, size: int) -> bytes:
        """Bytes of the memory."""
        content: bytes = self._view(self._exports["memory"].buffer, address, size).to_bytes()
        return content

    def write(self, address: int, content: bytes) -> None:
        """Change bytes of the memory."""
        self._view(self._exports["memory"].buffer, address, len(content)).assign(content)
