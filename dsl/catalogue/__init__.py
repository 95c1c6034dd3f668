"""The catalogue of diagnostics: a page for each code, `CODE.md` in this folder. How one is written: `README.md`."""

from __future__ import annotations

import re
from dataclasses import dataclass
from importlib.resources import files

CARETS = re.compile(r"^( *)(\^+) (\S.*)$")
"""A line of an example that points at the one above it and says what is wrong there."""

_PAGE = re.compile(r"([EW]\d{4})\.md")
_HEAD = re.compile(r"# ([EW]\d{4}): (.+)")
_EXAMPLE = re.compile(r"^(Wrong|Right):\n\n((?:(?: {4}.*)?\n)+)", re.MULTILINE)


@dataclass(frozen=True)
class Page:
    """What is told about one code. `text` is all behind the title, `wrong` and `right` are the examples in it.

    Under each wrong line of `wrong` stands what `check` says about it, with carets.
    """

    code: str
    title: str
    text: str
    wrong: str
    right: str


def codes() -> list[str]:
    """Every code that has a page, in order."""
    names = [_PAGE.fullmatch(entry.name) for entry in files(__name__).iterdir()]
    return sorted(match.group(1) for match in names if match)


def page(code: str) -> Page:
    """The page of a code that has one."""
    return read(files(__name__).joinpath(f"{code}.md").read_text(encoding="utf-8"))


def read(text: str) -> Page:
    """The page that a text is."""
    first, _, body = text.partition("\n")
    head = _HEAD.fullmatch(first)
    if head is None:
        raise ValueError(f"a page begins with `# CODE: title`, not with `{first}`")
    examples = {name: _outdented(block) for name, block in _EXAMPLE.findall(body)}
    return Page(head.group(1), head.group(2), body.strip("\n"), examples.get("Wrong", ""), examples.get("Right", ""))


def _outdented(block: str) -> str:
    return "\n".join(line[4:] for line in block.strip("\n").split("\n")) + "\n"
