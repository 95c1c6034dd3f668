"""`check FILE…`: what is wrong with rules files."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from cli.arguments import Json, rules_file, wants_json
from cli.faults import DONE, WRONG, Stop

if TYPE_CHECKING:
    from dsl.diagnostics import Diagnostic


def check(
    files: Annotated[list[str], typer.Argument(metavar="FILE…", help="Rules files, or names of games.")],
    form: Json = "text",
) -> None:
    """Check rules files and say what is wrong, and where. Exit code 1 when there is an error."""
    json = wants_json(form)
    from dsl.diagnostics import has_errors

    paths = [rules_file(name) for name in files]
    found = {path: _diagnose(path) for path in dict.fromkeys(paths)}
    every = [diagnostic for diagnostics in found.values() for diagnostic in diagnostics]
    if json:
        from cli.machine import emit
        from cli.render.findings import document

        entries = [{"path": str(path), "diagnostics": [document(d) for d in found[path]]} for path in found]
        emit("check", {"files": entries})
    else:
        from cli.render.findings import count_line, report

        report(every)
        typer.echo(count_line(every, len(found)))
    raise Stop(WRONG if has_errors(every) else DONE)


def _diagnose(path: Path) -> list[Diagnostic]:
    from interpreter import RulesError
    from interpreter.game import load_rules

    try:
        return list(load_rules(path, examples=True).warnings)
    except RulesError as fault:
        return list(fault.diagnostics)
