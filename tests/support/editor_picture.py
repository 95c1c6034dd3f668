"""A picture of the extension for Visual Studio Code, for the documentation.

`python -m tests.support.editor_picture http://127.0.0.1:8080/?folder=/path/of/regelwerk docs/pictures/editor.png`, with
the address of a code-server in which the extension is installed (docs/editors.md says how).
"""

from __future__ import annotations

import sys
from pathlib import Path

from playwright.sync_api import Page

from tests.cli.browser import found_browser, opened_browser
from tests.support.project import ROOT

WIDTH, HEIGHT = 1280, 800
"""The size of the picture, in pixels."""

FILE, WORDS, CHOSEN = "chinesische_mauer.rules", "if not only_riders_left", "Zones"
"""What is debugged, the beginning of the line that has the breakpoint, and the values that are shown."""

PATIENCE_MS = 120_000


def editor_picture(address: str, picture: Path) -> None:
    """Debug a game of bots up to a breakpoint, and save what the editor shows then."""
    path = found_browser()
    assert path is not None, "Chromium is not installed"
    with opened_browser(path) as tab:
        tab.screen(WIDTH, HEIGHT)
        page = tab.page
        page.set_default_timeout(PATIENCE_MS)
        page.goto(address)
        page.locator(".explorer-folders-view .monaco-list-row").first.wait_for()
        _ask(page, "Control+P", FILE)
        page.locator(".codelens-decoration a").first.wait_for(state="attached")
        _ask(page, "Control+G", f":{_line()}")
        page.keyboard.press("F9")
        page.keyboard.press("F5")
        page.locator(".debug-toolbar").wait_for()
        page.locator(".debug-call-stack .stack-frame").first.wait_for()
        page.keyboard.press("F5")
        page.locator(".debug-call-stack .stack-frame", has_text="step").first.wait_for()
        page.locator(".debug-variables .scope", has_text=CHOSEN).first.click()
        page.wait_for_timeout(2000)  # until the values are there
        page.screenshot(path=picture)
        page.keyboard.press("Shift+F5")
        page.keyboard.press("F9")


def _line() -> int:
    lines = (ROOT / "games" / FILE).read_text("utf-8").splitlines()
    return next(number for number, line in enumerate(lines, 1) if line.strip().startswith(WORDS))


def _ask(page: Page, keys: str, text: str) -> None:
    """Choose the first thing that the editor offers for a text."""
    page.keyboard.press(keys)
    page.locator(".quick-input-widget input").first.fill(text)
    page.locator(".quick-input-list .monaco-list-row").first.wait_for()
    page.wait_for_timeout(1000)  # until the list is that of the text
    page.keyboard.press("Enter")


if __name__ == "__main__":
    editor_picture(sys.argv[1], Path(sys.argv[2]))
