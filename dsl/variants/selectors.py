"""Selectors: what a variant refers to in the base, by name, reason, condition or first word.

Each function returns the node it finds, or a diagnostic that lists the likely candidates.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher, get_close_matches
from functools import cached_property

from dsl import ast
from dsl.diagnostics import Diagnostic, Label, Replacement
from dsl.lazy_dataclasses import dataclass
from dsl.text.span import Span

MAX_CANDIDATES = 4
"""Maximum number of candidates listed."""


@dataclass(frozen=True)
class Base:
    """The game that a variant changes, with the companion file of its examples if it was read."""

    file: ast.GameFile
    companion: ast.ExamplesFile | None

    @cached_property
    def declarations(self) -> tuple[ast.Node, ...]:
        """Everything that can be selected by its kind and name, in source order."""
        nodes: list[ast.Node] = [self.file.header, *self.file.options]
        for part in self.file.parts:
            for node in part.declarations:
                nodes += _with_phases(node)
        return (*nodes, *(self.companion.examples if self.companion else ()))

    @cached_property
    def setup(self) -> tuple[ast.Statement, ...]:
        """The statements of the set-up."""
        return tuple(statement for part in self.file.parts for statement in part.statements)

    def declared(self, keyword: str, name: str, span: Span) -> ast.Node | Diagnostic:
        """The only declaration of a kind and name; titles may be given in part."""
        same = [node for node in self.declarations if keyword_of(node) == keyword]
        if keyword in SINGLE:
            fitting = same
        else:
            fitting = [node for node in same if name_of(node) == name]
            # The whole title goes first: `"Draw"` means the example of that title even if another is titled `"Draw
            # again"`.
            if not fitting and keyword in TITLED and name:
                fitting = [node for node in same if name in name_of(node)]
        if len(fitting) == 1:
            return fitting[0]
        if fitting:
            number = len(fitting)
            if keyword in TITLED:
                message = f'{number} {keyword}s have `"{name}"` in their titles'
                return _ambiguous(message, span, fitting, "quote more of the title")
            message = f"the game has {number} declarations of {describe(keyword, name)}"
            return _ambiguous(message, span, fitting, "")
        return self._none(keyword, name, span, same)

    def _none(self, keyword: str, name: str, span: Span, same: Sequence[ast.Node]) -> Diagnostic:
        namesake = next(
            (node for node in self.declarations if keyword not in TITLED and name and name_of(node) == name), None
        )
        if namesake is not None:
            actual = keyword_of(namesake)
            return Diagnostic(
                "E0801", "error",
                f"`{name}` is {with_article(noun_of(actual))}, not {with_article(noun_of(keyword))}",
                span, (Label(namesake.span, "declared here"),), (f"write `{actual} {name}`",),
                _substitute(span, keyword, actual),
            )  # fmt: skip
        return _unknown(f"the game has no {describe(keyword, name)}", span, name, [name_of(node) for node in same])


def requirement(rule: ast.Action | ast.Step, words: str, span: Span) -> ast.Require | Diagnostic:
    """The only requirement whose reason has these words."""
    # The same for reasons: quoted whole they are never ambiguous, unless two requirements have the same reason.
    exact = [node for node in rule.requires if node.reason.value == words]
    matching = exact or [node for node in rule.requires if words in node.reason.value]
    if len(matching) == 1:
        return matching[0]
    if matching:
        message = f"{len(matching)} requirements of `{rule.name}` have these words in their reasons"
        return _ambiguous(message, span, matching, "quote more of the reason")
    reasons = [f'`"{node.reason.value}"`' for node in rule.requires]
    return _missing(rule, f"no requirement of `{rule.name}` has these words in its reason", span, words, reasons)


def once(action: ast.Action, span: Span) -> ast.OfferedOnce | Diagnostic:
    """The line that says which moves of an action are the same."""
    if action.once:
        return action.once[0]
    return _missing(action, f"`{action.name}` has no line `offered once for …`", span, "", ())


def case(define: ast.Define, condition: ast.Expression | None, span: Span) -> ast.Case | Diagnostic:
    """The only case with this condition; without a condition the last one, which is `otherwise`."""
    # Nodes are equal if their content is, wherever they stand: the condition is found however it is spaced.
    matching = [node for node in define.cases if node.condition == condition]
    if len(matching) == 1:
        return matching[0]
    if matching:
        message = f"{len(matching)} cases of `{define.name}` have this condition"
        return _ambiguous(message, span, matching, f"replace the whole definition: `replace define {define.name} …`")
    guards = [f"`if {_text(node.condition)}`" if node.condition else "`otherwise`" for node in define.cases]
    selector = f"if {_text(condition)}" if condition else "otherwise"
    return _missing(define, f"`{define.name}` has no case with this condition", span, selector, guards)


def row(tables: Sequence[ast.TypeTable | ast.ByPlayers], key: str | int, span: Span) -> ast.Row | Diagnostic:
    """The only row that begins with this name or number."""
    every = [node for table in tables for node in table.rows]
    matching = [node for node in every if node.key == key]
    if len(matching) == 1:
        return matching[0]
    if matching:
        return _ambiguous(f"{len(matching)} rows begin with `{key}`", span, matching, "")
    message = f"no row of {describe(keyword_of(tables[0]), name_of(tables[0]))} begins with `{key}`"
    return _unknown(message, span, str(key), [str(node.key) for node in every])


StatementOwner = ast.Action | ast.Step | ast.When | ast.Phase | ast.Setup
"""What has statements that a variant can select."""


def statement(owner: StatementOwner, key: ast.StatementKey) -> ast.Statement | Diagnostic:
    """The only statement that says the same, or the only one with this first line, at any depth."""
    every = list(ast.nested(owner.statements if isinstance(owner, ast.Setup) else owner.body))
    matching = [node for node in every if ast.first_line(node) == key.statement]
    if len(matching) == 1:
        return matching[0]
    name = name_of(owner) or "setup"
    if matching:
        message = f"{len(matching)} statements of `{name}` are the same"
        outer = "replace the statement that this one is in, or all of "
        return _ambiguous(message, key.span, matching, f"{outer}{describe(keyword_of(owner), name_of(owner))}")
    message = f"`{name}` has no such statement"
    if not every:
        return Diagnostic("E0801", "error", message, key.span, (Label(owner.span, "declared here"),))
    nearest = max(every, key=lambda node: SequenceMatcher(None, _text(key), first_line_text(node)).ratio())
    text = first_line_text(nearest)
    labels, helps = (Label(nearest.span, "the nearest statement"),), (f"did you mean `{text}`?",)
    return Diagnostic("E0801", "error", message, key.span, labels, helps, (Replacement(key.span, text),))


def first_line_text(node: ast.Statement) -> str:
    """A statement as one line, without the citation at its end; one with blocks up to its colon, or `else:`."""
    text = node.span.source.text
    if not ast.has_blocks(node):
        return re.sub(r" \[[A-Z]{1,4}-[^\]]*\]$", "", _text(node))
    inner = {statement.number for block in ast.blocks(node) for statement in block}
    last = max(child.span.end for child in node.children() if child.number not in inner)
    end = last if isinstance(node, ast.Decide) else text.index(":", last)  # `must go`, without its `else:`
    return " ".join(text[node.span.start : end].split())


def _with_phases(node: ast.Node) -> Iterator[ast.Node]:
    yield node
    if isinstance(node, ast.Phase):
        for subphase in node.phases:
            yield from _with_phases(subphase)


def _text(node: ast.Node) -> str:
    return " ".join(node.span.text.split())


def _unknown(message: str, span: Span, name: str, names: Sequence[str]) -> Diagnostic:
    """Report an unknown name, with the most similar known ones as candidates."""
    close = get_close_matches(name, sorted(set(names) - {""}), n=MAX_CANDIDATES, cutoff=0.6)
    helps = (f"did you mean {' or '.join(f'`{word}`' for word in close)}?",) if close else ()
    fixes = tuple(fix for word in close for fix in _substitute(span, name, word))
    return Diagnostic("E0801", "error", message, span, helps=helps, replacements=fixes)


def _substitute(span: Span, word: str, replacement: str) -> tuple[Replacement, ...]:
    """Replace the text at a span by another word."""
    # The span is that of the whole change, as the address has no node of its own; the word is replaced where it
    # stands alone, not inside a longer one.
    match = re.search(rf"(?<!\w){re.escape(word)}(?!\w)", span.text)
    if match is None:
        return ()
    part = Span(span.source, span.start + match.start(), span.start + match.end())
    return (Replacement(part, replacement),)


def _ambiguous(message: str, span: Span, candidates: Sequence[ast.Node], help: str) -> Diagnostic:
    labels = tuple(Label(node.span, "one") if number == 0 else Label(node.span, "another")
                   for number, node in enumerate(candidates[:MAX_CANDIDATES]))  # fmt: skip
    return Diagnostic("E0802", "error", message, span, labels, (help,) * bool(help))


def _missing(owner: ast.Node, message: str, span: Span, selector: str, parts: Sequence[str]) -> Diagnostic:
    """Report a missing part, naming those most similar to it."""
    near = sorted(parts, key=lambda one: SequenceMatcher(None, selector, one.strip('`"')).ratio(), reverse=True)
    helps = (f"candidate{'s' * (len(near) > 1)}: {', '.join(near[:MAX_CANDIDATES])}",) if near else ()
    return Diagnostic("E0801", "error", message, span, (Label(owner.span, "declared here"),), helps)


# ---------------- kinds and names of declarations: how variants and messages refer to them


TITLED = frozenset({"table", "example"})
"""Kinds that are identified by a quoted title."""

SINGLE = frozenset({"game", "setup", "board", "winner", "teams by", "by players"})
"""Kinds without names of their own."""

_KEYWORDS: dict[type[ast.Node], str] = {
    ast.Header: "game",
    ast.TypeList: "type",
    ast.TypeTable: "type",
    ast.TypeBoard: "type",
    ast.ByPlayers: "by players",
    ast.Teams: "teams by",
    ast.PositionDeclaration: "position",
}

_PARTS: dict[str, ast.PartName] = {
    "action": "phases",
    "step": "phases",
    "when": "phases",
    "phase": "phases",
    "define": "scoring",
    "winner": "scoring",
    "teams by": "scoring",
    "example": "examples",
}


def keyword_of(node: ast.Node) -> str:
    """The keyword a declaration begins with."""
    return _KEYWORDS.get(type(node), node.kind)


def name_of(node: ast.Node) -> str:
    """The name or title of a declaration; empty for a kind without names."""
    if isinstance(node, ast.Table | ast.Example):
        return node.title.value
    if isinstance(node, ast.Action | ast.Step):
        is_complete = node.name.endswith(")")  # the rule that the checker makes of a clause
        return node.name if node.clause is None or is_complete else ast.clause_name(node.name, node.clause.key)
    if isinstance(node, ast.Names):
        return node.language or ""
    return "" if keyword_of(node) in SINGLE else str(getattr(node, "name", ""))


def noun_of(keyword: str) -> str:
    """The noun that messages use for a kind."""
    return "definition" if keyword == "define" else keyword


def describe(keyword: str, name: str) -> str:
    """A declaration in words: ``action `lay` ``, `winner`."""
    if keyword in SINGLE or not name:
        return f"`{keyword}`"
    return f'{keyword} `"{name}"`' if keyword in TITLED else f"{noun_of(keyword)} `{name}`"


def part_for(node: ast.Node) -> ast.PartName:
    """The part of the game that an added declaration belongs to."""
    return _PARTS.get(keyword_of(node), "components")


def with_article(words: str) -> str:
    """`an action`, `a step`."""
    return f"{'an' if words[0] in 'aeiou' else 'a'} {words}"
