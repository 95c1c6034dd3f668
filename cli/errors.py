"""The single place where errors become a message and an exit code, never a traceback."""

from __future__ import annotations

import codecs
import errno
import os
import re
import sys
import unicodedata
from collections.abc import Callable, Iterable
from difflib import get_close_matches
from io import TextIOWrapper
from typing import TextIO

import typer

from cli import signals
from cli.render.echo import echo
from dsl.text.visible import visible
from interpreter.watchdog import watchdog
from interpreter.wording.phrases import ENGLISH, Phrase, catalogue_of, did_you_mean

DONE, WRONG, USAGE, INTERRUPTED = 0, 1, 2, 130

OWN_PACKAGES = frozenset({"cli", "dsl", "interpreter", "regelwerk"})
"""The packages of Regelwerk itself."""


_NO_WHOLE_NUMBER = re.compile(
    r"(?:Input should be a valid integer|'[^']*' is not a valid integer|Unable to parse input string as an integer).*",
    re.DOTALL,
)
_NO_NUMBER = re.compile(r"(?:Input should be a valid number|'[^']*' is not a valid float).*", re.DOTALL)
"""Messages of the command-line library for a value that must be a number."""


class CommandError(Exception):
    """A file, a save, an example or a check is invalid: exit code 1."""

    def __init__(self, message: str) -> None:
        self.message = message
        super().__init__(visible(message, layout=True))


class MisuseError(Exception):
    """The command was called incorrectly: exit code 2."""

    def __init__(self, message: str) -> None:
        self.message = message
        super().__init__(visible(message))


class Stop(Exception):
    """The verb has finished and all its output is written: exit with this code."""

    def __init__(self, code: int) -> None:
        super().__init__(code)
        self.code = code


def suggestion(word: str, candidates: Iterable[str]) -> str:
    """Suggest `; did you mean b or c?`; empty if no known word is close."""
    return did_you_mean(get_close_matches(word, list(candidates), n=4, cutoff=0.6))


_catalogue = ENGLISH
"""The language of messages."""


def speak(language: str | None) -> None:
    """Say messages and errors in a language until the verb ends."""
    global _catalogue
    _catalogue = catalogue_of(language)


def translated(text: str) -> str:
    """A text of the command in the language of its messages, if it is a phrase."""
    return _catalogue.say(text, {}) if isinstance(text, Phrase) else text


def say(message: str) -> None:
    """Write one message to standard error, in red on a terminal."""
    red, plain = ("\x1b[31m", "\x1b[0m") if sys.stderr.isatty() and not os.environ.get("NO_COLOR") else ("", "")
    error = translated(Phrase("error:"))
    typer.echo(f"{red}{error}{plain} {visible(translated(message), layout=True)}", file=sys.stderr)


def _say_fault(fault: Exception) -> None:
    """Write the message of an error, after its location in the rules if it has one."""
    location = getattr(fault, "location", "")
    say(f"{location}: " * bool(location) + _catalogue.message(fault))


def guarded(verb: Callable[[], object]) -> int:
    """Run a verb and return its exit code, or that of what it raised: 128 plus its number for a signal that ended it.

    Typer silently turns Ctrl-C into code 130.
    """
    _replace_closed_streams()
    for stream in (sys.stdin, sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors=HANDLER)  # never fail on an undecodable or unencodable character
    signals.forget()
    speak(None)
    try:
        code = _code_of_verb(verb)
    except OSError as fault:  # the terminal has gone, so nobody can be told
        if fault.errno != errno.EIO:
            raise
        _discard_output()
        code = WRONG
    number = signals.received()
    return code if number is None else 128 + number


def _replace_closed_streams() -> None:
    """Where a program starts the command without an input or output: nothing to read, and nobody who reads.

    Each takes the number of the one that is closed; otherwise a save could take it, and be written to as the output.
    """
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, os.fdopen(os.open(os.devnull, os.O_RDWR), mode, encoding="utf-8"))


def _code_of_verb(verb: Callable[[], object]) -> int:
    try:
        with watchdog():
            code = verb()
        sys.stdout.flush()
    except KeyboardInterrupt:
        code = INTERRUPTED
    except MemoryError:
        say(Phrase("out of memory"))
        return WRONG
    except Exception as fault:
        return _code_of(fault)
    if code == INTERRUPTED:
        echo(translated(Phrase("interrupted")), err=True)
    return code if isinstance(code, int) else DONE


