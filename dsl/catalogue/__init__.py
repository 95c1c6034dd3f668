"""The catalogue of diagnostics: one page per code, `CODE.md` in this folder. How to write one: `README.md`."""

from __future__ import annotations

import re
from importlib.resources import files

from dsl.lazy_dataclasses import dataclass

CARETS = re.compile(r"^( *)(\^+) (\S.*)$")
"""A line of an example that points at the line above it and says what is wrong there."""

_PAGE = re.compile(r"([EW]\d{4})\.md")
_HEAD = re.compile(r"# ([EW]\d{4}): (.+)")
_EXAMPLE = re.compile(r"^(Wrong|Right):\n\n((?:(?: {4}.*)?\n)+)", re.MULTILINE)


@dataclass(frozen=True)
class Page:
    """The page of one code. `text` is everything after the title, `wrong` and `right` are the examples in it.

    Each faulty line of `wrong` is followed by the message of `check`, with carets.
    """

    code: str
    title: str
    text: str
    wrong: str
    right: str


def codes() -> list[str]:
    """Every code that has a page, sorted."""
    names = [_PAGE.fullmatch(entry.name) for entry in files(__name__).iterdir()]
    return sorted(match.group(1) for match in names if match)


def page(code: str) -> Page:
    """Load the page of a code, which must have one."""
    return read(files(__name__).joinpath(f"{code}.md").read_text(encoding="utf-8"))


def title() -> str:
    """The title of the document with all pages."""
    return _introduction().partition("\n")[0].removeprefix("# ")


def document() -> str:
    """All pages as one text in Markdown, with an introduction."""
    pages = map(page, codes())
    return "\n".join([_introduction(), *(f"## {entry.code}: {entry.title}\n\n{entry.text}\n" for entry in pages)])


def _introduction() -> str:
    return files(__name__).joinpath("introduction.md").read_text(encoding="utf-8")


def read(text: str) -> Page:
    """Parse the text of a page. Raises ValueError if its first line is not a valid heading."""
    first, _, body = text.partition("\n")
    head = _HEAD.fullmatch(first)
    if head is None:
        raise ValueError(f"a page begins with `# CODE: title`, not with `{first}`")
    examples = {name: _outdented(block) for name, block in _EXAMPLE.findall(body)}
    return Page(head.group(1), head.group(2), body.strip("\n"), examples.get("Wrong", ""), examples.get("Right", ""))


def _outdented(block: str) -> str:
    return "\n".join(line[4:] for line in block.strip("\n").split("\n")) + "\n"
