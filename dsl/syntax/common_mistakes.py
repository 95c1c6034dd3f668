"""Mistakes of people who know other languages, or write English: the form of the whole line shows what is meant.

The table at the end is the order in which the forms are tried; the first that matches is reported.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from dsl.diagnostics import Diagnostic
from dsl.syntax.build_tree import parse_number
from dsl.syntax.stop import Problem
from dsl.text.span import Span
from dsl.text.spelling import nearest

_COMMENT = re.compile(r'^(?P<said>(?:"[^"]*"|[^"#])*?)[ \t]*(?:[ \t]\[[A-Z]{1,4}-[^\]]*\][ \t]*)?(?:#.*)?$')
_TARGET = r"(?P<t>[A-Za-z_]\w*(?:\[[^\]]*\])*)"
_NUMBERS = {"one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8}


@dataclass(frozen=True)
class Slip:
    """A form of a line, and how it is reported.

    `at` in the pattern is the group the diagnostic points at, else the first word. `new` is the corrected line, with
    the groups of the pattern in braces; without it only `help` says what to do. `here`: the form applies only if
    parsing stopped at that group.
    """

    pattern: re.Pattern[str]
    code: str
    message: str
    new: str | Callable[[re.Match[str]], str | None] = ""
    help: str = ""
    fits: Callable[[Problem], bool] = lambda problem: True
    here: bool = False


def habit(p: Problem) -> Diagnostic | None:
    """Report a line written as in other languages."""
    return first_of(HABITS, p)


def first_of(known_forms: tuple[Slip, ...], p: Problem) -> Diagnostic | None:
    """Report a line that has one of these forms."""
    if p.alone:
        return None
    start = p.line_start + len(p.line) - len(p.line.lstrip(" \t"))
    comment = _COMMENT.match(p.line.strip(" \t"))
    said = comment["said"] if comment else p.line.strip(" \t")
    for known in known_forms:
        found = known.pattern.fullmatch(said)
        stopped = found and (not known.here or found.start("at") <= p.start - start <= found.end("at"))
        if found and stopped and known.fits(p):
            return _told(p, known, found, start)
    return None


def _told(p: Problem, known: Slip, found: re.Match[str], start: int) -> Diagnostic:
    groups = {name: text or "" for name, text in found.groupdict().items()}
    new = known.new(found) if callable(known.new) else known.new.format(**groups)
    first = re.match(r"\w+|.", found.group())
    place = found.span("at") if groups.get("at") else (0, first.end() if first else 1)
    helps = [known.help.format(**groups)] if known.help else []
    if new and "\n" not in new:
        helps.insert(0, f"write `{new}`")
    at = Span(p.source, start + place[0], start + place[1])
    replacement = p.put(new, start, start + found.end()) if new else None
    return p.error(known.code, known.message.format(**groups), *helps, at=at, new=replacement)


def _negative(amount: str) -> str:
    return f"-{amount}" if re.fullmatch(r"\w+(?:\[[^\]]*\])*", amount) else f"-({amount})"


def _less(found: re.Match[str]) -> str:
    return f"add {_negative(found['v'])} to {found['t']}"


def _faces(found: re.Match[str]) -> str | None:
    low, high = parse_number(found["low"]), parse_number(found["high"])
    if not low < high <= low + 20:
        return None
    return f"{found['a']}{', '.join(map(str, range(low, high + 1)))}"


def _seats(found: re.Match[str]) -> str:
    return f"{found['a']} {', '.join(re.split('[ ,]+', found['v']))}"


def _number(found: re.Match[str]) -> str:
    return f"{found['a']}{_NUMBERS[found['at']]}{found['r']}"


def _values_expected(p: Problem) -> bool:
    return "INT" in p.expected and not p.before.strip()


def _text_expected(p: Problem) -> bool:
    return "STRING" in p.expected and "INT" not in p.expected


def _name_stands_alone(p: Problem) -> bool:
    alone = p.found == ":" and p.before.strip() == p.first_word and "LPAR" in p.expected
    return alone and not nearest(p.first_word, ("else",))


def line(pattern: str) -> re.Pattern[str]:
    """Compile the pattern of a line; `TARGET` in it is an assignable expression: a name, perhaps with its index."""
    return re.compile(pattern.replace("TARGET", _TARGET))


_OPERATOR = "`{at}` is not an operator of the language"
_MISPLACED = "`{at}` cannot stand here"
_NO_QUOTES = "words that people read stand between quotes"
_NO_WORD = "`{at}` is not a word of the language"
_LIST = "`{at}` is not how the language says it"

HABITS: tuple[Slip, ...] = (
    # assignments to notes
    Slip(line(r"TARGET\s*(?P<at>\+=)\s*(?P<v>.+)"), "E0111", _OPERATOR, "add {v} to {t}"),
    Slip(line(r"TARGET\s*(?P<at>-=)\s*(?P<v>.+)"), "E0111", _OPERATOR, _less),
    Slip(line(r"TARGET\s*(?P<at>\+\+)"), "E0111", _OPERATOR, "add 1 to {t}"),
    Slip(line(r"TARGET\s*(?P<at>--)"), "E0111", _OPERATOR, "add -1 to {t}"),
    Slip(line(r"set TARGET\s*(?P<at>:?=)\s*(?P<v>[^=\s].*)"), "E0111", _MISPLACED, "set {t} to {v}"),
    Slip(line(r"let (?P<t>\w+)\s*(?P<at>:=|\bbe\b|\bis\b|\bto\b)\s*(?P<v>.+)"), "E0111", _MISPLACED, "let {t} = {v}"),
    Slip(
        line(r"TARGET\s*(?P<at>:?=)\s*(?P<v>[^=\s].*)"), "E0111", _MISPLACED, "set {t} to {v}",
        "for a new name, write `let {t} = {v}`",
        fits=lambda p: not {"_ZONE", "_GAME"} & p.expected,
    ),
    Slip(line(r"(?P<at>subtract) (?P<v>.+) from TARGET"), "E0112", _NO_WORD, _less),
    Slip(line(r"(?P<at>increase) TARGET by (?P<v>.+)"), "E0112", _NO_WORD, "add {v} to {t}"),
    Slip(line(r"(?P<at>decrease|reduce) TARGET by (?P<v>.+)"), "E0112", _NO_WORD, _less),
    # loops
    Slip(
        line(r"(?P<at>while) (?P<c>.+?):(?P<r>.*)"), "E0105", "a loop says how often at most",
        help="write `up to 9 times while {c}:{r}`, or a phase with `over when`",
    ),
    Slip(line(r"(?P<at>for) (?!each\b)(?P<r>\w+ in .+)"), "E0105", "an `each` is missing", "for each {r}"),
    Slip(line(r"(?P<a>table .*)\b(?P<at>for) (?P<r>\w+ in .+)"), "E0105", "an `each` is missing", "{a}for each {r}"),
    Slip(line(r"(?P<at>repeat) (?P<n>.+?)(?: times)?\s*:(?P<r>.*)"), "E0112", _NO_WORD, "up to {n} times:{r}"),
    Slip(
        line(r"(?P<at>each player)\s*:(?P<r>.*)"), "E0105", "with whom does it begin?",
        help="write `each player from …:{r}`; to go through the seats without acting, `for each p in Player:`",
    ),
    # questions
    Slip(line(r"(?P<at>can|could|optionally) (?P<r>\w+.*)"), "E0112", _NO_WORD, "may {r}"),
    Slip(line(r"(?P<at>choose) (?P<r>.+)"), "E0105", "who chooses must or may do it", "must choose {r}"),
    Slip(
        line(r"(?P<a>(?:must|may)(?: secretly)? \w+.*?) (?P<at>\w+ times)"), "E0105", _MISPLACED, "{a} up to {at}",
        fits=lambda p: "_UP" in p.expected,
    ),
    Slip(
        line(r"(?:must|may)(?: secretly)? \w+(?:\([^()]*\))?\s*(?P<at>and\b|,).*"), "E0105", _MISPLACED,
        help="moves that are offered are joined by `or`; what comes next is a line of its own",
        fits=lambda p: "_UP" in p.expected,
    ),
    Slip(
        line(r"(?P<at>\w+)\s*:\s*(?P<r>\w.*)"), "E0105", "a statement does not say so who acts",
        help="the seat whose turn it is acts; another does in `each player from {at} to {at}: …`",
        fits=_name_stands_alone,
    ),
    # moves
    Slip(line(r"(?P<a>move .+) (?P<at>into|onto) (?P<r>.+)"), "E0112", _NO_WORD, "{a} to {r}"),
    Slip(
        line(r"(?P<a>move .+) (?P<at>(?:at|on) (?:the )?(?:end|back|bottom))"), "E0112", _LIST, "{a} at bottom"
    ),
    # control flow
    Slip(line(r"(?P<a>(?:else )?if .+) (?P<at>then) (?P<r>.+)"), "E0110", "`:` stands here, no `then`", "{a}: {r}"),
    Slip(
        line(r"(?P<a>(?:else )?if [^{]+?)\s*(?P<at>\{)\s*(?P<r>[^}]*?)\s*\}"), "E0110", "a block is opened by `:`",
        "{a}: {r}",
    ),
    Slip(line(r"require (?P<at>if) (?P<r>.+)"), "E0105", "what is required stands without `if`", "require {r}"),
    Slip(
        line(r"(?P<a>.*?)\b(?P<at>every|all) (?P<x>\w+ in .+?) where (?P<c>[^:]+?)(?P<r>:.*|)"), "E0105",
        "`{at}` is said by `no`", "{a}no {x} where not ({c}){r}",
        fits=lambda p: p.kind == "_IN",
    ),
    # definitions
    Slip(line(r"(?P<at>def|function|func|fun) (?P<r>\w+.*)"), "E0112", _NO_WORD, "define {r}"),
    Slip(line(r"(?P<at>return) (?P<v>.+)"), "E0105", "a definition says its value without `return`", "{v}"),
    Slip(
        line(r"(?P<at>if) (?P<c>.+?):\s*(?P<v>.+)"), "E0105", "in a definition the value stands first", "{v} if {c}",
        fits=_values_expected,
    ),
    Slip(
        line(r"(?P<at>move|set|add|remove|shuffle|roll|must|may|let|for|end)\b.*"), "E0105",
        "a definition changes nothing", help="here stands its value; what happens is a `step`", fits=_values_expected,
    ),
    Slip(
        line(r"(?P<v>.+?)(?P<b>\s+)(?P<at>else)"), "E0105", "the last case says `otherwise`", "{v}{b}otherwise",
        fits=lambda p: "_OTHERWISE" in p.expected,
    ),
    Slip(
        line(r"when (?P<at>\w+ (?:is|has|of|and|or|not|in)\b.*?):(?P<r>.*)"), "E0407",
        "`when` waits for a definition, which has a name",
        help="write `define NAME: {at}` and `when NAME:{r}`", fits=lambda p: "COLON" in p.expected,
    ),
    # types, options and dice
    Slip(line(r"(?P<a>type \w+) (?P<at>=) (?P<r>.+)"), "E0111", _MISPLACED, "{a} is {r}"),
    Slip(line(r"(?P<a>type \w+ is) (?P<at>[\[{(])(?P<v>[^()\[\]{}]+)[\]})]"), "E0105", _MISPLACED, "{a} {v}"),
    Slip(line(r"(?P<a>.+:) (?P<at>(?:set|list) of) (?P<r>[A-Z]\w*.*)"), "E0105", _LIST, "{a} several {r}"),
    Slip(
        line(r"(?P<a>option \w+:) (?P<v>\w+(?:, \w+)+) (?P<r>=.+)"), "E0105", "words of an option are joined by `or`",
        lambda found: f"{found['a']} {found['v'].replace(', ', ' or ')} {found['r']}",
    ),
    Slip(
        line(r"(?P<at>option|note) .*:[^=]*"), "E0105", "the first value is missing",
        help="write `= …` behind the type", fits=lambda p: p.at_line_end,
    ),
    Slip(
        line(r"(?:option|note) .*(?P<at>\d+\.\.)(?!\s*-?\d).*"), "E0105", "a range has two ends",
        help="write both: `1..9`",
    ),
    Slip(
        line(r"(?P<a>die \w+: )(?P<at>(?P<low>\d{1,3})\s*(?:\.\.|-)\s*(?P<high>\d{1,3}))"), "E0105",
        "a die names each of its faces", _faces,
    ),
    Slip(
        line(r".*\b(?P<at>roll)\s*\(?(?P<v>\w+)\)?.*"), "E0105", "`roll` is a statement",
        help="write `roll {v}`; then `{v}` is the face it shows", fits=lambda p: p.found == "roll",
    ),
    Slip(line(r"(?P<a>piece \w+: .+?) (?P<at>of each) (?P<r>.+)"), "E0105", _LIST, "{a} for each {r}"),
    # zones
    Slip(
        line(r"(?P<a>zone \w+(?:\[.*\])?) (?P<at>contains|has|is|with) (?P<r>.+)"),
        "E0112", _NO_WORD, "{a} holds {r}",
    ),
    Slip(
        line(r"(?P<a>zone \w+)(?P<at>\()(?P<i>[^()]+)\)(?P<r>.*)"),
        "E0105", "an index has square brackets", "{a}[{i}]{r}",
    ),
    Slip(
        line(r"(?P<a>(?:zone|note) .+), (?P<at>hidden|secret|private)"),
        "E0112", _LIST, "{a}, seen by nobody", "say who sees it: `seen by p`, `seen by nobody`",
    ),
    Slip(
        line(r"(?P<a>(?:zone|note) .*[^,\s]) (?P<at>seen by) (?P<r>.+)"),
        "E0105", "a `,` is missing before `seen by`", "{a}, seen by {r}",
        here=True,
    ),
    # the course of play
    Slip(line(r"(?P<a>phase .+?),? (?P<at>over if|until) (?P<r>.+)"), "E0112", _NO_WORD, "{a}, over when {r}"),
    Slip(
        line(r"(?P<a>phase .*?[^,\s]) (?P<at>turns from|over when|over as soon as) (?P<r>.+)"), "E0105",
        "a `,` is missing before `{at}`", "{a}, {at} {r}",
    ),
    Slip(line(r"winner (?P<at>most|max|maximum|best) (?P<r>.+)"), "E0112", _NO_WORD, "winner highest {r}"),
    Slip(line(r"winner (?P<at>least|fewest|min|minimum) (?P<r>.+)"), "E0112", _NO_WORD, "winner lowest {r}"),
    # the header
    Slip(
        line(rf'(?P<a>game ".*" for (?:\d+ to )?)(?P<at>{"|".join(_NUMBERS)})\b(?P<r>.*)'),
        "E0105", "numbers are written with digits", _number,
    ),
    Slip(
        line(r'(?P<a>game ".*" for \d+)\s*(?P<at>\.\.|-)\s*(?P<r>\d+ players.*)'),
        "E0105", _MISPLACED, "{a} to {r}",
    ),
    Slip(
        line(r'(?P<a>game ".*" for .* players) (?P<v>\w+(?:[ ,]+\w+)+)'),
        "E0105", "a `,` stands between two seats", _seats,
        fits=lambda p: p.kind == "NAME" and "COMMA" in p.expected,
    ),
    # examples
    Slip(line(r"(?P<at>expect|assert|should) (?P<r>.+)"), "E0112", _NO_WORD, "then {r}"),
    Slip(
        line(r"(?P<a>then|and) (?P<at>winner) is (?P<s>\w+)"),
        "E0105", "there can be several `winners`", "{a} winners is {{{s}}}",
    ),
    Slip(
        line(r"and (?P<at>\d+ players|players .+)"), "E0125", "who plays is said first",
        help="write `given {at}` in the first line of the example",
    ),
    Slip(
        line(r"when phase (?P<n>\w+)(?P<at>,? turns? (?:from|of)|,? starting (?:with|from)|, from) (?P<s>\w+)"),
        "E0105", _MISPLACED, "when phase {n} from {s}",
    ),
    Slip(line(r"(?P<a>then) TARGET (?P<at>shows) (?P<r>.+)"), "E0105", _MISPLACED, "{a} {t} is {r}"),
    Slip(
        line(r"(?P<a>given|and) TARGET (?P<at>showing|is showing) (?P<r>.+)"), "E0112", _NO_WORD, "{a} {t} shows {r}",
    ),
    # texts
    Slip(line(r"(?P<a>.*\bbecause) (?P<at>[^\"]+)"), "E0104", _NO_QUOTES, '{a} "{at}"', fits=_text_expected),
    Slip(line(r"example (?P<at>[^\":]+):"), "E0104", _NO_QUOTES, 'example "{at}":'),
    Slip(line(r"table (?P<at>[^\":]+?)(?P<r>(?: for each .*)?):"), "E0104", _NO_QUOTES, 'table "{at}"{r}:'),
    Slip(line(r"board (?P<at>[^\"]+)"), "E0104", "the name of a file stands between quotes", 'board "{at}"'),
    Slip(line(r"(?P<at>\w[^\":]*):\s*(?P<r>.+)"), "E0104", _NO_QUOTES, '"{at}": {r}', fits=_text_expected),
)  # fmt: skip
