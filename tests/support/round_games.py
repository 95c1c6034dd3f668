"""Generated games played in rounds: typed games whose turns are part of a phase that is repeated."""

from __future__ import annotations

import random
import re
from textwrap import indent

from tests.support import typed_games

HEAD = "phase main, turns from ann, over when round >= 12:\n"
ENDS = (
    "n > 6",
    "flag",
    "spots is empty",
    "round(deal) >= 3",
    "round(ending) + round(deal) > 5",
    "hand[ann] is not empty",
)
ENDING = (
    "add round(deal) to n", "set n to remainder(round(deal), 3)", "set mark to next(mark)", "set flag to not flag",
    "move line to bag", "move 1 from bag to line", "for each p in Player: set m[p] to round(ending)", "roll cube",
    "each player from leader: move 1 from deck to hand[me]", "set leader to left(ann)",
    "remove first(spots) from spots",
)  # fmt: skip
NOTES = ("n", "m[p: Player]", "mark", "leader", "spots", "shades", "flag")


def rules(number: int) -> str:
    """The text of a game."""
    rng, text = random.Random(number), typed_games.rules(number)
    before, _, after = text.partition(HEAD)
    turn, _, rest = after.partition("\n\n")
    for note in rng.sample(NOTES, 3):
        phase = rng.choice(("deal", "deal", "main", "ending"))
        before = re.sub(rf"(?m)^(note {re.escape(note)}: .*)$", rf"\1, anew in {phase}", before)
    until, inner = rng.choice(("round >= 12", "round >= 6 or flag", "round(deal) >= 4")), rng.choice((1, 2, 3))
    at_once = [f", over as soon as {rng.choice(ENDS)}" if rng.randrange(3) == 0 else "" for _ in range(3)]
    ending = "\n".join(rng.sample(ENDING, rng.choice((1, 2, 3))))
    main = f"repeated until round(main) is {inner}{at_once[1]}:\n    each player from ann:\n{indent(turn, '    ')}"
    if rng.randrange(2):
        main = f"turns from ann to right(ann){at_once[1]}:\n{turn}"
    phases = f"phase main, {main}\nphase ending, repeated until round(ending) >= {inner}{at_once[2]}:\n"
    phases += indent(ending, "    ")
    course = f"phase deal, repeated until {until}{at_once[0]}:\n{indent(phases, '    ')}"
    return f"{before}{course}\n\n{rest}"