def _code_of(fault: Exception) -> int:
    """Write the message of an exception and return its exit code."""
    if isinstance(fault, Stop):
        return fault.code
    if isinstance(fault, CommandError):
        _say_fault(fault)
        return WRONG
    if isinstance(fault, MisuseError):
        _say_fault(fault)
        return USAGE
    if isinstance(fault, OSError):
        return _code_of_system(fault)
    if isinstance(fault, ModuleNotFoundError) and fault.name is not None:
        package = fault.name.partition(".")[0]
        if package not in OWN_PACKAGES:
            say(f"the installation is incomplete: the package {package} is missing; install it: pip install {package}")
            return WRONG
    if hasattr(fault, "format_message") and hasattr(fault, "exit_code"):
        return _code_of_command_line(fault)
    return _code_of_domain(fault)


def _code_of_system(fault: OSError) -> int:
    if fault.filename is None and fault.errno in (errno.EPIPE, errno.ENOSPC):
        _discard_output(sys.stdout)
    if fault.errno == errno.EPIPE:  # the reader of the output has gone, so there is nobody to show a message to
        return DONE
    where = f"{visible(os.fsdecode(fault.filename))}: " if fault.filename else ""
    say(f"{where}{(fault.strerror or str(fault)).lower()}")
    return WRONG


def _discard_output(*streams: TextIO) -> None:
    """Discard what is still buffered for these streams, by default both, and all that follows."""
    for stream in streams or (sys.stdout, sys.stderr):
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


def _code_of_command_line(fault: Exception) -> int:
    """Report Typer's own errors (an unknown flag or verb, a value of the wrong type) and return the exit code."""
    context = getattr(fault, "ctx", None)
    message = str(fault.format_message()).rstrip(".")  # type: ignore[attr-defined]
    if type(fault).__name__ == "NoArgsIsHelpError":
        echo(message)
        return DONE
    message = _NO_WHOLE_NUMBER.sub("expected a whole number", message[:1].lower() + message[1:])
    message = _NO_NUMBER.sub("expected a number", message)
    say(message.replace("Input should be", "expected a number"))
    if context is not None:
        echo(f"see: {context.command_path} --help", err=True)
    return int(fault.exit_code)  # type: ignore[attr-defined]


def _code_of_domain(fault: Exception) -> int:
    """Report errors in the language, in play, or in Regelwerk itself, and return the exit code."""
    # start-up of --help, --version, fmt and explain, which do not need the interpreter
    from interpreter.errors import (
        BotError,
        ExpressionError,
        PlayError,
        RulesError,
        RunError,
        SamplingError,
        SaveError,
        UsageError,
    )

    if isinstance(fault, RulesError | ExpressionError):
        from cli.render.diagnostics import report  # start-up of --help, --version and fmt, which do not need rich

        report(fault.diagnostics, sys.stderr)
        return USAGE if isinstance(fault, ExpressionError) else WRONG
    if isinstance(fault, UsageError):
        _say_fault(fault)
        return USAGE
    if isinstance(fault, BotError | RunError | SamplingError | SaveError | PlayError):
        _say_fault(fault)
        return WRONG
    if os.environ.get("REGELWERK_TRACEBACK"):
        raise fault
    say(
        f"{type(fault).__name__}: {visible(str(fault))}; this is a bug in Regelwerk, please report it "
        "(REGELWERK_TRACEBACK=1 shows a traceback)"
    )
    return WRONG


# ---------------- output in encodings that lack characters: the most similar ASCII character instead of `?`, always
# one for one


HANDLER = "regelwerk.nearest"
"""The name of the error handler, as the `errors` of a stream."""

_LIKE = {
    "-": "─╌╴╶╼╾–—−¯",  # noqa: RUF001
    "=": "═",
    "|": "│╵╷╽╿",
    "H": "║",
    "*": "━┃╸╺╹╻▚▞▀▄●•",
    ".": "┄ˑ…",
    ":": "┆",
    "/": "╱",  # noqa: RUF001
    "\\": "╲",
    "X": "╳╫╪",  # noqa: RUF001
    "+": "·",
    "v": "✓↓",
    ">": "→►",
    "<": "←",
    "^": "↑",
    "x": "×",  # noqa: RUF001
    '"': "“”„",
    "'": "‘’",  # noqa: RUF001
}
"""Dotted, light, heavy and double lines of boards remain distinct."""
_NEAREST = {character: plain for plain, characters in _LIKE.items() for character in characters}
_BOX = range(0x2500, 0x2580)


def nearest(character: str) -> str:
    """The ASCII character that resembles a character most; `?` if there is none."""
    similar = _NEAREST.get(character)
    if similar is not None:
        return similar
    if ord(character) in _BOX:
        return "+"
    letter = unicodedata.normalize("NFKD", character)[:1]
    return letter if letter.isascii() else "?"


def _replaced(fault: UnicodeError) -> tuple[str | bytes, int]:
    if isinstance(fault, UnicodeEncodeError):
        return "".join(map(nearest, fault.object[fault.start : fault.end])), fault.end
    return codecs.replace_errors(fault)


codecs.register_error(HANDLER, _replaced)
