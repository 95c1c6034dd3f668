"""Small random games that bind truth values, and values that may be none, in every position.

They are attributes and columns, indices of zones and notes, options, parameters of actions, definitions, steps and
reactions, binders, loops and `let`. `rules(number)` is the text of a game, always the same one for a number.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable

from tests.support import typed_games
from tests.support.typed_games import SIMPLE, Additions, Kind, Terms, condition


def truths(terms: Terms) -> tuple[str, str, Terms]:
    """A binder of truth values: its name, the set, and the terms in which the name can be used."""
    name, those = terms.name(), f"{{{condition(terms)}, {condition(terms)}}}"
    return name, those, terms.deeper(truth=name)


def truth_found(terms: Terms) -> str:
    name, those, inside = truths(terms)
    match terms.rng.randrange(3):
        case 0:
            return f"(some {name} in {those} where {condition(inside)})"
        case 1:
            return f"({terms.rng.choice(('first', 'last'))}({{{name} in {those} where {condition(inside)}}}))"
        case _:
            return f"(the {name} in {those} with highest {inside.of('number')})"


def truths_counted(terms: Terms) -> str:
    name, those, inside = truths(terms)
    return f"(sum {inside.of('number')} for {name} in {those} where {condition(inside)})"


BOUND_FORMS: dict[Kind, tuple[Callable[[Terms], str], ...]] = {
    "number": (truths_counted, lambda t: f"told[{condition(t)}]", lambda t: f"(count kept[{condition(t)}])"),
    "truth": (
        truth_found,
        lambda t: f"{t.of('colour')}.bright",
        lambda t: f"{t.of('stone')}.loud",
        lambda t: f"({condition(t)} {t.rng.choice(('is', 'is not'))} {condition(t)})",
        lambda t: f"({condition(t)} is in {{{condition(t)}, {condition(t)}}})",
        lambda t: f"(favourite {t.rng.choice(('is', 'is not'))} {t.rng.choice(('me', 'leader', 'nobody'))})",
    ),
    "cell": (lambda t: f"nearest({t.of('cell')}, {condition(t)})" if t.functions else "spot",),
    "player": (lambda t: "favourite",),
    "stones": (lambda t: f"kept[{condition(t)}]", lambda t: "{s_1 in bag where s_1.loud}"),
}
"""Terms in which truth values, and values that may be none, are bound or used."""


def loop_over_truths(terms: Terms) -> str:
    name, those, inside = truths(terms)
    return f"for each {name} in {those}:\n    {inside.rng.choice(SIMPLE)(inside)}"


def let_truth(terms: Terms) -> str:
    name = terms.name()
    return f"let {name} = {condition(terms)}\nset flag to {name} is flag"


BOUND_STATEMENTS: tuple[Callable[[Terms], str], ...] = (
    loop_over_truths,
    lambda t: f"add 1 to told[{condition(t)}]",
    lambda t: f"move 1 of {t.of('colour')} from bag to kept[{condition(t)}]",
    lambda t: f"move kept[{condition(t)}] to bag",
    let_truth,
)
"""Statements in which truth values are bound or used."""


BOUND_PARAMETERS: tuple[tuple[str, Kind], ...] = (
    ("Cell or none", "cell"), ("Colour or none", "colour"), ("Player or nobody", "player"), ("Truth", "truth"),
    ("Truth or none", "truth"), ("0..1 or none", "number"), ("Stone or none", "stone"),
)  # fmt: skip

COMPONENTS = """\
piece Stone: (1 if colour.bright is loud else 2) for each colour: Colour, loud: Truth in bag
zone kept[t: Truth] holds Stone
note told[t: Truth]: 0..9 = (1 if t else 2)
note seen_by_favourite[p: Player]: Truth or none = (none if p is favourite else false)"""

BOUND = Additions(BOUND_FORMS, BOUND_STATEMENTS, BOUND_PARAMETERS)


def rules(number: int) -> str:
    """The text of a game. The terms of its reaction are short: faults in them would end most games early."""
    rng, text = random.Random(number), typed_games.rules(number, additions=BOUND)
    short = Terms(rng, depth=1, functions=False, additions=BOUND)
    reacting = short.deeper(truth="t").deeper(cell="c")
    nearest = short.deeper(cell="here").deeper(truth="upward")
    text = text.replace("type Colour with worth: 0..5:", "type Colour with worth: 0..5, bright: Truth:")
    text = re.sub(
        r"^    (red|blue|green) +\d$", lambda row: f"{row[0]}  {rng.choice(('true', 'false'))}", text, flags=re.M
    )
    text = text.replace("define rate(here: Cell):", "define rate(here: Cell or none):")
    text = text.replace("define price(shade: Colour,", "define price(shade: Colour or none,")
    option = f"option favourite: Player or nobody = {rng.choice(('nobody', 'ann', 'ben'))}"
    text = text.replace("== components ==", f"{option}\n\n== components ==")
    text = re.sub(r"^piece Stone: .*$", COMPONENTS, text, flags=re.M)
    bound = f"""define nearest(here: Cell or none, upward: Truth or none) -> Cell or none:
    next(here, north)   if upward is true
    {nearest.of("cell")}    if upward is none
    {nearest.of("cell")}    otherwise

when glowing(t: Truth, c: Cell or none):
    set told[t] to 0
    glow(t, c, seen_by_favourite[me])
define glowing(t: Truth, c: Cell or none): told[t] > 2 and (c is spot or {condition(reacting)})
step glow(t: Truth, c: Cell or none, former: Truth or none):
    if former is not t: set seen_by_favourite[me] to t
    else: set spot to c

define rate("""
    return text.replace("define rate(", bound)
