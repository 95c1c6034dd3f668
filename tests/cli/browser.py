"""A real Chromium without a window, driven over a pipe by its DevTools protocol: keys, clicks, what a page shows."""

from __future__ import annotations

import base64
import json
import os
import select
import shutil
import subprocess
import tempfile
from pathlib import Path
from typing import Any

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
FLAGS = (
    "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--no-default-browser-check",
    "--disable-background-networking", "--disable-component-update", "--disable-sync", "--disable-extensions",
    "--disable-dev-shm-usage", "--hide-scrollbars", "--remote-debugging-pipe",
)  # fmt: skip
CODES = {"Enter": 13, "Escape": 27, "Backspace": 8, "Home": 36, "End": 35, "ArrowLeft": 37, "ArrowUp": 38}
CODES |= {"ArrowRight": 39, "ArrowDown": 40}
LOADED = "new Promise(done => document.readyState === 'complete' ? done() : addEventListener('load', done))"
PATIENCE = 60
READS, WRITES = 3, 4
"""The file descriptors on which Chromium reads commands and writes answers."""


def found_browser() -> str | None:
    """The path of a Chromium, or None."""
    return next((path for name in NAMES if (path := shutil.which(name))), None)


class Browser:
    """One browser with one page."""

    def __init__(self, path: str) -> None:
        self.profile = tempfile.mkdtemp(prefix="chromium-")
        theirs_in, self.out = os.pipe()
        self.inp, theirs_out = os.pipe()

        def connect() -> None:
            one, other = os.dup(theirs_in), os.dup(theirs_out)  # out of the way of the two numbers
            os.dup2(one, READS)
            os.dup2(other, WRITES)

        self.process = subprocess.Popen(
            [path, *FLAGS, f"--user-data-dir={self.profile}", "about:blank"],
            preexec_fn=connect, close_fds=False, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL, start_new_session=True,
        )  # fmt: skip
        os.close(theirs_in)
        os.close(theirs_out)
        self.read, self.last, self.session = b"", 0, ""
        self.faults: list[str] = []
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self.session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.call(f"{domain}.enable")

    def __enter__(self) -> Browser:
        return self

    def __exit__(self, *_: object) -> None:
        try:
            self.session = ""
            self.call("Browser.close")
        except (OSError, EOFError, AssertionError):
            pass
        os.close(self.out)
        os.close(self.inp)
        try:
            self.process.wait(20)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        shutil.rmtree(self.profile, ignore_errors=True)

    # ---- the protocol

    def call(self, method: str, **parameters: Any) -> dict[str, Any]:
        """One command and its answer."""
        self.last += 1
        message: dict[str, Any] = {"id": self.last, "method": method, "params": parameters}
        if self.session:
            message["sessionId"] = self.session
        data = json.dumps(message).encode() + b"\0"
        while data:
            data = data[os.write(self.out, data) :]
        while (answer := self._next()).get("id") != self.last:
            self._told(answer)
        if "error" in answer:
            raise AssertionError(f"{method}: {answer['error']}")
        result: dict[str, Any] = answer["result"]
        return result

    def _next(self) -> dict[str, Any]:
        while b"\0" not in self.read:
            if not select.select([self.inp], [], [], PATIENCE)[0]:
                raise AssertionError(f"the browser says nothing for {PATIENCE} seconds")
            more = os.read(self.inp, 1 << 20)
            if not more:
                raise EOFError("the browser has gone")
            self.read += more
        text, _, self.read = self.read.partition(b"\0")
        message: dict[str, Any] = json.loads(text)
        return message

    def _told(self, event: dict[str, Any]) -> None:
        """Keep what went wrong in the page, and whatever it wanted from elsewhere."""
        match event.get("method"):
            case "Runtime.exceptionThrown":
                self.faults.append(str(event["params"]["exceptionDetails"].get("exception", event["params"])))
            case "Log.entryAdded":
                self.faults.append(str(event["params"]["entry"]["text"]))
            case "Network.requestWillBeSent":
                url = event["params"]["request"]["url"]
                if not url.startswith(("file:", "about:", "data:")):
                    self.faults.append(f"asks for {url}")

    # ---- what a person does

    def open(self, path: Path, fragment: str = "") -> None:
        """Open a page from its file, anew."""
        self.call("Page.navigate", url="about:blank")
        self.call("Page.navigate", url=path.absolute().as_uri() + fragment)
        self.call(
            "Runtime.evaluate",
            expression=LOADED,
            awaitPromise=True,
        )

    def press(self, *keys: str) -> None:
        """Press keys one after the other: characters, or names such as Enter."""
        for key in keys:
            named = len(key) > 1
            text = {"Enter": "\r"}.get(key, "" if named else key)
            code = CODES.get(key, ord(key[0].upper()) if key.isalnum() else 0)
            parts = {"key": key, "windowsVirtualKeyCode": code}
            self.call("Input.dispatchKeyEvent", type="keyDown" if text else "rawKeyDown", text=text, **parts)
            self.call("Input.dispatchKeyEvent", type="keyUp", **parts)

    def click(self, selector: str) -> None:
        """Click on the middle of the first element a selector finds."""
        spot = self.ask(
            f"(e => {{ e.scrollIntoView({{block: 'center'}}); const r = e.getBoundingClientRect();"
            f" return [r.x + Math.min(r.width, 40) / 2, r.y + r.height / 2]; }})(document.querySelector({selector!r}))"
        )
        for kind in ("mousePressed", "mouseReleased"):
            self.call("Input.dispatchMouseEvent", type=kind, x=spot[0], y=spot[1], button="left", clickCount=1)

    def ask(self, expression: str) -> Any:
        """The value of an expression in the page."""
        answer = self.call("Runtime.evaluate", expression=expression, returnByValue=True)
        if "exceptionDetails" in answer:
            raise AssertionError(f"{expression}: {answer['exceptionDetails']}")
        return answer["result"].get("value")

    def text(self, selector: str) -> str:
        """What an element says, as one sees it."""
        return str(self.ask(f"document.querySelector({selector!r}).innerText"))

    @property
    def at(self) -> str:
        """The event that is shown, as `decision.number`."""
        return str(self.ask("document.body.dataset.at"))

    def screen(self, width: int, height: int, *, dark: bool = False, phone: bool = False) -> None:
        """Look at the page on another screen."""
        self.call(
            "Emulation.setDeviceMetricsOverride",
            width=width, height=height, deviceScaleFactor=2 if phone else 1, mobile=phone,
        )  # fmt: skip
        scheme = {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}
        self.call("Emulation.setEmulatedMedia", features=[scheme])

    def picture(self, path: Path) -> None:
        """What one sees, as a PNG file."""
        path.write_bytes(base64.b64decode(self.call("Page.captureScreenshot", format="png")["data"]))
