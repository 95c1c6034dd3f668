"""Small random games of well-typed terms and statements: boards, sets, folds, cases. Many of them fail in play.

`rules(number)` is the text of a game, always the same one for a number; with `hypotheses` another one, which asks what
would be the case after a step, with `numbers` one with divisions, ordered values and choices of so many, with
`repetition` one that records positions, with `once` one that offers equal moves once, and with `additions` one with
further terms, statements and parameters. Nearly all of them pass `check`.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from textwrap import indent
from typing import Literal

Kind = Literal["number", "truth", "cell", "colour", "player", "cells", "shades", "stones", "stone", "sides"]
MEMBERS: dict[Kind, Kind] = {"cells": "cell", "shades": "colour", "stones": "stone"}
"""The kinds of sets that are gone through, each with the kind of its members."""

CONSTANTS: dict[Kind, tuple[str, ...]] = {
    "number": ("0", "1", "2", "4", "n", "n", "round", "size", "limit", "cube", "m[me]", "m[leader]", "m[left(me)]"),
    "truth": ("flag", "steep", "true", "line is empty", "spot is none", "leader is me"),
    "cell": ("spot", "spot", "a1", "b2", "first(spots)", "last(Cell)"),
    "colour": ("mark", "red", "blue", "green", "first(shades)"),
    "player": ("me", "leader", "left(me)", "right(me)", "ann"),
    "cells": ("spots", "spots", "Cell", "at", "(Cell - at)", "at of red", "at of blue", "{a1, b2}", "fenced"),
    "shades": ("shades", "shades", "Colour", "{red, green}"),
    "stones": ("bag", "line", "(bag + line)", "pile[a1]"),
    "stone": ("first(line)", "last(line)"),
    "sides": ("fence", "Side", "{a1_b1}"),
}
"""The shortest terms of each kind."""

DIVISORS = ("2", "3", "-2", "cube", "size", "larger(1, n)", "(n + 1)", "n")
"""What is divided by; the last one may be 0."""

POSITIONS = {
    "everything": "at, pile, line, bag, n, m, mark, leader, spot, spots, shades, flag, fence, cube, me",
    "lying": "at, first(line), bag + line, {s in pile[a1] where s.colour is red}",
    "little": "count bag, flag, at of red, pile[a1], cube",
}
"""What is recorded, by name."""

WAYS = ("north", "east", "south", "west")


@dataclass(frozen=True)
class Additions:
    """Further terms of each kind, statements, and types of parameters with the kinds of their values."""

    forms: Mapping[Kind, tuple[Callable[[Terms], str], ...]] = field(default_factory=dict)
    statements: tuple[Callable[[Terms], str], ...] = ()
    parameters: tuple[tuple[str, Kind], ...] = ()


@dataclass
class Terms:
    """Makes terms; `names` are those in scope, by kind, `depth` is how much may stand in one another."""

    rng: random.Random
    names: dict[Kind, tuple[str, ...]] = field(default_factory=dict)
    depth: int = 2
    fresh: list[int] = field(default_factory=lambda: [0])
    functions: bool = True
    hypotheses: bool = False
    numbers: bool = False
    relations: bool = False
    repetition: bool = False
    once: bool = False
    additions: Additions = field(default_factory=Additions)

    def deeper(self, **names: str) -> Terms:
        """The terms inside another one, with more names."""
        known = dict(self.names)
        for kind, name in names.items():
            known[kind] = (*known.get(kind, ()), name)  # type: ignore[index, literal-required]
        return replace(self, names=known, depth=self.depth - 1)

    def name(self) -> str:
        """A name that is not used yet."""
        self.fresh[0] += 1
        return f"x_{self.fresh[0]}"

    def of(self, kind: Kind) -> str:
        """A term of a kind."""
        known = self.names.get(kind, ())
        if known and self.rng.randrange(3) == 0:
            return self.rng.choice(known)
        if self.depth <= 0 or self.rng.randrange(4) == 0:
            return self.rng.choice((*known, *known, *CONSTANTS[kind]))
        inside = self.deeper()
        if self.repetition and kind == "number" and self.rng.randrange(4) == 0:
            return f"times({self.rng.choice([*POSITIONS])})"
        if self.hypotheses and kind not in ("stones", "stone") and self.rng.randrange(4) == 0:
            return f"({inside.of(kind)} given settle({inside.of('cell')}, {inside.of('colour')}))"
        forms = (*FORMS[kind], *NUMBER_FORMS.get(kind, ())) if self.numbers else FORMS[kind]
        if self.relations:
            forms = (*forms, *RELATION_FORMS.get(kind, ()))
        forms = (*forms, *self.additions.forms.get(kind, ()))
        made: str = self.rng.choice(forms)(inside)
        return made

    def binder(self, members: Kind | None = None) -> tuple[str, str, Terms]:
        """A binder: its name, the set, and the terms in which the name can be used."""
        kind: Kind = members or self.rng.choice(("cells", "cells", "shades", "stones"))
        name, those = self.name(), self.of(kind)
        return name, those, self.deeper(**{MEMBERS[kind]: name})


def either(terms: Terms, kind: Kind) -> str:
    return f"({terms.of(kind)} if {condition(terms)} else {terms.of(kind)})"


def condition(terms: Terms) -> str:
    return f"({terms.of('truth')})"


def compared(terms: Terms) -> str:
    return f"({terms.of('number')} {terms.rng.choice(('<', '<=', '>', '>=', 'is', 'is not'))} {terms.of('number')})"


def same(terms: Terms) -> str:
    kind = terms.rng.choice(("cell", "colour", "player", "cells", "shades"))
    return f"({terms.of(kind)} {terms.rng.choice(('is', 'is', 'is not'))} {terms.of(kind)})"


def fold(terms: Terms) -> str:
    name, those, inside = terms.binder()
    word = terms.rng.choice(("sum", "sum", "highest", "lowest"))
    where = f" where {condition(inside)}" if terms.rng.randrange(2) else ""
    return f"({word} {inside.of('number')} for {name} in {those}{where})"


def counted(terms: Terms) -> str:
    if terms.rng.randrange(2):
        return f"(count {terms.of(terms.rng.choice(('cells', 'shades', 'stones', 'sides')))})"
    name, those, inside = terms.binder()
    return f"(count {name} in {those} where {condition(inside)})"


def quantified(terms: Terms) -> str:
    name, those, inside = terms.binder()
    return f"({terms.rng.choice(('some', 'no'))} {name} in {those} where {condition(inside)})"


def over_players(terms: Terms) -> str:
    name = terms.name()
    inside = terms.deeper(player=name)
    return terms.rng.choice((
        f"(some {name} in Player where {condition(inside)})", f"(no {name} in Player where (m[{name}] > m[me]))",
    ))  # fmt: skip


def picked(kind: Kind, members: Kind) -> Callable[[Terms], str]:
    """The one for which something holds, or is highest."""

    def term(terms: Terms) -> str:
        name, those, inside = terms.binder(members)
        if terms.rng.randrange(2):
            return f"(the {name} in {those} where {condition(inside)})"
        return f"(the {name} in {those} with {terms.rng.choice(('highest', 'lowest'))} {inside.of('number')})"

    return term


def chosen(members: Kind) -> Callable[[Terms], str]:
    """The members for which something holds."""

    def term(terms: Terms) -> str:
        name, those, inside = terms.binder(members)
        return f"{{{name} in {those} where {condition(inside)}}}"

    return term


def mapped(terms: Terms) -> str:
    name, those, inside = terms.binder()
    return f"{{{inside.of('cell')} for {name} in {those}}}"


def joined(members: Kind) -> Callable[[Terms], str]:
    return lambda terms: f"({terms.of(members)} {terms.rng.choice('+-&')} {terms.of(members)})"


FORMS: dict[Kind, tuple[Callable[[Terms], str], ...]] = {
    "number": (
        fold, fold, counted, counted,
        lambda t: either(t, "number"),
        lambda t: f"({t.of('number')} {t.rng.choice('+-*')} {t.of('number')})",
        lambda t: f"{t.of('cell')}.{t.rng.choice(('row', 'column'))}",
        lambda t: f"{t.of('colour')}.worth",
        lambda t: f"price({t.of('colour')}, {t.of('number')})" if t.functions else "size",
        lambda t: f"rate({t.of('cell')})" if t.functions else "limit",
        lambda t: f"m[{t.of('player')}]",
        lambda t: f"magnitude({t.of('number')})",
    ),
    "truth": (
        compared, compared, same, quantified, quantified, over_players,
        lambda t: f"({t.of('truth')} {t.rng.choice(('and', 'or'))} {t.of('truth')})",
        lambda t: f"(not {condition(t)})",
        lambda t: f"({t.of('cell')} {t.rng.choice(('is in', 'is not in'))} {t.of('cells')})",
        lambda t: f"({t.of('cells')} is {t.rng.choice(('', 'not '))}empty)",
        lambda t: f"(at[{t.of('cell')}] is {t.rng.choice(('empty', 'red', 'blue'))})",
        lambda t: f"odd({t.of('number')})" if t.functions else "steep",
    ),
    "cell": (
        picked("cell", "cells"), picked("cell", "cells"),
        lambda t: either(t, "cell"),
        lambda t: f"first({t.of('cells')})",
        lambda t: f"next({t.of('cell')}, {t.rng.choice(WAYS)})",
    ),
    "colour": (
        picked("colour", "shades"),
        lambda t: either(t, "colour"),
        lambda t: f"first({t.of('shades')})",
        lambda t: f"{t.of('stone')}.colour",
        lambda t: f"at[{t.of('cell')}].colour",
    ),
    "player": (lambda t: either(t, "player"), lambda t: f"left({t.of('player')})"),
    "cells": (
        chosen("cells"), chosen("cells"), mapped, joined("cells"), joined("cells"),
        lambda t: f"at of {t.rng.choice(('red', 'blue', 'green'))}",
        lambda t: f"first({t.of('number')}, {t.of('cells')})",
        lambda t: f"reach({t.of('cell')}, {t.of('sides')})",
        lambda t: f"near({t.of('cell')}, {t.of('sides')})",
        lambda t: f"between({t.of('cell')}, {t.of('cell')})",
        lambda t: f"ray({t.of('cell')}, {t.rng.choice(WAYS)})",
        lambda t: f"(the g_1 in groups({t.of('cells')}, Side) with highest (count g_1))",
    ),
    "shades": (chosen("shades"), joined("shades")),
    "stones": (chosen("stones"), lambda t: f"pile[{t.of('cell')}]"),
    "stone": (picked("stone", "stones"),),
    "sides": (lambda t: f"({t.of('sides')} {t.rng.choice('+-&')} {t.of('sides')})",),
}  # fmt: skip
"""The longer terms of each kind."""

NUMBER_FORMS: dict[Kind, tuple[Callable[[Terms], str], ...]] = {
    "number": (
        lambda t: f"({t.of('number')} / {t.rng.choice(DIVISORS)} rounded {t.rng.choice(('up', 'down'))})",
        lambda t: f"({t.of('number')} / {t.rng.choice(DIVISORS)} rounded {t.rng.choice(('up', 'down'))})",
        lambda t: f"remainder({t.of('number')}, {t.rng.choice(DIVISORS)})",
        lambda t: f"{t.rng.choice(('larger', 'smaller'))}({t.of('number')}, {t.of('number')})",
    ),
    "truth": (
        lambda t: f"({t.of('colour')} {t.rng.choice(('before', 'after'))} {t.of('colour')})",
        lambda t: f"({t.rng.choice(('next', 'previous'))}({t.of('colour')}) is {t.rng.choice(('none', 'blue'))})",
    ),
    "colour": (
        lambda t: t.rng.choice(("next(red)", "previous(green)", "next(previous(blue))")),
        lambda t: f"{t.rng.choice(('next', 'previous'))}({t.of('colour')})",
    ),
}
"""Longer terms of numbers and of values in their order."""

RELATIONS = ("linked", "fixed", "matching")
RELATION_FORMS: dict[Kind, tuple[Callable[[Terms], str], ...]] = {
    "cells": (
        lambda t: f"reach({t.of('cell')}, {t.rng.choice(RELATIONS)})",
        lambda t: f"near({t.of('cell')}, {t.rng.choice(RELATIONS)})",
        lambda t: f"path({t.of('cell')}, {t.of('cell')}, {t.rng.choice(RELATIONS)})",
        lambda t: f"(the g_1 in groups({t.of('cells')}, {t.rng.choice(RELATIONS)}) with highest (count g_1))",
        lambda t: f"nth({t.of('number')}, paths({t.of('cells')}, {t.rng.choice(RELATIONS)}, 2))",
    ),
    "sides": (lambda t: f"nth({t.of('number')}, trails({t.of('cells')}, {t.of('sides')}, 2))",),
}
"""Sets of cells found by a relation in place of edges, and sets of edges."""


# ---------------------------------------------------------------- statements


def statement(terms: Terms) -> str:
    """A statement, with those inside it."""
    rng = terms.rng
    if terms.additions.statements and rng.randrange(4) == 0:
        return rng.choice(terms.additions.statements)(terms)
    if terms.depth > 0 and rng.randrange(3) == 0:
        inside = terms.deeper()
        match rng.randrange(4):
            case 0:
                name, those, inside = terms.binder(rng.choice(("cells", "shades")))
                where = f" where {condition(inside)}" if rng.randrange(2) else ""
                return f"for each {name} in {those}{where}:\n{body(inside)}"
            case 1:
                return f"if {condition(inside)}:\n{body(inside)}\nelse:\n{body(inside)}"
            case 2:
                return f"up to {rng.choice((2, 3))} times while {condition(inside)}:\n{body(inside)}"
            case _:
                return f"each player from me where {condition(inside)}:\n{body(inside)}"
    return rng.choice((*SIMPLE, choosing) if terms.numbers else SIMPLE)(terms)


def choosing(terms: Terms) -> str:
    """A choice of several, and what it is used for."""
    rng, name, bound = terms.rng, terms.name(), f"({terms.of('number')})"
    amount = rng.choice(
        ("2", "up to 2", "1 to 2", bound, f"up to {bound}", f"1 to (larger(1, {bound}))", f"{bound} to 3")
    )
    return f"{rng.choice(('must', 'may'))} choose {amount} {name} from {terms.of('cells')}\nset spots to {name}"


def body(terms: Terms) -> str:
    lines = dict.fromkeys(statement(terms) for _ in range(terms.rng.choice((1, 1, 2))))
    return indent("\n".join(lines), "    ")


SIMPLE: tuple[Callable[[Terms], str], ...] = (
    lambda t: f"add {t.of('number')} to n",
    lambda t: f"set n to {t.of('number')}",
    lambda t: f'add {t.of("number")} to m[{t.of("player")}] because "luck"',
    lambda t: f"add {t.of('number')} to m[me]",
    lambda t: f"set mark to {t.of('colour')}",
    lambda t: f"set leader to {t.of('player')}",
    lambda t: f"set spot to {t.of('cell')}",
    lambda t: f"set spots to {t.of('cells')}",
    lambda t: f"add {t.of('cell')} to spots",
    lambda t: f"remove {t.of('cell')} from spots",
    lambda t: f"set shades to {t.of('shades')}",
    lambda t: f"set flag to {condition(t)}",
    lambda t: f"move 1 of {t.of('colour')} from bag to at[{t.of('cell')}]",
    lambda t: f"move 1 of {t.of('colour')} from bag to at[{t.of('cell')}]",
    lambda t: f"move at[{t.of('cell')}] to bag",
    lambda t: f"move 1 from bag to pile[{t.of('cell')}]",
    lambda t: f"move pile[{t.of('cell')}] to line",
    lambda t: "move 1 from bag to line",
    lambda t: "move 1 from deck to hand[me]",
    lambda t: t.rng.choice(("shuffle line", "roll cube")),
)
"""Statements without others inside."""


# ---------------------------------------------------------------- the game

PARAMETERS: tuple[tuple[str, Kind], ...] = (
    ("Cell", "cell"), ("(Cell - at)", "cell"), ("Colour", "colour"), ("0..3", "number"), ("Player", "player"),
)  # fmt: skip


def action(terms: Terms, name: str) -> str:
    """An action with parameters, requirements and effects."""
    parameters = []
    for _ in range(terms.rng.choice((0, 1, 1, 2))):
        domain, kind = terms.rng.choice((*PARAMETERS, *terms.additions.parameters, ("", "cell"), ("", "colour")))
        given = terms.name()
        if not domain:
            domain = terms.of("cells" if kind == "cell" else "shades")
        is_type = domain in ("Cell", "Colour", "0..3", "Player") or domain in dict(terms.additions.parameters)
        parameters.append(f"{given}: {domain}" if is_type else f"{given} in {domain}")
        terms = replace(terms.deeper(**{kind: given}), depth=terms.depth)
    once = [offered_once(terms, parameters)] if terms.once and parameters else []
    head = f"action {name}({', '.join(parameters)}):" if parameters else f"action {name}:"
    requires = [f'require {condition(terms)} because "no"' for _ in range(terms.rng.choice((0, 1, 1, 2)))]
    lines = [statement(terms) for _ in range(terms.rng.choice((1, 2, 3)))]
    return f"{head}\n{indent(chr(10).join([*once, *requires, *lines]), '    ')}"


def offered_once(terms: Terms, parameters: list[str]) -> str:
    """Values by which moves are the same: each reads a parameter, perhaps both, perhaps besides other things."""
    names = [declared.partition(":")[0].partition(" in ")[0] for declared in parameters]
    values = []
    for name in terms.rng.sample(names, terms.rng.randint(1, len(names))):
        kinds: list[Kind] = ["number", "cells", "colour", "truth", "player", "shades", "cell"]
        tried = [terms.of(terms.rng.choice(kinds)) for _ in range(8)]
        values.append(next((term for term in tried if name in term), name))
    return f"offered once for {', '.join(values)}"


def winner(terms: Terms) -> str:
    """Criteria: numbers of which the seats differ, conditions, or both."""
    first, then = "highest m[me]", terms.rng.choice(("highest count hand[me]", "lowest m[me] + count hand[me]"))
    form = terms.rng.choice(("numbers", "numbers", "alone", "before", "between", "after"))
    met = "" if form == "numbers" else terms.rng.choice((condition(terms), "m[me] > n", "hand[me] is not empty"))
    each = {"numbers": [first, then], "alone": [met], "before": [met, first], "between": [first, met, then]}
    return " then ".join(each.get(form, [first, met]))


def teams(terms: Terms) -> str:
    """In one game out of three, teams: of a colour, or of a seat that leads them."""
    colours = f"(red if {condition(terms)} else {terms.of('colour')})"
    named = terms.rng.choice((colours, "(blue if m[me] > n else green)", "leader", terms.of("player")))
    return terms.rng.choice(("", "", f"teams by {named}"))


def step(terms: Terms) -> str:
    """A step with one outcome."""
    inside = terms.deeper(cell="goal", colour="shade")
    certain = [make for make in SIMPLE[:-1] if make is not SIMPLE[-2]]  # not from a deck that nobody sees
    lines = [inside.rng.choice(certain)(inside) for _ in range(inside.rng.choice((1, 2, 3)))]
    return f"step settle(goal: Cell, shade: Colour):\n{indent(chr(10).join(lines), '    ')}"


def related(terms: Terms) -> str:
    """Definitions that stand for edges: one of the position, one that never changes, one of what lies where."""
    inside = terms.deeper(cell="from_here").deeper(cell="to_there")
    return f"""
