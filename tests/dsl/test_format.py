"""The canonical text: what it looks like, and that nothing but the looks changes."""

from __future__ import annotations

import os
import random
import re
from itertools import count
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dsl.formatter import FormatError, canonical, proving
from dsl.syntax import parse, read_source
from dsl.text.span import Source
from tests.support.library import of_representatives
from tests.support.long_run import one_in
from tests.support.project import ROOT

SAMPLES = sorted((Path(__file__).parent / "format" / "as_written").glob("*.rules"))
SHIPPED = sorted((ROOT / "games").rglob("*.rules"))
LONG = [
    pytest.param(path, marks=[pytest.mark.long] if ".examples" in path.name else [], id=path.stem)
    for path in SHIPPED
    if path.stat().st_size >= 10_000
]
SHORT = [path for path in of_representatives(SHIPPED) if path.stat().st_size < 2_500]
HEAD = 'game "X" for 2 players red, blue\n\n== setup ==\n\n'
MORE = count()
PIECES = re.compile(r'"[^"\n]*"|#[^\n]*|[ \t]+|[^\s"#]+')
WORD = re.compile(r"\w")


def formatted(text: str) -> str:
    found, diagnostics = canonical(Source("x", text))
    assert diagnostics == [], diagnostics[0].draw()
    assert found is not None
    return found


def text_of(path: Path) -> str:
    source = read_source(path)
    assert isinstance(source, Source)
    return source.text


# ---- what it looks like


@pytest.mark.parametrize("path", SAMPLES, ids=lambda path: path.stem)
def test_samples(path: Path) -> None:
    found = formatted(text_of(path))
    golden = path.parents[1] / "canonical" / path.name
    if os.environ.get("REGELWERK_UPDATE"):
        golden.write_text(found, encoding="utf-8")
    assert found == golden.read_text(encoding="utf-8")
    assert formatted(found) == found


def test_the_example_of_the_document() -> None:
    text = (ROOT / "docs" / "formatting.md").read_text(encoding="utf-8")
    before, after = re.findall(r"^```rules\n(.*?)^```", text, re.MULTILINE | re.DOTALL)
    assert formatted(before) == after


@pytest.mark.parametrize("path", one_in(4, SHIPPED), ids=lambda path: path.stem)
def test_shipped_files_are_canonical(path: Path) -> None:
    """`regelwerk fmt --check games`, a check of the whole test run, looks at all of them."""
    assert formatted(text_of(path)) == text_of(path)


def test_line_ends_and_margins() -> None:
    wanted = HEAD + "go\nif a:\n    go\n"
    assert formatted("\r\n\r\n" + wanted.replace("\n", " \t\r\n")) == wanted
    assert formatted(wanted.rstrip("\n")) == wanted
    assert formatted(wanted + "\n \n\n") == wanted
    assert formatted(wanted.replace("    ", "\t")) == wanted


def test_texts_and_comments_are_not_touched() -> None:
    text = HEAD + '#!  a  [ b ]\nadd 1 to a because "a  { b }  [AB-1]  # c"  #d\n'
    assert formatted(text) == text


def test_unreadable_input_is_reported() -> None:
    text, diagnostics = canonical(Source("x", HEAD + "move a\n"))
    assert text is None
    assert [found.code for found in diagnostics] == ["E0105"]


# ---- what is proved on every run


@pytest.mark.parametrize(
    ("spoil", "words"),
    [
        (lambda text: text.replace("go", "stay"), "change the meaning"),
        (lambda text: text + "move\n", "change the meaning"),
        (lambda text: text.replace("# c", "# d"), "comment"),
        (lambda text: text.replace("  # c", "\n# c"), "comment"),
        (lambda text: text.replace("# c\n", "\n"), "comment"),
        (lambda text: text.replace("# c", f"{' ' * next(MORE)}# c"), "different text"),
    ],
)
def test_a_text_that_is_not_as_it_should_be_is_refused(spoil, words: str, monkeypatch: pytest.MonkeyPatch) -> None:
    render = proving.render
    monkeypatch.setattr(proving, "render", lambda text: spoil(render(text)))
    with pytest.raises(FormatError, match=words):
        canonical(Source("x", HEAD + "go # c\n"))


# ---- whatever blanks the author likes


def remade(text: str, chance: random.Random) -> str:
    """A canonical text with other blanks, indentation and line ends."""
    width, end = chance.choice(["\t", " ", "  ", "   ", "       "]), chance.choice(["\n", "\r\n"])
    lines = []
    for line in text.split("\n"):
        depth = (len(line) - len(line.lstrip(" "))) // 4
        pieces = PIECES.findall(line.lstrip(" "))
        if pieces[:1] and pieces[0].startswith("="):
            pieces = ["=" * chance.randint(2, 9), chance.choice(["", " "]), pieces[2], "=" * chance.randint(2, 9)]
        blanks = (chance.choice([" ", "  ", "\t", " \t "]) if piece.isspace() else piece for piece in pieces)
        behind = chance.choice(["", "", " ", "\t"]) if not line.lstrip().startswith("#") else ""
        lines.append((width * depth if pieces else "") + "".join(blanks) + behind)
    return end.join(lines)


