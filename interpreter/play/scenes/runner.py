"""Runner of one example, scene by scene, on a separate state.

    given pile[4] is [Match, Match]          the table is laid out (`setup.py`)
    when phase taking                        play begins, or goes on from there
    then ann may not take(4, 3) because "only 2"
    when ann: take(4, 2)
    then winners is {ben}

Two things make this more than playing moves. An example about one rule should not have to spell out decisions that have
only one legal move, so these are made silently (`_skip`), unless the next scene names one: `then ann may not …` stops
before every decision of ann. And an action or step may be performed with nothing pending, to test it alone
(`_perform_alone`): the state then points at a decision that exists only for this.
"""

from __future__ import annotations

from typing import assert_never

from dsl import ast
from dsl.symbols import BuiltinSymbol, DieSymbol, LocalSymbol
from dsl.types import KIND, PieceType, Several, Type, bare, element_of
from interpreter.compiler.decisions import FREE_POINT, acts_of
from interpreter.compiler.names import NO_NAMES
from interpreter.engine.program import Program
from interpreter.errors import PlayError, UsageError
from interpreter.play.game import Game, State
from interpreter.play.scenes.setup import GivenError, StateBuilder, install
from interpreter.runtime.bitset import bits
from interpreter.runtime.cells import Cells, MoveCode, StoredValue, number_in
from interpreter.runtime.layout import ME, MOVES, POINT
from interpreter.runtime.piece_matching import same_pieces
from interpreter.runtime.primitives import as_set
from interpreter.seat.explain.breakdown import Explainer
from interpreter.seat.explain.evaluator import joined_by_and, operands
from interpreter.seat.explain.refusals import offered_members
from interpreter.seat.notation.moves import moves_in_words
from interpreter.seat.notation.words import exact_words, notation_of

MAX_FORCED = 1000
"""Maximum number of consecutive decisions with one legal move before the example is given up."""

MAX_LISTED = 12
"""Maximum number of moves that a failure lists."""


