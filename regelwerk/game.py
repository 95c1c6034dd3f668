"""Loading a game, and the game as Python programs use it: states to play on, and whole games played at random."""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from dsl.text.span import Source
from interpreter.arguments import Backend, backend_of, described, instance_of
from interpreter.errors import PlayersError, SaveError, UnknownSeatError, UsageError
from interpreter.play import game as play
from interpreter.play.scenes.starting import game_at
from interpreter.runtime.chance import Chance, drawn_seed

if TYPE_CHECKING:
    from interpreter.analysis.bulk import PlayoutColumns
    from interpreter.analysis.results import FinishedGame
    from interpreter.analysis.search_states import SearchState
    from interpreter.environments.actions import ActionSpace, PartialMove
    from interpreter.environments.information import InformationState
    from interpreter.environments.observations import ObservationSpace
    from interpreter.opponents.knowledge.sampling import Determinizations
    from interpreter.opponents.knowledge.summary import Knowledge

# What plays many games or searches is imported by the methods that need it: it takes as long as all of the rest.


class State(play.State):
    """A game in progress. `push` makes a move and runs on to the next decision, `pop` takes the last one back."""

    __slots__ = ()

    game: Game

    def search_state(self, backend: Backend | None = None) -> SearchState[State]:
        """The position for a search, such as that of an opponent: legal moves by number, forward and back, rollouts.

        `backend` is what plays: "python", "machine", or "auto", which is the machine engine where that can play; by
        default as the game was loaded. Where it cannot, "machine" warns with the reason (`MachineWarning`). Raises
        `UsageError` for a wrong argument, and if chance is supplied from outside.
        """
        from interpreter.analysis.search_states import search_state

        return search_state(self, backend)

    def determinizations(self, seat: str, count: int, seed: int = 0) -> Determinizations[State]:
        """Draw `count` states that agree with all that a seat has observed since the start: a search may use them.

        In each, hidden pieces and notes and future chance are redrawn; what the seat saw at each of its decisions is
        unchanged, and all decisions of others were legal. The same seed and the same observations give the same states.
        `.tries` tells how many attempts it took. Raises `UsageError` for a wrong
        argument, `UnknownSeatError`, and `SamplingError` if none is found.
        """
        from interpreter.opponents.knowledge.sampling import determinizations

        return determinizations(self, seat, count, seed)

    def knowledge(self, seat: str) -> Knowledge:
        """What a seat knows of pieces and notes that it does not see: what is certain, and how likely the rest is.

        It is estimated from sampled states, as `determinizations` draws them, and may take a few seconds. Raises
        `UnknownSeatError`, and `SamplingError` if no state is found.
        """
        from interpreter.opponents.knowledge.summary import knowledge_of

        return knowledge_of(self, seat)

    def observation(self, seat: str, partial: PartialMove | None = None) -> array[float]:
        """What a seat may see now, as a tensor of `game.observation_space`: a vector of 32-bit floats.

        With `partial`, also what the seat has chosen of its move. NumPy and others read the array in place. Raises
        `UnknownSeatError`, and `UsageError` for anything else as `partial`.
        """
        from interpreter.environments.actions import PartialMove

        number = self.seat_number(seat)
        if number is None:
            raise UnknownSeatError("a tensor is for one of the seats")
        if partial is not None:
            instance_of(partial, PartialMove, "a move from `partial_move`")
        return self.game.observation_space.tensor(self.cells, number, partial)

    def partial_move(self) -> PartialMove:
        """The pending decision, to choose a move by actions of `game.action_space`."""
        return self.game.action_space.begin(self.cells)

    def information_state(self, seat: str) -> InformationState:
        """All that a seat has observed since the start, as text and as a hash.

        Raises `UnknownSeatError`, and `SamplingError` for a game with secrets that began in a given position.
        """
        from interpreter.environments.information import Memory

        return Memory(seat).of(self)

    def position(self, seat: str | None = None) -> str:
        """The pending position as lines of an example, from which `Game.start` begins; with a seat what that knows.

        Raises `PositionError` if the language has no words for something that matters, `UnknownSeatError`.
        """
        from interpreter.play.scenes.known import known_position_text
        from interpreter.play.scenes.writing import position_text

        return position_text(self) if seat is None else known_position_text(self, seat)

    def save(self, path: str | Path, seats: Mapping[str, str] | None = None) -> None:
        """Write the game into a file, which `resume` and `regelwerk play --resume` continue.

        `seats` says who plays each seat, `human` or a bot such as `mcts:1000`; by default all are human. An older file
        is replaced at once. Raises `SaveError` if the file cannot be written.
        """
        from interpreter.play.saves.files import SaveMeta, write_save

        meta = SaveMeta(dict.fromkeys(self.game.seats, "human") if seats is None else seats)
        try:
            write_save(path, self, meta)
        except OSError as fault:
            raise SaveError(f"cannot write {path}: {fault.strerror}") from None


