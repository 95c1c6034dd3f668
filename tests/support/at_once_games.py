"""Generated games in which much happens at once: typed games whose turns begin with loops of that kind."""

from __future__ import annotations

import random
from textwrap import indent

from tests.support import typed_games

TURN = "    add 1 to round\n"
DOMAINS = {
    "p": ("Player", "{leader, left(ann)}", "{ann, cid}", "[cid, ann, ben]"),
    "c": ("Cell", "spots", "fenced", "{c in Cell where at[c] is not empty}"),
    "s": ("bag", "line", "Stone", "bag + line"),
    "k": ("Colour", "shades"),
}
WHERE = {
    "p": ("m[p] < 3", "hand[p] is not empty", "p is not leader"),
    "c": ("at[c] is empty", "count pile[c] < 2", "c is not spot", "c is in spots"),
    "s": ("s.colour is not mark", "s is in bag", "s is in line or n > 3"),
    "k": ("k.worth > 2", "k is not in shades", "k is not mark"),
}
CONDITIONS = ("flag", "n > 4", "mark is red", "count line < 2", "steep", "spots is not empty")
EFFECTS = {
    "p": (
        "set m[p] to m[left(p)]", "move hand[p] to hand[left(p)]", "move hand[p] to hand[right(p)]",
        "add m[left(p)] to m[p] because \"from {left(p)}: {m[left(p)]}\"", "set leader to p", "add count hand[p] to n",
        "set m[left(p)] to count hand[p]", "add -m[right(p)] to m[p]",
    ),
    "c": (
        "move at[c] to at[(next(c, north) if next(c, north) is in Cell else spot)]", "move pile[c] to at[c]",
        "move at[c] to pile[c]", "move at[c] to line", "add c to spots", "remove c from spots", "set spot to c",
        "move pile[c] to line at bottom", "move first(line) to at[c]", "set flag to at[c] is not empty",
    ),
    "s": (
        "move s to line", "move s to line at bottom", "move s to bag", "move s to pile[a1]", "set mark to s.colour",
        "add s.colour to shades", "add 1 to n", "move s to at[spot]", "remove s.colour from shades",
    ),
    "k": ("add k to shades", "remove k from shades", "set mark to k", "add k.worth to n", "set m[ann] to k.worth"),
}  # fmt: skip
LETS = {
    "p": ("let x = m[p] + count hand[p]", "set m[p] to x", "if x > 2: add x to n"),
    "c": ("let x = count pile[c]", "if x is 1: move pile[c] to line", "add x to n"),
    "s": ("let x = s.colour", "set mark to x", "if x is mark: move s to bag"),
    "k": ("let x = k.worth + count line", "add x to n", "if x < 3: add k to shades"),
}
PAIRS = (
    "for each p in Player with q in Player where m[p] < m[q] at once: add 1 to m[p]",
    "for each c in Cell with s in pile[c] at once:\n    if at[c] is empty: move s to at[c]\n    else: move s to bag",
    "for each c in Cell with s in at[c] where flag at once: move s to pile[c]",
    "for each p in Player with c in hand[p] at once: move c to hand[left(p)]",
    "for each s in line with k in Colour where s.colour is k at once: add k.worth to n",
)


def rules(number: int) -> str:
    """The text of a game."""
    rng, text = random.Random(number), typed_games.rules(number)
    loops = "\n".join(_loop(rng) for _ in range(rng.choice((1, 2, 3))))
    before, turn, after = text.partition(TURN)
    return f"{before}{turn}{indent(loops, '    ')}\n{after}"


def _loop(rng: random.Random) -> str:
    if rng.randrange(4) == 0:
        return rng.choice(PAIRS)
    name = rng.choice(tuple(DOMAINS))
    where = f" where {rng.choice(WHERE[name])}" if rng.randrange(2) else ""
    body = [rng.choice(EFFECTS[name]) for _ in range(rng.choice((1, 1, 2, 3)))]
    if rng.randrange(3) == 0:
        body += [LETS[name][0], *rng.sample(LETS[name][1:], rng.choice((1, 2)))]
    if rng.randrange(3) == 0:
        branches = rng.choice(EFFECTS[name]), rng.choice(EFFECTS[name])
        body.append(f"if {rng.choice((*CONDITIONS, *WHERE[name]))}: {branches[0]}\nelse: {branches[1]}")
    return f"for each {name} in {rng.choice(DOMAINS[name])}{where} at once:\n{indent(chr(10).join(body), '    ')}"