class Runner:
    """Runs one example on a separate state.

    `setting_up`: setup has begun, and play has not yet continued from its end. `forced` are the decisions with one
    legal move made since the last `when`, `phase` is the phase in which that began, if it was `when phase …`.
    `position_named`: a `then` has named the pending decision, and those that follow refer to the same position.
    `program` is that of the game, extended by an example that is not in its files.
    """

    def __init__(self, game: Game, example: ast.Example, traced: bool = False, program: Program | None = None) -> None:
        self.game, self.example = game, example
        self.program: Program = program or game.compiled(traced, solo=True)
        install(self.program)
        self.state = State.before_setup(game, self.program, 0, lambda event: self.builder.chance(event))
        self.builder = StateBuilder(self.program, self.state.cells)
        self.matcher = MoveMatcher(self.program, self.state.cells)
        self.setting_up = False
        self.forced: list[str] = []
        self.phase: str | None = None
        self.position_named = False

    @property
    def cells(self) -> Cells:
        """The cells of the state."""
        return self.state.cells

    def run(self) -> list[str]:
        """Run the scenes up to the first that fails; returns the failures."""
        for scene in self.example.scenes:
            try:
                self.scene(scene)
            except (ExampleError, GivenError, UsageError, PlayError) as fault:
                return [self.failure_at(scene, fault)]
        return []

    def failure_at(self, scene: ast.Scene, fault: Exception) -> str:
        """The text of a failure: where it is, and what was found instead."""
        return "\n".join([scene.span.location, *scene.span.excerpt(), str(fault), *self._skipped_before(scene)])

    def scene(self, scene: ast.Scene) -> None:
        """Run one scene. Raises ExampleError, GivenError, UsageError, PlayError."""
        seat = getattr(scene, "seat", None)
        if seat is not None and seat not in self.game.seats:
            raise ExampleError(f"    `{seat}` does not play")
        if isinstance(scene, ast.Given | ast.GivenShown):
            self.builder.given(scene)
            if self.state.player is not None:
                self.cells[MOVES] = None  # the legal moves may have changed with the table
            return
        self.builder.end_run()
        if isinstance(scene, ast.Begun | ast.Played):
            self.forced, self.position_named = [], False
            self.phase = scene.phase if isinstance(scene, ast.Begun) and scene.phase != "setup" else None
        match scene:
            case ast.Begun():
                self._begin(scene)
            case ast.Played():
                self._played(scene)
            case ast.Then():
                self._then(scene)
            case ast.ThenMay():
                self._may(scene)
            case ast.ThenMayNot():
                self._may_not(scene)
            case ast.GivenSeats():  # the game was built for these seats
                pass
            case _ as never:
                assert_never(never)

    # ------------------------------------------------------------ playing

    def _begin(self, scene: ast.Begun) -> None:
        journal = self.state.journal
        if self.state.over:
            raise ExampleError("    the game is over")
        self.setting_up = scene.phase == "setup"
        if self.setting_up:
            self.program.run(self.cells, journal, 0)
            return
        seat = None if scene.seat is None else self.game.seats.index(scene.seat)
        self.program.begin_phase(self.cells, journal, scene.phase, seat)

    def begin_course(self) -> None:
        """Begin the first phase if setup is done and play has not gone on from there."""
        if self.setting_up and self.cells[POINT] == FREE_POINT:
            self.setting_up = False
            self.program.begin_course(self.cells, self.state.journal)

    def _skip(self, *choices: ast.Choice, seat: str | None = None, stay: bool = False, into_play: bool = True) -> None:
        """Make the decisions with only one legal move, unless it is one of `choices`.

        `stay`: none of the seat's own either. `into_play`: the first phase begins when setup is done. Raises
        ExampleError after `MAX_FORCED` decisions.
        """
        for _ in range(MAX_FORCED):
            if into_play:
                self.begin_course()
            player = self.state.player
            if player is None:
                return
            legal = self.program.legal(self.cells)
            # INVARIANT: a decision is skipped only if nothing else could have been decided there, and if the scene is
            # not about it. Two consecutive claims about one decision are about the same position: `position_named`
            # stops the second from skipping what the first one has named.
            named = player == seat and (stay or any(self.matcher.moves(choice) for choice in choices))
            if len(legal) != 1 or named:
                return
            self.forced.append(f"{player} may only {moves_in_words(self.program, self.cells, legal)[0].notation}")
            self.position_named = False
            self.program.do(self.cells, self.state.journal, legal[0])
        raise ExampleError(f"    more than {MAX_FORCED} consecutive decisions with only one legal move")

    def _played(self, scene: ast.Played) -> None:
        self._skip(scene.choice, seat=scene.seat)
        if self.state.player is None:
            self._perform_alone(scene)
            return
        moves = self.matcher.moves(scene.choice)
        if self.state.player != scene.seat:
            raise ExampleError(f"{self._not_deciding(scene.seat)}:\n{self._legal_text()}")
        if not moves:
            why = self._reasons(scene.choice)[0]
            raise ExampleError(f"    this is not legal: {why}\n{self._legal_text()}")
        if len(moves) > 1:
            raise ExampleError(f"    several legal moves match this:\n{self._legal_text(moves)}")
        self.forced = []
        self.program.do(self.cells, self.state.journal, moves[0])

    def _perform_alone(self, scene: ast.Played) -> None:
        """Perform the action or step alone, with nothing pending. Raises ExampleError if it is not legal."""
        choice = scene.choice
        if self.state.over:
            raise ExampleError("    the game is over")
        if isinstance(choice, ast.Choosing) or choice.name == "done":
            raise ExampleError("    no decision is pending")
        self.cells[ME] = self.game.seats.index(scene.seat)
        rule = self.program.model.rules[choice.name]
        if rule.is_action:
            self.cells[POINT], self.cells[MOVES] = self.program.solo[choice.name], None
            moves = self.matcher.moves(choice)
            if len(moves) != 1:
                reason = self._reasons(choice)[0] if not moves else "several moves match this"
                raise ExampleError(f"    this is not legal: {reason}")
            self.program.do(self.cells, self.state.journal, moves[0])
            return
        values = [
            self.matcher.argument(argument, parameter.type)
            for argument, parameter in zip(choice.arguments, rule.parameters, strict=True)
        ]
        self.program.perform(choice.name, self.cells, self.state.journal, values)

    # ------------------------------------------------------------ claims

    def _then(self, scene: ast.Then) -> None:
        if not self.position_named:
            self._skip(into_play=self._asks_for_moves(scene.condition))
        if not self.program.value_of(scene.condition, self.cells):
            explainer = Explainer(self.program, self.cells)
            unmet = [conjunct for conjunct in joined_by_and(scene.condition) if not self._holds(conjunct)]
            lines = [self._unmet(explainer, condition) for condition in unmet]
            told = [condition.left for condition in unmet if isinstance(condition, ast.Compare)]
            for part in operands(scene.condition):
                parts = explainer.lines_of(part)
                lines += parts if len(parts) > 1 or part not in told else []
            raise ExampleError("\n".join([*(f"    {line}" for line in lines), *self._not_rolled(scene.condition)]))

    def _holds(self, condition: ast.Expression) -> bool:
        return bool(self.program.value_of(condition, self.cells))

    def _unmet(self, explainer: Explainer, condition: ast.Expression) -> str:
        """The expected and the actual value of a condition: `expected points(red) is 4, found 3`."""
        expected = " ".join(condition.span.text.split())
        if not isinstance(condition, ast.Compare) or not explainer.has_value(condition.left):
            return f"expected {expected}, which is false"
        actual = explainer.explain(condition.left, NO_NAMES).value
        right_side = condition.right
        if not explainer.has_value(right_side):
            return f"expected {expected}, found {actual}"
        right = explainer.explain(right_side, NO_NAMES).value
        written = " ".join(right_side.span.text.split())
        if right == written:
            return f"expected {expected}, found {actual}"
        # `found ann and ben` would be read as one value, where both sides should be the same
        return f"expected {expected}, found {actual} {'instead of' if condition.operator == 'is' else 'and'} {right}"

    def _asks_for_moves(self, node: ast.Expression) -> bool:
        """True if a condition asks who decides, or for the legal moves."""
        symbols = (self.program.model.refers.get(part.number) for part in node.walk())
        return any(isinstance(symbol, BuiltinSymbol) and symbol.name in ("player", "moves") for symbol in symbols)

    def _offer(self, seat: str, choice: ast.Choice) -> None:
        """Offer an action alone, with nothing pending. Raises ExampleError if it is not an action."""
        if isinstance(choice, ast.Choosing) or choice.name == "done":
            raise ExampleError("    no decision is pending")
        self.cells[ME] = self.game.seats.index(seat)
        self.cells[POINT], self.cells[MOVES] = self.program.solo[choice.name], None

    def _withdraw(self) -> None:
        """Undo the effect of `_offer`."""
        self.cells[POINT], self.cells[MOVES] = FREE_POINT, []

    def _may(self, scene: ast.ThenMay) -> None:
        self._skip(*scene.choices, seat=scene.seat)
        free = self.cells[POINT] == FREE_POINT
        if free and scene.only:
            raise ExampleError("    no decision is pending, so there is nothing to choose from")
        # `may only` lists all moves: those that no choice matches are left over and make the claim fail.
        unlisted = list(self.program.legal(self.cells))
        for choice in scene.choices:
            if free:
                self._offer(scene.seat, choice)
            if self.state.player != scene.seat:
                raise ExampleError(self._not_deciding(scene.seat))
            moves = self.matcher.moves(choice)
            if not moves:
                why = f"`{choice.span.text}` is not legal: {self._reasons(choice)[0]}"
                raise ExampleError(f"    {why}\n{self._legal_text()}")
            unlisted = [code for code in unlisted if code not in moves]
            if free:
                self._withdraw()
        if scene.only and unlisted:
            raise ExampleError(f"    other moves are legal as well:\n{self._legal_text(unlisted)}")
        self.position_named = not free

    def _may_not(self, scene: ast.ThenMayNot) -> None:
        was_pending = self.state.player is not None or self.setting_up
        self._skip(scene.choice, seat=scene.seat, stay=True)
        free = self.cells[POINT] == FREE_POINT
        if free and not was_pending:
            self._offer(scene.seat, scene.choice)
        if self.state.player != scene.seat:
            raise ExampleError(self._not_deciding(scene.seat))
        legal = bool(self.matcher.moves(scene.choice))
        reasons = [] if legal else self._reasons(scene.choice)
        if free:
            self._withdraw()
        if legal:
            raise ExampleError("    this is legal")
        expected = scene.because.value if scene.because is not None else ""
        # A part of the reason is enough, and any requirement that fails counts: an author tests one rule, not their
        # order.
        if not any(expected in reason for reason in reasons):
            others = "\n".join(f"        {reason}" for reason in reasons[1:])
            raise ExampleError(f"    the reason is a different one: {reasons[0]}" + (f"\n{others}" if others else ""))
        self.position_named = not free

    # ------------------------------------------------------------ messages of failures

    def _not_deciding(self, seat: str) -> str:
        """The message that it is not the decision of this seat."""
        if self.state.over:
            return f"    the game is over: {seat} has nothing to decide"
        player, decision = self.state.player, self.program.decision(self.cells)
        if player is None or decision is None:
            return f"    {seat} has nothing more to decide"
        in_order = ": seats that choose at once are named in their order"
        return f"    it is {player}'s decision, not {seat}'s{in_order if decision.at_once else ''}"

    def _reasons(self, choice: ast.Choice) -> list[str]:
        """The reasons why a choice is not legal: the first one, then the other requirements that fail."""
        if isinstance(choice, ast.Choosing):
            return ["it is not among the choices"]
        if choice.name == "done":
            return ["it must be decided" if self.state.player else "no decision is pending"]
        answer = self.state.why(self.matcher.words(choice))
        requirements = answer.reasons[1:]  # the first reason is the rule that asks
        return list(dict.fromkeys([answer.reason, *(reason.text for reason in requirements if not reason.holds)]))

    def _not_rolled(self, node: ast.Expression) -> list[str]:
        """The dice of a condition whose given faces are still to be rolled."""
        refers, lines = self.program.model.refers, []
        for reference in node.walk():
            symbols = [refers.get(part.number) for part in reference.walk()]
            die = symbols[0]
            if not isinstance(die, DieSymbol) or not isinstance(reference, ast.Index if die.index else ast.Name):
                continue
            if any(isinstance(symbol, LocalSymbol) for symbol in symbols):
                continue
            cell = self.program.cell_of(reference, self.cells)
            name = self.program.layout.cell_name(cell)
            for face in self.builder.faces.get(name, [])[:1]:
                how = f"for the face it shows now, write `given {name} shows {face}`"
                lines.append(f"    {face} is the next roll of `{name}`; {how}")
        return list(dict.fromkeys(lines))

    def _skipped_before(self, scene: ast.Scene) -> list[str]:
        """The forced decisions before a scene that fails, with advice on how to test the state before them."""
        if not self.forced:
            return self._phase_left() if isinstance(scene, ast.Then | ast.ThenMay | ast.ThenMayNot) else []
        more = f" and {len(self.forced) - MAX_LISTED} more" if len(self.forced) > MAX_LISTED else ""
        skipped = f"    skipped before this: {', '.join(self.forced[:MAX_LISTED])}{more}"
        advice = f"    to check the state before that, first write: then {self.forced[0]}"
        return [skipped, advice] if isinstance(scene, ast.Then | ast.ThenMay | ast.ThenMayNot) else [skipped]

    def _phase_left(self) -> list[str]:
        """The advice if play has left the phase that a `when phase …` began, because nobody had a choice there."""
        if self.phase is None:
            return []
        phases = self.program.model.phases
        pending = list(phases)[self.cells[self.program.phase_cell]]
        parts = {node.name for node in phases[self.phase].declaration.walk() if isinstance(node, ast.Phase)}
        if not self.state.over and pending in parts:
            return []
        where = (
            "the game is over" if self.state.over else f"play went on to {self.state.player}'s choice in `{pending}`"
        )
        advice = f"to check a value of what is given, leave out `when phase {self.phase}`"
        return [f"    nobody had a choice in `{self.phase}`: {where}", f"    {advice}"]

    def _legal_text(self, codes: list[MoveCode] | None = None) -> str:
        legal = self.program.legal(self.cells) if codes is None else codes
        notations = [move.notation for move in moves_in_words(self.program, self.cells, legal)]
        more = f" and {len(notations) - MAX_LISTED} more" if len(notations) > MAX_LISTED else ""
        return f"    legal: {', '.join(notations[:MAX_LISTED])}{more}" if notations else "    no move is legal"


