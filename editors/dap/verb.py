"""`dap`: the debugger of games for editors, on standard input and output."""

from __future__ import annotations

import os
import sys
import threading

from editors.dap.server import Adapter

SECONDS_TO_END = 1.0
"""How long the rules may still run when the client has gone away."""


def dap() -> None:
    """Debug a game from an editor, which starts this itself.

    It speaks the Debug Adapter Protocol on standard input and output; `regelwerk help editors` says how to set it up.
    """
    reading, writing = sys.stdin.buffer, sys.stdout.buffer
    sys.stdout = sys.stderr  # whatever else is printed would break the messages
    adapter = Adapter(reading, writing)
    threading.Thread(target=_end_without_client, args=(adapter,), daemon=True).start()
    adapter.serve()
    writing.flush()
    os._exit(0)  # the thread that reads waits for the client, and Python would wait for its buffer


def _end_without_client(adapter: Adapter) -> None:
    """End the process if a rule goes on without end when nobody waits for it any more; nothing is lost by that."""
    adapter.gone.wait()
    threading.Event().wait(SECONDS_TO_END)
    os._exit(0)
