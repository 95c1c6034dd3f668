"""Which Regelwerk this is."""

from __future__ import annotations


def version() -> str:
    """The version of the installed package; `unpacked` when it runs from a folder without being installed."""
    from importlib.metadata import PackageNotFoundError
    from importlib.metadata import version as installed

    try:
        return installed("regelwerk")
    except PackageNotFoundError:
        return "unpacked"
