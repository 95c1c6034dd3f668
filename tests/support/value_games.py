"""Small games in which values of every type are bound in every position and compared in every way, with right results.

`rules(cells)` is a game for some cells of the matrix `POSITIONS` x `TYPES` x `COMPARISONS`, with an example that holds
only if each comparison is right. The expected numbers are computed here from the values as written, not by Regelwerk.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from textwrap import indent

TYPES: dict[str, tuple[str, tuple[str, ...]]] = {
    "truth": ("Truth", ("false", "true")),
    "number": ("0..2", ("0", "1", "2")),
    "number below 0": ("-1..1", ("-1", "0", "1")),
    "list": ("Shade", ("dark", "pale", "dim")),
    "table": ("Grade", ("low", "mid", "top_grade")),
    "table of numbers": ("Coin", ("1", "2", "5")),
    "list with arguments": ("Bid", ("pass", "run(1)", "run(2)", "shown(false)", "shown(true)")),
    "union": ("Shade or Grade", ("dark", "pale", "dim", "low", "mid", "top_grade")),
    "places": ("Cell", ("a1", "b1", "a2", "b2")),
    "seats": ("Player", ("ann", "ben")),
    "truth or none": ("Truth or none", ("false", "true", "none")),
    "number or none": ("0..2 or none", ("0", "1", "2", "none")),
    "list or none": ("Shade or none", ("dark", "pale", "dim", "none")),
    "list with arguments or none": ("Bid or none", ("pass", "run(1)", "run(2)", "shown(false)", "shown(true)", "none")),
    "seats or nobody": ("Player or nobody", ("ann", "ben", "nobody")),
    "several truths": ("several Truth", ("{}", "{true}", "{false}", "{false, true}")),
    "several of a list": ("several Shade", ("{}", "{dark}", "{pale, dim}")),
    "several seats": ("several Player", ("{}", "{ben}", "{ann, ben}")),
}
"""The types, each as it is declared and with all its values, or some of its sets."""


def is_single(kind: str) -> bool:
    """True if none is not among the values, and they are no sets."""
    return "or no" not in kind and not is_set(kind)


def is_set(kind: str) -> bool:
    """True if the values are sets."""
    return kind.startswith("several")


Compared = tuple[str, frozenset[str]]
"""A condition about `X`, and the values for which it holds."""


def _among(kind: str, rng: random.Random) -> tuple[str, ...]:
    values = [value for value in TYPES[kind][1] if value not in ("none", "nobody")]
    values = values[:3] if kind == "union" else values  # a set has values of one type
    return tuple(rng.sample(values, min(2, len(values) - 1)))


def _is(kind: str, rng: random.Random) -> Compared:
    value = rng.choice(TYPES[kind][1])
    return f"X is {value}", frozenset({value})


def _is_not(kind: str, rng: random.Random) -> Compared:
    value = rng.choice(TYPES[kind][1])
    return f"X is not {value}", frozenset(TYPES[kind][1]) - {value}


def _is_in(kind: str, rng: random.Random) -> Compared:
    some = _among(kind, rng)
    return f"X is in {{{', '.join(some)}}}", frozenset(some)


def _is_not_in(kind: str, rng: random.Random) -> Compared:
    some = _among(kind, rng)
    return f"X is not in {{{', '.join(some)}}}", frozenset(TYPES[kind][1]) - frozenset(some)


def _itself(kind: str, rng: random.Random) -> Compared:
    return "X is X", frozenset(TYPES[kind][1])


def _condition(kind: str, rng: random.Random) -> Compared:
    return rng.choice((("X", frozenset({"true"})), ("not X", frozenset(TYPES[kind][1]) - {"true"})))


def _index(kind: str, rng: random.Random) -> Compared:
    """A note whose first value is the condition: the value is bound as an index there, and used as one here."""
    value = rng.choice(TYPES[kind][1])
    return f"marked_{_word(kind)}_{TYPES[kind][1].index(value)}[X]", frozenset({value})


def _word(kind: str) -> str:
    return kind.replace(" ", "_")


COMPARISONS: dict[str, tuple[Callable[[str, random.Random], Compared], Callable[[str], bool]]] = {
    "is": (_is, lambda kind: True),
    "is not": (_is_not, lambda kind: True),
    "is in": (_is_in, lambda kind: not is_set(kind) and "below" not in kind),
    "is not in": (_is_not_in, lambda kind: not is_set(kind) and "below" not in kind),
    "is itself": (_itself, lambda kind: True),
    "condition": (_condition, lambda kind: kind.startswith("truth")),
    "index": (_index, is_single),
}
"""How a bound value is used, each with the types that can be used so."""


@dataclass
class Parts:
    """The parts of a game; `checks` are what its example demands, `moves` is the number of moves of its phase."""

    options: list[str] = field(default_factory=list)
    components: list[str] = field(default_factory=list)
    statements: list[str] = field(default_factory=list)
    rules: list[str] = field(default_factory=list)
    acts: list[str] = field(default_factory=list)
    checks: list[str] = field(default_factory=list)
    moves: int = 0

    def counter(self, at: str) -> str:
        """A note that a statement counts with."""
        self.components.append(f"note n_{at}: 0..99 = 0")
        return f"n_{at}"

    def pieces(self, b: Bound, number: str) -> None:
        """Pieces with an attribute, that many for each of its values."""
        self.components.append(f"piece Card{b.at}: {number} for each x{b.at}: {b.type} in box{b.at}")
        self.components.append(f"zone box{b.at} holds Card{b.at}")


@dataclass(frozen=True)
class Cell:
    """A cell of the matrix: where a value is bound, its type, and how it is used."""

    position: str
    kind: str
    comparison: str


@dataclass(frozen=True)
class Bound:
    """A cell in a game: `at` distinguishes its names, `test` is the condition about a name, `holds` where it does."""

    at: str
    kind: str
    condition: str
    holds: frozenset[str]

    @property
    def type(self) -> str:
        return TYPES[self.kind][0]

    @property
    def values(self) -> tuple[str, ...]:
        return TYPES[self.kind][1]

    @property
    def count(self) -> int:
        """For how many values the condition holds."""
        return len(self.holds)

    def test(self, name: str) -> str:
        return f"({self.condition.replace('X', name)})"

    def number(self, name: str) -> str:
        return f"(1 if {self.test(name)} else 0)"

    def sum(self, term: Callable[[str], str]) -> str:
        """The sum of a term for each value as it is written."""
        return "(" + " + ".join(map(term, self.values)) + ")"


def _attribute(parts: Parts, b: Bound) -> None:
    parts.pieces(b, "2")
    parts.checks.append(f"count {{c in box{b.at} where {b.test(f'c.x{b.at}')}}} is {2 * b.count}")


def _number_of_pieces(parts: Parts, b: Bound) -> None:
    parts.pieces(b, b.number(f"x{b.at}"))
    parts.checks.append(f"count box{b.at} is {b.count}")


def _number_by_definition(parts: Parts, b: Bound) -> None:
    parts.pieces(b, f"many{b.at}(x{b.at})")
    parts.rules.append(f"define many{b.at}(y: {b.type}): {b.number('y')}")
    parts.checks.append(f"count box{b.at} is {b.count}")


def _number_by_column(parts: Parts, b: Bound) -> None:
    """A column of a table and an attribute compared with each other: the first bug of this kind."""
    rows = "\n".join(f"    row{b.at}_{number}  {value}" for number, value in enumerate(b.values))
    parts.components += [
        f"type Row{b.at} with col: {b.type}:\n{rows}",
        f"piece Card{b.at}: (1 if row{b.at}.col is x{b.at} and {b.test(f'x{b.at}')} else 0) "
        f"for each row{b.at}: Row{b.at}, x{b.at}: {b.type} in box{b.at}",
        f"zone box{b.at} holds Card{b.at}",
    ]  # fmt: skip
    parts.checks.append(f"count {{c in box{b.at} where c.row{b.at}.col is c.x{b.at}}} is {b.count}")
    parts.checks.append(f"count {{r in Row{b.at} where {b.test('r.col')}}} is {b.count}")


def _index_of_zone(parts: Parts, b: Bound) -> None:
    parts.components += [
        f"piece Card{b.at}: {b.number(f'x{b.at}')} for each x{b.at}: {b.type} in shelf{b.at}[x{b.at}]",
        f"zone shelf{b.at}[i: {b.type}] holds one Card{b.at}",
    ]
    parts.checks.append(b.sum(lambda value: f"count shelf{b.at}[{value}]") + f" is {b.count}")
    if "below" not in b.kind:
        parts.checks.append(f"count {{i in shelf{b.at} where {b.test('i')}}} is {b.count}")


def _index_of_note(parts: Parts, b: Bound) -> None:
    parts.components.append(f"note kept{b.at}[i: {b.type}]: 0..1 = {b.number('i')}")
    parts.checks.append(b.sum(lambda value: f"kept{b.at}[{value}]") + f" is {b.count}")


def _value_of_note(parts: Parts, b: Bound) -> None:
    names = [f"held{b.at}_{number}" for number in range(len(b.values))]
    parts.components += [f"note {name}: {b.type} = {value}" for name, value in zip(names, b.values, strict=True)]
    parts.checks.append("(" + " + ".join(map(b.number, names)) + f") is {b.count}")


def _option(parts: Parts, b: Bound) -> None:
    for number, value in enumerate(b.values):
        parts.options.append(f"option chosen{b.at}_{number}: {b.type} = {value}")
        parts.checks.append(f"{b.number(f'chosen{b.at}_{number}')} is {int(value in b.holds)}")


def _by_players(parts: Parts, b: Bound) -> None:
    rows = "\n".join(f"    by{b.at}_{number}  {value}" for number, value in enumerate(b.values))
    parts.components.append(f"by players  2:\n{rows}")
    parts.checks += [f"{b.number(f'by{b.at}_{k}')} is {int(value in b.holds)}" for k, value in enumerate(b.values)]


def _definition(parts: Parts, b: Bound) -> None:
    parts.rules += [f"define met{b.at}(y: {b.type}): {b.number('y')}", f"define same{b.at}(y: {b.type}) -> {b.type}: y"]
    parts.checks.append(b.sum(lambda value: f"met{b.at}({value})") + f" is {b.count}")
    parts.checks.append(b.sum(lambda value: b.number(f"same{b.at}({value})")) + f" is {b.count}")


def _case(parts: Parts, b: Bound) -> None:
    parts.rules.append(f"define case{b.at}(y: {b.type}):\n    1   if {b.test('y')}\n    0   otherwise")
    parts.checks.append(b.sum(lambda value: f"case{b.at}({value})") + f" is {b.count}")


def _step(parts: Parts, b: Bound) -> None:
    n = parts.counter(b.at)
    parts.rules.append(f"step do{b.at}(y: {b.type}):\n    let z = y\n    if {b.test('z')}: add 1 to {n}")
    parts.statements += [f"do{b.at}({value})" for value in b.values]
    parts.checks.append(f"{n} is {b.count}")


def _hypothesis(parts: Parts, b: Bound) -> None:
    n = parts.counter(b.at)
    parts.rules.append(f"step if{b.at}(y: {b.type}): set {n} to {b.number('y')}")
    parts.checks.append(b.sum(lambda value: f"({n} given if{b.at}({value}))") + f" is {b.count}")


def _binder(parts: Parts, b: Bound) -> None:
    whole = "{" + ", ".join(b.values) + "}"
    parts.checks += [
        f"count {{x in {whole} where {b.test('x')}}} is {b.count}",
        f"(count x in {whole} where {b.test('x')}) is {b.count}",
        f"(sum {b.number('x')} for x in {whole}) is {b.count}",
        f"(sum {b.number('x')} for x in {whole} with y in {whole} where x is y) is {b.count}",
        f"(some x in {whole} where {b.test('x')}) is {str(bool(b.count)).lower()}",
        f"(count {{x for x in {whole} where {b.test('x')}}}) is {b.count}",
    ]
    if b.count == 1:
        (only,) = b.holds
        parts.checks.append(f"(the x in {whole} where {b.test('x')}) is {only}")
        parts.checks.append(f"first({{x in {whole} where {b.test('x')}}}) is {only}")
        parts.checks.append(f"last({{x in {whole} where {b.test('x')}}}) is {only}")
        parts.checks.append(f"nth(1, {{x in {whole} where {b.test('x')}}}) is {only}")
        parts.checks.append(f"(the x in {whole} with highest {b.number('x')}) is {only}")


def _loop(parts: Parts, b: Bound) -> None:
    whole, n = "{" + ", ".join(b.values) + "}", parts.counter(b.at)
    parts.statements += [
        f"for each x in {whole} where {b.test('x')}: add 1 to {n}",
        f"for each x in {whole}:\n    if {b.test('x')}: add 1 to {n}",
        f"for each x in {whole} where {b.test('x')} at once: add 1 to {n}",
    ]
    parts.checks.append(f"{n} is {3 * b.count}")


def _parameter(parts: Parts, b: Bound) -> None:
    n = parts.counter(b.at)
    parts.rules.append(
        f'action act{b.at}(y: {b.type}):\n    "act {b.at} {{y}}"\n    require {b.test("y")} because "no"\n'
        f"    add {b.number('y')} to {n}"
    )
    parts.acts.append(f"act{b.at}")
    parts.moves += b.count
    parts.checks += [f"ann may {'' if value in b.holds else 'not '}act{b.at}({value})" for value in b.values]


def _parameter_of_set(parts: Parts, b: Bound) -> None:
    n, whole = parts.counter(b.at), "{" + ", ".join(b.values) + "}"
    parts.rules.append(
        f'action take{b.at}(y in {whole}):\n    "take {b.at} {{y}}"\n'
        f'    require {b.test("y")} because "no"\n    add {b.number("y")} to {n}'
    )
    parts.acts.append(f"take{b.at}")
    parts.moves += b.count
    parts.checks += [f"ann may {'' if value in b.holds else 'not '}take{b.at}({value})" for value in b.values]


def _chosen(parts: Parts, b: Bound) -> None:
    n, whole, name = parts.counter(b.at), "{" + ", ".join(b.values) + "}", f"y{b.at}"
    parts.rules.append(
        f'action pick{b.at}:\n    "pick {b.at}"\n    must choose {name} from {whole} where {b.test(name)}\n'
        f"    add {b.number(name)} to {n}"
    )
    parts.acts.append(f"pick{b.at}")
    parts.moves += 1


def _reaction(parts: Parts, b: Bound) -> None:
    n = parts.counter(b.at)
    parts.rules += [
        f"when met{b.at}(y: {b.type}): set {n} to {b.number('y')} + 1",
        f"define met{b.at}(y: {b.type}): {n} is 1 and {b.test('y')}",
    ]
    parts.statements.append(f"add 1 to {n}")
    parts.checks.append(f"{n} is {2 if b.count else 1}")


def _clause(parts: Parts, b: Bound) -> None:
    n = parts.counter(b.at)
    parts.rules += [
        f"step use{b.at}({b.values[0]}): add {int(b.values[0] in b.holds)} to {n}",
        f"step use{b.at}(y: {b.type}), otherwise: add {b.number('y')} to {n}",
    ]
    parts.statements += [f"use{b.at}({value})" for value in b.values]
    parts.checks.append(f"{n} is {b.count}")


def _argument_of_value(parts: Parts, b: Bound) -> None:
    parts.components.append(f"type Boxed{b.at} is boxed{b.at}({b.type}), bare{b.at}")
    parts.rules.append(
        f"define open{b.at}(v: Boxed{b.at}):\n    {b.number('y')}   if v is boxed{b.at}(y)\n    0   otherwise"
    )
    parts.checks.append(f"(sum open{b.at}(v) for v in Boxed{b.at}) is {b.count}")


def _listed(kind: str) -> bool:
    return kind in ("list", "table", "list with arguments")


def _no_set(kind: str) -> bool:
    return not is_set(kind)


def _in_set(kind: str) -> bool:
    return is_single(kind) and kind not in ("number below 0", "union")


def _in_table(kind: str) -> bool:
    return is_single(kind) and kind not in ("seats", "list with arguments")


def _in_row(kind: str) -> bool:
    return kind in ("truth", "number", "number below 0", "list", "table")


def _in_option(kind: str) -> bool:
    return not is_set(kind) and "arguments" not in kind and "below" not in kind


def _in_value(kind: str) -> bool:
    return is_single(kind) and kind not in ("seats", "union")


POSITIONS: dict[str, tuple[Callable[[Parts, Bound], None], Callable[[str], bool]]] = {
    "attribute of a piece": (_attribute, is_single),
    "attribute, in the number of pieces": (_number_of_pieces, is_single),
    "attribute, passed to a definition in the number of pieces": (_number_by_definition, is_single),
    "attribute, compared with a column in the number of pieces": (_number_by_column, _in_table),
    "index of a zone, in the home of pieces": (_index_of_zone, is_single),
    "index of a note, in its first value": (_index_of_note, is_single),
    "value of a note": (_value_of_note, lambda kind: True),
    "option": (_option, _in_option),
    "row of a table by players": (_by_players, _in_row),
    "parameter of a definition": (_definition, lambda kind: True),
    "parameter of a definition, in cases": (_case, lambda kind: True),
    "parameter of a step, and let": (_step, lambda kind: True),
    "parameter of a step in a hypothesis": (_hypothesis, lambda kind: True),
    "parameter of an action": (_parameter, _no_set),
    "parameter of an action, from a set": (_parameter_of_set, _in_set),
    "parameter of a reaction": (_reaction, _no_set),
    "choice": (_chosen, _in_set),
    "binder of count, sum, some, the, and sets": (_binder, _in_set),
    "loop": (_loop, _in_set),
    "clause": (_clause, _listed),
    "argument of a value": (_argument_of_value, _in_value),
}  # fmt: skip
"""Where a value is bound, each with the types that can be bound there."""


BEFORE_NOTES = frozenset({position for position in POSITIONS if "pieces" in position})
"""Where a note cannot be read: pieces are counted before there are notes."""


def every_cell() -> Iterator[Cell]:
    """All cells of the matrix."""
    for position, (_, binds) in POSITIONS.items():
        for kind in filter(binds, TYPES):
            for comparison, (_, compares) in COMPARISONS.items():
                if compares(kind) and not (comparison == "index" and position in BEFORE_NOTES):
                    yield Cell(position, kind, comparison)


CELLS_OF_A_GAME = 12


def games() -> list[list[Cell]]:
    """All cells, in groups for one game each."""
    cells = list(every_cell())
    random.Random(37).shuffle(cells)
    return [cells[first : first + CELLS_OF_A_GAME] for first in range(0, len(cells), CELLS_OF_A_GAME)]


def rules(cells: Sequence[Cell], seed: int = 0) -> str:
    """The text of a game with these cells."""
    rng, parts = random.Random(seed), Parts()
    for number, cell in enumerate(cells):
        condition, holds = COMPARISONS[cell.comparison][0](cell.kind, rng)
        POSITIONS[cell.position][0](parts, Bound(f"_{number}", cell.kind, condition, holds))
    written = "".join([*parts.components, *parts.rules, *parts.statements, *parts.checks])
    declared = [
        f"note {name}[i: {type_}]: Truth = i is {value}"
        for kind, (type_, values) in TYPES.items()
        for number, value in enumerate(values)
        if f"{(name := f'marked_{_word(kind)}_{number}')}[" in written
    ]
    newline = "\n"
    counted = indent(newline.join(["add 0 to turn_number", *parts.statements]), "    ")
    return f"""game "Values" for 2 players ann, ben

{newline.join(parts.options)}

== components ==

type Shade is dark, pale, dim
type Grade with worth: 0..3:
    low        1
    mid        2
    top_grade  3
type Coin with weight: 0..3:
    1  1
    2  2
    5  3
type Bid is pass, run(1..2), shown(Truth)
type Cell from grid(2, 2)
note turn_number: 0..9 = 0
{newline.join([*declared, *parts.components])}

== phases ==

phase counting:
{counted}
phase playing, turns from ann, over when turn_number > 5:
    add 1 to turn_number
    must {" or ".join([*parts.acts, "go_on", "stay"])}

{(newline * 2).join(parts.rules)}

action go_on:
    "go on"

action stay:
    "stay"

== scoring ==

winner turn_number > 5

== examples ==

example "values":
    when phase counting
    then {(newline + "    and ").join([check for check in parts.checks if not check.startswith("ann may")] or ["true"])}

example "moves":
    when phase playing
    then count moves is {parts.moves + 2}
{"".join(f"    and {check}{newline}" for check in parts.checks if check.startswith("ann may"))}"""