@given(st.sampled_from(SHORT), st.randoms())
def test_other_blanks_make_no_other_text(path: Path, chance: random.Random) -> None:
    text = text_of(path)
    assert formatted(remade(text, chance)) == text


@pytest.mark.parametrize("path", LONG)
def test_other_blanks_make_no_other_text_of_a_whole_game(path: Path, long_run: bool) -> None:
    text = text_of(path)
    for seed in range(5 if long_run else 1):
        assert formatted(remade(text, random.Random(seed))) == text


@given(st.sampled_from(SHORT), st.randoms())
def test_comments_stay_wherever_they_are(path: Path, chance: random.Random) -> None:
    rows = []
    for number, line in enumerate(text_of(path).split("\n")[:-1]):
        if chance.random() < 0.1:
            rows.append("")
        if chance.random() < 0.1:
            rows.append(f"{' ' * chance.randint(0, 12)}# above {number}")
        rows.append(f"{line} # behind {number}" if line and "#" not in line and chance.random() < 0.2 else line)
    text = "\n".join(rows)
    found = formatted(text)

    def attached(text: str) -> list[tuple[str, str]]:
        """Each comment with the words that stand before it on its line."""
        lines = [line.partition("#") for line in text.split("\n") if "#" in line]
        return [(re.sub(r"\s", "", before), comment.strip()) for before, _, comment in lines]

    assert attached(found) == attached(text)
    assert formatted(found) == found
    assert parse(Source("x", found)) == parse(Source("x", text))


# ---- whatever the author writes

NAMES = st.sampled_from(["a", "b_1", "me", "hand", "x"])
ATOMS = st.one_of(
    NAMES.map(lambda name: [name]),
    st.integers(0, 12).map(lambda number: [str(number)]),
    st.sampled_from([["1", "..", "3"], ['"a {b}"'], ["red", "wall"], ["2", "red"], ["[", "]"], ["{", "}"]]),
)


def larger(inner: st.SearchStrategy[list[str]]) -> st.SearchStrategy[list[str]]:
    operators = ["+", "-", "*", "&", "<", ">=", "is", "is not", "is not in", "before", "and", "or"]
    closed = inner.map(lambda words: ["(", *words, ")"])
    both = st.tuples(closed, closed)
    return st.one_of(
        closed,
        st.tuples(closed, st.sampled_from(operators), closed).map(lambda p: [*p[0], *p[1].split(), *p[2]]),
        both.map(lambda p: [*p[0], "/", *p[1], "rounded up"]),
        st.tuples(st.sampled_from(["-", "not", "count"]), closed).map(lambda p: [p[0], *p[1]]),
        st.tuples(NAMES, inner).map(lambda p: [p[0], "(", *p[1], ")"]),
        st.tuples(NAMES, inner, NAMES).map(lambda p: [p[0], "[", *p[1], "]", ".", p[2]]),
        st.tuples(inner, inner).map(lambda p: ["[", *p[0], ",", *p[1], "]"]),
        both.map(lambda p: ["(", *p[0], "if", *p[1], "else", "1", ")"]),
        both.map(lambda p: ["{", "y", "in", *p[0], "where", *p[1], "}"]),
        both.map(lambda p: ["(", "sum", "-", *p[0], "for", "y", "in", "hand", "with", "z", "in", *p[1], ")"]),
        both.map(lambda p: ["(", "no", "y", "in", *p[0], "where", "not", *p[1], ")"]),
    )


EXPRESSIONS = st.recursive(ATOMS, larger, max_leaves=8)


def spelled(words: list[str], chance: random.Random, broken: bool) -> str:
    """The words with blanks between them, also with new lines and comments where the language lets them stand."""
    text, inside = "", 0
    for word, following in zip(words, [*words[1:], ""], strict=True):
        inside += (word in "([{") - (word in ")]}")
        gaps = ["", " ", "\t "] + [" \n", "\n \t", " # c\n", "\n#c\n\n  # d\n "] * (broken and inside > 0)
        gap = chance.choice(gaps) if following else ""
        glued = WORD.match(word[-1]) and WORD.match(following[:1])
        text += word + (gap or " " * bool(glued))
    return text


@given(EXPRESSIONS, st.randoms())
def test_any_expression(words: list[str], chance: random.Random) -> None:
    one, other = (formatted(f"{HEAD}set a to {spelled(words, chance, False)}\n") for _ in range(2))
    assert one == other
    assert one.count("\n") == HEAD.count("\n") + 1
    broken = f"{HEAD}if ({spelled(['(', *words, ')'], chance, True)}):\n\n  go # e\n"
    found = formatted(broken)
    assert parse(Source("x", found)) == parse(Source("x", broken))
    assert formatted(found) == found
    assert [comment.strip() for comment in re.findall("#.*", found)] == re.findall("#.*", broken)