class Game(play.Game):
    """A game with its seats and options, ready to start. Made by `load`."""

    @cached_property
    def action_space(self) -> ActionSpace:
        """The numbered actions by which every move of the game can be made."""
        from interpreter.environments.actions import ActionSpace

        return ActionSpace(self.program)

    @cached_property
    def observation_space(self) -> ObservationSpace:
        """The tensors that show what a seat may see: their size, bounds, and what each number means."""
        from interpreter.environments.observations import ObservationSpace

        return ObservationSpace(self.program, self.action_space)

    def start(
        self, seed: int | None = 0, chance: Chance | None = None, traced: bool = False, given: str | None = None
    ) -> State:
        """Set the game up and play to the first decision, or begin in the position that is `given`.

        That is a text, lines of an example as `State.position` writes them; the seats and options that it names replace
        those of the game. Chance before the position follows the text, and later chance the seed.

        Shuffles, rolls and picks follow from `seed`, or `chance` supplies their results. None draws a seed of 64 bits
        that nobody can guess: `seed` of the state. A `traced` state records what a trace shows, which takes longer.
        Raises `UsageError` for a wrong argument, `PlayError` if a rule fails; for a position `RulesError` with what is
        wrong with the text, and `PositionError` if it cannot be reached.
        """
        if chance is not None and not callable(chance):
            raise UsageError(f"chance is a function that gives results, not {described(chance)}")
        game = self
        if given is not None:
            if not isinstance(given, str):
                raise UsageError(f"a position is a text, not {described(given)}")
            game = game_at(self, Source("position", given))
        return State.begin(game, drawn_seed() if seed is None else seed, chance, traced)

    def playouts(self, count: int, seed: int = 0, backend: Backend | None = None) -> Iterator[FinishedGame]:
        """Play `count` games at random, with the seeds `seed`, `seed + 1`, ….

        Every legal move is equally likely; the moves are those of `regelwerk simulate` and of bots with the same seed.
        The games are played as the iterator advances, and each depends only on its seed. `backend` is what plays:
        "python", "machine", or "auto", which changes from one to the other when that pays off; by default as the game
        was loaded. The results are the same. Where the machine engine cannot play, "machine" warns with the reason
        (`MachineWarning`), and Python plays. Raises `UsageError` at once for a wrong argument, `PlayError` when a game
        ends in an error or does not end.
        """
        from interpreter.analysis.playouts import finished_games

        return finished_games(self, count, seed, backend)

    def playout_columns(
        self, count: int, seed: int = 0, backend: Backend | None = None, threads: int = 1
    ) -> PlayoutColumns:
        """Play the same games at once and return their results as columns of numbers, without an object for each game.

        In the machine engine several `threads` play at the same time. Raises what `playouts` raises.
        """
        from interpreter.analysis.bulk import playout_columns

        return playout_columns(self, count, seed, backend, threads)


def load(
    game: str | Path,
    *,
    players: int | None = None,
    seats: Sequence[str] | None = None,
    options: Mapping[str, object] | None = None,
    variants: Sequence[str | Path] = (),
    board: str | Path | None = None,
    backend: Backend = "auto",
    language: str | None = None,
) -> Game:
    """Load a game by its name, or by the path of a rules file.

    Either `players`, the number of seats, or `seats`, their names; without both the game has its fewest players.
    `options` sets options of the game, by name; those left out have their defaults. `variants` are names or paths of
    variants of the game, `board` is the path of a board to play on instead of the game's own. `backend` plays the games
    of `Game.playouts`. With a `language`, labels, logs and reasons are in that language, with `"own"` in the display
    names of the rules; by default they have the names of the rules as they are.

    Raises `UnknownGameError`, `PlayersError`, `OptionError`, `VariantError`, `BoardError`, `LanguageError`, and
    `RulesError` with all diagnostics if a rules file has errors.
    """
    if players is not None and seats is not None:
        raise PlayersError("either the number of players or their seats, not both")
    if players is not None and not isinstance(players, int):
        raise PlayersError(f"players are a whole number, not {described(players)}")
    if seats is not None and isinstance(seats, int):
        raise PlayersError(f"seats are a list of names, not {described(seats)}")
    seated = play.load(game, players if seats is None else seats, options, board, variants, language)
    return Game(seated.rules, seated.seats, seated.options, backend=backend_of(backend), language=seated.language)


def resume(save: str | Path, at: int | None = None, rules: Literal["new", "saved"] = "new") -> State:
    """The game in a save, after all of its decisions or after the first `at`.

    The rules are those of the file that the save names, or, "saved", those with which it began, whose text the save
    holds. Raises `SaveError` if the save cannot be read or was made under
    rules that no longer allow its moves.
    """
    from interpreter.play.saves.files import WHICH_RULES, read_save
    from interpreter.play.saves.files import resume as resumed

    if rules not in WHICH_RULES:
        raise UsageError(f'the rules of a save are "new" or "saved", not {described(rules)}')
    replayed = resumed(read_save(save), at=at, rules=rules)
    seated = replayed.game
    game = Game(seated.rules, seated.seats, seated.options, seated.programs, given=seated.given)
    state = State(game, replayed.program, replayed.cells, replayed.journal, replayed.seed)
    state.made, state._records = replayed.made, replayed._records
    return state


def loaded_game(game: Game | str | Path, arguments: Mapping[str, Any]) -> Game:
    """A game that is loaded already, or the one that `load` loads with these arguments. Raises what `load` raises."""
    if not isinstance(game, Game):
        return load(game, **arguments)
    if arguments:
        raise UsageError(f"a game that is loaded takes no {', '.join(arguments)}")
    return game
