"""One-line descriptions of exceptions in bots, whose code may be third-party."""

from __future__ import annotations

from pathlib import Path
from traceback import extract_tb

from dsl.text.visible import brief


def described_failure(fault: BaseException) -> str:
    """The kind of an exception, its message, and the line where it was raised."""
    frames = extract_tb(fault.__traceback__)
    where = f" ({Path(frames[-1].filename).name}:{frames[-1].lineno})" if frames else ""
    message = " ".join(str(fault).split())
    return f"{type(fault).__name__}{f': {brief(message)}' if message else ''}{where}"
