"""Where the project is."""

from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]

BUILT = (
    "web/playground/node_modules", "web/playground/dist", "web/playground/public", "web/playground/generated",
    "editors/vscode/node_modules", "editors/vscode/dist", "website/build",
)  # fmt: skip
"""Folders of what is fetched and built, which is nobody's source."""


def written(folder: str) -> list[Path]:
    """The files of a folder that people have written."""
    built = [ROOT / name for name in BUILT]
    return sorted(path for path in (ROOT / folder).rglob("*") if not any(map(path.is_relative_to, built)))
