"""`test PATH…`: run the examples that stand in rules files."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from cli.arguments import Json, OwnBoard, board_file, rules_file, wants_json
from cli.faults import DONE, WRONG, Stop

if TYPE_CHECKING:
    from interpreter.examples import ExampleResult


def test(
    paths: Annotated[
        list[str], typer.Argument(metavar="PATH…", help="Rules files, folders of them, or names of games.")
    ],
    board: OwnBoard = None,
    form: Json = "text",
) -> None:
    """Run the examples of rules files. A failure shows what was expected and what came; exit code 1 if there is one."""
    json = wants_json(form)
    from interpreter.examples import run_examples

    results = {path: list(run_examples(path, board=board_file(board))) for name in paths for path in _files(name)}
    every = [result for one in results.values() for result in one]
    if json:
        from cli.machine import emit

        entries = [{"path": str(path), "examples": [_document(one) for one in results[path]]} for path in results]
        emit("test", {"files": entries, "passed": _passed(every), "failed": len(every) - _passed(every)})
    else:
        for result in every:
            if not result.passed:
                typer.echo(_failure(result))
        typer.echo(_summary(every, len(results)))
    raise Stop(DONE if _passed(every) == len(every) else WRONG)


def _files(name: str) -> list[Path]:
    """The rules files a word means: the games of a folder, or the one file; companions come with their games."""
    folder = Path(name)
    if not folder.is_dir():
        return [rules_file(name)]
    return sorted(path for path in folder.glob("*.rules") if not path.name.endswith(".examples.rules"))


def _passed(results: Sequence[ExampleResult]) -> int:
    return sum(1 for result in results if result.passed)


def _failure(result: ExampleResult) -> str:
    cites = f" [{' '.join(result.cites)}]" if result.cites else ""
    lines = [f'FAILED "{result.title}"{cites}', f"  {result.place}"]
    lines += [f"    {line}" for failure in result.failures for line in failure.splitlines()]
    return "\n".join(lines) + "\n"


def _summary(results: Sequence[ExampleResult], files: int) -> str:
    where = "1 file" if files == 1 else f"{files} files"
    if not results:
        return f"no examples in {where}"
    failed = len(results) - _passed(results)
    words = f"{_passed(results)} of {len(results)} examples passed in {where}"
    return f"{words}, {failed} failed" if failed else words


def _document(result: ExampleResult) -> dict[str, Any]:
    return {
        "title": result.title,
        "cites": list(result.cites),
        "place": result.place,
        "passed": result.passed,
        "failures": list(result.failures),
    }
