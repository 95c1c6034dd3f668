"""The state of a running game at the door: decisions, undo, copies, keys."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING, Any

from dsl import ast
from dsl.text.visible import brief
from interpreter.arguments import told, whole
from interpreter.compile.points import OVER_POINT
from interpreter.compile.program import Program
from interpreter.errors import IllegalMove, UsageFault
from interpreter.explain.outcome import Outcome, outcome_of
from interpreter.explain.why import Why, is_move, why_move
from interpreter.layout.cells import DRAWN, IDLE, ME, MOVES, POINT, RANDOM
from interpreter.notation.words import Move, moves_in_words, names_asked, one_in_words, so_far, told_label
from interpreter.runtime.chance import Chance, seeded
from interpreter.runtime.primitives import Cells, Journal
from interpreter.views.history import Made, Question
from interpreter.views.log import LogEntry, entries
from interpreter.views.seat_view import view_of

if TYPE_CHECKING:
    from interpreter.game import Game


class State:
    """A game in progress: plain data, and the journal of all changes so far.

    `push` makes a move and runs on to the next decision, `pop` takes the last one back with all it set off.
    """

    __slots__ = ("cells", "game", "history", "journal", "program", "seed")

    def __init__(self, game: Game, program: Program, cells: Cells, journal: Journal, seed: int) -> None:
        self.game, self.program, self.cells, self.journal, self.seed = game, program, cells, journal, seed
        self.history: list[Made] = []

    @classmethod
    def begin(cls, game: Game, seed: int, chance: Chance | None, traced: bool) -> State:
        """Set up a game and run to the first decision."""
        state = cls.before_setup(game, game.compiled(traced=True) if traced else game.program, seed, chance)
        state.program.run(state.cells, state.journal, 0)
        return state

    @classmethod
    def before_setup(cls, game: Game, program: Program, seed: int, chance: Chance | None) -> State:
        """A game with every piece in its home, before its set-up."""
        cells = list(program.initial)
        cells[RANDOM] = seeded(seed)
        return cls(game, program, cells, Journal(chance), seed)

    # ------------------------------------------------------------ whose decision

    @property
    def player(self) -> str | None:
        """The seat that decides, None when the game is over."""
        return self.game.seats[self.cells[ME]] if self.cells[POINT] >= 0 else None

    @property
    def ply(self) -> int:
        """How many decisions have been made."""
        return len(self.history)

    @property
    def question(self) -> Question | None:
        """What is being asked now."""
        decision = self.program.decision(self.cells)
        player = self.player
        if decision is None or player is None:
            return None
        node = decision.node
        chosen = so_far(self.cells, decision)
        return Question(player, node.duty, names_asked(node), node.secretly, node.span.place, node.cites, chosen)

    @property
    def legal_moves(self) -> tuple[Move, ...]:
        """What may be decided now; in a stable order, without duplicates, empty when the game is over."""
        return moves_in_words(self.program, self.cells, self.program.legal(self.cells))

    # ------------------------------------------------------------ forward and back

    def push(self, move: Move | str) -> None:
        """Make a move, given as one of `legal_moves` or by its notation, and run to the next decision.

        Raises `IllegalMove` if it is not legal now, `RuntimeFault` if a rule fails; the state is then as before.
        """
        found = self._find(move)
        mark = len(self.journal)
        made = self._made(found, mark)
        drawn = len(self.journal.results)
        try:
            self.program.do(self.cells, self.journal, found.code)
        except BaseException:
            self._undo_to(mark)
            del self.journal.results[drawn:]
            raise
        self.history.append(made)

    def _find(self, move: Move | str) -> Move:
        if not isinstance(move, Move | str):
            raise IllegalMove(f"a move is one of `legal_moves` or its notation, not {told(move)}")
        codes = self.program.legal(self.cells)
        if isinstance(move, Move) and move.code in codes:
            same = one_in_words(self.program, self.cells, move.code)
            if same == move:
                return move
        notation = move if isinstance(move, str) else move.notation
        wanted = notation.replace(" ", "")
        for candidate in self.legal_moves:
            if candidate.notation.replace(" ", "") == wanted:
                return candidate
        if not codes:
            raise IllegalMove(f"`{notation}` is not possible: the game is over")
        raise IllegalMove(f"`{notation}` is not a legal move now; `legal_moves` lists the {len(codes)} that are")

    def _made(self, move: Move, start: int) -> Made:
        decision = self.program.decision(self.cells)
        assert decision is not None and self.player is not None
        label = f"choose {move.label}" if isinstance(decision.node, ast.Choose) and move.code[0] >= 0 else move.label
        told = tuple(
            label if seat == self.cells[ME] else told_label(self.program, self.cells, decision.node, move, seat)
            for seat in range(len(self.game.seats))
        )
        return Made(self.player, move.notation, label, told, decision.node.secretly, move.code[0] < 0, start, move.code)

    def pop(self) -> None:
        """Take the last decision back, with everything it set off. Raises `IllegalMove` if there is none."""
        if not self.history:
            raise IllegalMove("there is no decision to take back")
        made = self.history.pop()
        self._undo_to(made.start)
        self.cells[MOVES] = None
        del self.journal.results[self.cells[DRAWN] :]

    def _undo_to(self, mark: int) -> None:
        cells, journal = self.cells, self.journal
        while len(journal) > mark:
            cell, old = journal.pop()
            if cell >= 0:
                cells[cell] = old
        cells[MOVES] = None

    def copy(self) -> State:
        """A state of its own, with the same past."""
        journal = Journal(self.journal.chance)
        journal.extend(self.journal)
        journal.results = list(self.journal.results)
        other = State(self.game, self.program, list(self.cells), journal, self.seed)
        other.history = list(self.history)
        return other

    def __copy__(self) -> State:
        return self.copy()

    def __deepcopy__(self, memo: dict[int, object]) -> State:
        return self.copy()

    def __reduce__(self) -> tuple[object, ...]:
        """The game, and everything that was decided, changed and drawn, as plain data.

        Chance that is supplied goes along if it can be pickled. Raises UsageFault for a state of code that was
        compiled for another use than play.
        """
        kind = next((key for key, program in self.game.programs.items() if program is self.program), None)
        if kind is None:
            raise UsageFault("this state cannot be pickled: it does not belong to a game that was started")
        cells = [None if number == MOVES else cell for number, cell in enumerate(self.cells)]
        journal = self.journal
        parts = (cells, list(journal), list(journal.results), journal.chance, self.seed, list(self.history))
        return state_again, (self.game, kind, *parts)

    def key(self) -> str:
        """A short text, equal for equal states of the same game: the table, what is pending, and chance to come."""
        plain = [cell for number, cell in enumerate(self.cells) if number not in (MOVES, IDLE, DRAWN)]
        return hashlib.sha256(repr(plain).encode("ascii")).hexdigest()[:32]

    # ------------------------------------------------------------ what is known

    @property
    def over(self) -> bool:
        """Whether the game is over."""
        return bool(self.cells[POINT] == OVER_POINT)

    @property
    def outcome(self) -> Outcome | None:
        """How the game ended, None while it goes on."""
        return outcome_of(self.program, self.cells, self.journal) if self.over else None

    @property
    def chance_results(self) -> list[Any]:
        """The results of chance so far: of a shuffle the new order of the old places, else the number of the result."""
        return list(self.journal.results)

    def view(self, player: str | None) -> dict[str, Any]:
        """What a seat may know, and nothing else, as plain data; `None` sees everything."""
        return view_of(self.program, self.cells, self.seat_number(player))

    def log(self, player: str | None, since: int = 0) -> list[LogEntry]:
        """What a seat was told of the decisions from number `since` on; `None` is told everything."""
        first = whole(since, "the number of a decision")
        return entries(self.program, self.cells, self.journal, self.history, self.seat_number(player), first)

    def why(self, name: str, **arguments: object) -> Why:
        """Why a move is legal or not for the seat that decides, a value is what it is, or lies at a place what does.

        `name` is an action with `arguments`, a whole notation such as `ask(ben, king)`, or an expression of the
        language such as `points(ben)` or `hand[ben]`, seen by the eye that sees all. Raises `BadExpression`.
        """
        if not isinstance(name, str):
            raise UsageFault(f"`why` wants a text, not {told(name)}")
        if arguments or is_move(self.program, self.cells, name):
            texts = {argument: brief(value) for argument, value in arguments.items()}
            return why_move(self.program, self.cells, name, texts)
        from interpreter.explain.values import why

        return why(self, name, None)

    def seat_number(self, player: str | None) -> int | None:
        """The place of a seat in turn order; None for nobody. Raises `IllegalMove` if there is no such seat."""
        if player is None:
            return None
        if player not in self.game.seats:
            raise IllegalMove(f"there is no seat `{brief(player)}` in this game")
        return self.game.seats.index(player)


def state_again(
    game: Game, kind: tuple[bool, bool], cells: Cells, changes: list[tuple[int, Any]], results: list[Any],
    chance: Chance | None, seed: int, history: list[Made],
) -> State:  # fmt: skip
    """A state that was pickled."""
    journal = Journal(chance)
    journal.extend(changes)
    journal.results = results
    state = State(game, game.compiled(*kind), cells, journal, seed)
    state.history = history
    return state
