"""A page in the Firefox that is installed, driven by the protocol that it speaks itself (WebDriver BiDi).

Playwright needs a Firefox of its own making, which no package manager has.
"""

from __future__ import annotations

import json
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from time import monotonic, sleep
from typing import Any

from websockets.sync.client import ClientConnection, connect

NAMES = ("firefox", "firefox-esr")
LISTENING = "WebDriver BiDi listening on "


def found_firefox() -> str | None:
    """The path of a Firefox, or None."""
    return next((path for name in NAMES if (path := shutil.which(name))), None)


class FirefoxTab:
    """A tab with one page, and what went wrong in it."""

    def __init__(self, socket: ClientConnection) -> None:
        self.socket, self.numbers = socket, count(1)
        self.faults: list[str] = []
        self.send("session.new", capabilities={})
        self.send("session.subscribe", events=["log.entryAdded"])
        self.context = self.send("browsingContext.create", type="tab")["context"]

    def send(self, method: str, **parameters: object) -> dict[str, Any]:
        """The result of a command."""
        number = next(self.numbers)
        self.socket.send(json.dumps({"id": number, "method": method, "params": parameters}))
        while (message := json.loads(self.socket.recv(60))).get("id") != number:
            if message.get("method") == "log.entryAdded" and message["params"]["level"] == "error":
                self.faults.append(str(message["params"]["text"]))
        assert message["type"] == "success", message
        result: dict[str, Any] = message["result"]
        return result

    def open(self, address: str) -> None:
        """Open a page, and wait until it is there."""
        self.send("browsingContext.navigate", context=self.context, url=address, wait="complete")

    def ask(self, expression: str) -> Any:
        """The value of an expression in the page: a text, a number, or a truth value."""
        answer = self.send(
            "script.evaluate", expression=expression, target={"context": self.context}, awaitPromise=True
        )
        return answer["result"].get("value")

    def until(self, expression: str) -> None:
        """Wait until an expression is true in the page."""
        end = monotonic() + 60
        while not self.ask(f"Boolean({expression})"):
            assert monotonic() < end, f"{expression} never came true: {self.ask('document.body.innerText')}"
            sleep(0.1)

    def press(self, key: str) -> None:
        """Press a key."""
        actions = [{"type": "keyDown", "value": key}, {"type": "keyUp", "value": key}]
        keyboard = {"type": "key", "id": "keyboard", "actions": actions}
        self.send("input.performActions", context=self.context, actions=[keyboard])


@contextmanager
def opened_firefox(path: str, folder: Path) -> Iterator[FirefoxTab]:
    """A Firefox without a window, with a new profile in a folder, closed at the end."""
    words = [path, "--headless", "--no-remote", "--profile", str(folder), "--remote-debugging-port", "0", "about:blank"]
    process = subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    try:
        assert process.stderr is not None
        said = next(line for line in process.stderr if LISTENING in line)
        with connect(said.partition(LISTENING)[2].strip() + "/session", max_size=None) as socket:
            yield FirefoxTab(socket)
    finally:
        process.kill()
        process.communicate()
