"""A picture of a section of a page, for the documentation.

`python -m tests.support.page_picture page.html who-wins page.png`, with the fragment that a link to the section has.
"""

from __future__ import annotations

import sys
from pathlib import Path

from tests.cli.browser import found_browser, opened_browser

WIDTH, HEIGHT = 960, 640
"""The size of the picture, in pixels."""


def page_picture(page: Path, section: str, picture: Path) -> None:
    """Open a page in Chromium, in light mode, and save what is seen from the beginning of a section."""
    path = found_browser()
    assert path is not None, "Chromium is not installed"
    with opened_browser(path) as tab:
        tab.screen(WIDTH, HEIGHT)
        tab.open(page, f"#{section}")
        tab.page.wait_for_selector("figure svg")
        tab.page.wait_for_timeout(1000)  # until all charts have their size
        tab.page.screenshot(path=picture)


if __name__ == "__main__":
    source, fragment, target = sys.argv[1:]
    page_picture(Path(source), fragment, Path(target))