# ---- Moves as examples write them: the legal moves that fit a choice, and the values of its arguments


class ExampleError(Exception):
    """An example that does not hold; the message describes what was found instead."""


class MoveMatcher:
    """Matches the choices of an example with the pending decision of a state."""

    def __init__(self, program: Program, cells: Cells) -> None:
        self.program, self.cells = program, cells

    def moves(self, choice: ast.Choice) -> list[MoveCode]:
        """The legal moves of the pending decision that fit a choice."""
        decision = self.program.decision(self.cells)
        if decision is None:
            return []
        legal = self.program.legal(self.cells)
        if isinstance(choice, ast.Choosing):
            if not isinstance(decision.node, ast.Choose):
                return []
            element = element_of(self.program.model.types[decision.node.domain.number])
            assert element is not None  # the checker has refused any other domain
            return [code for code in legal if code[0] == 0 and self._matches(choice.value, *code[1:], element)]
        if choice.name == "done":
            return [code for code in legal if code[0] == -1]
        acts = acts_of(decision.node)
        types = [parameter.type for parameter in self.program.model.rules[choice.name].parameters]
        return [
            code for code in legal
            if code[0] >= 0 and acts and acts[code[0]].name == choice.name
            and all(self._matches(a, v, t) for a, v, t in zip(choice.arguments, code[1:], types, strict=False))
        ]  # fmt: skip

    def _matches(self, node: ast.Expression, value: StoredValue, type_: Type) -> bool:
        core = bare(type_)
        if isinstance(core, PieceType):
            written_type = self.program.model.types.get(node.number)
            if written_type == KIND or node.number in self.program.model.attribute_of:
                kind = self.program.kind_of(node, core.piece_types, self.cells)
                return value is not None and bool(kind >> number_in(value) & 1)
        if isinstance(core, Several) and isinstance(node, ast.ListOf):
            return self._matches_list(node, number_in(value), core)
        if isinstance(node, ast.Pattern):
            return False
        return bool(self.program.value_of(node, self.cells) == value)

    def _matches_list(self, node: ast.ListOf, value: int, type_: Several) -> bool:
        """True if a set has exactly the members of a list."""
        if isinstance(type_.element, PieceType):
            return same_pieces(bits(value), self._kinds(node, type_.element), ordered=False)
        members = [self._member(item) for item in node.items]
        return len(set(members)) == len(members) and value == as_set(members)

    def _member(self, node: ast.Expression) -> int | None:
        value = self.program.value_of(node, self.cells)
        return None if value is None else number_in(value)

    def _kinds(self, node: ast.ListOf, pieces: PieceType) -> list[int]:
        """The kinds of pieces in a list, each as the set of all such pieces."""
        return [kind for item in node.items for kind in self.program.kinds_of(item, pieces.piece_types, self.cells)]

    def words(self, choice: ast.Act) -> str:
        """A choice in the notation of moves."""
        rule = self.program.model.rules[choice.name]
        parameters = rule.parameters
        words = [argument.span.text for argument in choice.arguments]
        for index, (argument, parameter) in enumerate(zip(choice.arguments, parameters, strict=False)):
            core = bare(parameter.type)
            if isinstance(argument, ast.ListOf) and isinstance(core, Several):
                offered = offered_members(self.program, self.cells, rule, index)
                words[index] = exact_words(
                    self.program, self.cells, core, self._listed_members(argument, core, offered), self.cells[ME], False
                )
        return notation_of(rule, words)

    def argument(self, node: ast.Expression, type_: Type) -> StoredValue:
        """The value of an argument; for a kind of piece, the first such piece. Raises ExampleError if there is none."""
        core = bare(type_)
        if isinstance(core, PieceType) and self.program.model.types.get(node.number) == KIND:
            pieces = bits(self.program.kind_of(node, core.piece_types, self.cells))
            if not pieces:
                raise ExampleError("    there is no such piece")
            return pieces[0]
        if isinstance(core, Several) and isinstance(node, ast.ListOf):
            return self._listed_members(node, core)
        return self.program.fitted_value(node, type_, self.cells)

    def _listed_members(self, node: ast.ListOf, type_: Several, offered: int = 0) -> int:
        """The set that a list names; for each kind of piece the first one left, those offered before others.

        Raises ExampleError if there are too few such pieces.
        """
        if not isinstance(type_.element, PieceType):
            return as_set(self._member(item) for item in node.items)
        members = 0
        for kind in self._kinds(node, type_.element):
            candidates = kind & offered & ~members or kind & ~members
            if not candidates:
                raise ExampleError("    there is no such piece")
            members |= candidates & -candidates
        return members
