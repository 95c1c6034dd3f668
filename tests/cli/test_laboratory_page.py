"""The page of a run: its text, and in a real browser that it draws, answers, prints and keeps nobody out."""

from __future__ import annotations

import json
import re
from html import unescape
from importlib.resources import files
from pathlib import Path

import pytest

pytest.importorskip("altair", reason="not installed: pip install 'regelwerk[lab]'")

from cli.errors import MisuseError
from cli.html.standalone import mark
from cli.laboratory.outputs import html_path, write_html
from cli.laboratory.page import KIND
from cli.laboratory.page.pages import page_of
from interpreter.laboratory.comparing import compare
from interpreter.laboratory.report import unusual_games
from tests.cli.browser import Tab
from tests.cli.runs import EVIL, HOSTILE, MARKET, game_of, made_up, run_of, sweep_of

AXE = "axe.run().then(found => found.violations.map(one => [one.id, one.nodes.map(node => node.html.slice(0, 200))]))"
DRAWN = "document.body.dataset.drawn"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    found = tmp_path_factory.mktemp("pages")
    write_html(run_of(), found / "market.html")
    write_html(run_of(HOSTILE, 20, 5), found / "hostile.html")
    write_html(sweep_of(6, 8, 12), found / "sweep.html")
    return found


def text_of(folder: Path, name: str) -> str:
    """A page without the libraries that it contains."""
    text = (folder / f"{name}.html").read_text(encoding="utf-8")
    return re.sub(r"<script>.{500000,}?</script>", "", text, count=1, flags=re.DOTALL)


def specs_of(text: str) -> dict[str, object]:
    (found,) = re.findall(r'<script type="application/json" id="charts">(.*?)</script>', text, re.DOTALL)
    specs: dict[str, object] = json.loads(found)
    return specs


# ---- the text


def test_the_page_wants_nothing_from_elsewhere(folder):
    text = text_of(folder, "market")
    assert text.startswith(mark(KIND))
    assert len(text) < 600_000
    plain = re.sub(r'"\$schema": ?"[^"]*"|xmlns(:xlink)?="[^"]*"', "", text)
    assert "http" not in plain.replace("http-equiv", "")
    assert not re.search(r"(src|href|url|@import|fetch)\s*[=(]\s*[\"']?(?!#)[a-z]", plain)
    (policy,) = re.findall(r'content="(default-src[^"]*)"', text)
    assert policy.startswith("default-src 'none'; style-src 'sha256-")
    assert "unsafe" not in policy
    assert not re.search(r"\sstyle=|\son\w+=", text.partition("<script")[0]), "the policy would forbid it"


def test_every_chart_has_its_figures_and_a_picture_without_scripts(folder):
    text = text_of(folder, "market")
    names = [*specs_of(text)]
    assert len(names) == 11
    for name in names:
        (figure,) = re.findall(rf'<figure class="[^"]*" id="{name}">.*?</figure>', text, re.DOTALL)
        assert re.search(rf'id="chart-{name}" role="img" aria-label="[^"]+"', figure)
        assert "<noscript><svg" in figure
        assert "<details>" in figure
    report = run_of()
    for each in report.measures:
        assert f">{each.measure.words}</th>" in text


def test_the_same_report_is_the_same_page():
    report = made_up(game_of(MARKET), 30, 6, failed=3)
    text = page_of(report)
    assert text == page_of(report)
    assert "3 of 33 games ended in an error; the figures cover the others" in text
    assert "in 2 games, by number: 30, 32" in text
    assert "decision 5: red made the move rest" in text
    assert all(f'<th scope="row">{each.words}</th>' in text for each in unusual_games(report))


def test_a_page_is_replaced_and_nothing_else_is(folder, tmp_path):
    assert html_path(str(folder / "market.html")) == folder / "market.html"
    other = tmp_path / "trace.html"
    other.write_text(mark("page"), encoding="utf-8")
    with pytest.raises(MisuseError, match="already exists and is not a page of a report"):
        html_path(str(other))


def test_whatever_rules_say_stays_text(folder):
    text = text_of(folder, "hostile")
    assert text.count("</script>") == text.count("<script") == 2
    assert "<img" not in text
    assert "<b>" not in text
    assert EVIL in unescape(text)


# ---- in a browser


def opened(tab: Tab, path: Path) -> None:
    tab.open(path)
    tab.page.wait_for_function(DRAWN, timeout=120_000)
    assert tab.faults == []


