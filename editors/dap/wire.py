"""Messages of the Debug Adapter Protocol on two streams: framing, requests, responses and events.

A message is JSON after a header with its length, as https://microsoft.github.io/debug-adapter-protocol/overview
describes it. What is no such message is skipped and reported: a client that sends one broken message goes on.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Mapping
from dataclasses import field
from typing import BinaryIO

from dsl.lazy_dataclasses import dataclass

MAX_MESSAGE_BYTES = 16_000_000
"""Maximum size of a message; a client that announces a longer one is not read any further."""

MAX_HEADER_BYTES = 4_000

LENGTH_HEADER = b"content-length:"


@dataclass(frozen=True)
class Request:
    """A request of the client; `arguments` are not checked yet."""

    number: int
    command: str
    arguments: Mapping[str, object] = field(default_factory=dict)


class BrokenMessageError(Exception):
    """Something that is no message; the next one can be read."""


class Wire:
    """Both directions of a connection. Messages may be written by several threads."""

    def __init__(self, reading: BinaryIO, writing: BinaryIO) -> None:
        self._reading, self._writing = reading, writing
        self._lock, self._sent = threading.Lock(), 0

    # ------------------------------------------------------------ reading

    def read(self) -> Request | None:
        """The next request; None at the end of the stream. Raises BrokenMessageError."""
        length: int | None = None
        while (line := self._reading.readline(MAX_HEADER_BYTES)).strip():
            if line.lower().startswith(LENGTH_HEADER):
                digits = line[len(LENGTH_HEADER) :].strip()
                length = int(digits) if digits.isdigit() and len(digits) < len(str(MAX_MESSAGE_BYTES)) + 1 else None
        if not line:
            return None
        if length is None:
            raise BrokenMessageError("a message begins with its length: Content-Length: 119")
        if length > MAX_MESSAGE_BYTES:
            return None
        content = self._reading.read(length)
        return None if len(content) < length else request_in(content)

    # ------------------------------------------------------------ writing

    def respond(self, request: Request, body: Mapping[str, object] | None = None) -> None:
        """Answer a request."""
        self._send({"type": "response", "success": True, **_answering(request), "body": dict(body or {})})

    def refuse(self, request: Request, message: str) -> None:
        """Answer a request that cannot be met, with the reason as the user reads it."""
        error = {"error": {"id": 1, "format": message.replace("{", "{{").replace("}", "}}"), "showUser": True}}
        self._send({"type": "response", "success": False, **_answering(request), "message": message, "body": error})

    def event(self, name: str, body: Mapping[str, object] | None = None) -> None:
        """Tell the client that something happened."""
        self._send({"type": "event", "event": name, "body": dict(body or {})})

    def _send(self, message: dict[str, object]) -> None:
        with self._lock:
            self._sent += 1
            content = json.dumps({"seq": self._sent, **message}).encode()
            self._writing.write(b"Content-Length: %d\r\n\r\n%s" % (len(content), content))
            self._writing.flush()


def _answering(request: Request) -> dict[str, object]:
    return {"request_seq": request.number, "command": request.command}


def request_in(content: bytes) -> Request:
    """The request in the content of a message. Raises BrokenMessageError."""
    try:
        message = json.loads(content)
    except (ValueError, RecursionError) as fault:
        raise BrokenMessageError("a message is JSON") from fault
    if not isinstance(message, dict) or message.get("type") != "request":
        raise BrokenMessageError("only requests are expected")
    number, command, arguments = message.get("seq"), message.get("command"), message.get("arguments") or {}
    if not isinstance(number, int) or not isinstance(command, str) or not isinstance(arguments, dict):
        raise BrokenMessageError("a request has a number, a command and arguments")
    return Request(number, command, arguments)
