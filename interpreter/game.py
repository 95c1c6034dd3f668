"""Loading a game: from a name or path to a compiled program with seats and options."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from difflib import get_close_matches
from functools import cached_property, lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from dsl import ast
from dsl.boards import Board
from dsl.text.nouns import counted_range
from dsl.text.visible import brief
from dsl.types import PLAYER, Listed, bare
from interpreter.arguments import options_of, path_of, players_of, told
from interpreter.compile.program import Program, build
from interpreter.errors import BadBoard, BadOption, BadPlayers, BadVariant, UnknownGame, UsageFault
from interpreter.layout.cells import plan
from interpreter.loading.library import find
from interpreter.loading.rules import Rules, load_rules
from interpreter.loading.variant_files import name_of
from interpreter.runtime.chance import Chance

if TYPE_CHECKING:
    from interpreter.state import State


@dataclass(frozen=True)
class OptionInfo:
    """An option of a game: its values in words, and the default."""

    name: str
    values: tuple[str, ...]
    default: str


@dataclass
class Game:
    """A game with its seats and options, ready to start."""

    rules: Rules
    seats: tuple[str, ...]
    options: dict[str, str]
    programs: dict[tuple[bool, bool], Program] = field(default_factory=dict, repr=False)

    @property
    def name(self) -> str:
        """Name of the game."""
        return self.rules.name

    @property
    def title(self) -> str:
        """Title of the game, with those of its variants."""
        title = self.rules.model.file.header.title.value
        return f"{title} ({', '.join(self.rules.titles)})" if self.rules.titles else title

    @property
    def path(self) -> Path:
        """The rules file."""
        return self.rules.path

    @property
    def variants(self) -> tuple[str, ...]:
        """The names of the variants it is played with: their file names without `.rules`."""
        return tuple(name_of(path) for path in self.rules.variants)

    @property
    def board(self) -> Board | None:
        """The board it is played on."""
        return self.rules.model.board

    @property
    def fewest(self) -> int:
        """The fewest players."""
        return self.rules.model.file.header.fewest

    @property
    def most(self) -> int:
        """The most players."""
        return self.rules.model.file.header.most

    @property
    def all_seats(self) -> tuple[str, ...]:
        """All seats the game has."""
        return self.rules.model.seats

    @property
    def is_open(self) -> bool:
        """Whether nothing is hidden from anybody: no zone or note says who sees it, nothing is asked in secret."""
        for node in self.rules.model.file.walk():
            match node:
                case ast.Zone() | ast.Note() if node.sights:
                    return False
                case ast.Decide() | ast.Choose() if node.secretly:
                    return False
                case ast.Parameter() if node.secret:
                    return False
        return True

    @property
    def option_info(self) -> list[OptionInfo]:
        """The options with their values."""
        return [OptionInfo(o.name, o.values, o.default) for o in self.rules.model.options.values()]

    def __copy__(self) -> Game:
        """The game itself with its own table of options; rules and compiled code are never changed."""
        return Game(self.rules, self.seats, dict(self.options), self.programs)

    def __deepcopy__(self, memo: dict[int, object]) -> Game:
        return self.__copy__()

    def __reduce__(self) -> tuple[object, ...]:
        """The files of the rules, with their hash, seats and options: read and compiled again where it is unpickled."""
        rules = self.rules
        board = None if rules.board is None else str(rules.board.absolute())
        variants = tuple(str(path.absolute()) for path in rules.variants)
        return game_again, (
            str(rules.path.absolute()), board, variants, rules.hash, self.seats, tuple(self.options.items())
        )  # fmt: skip

    @cached_property
    def program(self) -> Program:
        """The compiled rules."""
        return self.compiled()

    def compiled(self, traced: bool = False, solo: bool = False) -> Program:
        """The compiled rules: with marks for the trace, or with every action to be begun by itself."""
        key = (traced, solo)
        if key not in self.programs:
            self.programs[key] = build(self.rules.model, self.seats, self.options, traced, solo)
        return self.programs[key]

    def start(self, seed: int = 0, chance: Chance | None = None, traced: bool = False) -> State:
        """Set the game up and play to the first decision.

        `chance` supplies the results of shuffles, rolls and picks instead of the seed. Raises `RuntimeFault` if a rule
        fails.
        """
        from interpreter.state import State

        if chance is not None and not callable(chance):
            raise UsageFault(f"chance is a function that gives results, not {told(chance)}")
        return State.begin(self, seed, chance, traced)


def load(
    name: str | Path,
    players: int | Sequence[str] | None = None,
    options: Mapping[str, object] | None = None,
    board: str | Path | None = None,
    variants: Sequence[str | Path] = (),
) -> Game:
    """Load a game by name or path, for a number of players or named seats (default: the fewest), with options.

    `board` is the path of a board file to play on instead of the one the rules name, `variants` are names or paths of
    variants of the game. Raises `RulesError` with diagnostics, `UnknownGame`, `BadBoard`, `BadVariant`, `BadPlayers`,
    `BadOption`.
    """
    path = find(name if isinstance(name, str) else str(path_of(name, "a game is named by", UnknownGame)))
    own = None if board is None else path_of(board, "a board is named by", BadBoard)
    if isinstance(variants, str | Path) or not isinstance(variants, Iterable):
        raise BadVariant(f"variants are a list of names or paths, not {told(variants)}")
    named = [one if isinstance(one, str) else path_of(one, "a variant is named by", BadVariant) for one in variants]
    return seat_game(load_rules(path, board=own, variants=named), players, options)


@lru_cache(maxsize=8)
def game_again(
    path: str, board: str | None, variants: tuple[str, ...], digest: str, seats: tuple[str, ...],
    options: tuple[tuple[str, str], ...],
) -> Game:  # fmt: skip
    """A game that was pickled. Raises UsageFault if its rules say something else now, and what `load` raises."""
    rules = load_rules(Path(path), board=None if board is None else Path(board), variants=variants)
    if rules.hash != digest:
        raise UsageFault(f"the rules of `{rules.name}` have changed since the game was pickled")
    return Game(rules, seats, dict(options))


def seat_game(rules: Rules, players: int | Sequence[str] | None, options: Mapping[str, object] | None) -> Game:
    """Choose seats and options for checked rules."""
    seats = choose_seats(rules, players_of(players))
    return Game(rules, seats, choose_options(rules, options_of(options), seats))


def choose_seats(rules: Rules, players: int | Sequence[str] | None) -> tuple[str, ...]:
    """The seats that play, in the order of the file."""
    header = rules.model.file.header
    wanted = header.fewest if players is None else players
    named = () if isinstance(wanted, int) else wanted
    for seat in named:
        if seat not in header.seats:
            raise BadPlayers(f"`{rules.name}` has no seat `{seat}`{_hint(seat, header.seats)}")
    count = wanted if isinstance(wanted, int) else len(wanted)
    if not header.fewest <= count <= header.most:
        said = counted_range(header.fewest, header.most, "player")
        raise BadPlayers(f"`{rules.name}` is for {said}, not {brief(count)}")
    if isinstance(wanted, int):
        return header.seats[:wanted]
    if len(set(wanted)) != len(wanted):
        raise BadPlayers("a seat is named twice")
    return tuple(seat for seat in header.seats if seat in wanted)


def choose_options(rules: Rules, options: Mapping[str, str], seats: Sequence[str]) -> dict[str, str]:
    """All options with their values in words; a default seat that does not play gives way to the first that does."""
    known = rules.model.options
    chosen: dict[str, str] = {}
    for name, symbol in known.items():
        absent = bare(symbol.type) == PLAYER and symbol.default in rules.model.seats and symbol.default not in seats
        chosen[name] = seats[0] if absent else symbol.default
    for name, value in options.items():
        if name not in known:
            raise BadOption(f"`{rules.name}` has no option `{name}`{_hint(name, known)}")
        text, values = value, known[name].values
        if bare(known[name].type) == PLAYER:
            values = tuple(value for value in values if value in seats or value not in rules.model.seats)
        if text not in values:
            text = next((value for value in values if value.replace(" ", "") == text.replace(" ", "")), text)
        if text not in values:
            raise BadOption(f"option `{name}` is {', '.join(values)}, not `{text}`")
        chosen[name] = text
    _keep_to_board(rules, seats, chosen, options)
    return chosen


def _keep_to_board(rules: Rules, seats: Sequence[str], chosen: dict[str, str], given: Mapping[str, object]) -> None:
    """See that places among the options are there with the board's alternatives that the options choose.

    A default that is not there gives way to the first value that is; what was given is refused.
    """
    model = rules.model
    layout = plan(model, tuple(seats), chosen)
    for name, symbol in model.options.items():
        type_ = bare(symbol.type)
        places = model.type_symbols.get(type_.name) if isinstance(type_, Listed) else None
        if places is None or not places.rows:
            continue
        there = [str(places.members[position]) for position in places.rows[layout.choice].present]
        words = [value for value in symbol.values if value in there or value == "none"]
        words += ["random"] if symbol.by_chance and there else []
        if chosen[name] in words:
            continue
        if words and name not in given:
            chosen[name] = words[0]
            continue
        choices = zip(model.chosen.values(), layout.choice, strict=True)
        chosen_words = " and ".join(f"`{node.name}` is {word}" for node, word in choices)
        when = f" when {chosen_words}" if chosen_words else ""
        if not words:
            raise BadOption(f"option `{name}` has no value: the board has no `{places.name}`{when}")
        raise BadOption(f"option `{name}` is {', '.join(words)}{when}, not `{chosen[name]}`")


def _hint(name: str, known: Sequence[str] | Mapping[str, object]) -> str:
    close = get_close_matches(name, known, n=3, cutoff=0.5)
    be = "is" if len(known) == 1 else "are"
    return f"; did you mean {' or '.join(close)}?" if close else f"; there {be} {', '.join(known) or 'none'}"
