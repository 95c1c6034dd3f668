"""Light syntax highlighting for one line of a rules file."""

from __future__ import annotations

import re
from functools import lru_cache

from rich.text import Text

from dsl.syntax.terminals import keyword_pattern

_PART = re.compile(
    r"(?P<comment>#.*$)|(?P<words>\"[^\"]*\"?)|(?P<cites>\[[A-Z][\w-]*-\w+(?: [A-Z][\w-]*-\w+)*\](?=\s*(?:#|$)))"
    rf"|(?P<heading>^==.*==\s*$)|(?P<keyword>{keyword_pattern()})|[A-Za-z_]\w*"
)
_STYLES = {
    "comment": "grey50", "words": "dark_sea_green2", "cites": "grey50", "heading": "bold", "keyword": "sky_blue2",
}  # fmt: skip


@lru_cache(4096)
def highlighted(line: str) -> Text:
    """Highlight keywords, quoted text, comments and citations, each in its own colour."""
    text = Text(line.expandtabs(4), no_wrap=True)
    for part in _PART.finditer(text.plain):
        if part.lastgroup is not None:
            text.stylize(_STYLES[part.lastgroup], *part.span())
    return text