def test_it_draws_answers_and_prints(browser, folder):
    opened(browser, folder / "market.html")
    shown = browser.ask(
        "Array.from(document.querySelectorAll('.chart'),"
        " each => [each.id, each.querySelectorAll('svg .role-mark path, svg .role-mark line').length])"
    )
    assert len(shown) == 11
    assert [name for name, marks in shown if marks < 1] == []
    assert browser.ask("getComputedStyle(document.getElementById('tip')).display") == "none"
    browser.page.hover("#chart-margin .mark-rect.role-mark path >> nth=0")
    assert "share of the games" in browser.text("#tip")
    browser.page.hover("#chart-expected_wins svg", position={"x": 200, "y": 120})
    names = browser.ask("Array.from(document.querySelectorAll('#tip dt'), each => each.textContent)")
    assert names == ["moment", "red", "green", "ann"]
    values = browser.ask("Array.from(document.querySelectorAll('#tip dd'), each => each.textContent)")
    assert re.fullmatch(r"\d+% of the game", values[0])
    assert all(re.fullmatch(r"[\d.]+% \([<\d.]+% to [>\d.]+%\)", value) for value in values[1:])
    browser.press("Escape")
    assert browser.ask("document.getElementById('tip').hidden")
    browser.page.emulate_media(media="print", color_scheme="dark")
    assert browser.ask("getComputedStyle(document.querySelector('nav')).display") == "none"
    assert browser.ask("getComputedStyle(document.body).color") == "rgb(27, 31, 39)", "paper is white in dark mode, too"
    assert browser.ask("Array.from(document.querySelectorAll('.chart svg')).every(e => e.clientWidth > 100)")
    assert browser.page.pdf().startswith(b"%PDF")
    assert browser.faults == []


@pytest.mark.parametrize(("dark", "width"), [(False, 1280), (True, 360)])
def test_nothing_keeps_anybody_out(browser, folder, dark, width):
    """On a large screen in light mode, on a phone in dark mode: colours, width, and the rules of axe-core."""
    browser.screen(width, 800, dark=dark, phone=width < 500)
    opened(browser, folder / "market.html")
    assert browser.ask("document.documentElement.scrollWidth") <= width
    assert browser.ask("Array.from(document.querySelectorAll('.chart svg')).every(e => e.clientWidth <= innerWidth)")
    letters = "getComputedStyle(document.querySelector('#chart-win_shares .mark-text.role-mark text')).fill"
    assert browser.ask(letters) == ("rgb(223, 227, 234)" if dark else "rgb(27, 31, 39)")
    dot = "getComputedStyle(document.querySelector('#chart-win_shares .mark-symbol path')).fill"
    assert browser.ask(dot) == ("rgb(249, 85, 75)" if dark else "rgb(184, 48, 42)")
    browser.ask("document.querySelectorAll('details').forEach(each => { each.open = true; })")
    assert browser.ask("document.documentElement.scrollWidth") <= width
    browser.ask(files("axe_playwright_python").joinpath("axe.min.js").read_text(encoding="utf-8"))
    assert browser.ask(AXE) == []
    assert browser.faults == []


def test_a_sweep_is_a_page_as_well(browser, folder):
    browser.screen(360, 780, phone=True)
    opened(browser, folder / "sweep.html")
    assert browser.ask("document.querySelectorAll('.chart svg').length") == 3
    assert browser.ask("document.documentElement.scrollWidth") <= 360
    assert browser.faults == []


def test_a_comparison_is_a_page_as_well():
    pytest.importorskip("scipy", reason="not installed: pip install 'regelwerk[lab]'")
    text = page_of(compare(run_of(), run_of(goal=8)))
    assert "60 pairs of games of 3 random bots" in text
    assert "A: Market; seeds from 7, goal is 12. B: Market; seeds from 7, goal is 8." in text
    assert [*specs_of(text)] == ["differences_of_shares", "relative_differences"]


def test_words_of_rules_do_nothing_in_the_page(browser, folder):
    browser.screen(1280, 800)
    opened(browser, folder / "hostile.html")
    assert browser.ask("document.title") == f"{EVIL}: report"
    assert browser.ask("document.querySelectorAll('img, b').length") == 0
    assert EVIL in browser.ask("document.getElementById('chart-points').textContent")
    browser.page.hover("#chart-points .mark-rect.role-mark path >> nth=-1")
    assert EVIL in browser.text("#tip")
    assert browser.ask("document.querySelectorAll('#tip img').length") == 0
    assert browser.faults == []


def test_without_scripts_there_are_pictures(browser, folder):
    context = browser.browser.new_context(java_script_enabled=False)
    plain = context.new_page()
    plain.goto((folder / "market.html").as_uri())
    assert plain.locator("noscript svg").count() == 11
    assert plain.locator("noscript svg").first.is_visible()
    context.close()
