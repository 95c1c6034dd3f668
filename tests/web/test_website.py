"""The website: it is built without a warning, its examples open in the playground, and it fits phones."""

from __future__ import annotations

import base64
import html
import importlib.util
import json
import os
import posixpath
import re
import zlib
from collections.abc import Iterator
from pathlib import Path, PurePosixPath
from typing import Any

import pytest
from pygments.token import Error, Generic

from benchmarks.python_in_browser import served
from editors.pygments_lexer import RulesLexer
from editors.service.analysis import Trees, analyse
from editors.service.texts import Nothing
from interpreter.loading.game_heads import game_head
from tests.support.project import ROOT
from tests.web.test_playground import Author, playground
from website.building import WebsiteError, build, expanded, rendered
from website.examples import GAME
from website.pages import Page, blocks
from website.places import CATALOGUE

__all__ = ["playground"]

MISSING = importlib.util.find_spec("zensical") is None
if MISSING and "CI" in os.environ:
    raise ModuleNotFoundError("zensical is missing: install the extra `site`")
needs_zensical = pytest.mark.skipif(MISSING, reason="the website needs the extra `site`")

DOCUMENTS = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
RULES = [
    (path, block.code) for path in DOCUMENTS for block in blocks(path.read_text("utf-8")) if block.language == "rules"
]


LEARNED = ("docs/guide", "docs/cookbook", "docs/reference")
LOADED = re.compile(r"<(?:script|img|iframe|link)\b[^>]*(?:src|href)=[\"']?(https?:[^\"' >]*)")


