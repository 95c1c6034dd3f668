"""A file with twice as many declarations takes about twice the work to check: calls are counted, not seconds."""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import partial

import pytest

from dsl import ast
from dsl.checker import check
from dsl.syntax import parse
from dsl.text.span import Source

MANY = 100
LINEAR = 2.3
"""How much more work twice as many declarations may take."""

DECLARATIONS: dict[str, tuple[str, str]] = {
    "definitions": ("rules", "define d{i}: {i}\n"),
    "notes": ("components", "note n{i}: 0..9 = 0\n"),
    "zones": ("components", "zone z{i} holds Card\n"),
    "types": ("components", "type U{i} is u{i}, v{i}\n"),
    "actions": ("rules", 'action a{i}:\n    "a{i}"\n    move 1 from pot to hand[me]\n'),
    "steps": ("rules", "step s{i}:\n    move 1 from pot to hand[me]\n"),
    "options": ("options", "option o{i}: Truth = true\n"),
    "tables": ("rules", 'table "t{i}":\n    "x": pot\n'),
    "definitions of unused ones": ("rules", "define d{i}: {i}\ndefine e{i}: d{i} + d0\n"),
    "dice": ("components", "die d{i}: 1, 2, 3\n"),
    "pieces": ("components", "piece P{i}: 1 in pot{i}\nzone pot{i} holds P{i}\n"),
    "reactions": ("rules", "note n{i}: 0..9 = 0\ndefine d{i}: n{i} is 1\nwhen d{i}:\n    set n{i} to 0\n"),
    "phases": ("phases", "phase p{i}, turns from ann, over when pot is empty:\n    must bid\n"),
    "criteria": ("criteria", " then highest count hand[me] + {i}"),
    "equal criteria": ("criteria", " then highest count hand[me]"),
    "actions offered": ("acts", " or a{i}"),
    "cases": ("cases", "    {i} if count pot is {i}\n"),
    "equal cases": ("cases", "    {i} if count pot is 1\n"),
    "members of a type": ("members", ", v{i}"),
    "statements": ("statements", "    set total to {i}\n"),
    "conditions": ("statements", "    if total is {i}:\n        set total to 0\n"),
    "requirements": ("requirements", '    require total is not 9{i} because "no {i}"\n'),
    "values": ("heads", "    let x{i} = total + {i}\n"),
    "values of values": ("values of values", ""),
    "steps with requirements": (
        "rules",
        'step s{i}(n: 0..9999):\n    require n is not 9{i} because "no {i}"\n    set total to n\n',
    ),
    "steps that are done": ("steps done", "    s{i}(total)\n"),
    "clauses": ("clauses", 'action use(v{i}):\n    require total is not 9 because "no {i}"\n    set total to 1\n'),
    "loops": ("statements", "    for each p in Player:\n        set total to {i}\n"),
    "sums": ("heads", "    let x{i} = count hand[me] + {i}\n"),
    "examples": ("examples", 'example "e{i}":\n    then total is 0\n'),
}
"""What there may be many of, mostly unused declarations, and where it is in the game."""


def text_of(sort: str, many: int) -> str:
    """A game with many declarations of a sort."""
    place, line = DECLARATIONS[sort]
    lines = {place: "".join(line.format(i=number) for number in range(many))}
    actions = "".join(f'action a{number}:\n    "a{number}"\n' for number in range(many if place == "acts" else 0))
    examples = f"== examples ==\n\n{lines['examples']}" if place == "examples" else ""
    if place == "values of values":
        values = [f"    let x{number} = {f'x{number - 1}' if number else 'total'} + 1\n" for number in range(many)]
        lines["heads"] = "".join(values)
    if place == "steps done":
        lines["rules"] = "".join(f"step s{number}(n: 0..9999):\n    set total to n\n" for number in range(many))
    kinds = ", ".join(f"v{number}" for number in range(many)) if place == "clauses" else "v"
    return f"""game "G" for 2 players ann, ben

{lines.get("options", "")}
== components ==

{lines.get("components", "")}type Kind is {kinds}
type Member is m{lines.get("members", "")}
note total: 0..9999 = 0
piece Card: 3 in pot
zone pot holds Card
zone hand[p: Player] holds Card

== phases ==

phase play, turns from ann, over when pot is empty:
    must bid{lines.get("acts", "")}{" or use" if place == "clauses" else ""}
{lines.get("phases", "")}
action bid:
    "bid"
{lines.get("requirements", "")}{lines.get("heads", "")}{lines.get("steps done", "")}    move 1 from pot to hand[me]
{lines.get("statements", "")}
{actions}
{lines.get("clauses", "")}
define worth:
{lines.get("cases", "")}    0 otherwise

{lines.get("rules", "")}
== scoring ==

winner highest count hand[me] + worth{lines.get("criteria", "")}

{examples}"""


def game_of(sort: str, many: int) -> ast.GameFile:
    tree, findings = parse(Source("x.rules", text_of(sort, many)))
    assert isinstance(tree, ast.GameFile), findings
    return tree


def calls_in(work: Callable[[], object]) -> int:
    """How many functions of Python are called; `==` of nodes in a list is such a call."""
    count = 0

    def counted(_frame: object, event: str, _arg: object) -> None:
        nonlocal count
        count += event == "call"

    sys.setprofile(counted)
    try:
        work()
    finally:
        sys.setprofile(None)
    return count


@pytest.mark.parametrize("sort", DECLARATIONS)
def test_twice_as_many_take_twice_the_work(sort: str) -> None:
    few, many = (calls_in(partial(check, game_of(sort, number))) for number in (MANY, 2 * MANY))
    assert many < LINEAR * few, f"{many / few:.2f} times the calls"
