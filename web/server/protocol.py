"""HTTP for strangers: a connection that asks for nothing is closed, as each one costs an open file."""

from __future__ import annotations

import asyncio

from uvicorn.protocols.http.h11_impl import H11Protocol

REQUEST_SECONDS = 10.0
"""Seconds within which the first request of a connection has to arrive."""


class PromptProtocol(H11Protocol):
    """HTTP of the server library, which waits for the first request for ever."""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """See `asyncio.Protocol`."""
        super().connection_made(transport)
        self.loop.call_later(REQUEST_SECONDS, self._hurry)

    def _hurry(self) -> None:
        if self.cycle is None and self.transport.get_protocol() is self:
            self.transport.close()
