"""The website as a folder of files that any web server can host."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TypeAlias

from website.pages import written_pages
from website.places import PLAYGROUND

HERE = Path(__file__).parent
BUILT = HERE / "build"

COLOUR = re.compile(r"\x1b\[[\d;]*m")

REST = "*"
"""In the navigation, all documents that it does not name."""

Entry: TypeAlias = "str | dict[str, str | Navigation]"
Navigation: TypeAlias = list[Entry]


class WebsiteError(Exception):
    """Raised if there is a warning, such as a link that leads nowhere; says all of them."""


def build(folder: Path, playground: Path | None) -> Path:
    """Build the website in a folder, which is emptied, with a playground that is built; the folder of the site.

    Raises WebsiteError.
    """
    shutil.rmtree(folder, ignore_errors=True)
    site = rendered(folder, written_pages(folder / "pages"))
    if playground is not None:
        shutil.copytree(playground, site / PLAYGROUND)
    return site


def rendered(folder: Path, documents: Sequence[str]) -> Path:
    """The site that is made of the pages in a folder; these documents are in its navigation. Raises WebsiteError."""
    shutil.copy(HERE / "style.css", folder / "pages")
    settings = tomllib.loads((HERE / "zensical.toml").read_text("utf-8"))["project"]
    settings["nav"] = expanded(settings["nav"], documents)
    (folder / "zensical.toml").write_text(f"project = {toml(settings)}\n", encoding="utf-8")
    words = [sys.executable, "-m", "zensical", "build", "--strict"]
    done = subprocess.run(words, cwd=folder, capture_output=True, text=True, check=False)
    if done.returncode:
        raise WebsiteError(COLOUR.sub("", done.stdout + done.stderr.partition("Traceback")[0]))
    return folder / str(settings["site_dir"])


def expanded(navigation: Navigation, documents: Sequence[str]) -> Navigation:
    """The navigation with the pages that its patterns stand for.

    A page that is not there is left out, as is a section without pages; one that is not named appears at `*`.
    """
    patterns = [*_patterns(navigation)]
    left = [page for page in documents if not any(_is_meant(page, pattern) for pattern in patterns)]

    def entries(items: Navigation) -> Iterator[Entry]:
        for item in items:
            if isinstance(item, str):
                yield from (
                    left if item == REST else _grouped([page for page in documents if _is_meant(page, item)], item)
                )
                continue
            ((title, inside),) = item.items()
            if isinstance(inside, str):
                yield item
            elif section := [*entries(inside)]:
                yield {title: section}

    return [*entries(navigation)]


def _grouped(pages: Sequence[str], pattern: str) -> Iterator[Entry]:
    """Pages that a pattern stands for; those in folders below it are sections."""
    sections: dict[str, Navigation] = {}
    for page in pages:
        folder, inside, _ = page.removeprefix(pattern).partition("/")
        if not inside:
            yield page
        else:
            sections.setdefault(folder.replace("_", " ").capitalize(), []).append(page)
    for title, section in sections.items():
        yield {title: section}


def _patterns(navigation: Navigation) -> Iterator[str]:
    for item in navigation:
        for inside in [item] if isinstance(item, str) else item.values():
            if isinstance(inside, str):
                yield inside
            else:
                yield from _patterns(inside)


def _is_meant(page: str, pattern: str) -> bool:
    return page.startswith(pattern) if pattern.endswith("/") else page == pattern


def toml(value: object) -> str:
    """A value of TOML on one line."""
    if isinstance(value, dict):
        return "{ " + ", ".join(f"{json.dumps(key)} = {toml(item)}" for key, item in value.items()) + " }"
    return f"[{', '.join(map(toml, value))}]" if isinstance(value, list) else json.dumps(value)
