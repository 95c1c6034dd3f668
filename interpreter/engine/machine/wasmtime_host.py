"""A module that runs in Wasmtime: calls of its functions, and its memory.

The package `wasmtime` makes a call in fifty microseconds, as it looks at the type of every argument. A move of a small
game takes less than one, so calls are made through the C interface that the package wraps, with the arguments as words.
"""

from __future__ import annotations

import atexit
import ctypes
import os
import threading
from collections.abc import Callable, MutableSequence
from functools import cache, lru_cache
from time import perf_counter, sleep
from typing import cast
from weakref import WeakSet

import wasmtime
from wasmtime import _bindings

from interpreter.compiler.machine.polls import STOP_ADDRESS
from interpreter.compiler.wasm.modules import PAGE_BYTES
from interpreter.engine.machine.hosts import Compiled, NoMachineError, TrappedError

MAX_SECONDS = 5.0
"""The time after which a call is ended."""

SECONDS_BETWEEN_LOOKS = 0.25
MAX_VALUES = 8
"""The number of arguments that a function can have."""

VALUE_COUNT = ctypes.c_size_t(MAX_VALUES)


@cache
def _engine() -> wasmtime.Engine:
    """The compiler. A process that was forked off has no threads for it: it would wait for them forever."""
    config = wasmtime.Config()
    config.parallel_compilation = not _forked
    return wasmtime.Engine(config)


_forked = False
_modules: WeakSet[WasmtimeModule] = WeakSet()
_instances: WeakSet[WasmtimeInstance] = WeakSet()
_instances_lock = threading.Lock()


def _watch(instance: WasmtimeInstance) -> None:
    """Let calls of an instance be ended when they take too long."""
    with _instances_lock:
        _instances.add(instance)
        _start_watching()


@cache
def _start_watching() -> None:
    """Begin to end calls that take too long."""
    threading.Thread(target=_end_long_calls, name="machine engine", daemon=True).start()


def _begin_anew() -> None:
    """Begin anew in a process that was forked off, which has modules and instances, but not the threads."""
    global _forked, _instances_lock
    _forked, _instances_lock = True, threading.Lock()
    _engine.cache_clear()
    _start_watching.cache_clear()
    if _instances:
        _start_watching()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_begin_anew)


def _end_long_calls() -> None:
    while True:
        sleep(SECONDS_BETWEEN_LOOKS)
        _look_at_calls()


def _look_at_calls() -> None:
    """End calls that take too long. Between looks, no instance is kept alive."""
    now = perf_counter()
    with _instances_lock:
        instances = list(_instances)
    for instance in instances:
        calls = instance.calls
        if not calls % 2 or calls != instance.seen_call:
            instance.seen_call, instance.seen_at = calls, now
        elif now - instance.seen_at > MAX_SECONDS:
            instance.write(STOP_ADDRESS, b"\1")
            if instance.calls != calls:  # it has ended in this moment
                instance.write(STOP_ADDRESS, b"\0")


class WasmtimeModule:
    """A module in machine code, which several instances share. Raises wasmtime.WasmtimeError if it is not valid."""

    def __init__(self, binary: bytes, engine: wasmtime.Engine | None = None) -> None:
        self.engine = engine or _engine()
        self.module = wasmtime.Module(self.engine, binary)
        _modules.add(self)

    def instance(self) -> WasmtimeInstance:
        """See `Compiled.instance`."""
        try:
            return WasmtimeInstance(self)
        except wasmtime.WasmtimeError as error:
            raise NoMachineError(f"there is no memory for a module ({str(error).splitlines()[0]})") from None

    def beside(self, binary: bytes) -> WasmtimeModule:
        """See `Compiled.beside`."""
        return _beside(binary, self.engine)


@lru_cache(maxsize=2)
def _beside(binary: bytes, engine: wasmtime.Engine) -> WasmtimeModule:
    return WasmtimeModule(binary, engine)


Result = ctypes.c_int32 | ctypes.c_int64
"""What reads the result of a function."""


