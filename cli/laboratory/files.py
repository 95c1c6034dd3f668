"""Writing a report to files: a page, a folder of charts, tables for other programs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Literal

from cli.arguments import in_writable_folder, output_file
from cli.errors import CommandError, MisuseError
from cli.html.standalone import replaceable_path, write_shared
from cli.laboratory.comparing import Comparison
from cli.laboratory.frames import Frame
from cli.laboratory.inference import EXTRA
from cli.laboratory.page import KIND
from cli.laboratory.report import Report
from cli.laboratory.sweeping import Sweep
from cli.progress import Stage, show_progress
from dsl.text.files import expanded, special_at

CHARTS, PARQUET = ("altair", "vl_convert"), ("polars",)
"""The libraries for charts, and the one for Parquet."""

DRAWING = "drawing charts"

TableFormat = Literal["csv", "parquet", "json"]
FORMS: Mapping[str, TableFormat] = {".csv": "csv", ".parquet": "parquet", ".json": "json"}
"""The formats of tables, by the extension of the file name."""
Result = Report | Sweep | Comparison
"""The results that can be written as a page and as pictures."""


def require(libraries: Sequence[str], purpose: str) -> None:
    """Raise MisuseError, with the command that installs them, if any of these libraries is missing."""
    missing = [name for name in libraries if not _is_installed(name)]
    if missing:
        raise MisuseError(f"{purpose} needs the library {' and '.join(missing)}: {EXTRA}")


def _is_installed(name: str) -> bool:
    try:
        return find_spec(name) is not None
    except ValueError:  # a module without a specification, such as one that a test replaced
        return False


# ---- targets


def html_path(text: str) -> Path:
    """The file to which `--html` writes: a new one, or a page of a report to be replaced.

    Raises MisuseError, CommandError.
    """
    require(CHARTS, "--html")
    return replaceable_path(text, "--html", KIND, "page of a report")


def svg_folder(text: str) -> Path:
    """The folder to which `--svg` writes; only its parent must exist. Raises MisuseError, CommandError."""
    require(CHARTS, "--svg")
    path = expanded(text)
    kind = special_at(path)
    if path.exists() and kind != "a folder":
        raise MisuseError(f"--svg {text} is {kind or 'a file'}, not a folder")
    return path if path.exists() else in_writable_folder(path, "--svg")


def frame_path(text: str, flag: str) -> tuple[Path, TableFormat]:
    """The file to which a flag writes a table, and the format, determined by its extension.

    Raises MisuseError, CommandError.
    """
    path = output_file(text, flag)
    form: TableFormat | None = FORMS.get(path.suffix.lower())
    if form is None:
        raise MisuseError(f"{flag} expects a file called ….csv, ….parquet or ….json, not {text}")
    if form == "parquet":
        require(PARQUET, f"{flag} {text}")
    return in_writable_folder(path, flag), form


# ---- writing


def write_html(result: Result, path: Path) -> int:
    """Write the page of a run, a sweep or a comparison and return its size in bytes.

    Raises CommandError if the file cannot be written.
    """
    from cli.laboratory.page.pages import page_of  # an optional extra, and slow to import

    with show_progress(Stage(DRAWING)):
        text = page_of(result)
    return write_shared(path, text.encode())


def write_svg(result: Result, folder: Path) -> list[Path]:
    """Write each chart of a run, a sweep or a comparison to its own file and return the paths.

    Raises CommandError.
    """
    from cli.laboratory.page.pages import pictures_of  # an optional extra, and slow to import

    with show_progress(Stage(DRAWING)):
        pictures = pictures_of(result)
    try:
        folder.mkdir(exist_ok=True)
    except OSError as fault:
        raise CommandError(f"cannot make {folder}: {(fault.strerror or str(fault)).lower()}") from None
    for name, text in pictures.items():
        write_shared(folder / f"{name}.svg", text.encode())
    return [folder / f"{name}.svg" for name in pictures]


def frame_bytes(frame: Frame, form: TableFormat) -> bytes:
    """A table as the content of a file."""
    if form == "parquet":
        return frame.parquet()
    return (frame.csv() if form == "csv" else frame.json()).encode()


def write_frame(frame: Frame, path: Path, form: TableFormat) -> int:
    """Write a table and return its size in bytes. Raises CommandError if the file cannot be written."""
    return write_shared(path, frame_bytes(frame, form))
