"""A page in the Chromium that is installed, driven by Playwright: keys, clicks, and what the page shows."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, Page, Request, sync_playwright

NAMES = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
"""The first one is Chromium without all that is around a page: it takes three fifths of the processor time."""


def found_browser() -> str | None:
    """The path of a Chromium, or None."""
    return next((path for name in NAMES if (path := shutil.which(name))), None)


class Tab:
    """One page at a time, on a screen that can be changed."""

    def __init__(self, browser: Browser) -> None:
        self.browser = browser
        self.faults: list[str] = []
        """What went wrong in the page, and requests for anything outside it."""
        self.page: Page
        self._screen: tuple[int, int, bool, bool] | None = None
        self.screen(1280, 800)

    def screen(self, width: int, height: int, *, dark: bool = False, phone: bool = False) -> None:
        """Look at an empty page on a screen; on the same as before in the same tab, as a new one takes half a second.

        No page keeps anything for the next: none stores data.
        """
        asked = (width, height, dark, phone)
        if self._screen == asked:
            self.page.goto("about:blank")
            self.page.emulate_media(media="null", color_scheme="dark" if dark else "light")
            return
        self._screen = asked
        for context in self.browser.contexts:
            context.close()
        self.page = self.browser.new_page(
            viewport={"width": width, "height": height}, device_scale_factor=2 if phone else 1, is_mobile=phone,
            color_scheme="dark" if dark else "light",
        )  # fmt: skip
        self.page.on("pageerror", lambda error: self.faults.append(str(error)))
        self.page.on("console", lambda message: self.faults.append(message.text))
        self.page.on("request", self._requested)

    def _requested(self, request: Request) -> None:
        if not request.url.startswith(("file:", "about:", "data:")):
            self.faults.append(f"requests {request.url}")

    def open(self, path: Path, fragment: str = "") -> None:
        """Open a page from its file, anew."""
        self.page.goto("about:blank")
        self.page.goto(path.absolute().as_uri() + fragment)

    def press(self, *keys: str) -> None:
        """Press keys one after the other: characters, or names such as Enter."""
        for key in keys:
            self.page.keyboard.press(key)

    def click(self, selector: str) -> None:
        """Click on the first element a selector finds."""
        self.page.click(selector)

    def ask(self, expression: str) -> Any:
        """The value of an expression in the page."""
        return self.page.evaluate(expression)

    def text(self, selector: str) -> str:
        """What an element says, as one sees it."""
        return self.page.inner_text(selector)

    @property
    def at(self) -> str:
        """The event that is shown, as `decision.number`."""
        return str(self.ask("document.body.dataset.at"))


@contextmanager
def opened_browser(path: str) -> Iterator[Tab]:
    """A browser without a window, closed at the end."""
    with sync_playwright() as playwright:
        yield Tab(playwright.chromium.launch(executable_path=path))