class WasmtimeInstance:
    """See `hosts.Instance`."""

    def __init__(self, compiled: WasmtimeModule) -> None:
        self.store = wasmtime.Store(compiled.engine)
        exports = wasmtime.Instance(self.store, compiled.module, []).exports(self.store)
        self._exports = dict(exports.items())
        memory = self._exports["memory"]
        assert isinstance(memory, wasmtime.Memory)
        # The memory is reserved at its maximum, so that it stays where it is when it grows.
        self.base = ctypes.addressof(memory.data_ptr(self.store).contents)
        most_pages = memory.type(self.store).limits.max
        assert most_pages is not None, "our modules limit their memory"
        self._memory = memoryview((ctypes.c_char * (most_pages * PAGE_BYTES)).from_address(self.base)).cast("B")
        self._context = ctypes.cast(self.store._context(), ctypes.c_void_p)
        self._functions: dict[str, tuple[ctypes.c_void_p, Result]] = {}
        # Arguments and results are values of 16 bytes, of which the first word counts.
        self._values = (ctypes.c_int64 * (2 * MAX_VALUES))()
        self._trap = ctypes.c_void_p()
        self._values_at = ctypes.c_void_p(ctypes.addressof(self._values))
        self._trap_at = ctypes.c_void_p(ctypes.addressof(self._trap))
        self._call = _raw("wasmtime_func_call_unchecked")
        self.calls = 0
        """It is odd while a function runs."""
        self.seen_call, self.seen_at = 0, 0.0
        """The number that the watching thread has seen last, and when it saw it first."""
        _watch(self)

    def link(self, compiled: Compiled) -> None:
        """See `hosts.Instance.link`."""
        assert isinstance(compiled, WasmtimeModule)
        imports = [self._exports[needed.name or ""] for needed in compiled.module.imports]
        exports = wasmtime.Instance(self.store, compiled.module, imports).exports(self.store)
        self._exports.update(exports.items())

    def call(self, name: str, *arguments: int) -> int:
        """See `hosts.Instance.call`."""
        try:
            function, result = self._functions[name]
        except KeyError:
            function, result = self._functions[name] = self._function(name)
        if arguments:
            values = self._values
            for place, argument in enumerate(arguments):
                values[2 * place] = argument
        self.calls += 1
        try:
            error = self._call(self._context, function, self._values_at, VALUE_COUNT, self._trap_at)
        except BaseException:  # Ctrl-C, which Python notices when the call has ended
            self.calls += 1
            self._discard(None)
            raise
        self.calls += 1
        if error or self._trap:
            self._discard(error)
            raise TrappedError
        number: int = result.value
        return number

    def _function(self, name: str) -> tuple[ctypes.c_void_p, Result]:
        """The address of a function, and what reads its result: one of 32 bits is only the half of a word."""
        exported = self._exports[name]
        assert isinstance(exported, wasmtime.Func)
        types = [str(type_) for type_ in exported.type(self.store).results]
        number: type[Result] = ctypes.c_int32 if types == ["i32"] else ctypes.c_int64
        result = number.from_buffer(self._values) if types else number(0)
        return ctypes.c_void_p(ctypes.addressof(exported._func)), result

    def _discard(self, error: int | None) -> None:
        """Free what describes a fault, which Python names, and let the next call run."""
        self.write(STOP_ADDRESS, b"\0")
        if error:
            _raw("wasmtime_error_delete")(ctypes.c_void_p(error))
        if self._trap.value:
            _raw("wasm_trap_delete")(self._trap)
            self._trap.value = None

    def read(self, address: int, size: int) -> bytes:
        """See `hosts.Instance.read`."""
        return self._memory[address : address + size].tobytes()

    def write(self, address: int, content: bytes) -> None:
        """See `hosts.Instance.write`."""
        self._memory[address : address + len(content)] = content

    def view(self, address: int, count: int) -> MutableSequence[int]:
        """See `hosts.Instance.view`."""
        words = (ctypes.c_int64 * count).from_address(self.base + address)
        return cast("MutableSequence[int]", words)  # an array of ctypes does all that we ask


@cache
def _raw(name: str) -> Callable[..., int | None]:
    """A function of the C interface, without the conversions of its wrapper.

    Its arguments must be values of ctypes. That no types are declared saves a third of the time of a call.
    """
    address = ctypes.cast(getattr(_bindings, f"_{name}"), ctypes.c_void_p).value
    assert address is not None
    return ctypes.CFUNCTYPE(ctypes.c_void_p)(address)


@atexit.register
def _leave_to_the_process() -> None:
    """Let what Wasmtime has made end with the process.

    Python would delete it after the modules of the package, whose destructors then print tracebacks.
    """
    for owned in (
        *[module.engine for module in _modules],
        *[module.module for module in _modules],
        *[instance.store for instance in _instances],
    ):
        ctypes.pythonapi.Py_IncRef(ctypes.py_object(owned))
