"""Loops, tables, pieces, requirements and paths, written as in other languages."""

from __future__ import annotations

import re

from dsl.diagnostics import Diagnostic
from dsl.syntax.common_mistakes import LineForm, first_of, line
from dsl.syntax.misplaced import indentation
from dsl.syntax.segments import unit_start
from dsl.syntax.stop import Problem

_OWN_SET = "each name needs its own `in`, joined by `with`"
_IN = "expected `in`, found `{at}`"
_WHERE = "expected `where`, found `{at}`"
_COLUMN = "a column can bind only one name"
_HOW_MANY = "the number of pieces must come after a `:`"
_BIND = r"(?:for each|for|some|no|count|the)"
_SET = r"[\w.]+(?:\[[^\]]*\])?"
_TYPED = re.compile(r"(\w+): ?([A-Z]\w*)")


def foreign_form(p: Problem) -> Diagnostic | None:
    """Report a loop, a table or a requirement written as in other languages."""
    return first_of(FOREIGN_FORMS, p)


def if_or_else_in_line(p: Problem) -> Diagnostic | None:
    """Report an `if` after a colon, or an `else` after a statement: each must begin a new line."""
    text = p.line_before.rstrip()
    if p.kind == "_ELSE" and text and re.match(r"(?:else )?if\b", text.lstrip()) and re.search(r":\s*\S", text):
        return p.error(
            "E0131", "`else` must begin a new line", "write it in the same column as its `if`",
            new=p.put(f"\n{indentation(p.line)}", p.line_start + len(text.rstrip(", ")), p.start),
        )  # fmt: skip
    if p.kind == "_ELSE" and re.match(r"\s+\S.* if .", text) and p.expected <= {"_NL", "CITE"}:
        value = p.text[p.end : p.line_end].split("#")[0].strip()
        return p.error(
            "E0131", "each case must be on its own line", "end the last one with `otherwise`",
            new=p.put(f"\n{indentation(p.line)}{value} otherwise", p.line_start + len(text), p.end + 1 + len(value)),
        )  # fmt: skip
    if p.kind != "_IF" or not text.endswith(":") or "_MOVE" not in p.expected:
        return None
    colon = p.line_start + len(text) - 1
    if re.fullmatch(r"\s*else\s*:", text):
        return p.error(
            "E0131", "unexpected `:` between `else` and `if`", "write `else if …:`", new=p.put(" ", colon, p.start)
        )
    message = "`if` must begin a new line"
    rest = p.text[p.start : p.line_end].split("#")[0].rstrip()
    otherwise = _next_line(p).startswith("else")
    loop = re.match(r"\s*for each ", text) and not re.search(r"\bwhere\b", text)
    if loop and not otherwise:
        return p.error("E0131", message, "write `where` instead of `: if`", new=p.put(" where ", colon, p.end + 1))
    if rest.endswith(":") or otherwise:
        return p.error("E0131", message, "move it to the next line, indented, together with its block")
    return p.error(
        "E0131", message, "move it to the next line, indented",
        new=p.put(f":\n{indentation(p.line)}    ", colon, p.start),
    )  # fmt: skip


def misplaced_requirement(p: Problem) -> Diagnostic | None:
    """Report a requirement outside actions and steps."""
    if p.kind != "_REQUIRE":
        return None
    if "_ZONE" in p.expected:
        return p.error("E0132", "only actions and steps can have requirements", "move it below the line `action …:`")
    first = re.match(r"\s*(\w+)", p.text[unit_start(p.text, p.begin, p.line_start) :])
    if first and first[1] in ("phase", "when") and "_MOVE" in p.expected:
        return p.error(
            "E0132", f"a `{first[1]}` cannot have requirements", "only actions can be refused",
            "put what depends on a condition below an `if`",
        )  # fmt: skip
    return None


def misplaced_once(p: Problem) -> Diagnostic | None:
    """Report `offered once for` anywhere but below the label of an action, or in other words."""
    if p.kind == "STRING" and not p.line_before.strip() and {"_OFFERED_ONCE", "_REQUIRE"} <= p.expected:
        return p.error("E0105", "the label must come before `offered once for`", "swap the two lines")
    match = re.match(r"\s*(offered[ \t]+(?P<only>only[ \t]+)?once([ \t]+for)?)\b", p.line)
    if match is None or p.line_before.strip() not in ("offered", "offered only"):
        return None
    first = re.match(r"\s*(\w+)", p.text[unit_start(p.text, p.begin, p.line_start) :])
    if first is None or first[1] != "action":
        message, helps = "only actions are `offered once`", "move it below the label of an `action`"
        return p.error("E0132", message, helps, at=p.words[0])
    if match["only"]:
        at = p.span(p.line_start + match.start(1), p.line_start + match.end(1))
        new = "offered once for"
        return p.error("E0112", f"`{at.text}` is not a phrase", f"write `{new}`", at=at, new=new)
    return p.error(
        "E0105", "`offered once for` must come before requirements and statements",
        "move it up, directly below the label", at=p.words[0],
    )  # fmt: skip


