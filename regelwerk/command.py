"""The command `regelwerk`, put together from its parts: the verbs of the terminal, the server of tables, the editor's.

The terminal, the table in the browser and the service of editors do not know each other; this module is above them.
"""

from __future__ import annotations

from cli import main as command_line
from cli.verbs import add_verb

add_verb(
    "serve", "regelwerk.serving", "Let people play in their browsers: each joins by a secret link",
    ("regelwerk serve", "regelwerk serve --host 0.0.0.0 --port 8080"),
)  # fmt: skip
add_verb(
    "dap", "editors.dap.verb", "Debug a game from an editor, which starts this itself",
    ("regelwerk dap", "regelwerk help editors"),
)  # fmt: skip
add_verb(
    "lsp", "editors.lsp.verb", "Check and explain rules in an editor while they are written",
    ("regelwerk lsp", "regelwerk help editors"),
)  # fmt: skip


def main() -> None:
    """The entry point of the installed command."""
    command_line.main()


if __name__ == "__main__":
    main()
