"""Explanations of syntax errors, each with a correction.

They are tried in the order of the list at the end; the first that applies is reported.

The parser knows only the word at which it stopped and the terminals that were possible there: in `for each p in Player
if p is not me:` it stops at `if`, where a colon was possible, and the mistake is to write `if` for `where`. So each
explanation recognises one mistake that people make, from the line and the place, and says how to correct it. Several
may apply to a line, so their order matters; `expected …, found …` is the last resort.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from dsl.diagnostics import Diagnostic, Label, Replacement
from dsl.syntax import terminals
from dsl.syntax.brackets import can_be_read, needs_brackets
from dsl.syntax.characters import character
from dsl.syntax.common_mistakes import common_mistake
from dsl.syntax.divisions import foreign_division, misplaced_rounding, unrounded
from dsl.syntax.foreign_forms import if_or_else_in_line, misplaced_once, misplaced_requirement
from dsl.syntax.heading_mistakes import worded_heading
from dsl.syntax.misplaced import (
    bare_in,
    bare_row,
    block_of_if_on_line,
    chained_comparison,
    contents_on_one_line,
    empty_brackets,
    expectations_on_one_line,
    half_comparison,
    indentation,
    late_label,
    late_requirement,
    plain_declaration,
    unknown_statement,
    untyped_parameter,
    variant_selector,
    with_condition,
    worded_operator,
)
from dsl.syntax.prescan import PARTS
from dsl.syntax.stop import CLOSES, Problem
from dsl.text.spelling import is_transposed, nearest

Explanation = Callable[[Problem], Diagnostic | None]

_HEADED = "only lines below one that ends in `:` are indented"


def explain(problem: Problem) -> Diagnostic:
    """Explain why parsing stopped: the first mistake that applies."""
    for explanation in EXPLANATIONS:
        diagnostic = explanation(problem)
        if diagnostic is not None:
            return diagnostic
    return _unexpected(problem)


def _unbalanced_bracket(p: Problem) -> Diagnostic | None:
    if p.unclosed is not None:
        sign = p.text[p.unclosed]
        return p.error(
            "E0109", f"unclosed `{sign}`", f"add the missing `{CLOSES[sign]}`",
            at=p.span(p.unclosed), new=_closing(p, p.unclosed),
        )  # fmt: skip
    if p.found_text not in (")", "]", "}") or p.kind is None:
        return None
    if not p.brackets:
        return p.error("E0109", f"unmatched `{p.found_text}`", "remove it: no bracket is open here", new="")
    sign = p.text[p.brackets[-1]]
    if CLOSES[sign] == p.found_text:
        return None
    label = Label(p.span(p.brackets[-1]), "opened here")
    return p.error(
        "E0109",
        f"`{p.found_text}` does not close `{sign}`",
        f"write `{CLOSES[sign]}`",
        labels=(label,),
        new=CLOSES[sign],
    )


def _closing(p: Problem, opened: int) -> Replacement | None:
    """Add the missing bracket at the end of the line that opened it, unless the line has texts or goes on below."""
    end = p.text.find("\n", opened)
    line = p.text[opened : len(p.text) if end < 0 else end]
    code = line.split("#")[0].rstrip()
    if '"' in code or code.endswith((":", ",", "(", "[", "{")):
        return None
    return p.put(CLOSES[p.text[opened]], opened + len(code))


def _elif(p: Problem) -> Diagnostic | None:
    if p.first_word.lower() in ("elif", "elsif", "elseif", "elsf") and p.at_first_words:
        at = p.words[0]
        return p.error("E0114", f"`{at.text}` is not a keyword", "write `else if`", at=at, new="else if")
    return None


def _missing_reason(p: Problem) -> Diagnostic | None:
    if p.first_word == "require" and "_BECAUSE" in p.expected and p.at_line_end:
        return p.error(
            "E0113", "this requirement has no reason",
            "add `because \"…\"`: it tells the player why the move is not allowed",
        )  # fmt: skip
    return None


def _and_after_when(p: Problem) -> Diagnostic | None:
    if p.first_word == "and" and p.found_text == ":":
        return p.error(
            "E0125", "`and` can continue `given` or `then`, not `when`", "write `when` again for the next move",
            at=p.words[0], new="when",
        )  # fmt: skip
    return None


def _else_without_if(p: Problem) -> Diagnostic | None:
    if p.kind == "_ELSE" and not p.line_before.strip() and p.expected != {"_INDENT"}:
        return p.error(
            "E0116", "`else` without a matching `if`", "write it right after the block of its `if`, in the same column"
        )
    return None


def _indentation(p: Problem) -> Diagnostic | None:
    if p.kind == "_INDENT":
        end = p.line_start + len(p.line_before.rstrip())
        if p.first_word == "step" and p.text[p.line_start : end].endswith("otherwise"):  # without `:` it does nothing
            return p.error(
                "E0110", "missing `:` at the end of this line", "a `:` introduces what belongs to this line",
                at=p.span(end), new=p.put(":", end),
            )  # fmt: skip
        first = re.compile(r"\S").search(p.text, p.text.find("\n", p.start))
        while first and first.group() == "#":
            first = re.compile(r"\S").search(p.text, p.text.find("\n", first.start()))
        start = first.start() if first else p.start
        line = p.text.rfind("\n", 0, start) + 1
        return p.error(
            "E0107", "unexpected indentation", _HEADED,
            at=p.span(start), new=p.put(indentation(p.line), line, start),
        )  # fmt: skip
    if p.expected == {"_INDENT"}:
        at_end = ", found the end of the file" if p.kind == "$END" else ""
        opening = p.text[: p.line_start].rstrip().rsplit("\n", 1)[-1]
        return p.error(
            "E0107", f"expected an indented block{at_end}", "indent what belongs to the line that ends in `:`",
            new=p.put(indentation(opening) + "    ", p.line_start, p.line_start + len(indentation(p.line)))
            if p.kind != "$END" else None,
        )  # fmt: skip
    return None


def _missing_colon(p: Problem) -> Diagnostic | None:
    if (
        "COLON" not in p.expected
        or p.first_word in terminals.one_line_declarations()
        or p.first_word not in terminals.keywords()
    ):
        return None
    if p.at_line_end:
        where = "before the citation" if p.kind == "CITE" else "at the end of this line"
        end = p.line_start + len(p.line_before.rstrip())
        return p.error(
            "E0110", f"missing `:` {where}", "a `:` introduces what belongs to this line", new=p.put(":", end)
        )
    if any(re.match(rf"{verb}\b", p.text[p.start :]) for verb in terminals.line_starts()):
        end = p.line_start + len(p.line_before.rstrip())
        return p.error("E0110", f"missing `:` before `{p.found_text}`", new=p.put(":", end))
    return None


def _malformed_heading(p: Problem) -> Diagnostic | None:
    if not p.line.startswith("=") or p.alone or re.match(r"==+[ \t]*[A-Za-z_]+[ \t]*==+[ \t]*(#|$)", p.line):
        return None
    at = p.span(p.line_start, p.line_start + len(p.line.rstrip()))
    name = re.fullmatch(r"=+[ \t]*(\w+)[ \t]*=*", at.text)
    new = f"== {name[1]} ==" if name and name[1] in PARTS else None
    return p.error("E0120", "malformed heading", "write a heading such as `== setup ==`", at=at, new=new)


def _file_start(p: Problem) -> Diagnostic | None:
    if p.alone or "_VARIANT" not in p.expected:
        return None
    how = (
        "begin a game with a line such as `game \"Title\" for 2 to 4 players red, blue`",
        "begin a file of examples with `examples of NAME`, a variant with `variant \"Title\" of NAME:`",
    )  # fmt: skip
    if p.kind == "$END":
        return p.error("E0124", "the file contains no rules", *how, at=p.span(0))
    return p.error("E0124", "a rules file must begin with `game`, `examples of` or `variant`", *how)


def _empty_part(p: Problem) -> Diagnostic | None:
    if p.kind not in ("$END", "HEADING") or "_ZONE" not in p.expected:
        return None
    text = p.text[: p.start].rstrip()
    start = text.rfind("\n") + 1
    match = re.match(r"==+[ \t]*([A-Za-z_]+)", text[start:])
    if match is None:
        return None
    at = p.span(start, len(text))
    return p.error("E0127", f"the part `{match.group(1)}` is empty", "remove the heading", at=at)


def _missing_heading(p: Problem) -> Diagnostic | None:
    if "HEADING" not in p.expected or "_ZONE" in p.expected:
        return None
    how = "begin a part with a heading such as `== components ==`"
    if p.kind == "$END":
        return p.error("E0127", "the game has no parts", how)
    if p.line_before:
        return None
    helps = [how, "only options can come before the first heading"]
    if re.fullmatch(r'(?:[a-z]\w*[ \t]+)?(?:"[^"]*"|\d+)[ \t]*(?:to[ \t].*|#.*)?', p.line):
        helps = ["what is said about the game is indented below its first line, which then ends in `:`"]
    return p.error("E0126", f"expected a heading, found `{p.found_text}`", *helps)


def _capital_letter(p: Problem) -> Diagnostic | None:
    close = [word for word in p.words if word.end >= p.start - 1 and word.start <= p.start]
    for word in p.words[:1] + close:
        if terminals.looks_like_keyword(word.text) and (word in close or p.at_first_words):
            small = word.text.lower()
            return p.error(
                "E0115", f"the keyword `{word.text}` must be lower case", f"write `{small}`", at=word, new=small
            )
    return None


def _misspelt(p: Problem) -> Diagnostic | None:
    expected = [terminals.keyword(name) for name in p.expected if terminals.keyword(name)]
    if p.kind == "NAME" or terminals.keyword(p.kind):
        for text in _one_or_two(p.text[p.start : p.line_end]):
            close = nearest(" ".join(text.split()), expected, 1, 0.75)
            if close and (" " in close[0]) == (" " in text) and (" " in text or terminals.is_name(text)):
                return _unknown_keyword(p, p.start, p.start + len(text), close[0])
    if p.at_first_words and p.line_before.strip() and terminals.is_name(p.first_word):
        start = p.words[0].start
        starts = (*terminals.declaration_starts(), *terminals.line_starts())
        for text in _one_or_two(p.line.lstrip(" \t")):
            close = nearest(" ".join(text.split()), starts, 1, 0.7)
            if close and (" " in close[0]) == (text != p.first_word):
                return _unknown_keyword(p, start, start + len(text), close[0])
    if p.at_line_end:
        for word in reversed(p.words):
            close = nearest(word.text, expected, 1, 0.75)
            if close and terminals.is_name(word.text):
                return _unknown_keyword(p, word.start, word.end, close[0])
    return _misspelt_before(p)


FOREIGN_CONNECTIVES = {"xor": "`(A) is not (B)`", "nor": "`not (A or B)`", "nand": "`not (A and B)`"}
"""Words between conditions in other languages, and how this one says it."""


def _misspelt_connective(p: Problem) -> Diagnostic | None:
    """Report a word that is nearly `and` or `or`, if it stands nowhere else and the line can be read with that."""
    for word in reversed([word for word in p.words if word.start <= p.start]):
        close = nearest(word.text, ("and", "or"), 1)
        if close and terminals.is_name(word.text) and _is_unique(p, word.text):
            line = f"{p.text[p.line_start : word.start]}{close[0]}{p.text[word.end : p.line_end]}"
            if can_be_read(p, line):
                if foreign := FOREIGN_CONNECTIVES.get(word.text):
                    at, help_text = p.span(word.start, word.end), f"for two conditions write {foreign}"
                    return p.error("E0112", f"unknown keyword `{word.text}`", help_text, at=at)
                return _unknown_keyword(p, word.start, word.end, close[0])
    return None


def _is_unique(p: Problem, name: str) -> bool:
    """True if a name stands once in the file, apart from texts and comments."""
    code = re.sub(r'"[^"\n]*"|#[^\n]*', "", p.text)
    return len(re.findall(rf"\b{name}\b", code)) == 1


def _misspelt_before(p: Problem) -> Diagnostic | None:
    """Report a misspelt keyword right before the error, which was parsed as a name."""
    words = [word for word in p.words if word.end <= p.start]
    if not words or not terminals.is_name(words[-1].text) or p.text[words[-1].end : p.start].strip():
        return None
    word = words[-1]
    for keyword in sorted(terminals.keywords()):
        if is_transposed(word.text, keyword):
            return _unknown_keyword(p, word.start, word.end, keyword)
    both = f"{word.text} {p.found_text}"
    close = nearest(both, terminals.phrases(), 1, 0.85)
    return _unknown_keyword(p, word.start, p.end, close[0]) if close and close[0] != both else None


def _one_or_two(text: str) -> list[str]:
    """The first two words of a text, if it begins with two, then the first alone."""
    matches = [re.match(pattern, text) for pattern in (r"\w+[ \t]+\w+", r"\w+")]
    return [match.group() for match in matches if match]


def _unknown_keyword(p: Problem, start: int, end: int, keyword: str) -> Diagnostic:
    at = p.span(start, end)
    return p.error("E0112", f"unknown keyword `{at.text}`", f"did you mean `{keyword}`?", at=at, new=keyword)


def _keyword_as_name(p: Problem) -> Diagnostic | None:
    word = terminals.keyword(p.kind)
    if not word or "NAME" not in p.expected:
        return None
    if not p.expected & {"INT", "_CHOOSE", "_MOVE"}:
        return p.error("E0108", f"expected a name, found the keyword `{p.found_text}`", "choose another name")
    if "INT" in p.expected:
        return p.error(
            "E0105", _expected(p, f"the keyword `{p.found_text}`"), "a keyword cannot be used as a name",
            labels=_open_bracket(p),
        )  # fmt: skip
    return None


def _unexpected(p: Problem) -> Diagnostic:
    if p.kind == "$END":
        return p.error("E0106", _expected(p, f"the end of the {'expression' if p.alone else 'file'}"))
    if p.kind in ("_NL", "_DEDENT"):
        broken = p.line_before.rstrip().endswith(("+", "-", "*", "&", "and", "or", ",", "is", "(", "not"))
        helps = ["a line continues on the next one only inside brackets"] * broken
        return p.error("E0105", _expected(p, "the end of the line"), *helps)
    description = "a citation" if p.kind == "CITE" else f"`{p.found_text}`"
    helps = ["citations must be at the end of a line"] * (p.kind == "CITE")
    return p.error("E0105", _expected(p, description), *helps, labels=_open_bracket(p), new=_only_candidate(p))


def _only_candidate(p: Problem) -> Replacement | None:
    """Insert or substitute the only word or sign that is possible there."""
    candidates = [name for name in p.expected if name not in ("_NL", "CITE", "_DEDENT")]
    sign = terminals.sign(candidates[0]) if len(candidates) == 1 and p.kind != "CITE" else ""
    if not sign or sign in "()[]{}" or " " in sign or sign in terminals.line_starts():
        return None
    if sign == ".." and p.kind != "INT":
        return None
    if p.kind in ("NAME", "INT", "STRING", "LPAR", "LBRACE"):
        return p.put(f"{sign} ", p.start)
    return p.word(sign, p.span()) if sign.isalpha() else Replacement(p.span(), sign)


def _open_bracket(p: Problem) -> tuple[Label, ...]:
    """Label the open bracket of the line, if closing it may have been intended."""
    if not p.brackets or p.brackets[-1] < p.line_start:
        return ()
    sign = p.text[p.brackets[-1]]
    if "INT" not in p.expected and all(terminals.sign(name) != CLOSES[sign] for name in p.expected):
        return ()
    return (Label(p.span(p.brackets[-1]), f"this `{sign}` is still open"),)


def _expected(p: Problem, description: str) -> str:
    """The message `expected …, found …`."""
    expected = terminals.expected_words(p.expected)
    return f"expected {terminals.listed(expected)}, found {description}" if expected else f"unexpected {description}"


EXPLANATIONS: tuple[Explanation, ...] = (
    _unbalanced_bracket,
    _malformed_heading,
    worded_heading,
    _empty_part,
    if_or_else_in_line,
    plain_declaration,
    common_mistake,
    worded_operator,
    foreign_division,
    misplaced_rounding,
    character,
    _and_after_when,
    expectations_on_one_line,
    _elif,
    misplaced_requirement,
    misplaced_once,
    _missing_reason,
    _misspelt_connective,
    needs_brackets,
    empty_brackets,
    untyped_parameter,
    _capital_letter,
    unrounded,
    _misspelt,
    _file_start,
    _missing_heading,
    _else_without_if,
    _indentation,
    contents_on_one_line,
    block_of_if_on_line,
    late_label,
    late_requirement,
    bare_in,
    with_condition,
    chained_comparison,
    half_comparison,
    bare_row,
    variant_selector,
    unknown_statement,
    _missing_colon,
    _keyword_as_name,
)
