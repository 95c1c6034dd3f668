"""Keywords and names in the wrong order: parameters, comparisons, statements.

Each function looks at one place where parsing stopped (`Problem`) and recognises one mistake, or gives None. It sees
the line as text, what was found, and what the grammar would have accepted there. The last is what makes it reliable:

    action play(Card c):         found a name, expected `:` or a comma: the type was written first
    if 1 < n < 5:                found `<`, expected `and`: comparisons do not chain
    require n is at least 2      found a word, where an operator may follow

The text alone would match right lines, too; that nothing but these tokens was expected says that the line is in this
state. The first function that recognises something wins (`syntax_errors.py` has their order).
"""

from __future__ import annotations

import re

from dsl.diagnostics import Diagnostic
from dsl.syntax import terminals
from dsl.syntax.stop import Problem
from dsl.text.span import Source, Span
from dsl.text.spelling import nearest

_BINDING = ("some", "no", "the", "count", "for each", "each")
_PHRASES = (
    (r"is (?:greater|more|larger|bigger|higher) than", ">"),
    (r"is (?:less|fewer|smaller|lower) than", "<"),
    (r"is at least", ">="),
    (r"is at most", "<="),
    (r"(?:isn'?t|isnot|unequal)", "is not"),
    (r"(?<!is )not in", "is not in"),
    (r"(?:equals|is equal to|is the same as)", "is"),
)

_CONNECTIVE = re.compile(r"\b(?:and|or|if|else|where|require|while|when|until)\b|[(\[{,:]|(?<![<>])=")
_CLAUSE = ("COMMA", "LPAR", "RPAR")
"""What may follow a name that is the value of a clause."""


def indentation(line: str) -> str:
    """The leading spaces and tabs of a line."""
    return line[: len(line) - len(line.lstrip(" \t"))]


def contents_on_one_line(p: Problem) -> Diagnostic | None:
    """Report declarations whose contents follow the colon on the same line instead of on the lines below."""
    possible = p.expected - {"_NL", "CITE"} and not (p.first_word == "action" and p.kind == "STRING")
    if p.alone or possible or not p.line_before.rstrip().endswith(":") or p.at_line_end:
        return None
    indent = indentation(p.line) + "    "
    return p.error(
        "E0107", f"the contents of `{p.first_word}` must be on the lines below", "move this to its own line, indented",
        new=p.put(f"\n{indent}", p.line_start + len(p.line_before.rstrip()), p.start),
    )  # fmt: skip


def block_of_if_on_line(p: Problem) -> Diagnostic | None:
    """Report `step refill: if C:` with a block below: behind a heading, an `if` has its statement on the same line."""
    match = re.fullmatch(r"(?P<a>\s*(?!if\b|else\b).*?:)(?P<gap>\s+)if\b.*:\s*", p.line_before)
    if p.alone or not p.at_line_end or match is None:
        return None
    at = p.line_start + match.end("gap")
    return p.error(
        "E0107", "what this `if` does must be on the same line", "or move `if` to its own line, indented",
        at=p.span(at, at + len("if")),
    )  # fmt: skip


def expectations_on_one_line(p: Problem) -> Diagnostic | None:
    """Report `then count deck is 5 and ann may draw`, in an example: what a seat may do is a line of its own."""
    if p.alone or p.is_long or p.first_word not in ("then", "and"):
        return None
    match = re.fullmatch(r"(?P<a>.*\S)(?P<gap>\s+)and\s+\w+\s*", p.line_before) if p.found_text == "may" else None
    if p.found_text == "and" and re.search(r"\bmay\b", p.line_before):
        match = re.fullmatch(r"(?P<a>.*\S)(?P<gap>\s+)", p.line_before)
    if match is None:
        return None
    start, end = (p.line_start + place for place in match.span("gap"))
    return p.error(
        "E0105", "what a seat may do must be on a line of its own", "begin the next line with `and`",
        at=p.span(end, end + len("and")), new=p.put(f"\n{indentation(p.line)}", start, end),
    )  # fmt: skip


