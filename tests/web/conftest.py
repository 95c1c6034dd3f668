"""A server in a process of its own, as people start it, and two browsers' worth of pages."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import urllib.error
import urllib.request
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from tests.cli.browser import found_browser
from tests.support.project import ROOT

pytest.importorskip("starlette", reason="the server of tables is the extra `web`")

PATIENCE = 120
"""Seconds that an answer may take to come: far more than it takes, even where others keep all processors busy."""


class Server:
    """`regelwerk serve` with its tables in a folder; it can be killed and started again.

    Its processes import from these folders first.
    """

    def __init__(self, folder: Path, *imported_from: Path) -> None:
        self.folder, self.port, self.imported_from = folder, 0, (*imported_from, ROOT)
        self.process: subprocess.Popen[str] | None = None

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def start(self, *more: str) -> None:
        words = ["-m", "regelwerk.command", "serve", "--port", str(self.port), "--data", "tables.sqlite", *more]
        around = {
            **os.environ,
            "PYTHONPATH": os.pathsep.join(map(str, self.imported_from)),
            "XDG_DATA_HOME": str(self.folder),
        }
        self.process = subprocess.Popen(
            [sys.executable, *words], cwd=self.folder, env=around, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
            text=True, start_new_session=True,
        )  # fmt: skip
        assert self.process.stdout is not None
        said = self.process.stdout.readline()
        match = re.fullmatch(r"http://127\.0\.0\.1:(\d+)/\n", said)
        assert match, said + self.process.stdout.read()
        self.port = int(match[1])
        self.process.stdout.readline()

    def end(self, number: int = signal.SIGKILL) -> str:
        """End the server by a signal; what it has printed since it was started."""
        assert self.process is not None
        self.process.send_signal(number)
        said, _ = self.process.communicate(timeout=PATIENCE)
        return said

    def ask(
        self, path: str, data: object = None, headers: Mapping[str, str] = {}, raw: bytes | None = None
    ) -> tuple[int, Any, Mapping[str, str]]:
        """The status, the content and the headers of an answer; JSON is read."""
        body = raw if raw is not None else None if data is None else json.dumps(data).encode()
        request = urllib.request.Request(self.address + path, data=body, headers=dict(headers))
        try:
            answer = urllib.request.urlopen(request, timeout=PATIENCE)
        except urllib.error.HTTPError as fault:
            answer = fault
        content = answer.read()
        is_json = answer.headers.get_content_type() == "application/json"
        return answer.status, json.loads(content) if is_json else content.decode(), answer.headers

    def table(self, game: str, seats: Mapping[str, str], **more: object) -> dict[str, str]:
        """The links of a new table, by seat."""
        status, answer, _ = self.ask(
            "/api/tables", {"game": game, "seats": dict(seats), **more}, {"Origin": self.address}
        )
        assert status == 200, answer
        return dict(answer["links"])


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    server = Server(tmp_path_factory.mktemp("tables"))
    server.start()
    yield server
    if server.process is not None and server.process.poll() is None:
        server.end()


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    from playwright.sync_api import sync_playwright

    path = found_browser()
    if path is None:
        pytest.skip("there is no Chromium here to open the page in: see docs/dependencies.md")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=["--no-sandbox"])
        yield browser
        browser.close()
