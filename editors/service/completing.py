"""What can be written at the cursor: keywords that the parser expects there, and names that fit.

The text may be newer than the analysis, which only says what there is; where the cursor is, the parser says. It reads
the declaration up to the cursor. If that has an error, everything that may stand in rules is offered.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import takewhile
from pathlib import Path

from dsl import ast
from dsl.checker.names.declarations import TAKEN
from dsl.checker.names.functions import FUNCTIONS
from dsl.checker.query import ask
from dsl.lazy_dataclasses import dataclass
from dsl.model import Model
from dsl.symbols import LocalSymbol, PhaseSymbol, RuleSymbol, Symbol, TypeSymbol, ZoneSymbol
from dsl.syntax import segments, terminals
from dsl.syntax.layout import LayoutError, Token
from dsl.syntax.parser import Place as ParserPlace
from dsl.syntax.parser import Unexpected
from dsl.text.visible import visible
from dsl.types import TRUTH, Number, Type, Unknown, bare, comparable, element_of
from editors.service.names import Names, attribute_types
from editors.service.results import Completion, CompletionKind, Place
from editors.service.signatures import Callee, callee_of, enclosing_call

FITTING, NEAR, USUAL, KEYWORD = 0, 1, 2, 3
"""Ranks: names of the expected type, locals, other names, keywords."""

_NEW_NAME = frozenset({
    "_TYPE", "_PIECE", "_ZONE", "_NOTE", "_OPTION", "_DEFINE", "_ACTION", "_STEP", "_PHASE", "_DIE", "_POSITION",
    "_LET",
})  # fmt: skip
"""What comes before a name that is new."""

_ONLY_AFTER: dict[str, frozenset[CompletionKind]] = {
    "_RECORD": frozenset({"position"}), "_ANEW_IN": frozenset({"phase"}), "_ROLL": frozenset({"die"}),
    "_SHUFFLE": frozenset({"zone"}), "_SET": frozenset({"note"}), "_HOLDS": frozenset({"piece"}),
    "_MUST": frozenset({"action", "step"}), "_MAY": frozenset({"action", "step"}),
    "SECRETLY": frozenset({"action", "step"}),
}  # fmt: skip
"""What a name can be right after a keyword."""

_SNIPPETS = {
    "action": 'action ${1:name}(${2:x: Type}):\n    "${3:label}"\n    $0',
    "step": "step ${1:name}(${2:x: Type}):\n    $0",
    "define": "define ${1:name}(${2:x: Type}): ${0:value}",
    "example": 'example "${1:title}":\n    when ${2:seat}: ${3:action}\n    then ${0:condition}',
    "phase": "phase ${1:name}, turns from ${2:seat}, over when ${3:condition}:\n    $0",
    "zone": "zone ${1:name} holds ${2:Piece}",
    "note": "note ${1:name}: ${2:0..99} = ${3:0}",
    "type": "type ${1:Name} is ${2:value}, ${3:value}",
    "piece": "piece ${1:Name}: ${2:1} for each ${3:attribute}: ${4:Type} in ${5:zone}",
    "option": 'option ${1:name}: ${2:Truth} = ${3:false}:\n    "${4:Whether …}"',
    "when": "when ${1:definition}:\n    $0",
    "table": 'table "${1:Title}" for each ${2:p} in ${3:Player}:\n    "${4:Column}": ${0:value}',
    "for each": "for each ${1:x} in ${2:set}:\n    $0",
    "require": 'require ${1:condition} because "${2:reason}"',
}
"""What is inserted for a keyword that begins a line."""

_HEADING = re.compile(r"^==+[ \t]*([A-Za-z_]+)[ \t]*==+", re.MULTILINE)
_WORD_BEFORE = re.compile(r"[A-Za-z_]\w*$")
_BOUND = re.compile(r"\b(?:let|secret)\s+(\w+)|(\w+)\s+in\b|(\w+)\s+from\b|[(\[,]\s*(\w+)\s*:")
"""What may introduce a local name, in a text that is being written."""

_BOUND_LATER = re.compile(r"\b(?:for|with)\s+(\w+)\s+in\b")
"""What introduces a name that stands before it, as in `{next(c, d) for d in Way}`."""


@dataclass
class _Spot:
    """Where the cursor is: the declaration before it, its tokens, and the terminals that may come next.

    `is_known`: the declaration can be read up to the cursor.
    """

    unit: str
    tokens: list[Token]
    expected: frozenset[str]
    is_known: bool


def completions(names: Names, path: Path, text: str, offset: int) -> tuple[Completion, ...]:
    """What can be written at an offset of the present text of a file; the likeliest have the lowest rank."""
    line_start = text.rfind("\n", 0, offset) + 1
    line_to_cursor = text[line_start:offset]
    inside = _inside(line_to_cursor)
    match = _WORD_BEFORE.search(line_to_cursor)
    place = Place(path, offset - len(match.group()) if match else offset, offset)
    model = names.analysis.model
    if inside == "comment" or not path.name.endswith(".rules"):
        return ()
    if inside == "citation" and model is not None:
        return _items(model, path, line_to_cursor, offset)
    if inside == "text" and not _in_hole(line_to_cursor):
        return ()
    spot = _spot(text, place.start, in_text=inside == "text", hole_start=line_start + line_to_cursor.rfind("{") + 1)
    scope = _locals(model, spot.unit, text[offset:].partition("\n")[0])
    if text[: place.start].rstrip(" ").endswith(".") and not text[: place.start].endswith(".."):
        base = _operand(text[: place.start].rstrip(" ")[:-1])
        return tuple(_attributes(model, base, scope, place)) if model is not None else ()
    every = [*_keywords(spot, place), *(_names(model, spot, scope, text, place) if model is not None else ())]
    return tuple(dict.fromkeys(every))


def _inside(line_to_cursor: str) -> str:
    """What the end of a line is in: a comment, a text, a citation, or nothing of these."""
    in_text = False
    for character in line_to_cursor:
        if character == '"':
            in_text = not in_text
        elif character == "#" and not in_text:
            return "comment"
    if in_text:
        return "text"
    return "citation" if re.search(r"[ \t]\[(?:[A-Z][A-Z0-9 a-z-]*)?$", line_to_cursor) else ""


def _in_hole(line_to_cursor: str) -> bool:
    """True if the end of a text is inside braces."""
    text = line_to_cursor[line_to_cursor.rfind('"') + 1 :]
    return text.rfind("{") > text.rfind("}")


# ---------------- where the cursor is


def _spot(text: str, offset: int, in_text: bool, hole_start: int) -> _Spot:
    """Read the declaration up to the beginning of the word at the cursor."""
    line = text.rfind("\n", 0, offset) + 1
    begin = segments.unit_start(text, 0, line)
    unit = text[begin:offset]
    units, start = segments.units_of(text)
    if in_text:
        tokens, expected, is_known = _read(text[hole_start:offset], "expr")
    else:
        if not text[line:offset].strip() and (line == offset or begin >= line):
            unit, begin = text[line:offset], line  # at the left margin, where a declaration begins
        tokens, expected, is_known = _read(unit, start if units is segments.TOP else "changes")
    if units is segments.TOP and is_known and not in_text and offset == line:
        if not text[:offset].strip():
            expected = terminals.first("start") - {"_NL"}
        elif (heading := _heading_above(text[:offset])) != "setup":
            expected = terminals.first("declaration") | {"HEADING"} if heading else frozenset({"_OPTION", "HEADING"})
    return _Spot(unit, tokens, expected, is_known)


def _heading_above(text: str) -> str:
    """The part of the game that the end of a text is in; empty before the first one."""
    headings = _HEADING.findall(text)
    return headings[-1] if headings else "examples" if text.lstrip().startswith("examples") else ""


def _read(text: str, start: str) -> tuple[list[Token], frozenset[str], bool]:
    """The tokens of a text and what may follow it; False if it has an error before its end."""
    at = ParserPlace(start)
    tokens: list[Token] = []
    end = len(text)
    try:
        for token in at.tokens(f"{text}x"):
            if token.start_pos >= end and token.type.isupper() and token != "":
                return tokens, at.accepts(), True
            at.feed(token)
            tokens.append(token)
    except Unexpected as error:
        is_known = error.start >= end
        return tokens, error.expected if is_known else frozenset(), is_known
    except LayoutError:
        return tokens, frozenset(), False
    return tokens, at.accepts(), True


def _locals(model: Model | None, unit: str, rest_of_line: str) -> dict[str, LocalSymbol | None]:
    """The local names that may be in scope at the end of a declaration: with what the checker knew of them, or None."""
    written = {word for match in _BOUND.finditer(unit) for word in match.groups() if word}
    written |= {*_BOUND_LATER.findall(rest_of_line)}
    heading = re.match(r"\s*(?:(?:add|replace)\s+)?\w+\s+(\w+)", unit)
    scope: dict[str, LocalSymbol | None] = {word: None for word in sorted(written) if terminals.is_name(word)}
    if heading is None or model is None:
        return scope
    declared = [model.globals.get(heading[1]), *(when for when in model.whens if when.name == heading[1])]
    declared += [rule for name, rule in model.rules.items() if name.partition("(")[0] == heading[1]]
    for node in (node for symbol in declared if symbol is not None and symbol.node for node in symbol.node.walk()):
        symbol = model.refers.get(node.number)
        if isinstance(symbol, LocalSymbol) and symbol.name in scope:
            scope[symbol.name] = symbol
    return scope


# ---------------- keywords and items


def _keywords(spot: _Spot, place: Place) -> Iterator[Completion]:
    if spot.is_known:
        at_start = bool({"_ZONE", "_DEFINE", "_MOVE", "_GIVEN"} & spot.expected)
        words = [word for word in map(terminals.keyword, sorted(spot.expected)) if word]
        if at_start:
            words += [word for word in terminals.line_starts() if word.split()[0] in words]
            words += [word for word in terminals.declaration_starts() if word.split()[0] in words]
    else:
        at_start, words = False, sorted(terminals.keywords())
    for word in dict.fromkeys(words):
        if at_start and word in _SNIPPETS:
            yield Completion(word, "snippet", _SNIPPETS[word], place, rank=KEYWORD, is_snippet=True)
        else:
            yield Completion(word, "keyword", word, place, rank=KEYWORD)


def _items(model: Model, path: Path, line_to_cursor: str, offset: int) -> tuple[Completion, ...]:
    """The ids of the rulebook items."""
    written = re.search(r"[A-Za-z0-9-]*$", line_to_cursor)
    place = Place(path, offset - len(written.group()) if written else offset, offset)
    return tuple(
        Completion(item, "item", item, place, detail=visible(text), rank=number)
        for number, (item, text) in enumerate((model.items or {}).items())
    )


# ---------------- names


def _names(
    model: Model, spot: _Spot, scope: dict[str, LocalSymbol | None], text: str, place: Place
) -> Iterator[Completion]:
    """The names that may stand at the cursor."""
    last = spot.tokens[-1].type if spot.tokens else ""
    in_example = spot.unit.lstrip().startswith("example")
    if last == "_PHASE" and spot.tokens[-2:-1] and spot.tokens[-2].type == "_WHEN":
        yield from _symbols(model, frozenset({"phase"}), place, None)
        return
    if spot.is_known and ("NAME" not in spot.expected or last in _NEW_NAME):
        return
    if spot.is_known and "_SEVERAL" in spot.expected:
        yield from _symbols(model, frozenset({"type"}), place, None)
        return
    if last == "_WHEN" and not in_example:
        yield from _symbols(model, frozenset({"definition"}), place, TRUTH)
        return
    if last in ("_WHEN", "_PLAYERS"):
        yield from _seats(model, place)
        return
    only = _ONLY_AFTER.get(last)
    if last == "_HOLDS":
        for shape in ("one", "row of", "stack of"):
            yield Completion(shape, "keyword", shape, place, rank=KEYWORD)
    if in_example:
        for name in sorted(TAKEN - {"setup"}):
            yield Completion(name, "constant", name, place, detail="in examples", rank=USUAL)
    if _is_cue(spot.tokens):
        rules = (symbol for symbol in model.rules.values() if "(" not in symbol.name)
        yield from (
            Completion(rule.name, "action" if rule.is_action else "step", rule.name, place, rank=FITTING)
            for rule in rules
        )
        return
    is_value = not spot.is_known or {"NAME", "INT", "LPAR"} <= spot.expected
    if not is_value and only is None and "_MOVE" in spot.expected:
        only = frozenset({"step"})
    if not is_value and last == "_GIVEN":
        only = frozenset({"step"})
    if not is_value and "_SEEN_BY" in spot.expected:
        yield from _attributes(model, "", scope, place)
        return
    if not is_value and only is None and _is_choice(spot.tokens):
        only = frozenset({"action", "step"})
    if only is None and not is_value and spot.unit.lstrip().startswith("names"):
        yield from _attributes(model, "", scope, place)
        only = frozenset({"piece", "zone", "note", "option", "phase", "action", "step", "definition", "die", "type"})
        yield from (Completion(value, "value", value, place, rank=USUAL) for value in model.values)
    expected = _expected_type(model, scope, text, place.start)
    if only is None:
        for name, symbol in scope.items():
            type_ = symbol.type if symbol is not None else None
            rank = FITTING if _fits(type_, expected) else NEAR
            yield Completion(name, "local", name, place, detail=str(type_ or "a name of this rule"), rank=rank)
        for name in sorted(FUNCTIONS):
            yield Completion(
                name, "function", f"{name}(${{1}})", place, documentation=FUNCTIONS[name][0], rank=USUAL,
                is_snippet=True,
            )  # fmt: skip
        for name, owners in model.values.items():
            rank = FITTING if any(_fits(owner.type, expected) for owner in owners) else USUAL
            yield Completion(name, "value", name, place, detail=str(owners[0].type), rank=rank)
        yield from _option_values(model, expected, place)
    yield from _symbols(model, only, place, expected)


def _is_cue(tokens: Sequence[Token]) -> bool:
    """True if the last line is the heading of a step that says before or after which rules it is done."""
    line = _last_line(tokens)
    return "_STEP" in line and "COLON" not in line and not line.isdisjoint({"BEFORE", "AFTER"})


def _is_choice(tokens: Sequence[Token]) -> bool:
    """True if the last line says what a seat must or may do."""
    line = _last_line(tokens)
    return not line.isdisjoint({"_MUST", "_MAY"}) or {"_WHEN", "COLON"} <= line


def _last_line(tokens: Sequence[Token]) -> set[str]:
    """The kinds of tokens in the last line."""
    return {token.type for token in takewhile(lambda token: token.type != "_NL", reversed(tokens))}


def _seats(model: Model, place: Place) -> Iterator[Completion]:
    for seat in model.seats:
        yield Completion(seat, "value", seat, place, detail="a seat", rank=FITTING)


def _option_values(model: Model, expected: Type | None, place: Place) -> Iterator[Completion]:
    for option in model.options.values():
        if expected is not None and _fits(option.type, expected):
            for value in option.values:
                yield Completion(value, "value", value, place, detail=f"a value of `{option.name}`", rank=FITTING)


_KINDS: dict[str, CompletionKind] = {
    "TypeSymbol": "type", "PieceSymbol": "piece", "ZoneSymbol": "zone", "NoteSymbol": "note", "DieSymbol": "die",
    "PositionSymbol": "position", "OptionSymbol": "option", "ConstantSymbol": "constant", "DefineSymbol": "definition",
    "PhaseSymbol": "phase", "BuiltinSymbol": "constant",
}  # fmt: skip


def _symbols(
    model: Model, only: frozenset[CompletionKind] | None, place: Place, expected: Type | None
) -> Iterator[Completion]:
    """The declared names of these kinds; by default those that may be part of a value."""
    for name, symbol in model.globals.items():
        if name in FUNCTIONS:
            continue
        kind: CompletionKind = (
            ("action" if symbol.is_action else "step") if isinstance(symbol, RuleSymbol)
            else _KINDS.get(type(symbol).__name__, "constant")
        )  # fmt: skip
        if only is None and isinstance(symbol, PhaseSymbol | RuleSymbol):
            continue
        if only is not None and kind not in only:
            continue
        type_ = type_of_symbol(symbol)
        callee = callee_of(model, name.partition("(")[0])
        inserted, is_snippet = _call(callee) if callee is not None else (name, False)
        yield Completion(
            name.partition("(")[0], kind, inserted, place, detail=_detail(type_, callee),
            rank=FITTING if _fits(type_, expected) else USUAL, is_snippet=is_snippet,
        )  # fmt: skip


def _call(callee: Callee) -> tuple[str, bool]:
    """A name with stops for its arguments."""
    if not callee.parameters:
        return callee.name, False
    opening, closing = ("[", "]") if callee.is_index else ("(", ")")
    stops = ", ".join(f"${{{number}:{name}}}" for number, (name, _) in enumerate(callee.parameters, start=1))
    return f"{callee.name}{opening}{stops}{closing}", True


def _detail(type_: Type | None, callee: Callee | None) -> str:
    label = callee.label if callee is not None and callee.parameters else ""
    return label or (str(type_) if type_ is not None else "")


def type_of_symbol(symbol: Symbol) -> Type | None:
    """The type of the value that a name has, if it has one."""
    if isinstance(symbol, ZoneSymbol):
        return symbol.contents
    if isinstance(symbol, TypeSymbol):
        return None
    type_: Type | None = getattr(symbol, "type", None)
    return type_


def _fits(type_: Type | None, expected: Type | None) -> bool:
    if type_ is None or expected is None or isinstance(type_, Unknown) or isinstance(expected, Unknown):
        return False
    core = bare(expected)
    return comparable(type_, core if not isinstance(core, Number) else expected)


# ---------------- the type that is expected


_COMPARISON = re.compile(r"\b(?:is(?:\s+not)?(?:\s+in)?)\s*$")
_SET = re.compile(r"\bset\s+(.+?)\s+to\s*$")


def _expected_type(model: Model, scope: dict[str, LocalSymbol | None], text: str, offset: int) -> Type | None:
    """The type of what should come next: what it is compared with, assigned to or an argument for."""
    line_to_cursor = text[text.rfind("\n", 0, offset) + 1 : offset]
    if (assigned := _SET.search(line_to_cursor)) is not None:
        return _type_of(model, assigned[1], scope)
    if (compared := _COMPARISON.search(line_to_cursor)) is not None:
        type_ = _type_of(model, _operand(line_to_cursor[: compared.start()].rstrip()), scope)
        return element_of(type_) or type_ if type_ is not None else None
    call = enclosing_call(line_to_cursor)
    callee = callee_of(model, call[0]) if call is not None else None
    if call is not None and callee is not None and call[1] < len(callee.parameters):
        return callee.parameters[call[1]][1]
    if re.search(r"\bif\s*$|\brequire\s*$|\bwhere\s*$|\bnot\s*$", line_to_cursor):
        return TRUTH
    return None


def _type_of(model: Model, text: str, scope: dict[str, LocalSymbol | None]) -> Type | None:
    """The type of an expression, if it has one."""
    if not text.strip():
        return None
    symbols = [symbol for symbol in scope.values() if symbol is not None]
    node, _ = ask(extended := model.extended(), text, symbols)
    return extended.types.get(node.number) if isinstance(node, ast.Node) else None


def _operand(text: str) -> str:
    """The value that a text ends in: a name with its arguments, index and attributes."""
    end = at = len(text)
    while at > 0:
        character = text[at - 1]
        if character.isalnum() or character in "_.":
            at -= 1
        elif character in ")]":
            opened = _opening(text, at - 1)
            if opened is None:
                break
            at = opened
        else:
            break
    return text[at:end].strip(".")


def _opening(text: str, closing: int) -> int | None:
    """Where the bracket is opened that is closed at an offset."""
    depth = 0
    for at in range(closing, -1, -1):
        if text[at] in ")]}":
            depth += 1
        elif text[at] in "([{":
            depth -= 1
            if depth == 0:
                return at
        elif text[at] == "\n":
            return None
    return None


def _attributes(model: Model, base: str, scope: dict[str, LocalSymbol | None], place: Place) -> Iterator[Completion]:
    """The attributes of a value; of one that is not known yet, all."""
    of_base = attribute_types(model, _type_of(model, base, scope))
    attributes: Iterable[tuple[str, Type]] = of_base.items()
    if not of_base:
        owners = [piece.attributes for piece in model.pieces.values()]
        owners += [type_.attributes for type_ in model.type_symbols.values()]
        attributes = ((name, type_) for of_owner in owners for name, type_ in of_owner.items())
    for name, type_ in attributes:
        yield Completion(name, "attribute", name, place, detail=str(type_), rank=FITTING)
