"""An editor for tests: the client of pygls, which we did not write, and what it was told."""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from functools import partial
from pathlib import Path

from lsprotocol import types
from pygls.lsp.client import LanguageClient

PATIENCE = 60
"""Seconds after which a test stops waiting: many times what it takes, on a machine that is busy."""


class Editor:
    """A client that is connected to a server."""

    def __init__(self, client: LanguageClient) -> None:
        self.client = client
        self.diagnostics: dict[str, types.PublishDiagnosticsParams] = {}
        self.messages: list[str] = []
        self.shown: list[str] = []
        self._news = asyncio.Event()
        client.feature(types.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)(partial(self._told))
        client.feature(types.WINDOW_SHOW_MESSAGE)(partial(self._message))

    @property
    def process(self) -> asyncio.subprocess.Process:
        process = self.client._server
        assert process is not None
        return process

    def _message(self, params: types.ShowMessageParams) -> None:
        self.messages.append(params.message)
        self._news.set()

    def open(self, path: Path, text: str | None = None, version: int = 0) -> str:
        uri = path.as_uri()
        item = types.TextDocumentItem(uri, "regelwerk", version, path.read_text("utf-8") if text is None else text)
        self.client.text_document_did_open(types.DidOpenTextDocumentParams(item))
        return uri

    def change(self, uri: str, version: int, *changes: types.TextDocumentContentChangeEvent) -> None:
        identifier = types.VersionedTextDocumentIdentifier(version, uri)
        self.client.text_document_did_change(types.DidChangeTextDocumentParams(identifier, list(changes)))

    def replace(self, uri: str, version: int, text: str) -> None:
        self.change(uri, version, types.TextDocumentContentChangeWholeDocument(text))

    async def until(self, is_so: Callable[[], bool]) -> None:
        """Wait for news that make it so."""
        async with asyncio.timeout(PATIENCE):
            while not is_so():
                self._news.clear()
                await self._news.wait()

    async def checked(self, uri: str, version: int = 0) -> list[types.Diagnostic]:
        """The diagnostics of a version of a text."""
        await self.until(lambda: uri in self.diagnostics and self.diagnostics[uri].version == version)
        return list(self.diagnostics[uri].diagnostics)

    def _told(self, params: types.PublishDiagnosticsParams) -> None:
        self.diagnostics[params.uri] = params
        self._news.set()


@asynccontextmanager
async def editor(
    folder: Path,
    encoding: types.PositionEncodingKind = types.PositionEncodingKind.Utf16,
    commands: tuple[str, ...] = (),
    coverage: bool = False,
) -> AsyncIterator[Editor]:
    """A server with an editor; both end with the block."""
    client = LanguageClient("tests", "1")
    await client.start_io(sys.executable, "-m", "regelwerk.command", "lsp")
    connected = Editor(client)
    try:
        await answered(
            client.initialize_async(
                types.InitializeParams(
                    types.ClientCapabilities(
                        general=types.GeneralClientCapabilities(position_encodings=[encoding]),
                        text_document=types.TextDocumentClientCapabilities(
                            completion=types.CompletionClientCapabilities(
                                completion_item=types.ClientCompletionItemOptions(snippet_support=True)
                            )
                        ),
                    ),
                    process_id=os.getpid(),
                    root_uri=folder.as_uri(),
                    initialization_options={"commands": list(commands), "coverage": coverage},
                )
            )
        )
        client.initialized(types.InitializedParams())
        yield connected
        await answered(client.shutdown_async(None))
        client.exit(None)
        await asyncio.wait_for(connected.process.wait(), PATIENCE)
    finally:
        with suppress(ProcessLookupError):
            connected.process.kill()
        await client.stop()


async def answered(request: Awaitable[object]) -> object:
    """The answer to a request."""
    return await asyncio.wait_for(request, PATIENCE)
