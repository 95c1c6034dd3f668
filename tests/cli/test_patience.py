"""The timer that ends rules that are too slow: its signal can arrive at any moment, in the middle of an import too."""

from __future__ import annotations

import inspect
import subprocess
import sys
from importlib import import_module
from operator import attrgetter

import pytest

from dsl.text.folders import shipped_folder
from interpreter.errors import UsageError
from interpreter.loading.rules import load_rules
from interpreter.watchdog import ENTRY_POINTS, watchdog

INSIDE_AN_IMPORT = """
import importlib._bootstrap, signal, sys

from interpreter.watchdog import watchdog

{before}
arrived = []

def trace(frame, event, arg):
    locks = frame.f_code.co_filename == "<frozen importlib._bootstrap>" and frame.f_code.co_name == "acquire"
    if locks and importlib._bootstrap._blocking_on:
        sys.settrace(None)
        arrived.append(True)
        signal.raise_signal(signal.SIGVTALRM)
    return trace

with watchdog():
    sys.settrace(trace)
    try:
        import colorsys
    finally:
        sys.settrace(None)
assert arrived
print("imported")
"""


def run(code: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)


def test_a_signal_in_the_middle_of_an_import_does_no_harm() -> None:
    """Python 3.11 ends such an import with `KeyError: 140…`, a thread's number, if the handler imports anything."""
    done = run(INSIDE_AN_IMPORT.format(before=""))
    assert done.stdout == "imported\n", done.stderr


def test_nothing_is_looked_at_in_the_middle_of_an_import() -> None:
    """Whatever the handler would do, such as raise a fault that leaves half a module."""
    patched = "import interpreter.watchdog\ninterpreter.watchdog.memory = lambda: 1 / 0"
    done = run(INSIDE_AN_IMPORT.format(before=patched))
    assert done.stdout == "imported\n", done.stderr


def test_the_watchdog_knows_functions_that_exist() -> None:
    for module, names in ENTRY_POINTS.items():
        for name in names:
            function = attrgetter(name)(import_module(module))
            function = function.fget if isinstance(function, property) else inspect.unwrap(function)
            assert function.__module__ == module, name
            assert function.__code__.co_qualname == name


def test_checking_a_file_is_watched(monkeypatch: pytest.MonkeyPatch) -> None:
    """By whatever function files are checked: it has to be one of the entry points."""

    def endless(_: object) -> None:
        while True:
            pass

    monkeypatch.setattr("dsl.checker.STAGES", [("endless", endless)])
    with watchdog(longest=0.3), pytest.raises(UsageError):
        load_rules(shipped_folder() / "nim.rules")
