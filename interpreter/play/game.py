"""The Python interface: loading and starting a game, and a state with all queries about it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import field
from functools import lru_cache
from pathlib import Path
from typing import Self

from dsl.lazy_dataclasses import dataclass
from dsl.text.visible import brief
from interpreter.arguments import described, integer_of, options_of, path_of, players_of
from interpreter.engine.seated_game import GivenStart, SeatedGame
from interpreter.engine.seating import choose_options, choose_seats
from interpreter.engine.sight import SPECTATOR
from interpreter.errors import BoardError, LanguageError, UnknownGameError, UsageError, VariantError
from interpreter.loading.game_library import find
from interpreter.loading.rules import Rules, load_rules
from interpreter.play.state import PlayState
from interpreter.play.trace.origins import why as why_value
from interpreter.runtime.cells import Cells, Journal, JournalEntry
from interpreter.runtime.chance import Chance, ChanceResult, drawn_seed
from interpreter.runtime.layout import MOVES
from interpreter.seat.explain.answer import Why
from interpreter.seat.explain.moves import is_move, why_move
from interpreter.seat.explain.outcome import Outcome, outcome_of
from interpreter.seat.explain.query import query_value
from interpreter.seat.notation.moves import Move
from interpreter.seat.notation.words import Value
from interpreter.seat.views.history import DecisionRecord, Made
from interpreter.seat.views.log import LogEntry, entries
from interpreter.seat.views.model import View
from interpreter.seat.views.preview import effects
from interpreter.seat.views.seat_view import view_of
from interpreter.wording.words import OWN

WATCHING = "*"
"""Stands for spectators where a seat is named; no seat can have this name."""


class Game(SeatedGame):
    """A game with its seats and options, ready to start."""

    def __reduce__(self) -> tuple[object, ...]:
        """Pickle the rules by their files and hash, with seats and options; unpickling loads and compiles them."""
        rules = self.rules
        board = None if rules.board is None else str(rules.board.absolute())
        variants = tuple(str(path.absolute()) for path in rules.variants)
        options, path = tuple(self.options.items()), str(rules.path.absolute())
        return reload_game, (
            type(self), path, board, variants, rules.hash, self.seats, options, self.off, self.language, self.given,
        )  # fmt: skip

    def start(self, seed: int | None = 0, chance: Chance | None = None, traced: bool = False) -> State:
        """Set the game up and play to the first decision. For None a seed is drawn that nobody can guess.

        `chance` supplies the results of shuffles, rolls and picks instead of the seed. Raises `PlayError` if a rule
        fails.
        """
        if chance is not None and not callable(chance):
            raise UsageError(f"`chance` must be a function that returns results, not {described(chance)}")
        return State.begin(self, drawn_seed() if seed is None else seed, chance, traced)


class State(PlayState):
    """A game in progress: plain data, and the journal of all changes so far.

    `push` makes a move and runs on to the next decision; `pop` takes the last one back with all its effects.
    """

    __slots__ = ()

    game: Game

    @classmethod
    def begin(cls, game: Game, seed: int, chance: Chance | None, traced: bool = False) -> Self:
        """Set up a game and run to the first decision."""
        program = game.compiled(traced=True) if traced else game.program
        state = cls.before_setup(game, program, seed, chance)
        state.program.run(state.cells, state.journal, 0)
        return state

    @property
    def outcome(self) -> Outcome | None:
        """The outcome of the game; None while it goes on."""
        return outcome_of(self.program, self.cells, self.journal) if self.over else None

    def view(self, seat: str | None) -> View:
        """Everything a seat may know, and nothing else, as plain data.

        `None` sees everything, `"*"`, a spectator, what all seats see. Raises `UnknownSeatError`.
        """
        return view_of(self.program, self.cells, self._observer(seat))

    def log(self, seat: str | None, since: int = 0) -> list[LogEntry]:
        """The log of a seat for the decisions from number `since` on; `None` sees everything, `"*"` what all see."""
        first = integer_of(since, "the number of a decision")
        return entries(self.program, self.cells, self.journal, self.history, self._observer(seat), first)

    def _observer(self, seat: str | None) -> int | None:
        return SPECTATOR if seat == WATCHING else self.seat_number(seat)

    def evaluate(self, text: str, seat: str | None = None) -> Value:
        """The value of an expression of the language, such as `points(ben)` or `count hand[ben]`, for a seat.

        Numbers are `int`, truth values `bool`, sets and contents of zones tuples, `none` is None; anything else is the
        name it has in the rules. For None everything is visible. `me` is the seat that decides, or `seat` if nobody
        does. Raises `ExpressionError` if the text is no expression of this game, `HiddenError` if the value depends on
        something the seat may not know, `PlayError` if it has none, and `UnknownSeatError`.
        """
        if not isinstance(text, str):
            raise UsageError(f"an expression is a text, not {described(text)}")
        return query_value(self.program, self.cells, text, self.seat_number(seat))

    def effects(self, move: Move) -> tuple[str, ...]:
        """The effects of a legal move, as far as the seat that decides can tell beforehand, as lines of its log.

        That ends before chance and before anything that depends on what is hidden from the seat.
        """
        return effects(self.program, self.cells, move.code, is_open=self.game.is_open)

    def why(self, name: str, **arguments: object) -> Why:
        """Explain why a move of the seat that decides is legal or not, or how a value or a place's content came about.

        `name` is an action with `arguments`, a whole notation such as `ask(ben, king)`, or an expression of the
        language such as `points(ben)` or `hand[ben]`, evaluated with everything visible. Raises `ExpressionError`.
        """
        if not isinstance(name, str):
            raise UsageError(f"`why` takes a string, not {described(name)}")
        if arguments or is_move(self.program, self.cells, name):
            texts = {argument: brief(value) for argument, value in arguments.items()}
            return why_move(self.program, self.cells, name, texts)
        return why_value(self, name, None)

    def __reduce__(self) -> tuple[object, ...]:
        """Pickle the game with all decisions, changes and chance results as plain data.

        Supplied chance is included if it can be pickled. Raises UsageError for a state whose code was compiled for
        another use than play.
        """
        kind = next((key for key, program in self.game.programs.items() if program is self.program), None)
        if kind is None:
            raise UsageError("this state cannot be pickled: it does not belong to a game that was started")
        cells = [None if number == MOVES else cell for number, cell in enumerate(self.cells)]
        journal = self.journal
        decisions = [decision._replace(legal=None) for decision in self.made]
        parts = (cells, list(journal), list(journal.results), journal.chance, self.seed, decisions, list(self._records))
        return restored_state, (type(self), self.game, kind, *parts)


def load(
    name: str | Path,
    players: int | Sequence[str] | None = None,
    options: Mapping[str, object] | None = None,
    board: str | Path | None = None,
    variants: Sequence[str | Path] = (),
    language: str | None = None,
    every_language: bool = False,
) -> Game:
    """Load a game by name or path, for a number of players or named seats (default: the fewest), with options.

    `board` is the path of a board file to play on instead of the one the rules name, `variants` are names or paths of
    variants of the game. With a `language`, labels, logs and other texts for people are in that language; with `"own"`
    they have the display names of the rules; by default they are as programs know them, with the names of the rules.
    With `every_language`, `in_words` can later give the game in all its languages.
    Raises `RulesError` with diagnostics, `UnknownGameError`, `BoardError`, `VariantError`, `PlayersError`,
    `OptionError`, `LanguageError`.
    """
    path = find(name if isinstance(name, str) else str(path_of(name, "a game is named by", UnknownGameError)))
    board_path = None if board is None else path_of(board, "a board is named by", BoardError)
    if isinstance(variants, str | Path) or not isinstance(variants, Iterable):
        raise VariantError(f"variants must be a list of names or paths, not {described(variants)}")
    named = [
        variant if isinstance(variant, str) else path_of(variant, "a variant is named by", VariantError)
        for variant in variants
    ]
    if language is not None and not isinstance(language, str):
        raise LanguageError(f"a language is a text, not {described(language)}")
    rules_language = None if language == OWN else language
    rules = load_rules(path, board=board_path, variants=named, language=rules_language, every_language=every_language)
    game = seat_game(rules, players, options)
    return game if language is None else game.in_words(language)


@lru_cache(maxsize=8)
def reload_game(
    class_: type[Game], path: str, board: str | None, variants: tuple[str, ...], digest: str, seats: tuple[str, ...],
    options: tuple[tuple[str, str], ...], off: frozenset[str], language: str | None = None,
    given: GivenStart | None = None,
) -> Game:  # fmt: skip
    """Load a pickled game. Raises UsageError if its rules have changed, and whatever `load` raises."""
    rules_language = None if language == OWN else language
    rules = load_rules(
        Path(path), board=None if board is None else Path(board), variants=variants, language=rules_language
    )
    if rules.hash != digest:
        raise UsageError(f"the rules of `{rules.name}` have changed since the game was pickled")
    return class_(rules, seats, dict(options), off=off, language=language, given=given)


def seat_game(rules: Rules, players: int | Sequence[str] | None, options: Mapping[str, object] | None) -> Game:
    """Choose seats and options for checked rules."""
    seats = choose_seats(rules, players_of(players))
    return Game(rules, seats, choose_options(rules, options_of(options), seats))


MakeGame = Callable[[Rules, int | Sequence[str] | None, Mapping[str, object] | None], Game]


@dataclass
class GamesOfRules:
    """The games of some rules by their seats and options, each made once by `make_game`."""

    rules: Rules
    make_game: MakeGame = seat_game
    _games: dict[object, Game] = field(default_factory=dict)

    def seated(
        self, players: int | tuple[str, ...] | None, options: Mapping[str, str] | Iterable[tuple[str, str]]
    ) -> Game:
        """The game with these seats and options. Raises UsageError if the rules have none of them."""
        chosen = dict(options)
        key = players, *sorted(chosen.items())
        if key not in self._games:
            self._games[key] = self.make_game(self.rules, players, chosen)
        return self._games[key]


def restored_state(
    class_: type[State], game: Game, kind: tuple[bool, bool], cells: Cells, changes: list[JournalEntry],
    results: list[ChanceResult], chance: Chance | None, seed: int, decisions: list[Made], records: list[DecisionRecord],
) -> State:  # fmt: skip
    """Restore a pickled state."""
    journal = Journal(chance)
    journal.extend(changes)
    journal.results = results
    state = class_(game, game.compiled(*kind), cells, journal, seed)
    state.made, state._records = decisions, records
    return state