define linked(from_here: Cell, to_there: Cell): {condition(inside)}
define fixed(from_here: Cell, to_there: Cell): next(from_here, {terms.rng.choice(WAYS)}) is to_there
define matching(from_here: Cell, to_there: Cell):
    to_there is in near(from_here, Side) and at[from_here].colour is at[to_there].colour
"""


def with_reactions(text: str, terms: Terms, names: list[str]) -> str:
    """A game with reactions that ask, also another seat, and with rules written once for each value.

    Their terms are short: reactions happen in every game, and what fails often would end most games early.
    """
    terms = replace(terms, depth=1)
    rng, place, shade = terms.rng, terms.deeper(cell="here"), terms.deeper(colour="hue")
    inside = terms.deeper(player="p")
    due = f"""when due:
    set flag to false
{body(terms)}
    {rng.choice(("must", "may"))} {" or ".join(rng.sample(names, 2))} or wait
{body(terms)}
when stirred(p: Player):
    set m[p] to 0
    each player from p to p:
        {rng.choice(("must", "may", "may secretly"))} choose cell_of_reaction from {inside.of("cells")}
        if cell_of_reaction is not none: dye({inside.of("colour")}, cell_of_reaction)
        may tint{rng.choice(("", "(red)", f"({inside.of('colour')})"))} or wait