@pytest.fixture(scope="module")
def built_site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder in which the website is built, without the playground: links in it are checked all the same."""
    folder = tmp_path_factory.mktemp("website")
    build(folder, None)
    return folder


@pytest.fixture(scope="module")
def address(built_site: Path, playground: Path) -> Iterator[str]:
    (built_site / "site" / "playground").symlink_to(playground)
    with served(built_site / "site") as address:
        yield address


def opened_by(link: str) -> dict[str, Any]:
    """What the playground opens by a link."""
    packed = link.partition("#rules=")[2]
    text = zlib.decompress(base64.urlsafe_b64decode(packed + "=" * (-len(packed) % 4)), wbits=-zlib.MAX_WBITS)
    return dict(json.loads(text))


def links_to_playground(page: Path) -> list[str]:
    return [html.unescape(link) for link in re.findall(r'href="?([^" >]*playground/#[^" >]*)', page.read_text("utf-8"))]


# ---- what pages say


def test_headings_say_what_is_below_them() -> None:
    assert "---\n# Klondike\n\nBuild four suits" in Page(PurePosixPath("games/klondike.rules")).text()
    china = Page(PurePosixPath("games/china.rules")).text()
    assert "<svg" in china and "[All games](index.md) · [Rulebook](../rulebooks/china.md)" in china
    games = Page(PurePosixPath("games")).text()
    assert "\n- **[Klondike](klondike.rules.md)** (1 player, 10 minutes): Build four suits" in games
    assert "\n## E05: rules that have no effect\n" in Page(CATALOGUE).text()


# ---- colours


def test_rules_have_no_part_without_a_colour() -> None:
    files = [*(ROOT / "games").rglob("*.rules"), *(ROOT / "docs").rglob("*.rules")]
    texts = [*RULES, *((path, path.read_text("utf-8")) for path in files)]
    lexer = RulesLexer(stripnl=False, ensurenl=False)
    assert len(RULES) > 40
    for path, text in texts:
        tokens = [*lexer.get_tokens(text)]
        assert "".join(value for _, value in tokens) == text, path
        assert [value for kind, value in tokens if kind is Error] == [], path


def test_a_message_below_an_example_is_coloured_as_an_error() -> None:
    code = "if x > 3:\n   ^ `x` is not declared\nend game\n"
    shown = [value for kind, value in RulesLexer().get_tokens(code) if kind is Generic.Error]
    assert shown == ["   ^ `x` is not declared"]


# ---- pages


def test_what_the_navigation_does_not_name_appears_where_the_rest_does() -> None:
    named: Any = ["index.md", {"More": ["a/", "gone.md", {"None": ["b/"]}]}, {"Elsewhere": "x.html"}, {"Rest": ["*"]}]
    assert expanded(named, ["a/1.md", "a/b_c/2.md", "index.md", "new.md"]) == [
        "index.md", {"More": ["a/1.md", {"B c": ["a/b_c/2.md"]}]}, {"Elsewhere": "x.html"}, {"Rest": ["new.md"]}
    ]  # fmt: skip


@needs_zensical
def test_a_link_that_leads_nowhere_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "pages").mkdir()
    (tmp_path / "pages" / "index.md").write_text("# Home\n\n[a](gone.md), [b](other.md#gone), [c](other.md#so-it-is)\n")
    (tmp_path / "pages" / "other.md").write_text("# Other\n\n## So it is\n")
    with pytest.raises(WebsiteError) as said:
        rendered(tmp_path, ["index.md", "other.md"])
    assert re.findall(r"index\.md:(\d+:\d+)", str(said.value)) == ["3:5", "3:28"]


def test_each_whole_game_opens_in_the_playground(built_site: Path, long_run: bool) -> None:
    """In guide, cookbook and reference; the links open games without errors, and the guide all its steps.

    In the normal run on every eighth page.
    """
    pages = sorted({path for path, _ in RULES if path.relative_to(ROOT).as_posix().startswith(LEARNED)})
    for path in pages if long_run else pages[1::8]:
        games = [code for document, code in RULES if document == path and GAME.match(code)]
        page = built_site / "site" / path.relative_to(ROOT / "docs").with_suffix("") / "index.html"
        opened = [opened_by(link) for link in links_to_playground(page)]
        texts = [text for project in opened for text in project["files"].values()]
        assert [code for code in games if not any(code in text for text in texts)] == [], path
        for project in opened:
            files = {Path("/example") / name: text for name, text in project["files"].items()}
            variants = [Path("/example") / name for name in project["variants"]]
            checked = analyse(Path("/example") / project["rules"], files, Nothing(), Trees(), variants=variants)
            assert [finding.message for finding in checked.findings if finding.severity == "error"] == []
    steps = [opened_by(link)["rules"] for link in links_to_playground(built_site / "site" / "guide" / "index.html")]
    assert list(dict.fromkeys(steps)) == [f"low_tide_{step}.rules" for step in (1, 2, 3, 4, 5, 6)]


@needs_zensical
def test_each_game_opens_in_the_playground(built_site: Path) -> None:
    pages = [*(built_site / "site" / "games").glob("*.rules/index.html")]
    assert {page.parent.name for page in pages} == {
        path.name for path in (ROOT / "games").glob("*.rules") if game_head(path)
    }
    for page in pages:
        (link,) = links_to_playground(page)
        project = opened_by(link)
        assert project["files"] == {} and f"{project['origin']}.rules" == page.parent.name


@needs_zensical
def test_pages_load_nothing_from_elsewhere(built_site: Path) -> None:
    for path in (built_site / "site").rglob("*.html"):
        loaded = LOADED.findall(path.read_text("utf-8"))
        assert loaded == [], path


@needs_zensical
def test_what_pages_refer_to_is_there(built_site: Path) -> None:
    site = built_site / "site"
    files = {path.relative_to(site).as_posix() for path in site.rglob("*") if path.is_file()}
    for page in site.rglob("index.html"):
        folder = page.parent.relative_to(site).as_posix()
        for link in set(re.findall(r"(?:href|src)=[\"']?([^\"'\s>#?]+)", page.read_text("utf-8"))):
            target = posixpath.normpath(posixpath.join(folder, link))
            is_there = target in files or posixpath.normpath(f"{target}/index.html") in files
            assert is_there or ":" in link or target.startswith("playground"), f"{page}: {link}"


# ---- in a browser

SHORT = ("", "reference/types/grids/", "errors/E0207/")
"""Pages with all kinds of content; axe takes 12 s of processor time for the cookbook, as it has so many colours."""
READING = (
    "",
    "guide/",
    "cookbook/",
    "reference/",
    "reference/types/grids/",
    "play/",
    "performance/",
    "errors/E0207/",
    "games/chess.rules/",
)


@needs_zensical
def test_an_example_is_found_opened_and_played(browser: Any, address: str) -> None:
    reader = Author(browser, address)
    reader.page.locator(".md-search__button").first.click()
    reader.until("() => document.activeElement.shadowRoot?.activeElement?.tagName === 'INPUT'")
    reader.page.keyboard.type("sealed auction")
    reader.page.locator("a[href*=sealed-auction]").first.click()
    reader.page.wait_for_url("**/cookbook/**")
    block = reader.page.locator("#sealed-auction ~ .play").first
    assert reader.page.locator("#sealed-auction ~ .highlight .k").first.inner_text() == "game"
    block.get_by_role("link").click()
    reader.page.wait_for_url("**/playground/**")
    reader.until_at_table("() => document.querySelector('#title').textContent === 'Sealed bids'")
    reader.until_at_table("() => document.querySelector('#step button') !== null")
    reader.decide(0)
    reader.leave()


@needs_zensical
@pytest.mark.parametrize(("width", "height", "scheme"), [(1280, 800, "light"), (390, 844, "dark")])
def test_pages_fit_and_are_accessible(
    width: int, height: int, scheme: str, browser: Any, address: str, built_site: Path, long_run: bool
) -> None:
    from axe_playwright_python.sync_playwright import Axe

    reader = Author(browser, address, viewport={"width": width, "height": height}, color_scheme=scheme)
    site = built_site / "site"
    every = sorted(f"{path.parent.relative_to(site)}/".removeprefix("./") for path in site.rglob("index.html"))
    for place in every if long_run else READING:
        reader.page.goto(address + place)
        assert reader.page.evaluate("document.documentElement.scrollWidth") <= width, place
        if place in (SHORT if width < 800 else SHORT[:1]) or (long_run and place in (*SHORT, "guide/")):
            found = Axe().run(reader.page, options={"resultTypes": ["violations"]}).response["violations"]
            serious = [fault["id"] for fault in found if fault["impact"] in ("serious", "critical")]
            assert serious == [], (place, found)
    reader.leave()
