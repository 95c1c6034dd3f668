"""The server: pages, the lobby, and a WebSocket for each page at a table.

Nobody gets in: pages load nothing from elsewhere and no script but ours (`POLICY`); a WebSocket is opened only by a
page of this server (`_is_own`); requests that name another host are refused, so that a page of a stranger cannot use a
name that points here; secrets travel in the fragment of a link and in messages, never in an address that is logged; and
everything that comes in is checked for its size, its form and its rate first.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from contextlib import asynccontextmanager, suppress
from importlib.resources import files
from time import monotonic
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.middleware.trustedhost import TrustedHostMiddleware
from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route, WebSocketRoute
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from starlette.websockets import WebSocket, WebSocketDisconnect

from dsl.text.visible import brief
from interpreter.errors import RegelwerkError, RulesError, UsageError
from interpreter.loading.game_library import game_named
from interpreter.opponents.specs import NORMAL
from interpreter.play.saves.tables import SPECTATOR
from web import messages
from web.clock import TimeLimit
from web.server import lobby
from web.server.hall import MAX_NAME, Connection, Hall, NewTable, OpenTable, TracePage, encoded
from web.server.store import Store

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
TRACE_POLICY = (
    "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; "
    "frame-ancestors 'none'"
)
"""Of the page of a trace, which has its script and its style in it, and a policy that allows these alone."""
TRACE_COOKIE, SPECTATOR_ADDRESS = "seat", "*"
HEADERS = {
    "Content-Security-Policy": POLICY,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cache-Control": "no-store",
}
TYPES = {".html": "text/html", ".js": "text/javascript", ".css": "text/css", ".svg": "image/svg+xml"}

JOIN_SECONDS = 10.0
"""Seconds that a page has to say who it is."""

MESSAGES_PER_SECOND, MAX_AT_ONCE = 20.0, 60.0
"""How many messages a page may send on average, and at once."""

MAX_BODY_BYTES = 16_384
MAX_VARIANTS = 20
BODY_SECONDS = 10.0
"""Seconds within which a request has to arrive in full."""
CLOSE_REFUSED, CLOSE_TOO_FAST, CLOSE_TOO_SLOW = 4403, 4429, 4408
"""Codes with which a WebSocket is closed: no such seat, too many messages, too many unread ones."""


class WantedClock(BaseModel):
    """A limit of time as the lobby asks for it; see `TimeLimit`."""

    model_config = ConfigDict(extra="forbid")

    per: Literal["move", "game"]
    seconds: Annotated[int, Field(ge=5, le=1_000_000)]
    increment: Annotated[int, Field(ge=0, le=10_000)] = 0
    stand_in: Annotated[str, Field(max_length=60)] = NORMAL
    hands_over: bool = False


class WantedTable(BaseModel):
    """A table as the lobby asks for it."""

    model_config = ConfigDict(extra="forbid")

    game: Annotated[str, Field(max_length=100)]
    seats: Annotated[dict[str, Annotated[str, Field(max_length=60)]], Field(min_length=1, max_length=20)]
    names: Annotated[dict[str, Annotated[str, Field(max_length=MAX_NAME)]], Field(max_length=20)] = {}
    options: Annotated[dict[str, Annotated[str, Field(max_length=100)]], Field(max_length=50)] = {}
    variants: Annotated[list[Annotated[str, Field(max_length=100)]], Field(max_length=MAX_VARIANTS)] = []
    clock: WantedClock | None = None
    board: Annotated[str, Field(max_length=100)] = ""


def application(store: Store, hosts: Sequence[str], keep: float = 0, trace_page: TracePage | None = None) -> Starlette:
    """The server as an ASGI application; it answers to the names of `hosts` alone, to any if there is a `*`.

    Tables that are over, or were never begun, are kept for `keep` seconds; for 0 always.
    """
    hall = Hall(store, keep, trace_page=trace_page)

    @asynccontextmanager
    async def life(_: Starlette) -> AsyncIterator[None]:
        repeated = hall.begin()
        yield
        for task in repeated:
            task.cancel()
        await hall.close()

    app = Starlette(
        routes=[
            Route("/", _page("lobby.html")),
            Route("/table/{table}", _page("table.html")),
            Route("/table/{table}/trace/{seat}", _trace),
            Route("/page/{name}", _part),
            Route("/api/lobby", _lobby),
            Route("/api/games", _games),
            Route("/api/games/{name}", _game),
            Route("/api/tables", _new_table, methods=["POST"]),
            Route("/api/tables/{table}/save", _save),
            Route("/api/tables/{table}/trace", _allow_trace, methods=["POST"]),
            WebSocketRoute("/api/tables/{table}/socket", _socket),
        ],
        middleware=[Middleware(TrustedHostMiddleware, allowed_hosts=list(hosts)), Middleware(Guard)],
        lifespan=life,
    )
    app.state.hall = hall
    return app


class Guard:
    """Adds the headers that protect pages to every response."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """See ASGI."""

        async def guarded(message: Message) -> None:
            if message["type"] == "http.response.start":
                names_set = {name for name, _ in message["headers"]}
                general = ((name.lower().encode(), value.encode()) for name, value in HEADERS.items())
                message["headers"] += [(name, value) for name, value in general if name not in names_set]
            await send(message)

        await self.app(scope, receive, guarded)


def _hall(request: Request | WebSocket) -> Hall:
    hall = request.app.state.hall
    assert isinstance(hall, Hall)
    return hall


def _refused(reason: str, code: int = 400) -> JSONResponse:
    return JSONResponse({"reason": reason}, code)


def _refused_game(name: str, fault: RegelwerkError) -> JSONResponse:
    """The reason why a game cannot be played; of wrong rules, only their owner is shown the text."""
    return _refused(f"the rules of {brief(name)} have errors" if isinstance(fault, RulesError) else str(fault))


# ---------------------------------------------------------------- pages


PARTS: Mapping[str, bytes] = {
    path.name: path.read_bytes() for path in files("web.page").iterdir() if path.name.endswith(tuple(TYPES))
}
"""The files of the page, by name: nothing else of the disk can be asked for."""


def _page(name: str) -> Callable[[Request], Awaitable[Response]]:
    """What answers with a page."""

    async def page(_: Request) -> Response:
        return Response(PARTS[name], media_type="text/html")

    return page


async def _part(request: Request) -> Response:
    name = request.path_params["name"]
    if name not in PARTS:
        return _refused("there is no such page", 404)
    return Response(PARTS[name], media_type=TYPES[f".{name.rpartition('.')[2]}"])


# ---------------------------------------------------------------- the lobby


def _language(request: Request) -> str:
    return request.query_params.get("language", "")[:16]


async def _lobby(request: Request) -> Response:
    """The words of the lobby."""
    return JSONResponse(await asyncio.to_thread(lobby.words_of_lobby, _language(request)))


async def _games(request: Request) -> Response:
    """The games that can be played here."""
    async with _hall(request).lobby:
        return JSONResponse(await _hall(request).work("", lobby.games_listed, _language(request)))


async def _game(request: Request) -> Response:
    """What can be chosen for a table of a game."""
    name = request.path_params["name"]
    path = await asyncio.to_thread(game_named, name)
    if path is None:
        return _refused("there is no such game", 404)
    variants = request.query_params.getlist("variant")[:MAX_VARIANTS]
    try:
        async with _hall(request).lobby:
            return JSONResponse(await _hall(request).work("", lobby.details, path, _language(request), variants))
    except RegelwerkError as fault:
        return _refused_game(name, fault)


async def _new_table(request: Request) -> Response:
    """Add a table; the answer has the links of its seats."""
    if not _is_own(request.headers.get("origin"), request.headers.get("host", "")):
        return _refused("tables are added from the page of this server", 403)
    if int(request.headers.get("content-length") or MAX_BODY_BYTES + 1) > MAX_BODY_BYTES:
        return _refused("too long", 413)
    try:
        table = WantedTable.model_validate_json(await asyncio.wait_for(request.body(), BODY_SECONDS))
    except (TimeoutError, ClientDisconnect):
        return _refused("the request has not arrived in full", 408)
    except ValidationError as fault:
        first = fault.errors(include_url=False, include_input=False)[0]
        return _refused(f"{'.'.join(map(str, first['loc']))}: {first['msg']}")
    limit = None if table.clock is None else TimeLimit(**table.clock.model_dump())
    try:
        table_id, tokens = await _hall(request).add(
            NewTable(table.game, table.seats, table.names, table.options, tuple(table.variants), limit, table.board)
        )
    except RegelwerkError as fault:
        return _refused_game(table.game, fault)
    links = {seat or "spectator": f"/table/{table_id}#{token}" for seat, token in tokens.items()}
    return JSONResponse({"table": table_id, "links": links})


async def _save(request: Request) -> Response:
    """The save of a table that hides nothing any more."""
    hall, table = _hall(request), request.path_params["table"]
    try:
        seat = await asyncio.to_thread(hall.store.seat_of, table, _token(request))
        return JSONResponse(await hall.save(await hall.opened(table), seat or SPECTATOR))
    except RegelwerkError as fault:
        return _refused(str(fault), 403)


def _token(request: Request) -> str:
    """The secret that a page sends with a request."""
    return request.headers.get("authorization", "").removeprefix("Bearer ")


# ---------------------------------------------------------------- the page of a trace, which a link opens


async def _allow_trace(request: Request) -> Response:
    """Let a browser open the page of the trace: its address holds no secret, which a cookie for it alone brings."""
    if not _is_own(request.headers.get("origin"), request.headers.get("host", "")):
        return _refused("the trace is opened from the page of this server", 403)
    table, token = request.path_params["table"], _token(request)
    try:
        seat = await asyncio.to_thread(_hall(request).store.seat_of, table, token)
    except RegelwerkError as fault:
        return _refused(str(fault), 403)
    address = f"/table/{table}/trace/{seat or SPECTATOR_ADDRESS}"
    response = JSONResponse({"address": address})
    response.set_cookie(TRACE_COOKIE, token, path=address, httponly=True, samesite="strict")
    return response


async def _trace(request: Request) -> Response:
    """The page of the trace as it is now, for whoever has been allowed to see it."""
    token = request.cookies.get(TRACE_COOKIE, "")
    try:
        page = await _hall(request).trace_page(request.path_params["table"], token, _language(request))
    except RegelwerkError as fault:
        return Response(str(fault), 403, media_type="text/plain")
    return Response(page, media_type="text/html", headers={"Content-Security-Policy": TRACE_POLICY})


# ---------------------------------------------------------------- a page at a table


def _is_own(origin: str | None, host: str) -> bool:
    """True for a page of this server: a browser says where the page comes from that asks."""
    return origin in (f"http://{host}", f"https://{host}")


async def _socket(socket: WebSocket) -> None:
    """The connection of a page: its messages in, what it is due out, until one of both ends."""
    if not _is_own(socket.headers.get("origin"), socket.headers.get("host", "")):
        await socket.close(CLOSE_REFUSED)
        return
    await socket.accept()
    hall, table = _hall(socket), socket.path_params["table"]
    try:
        first = messages.received(await asyncio.wait_for(socket.receive_text(), JOIN_SECONDS))
        if not isinstance(first, messages.Join):
            raise UsageError("the first message of a page says who it is")
        seat = await asyncio.to_thread(hall.store.seat_of, table, first.token)
        opened = await hall.opened(table)
        connection = await hall.join(opened, seat, first.language or "")
    except RegelwerkError as fault:
        with suppress(RuntimeError, WebSocketDisconnect):
            await socket.send_text(encoded(messages.Refused("", str(fault))))
            await socket.close(CLOSE_REFUSED)
        return
    except (TimeoutError, WebSocketDisconnect, KeyError):
        with suppress(RuntimeError, WebSocketDisconnect):
            await socket.close(CLOSE_REFUSED)
        return
    reading = asyncio.create_task(_read(socket, hall, opened, connection))
    writing = asyncio.create_task(_write(socket, connection))
    try:
        await asyncio.wait((reading, writing), return_when=asyncio.FIRST_COMPLETED)
    finally:
        for task in (reading, writing):
            task.cancel()
        await hall.leave(opened, connection)
        for ended in await asyncio.gather(reading, writing, return_exceptions=True):
            if isinstance(ended, Exception) and not isinstance(ended, RuntimeError | WebSocketDisconnect):
                logging.getLogger(__name__).error("a page was cut off", exc_info=ended)  # a mistake in Regelwerk


async def _read(socket: WebSocket, hall: Hall, opened: OpenTable, connection: Connection) -> None:
    """Answer the messages of a page, at the pace that is allowed."""
    allowed, since = MAX_AT_ONCE, monotonic()
    while True:
        try:
            text = await socket.receive_text()
        except (WebSocketDisconnect, KeyError):  # it has gone, or has sent bytes
            return
        now = monotonic()
        allowed, since = min(MAX_AT_ONCE, allowed + (now - since) * MESSAGES_PER_SECOND) - 1, now
        if allowed < 0:
            await socket.close(CLOSE_TOO_FAST)
            return
        try:
            request = messages.received(text)
        except UsageError as fault:
            connection.send(messages.Refused("", str(fault)))
            continue
        if isinstance(request, messages.Join):
            connection.send(messages.Refused("", "this page has said who it is"))
        else:
            await hall.answer(opened, connection, request)


async def _write(socket: WebSocket, connection: Connection) -> None:
    """Send a page what it is due."""
    while (text := await connection.due.get()) is not None:
        await socket.send_text(text)
    await socket.close(CLOSE_TOO_SLOW)
