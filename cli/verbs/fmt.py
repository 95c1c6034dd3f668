"""`fmt FILE…`: format rules files canonically."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated

import typer

from cli.errors import DONE, WRONG, MisuseError, Stop, say
from cli.render.echo import echo
from dsl.diagnostics import Diagnostic
from dsl.formatter import FormatError, canonical
from dsl.lazy_dataclasses import dataclass
from dsl.syntax import read_source
from dsl.syntax.prescan import source_of
from dsl.text.files import MAX_FILE_SIZE, expanded, is_file, is_there, read_file
from dsl.text.nouns import counted
from dsl.text.span import Source

STANDARD_INPUT = "-"


@dataclass(frozen=True)
class Formatted:
    """A text and its canonical text."""

    name: str
    before: bytes
    after: bytes

    @property
    def changed(self) -> bool:
        """True if the text was not canonical."""
        return self.before != self.after


def fmt(
    files: Annotated[
        list[str],
        typer.Argument(
            metavar="FILE…", help="Rules files, folders to search for them, names of games, or - for standard input."
        ),
    ],
    check: Annotated[
        bool,
        typer.Option("--check", help="Change nothing; name the files that would change. Exit code 1 if there are any."),
    ] = False,
    diff: Annotated[bool, typer.Option("--diff", help="Change nothing; show the changes as a patch.")] = False,
) -> None:
    """Format rules files in their canonical layout.

    No word or comment changes, nor their order. A file with errors is left untouched; exit code 1. The layout is
    described in docs/formatting.md.
    """
    if STANDARD_INPUT in files:
        if len(files) > 1:
            raise MisuseError("`-` (standard input) cannot be combined with other files")
        raise Stop(_standard_input(check, diff))
    paths = list(dict.fromkeys(path for name in files for path in _files(name)))
    changed = wrong = 0
    for path in paths:
        formatted = _file(path)
        if formatted is None:
            wrong += 1
        elif formatted.changed:
            changed += 1
            if not (check or diff):
                _write(path, formatted.after)
            _report(formatted, check, diff)
    echo(_summary(len(paths), changed, wrong, writes=not (check or diff)), err=diff)
    raise Stop(WRONG if wrong or (check and changed) else DONE)


def _files(name: str) -> Iterator[Path]:
    """The rules files an argument refers to: all in a folder, a single file, or a game with its examples."""
    path = expanded(name)
    if path.is_dir():
        inside = (rules for rules in sorted(path.rglob("*.rules")) if is_file(rules))
        yield from (rules for rules in inside if not any(_hidden(part) for part in rules.relative_to(path).parts))
    elif is_there(path):
        yield path
    else:
        from interpreter.loading.game_library import companion_of, find  # start-up: paths do without the interpreter

        game = find(name)
        companion = companion_of(game)
        yield from [game] if companion is None else [game, companion]


def _hidden(part: str) -> bool:
    return part.startswith(".")


# ---- one text


def _file(path: Path) -> Formatted | None:
    """A file and its canonical text; None if it cannot be formatted, which has been reported."""
    source = read_source(path)
    return _formatted(source, b"" if isinstance(source, Diagnostic) else read_file(path, MAX_FILE_SIZE))


def _standard_input(check: bool, diff: bool) -> int:
    """Format standard input to standard output and return the exit code."""
    data = typer.get_binary_stream("stdin").read()
    formatted = _formatted(source_of(data, "<stdin>"), data)
    if formatted is None:
        return WRONG
    if not (check or diff):
        typer.echo(formatted.after, nl=False)  # it was parsed, so it contains no hidden characters
    elif formatted.changed:
        _report(formatted, check, diff)
    return WRONG if check and formatted.changed else DONE


def _formatted(source: Source | Diagnostic, data: bytes) -> Formatted | None:
    """A text and its canonical text; None if it cannot be formatted, which has been reported."""
    from cli.render.diagnostics import report  # start-up: rich only if there is something to report

    if isinstance(source, Diagnostic):
        report([source], sys.stderr)
        return None
    try:
        text, diagnostics = canonical(source)
    except FormatError as fault:
        say(
            f"{source.name}: {fault}, so it is left untouched; this is a bug in Regelwerk, please report it "
            "with the file"
        )
        return None
    if text is None:
        report(diagnostics, sys.stderr)
        return None
    return Formatted(source.name, data, text.encode("utf-8"))


def _write(path: Path, text: bytes) -> None:
    """Replace a file by its canonical text atomically."""
    from dsl.text.replacing import replace_text  # start-up: most files are canonical already

    with path.open("r+b"):  # a read-only file is refused here instead of being replaced
        pass
    replace_text(path, text.decode("utf-8"))


# ---- what is reported


def _report(formatted: Formatted, check: bool, diff: bool) -> None:
    if diff:
        from cli.render.differences import show  # start-up: rich only if there is something to show

        show(formatted.name, formatted.before.decode("utf-8-sig"), formatted.after.decode("utf-8"))
    else:
        echo(f"{formatted.name} would change" if check else f"{formatted.name} changed")


def _summary(files: int, changed: int, wrong: int, writes: bool) -> str:
    """Summary line: `2 of 5 files changed, 1 has errors`."""
    verb = "changed" if writes else "would change"
    words = f"{changed} of {counted(files, 'file')} {verb}"
    return f"{words}, {wrong} {'has' if wrong == 1 else 'have'} errors" if wrong else words
