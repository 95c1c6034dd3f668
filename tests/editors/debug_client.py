"""A client of the debug adapter, for tests: sends requests and collects events."""

from __future__ import annotations

import json
import os
import queue
import subprocess
import sys
import threading
from collections.abc import Mapping
from typing import IO, Any

from editors.dap.server import Adapter
from tests.support.project import ROOT

PATIENCE = 60
"""Seconds after which a missing answer fails a test."""

COMMAND = (sys.executable, "-m", "regelwerk.command", "dap")


class RefusedError(Exception):
    """A request that the adapter refused."""


class DebugClient:
    """A client of an adapter, which runs in a thread; `DebuggerProcess` starts it as editors do, which takes longer."""

    def __init__(self) -> None:
        self.reading: IO[bytes]
        self.writing: IO[bytes]
        self._connect()
        self.sent = 0
        self.events: list[dict[str, Any]] = []
        self._messages: queue.Queue[dict[str, Any] | None] = queue.Queue()
        threading.Thread(target=self._read, daemon=True).start()

    def _connect(self) -> None:
        (adapter_reads, client_writes), (client_reads, adapter_writes) = os.pipe(), os.pipe()
        self.writing, self.reading = os.fdopen(client_writes, "wb"), os.fdopen(client_reads, "rb")
        self._adapter_streams = os.fdopen(adapter_reads, "rb"), os.fdopen(adapter_writes, "wb")
        self._adapter = threading.Thread(target=Adapter(*self._adapter_streams).serve, daemon=True)
        self._adapter.start()

    def __enter__(self) -> DebugClient:
        return self

    def __exit__(self, *_: object) -> None:
        self.writing.close()
        self._adapter.join(PATIENCE)
        for stream in (*self._adapter_streams, self.reading):
            stream.close()

    def _read(self) -> None:
        try:
            while (length := self.reading.readline()).lower().startswith(b"content-length:"):
                self.reading.readline()
                self._messages.put(json.loads(self.reading.read(int(length.split(b":")[1]))))
        except ValueError:  # closed at the end of a test
            pass
        self._messages.put(None)

    def write(self, raw: bytes) -> None:
        """Send bytes as they are."""
        self.writing.write(raw)
        self.writing.flush()

    def send(self, command: str, arguments: Mapping[str, object]) -> int:
        """Send a request and return its number."""
        self.sent += 1
        request = {"seq": self.sent, "type": "request", "command": command, "arguments": arguments}
        content = json.dumps(request).encode()
        self.write(b"Content-Length: %d\r\n\r\n%s" % (len(content), content))
        return self.sent

    def _next(self) -> dict[str, Any]:
        message = self._messages.get(timeout=PATIENCE)
        assert message is not None, "the adapter has ended"
        return message

    def ask(self, command: str, **arguments: object) -> dict[str, Any]:
        """Send a request and wait for its answer. Raises RefusedError."""
        number = self.send(command, arguments)
        while True:
            message = self._next()
            if message["type"] == "response" and message["request_seq"] == number:
                if not message["success"]:
                    raise RefusedError(message["message"])
                body: dict[str, Any] = message["body"]
                return body
            self.events.append(message)

    def wait(self, name: str) -> dict[str, Any]:
        """Wait for an event, which is then forgotten."""
        for index, event in enumerate(self.events):
            if event.get("event") == name:
                body: dict[str, Any] = self.events.pop(index)["body"]
                return body
        while (message := self._next())["type"] != "event" or message["event"] != name:
            self.events.append(message)
        awaited: dict[str, Any] = message["body"]
        return awaited

    def launch(self, **arguments: object) -> None:
        """Begin a session, up to the breakpoints."""
        self.ask("initialize", adapterID="regelwerk")
        self.ask("launch", **arguments)
        self.wait("initialized")

    def stop(self, command: str) -> dict[str, Any]:
        """Send a request that makes the debugger go on, and wait until it stops."""
        self.ask(command, threadId=1)
        return self.wait("stopped")

    def frames(self) -> list[tuple[str, int]]:
        """The call stack: names and lines."""
        frames = self.ask("stackTrace", threadId=1)["stackFrames"]
        return [(frame["name"], frame["line"]) for frame in frames]

    def console(self, line: str) -> str:
        """What the console answers."""
        result: str = self.ask("evaluate", expression=line, context="repl")["result"]
        return result

    def values(self, scope: str) -> dict[str, str]:
        """The values in a scope."""
        scopes = {one["name"]: one["variablesReference"] for one in self.ask("scopes", frameId=1)["scopes"]}
        listed = self.ask("variables", variablesReference=scopes[scope])["variables"]
        return {one["name"]: one["value"] for one in listed}


class DebuggerProcess(DebugClient):
    """A client with a process of the adapter."""

    def _connect(self) -> None:
        self.process = subprocess.Popen(COMMAND, stdin=subprocess.PIPE, stdout=subprocess.PIPE, cwd=ROOT)
        assert self.process.stdin is not None and self.process.stdout is not None
        self.writing, self.reading = self.process.stdin, self.process.stdout

    def __exit__(self, *_: object) -> None:
        self.process.kill()
        self.process.wait()
        self.reading.close()
        self.writing.close()
