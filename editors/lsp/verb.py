"""The verbs of the command that editors start."""

from __future__ import annotations

from interpreter.errors import UsageError
from interpreter.wording.phrases import Phrase


def lsp() -> None:
    """Check and explain rules in an editor while they are written.

    It speaks the Language Server Protocol on standard input and output. Editors start it by themselves: `regelwerk help
    editors` says how to set them up.
    """
    try:
        from editors.lsp.server import Server
    except ModuleNotFoundError as fault:
        raise UsageError(
            Phrase(
                "`lsp` needs {module}, which is not installed: pip install 'regelwerk[editor]'", module=fault.name or ""
            )
        ) from None
    Server().serve()