define stirred(p: Player): m[p] > {rng.choice((2, 4))} {rng.choice(("", f"and {condition(inside)}"))}

step dye(red, here: Cell):
    require {condition(place)} because "not red"
{body(place)}
step dye(hue: Colour, here: Cell), otherwise:
{body(place)}

action tint(red):
{body(terms)}
action tint(blue, here: Cell):
    require {condition(place)} because "not blue"
    dye(blue, here)
action tint(hue: Colour), otherwise:
{body(shade)}
"""
    dyed = f"dye({rng.choice(('red', 'blue', 'green'))}, {rng.choice(('a1', 'b2'))})"
    turn = f"    add 1 to round\n    may tint or wait\n    if {condition(terms)}: {dyed}\n"
    return text.replace("when due: set flag to false\n", due).replace("    add 1 to round\n", turn)


def rules(
    number: int, hypotheses: bool = False, numbers: bool = False, repetition: bool = False, reactions: bool = False,
    relations: bool = False, once: bool = False, additions: Additions | None = None,
) -> str:  # fmt: skip
    """The text of a game."""
    rng = random.Random(number)
    terms = Terms(
        rng, hypotheses=hypotheses, numbers=numbers, repetition=repetition, relations=relations, once=once,
        additions=additions or Additions(),
    )  # fmt: skip
    names = [f"act{place}" for place in range(rng.choice((2, 3, 4)))]
    actions = "\n\n".join(action(terms, name) for name in names)
    alone = replace(terms, functions=False, hypotheses=False, relations=False)
    relating = related(alone) if relations else ""
    settling = f"\n{step(alone)}\n" if hypotheses else ""
    recorded = [*POSITIONS] if repetition else []
    positions = "".join(f"position {name}: {POSITIONS[name]}\n" for name in recorded)
    recording = "".join(f"    record {name}\n" for name in recorded)
    if hypotheses and repetition:
        settling += "    record little\n"
    here, priced = alone.deeper(cell="here"), alone.deeper(colour="shade", number="extra")
    text = f"""game "Typed {number}" for 2 to 3 players ann, ben, cid