def untyped_parameter(p: Problem) -> Diagnostic | None:
    """Report `Player p`, or a parameter without a type."""
    words = [word for word in p.words if word.end <= p.start]
    if not p.expected <= {"COLON", "_IN", *_CLAUSE} or "COLON" not in p.expected or not words or not p.brackets:
        return None
    name = words[-1]
    if p.kind == "NAME":
        new = f"{p.found_text}: {name.text}"
        at = name.to(p.span())
        return p.error("E0105", "the name must come before the type", f"write `{new}`", at=at, new=new)
    if p.found_text not in (")", "]", ","):
        return None
    if name.text[:1].isupper():
        new = f"{name.text[:1].lower()}: {name.text}"
        return p.error("E0323", f"missing name before the type `{name.text}`", f"write `{new}`", at=name, new=new)
    return p.error("E0323", f"missing type after `{name.text}`", f"write, for example, `{name.text}: Player`", at=name)


def empty_brackets(p: Problem) -> Diagnostic | None:
    """Report empty brackets."""
    if p.found_text != ")" or not p.line_before.rstrip().endswith("("):
        return None
    opened = p.line_start + len(p.line_before.rstrip()) - 1
    at = p.span(opened, p.end)
    return p.error("E0105", "empty brackets", "omit the brackets if there are no arguments", at=at, new="")


def late_requirement(p: Problem) -> Diagnostic | None:
    """Report a requirement in a block of statements."""
    if p.kind != "_REQUIRE" or "_MOVE" not in p.expected:
        return None
    return p.error(
        "E0105", "requirements must come before statements",
        "move it up: all requirements are checked before the first statement runs",
    )  # fmt: skip


def late_label(p: Problem) -> Diagnostic | None:
    """Report a text that is a line of its own in a block of statements."""
    if p.kind != "STRING" or "_MOVE" not in p.expected or p.line_before.strip():
        return None
    return p.error(
        "E0105", f"expected a statement, found `{p.found_text}`",
        "the label of an action is its first line, above every `let` and requirement",
        f"to say something to all, write `tell {p.found_text}`",
    )  # fmt: skip


def worded_operator(p: Problem) -> Diagnostic | None:
    """Report a comparison in other words."""
    comparison = comparison_in_words(p.source, p.start, p.start)
    if comparison is None:
        return None
    at, sign = comparison
    return p.error("E0112", f"`{at.text}` is not an operator", f"write `{sign}`", at=at, new=sign)


def comparison_in_words(source: Source, start: int, end: int) -> tuple[Span, str] | None:
    """The comparison in other words that a part of a line belongs to or follows, and its sign."""
    line_start = source.text.rfind("\n", 0, start) + 1
    line = source.line(source.line_of(start))
    for pattern, sign in _PHRASES:
        for match in re.finditer(rf"\b{pattern}(?!\w)", line):
            at = Span(source, line_start + match.start(), line_start + match.end())
            if at.start <= end and start <= at.end + 1:
                return at, sign
    return None


def bare_in(p: Problem) -> Diagnostic | None:
    """Report `in` where `is in` is meant."""
    row = re.search(r"(?<![\w.])([A-Za-z_]\w*)[ \t]+[A-Za-z_]\w*[ \t]*$", p.line_before)
    if p.kind != "_IN" or "_IS" not in p.expected:
        return None
    if row and terminals.is_name(row[1]):
        at = p.span(p.line_start + row.start(1), p.line_start + row.end(1))
        proposals = nearest(row[1], _BINDING, 1, 0.7)
        helps = (
            f"did you mean `{proposals[0]}`?"
            if proposals
            else "names are bound by `some`, `no`, `the`, `count`, `for each`"
        )
        return p.error("E0112", f"`{row[1]}` cannot bind a name", helps, at=at, new=proposals[0] if proposals else None)
    return p.error("E0105", "expected `is in`, found `in`", "`in` alone only comes after a new name", new="is in")


