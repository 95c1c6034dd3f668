"""Small random games full of secrets: every kind of `seen by`, mixed sets, notes on pieces, loops, choices, tables.

`rules(number)` is the text of a game, always the same one for a number. Most of them pass `check`. Some bind truth
values, and values that may be none, as attributes, indices and parameters.
"""

from __future__ import annotations

import random
from dataclasses import dataclass, field
from textwrap import indent

EVERY_BOUND = 7
"""One game in seven binds truth values and values that may be none."""

SEATS = ("ann", "ben", "cid")
RANKS = ("one", "two", "three", "four", "five")
SECOND = {"suit": "Suit", "owner": "Player", "loud": "Truth"}
"""The second attributes of cards, each with its type."""


@dataclass(frozen=True)
class Zone:
    """A zone of cards; `own` if each player has one, `mine` if whoever acts surely sees all that lies in its own."""

    name: str
    shape: str
    own: bool
    mine: bool
    open: bool

    @property
    def here(self) -> str:
        """The zone of whoever acts."""
        return f"{self.name}[me]" if self.own else self.name

    @property
    def there(self) -> str:
        """The zone of the next player."""
        return f"{self.name}[left(me)]" if self.own else self.name


@dataclass
class Draft:
    """A game that is being written."""

    rng: random.Random
    players: int
    second: str = ""
    zones: list[Zone] = field(default_factory=list)
    declared: list[str] = field(default_factory=list)
    tokens: bool = False
    marked: bool = True
    bound: bool = False
    fresh: int = 0

    def some(self, *ways: str) -> str:
        """One of these."""
        return self.rng.choice(ways)

    def chance(self, percent: int) -> bool:
        """True with this probability, in percent."""
        return self.rng.randrange(100) < percent

    # ------------------------------------------------------------ components

    def sight(self, shape: str, own: bool) -> tuple[str, bool, bool]:
        """Who sees something, whether that is surely who acts in its own zone, and whether all."""
        ways = [
            ("all", True, True), ("nobody", False, False), ("nobody", False, False), ("known[it]", False, False),
            ("(all if turned[it] else {})", False, False), ("(all if lit else nobody)", False, False),
            ("(all if generous else {})", False, False),
        ]  # fmt: skip
        if own:
            ways += [
                ("p", True, False), ("p", True, False), ("{p}", True, False), ("left(p)", False, False),
                ("{left(p)}", False, False), ("Player - {p}", False, False), ("known[it] + {p}", True, False),
                ("(all if generous else {p})", True, False), ("(all if turned[it] else {p})", True, False),
            ]  # fmt: skip
        if shape == "stack":
            pile = "NAME[p]" if own else "NAME"
            ways += [(f"(all if it is top({pile}) else {{}})", False, False)] * 3
        return self.rng.choice(ways)

    def zone(self, name: str) -> None:
        """Declare a zone."""
        shape = self.some("heap", "heap", "heap", "row", "stack")
        own = self.chance(50)
        kept = {"heap": "holds Card", "row": "holds row of Card", "stack": "holds stack of Card"}[shape]
        line = f"zone {name}{'[p: Player]' if own else ''} {kept}"
        mine, open_ = True, True
        if self.chance(80):
            who, mine, open_ = self.sight(shape, own)
            sights = [f"seen by {who}"]
            if self.second and self.chance(40):
                other, mine_too, open_too = self.sight(shape, own)
                sights.append(f"{self.some('rank', self.second)} seen by {other}")
                mine, open_ = mine and mine_too, open_ and open_too
            line += ", " + ", ".join(sights).replace("NAME", name)
        self.zones.append(Zone(name, shape, own, mine, open_))
        self.declared.append(line)

    def several_zones(self) -> list[Zone]:
        """One to three of the zones."""
        return self.rng.sample(self.zones, min(len(self.zones), self.rng.choice((1, 2, 2, 3))))

    def mixed(self) -> str:
        """A set of cards from several zones, or one."""
        parts = [self.rng.choice((zone.here, zone.there)) for zone in self.several_zones()]
        return " + ".join(parts)

    def shared(self) -> str:
        """The same without saying whose turn it is."""
        zones = self.several_zones()
        return " + ".join(
            f"{zone.name}[{self.rng.choice(SEATS[: self.players])}]" if zone.own else zone.name for zone in zones
        )

    def target(self) -> str:
        """Somewhere to move cards to."""
        zone = self.rng.choice(self.zones)
        return self.rng.choice((zone.here, zone.there, zone.here))

    def visible(self) -> str | None:
        """Cards that whoever acts sees for certain, or can point at; now and then others, for `check` to find."""
        if self.chance(10):
            return self.mixed()
        zones = [zone for zone in self.zones if zone.mine or zone.shape != "heap"]
        if not zones:
            return None
        chosen = self.rng.sample(zones, min(len(zones), self.rng.choice((1, 1, 2))))
        if len(chosen) > 1 and not all(zone.mine for zone in chosen):
            chosen = chosen[:1]
        return " + ".join(zone.here for zone in chosen)

    # ------------------------------------------------------------ effects

    def about(self, card: str) -> str:
        """A statement about one card."""
        ways = [
            f"set turned[{card}] to {self.some('true', 'false')}", f"set latest to {card}",
            f"set mark[{card}] to {self.some('1', '2', 'round')}", f"add me to known[{card}]",
            f"add {card} to chosen", f"move {card} to {self.target()}",
            f"set hint[{card}] to {self.some('1', '2')}", f"add 1 to score[me] because \"{{{card}}}\"",
            f"if mark[{card}] is {self.some('0', '1')}: set mark[{card}] to 3", "add 1 to tally",
            f"if {card}.rank is {self.rng.choice(RANKS[:3])}: set hint[{card}] to 3",
            f"set twin[{card}] to latest", f"remove {card} from chosen",
        ]  # fmt: skip
        if self.tokens:
            ways += [f"move 1 from bank to on[{card}]", f"move on[{card}] to bank"]
        if self.bound:
            ways += [f"add 1 to told[turned[{card}]]", f"note_down({card}, turned[{card}], twin[{card}])"]
        return self.rng.choice(ways)

    def statement(self) -> str:
        """A statement of an action or a turn."""
        kind = self.rng.randrange(10)
        if kind < 5:
            body = "\n".join(dict.fromkeys(self.about("e") for _ in range(self.rng.choice((1, 1, 2, 3)))))
            where = self.some("", "", "", " where mark[e] is 0", " where e.rank is one", " where turned[e]")
            return f"for each e in {self.mixed()}{where}:\n{indent(body, '    ')}"
        if kind < 7:
            return f"move {self.mixed()} to {self.target()}"
        if kind == 7:
            stacks = [zone.here for zone in self.zones if zone.shape != "heap"]
            return f"shuffle {self.rng.choice(stacks)}" if stacks else "set lit to true"
        if kind == 8:
            source = self.some("deck", "deck", self.rng.choice(self.zones).here)
            return f"move {self.some('1', '1', '2')} from {source} to {self.target()}"
        return self.some("set lit to true", "set lit to false", "set latest to none", "set chosen to {}", "roll cube")

    def action(self, name: str) -> str:
        """An action with what it does."""
        self.fresh += 1
        seen = self.visible()
        kind = self.rng.randrange(10)
        lines: list[str] = []
        head = f"action {name}:"
        if kind < 5 and seen is not None:
            secret = self.some("secret ", "secret ", "")
            where = self.some("", "", " where mark[d] is 0", " where not turned[d]")
            domain = f"{{d in {seen}{where}}}" if where else seen
            if kind == 4:
                head = f"action {name}({secret}cs in handfuls({seen}, 1, 2)):"
                lines.append(
                    self.some(f"move cs to {self.target()}", "set chosen to cs", "for each e in cs: set mark[e] to 2")
                )
            else:
                head = f"action {name}({secret}c in {domain}):"
                lines += dict.fromkeys(self.about("c") for _ in range(self.rng.choice((1, 2))))
        elif kind < 7 and seen is not None:
            several = self.some("picked", "2 picked", "up to 2 picked")
            duty = self.some("must", "may secretly")
            lines.append(f"{duty} choose {several} from {seen}")
            lines.append(f"move picked to {self.target()}")
        elif self.bound and kind < 9:
            head = f"action {name}(t: Truth or none, p: Player or nobody):"
            lines += [f"if t: set lit to {self.some('t', 'not t', 't is not lit')}", "set asked to p"]
            lines.append(f"note_down(latest, t, {self.some('none', 'latest')})")
        lines += [self.statement() for _ in range(self.rng.choice((0, 1, 1, 2)))] or ["add 1 to tally"]
        return f"{head}\n{indent(chr(10).join(lines or ['add 1 to tally']), '    ')}"

    # ------------------------------------------------------------ tables

    def table(self, number: int) -> str:
        """A table over cards, or of zones and sets."""
        noted = "mark[c]" if self.marked else "turned[c]"
        owned = [zone.name for zone in self.zones if zone.own]
        if owned and self.chance(25):
            name = self.rng.choice(owned)
            columns = [f'"Cards": {name}[p]', f'"Count": count {name}[p]', f'"Known": c in {name}[p] as turned[c]']
            if self.chance(30):
                columns.append(f'"Ones": count {name}[p] of one')
            shown = self.rng.sample(columns, self.rng.choice((1, 2, 3)))
            return f'table "T{number}" for each p in Player:\n' + indent("\n".join(shown), "    ")
        if self.chance(60):
            columns = [f'"Noted": {noted}', '"Turned": turned[c]', '"Known": me is in known[c]', '"Twin": twin[c]']
            if self.chance(15):
                columns += ['"Latest": c is latest', '"Chosen": c is in chosen']
            shown = ['"Card": c', *self.rng.sample(columns, self.rng.choice((1, 2, 3)))]
            domain = self.some(self.mixed(), self.shared(), "Card" if self.chance(30) else self.shared())
            return f'table "T{number}" for each c in {domain}:\n' + indent("\n".join(shown), "    ")
        columns = [
            f'"Set": {self.mixed()}', f'"Each": c in {self.mixed()} as {noted}', '"Latest": latest',
            '"Chosen": chosen', f'"Here": {self.rng.choice(self.zones).here}',
            f'"Turned": {{c in {self.mixed()} where turned[c]}}',
        ]  # fmt: skip
        return f'table "T{number}":\n' + indent("\n".join(self.rng.sample(columns, 3)), "    ")

    # ------------------------------------------------------------ the game

    def text(self, number: int) -> str:
        """The whole file."""
        rng = self.rng
        ranks = RANKS[: rng.randrange(3, 6)]
        attributes = "rank: Rank"
        if self.second:
            attributes += f", {self.second}: {SECOND[self.second]}"
        for name in rng.sample(("hand", "pool", "file", "nest", "shown"), rng.choice((2, 3, 3, 4))):
            self.zone(name)
        notes = [
            "note turned[c: Card]: Truth = false",
            f"note mark[c: Card]: 0..9 = 0{'' if self.marked else ', seen by nobody'}",
            "note hint[c: Card]: 0..9 = 0, seen by nobody", "note known[c: Card]: several Player = {}",
            "note twin[c: Card]: Card or none = none", "note latest: Card or none = none",
            "note chosen: several Card = {}", "note tally: 0..999 = 0", "note score[p: Player]: 0..999 = 0",
            "note round: 0..9 = 0", "note lit: Truth = false", "die cube: 1, 2, 3, 4, 5, 6",
        ]  # fmt: skip
        if self.bound:
            notes += ["note told[t: Truth]: 0..99 = (1 if t else 0)", "note asked: Player or nobody = nobody"]
        if self.tokens:
            notes += ["piece Token: 5 in bank", "zone bank holds Token", "zone on[c: Card] holds Token"]
        tables = [self.table(n) for n in range(rng.choice((1, 1, 2)))]
        setup = ["shuffle deck"]
        for zone in self.zones:
            many = rng.choice((1, 2, 2, 3))
            setup.append(
                f"for each p in Player: move {many} from deck to {zone.name}[p]" if zone.own
                else f"move {many} from deck to {zone.name}"
            )  # fmt: skip
        names = [f"act{n}" for n in range(rng.choice((2, 3)))]
        actions = [self.action(name) for name in names]
        turn = [self.statement()] if self.chance(40) else []
        reaction = ""
        if self.chance(15):
            reaction = (
                "\nwhen due(c: Card):\n    set turned[c] to false\n    set mark[c] to 4\n"
                "define due(c: Card): turned[c] and mark[c] is not 4\n"
            )
        if self.bound:
            reaction += (
                "\nstep note_down(c: Card or none, t: Truth or none, other: Card or none):\n"
                "    if c is not none and t: set mark[c] to 5\n    else if c is not other: set latest to other\n"
                "\nwhen counted(t: Truth, p: Player or nobody):\n    set told[t] to 0\n    set asked to none\n"
                "define counted(t: Truth, p: Player or nobody): told[t] > 4 and p is asked\n"
            )
        body = "\n".join(["add 1 to round", *turn, f"must {' or '.join(names)} or wait"])
        back = f", {self.second} seen by all" if self.second and self.chance(50) else ""
        parts = [
            f'game "Game {number}" for {self.players} players {", ".join(SEATS[: self.players])}',
            f"option generous: Truth = {self.some('true', 'false')}",
            "== components ==",
            f"type Rank is {', '.join(ranks)}" + ("\ntype Suit is red, blue" if self.second == "suit" else ""),
            f"piece Card: {rng.choice((1, 1, 2))} for each {attributes} in deck",
            f"zone deck holds stack of Card, seen by nobody{back}",
            "\n".join([*self.declared, *notes]),
            "\n".join(tables),
            "== setup ==",
            "\n".join(setup),
            "== phases ==",
            f"phase main, turns from ann, over when round is {rng.choice((4, 5, 6))}:\n{indent(body, '    ')}",
            "\n\n".join([*actions, 'action wait:\n    "wait"']) + reaction,
            "== scoring ==",
            "winner highest score[me]",
        ]
        return "\n\n".join(part for part in parts if part) + "\n"


