"""Checks of the arguments that programs pass to the interpreter; a wrong type raises an error that says so."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from operator import index
from pathlib import Path
from typing import Literal, TypeVar, get_args

from dsl.text.visible import brief
from interpreter.errors import OptionError, PlayersError, UnknownSeatError, UsageError

Backend = Literal["auto", "python", "machine"]
"""What plays: Python first and the machine engine once it pays off, only Python, only the machine engine."""

BACKENDS: tuple[Backend, ...] = get_args(Backend)


def described(value: object) -> str:
    """Describe a value of the wrong type: `1.5 (float)`, `None`."""
    if value is None or isinstance(value, str):
        return f"`{brief(value, 40)}`" if value is not None else "None"
    return f"{brief(value, 40)} ({type(value).__name__})"


def path_of(value: object, subject: str, error: type[UsageError | Exception] = UsageError) -> Path:
    """Convert a path or text to a path; raises `error`. `subject` begins the message: `a save is named by`."""
    if not isinstance(value, str | Path):
        raise error(f"{subject} a string or a path, not by {described(value)}")
    if "\0" in str(value):
        raise error(f"{subject} a path that a file can have, not by {described(str(value))}")
    return Path(value)


Function = TypeVar("Function", bound=Callable[..., object])
Instance = TypeVar("Instance")


def function_of(value: Function | None, default: Function, name: str) -> Function:
    """Check that an argument is a function; the default for None. Raises UsageError."""
    if value is None:
        return default
    if not callable(value):
        raise UsageError(f"`{name}` must be a function, not {described(value)}")
    return value


def integer_of(value: object, subject: str, least: int | None = None, most: int | None = None) -> int:
    """Check that a value is a whole number, not a truth value, from `least` to `most`. Raises UsageError."""
    if isinstance(value, bool) or not isinstance(value, int):
        raise UsageError(f"{subject} must be a whole number, not {described(value)}")
    if least is not None and value < least:
        raise UsageError(f"{subject} must be at least {least}, not {described(value)}")
    if most is not None and value > most:
        raise UsageError(f"{subject} must be at most {most}, not {described(value)}")
    return value


def instance_of(value: object, kind: type[Instance], source: str) -> Instance:
    """Check that a value is of a class; `source` is what has one. Raises UsageError."""
    if not isinstance(value, kind):
        raise UsageError(f"expected {source}, not {described(value)}")
    return value


def action_number(value: object) -> int:
    """Check the number of an action, as Python or NumPy have it. Raises UsageError."""
    try:
        return index(value)  # type: ignore[arg-type]
    except TypeError:
        raise UsageError(f"an action is a whole number, not {described(value)}") from None


def seat_number(seats: Sequence[str], seat: object) -> int:
    """The number of a seat in turn order. Raises UnknownSeatError."""
    for number, name in enumerate(seats):
        if name == seat:
            return number
    raise UnknownSeatError(f"there is no seat `{brief(seat)}` in this game")


def backend_of(value: object) -> Backend:
    """Check the name of a backend. Raises UsageError."""
    for name in BACKENDS:
        if value == name:
            return name
    raise UsageError(f"a backend is one of {', '.join(BACKENDS)}, not {described(value)}")


def players_of(value: object) -> int | tuple[str, ...] | None:
    """Check a number of players, or the names of seats. Raises PlayersError."""
    if value is None or (isinstance(value, int) and not isinstance(value, bool)):
        return value
    if isinstance(value, Sequence) and not isinstance(value, str | bytes | bytearray):
        seats = tuple(value)
        if all(isinstance(seat, str) for seat in seats):
            return seats
    raise PlayersError(f"players must be a whole number or a list of seats, not {described(value)}")


def options_of(value: object) -> dict[str, str]:
    """Check options and convert their values to words, by name. Raises OptionError."""
    if value is None:
        return {}
    if not isinstance(value, Mapping):
        raise OptionError(f"options must be a mapping of names to values, not {described(value)}")
    for name in value:
        if not isinstance(name, str):
            raise OptionError(f"an option is named by a string, not by {described(name)}")
    return {name: str(option).lower() if isinstance(option, bool) else brief(option) for name, option in value.items()}