option steep: Truth = {rng.choice(("true", "false"))}
option size: 2..4 = {rng.choice((2, 3, 3, 4))}

== components ==

by players  2  3:
    limit   4  6

type Colour with worth: 0..5:
    red    {rng.randrange(6)}
    blue   {rng.randrange(6)}
    green  {rng.randrange(6)}
type Cell from grid(size, {rng.choice((2, 3))})
type Side from beside(Cell)
type Way from directions(Cell)
piece Stone: {rng.choice((1, 2, 4))} for each colour: Colour in bag
piece Card: 1 for each colour: Colour, high: 1..3 in deck
zone bag holds Stone
zone line holds row of Stone
zone at[c: Cell] holds one Stone
zone pile[c: Cell] holds Stone
zone deck holds stack of Card, seen by nobody
zone hand[p: Player] holds Card, seen by p
note n: 0..{rng.choice((9, 99))} = 1
note m[p: Player]: {rng.choice((-9, -999))}..{rng.choice((30, 999))} = 0
note mark: Colour or none = {rng.choice(("red", "none"))}
note leader: Player or nobody = ann
note spot: Cell or none = {rng.choice(("b2", "a1"))}
note spots: several Cell = {{a1, b2}}
note shades: several Colour = {{}}
note flag: Truth = false
note round: 0..99 = 0
note fence: several Side = {{a1_b1}}
die cube: 1, 2, 3, 4, 5, 6
{positions}
== setup ==

shuffle deck
move 2 from bag to line
roll cube

== phases ==

phase main, turns from ann, over when round >= 12:
    add 1 to round
{recording}    {rng.choice(("must", "may"))} {" or ".join(names)} or wait

{actions}
{settling}
action wait:
    "wait"

when due: set flag to false
define due: flag and {condition(alone)}

define rate(here: Cell):
    {here.of("number")}    if {condition(here)}
    {here.of("number")}    otherwise

define price(shade: Colour, extra: -999..999):
    {priced.of("number")}    if {condition(priced)}
    {priced.of("number")}    if {condition(priced)}
    {priced.of("number")}    otherwise

define odd(v: -999..999): some h in 0..20 where h + h + 1 is v
define fenced: {{c in Cell where near(c, fence) is not empty}}
{relating}
== scoring ==

winner {winner(alone)}
{teams(alone)}
"""
    return with_reactions(text, alone, names) if reactions else text
