"""`serve`: tables in the browser, for people who join by a link."""

from __future__ import annotations

import logging
import os
import re
import socket
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from dsl.text.folders import tables_file
from dsl.text.visible import visible
from interpreter.errors import UsageError
from interpreter.wording.phrases import Phrase

if TYPE_CHECKING:
    from web.server.hall import TracePage  # what the server needs may not be installed

DEFAULT_PORT = 8000
DEFAULT_DAYS, MAX_DAYS = 30, 36_500
"""Days for which tables are kept whose game is over, or at which nobody has decided anything."""
SECONDS_PER_DAY = 86_400
LOCAL = "127.0.0.1"
LOCAL_NAMES = ("localhost", "127.0.0.1", "[::1]")
EVERYWHERE = ("0.0.0.0", "::")
MAX_OPEN_FILES = 4_096
"""Maximum number of files and connections that the server has open."""


def serving(trace_page: TracePage) -> Callable[..., None]:
    """The verb `serve`, whose server shows traces by a page that is made elsewhere."""

    def serve(
        port: Annotated[
            int, typer.Option(metavar="N", min=0, max=65535, help="Port; 0 takes a free one.")
        ] = DEFAULT_PORT,
        host: Annotated[
            str, typer.Option(metavar="ADDRESS", help="Address to listen on; 0.0.0.0 lets your network in.")
        ] = LOCAL,
        data: Annotated[str, typer.Option(metavar="FILE", help="File that keeps the tables.")] = "",
        name: Annotated[
            list[str] | None,
            typer.Option(metavar="NAME", help="Name by which this server is reached, such as a domain."),
        ] = None,
        keep: Annotated[
            int,
            typer.Option(
                metavar="DAYS",
                min=0,
                max=MAX_DAYS,
                help="Days for which finished tables, and unused ones, are kept; 0: always.",
            ),
        ] = DEFAULT_DAYS,
    ) -> None:
        """Let people play in their browsers: each joins by a secret link.

        Tables outlive the server. Only this machine can connect unless --host says otherwise.
        """
        try:
            import uvicorn

            from web.server.app import application
            from web.server.protocol import PromptProtocol
            from web.server.store import Store
        except ModuleNotFoundError as fault:
            message = "`serve` needs {module}, which is not installed: pip install 'regelwerk[web]'"
            raise UsageError(Phrase(message, module=fault.name or "")) from None
        listening = _listening(host, port)
        port = listening.getsockname()[1]
        path = Path(data) if data else tables_file()
        path.parent.mkdir(parents=True, exist_ok=True)
        addresses = _addresses(host)
        hosts = [*LOCAL_NAMES, *addresses, *map(_checked_name, name or ())]
        app = application(Store(path), hosts, keep * SECONDS_PER_DAY, trace_page)
        for address in addresses:
            typer.echo(visible(f"http://{address}:{port}/"))
        if host in EVERYWHERE:
            _print_code(f"http://{addresses[-1]}:{port}/")
        typer.echo("Ctrl-C ends the server; its tables are kept.")
        _log_in_lines()
        _allow_connections()
        # Messages are checked for their size before they are read in full, and nothing is logged that could hold a
        # secret.
        config = uvicorn.Config(
            app, http=PromptProtocol, log_config=None, log_level="warning", ws_max_size=32_768, server_header=False,
            timeout_graceful_shutdown=2,
        )  # fmt: skip
        uvicorn.Server(config).run(sockets=[listening])

    return serve


def _checked_name(name: str) -> str:
    """A name by which the server is reached. Raises UsageError for what no browser sends as one."""
    if not re.fullmatch(r"(\*|(\*\.)?[\w.-]+|\[[0-9a-fA-F:.]+\])", name):
        raise UsageError(
            Phrase("{name} is not the name of a server: without a port, such as play.example.org", name=name)
        )
    return name


class _Lines(logging.Formatter):
    """A line for each fault, with its traceback only if REGELWERK_TRACEBACK asks for it, as elsewhere."""

    def format(self, record: logging.LogRecord) -> str:
        """See `logging.Formatter`."""
        if os.environ.get("REGELWERK_TRACEBACK"):
            return super().format(record)
        fault = record.exc_info[1] if record.exc_info else None
        first, *others = record.getMessage().strip().split("\n")
        message = others[-1] if others and first.startswith("Traceback") else first
        return visible(f"error: {message}" + (f": {type(fault).__name__}: {fault}" if fault else ""))


class _News(logging.Filter):
    """Leaves out what was said just before: without open files left, the server says so for each connection.

    And what a second Ctrl-C breaks off.
    """

    last_message = ""

    def filter(self, record: logging.LogRecord) -> bool:
        """See `logging.Filter`."""
        earlier_message, self.last_message = self.last_message, record.getMessage()
        is_hurried = self.last_message.rstrip().endswith("CancelledError")  # a second Ctrl-C: nothing is lost by it
        return self.last_message != earlier_message and not is_hurried


def _log_in_lines() -> None:
    """Show what goes wrong in the server, and nothing else."""
    handler = logging.StreamHandler()
    handler.setFormatter(_Lines())
    handler.addFilter(_News())
    logging.basicConfig(handlers=[handler], level=logging.ERROR, force=True)


def _allow_connections() -> None:
    """Allow this process as many open files as its limit on connections needs, if the system does."""
    try:
        import resource
    except ImportError:  # Windows has no such limit
        return
    allowed, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    needed = MAX_OPEN_FILES if most == resource.RLIM_INFINITY else min(MAX_OPEN_FILES, most)
    if allowed != resource.RLIM_INFINITY and allowed < needed:
        resource.setrlimit(resource.RLIMIT_NOFILE, (needed, most))


def _listening(host: str, port: int) -> socket.socket:
    """A socket that listens. Raises UsageError if the port is taken or the address is not that of this machine."""
    if not host:
        raise UsageError(Phrase("cannot listen on an empty address; 0.0.0.0 lets your network in"))
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    # `::` stands for all addresses, those of the older kind as well, which are printed.
    is_dual = host == "::" and socket.has_dualstack_ipv6()
    try:
        return socket.create_server((host, port), family=family, dualstack_ipv6=is_dual)
    except (OSError, UnicodeError) as fault:
        reason = (getattr(fault, "strerror", None) or str(fault)).lower()
        raise UsageError(
            Phrase("cannot listen on {host}, port {port}: {reason}", host=host, port=port, reason=reason)
        ) from None


def _addresses(host: str) -> list[str]:
    """The addresses under which this machine is reached, those for others last."""
    if host not in EVERYWHERE:
        return [f"[{host}]" if ":" in host else host]
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))  # sends nothing: it finds the way out
            outward = str(probe.getsockname()[0])
        except OSError:
            return [LOCAL]
    return [LOCAL, outward]


def _print_code(address: str) -> None:
    """Print a code that a phone can read."""
    import io

    import segno

    drawn = io.StringIO()
    segno.make(address).terminal(drawn, compact=True)
    typer.echo(drawn.getvalue())
