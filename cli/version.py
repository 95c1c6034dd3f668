"""The version of Regelwerk."""

from __future__ import annotations

from importlib.metadata import PackageNotFoundError
from importlib.metadata import version as installed


def version() -> str:
    """The version of the installed package; `unpacked` when run from a folder without being installed."""
    try:
        return installed("regelwerk")
    except PackageNotFoundError:
        return "unpacked"
