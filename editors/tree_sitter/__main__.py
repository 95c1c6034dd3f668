"""`python -m editors.tree_sitter FOLDER`: write the tree-sitter grammar, of which a parser can be generated."""

from __future__ import annotations

import json
import sys
from pathlib import Path

from editors.tree_sitter.grammar import highlights, tree_sitter_grammar


def write(folder: Path) -> None:
    """Write `src/grammar.json`, `src/scanner.c` and `queries/highlights.scm` into a folder."""
    for name in ("src", "queries"):
        (folder / name).mkdir(parents=True, exist_ok=True)
    (folder / "src" / "grammar.json").write_text(json.dumps(tree_sitter_grammar(), indent=1) + "\n", "utf-8")
    scanner = Path(__file__).with_name("scanner.c").read_text("utf-8")
    (folder / "src" / "scanner.c").write_text(scanner, "utf-8")
    (folder / "queries" / "highlights.scm").write_text(highlights(), "utf-8")


if __name__ == "__main__":
    write(Path(sys.argv[1]))
