"""Branches, requirements and `offered once` in the wrong place."""

from __future__ import annotations

import re

from dsl.diagnostics import Diagnostic
from dsl.syntax.misplaced import indentation
from dsl.syntax.segments import unit_start
from dsl.syntax.stop import Problem


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