def _next_line(p: Problem) -> str:
    """The next line that is not empty, if it begins in the same column."""
    for below in p.text[p.line_end + 1 :].split("\n"):
        code = below.split("#")[0].rstrip()
        if code:
            return code.lstrip() if indentation(below) == indentation(p.line) else ""
    return ""


def _typed(match: re.Match[str]) -> str:
    pairs = " with ".join(f"{name} in {kind}" for name, kind in _TYPED.findall(match["v"]))
    return f"{match['a']}{pairs}{match['r']}"


def _expects_words(p: Problem) -> bool:
    return "STRING" in p.expected and "INT" not in p.expected


FOREIGN_FORMS: tuple[LineForm, ...] = (
    # two names
    LineForm(
        line(
            rf"(?P<a>.*\b{_BIND} )(?P<at>\(?(?P<x>\w+)(?:,| and) ?(?P<y>\w+)\)?) in (?P<s>{_SET})(?P<r>.*)"
        ),
        "E0133", _OWN_SET, "{a}{x} in {s} with {y} in {s}{r}", only_at_error=True,
    ),
    LineForm(
        line(rf"(?P<a>.*\b{_BIND} \w+ in .+?)(?P<at>(?:,? for each|,? for|,| and) ?)(?P<y>\w+ in .+)"),
        "E0133", _OWN_SET, "{a} with {y}", only_at_error=True,
    ),
    LineForm(
        line(
            r"(?P<a>(?:table \"[^\"]*\" )?for each )(?P<v>\w+(?P<at>:) ?[A-Z]\w*(?:, ?\w+: ?[A-Z]\w*)*)"
            r"(?P<r>(?:, on| where|:).*)"
        ),
        "E0133", _IN, _typed, only_at_error=True,
    ),
    LineForm(
        line(r"(?P<a>.*\bin .+ with \w+)(?P<at>:) ?(?P<s>[A-Z]\w*)(?P<r>.*)"),
        "E0133", _IN, "{a} in {s}{r}", fits=lambda p: p.expected == {"_IN"},
    ),
    LineForm(
        line(rf"(?P<a>.*\b{_BIND} \w+ in [^:]+?) (?P<w>where .+?) (?P<at>with) (?P<b>\w+ in [^:]+?)(?P<r>:.*)"),
        "E0133", "`where` must come after all names", "{a} with {b} {w}{r}", only_at_error=True,
    ),
    LineForm(
        line(r"(?P<a>(?:table .* )?for each \w+) (?P<at>of|from|among) (?P<r>.+)"),
        "E0133", _IN, "{a} in {r}", only_at_error=True,
    ),
    LineForm(
        line(r"(?P<a>(?:action|step|define|when) \w+\((?:.*, ?)?(?:secret )?\w+) (?P<at>of|from|among) (?P<r>.+)"),
        "E0133", _IN, "{a} in {r}", only_at_error=True,
    ),
    LineForm(
        line(r"for each player (?P<at>\w+)(?P<r>(?: where .*)?:.*)"),
        "E0133", _IN, "for each {at} in Player{r}", only_at_error=True,
    ),
    LineForm(
        line(r"(?:action|step|define|when) \w+\((?:.*, ?)?(?:secret )?(?P<x>\w+)(?: in|:) [^,]+? (?P<at>where) .+"),
        "E0105", "a parameter cannot have a `where`",
        help="write a `require` below, or take the values from a set: `{x} in {{… in … where …}}`", only_at_error=True,
    ),
    # conditions
    LineForm(line(r"(?P<a>.*\bfor each .+?)(?P<at>,) (?P<r>where .+)"), "E0105", _WHERE, "{a} {r}", only_at_error=True),
    LineForm(
        line(r"(?P<a>.*\bfor each [^:]+?),? (?P<at>if|when) (?P<r>.+)"), "E0105", _WHERE, "{a} where {r}",
        only_at_error=True
    ),
    LineForm(
        line(r"(?P<at>else) (?!if\b)(?P<c>[^:]+):(?P<r>.*)"), "E0105", "`else` cannot have a condition",
        "else if {c}:{r}", fits=lambda p: p.line_before.strip() == "else" and not p.found_text[:1].isupper(),
    ),
    LineForm(
        line(r"(?P<a>define .+?:) (?P<v>[^:]+) (?P<at>if) (?!.*\belse\b)(?P<c>[^:]+)"), "E0105",
        "cases must be on the lines below `define …:`", help="write `{v} if {c}` there, and `… otherwise` for the rest",
        only_at_error=True,
    ),
    # tables
    LineForm(
        line(r"(?P<a>table \".*[^,\s]) (?P<at>on board)(?P<r>:.*)"), "E0105", "missing `,` before `on board`",
        "{a}, on board{r}", fits=lambda p: p.found_text in ("on", "board", "on board"),
    ),
    LineForm(
        line(r"(?P<a>table \".*), (?P<at>on board) (?P<b>(?:for each|where) [^:]+)(?P<r>:.*)"),
        "E0105", "`on board` must come last", "{a} {b}, on board{r}",
    ),
    LineForm(
        line(r"(?P<at>for each (?P<b>[^:\"]+)):.*"), "E0105", "`for each` belongs in the first line of the table",
        help="write `table \"…\" for each {b}:`", fits=_expects_words,
    ),
    LineForm(
        line(r"\"[^\"]*\": \w+ in [^:]+? (?P<at>with) \w+ in .*"), "E0105", _COLUMN,
        help="rows can bind two: `table \"…\" for each … with …:`", only_at_error=True,
    ),
    LineForm(
        line(r"(?P<a>\"[^\"]*\": )(?P<at>for each) (?P<b>\w+ in [^:]+?)(?::| as) ?(?P<v>.+)"), "E0105",
        "unexpected `for each` in a column", "{a}{b} as {v}",
    ),
    LineForm(
        line(r"(?P<a>\"[^\"]*\": \w+ in [^:]+?)(?P<at>:) ?(?P<v>.+)"), "E0105",
        "expected `as` before the entry", "{a} as {v}", only_at_error=True,
    ),
    LineForm(
        line(r"\"[^\"]*\": (?P<at>\w+ in (?P<s>.+))"), "E0105", "missing `as` with the entry for each",
        help="add `as …`, or write only `{s}` to show its members", fits=lambda p: p.at_line_end,
    ),
    LineForm(
        line(r"\"[^\"]*\": .+?(?P<at>,) .+"), "E0105", "a column can have only one value",
        help="write the next one on its own line, with its own heading", only_at_error=True,
    ),
    # pieces
    LineForm(line(r"(?P<a>piece \w+) (?P<at>in) (?P<r>.+)"), "E0105", _HOW_MANY, "{a}: 1 in {r}"),
    LineForm(line(r"piece (?P<at>\d+) (?P<x>\w+)(?P<r>(?: .*)?)"), "E0105", _HOW_MANY, "piece {x}: {at}{r}"),
    LineForm(line(r"(?P<a>piece \w+) (?P<at>[x*] ?(?P<n>\d+))(?P<r>.*)"), "E0105", _HOW_MANY, "{a}: {n}{r}"),
    LineForm(line(r"(?P<a>piece \w+: .+?)(?P<at>,) (?P<r>in .+)"), "E0105", "unexpected `,` before `in`", "{a} {r}"),
    LineForm(
        line(r"(?P<a>piece \w+: .+ for each .+?) (?P<at>with|and) (?P<r>\w+: .+)"), "E0105",
        "attributes must be separated by `,`", "{a}, {r}",
    ),
    LineForm(
        line(r"piece \w+: .+ for each .+? (?P<at>where) .+"), "E0105",
        "pieces cannot have a `where`: there are some for every combination",
        help="let the number be 0 for some: `piece Card: (2 if rank is low else 0) for each rank: Rank`",
        only_at_error=True,
    ),
    # reasons
    LineForm(
        line(r"(?P<a>require .+?)(?<!because)(?<!because )(?P<at>,| else| or| otherwise|:|) ?(?P<s>\"[^\"]*\")"),
        "E0105", "missing `because` before the reason", "{a} because {s}", fits=lambda p: "_BECAUSE" in p.expected,
    ),
)  # fmt: skip
