"""The catalogue: a page for each code, whose examples are what they say. Pages are written as its README says."""

from __future__ import annotations

import os
import re

import pytest

from dsl import catalogue
from dsl.diagnostics import Diagnostic
from tests.dsl.framing import told
from tests.support.project import ROOT

FOLDER = ROOT / "dsl" / "catalogue"
UPDATE = bool(os.environ.get("REGELWERK_UPDATE"))
NO_RULES = {"E0101", "E0102", "E0117", "E0346", "E0807"}
"""What these are about cannot be shown in a few lines."""


def bare(example: str) -> str:
    """An example without the lines that say what is wrong with it."""
    return "".join(line for line in example.splitlines(keepends=True) if not catalogue.CARETS.match(line))


def beside_the_point(finding: Diagnostic, code: str) -> bool:
    """Examples of other codes need not use all that they declare, nor name it for people."""
    return finding.code.startswith(("E05", "E0228")) and finding.code != code


def with_carets(example: str, code: str) -> str:
    """An example with what is told under its lines; everything told has this code."""
    lines = example.splitlines()
    written = {number: [line] for number, line in enumerate(lines, 1)}
    for number, column, finding in told(example):
        if beside_the_point(finding, code):
            continue
        assert finding.code == code, finding.draw()
        width = max(1, min(finding.span.end - finding.span.start, len(lines[number - 1]) - column))
        written[number].append(f"{' ' * column}{'^' * width} {finding.message}")
    return "".join(f"{line}\n" for number in sorted(written) for line in written[number])


@pytest.mark.parametrize("code", [code for code in catalogue.codes() if code not in NO_RULES])
def test_the_examples_of_a_page_are_wrong_and_right(code: str) -> None:
    page = catalogue.page(code)
    assert page.wrong and page.right
    drawn = with_carets(bare(page.wrong), code)
    if UPDATE and drawn != page.wrong:
        path = FOLDER / f"{code}.md"
        path.write_text(path.read_text("utf-8").replace(indented(page.wrong), indented(drawn), 1), encoding="utf-8")
        page = catalogue.page(code)
    assert page.wrong == drawn
    assert drawn != bare(drawn), "nothing is wrong with the wrong example"
    assert [finding.draw() for _, _, finding in told(page.right) if not beside_the_point(finding, code)] == []


def indented(example: str) -> str:
    return "".join(f"    {line}".rstrip() + "\n" for line in example.splitlines())


def emitted() -> set[str]:
    """Every code that stands somewhere in the language."""
    texts = [path.read_text("utf-8") for path in (ROOT / "dsl").rglob("*.*") if path.suffix in (".py", ".toml")]
    return {code for text in texts for code in re.findall(r'"([EW]\d{4})"', text)}


def test_every_code_has_its_page_and_every_page_its_code() -> None:
    assert catalogue.codes() == sorted(emitted())


def test_pages_are_named_by_their_code() -> None:
    for code in catalogue.codes():
        page = catalogue.page(code)
        assert page.code == code
        assert not page.title.endswith(".") and (page.title[0].islower() or page.title[0] in "`E")
        assert page.text


def test_the_document_has_all_pages() -> None:
    document = catalogue.document()
    assert document.startswith(f"# {catalogue.title()}\n")
    assert re.findall(r"^## ([EW]\d{4}): ", document, re.MULTILINE) == catalogue.codes()
    assert all(catalogue.page(code).text in document for code in catalogue.codes())
