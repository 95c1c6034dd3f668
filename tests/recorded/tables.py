"""The tables at which games are recorded: rules with variants, players, options, and where chance comes from."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from functools import lru_cache
from pathlib import Path

import regelwerk
from tests.recorded.draws import draw, shuffled
from tests.support.library import representative
from tests.support.project import ROOT

GAMES = ROOT / "games"

SITTINGS = 40
"""How often a shipped game is set up, each time for several games."""

SITTING, SHORT_SITTINGS = 25, {"chess": 5, "fells_and_becks": 2, "go": 1, "spades": 10, "tallow_lane": 5}
"""How many games a sitting has; of games that take long it has fewer."""

FOR_A_VARIANT = 2
"""How many of the sittings are played with each variant of the game."""

MAX_VALUES = 20
"""Of an option with more values, so many are played: the first, the last, and others at equal distances."""

LOOKS = {
    "tic_tac_toe": 1, "nim": 1, "kuhn_poker": 1, "leduc_poker": 1, "liars_dice": 1, "pig": 2, "connect_four": 4,
    "china": 24, "backgammon": 24, "dschingis_khan": 24, "mauerbauer": 24, "hex": 48, "chess": 48,
    "go": 480, "spades": 48, "texas_holdem": 24, "chinesische_mauer": 16, "fells_and_becks": 24,
    "tallow_lane": 24,
}  # fmt: skip
USUAL_LOOKS = 8
"""One decision in so many is looked at: what is seen there, and what other moves lead to. Long games have fewer."""


@dataclass(frozen=True)
class Table:
    """Where games are played; paths are those inside the project.

    `tape`: chance is supplied, otherwise it follows from a seed. One decision in `looks` is looked at.
    """

    rules: str
    players: int
    options: Mapping[str, str] = field(default_factory=dict)
    variants: tuple[str, ...] = ()
    tape: bool = False
    looks: int = USUAL_LOOKS

    def __str__(self) -> str:
        chosen = ", ".join(f"{name}={value}" for name, value in self.options.items())
        extra = "".join(f" with {Path(path).stem}" for path in self.variants)
        chance = "supplied chance" if self.tape else "seeded chance"
        return f"{Path(self.rules).stem}{extra}, {self.players} players ({chosen or 'no options'}; {chance})"

    def choices(self) -> set[str]:
        """The values of options, as `name=value`, and the variants."""
        return {*(f"{name}={value}" for name, value in self.options.items()), *self.variants}

    def as_data(self) -> dict[str, object]:
        """The table as JSON can hold it."""
        return {**asdict(self), "options": dict(self.options), "variants": list(self.variants)}


def table_from(data: Mapping[str, object]) -> Table:
    """The table that `as_data` gave."""
    values = dict(data)
    values["variants"] = tuple(values["variants"])  # type: ignore[arg-type]
    return Table(**values)  # type: ignore[arg-type]


def game_at(table: Table) -> regelwerk.Game:
    """The game of a table, ready to start."""
    return loaded(table.rules, table.players, tuple(table.options.items()), table.variants)


@lru_cache(maxsize=12)
def loaded(
    rules: str, players: int | None, options: tuple[tuple[str, str], ...] = (), variants: tuple[str, ...] = ()
) -> regelwerk.Game:
    """A game by the paths of its files in the project."""
    paths = [ROOT / path for path in variants]
    return regelwerk.load(ROOT / rules, players=players, options=dict(options), variants=paths)


def shipped() -> list[str]:
    """The names of the shipped games that are recorded."""
    return representative()


def games_in_sitting(name: str) -> int:
    """How many games a sitting of a shipped game has."""
    return SHORT_SITTINGS.get(name, SITTING)


def defaults_of(name: str) -> set[str]:
    """The default values of the options of a shipped game, as `name=value`: what is played where nothing is chosen."""
    return {f"{info.name}={info.default}" for info in loaded(f"games/{name}.rules", None).option_info}


def variants_of(name: str) -> list[str]:
    """The shipped variants of a game, by their paths in the project."""
    paths = sorted((GAMES / "variants").glob("*.rules"))
    return [path.relative_to(ROOT).as_posix() for path in paths if f" of {name}:" in path.read_text("utf-8")]


def tables_of(name: str) -> Iterator[Table]:
    """The tables of a shipped game: as many with each number of players, and as evenly with each value of options.

    The first for each number of players has the default options, the last are those with variants.
    """
    rules, looks = f"games/{name}.rules", LOOKS.get(name, USUAL_LOOKS)
    game = loaded(rules, None)
    counts = game.counts
    extra = [(path,) for path in variants_of(name) for _ in range(FOR_A_VARIANT)]
    variants = [*[()] * (SITTINGS - len(extra)), *extra]
    decks: dict[str, list[str]] = {}
    for number, with_variants in enumerate(variants):
        players = counts[number % len(counts)]
        options = {} if number < len(counts) else chosen_options(rules, with_variants, players, number, decks)
        tape = draw(number, SITTINGS) % 2 == 1
        yield Table(rules, players, options, with_variants, tape, looks)


def chosen_options(
    rules: str, variants: tuple[str, ...], players: int, number: int, decks: dict[str, list[str]]
) -> dict[str, str]:
    """A value for each option, dealt from a deck of all its values; another is added when none left is possible."""
    game = loaded(rules, players, (), variants)
    options: dict[str, str] = {}
    for place, info in enumerate(game.option_info):
        possible = [value for value in info.values if value in game.seats or value not in game.all_seats]
        deck = decks.setdefault(info.name, [])
        if not any(value in possible for value in deck):
            deck += shuffled(some_of(info.values), number, place)
        options[info.name] = next(value for value in deck if value in possible)
        deck.remove(options[info.name])
    return options


def some_of(values: Sequence[str]) -> Sequence[str]:
    """The values, or `MAX_VALUES` of them."""
    if len(values) <= MAX_VALUES:
        return values
    return [values[place * (len(values) - 1) // (MAX_VALUES - 1)] for place in range(MAX_VALUES)]