def rules(number: int) -> str:
    """The text of a game."""
    rng = random.Random(number)
    players, second = rng.choice((2, 2, 3)), rng.choice(("", "suit", "owner"))
    draft = Draft(rng, players, second, tokens=rng.randrange(4) == 0, marked=rng.randrange(5) > 0)
    if number % EVERY_BOUND == EVERY_BOUND - 2:
        draft.bound, draft.second = True, second and "loud"
    return draft.text(number)


ALIKE = """
game "Alike" for 2 players ann, ben

== components ==

type Rank is 1..14

piece Card: 1 for each rank: Rank in deck
piece Token: 8 in bag

zone deck holds stack of Card, seen by nobody
zone bag holds Token
zone pool holds row of Card, seen by nobody
zone rest holds row of Card, seen by nobody
zone on[c: Card] holds one Token
zone gone holds Card or Token, seen by nobody

note round: 0..20 = 0

== setup ==

shuffle deck
move 12 from deck to pool
move 2 from deck to rest
for each c in pool:
    if bag is not empty: move 1 from bag to on[c]

== phases ==

phase taking, turns from ann, over when round is 6:
    add 1 to round
    must take or swap or lift

action take(c in pool):
    move c to gone

action swap(cs in handfuls(pool + rest, 2, 2)):
    move cs to gone

action lift(t in {d in Token where some c in pool where d is in on[c]}):
    move t to bag

== scoring ==

winner highest round
"""
"""Moves that look the same to whoever chooses: cards of rows that nobody sees, pairs of them, tokens on them."""
