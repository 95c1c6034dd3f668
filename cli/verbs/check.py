"""`check FILE…`: report errors in rules files and boards."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from cli.arguments import Json, OwnBoard, Variants, board_file, rules_file, wants_json
from cli.errors import DONE, WRONG, MisuseError, Stop
from cli.json_output import emit
from cli.progress import Stage, show_progress
from cli.render import accepted
from cli.render.diagnostics import count_line, document, report
from cli.render.echo import echo
from cli.save_paths import short
from dsl.boards import read_board
from dsl.diagnostics import Diagnostic, RulesError, has_errors
from dsl.text.files import expanded
from dsl.text.nouns import counted
from dsl.text.span import Source
from interpreter.loading.rules import load_rules

if TYPE_CHECKING:
    from interpreter.authoring.examples.accepting import Accepted


def check(
    files: Annotated[
        list[str], typer.Argument(metavar="FILE…", help="Rules files, names of games, or boards (.json).")
    ],
    variant: Variants = None,
    board: OwnBoard = None,
    accept: Annotated[
        bool, typer.Option("--accept", help="Add to the variant the changes of the game's examples that it needs.")
    ] = False,
    form: Json = "text",
) -> None:
    """Report errors in rules files and boards.

    A variant is checked together with its game, and the examples of the game are run under it; --variant does the same
    for a game. With --board: check that the rules can be played on that board. Exit code 1 if there is an error.

    With --accept, examples of which only values have changed are replaced by ones with the new values, others are
    removed, below a comment that names the change of the variant that breaks them. Each is listed as it was and is.
    """
    json = wants_json(form)
    paths = [expanded(name) if _is_board(name) else rules_file(name) for name in files]
    if board is not None and all(_is_board(path.name) for path in paths):
        raise MisuseError("--board needs a rules file or a game to check with it")
    if variant and all(_is_board(path.name) for path in paths):
        raise MisuseError("--variant needs a rules file or a game to check with it")
    board_path, named = board_file(board), variant or ()
    changes: dict[Path, Sequence[Accepted]] = {}
    if accept:
        for path in dict.fromkeys(path for path in paths if not _is_board(path.name)):
            changes[path] = _accept(path, board_path, named, quiet=json)
    read = _read(list(dict.fromkeys(paths)), board_path, named)
    diagnostics_by_path = {path: diagnostics for path, (diagnostics, _) in read.items()}
    every = [diagnostic for diagnostics in diagnostics_by_path.values() for diagnostic in diagnostics]
    if json:
        entries: list[dict[str, object]] = [
            {"path": str(path), "diagnostics": [document(d) for d in diagnostics_by_path[path]]}
            for path in diagnostics_by_path
        ]
        for entry, path in zip(entries, diagnostics_by_path, strict=True):
            if path in changes:
                entry["accepted"] = [accepted.document(change) for change in changes[path]]
        emit("check", {"files": entries})
    else:
        report(every)
        for _, counted in read.values():
            if counted:
                echo(counted)
        echo(count_line(every, len(diagnostics_by_path)))
    raise Stop(WRONG if has_errors(every) else DONE)


def _read(
    paths: Sequence[Path], board: Path | None, variants: Sequence[str]
) -> dict[Path, tuple[list[Diagnostic], str]]:
    """Collect the diagnostics for each file; if it takes long, show the current file and stage."""
    reports = {}
    with show_progress(Stage()) as stage:
        for number, path in enumerate(paths, start=1):
            begun = partial(stage.begin, f"{path} ({number} of {len(paths)})" if len(paths) > 1 else path)
            begun("reading")
            reports[path] = _board(path) if _is_board(path.name) else _rules(path, board, variants, begun)
    return reports


def _accept(path: Path, board: Path | None, variants: Sequence[str], *, quiet: bool) -> Sequence[Accepted]:
    """Write into a variant the lines for the examples of its game that it breaks, and return what was written.

    Raises MisuseError, OSError.
    """
    # start-up: most checks accept nothing
    from dsl.formatter import canonical
    from dsl.text.replacing import replace_text
    from interpreter.authoring.examples.accepting import accepted as accepted_in
    from interpreter.authoring.examples.accepting import text_with, variant_file

    with show_progress(Stage(f"{path}: accepting")):
        try:
            rules = load_rules(path, examples=True, board=board, variants=variants)
        except RulesError:
            return ()  # the errors are reported by the check
        target = variant_file(rules)
        if target is None:
            raise MisuseError("--accept needs a variant to write to, or a game with one --variant")
        accepted_examples = accepted_in(rules)
    if not accepted_examples:
        return ()
    with target.open("r+b"):  # a read-only file is refused here instead of being replaced
        pass
    old_text = target.read_bytes().decode("utf-8").replace("\r\n", "\n")
    new_text = text_with(old_text, accepted_examples)
    if canonical(Source(target.name, old_text))[0] == old_text:
        new_text = canonical(Source(target.name, new_text))[0] or new_text
    replace_text(target, new_text)
    for line in () if quiet else accepted.lines_of(short(target.absolute()), accepted_examples):
        echo(line)
    return accepted_examples


def _is_board(name: str) -> bool:
    return name.lower().endswith(".json")


def _rules(
    path: Path, board: Path | None, variants: Sequence[str], begun: Callable[[str], None]
) -> tuple[list[Diagnostic], str]:
    """Check rules; also whether they can be played on a board or with variants."""
    try:
        rules = load_rules(path, examples=board is None, board=board, variants=variants, on_stage=begun)
        diagnostics = rules.warnings
        if rules.merged is not None and board is None:
            from interpreter.authoring.examples.suite import (
                failing_in_base,  # start-up: only variants run examples here
            )

            begun("running the examples")
            diagnostics = (*diagnostics, *failing_in_base(rules))
    except RulesError as fault:
        diagnostics = fault.diagnostics
    return [diagnostic for diagnostic in diagnostics if board is None or diagnostic.severity == "error"], ""


def _board(path: Path) -> tuple[list[Diagnostic], str]:
    """Check a board; if it is valid, also summarise its contents."""
    board = read_board(path)
    if isinstance(board, list):
        return board, ""
    entries = list(board.walk())
    edges, faces = sum(bool(entry.ends) for entry in entries), sum(bool(entry.edges) for entry in entries)
    places = len(entries) - edges - faces
    parts = [counted(n, word) for n, word in ((places, "place"), (edges, "edge"), (faces, "face"))]
    return [], f"{path}: {', '.join(parts)}, no errors"
