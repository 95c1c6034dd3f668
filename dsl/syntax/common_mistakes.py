"""Common mistakes from other languages or plain English: the form of the whole line shows what is meant.

The table at the end is the order in which the forms are tried; the first that matches is reported.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from dsl.diagnostics import Diagnostic
from dsl.lazy_dataclasses import dataclass
from dsl.syntax.build_tree import parse_number
from dsl.syntax.stop import Problem
from dsl.text.span import Span
from dsl.text.spelling import nearest

_COMMENT = re.compile(r'^(?P<code>(?:"[^"]*"|[^"#])*?)[ \t]*(?:[ \t]\[[A-Z]{1,4}-[^\]]*\][ \t]*)?(?:#.*)?$')
_BEFORE_STATEMENT = re.compile(r'(?:if|else|for each|each player|step|when)\b(?:"[^"]*"|[^":])*:[ \t]+(?=\S)')
"""What precedes a statement in its line: `if deck is empty: subtract 1 from score[me]`."""
_TARGET = r"(?P<t>[A-Za-z_]\w*(?:\[[^\]]*\])*)"
_PLACE = r"[A-Za-z_][\w.]*(?:\[[^\]]*\])?"
_MOVING = "deal|draw|take|put|place|give|pay"
NUMBER_WORDS = {"one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8}
"""Numbers in words."""


@dataclass(frozen=True)
class LineForm:
    """A form of a line, and how it is reported.

    `at` in the pattern is the group the diagnostic points at, else the first word. `new` is the corrected line, with
    the groups of the pattern in braces; without it only `help` says what to do. `only_at_error`: the form
    applies only if parsing stopped at that group.
    """

    pattern: re.Pattern[str]
    code: str
    message: str
    new: str | Callable[[re.Match[str]], str | None] = ""
    help: str = ""
    fits: Callable[[Problem], bool] = lambda problem: True
    only_at_error: bool = False


def foreign_line(p: Problem) -> Diagnostic | None:
    """Report a line written as in other languages."""
    return first_of(FOREIGN_LINES, p)


def first_of(known_forms: tuple[LineForm, ...], p: Problem) -> Diagnostic | None:
    """Report a line that has one of these forms."""
    if p.alone or p.is_long:
        return None
    start = p.line_start + len(p.line) - len(p.line.lstrip(" \t"))
    comment = _COMMENT.match(p.line.strip(" \t"))
    code = comment["code"] if comment else p.line.strip(" \t")
    prefix = _BEFORE_STATEMENT.match(code)
    parts = [(code, start)]
    if prefix is not None and start + prefix.end() <= p.end:
        parts.append((code[prefix.end() :], start + prefix.end()))
    for part, begin in parts:
        for form in known_forms:
            match = form.pattern.fullmatch(part)
            stopped = match and (not form.only_at_error or match.start("at") <= p.start - begin <= match.end("at"))
            if match and stopped and form.fits(p):
                return _report(p, form, match, begin)
    return None


def _report(p: Problem, form: LineForm, match: re.Match[str], start: int) -> Diagnostic:
    groups = {name: text or "" for name, text in match.groupdict().items()}
    new = form.new(match) if callable(form.new) else form.new.format(**groups)
    first = re.match(r"\w+|.", match.group())
    part = match.span("at") if groups.get("at") else (0, first.end() if first else 1)
    helps = [form.help.format(**groups)] if form.help else []
    if new and "\n" not in new:
        helps.insert(0, f"write `{new}`")
    at = Span(p.source, start + part[0], start + part[1])
    replacement = p.put(new, start, start + match.end()) if new else None
    return p.error(form.code, form.message.format(**groups), *helps, at=at, new=replacement)


def _negative(amount: str) -> str:
    return f"-{amount}" if re.fullmatch(r"\w+(?:\[[^\]]*\])*", amount) else f"-({amount})"


def _less(match: re.Match[str]) -> str:
    return f"add {_negative(match['v'])} to {match['t']}"


def _faces(match: re.Match[str]) -> str | None:
    low, high = parse_number(match["low"]), parse_number(match["high"])
    if not low < high <= low + 20:
        return None
    return f"{match['a']}{', '.join(map(str, range(low, high + 1)))}"


def _ranges(match: re.Match[str]) -> str:
    """Numbers in a row as one range, others each as a range of one."""
    ranges: list[tuple[int, int]] = []
    for part in re.split(", ?| or ", match["at"]):
        low, _, high = part.partition("..")
        bounds = parse_number(low), parse_number(high or low)
        if ranges and bounds[0] == ranges[-1][1] + 1:
            bounds = ranges.pop()[0], bounds[1]
        ranges.append(bounds)
    return f"{match['a']} {', '.join(f'{low}..{high}' for low, high in ranges)}"


def _named(match: re.Match[str]) -> str:
    """Numbers among names as names."""
    values = re.split(", ?| or ", match["at"])
    named = [f"{match['n'].lower()}_{value}" if value.isdigit() else value for value in values]
    return f"{match['a']} {', '.join(named)}"


def _seats(match: re.Match[str]) -> str:
    return f"{match['a']} {', '.join(re.split('[ ,]+', match['v']))}"


def _number(match: re.Match[str]) -> str:
    return f"{match['a']}{NUMBER_WORDS[match['at']]}{match['r']}"


def _at_this_word(p: Problem) -> bool:
    """True if parsing stopped at the first two words after a colon, or of the line."""
    return len(re.split(r"[:\s]\s*", p.line_before.rpartition(":")[2].strip())) <= 1


def _values_expected(p: Problem) -> bool:
    return "INT" in p.expected and not p.line_before.strip()


def _inside_a_part(p: Problem) -> bool:
    return not {"_ZONE", "_GAME"} & p.expected


def _text_expected(p: Problem) -> bool:
    return "STRING" in p.expected and not {"INT", "ADDOP"} & p.expected  # after a seat, `tell` goes on with a text


def _is_only_a_name(p: Problem) -> bool:
    alone = p.found_text == ":" and p.line_before.strip() == p.first_word and bool(p.expected & {"LPAR", "_NL"})
    return alone and not nearest(p.first_word, ("else",))


def line(pattern: str) -> re.Pattern[str]:
    """Compile the pattern of a line; `TARGET` in it is an assignable expression: a name, perhaps with its index."""
    return re.compile(pattern.replace("TARGET", _TARGET))


_OPERATOR = "`{at}` is not an operator"
UNEXPECTED = "unexpected `{at}`"
_NO_QUOTES = "missing quotes around this text"
NO_KEYWORD = "`{at}` is not a keyword"
_REPETITION = "declare `position NAME: …`, write `record NAME` every turn, and ask how often: `times(NAME)`"

_ROUNDS = "write `phase NAME, repeated until …:` for rounds; inside a turn, `up to 9 times while …:`"

FOREIGN_LINES: tuple[LineForm, ...] = (
    # assignments to notes
    LineForm(line(r"TARGET\s*(?P<at>\+=)\s*(?P<v>.+)"), "E0111", _OPERATOR, "add {v} to {t}"),
    LineForm(line(r"TARGET\s*(?P<at>-=)\s*(?P<v>.+)"), "E0111", _OPERATOR, _less),
    LineForm(line(r"TARGET\s*(?P<at>\+\+)"), "E0111", _OPERATOR, "add 1 to {t}"),
    LineForm(line(r"TARGET\s*(?P<at>--)"), "E0111", _OPERATOR, "add -1 to {t}"),
    LineForm(
        line(r"set TARGET\s*(?P<at>:?=)\s*(?P<v>[^=\s].*)"), "E0111", "expected `to`, found `{at}`", "set {t} to {v}",
    ),
    LineForm(
        line(r"let (?P<t>\w+)\s*(?P<at>:=|\bbe\b|\bis\b|\bto\b)\s*(?P<v>.+)"), "E0111", "expected `=`, found `{at}`",
        "let {t} = {v}",
    ),
    LineForm(
        line(r"(?P<t>[A-Za-z_]\w*)\s*(?P<at>:?=)\s*(?P<v>[^=\s].*)"), "E0111", UNEXPECTED, "set {t} to {v}",
        "for a new name, write `let {t} = {v}`", fits=_inside_a_part,
    ),
    LineForm(
        line(r"TARGET\s*(?P<at>:?=)\s*(?P<v>[^=\s].*)"), "E0111", UNEXPECTED, "set {t} to {v}", fits=_inside_a_part,
    ),
    LineForm(
        line(r"(?P<at>(?:end|finish|pass|skip|next)(?: the| my)? (?:turn|player))"), "E0112", NO_KEYWORD,
        help="omit it: a turn ends when all lines of the phase have run, then the next seat has its turn",
    ),
    LineForm(
        line(r"(?P<at>(?:end|finish|leave)(?: the)? phase)"), "E0112", NO_KEYWORD,
        help="write when the phase ends in its first line: `over when …`, `over as soon as …`",
    ),
    LineForm(line(r"(?P<at>subtract) (?P<v>.+) from TARGET"), "E0112", NO_KEYWORD, _less),
    LineForm(line(r"(?P<at>increase) TARGET by (?P<v>.+)"), "E0112", NO_KEYWORD, "add {v} to {t}"),
    LineForm(line(r"(?P<at>decrease|reduce) TARGET by (?P<v>.+)"), "E0112", NO_KEYWORD, _less),
    # positions
    LineForm(line(r"(?P<at>remember|memori[sz]e|save|store) (?P<r>\w+)"), "E0112", NO_KEYWORD, "record {r}"),
    LineForm(
        line(r"(?P<a>.*\btimes) (?P<at>\w+)(?P<r>.*)"), "E0105", "missing brackets after `times`", "{a}({at}){r}",
        fits=lambda p: p.expected == {"LPAR"},
    ),
    LineForm(
        line(r".*\b(?P<at>(?:same|repeated) position|position repeated)\b.*"), "E0112", NO_KEYWORD, help=_REPETITION,
    ),
    # loops
    LineForm(
        line(r"(?P<at>while) (?P<c>.+?):(?P<r>.*)"), "E0105", "a `while` loop needs a limit",
        help="write `up to 9 times while {c}:{r}`, or a phase with `over when`",
    ),
    LineForm(line(r"(?P<at>for) (?!each\b)(?P<r>\w+ in .+)"), "E0105", "missing `each` after `for`", "for each {r}"),
    LineForm(
        line(r"(?P<a>table .*)\b(?P<at>for) (?P<r>\w+ in .+)"), "E0105", "missing `each` after `for`",
        "{a}for each {r}",
    ),
    LineForm(
        line(r"(?P<at>repeat|loop) (?P<w>until|while) (?P<c>.+?):?"), "E0112", NO_KEYWORD, help=_ROUNDS,
    ),
    LineForm(line(r"(?P<at>loop|forever|do)(?: forever)?\s*:"), "E0112", NO_KEYWORD, help=_ROUNDS),
    LineForm(
        line(r"(?P<at>(?:for |repeat |play )?(?:\d+ rounds|rounds:? \d+))\s*:?"), "E0105", UNEXPECTED,
        help="write `phase NAME, repeated until round(NAME) is …:` around what is repeated",
    ),
    LineForm(
        line(r"(?P<at>repeat|loop) (?P<n>.+?)(?: times)?\s*:(?P<r>.*)"), "E0112", NO_KEYWORD, "up to {n} times:{r}",
    ),
    LineForm(
        line(r"(?P<at>each player)\s*:(?P<r>.*)"), "E0105", "missing `from` after `each player`",
        help="write `each player from …:{r}`; if they do not act, `for each p in Player:`",
    ),
    # decisions
    LineForm(line(r"(?P<at>can|could|optionally) (?P<r>\w+.*)"), "E0112", NO_KEYWORD, "may {r}"),
    LineForm(line(r"(?P<at>choose) (?P<r>.+)"), "E0105", "missing `must` or `may` before `choose`", "must choose {r}"),
    LineForm(
        line(r"(?P<a>(?:must|may)(?: secretly)? \w+.*?) (?P<at>\w+ times)"), "E0105",
        "missing `up to` before `{at}`", "{a} up to {at}",
        fits=lambda p: "_UP" in p.expected,
    ),
    LineForm(
        line(r"(?:must|may)(?: secretly)? \w+(?:\([^()]*\))?\s*(?P<at>and\b|,).*"), "E0105", UNEXPECTED,
        help="join alternatives with `or`; write what happens next on its own line",
        fits=lambda p: "_UP" in p.expected,
    ),
    LineForm(
        line(r"(?P<at>\w+)\s*:\s*(?P<r>\w.*)"), "E0105", "a statement does not name the acting player like this",
        help="the seat whose turn it is acts; for another one, write `each player from {at} to {at}: …`",
        fits=_is_only_a_name,
    ),
    # moves
    LineForm(
        line(rf"(?P<a>(?:(?:for|if|up|each|else|when|step) ?.*: )?)(?P<at>{_MOVING}) (?P<r>.+ to .+)"),
        "E0112", NO_KEYWORD, "{a}move {r}", fits=_at_this_word,
    ),
    LineForm(line(r"(?P<a>move .+) (?P<at>into|onto) (?P<r>.+)"), "E0112", NO_KEYWORD, "{a} to {r}"),
    LineForm(
        line(r"(?P<a>move .+) (?P<at>(?:at|on) (?:the )?(?:end|back|bottom))"), "E0112",
        "expected `at bottom`, found `{at}`", "{a} at bottom"
    ),
    # announcements
    LineForm(
        line(r'(?P<at>print|say|announce|message|show|log|write|display):?\s*\(?(?P<v>"[^"]*")\)?'), "E0112",
        NO_KEYWORD, "tell {v}",
    ),
    LineForm(
        line(r'tell (?P<v>"[^"]*") (?P<at>to) (?P<s>.+)'), "E0105", "the seat comes before the text", "tell {s} {v}",
    ),
    LineForm(
        line(r'(?P<at>say|announce|show|inform|notify) (?:to )?(?P<s>\w[\w\[\]()]*)[:,]? (?P<v>"[^"]*")'), "E0112",
        NO_KEYWORD, "tell {s} {v}",
    ),
    LineForm(
        line(r'tell (?P<s>[^":,]+)(?P<at>[:,]|\bthat\b)\s*(?P<v>"[^"]*")'), "E0105", UNEXPECTED, "tell {s} {v}",
    ),
    LineForm(line(r"(?P<at>tell) (?P<s>[^\"]+)"), "E0104", "missing text after `tell`", help='write `tell {s} "…"`'),
    LineForm(line(r"roll (?P<at>1) (?P<r>[A-Za-z_].*)"), "E0105", "`roll` names the dice", "roll {r}"),
    LineForm(
        line(r"roll (?P<at>\d+) (?P<r>[A-Za-z_]\w*).*"), "E0105", "`roll` names the dice",
        help="declare as many, `die {r}[n: 1..{at}]: …`, and write `roll {r}[1], {r}[2]`",
    ),
    # control flow
    LineForm(line(r"(?P<a>(?:else )?if .+) (?P<at>then) (?P<r>.+)"), "E0110", "expected `:`, found `then`", "{a}: {r}"),
    LineForm(
        line(r"(?P<a>(?:else )?if [^{]+?)\s*(?P<at>\{)\s*(?P<r>[^}]*?)\s*\}"), "E0110", "expected `:`, found `{at}`",
        "{a}: {r}",
    ),
    LineForm(line(r"require (?P<at>if) (?P<r>.+)"), "E0105", "unexpected `if` after `require`", "require {r}"),
    LineForm(
        line(r"(?P<a>.*?)\b(?P<at>every|all) (?P<x>\w+ in .+?) where (?P<c>[^:]+?)(?P<r>:.*|)"), "E0105",
        UNEXPECTED, "{a}no {x} where not ({c}){r}",
        fits=lambda p: p.kind == "_IN",
    ),
    LineForm(
        line(rf"(?P<a>.*\bcount )(?P<s>{_PLACE}) (?P<at>where) (?P<r>[A-Za-z_]\w*)"), "E0105",
        "`where` needs a name for each piece", "{a}{s} of {r}", only_at_error=True,
    ),
    LineForm(
        line(rf".*\b(?P<at>count (?P<s>{_PLACE}) where) .+"), "E0105", "`where` needs a name for each piece",
        help="write `count c in {s} where …`, with `c` for the piece", fits=lambda p: p.found_text == "where",
    ),
    # definitions
    LineForm(line(r"(?P<at>def|function|func|fun) (?P<r>\w+.*)"), "E0112", NO_KEYWORD, "define {r}"),
    LineForm(line(r"(?P<at>return) (?P<v>.+)"), "E0105", "a definition needs no `return`", "{v}"),
    LineForm(
        line(r"(?P<at>if) (?P<c>.+?):\s*(?P<v>.+)"), "E0105", "the value of a case must come before `if`", "{v} if {c}",
        fits=_values_expected,
    ),
    LineForm(
        line(r"(?P<at>move|set|add|remove|shuffle|roll|record|must|may|let|for|end)\b.*"), "E0105",
        "a definition cannot contain statements", help="write its value here; put statements in a `step`",
        fits=_values_expected,
    ),
    LineForm(
        line(r"(?P<v>.+?)(?P<b>\s+)(?P<at>else)"), "E0105", "expected `otherwise`, found `else`", "{v}{b}otherwise",
        fits=lambda p: "_OTHERWISE" in p.expected,
    ),
    LineForm(
        line(r"when (?P<at>\w+ (?:is|has|of|and|or|not|in)\b.*?):(?P<r>.*)"), "E0407",
        "`when` needs the name of a definition",
        help="write `define NAME: {at}` and `when NAME:{r}`", fits=lambda p: "COLON" in p.expected,
    ),
    # types, options and dice
    LineForm(line(r"(?P<a>type \w+) (?P<at>=) (?P<r>.+)"), "E0111", "expected `is`, found `{at}`", "{a} is {r}"),
    LineForm(
        line(r"(?P<a>type \w+ is) (?P<at>(?:\d+(?:\.\.\d+)?(?:, ?| or |$))+)"), "E0105",
        "numbers of a type are written as ranges", _ranges,
        "for values with an order, name them: `type Bid with points: 0..99:`, and below it `bid_18 18`",
    ),
    LineForm(
        line(r"(?P<a>type (?P<n>\w+) is) (?P<at>(?:\w+(?:, ?| or |$))+)"), "E0105",
        "a type cannot mix names and numbers", _named, fits=lambda p: p.line_before.rstrip()[-1:].isdigit(),
    ),
    LineForm(
        line(r"(?P<a>(?:note|option) (?P<n>\w+)(?:\[.*?\])?:) (?P<at>(?P<x>\d+)(?:, ?| or )(?P<y>\d+)[\d, or]*) =.+"),
        "E0105", "these numbers are not a range",
        help="declare a type, `type Number is {x}..{x}, {y}..{y}`, with all of them, and write its name here",
    ),
    LineForm(line(r"(?P<a>type \w+ is) (?P<at>[\[{(])(?P<v>[^()\[\]{}]+)[\]})]"), "E0105", UNEXPECTED, "{a} {v}"),
    LineForm(line(r"(?P<a>.+:) (?P<at>(?:set|list) of) (?P<r>[A-Z]\w*.*)"), "E0105",
        "expected `several`, found `{at}`", "{a} several {r}"),
    LineForm(
        line(r"(?P<a>option \w+:) (?P<v>\w+(?:, \w+)+) (?P<r>=.+)"), "E0105",
        "the values of an option must be joined by `or`",
        lambda found: f"{found['a']} {found['v'].replace(', ', ' or ')} {found['r']}",
    ),
    LineForm(
        line(r"(?P<at>option|note) .*:[^=]*"), "E0105", "missing initial value",
        help="add `= …` after the type", fits=lambda p: p.at_line_end,
    ),
    LineForm(
        line(r"(?:option|note) .*(?P<at>\d+\.\.)(?!\s*-?\d).*"), "E0105", "incomplete range",
        help="write both ends, such as `1..9`",
    ),
    LineForm(
        line(r"(?P<a>die \w+: )(?P<at>(?P<low>\d{1,3})\s*(?:\.\.|-)\s*(?P<high>\d{1,3}))"), "E0105",
        "a die must list all its faces", _faces,
    ),
    LineForm(
        line(r"(?!(?:must|may|action|step)\b).*\b(?P<at>roll)\s*\(?(?P<v>\w+)\)?.*"), "E0105",
        "`roll` is a statement, not a value", help="write `roll {v}` on a line before; then `{v}` is the face it shows",
        fits=lambda p: p.found_text == "roll",
    ),
    LineForm(line(r"(?P<a>piece \w+: .+?) (?P<at>of each) (?P<r>.+)"), "E0105",
        "expected `for each`, found `{at}`", "{a} for each {r}"),
    # zones
    LineForm(
        line(r"(?P<a>zone \w+(?:\[.*\])?) (?P<at>contains|has|is|with) (?P<r>.+)"),
        "E0112", NO_KEYWORD, "{a} holds {r}",
    ),
    LineForm(
        line(r"(?P<a>zone \w+)(?P<at>\()(?P<i>[^()]+)\)(?P<r>.*)"),
        "E0105", "an index must be in square brackets", "{a}[{i}]{r}",
    ),
    LineForm(
        line(r"(?P<a>(?:zone|note) .+), (?P<at>hidden|secret|private)"),
        "E0112", "expected `seen by`, found `{at}`", "{a}, seen by nobody",
        "name who sees it: `seen by p`, `seen by nobody`",
    ),
    LineForm(
        line(r"(?P<a>(?:zone|note) .*[^,\s]) (?P<at>seen by) (?P<r>.+)"),
        "E0105", "missing `,` before `seen by`", "{a}, seen by {r}",
        only_at_error=True,
    ),
    # the course of play
    LineForm(
        line(r"(?P<a>phase .*?[^,\s]) (?P<at>turns from|over when|repeated until|over as soon as) (?P<r>.+)"), "E0105",
        "missing `,` before `{at}`", "{a}, {at} {r}",
    ),
    LineForm(
        line(r"(?P<a>phase (?P<n>\w+)),? (?P<at>(?:for |repeat(?:ed)? )?(?P<c>\d+) (?:times|rounds)):"), "E0105",
        UNEXPECTED, "{a}, repeated until round({n}) is {c}:",
    ),
    LineForm(
        line(r"(?P<a>phase (?P<n>\w+)),? (?P<at>rounds:? (?P<c>\d+)):"), "E0105", UNEXPECTED,
        "{a}, repeated until round({n}) is {c}:",
    ),
    LineForm(
        line(r"(?P<a>phase \w+),? (?P<at>(?:repeat(?:s|ing|ed)?|loop(?:s|ed)?|rounds)? ?until) (?P<r>.+)"), "E0112",
        "expected `repeated until`, found `{at}`", "{a}, repeated until {r}",
        fits=lambda p: bool({"_REPEATED_UNTIL", "COMMA"} & p.expected),
    ),
    LineForm(
        line(r"(?P<a>phase .+?), (?P<s>over as soon as .+?), (?P<at>repeated until) (?P<r>.+?)\s*:"), "E0105",
        "`{at}` comes before `over as soon as`", "{a}, {at} {r}, {s}:",
    ),
    LineForm(line(r"(?P<a>phase .+?),? (?P<at>over if|until) (?P<r>.+)"), "E0112", NO_KEYWORD, "{a}, over when {r}"),
    LineForm(
        line(r"(?P<a>note .+?)(?P<s>, (?:\w+ )?seen by .+), (?P<at>anew in) (?P<r>\w+)"), "E0105",
        "`{at}` comes before `seen by`", "{a}, {at} {r}{s}",
    ),
    LineForm(
        line(r"(?P<a>note .+?), (?P<at>(?:a?new|reset) (?:in |at |for )?(?:each |every )?)(?P<r>\w+)(?P<s>, .*|)"),
        "E0112", "expected `anew in`", "{a}, anew in {r}{s}",
    ),
    # the header
    LineForm(
        line(rf'(?P<a>game ".*" for (?:\d+ to )?)(?P<at>{"|".join(NUMBER_WORDS)})\b(?P<r>.*)'),
        "E0105", "expected a number, found `{at}`", _number,
    ),
    LineForm(
        line(r'(?P<a>game ".*" for \d+)\s*(?P<at>\.\.|-)\s*(?P<r>\d+ players.*)'),
        "E0105", "expected `to`, found `{at}`", "{a} to {r}",
    ),
    LineForm(
        line(r'(?P<a>game ".*" for .* players) (?P<v>\w+(?:[ ,]+\w+)+)'),
        "E0105", "missing `,` between the seats", _seats,
        fits=lambda p: p.kind == "NAME" and "COMMA" in p.expected,
    ),
    # examples
    LineForm(line(r"(?P<at>expect|assert|should) (?P<r>.+)"), "E0112", NO_KEYWORD, "then {r}"),
    LineForm(
        line(r"(?P<a>then|and) (?P<at>winner) is (?P<s>\w+)"),
        "E0105", "`winners` is a set: there can be several", "{a} winners is {{{s}}}",
    ),
    LineForm(
        line(r"and (?P<at>\d+ players|players .+)"), "E0125", "the players must come first",
        help="write `given {at}` on the first line of the example",
    ),
    LineForm(
        line(r"when phase (?P<n>\w+)(?P<at>,? turns? (?:from|of)|,? starting (?:with|from)|, from) (?P<s>\w+)"),
        "E0105", "expected `from`, found `{at}`", "when phase {n} from {s}",
    ),
    LineForm(
        line(r"(?P<a>then) TARGET (?P<at>shows) (?P<r>.+)"), "E0105", "expected `is`, found `{at}`", "{a} {t} is {r}",
    ),
    LineForm(
        line(r"(?P<a>given|and) TARGET (?P<at>showing|is showing) (?P<r>.+)"), "E0112", NO_KEYWORD,
        "{a} {t} shows {r}",
    ),
    # texts
    LineForm(line(r"(?P<a>.*\bbecause) (?P<at>[^\"]+)"), "E0104", _NO_QUOTES, '{a} "{at}"', fits=_text_expected),
    LineForm(line(r"example (?P<at>[^\":]+):"), "E0104", _NO_QUOTES, 'example "{at}":'),
    LineForm(line(r"table (?P<at>[^\":]+?)(?P<r>(?: for each .*)?):"), "E0104", _NO_QUOTES, 'table "{at}"{r}:'),
    LineForm(line(r"board (?P<at>[^\"]+)"), "E0104", "missing quotes around this file name", 'board "{at}"'),
    LineForm(line(r"(?P<at>\w[^\":]*):\s*(?P<r>.+)"), "E0104", _NO_QUOTES, '"{at}": {r}', fits=_text_expected),
)  # fmt: skip
