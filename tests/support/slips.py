"""Rules files with one mistake each, of the kinds that authors make: what `check` says of them should be short.

`slips` knows the language and no game. It changes the text of a file, so that layout and line numbers stay as an author
would have them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

from dsl import ast
from dsl.checker.names.declarations import declarations
from dsl.text.span import Span

WORD = re.compile(r"[A-Za-z_]\w*")
SMALL = 2
"""The size that a number becomes."""


@dataclass(frozen=True)
class Slip:
    """A file with a mistake: of which kind it is, in which lines, and the names that it is about."""

    sort: str
    lines: frozenset[int]
    names: frozenset[str]
    text: str

    def __str__(self) -> str:
        return f"{self.sort} ({', '.join(sorted(self.names))}) in line {min(self.lines)}"


def slips(file: ast.GameFile) -> Iterator[Slip]:
    """Every slip of a game, in the order of their kinds."""
    declared = [node for node in declarations(file) if not isinstance(node, ast.Example)]
    names = {name for node in declared if (name := name_of(node))}
    binders = _binder_names(file)
    for node in declared:
        yield from _of_declaration(node)
    for node in declared:
        for inner, name in _values(node):
            yield _renamed("value misspelt", inner.span, name, turned(name))
            for taken in sorted(binders - names)[:1]:
                yield _renamed("value declared as a binder", inner.span, name, taken)
                yield _renamed_everywhere(inner.span, name, taken)
    for node in declared:
        yield from _sizes(node)
        yield from _types(node, sorted(_types_of(declared)))
    for node in declared:
        for use in _uses(node):
            yield _renamed("use misspelt", use.span, _name(use), turned(_name(use)))
        yield from _parameters(node)
        yield from _swapped(node)


def broken_lines(file: ast.GameFile) -> Iterator[Slip]:
    """Every line of the game deleted, and who sees something changed to nobody and to all."""
    source = file.span.source
    start = 0
    for number, line in enumerate(source.text.split("\n"), 1):
        words = frozenset(WORD.findall(line.split("#")[0]))
        if words and not line.startswith(("game", "==")):
            yield Slip(
                "line deleted", frozenset({number}), words, _put(Span(source, 0, 0), start, start + len(line), "")
            )
        start += len(line) + 1
    for node in file.walk():
        for sight in node.sights if isinstance(node, ast.Zone | ast.Note) else ():
            for viewers in ("nobody", "all"):
                text = _put(sight.span, sight.viewers.span.start, sight.viewers.span.end, viewers)
                yield Slip("sight changed", _lines(sight.span), frozenset({node.name}), text)


def name_of(node: ast.Node) -> str:
    """The name that a declaration brings in, if there is one."""
    return "" if isinstance(node, ast.When) else str(getattr(node, "name", None) or "")


def turned(word: str) -> str:
    """A word with two letters swapped, or with one letter more."""
    place = next((place for place in range(1, len(word)) if word[place] != word[place - 1]), 0)
    if not place or not word[0].isalpha():
        return f"{word}x"
    if word[:1].isupper() and place == 1:
        return f"{word}x"
    return word[: place - 1] + word[place] + word[place - 1] + word[place + 1 :]


def _lines(span: Span) -> frozenset[int]:
    return frozenset(range(span.line, span.source.line_of(max(span.start, span.end - 1)) + 1))


def _put(span: Span, start: int, end: int, new: str) -> str:
    text = span.source.text
    return text[:start] + new + text[end:]


def _renamed(sort: str, span: Span, name: str, new: str) -> Slip:
    """The first mention of a name in a span, replaced by another name."""
    found = re.search(rf"(?<!\w){re.escape(name)}(?!\w)", span.text)
    assert found is not None, (span.text, name)
    start = span.start + found.start()
    at = Span(span.source, start, start + len(name))
    return Slip(sort, _lines(at), frozenset({name, new}), _put(span, at.start, at.end, new))


def _renamed_everywhere(span: Span, name: str, new: str) -> Slip:
    """A value that takes a name which binders have, wherever it is used."""
    text = re.sub(rf"(?<![\w.]){re.escape(name)}(?!\w)", new, span.source.text)
    return Slip("value called as a binder", _lines(span), frozenset({name, new}), text)


def _of_declaration(node: ast.Declaration) -> Iterator[Slip]:
    name, span = name_of(node), node.span
    if not name:
        return
    yield _renamed("declaration misspelt", span, name, turned(name))
    whole = _whole_lines(span)
    if whole is None:
        return
    about = {name, *(value for _, value in _values(node))}
    taken = span.source.text[whole.start : whole.end]
    if not isinstance(node, ast.Phase):
        gone = re.sub(r"[^\n]", "", taken)
        yield Slip("declaration deleted", _lines(span), frozenset(about), _put(span, whole.start, whole.end, gone))
    again = span.source.text[: whole.end] + taken + span.source.text[whole.end :]
    more = frozenset(line + taken.count("\n") for line in _lines(span))
    yield Slip("declaration duplicated", _lines(span) | more, frozenset(about), again)


def _whole_lines(span: Span) -> Span | None:
    """The lines of a declaration, if they contain nothing else."""
    text = span.source.text
    start = text.rfind("\n", 0, span.start) + 1
    end = text.find("\n", max(span.start, span.end - 1)) + 1
    return Span(span.source, start, end) if end and not text[start : span.start].strip() else None


def _values(node: ast.Node) -> Iterator[tuple[ast.Node, str]]:
    match node:
        case ast.TypeList():
            yield from ((shape, shape.name) for shape in node.shapes if shape.name is not None)
        case ast.TypeTable() | ast.ByPlayers():
            yield from ((row, row.key) for row in node.rows if isinstance(row.key, str))
        case _:
            pass


def _binder_names(file: ast.GameFile) -> set[str]:
    """The names that at least five binders or parameters have."""
    found: dict[str, int] = {}
    for node in file.walk():
        if isinstance(node, ast.Binder | ast.Parameter):
            found[node.name] = found.get(node.name, 0) + 1
    return {name for name, times in found.items() if times >= 5}


def _sizes(node: ast.Declaration) -> Iterator[Slip]:
    """Numbers in what there is: a size that is too small."""
    if not isinstance(
        node, ast.TypeBoard | ast.Note | ast.Zone | ast.Option | ast.Piece | ast.TypeList | ast.TypeTable
    ):
        return
    head = node.span.text.split("\n")[0]
    head = re.sub(r'"[^"]*"|#.*|\[[A-Z]+-[^\]]*\]', lambda found: " " * len(found.group()), head)
    for found in re.finditer(r"(?<!\w)\d+(?!\w)", head):
        if int(found.group()) <= SMALL:
            continue
        at = Span(node.span.source, node.span.start + found.start(), node.span.start + found.end())
        named = frozenset({name_of(node)})
        yield Slip("size changed", _lines(at), named, _put(at, at.start, at.end, str(SMALL)))


def _types_of(declared: list[ast.Declaration]) -> set[str]:
    return {node.name for node in declared if isinstance(node, ast.TypeList | ast.TypeTable | ast.TypeBoard)} | {
        "Player",
        "Truth",
    }


def _types(node: ast.Declaration, known: list[str]) -> Iterator[Slip]:
    """Types that are named: another one instead."""
    if isinstance(node, ast.Phase | ast.Action | ast.Step | ast.When | ast.Table | ast.Winner | ast.Teams):
        return
    for inner in node.walk():
        if isinstance(inner, ast.TypeName) and inner.name in known:
            other = known[(known.index(inner.name) + 1) % len(known)]
            slip = _renamed("type changed", inner.span, inner.name, other)
            yield Slip(slip.sort, slip.lines, slip.names | {name_of(node)}, slip.text)


def _uses(node: ast.Declaration) -> Iterator[ast.Node]:
    for inner in node.walk():
        if isinstance(inner, ast.Name | ast.TypeName | ast.Act | ast.Attribute) and len(_name(inner)) > 2:
            yield inner


def _name(node: ast.Node) -> str:
    return str(getattr(node, "name", ""))


def _parameters(node: ast.Declaration) -> Iterator[Slip]:
    """Names of parameters, binders and lets."""
    for inner in node.walk():
        if isinstance(inner, ast.Parameter | ast.Binder | ast.Let | ast.Choose) and not isinstance(
            node, ast.Piece | ast.TypeTable | ast.TypeBoard
        ):
            yield _renamed("local misspelt", inner.span, inner.name, f"{inner.name}q")


def _swapped(node: ast.Declaration) -> Iterator[Slip]:
    """Two neighbouring words of a line swapped."""
    start = node.span.start
    for line in node.span.text.split("\n"):
        bare = re.sub(r'"[^"]*"|#.*|\[[A-Z]+-[^\]]*\]', lambda found: " " * len(found.group()), line)
        words = list(WORD.finditer(bare))
        for one, two in list(pairwise(words))[:1]:
            between = line[one.end() : two.start()]
            new = two.group() + between + one.group()
            if new != line[one.start() : two.end()]:
                at = Span(node.span.source, start + one.start(), start + two.end())
                names = frozenset({one.group(), two.group()})
                yield Slip("words swapped", _lines(at), names, _put(at, at.start, at.end, new))
        start += len(line) + 1