def with_condition(p: Problem) -> Diagnostic | None:
    """Report `some c in hand[me] with c is king`."""
    words_before = [word for word in p.words if word.end <= p.start and word.text == "with"]
    if p.kind == "NAME" or "_IN" not in p.expected or len(p.expected) > 1 or not words_before:
        return None
    at = words_before[-1]
    return p.error(
        "E0105", "expected `where`, found `with`", "write `where`: `with` binds another name", at=at, new="where"
    )


def chained_comparison(p: Problem) -> Diagnostic | None:
    """Report `1 < n < 5`."""
    match = re.search(r"[<>]=?\s*([\w.]+(?:\[[^\]]*\]|\([^)]*\))*)\s*$", p.line_before)
    if match is None or p.found_text not in ("<", "<=", ">", ">=") or "_AND" not in p.expected:
        return None
    message, further = "comparisons cannot be chained", f"and {match[1]} {p.found_text}"
    # A correction is offered only if it means what its author meant: behind `not` it would negate the first half alone.
    if re.match(r"\s*not\b", _CONNECTIVE.split(p.line_before)[-1]):  # `not` binds more tightly than `and`
        return p.error("E0105", message, f"write `not (… {further} …)`")
    return p.error("E0105", message, f"write `… {further} …`", new=p.put(f"and {match[1]} ", p.start))


def half_comparison(p: Problem) -> Diagnostic | None:
    """Report `n > 1 and < 5`, where the second comparison lacks its left side."""
    match = re.search(
        r"(?P<left>[A-Za-z_][\w.]*(?:\[[^\]]*\]|\([^)]*\))*)\s*(?:[<>]=?|is\b)[^<>]*\b(?:and|or)\s*$", p.line_before
    )
    if match is None or p.found_text not in ("<", "<=", ">", ">="):
        return None
    operand = match["left"]
    new = p.put(f"{operand} ", p.start)
    return p.error("E0105", "this comparison has no left side", f"write `{operand} {p.found_text} …`", new=new)


CALLING_WORDS = frozenset({"call", "do", "execute", "invoke", "perform", "resolve", "run"})
"""Words that other languages, or rulebooks, put before the name of what is to be done."""


def unknown_statement(p: Problem) -> Diagnostic | None:
    """Report a line that begins with a word like a statement, but with an unknown one."""
    if p.line_before.strip() != p.first_word or not terminals.is_name(p.first_word) or p.at_line_end:
        return None
    if "LPAR" not in p.expected or p.expected - {"LPAR", "_NL", "CITE", "LSQB"}:
        return None
    if p.first_word in CALLING_WORDS and p.kind == "NAME":
        return p.error(
            "E0112", f"`{p.first_word}` is not needed to run a step",
            f"write its name alone: `{p.found_text}`",
            at=p.words[0], new=p.put("", p.words[0].start, p.start),
        )  # fmt: skip
    return p.error(
        "E0112", f"`{p.first_word} …` is not a statement",
        "statements begin with `move`, `set`, `add`, `must`, `may`, `if`, `for each` and the like",
        f"to run a step with arguments, write `{p.first_word}(…)`", at=p.words[0],
    )  # fmt: skip


def variant_selector(p: Problem) -> Diagnostic | None:
    """Report `remove` without a kind, `in` with a kind that has no parts, and a selector without its keyword."""
    text = p.line_before.strip()
    if p.kind == "NAME" and text == "remove" and "_ZONE" in p.expected:
        return _kindless(p, "remove", p.span())
    replaced = re.fullmatch(r"replace[ \t]+(?P<name>(?!setup\b)[a-z_]\w*)(?P<colon>[ \t]*:)?", text)
    if replaced and p.expected and terminals.is_name(replaced["name"]) and (replaced["colon"] or p.found_text == "("):
        start = p.line_start + len(indentation(p.line)) + replaced.start("name")
        return _kindless(p, "replace", p.span(start, start + len(replaced["name"])))
    if text == "in" and "_BY_PLAYERS" in p.expected:
        return p.error(
            "E0105",
            f"expected `setup`, `phase`, `action`, `step`, `when`, `define`, `type` or `by players`, found "
            f"`{p.found_text}`",
            "only these have parts that a variant can change: replace anything else as a whole",
        )  # fmt: skip
    if text in ("replace", "remove") and p.kind == "STRING" and "_REQUIRE" in p.expected:
        return p.error(
            "E0105", "a requirement is selected by its reason", f"write `{text} require because {p.found_text}`"
        )
    if text in ("replace require", "remove require") and p.expected == {"_BECAUSE"}:
        return p.error(
            "E0105", "a requirement is selected by its reason", f'write `{text} because "…"` with words of the reason'
        )
    if text in ("replace", "remove") and p.expected == {"_IF", "_OTHERWISE"}:
        return p.error(
            "E0105", "a case is selected by its condition", f"write `{text} if …` or `{text} otherwise`",
            *["add a `:` and the new case", "replace a definition without cases as a whole: `replace define NAME: …`"]
            * (text == "replace"),
        )  # fmt: skip
    decision = re.fullmatch(r"(?:before|after|replace|remove)[ \t]+(?P<first>(?:must|may)\b.*?)[ \t]+else", text)
    if decision and (p.kind == "COLON" or p.at_line_end) and _in_variant(p):
        return p.error(
            "E0105", "a decision is selected without its block after `else`", f"write `{decision['first']}`",
            at=p.span(p.line_start + p.line.rindex("else"), p.line_start + p.line.rindex("else") + len("else")),
        )  # fmt: skip
    return None


def bare_row(p: Problem) -> Diagnostic | None:
    """Report a value of a list that a variant adds or replaces as if it were a row of a table."""
    change = re.fullmatch(r"(?P<verb>add|replace)[ \t]+(?P<value>\w+)", p.line_before.strip())
    if change is None or not p.at_line_end or not _in_variant(p):
        return None
    return p.error(
        "E0105", f"`{change['value']}` has no columns",
        "a row has a value for each column; a type without columns is replaced as a whole: `replace type … is …`",
    )  # fmt: skip


def _in_variant(p: Problem) -> bool:
    return re.match(r"(?:[ \t]*(?:#.*)?\n)*[ \t]*variant\b", p.text) is not None


def _kindless(p: Problem, verb: str, name: Span) -> Diagnostic:
    """Report a change that names what it changes, but not what kind of declaration that is."""
    kinds = ("define", "action", "zone") if verb == "remove" else ("define", "action", "phase")
    examples = terminals.listed([f"`{verb} {kind} {name.text}`" for kind in kinds])
    return p.error("E0105", f"missing kind before `{name.text}`", f"write, for example, {examples}", at=name)


def plain_declaration(p: Problem) -> Diagnostic | None:
    """Report a declaration or a heading in the file of a variant that is not part of a change."""
    if p.alone or p.line_before.strip() or not _in_variant(p):
        return None
    starts_change = {"_ADD", "_REPLACE"} <= p.expected
    if not starts_change and p.expected != {"$END"}:
        return None
    if p.kind == "HEADING":
        return p.error(
            "E0105", "a variant has no parts", "remove the heading, and indent the changes below the first line"
        )
    if p.first_word not in terminals.declaration_starts():
        return None
    message = f"expected a change of the game, found `{p.first_word}`"
    helps = [f"write `add {p.first_word} …` for a new one, `replace {p.first_word} …` for one instead of the game's"]
    if not starts_change:
        helps.append("indent it below the first line of the variant")
    return p.error("E0105", message, *helps)
