"""Examples run as tests: given, when, then."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from dsl import ast
from dsl.diagnostics import Diagnostic
from dsl.types import KIND, PieceType, Several, Type, bare
from dsl.variants import failing
from interpreter.chance import ChanceEvent
from interpreter.compile.layout import ME, MOVES, POINT
from interpreter.compile.points import FREE_POINT
from interpreter.compile.program import Move as Code
from interpreter.compile.program import Program
from interpreter.explain import Explainer
from interpreter.faults import RuntimeFault, UsageFault
from interpreter.game import Game, seat_game
from interpreter.looking import operands
from interpreter.masks import bits
from interpreter.rules import Rules, load_rules
from interpreter.runtime import as_set, same_pieces
from interpreter.scenes import GivenFault, Table, install, options_given
from interpreter.state import State
from interpreter.trace.events import Event
from interpreter.why import offered_to
from interpreter.wording import acts_of, exact_words, moves_in_words

Seated = Callable[[Rules, int | Sequence[str] | None, Mapping[str, object] | None], Game]
"""Makes a game of rules, players and options."""

MOST_SKIPPED = 1000
"""How many decisions with one possible move are passed over at once."""


@dataclass(frozen=True)
class ExampleResult:
    """What became of one example; each failure is text of several lines with the place and the values.

    `led_there` are the last events before a failure, each with its depth.
    """

    title: str
    cites: tuple[str, ...]
    place: str
    passed: bool
    failures: tuple[str, ...]
    led_there: tuple[tuple[int, Event], ...] = ()


class Failure(Exception):
    """An example that does not hold; the message says what was found."""


class Runner:
    """Runs one example on a state of its own."""

    def __init__(self, game: Game, example: ast.Example, traced: bool = False) -> None:
        self.game, self.example = game, example
        self.program: Program = game.compiled(traced, solo=True)
        install(self.program)
        self.state = State.before_setup(game, self.program, 0, self._chance)
        self.state.cells[POINT], self.state.cells[MOVES] = FREE_POINT, []
        self.table = Table(self.program, self.state.cells)
        self.begun = False

    def _chance(self, event: ChanceEvent) -> Any:
        """Shuffles keep the order, dice show the faces given."""
        if event.kind == "shuffle":
            return list(range(event.size))
        given = self.table.faces.get(event.what)
        if given:
            return event.faces.index(given.pop(0))
        return 0

    @property
    def cells(self) -> list[Any]:
        """The cells of the state."""
        return self.state.cells

    def run(self) -> list[str]:
        """Run the scenes up to the first that fails; gives the failures."""
        for scene in self.example.scenes:
            try:
                self.scene(scene)
            except (Failure, GivenFault, UsageFault, RuntimeFault) as failure:
                return ["\n".join([*self._where(scene), str(failure)])]
        return []

    def _where(self, scene: ast.Node) -> list[str]:
        return [scene.span.place, *scene.span.excerpt()]

    def scene(self, scene: ast.Scene) -> None:
        """Run one scene. Raises Failure, GivenFault, UsageFault, RuntimeFault."""
        if isinstance(scene, ast.Played | ast.ThenMay | ast.ThenMayNot) and scene.seat not in self.game.seats:
            raise Failure(f"    `{scene.seat}` does not play")
        match scene:
            case ast.Given():
                self.table.given(scene.condition)
            case ast.Begun():
                self._begin(scene.phase)
            case ast.Played():
                self._played(scene)
            case ast.Then():
                self._skip()
                if not self.program.value_of(scene.condition, self.cells):
                    raise Failure("\n".join(self._values(scene.condition)))
            case ast.ThenMay():
                self._may(scene)
            case ast.ThenMayNot():
                self._may_not(scene)
            case _:
                pass

    def _values(self, node: ast.Expression) -> list[str]:
        explainer = Explainer(self.program, self.cells)
        lines: list[str] = []
        for part in operands(node):
            lines += [f"    {line}" for line in explainer.lines_of(part)]
        return lines or ["    it does not hold"]

    # ------------------------------------------------------------ playing

    def _begin(self, phase: str) -> None:
        block = 0 if phase == "setup" else self.program.points.phase_entries[phase]
        self.program.run(self.cells, self.state.journal, block)

    def _skip(self, *wanted: ast.Choice, seat: str | None = None, stay: bool = False) -> None:
        """Make the decisions that have one legal move only, unless it is what is spoken of.

        `stay`: none of the seat's own either.
        """
        for _ in range(MOST_SKIPPED):
            if self.state.player is None:
                return
            legal = self.program.legal(self.cells)
            named = self.state.player == seat and (stay or any(self._fitting(choice) for choice in wanted))
            if len(legal) != 1 or named:
                return
            self.program.do(self.cells, self.state.journal, legal[0])
        raise Failure(f"    {MOST_SKIPPED} decisions with one possible move, and no end of it")

    def _played(self, scene: ast.Played) -> None:
        self._skip(scene.choice, seat=scene.seat)
        if self.state.player is None:
            self._by_itself(scene)
            return
        found = self._fitting(scene.choice)
        if self.state.player != scene.seat:
            raise Failure(f"    it is {self.state.player}'s decision, not {scene.seat}'s:\n{self._legal_text()}")
        if not found:
            why = self._why(scene.choice)
            raise Failure(f"    this is not legal: {why}\n{self._legal_text()}")
        if len(found) > 1:
            raise Failure(f"    several legal moves fit this:\n{self._legal_text(found)}")
        self.program.do(self.cells, self.state.journal, found[0])

    def _by_itself(self, scene: ast.Played) -> None:
        """Nothing is pending: the action or step is done by itself."""
        choice = scene.choice
        if self.state.over:
            raise Failure("    the game is over")
        if isinstance(choice, ast.Choosing) or choice.name == "done":
            raise Failure("    nothing is being asked")
        self.cells[ME] = self.game.seats.index(scene.seat)
        rule = self.program.model.rules[choice.name]
        if rule.is_action:
            self.cells[POINT], self.cells[MOVES] = self.program.solo[choice.name], None
            found = self._fitting(choice)
            if len(found) != 1:
                reason = self._why(choice) if not found else "several moves fit this"
                raise Failure(f"    this is not legal: {reason}")
            self.program.do(self.cells, self.state.journal, found[0])
            return
        points, journal = self.program.points, self.state.journal
        values = [
            self._argument(argument, parameter.type)
            for argument, parameter in zip(choice.arguments, rule.parameters, strict=True)
        ]
        if choice.name in points.suspending:
            entry = points.entries[choice.name]
            for cell, value in zip(entry.parameters, values, strict=True):
                self.cells[cell] = value
            self.cells[entry.back] = points.free_block
            self.program.run(self.cells, journal, entry.block)
        else:
            self.program.call(points.rule_name(rule, quiet=False), self.cells, journal, values)

    def _argument(self, node: ast.Expression, type_: Type) -> Any:
        """The value of an argument; of a kind of piece the first there is."""
        points, core = self.program.points, bare(type_)
        if isinstance(core, PieceType) and self.program.model.types.get(node.number) == KIND:
            pieces = bits(self.program.evaluate(points.kind(node, core.sorts, {}), self.cells))
            if not pieces:
                raise Failure("    there is no such piece")
            return pieces[0]
        if isinstance(core, Several) and isinstance(node, ast.ListOf):
            return self._list(node, core)
        return self.program.evaluate(points.fitted(node, type_, {}), self.cells)

    def _list(self, node: ast.ListOf, type_: Several, offered: int = 0) -> int:
        """The set that a list names; of each kind of piece the first that is left, those offered before others."""
        if not isinstance(type_.element, PieceType):
            return as_set(self.program.value_of(item, self.cells) for item in node.items)
        found = 0
        for kind in self._kinds(node, type_.element):
            left = kind & offered & ~found or kind & ~found
            if not left:
                raise Failure("    there is no such piece")
            found |= left & -left
        return found

    # ------------------------------------------------------------ what fits

    def _fitting(self, choice: ast.Choice) -> list[Code]:
        """The legal moves of the pending decision that a choice speaks of."""
        decision = self.program.decision(self.cells)
        if decision is None:
            return []
        legal = self.program.legal(self.cells)
        if isinstance(choice, ast.Choosing):
            if not isinstance(decision.node, ast.Choose):
                return []
            domain = self.program.points.domain(decision.node.domain, decision.env)
            return [code for code in legal if code[0] == 0 and self._is(choice.value, code[1], domain.element)]
        if choice.name == "done":
            return [code for code in legal if code[0] == -1]
        acts = acts_of(decision.node)
        types = [parameter.type for parameter in self.program.model.rules[choice.name].parameters]
        return [
            code for code in legal
            if code[0] >= 0 and acts and acts[code[0]].name == choice.name
            and all(self._is(a, v, t) for a, v, t in zip(choice.arguments, code[1:], types, strict=False))
        ]  # fmt: skip

    def _is(self, node: ast.Expression, value: Any, type_: Any) -> bool:
        points, core = self.program.points, bare(type_)
        if isinstance(core, PieceType):
            said = self.program.model.types.get(node.number)
            if said == KIND or node.number in self.program.model.attribute_of:
                return bool(self.program.evaluate(points.kind(node, core.sorts, {}), self.cells) >> value & 1)
        if isinstance(core, Several) and isinstance(node, ast.ListOf):
            return self._is_list(node, value, core)
        if isinstance(node, ast.Pattern):
            return False
        return bool(self.program.value_of(node, self.cells) == value)

    def _is_list(self, node: ast.ListOf, value: int, type_: Several) -> bool:
        """Whether a set has just the members of a list."""
        if isinstance(type_.element, PieceType):
            return same_pieces(bits(value), self._kinds(node, type_.element), ordered=False)
        members = [self.program.value_of(item, self.cells) for item in node.items]
        return len(set(members)) == len(members) and value == as_set(members)

    def _kinds(self, node: ast.ListOf, pieces: PieceType) -> list[int]:
        """The kinds of pieces of a list, each as the set of all such pieces."""
        points = self.program.points
        texts = [text for item in node.items for text in points.listed(item, pieces.sorts, {})]
        return [int(self.program.evaluate(text, self.cells)) for text in texts]

    def _ask(self, seat: str, choice: ast.Choice) -> None:
        """With nothing pending, ask for an action by itself."""
        if self.cells[POINT] == FREE_POINT and isinstance(choice, ast.Act) and choice.name in self.program.solo:
            self.cells[ME] = self.game.seats.index(seat)
            self.cells[POINT], self.cells[MOVES] = self.program.solo[choice.name], None

    def _may(self, scene: ast.ThenMay) -> None:
        self._skip(*scene.choices, seat=scene.seat)
        free = self.cells[POINT] == FREE_POINT
        left = list(self.program.legal(self.cells))
        for choice in scene.choices:
            if free:
                self.cells[POINT] = FREE_POINT
                self._ask(scene.seat, choice)
            if self.state.player != scene.seat:
                raise Failure(f"    it is {self.state.player or 'nobody'}'s decision, not {scene.seat}'s")
            found = self._fitting(choice)
            if not found:
                raise Failure(f"    `{choice.span.text}` is not legal: {self._why(choice)}\n{self._legal_text()}")
            left = [code for code in left if code not in found]
        if free:
            self.cells[POINT], self.cells[MOVES] = FREE_POINT, []
        if scene.only and left:
            raise Failure(f"    legal beside it:\n{self._legal_text(left)}")

    def _may_not(self, scene: ast.ThenMayNot) -> None:
        asked = self.state.player is not None
        self._skip(scene.choice, seat=scene.seat, stay=True)
        free = self.cells[POINT] == FREE_POINT
        if asked and free:  # what was asked is decided, and was something else
            return self._other_reason(scene, "nothing more is asked")
        self._ask(scene.seat, scene.choice)
        if not free and self.state.player not in (None, scene.seat):
            raise Failure(f"    it is {self.state.player}'s decision, not {scene.seat}'s")
        legal = self.state.player == scene.seat and bool(self._fitting(scene.choice))
        reason = "" if legal else self._why(scene.choice)
        if free:
            self.cells[POINT], self.cells[MOVES] = FREE_POINT, []
        if legal:
            raise Failure("    this is legal")
        return self._other_reason(scene, reason)

    def _other_reason(self, scene: ast.ThenMayNot, reason: str) -> None:
        if scene.because is not None and scene.because.value not in reason:
            raise Failure(f"    the reason is another one: {reason}")

    def _why(self, choice: ast.Choice) -> str:
        if isinstance(choice, ast.Choosing):
            return "it is not among the choices"
        if choice.name == "done":
            return "it must be decided" if self.state.player else "nothing is being asked"
        words = self._words(choice)
        return self.state.why(words).reason

    def _words(self, choice: ast.Act) -> str:
        """A choice in the notation of moves."""
        if not choice.arguments:
            return choice.name
        parameters = self.program.model.rules[choice.name].parameters
        words = [argument.span.text for argument in choice.arguments]
        for place, (argument, parameter) in enumerate(zip(choice.arguments, parameters, strict=False)):
            core = bare(parameter.type)
            if isinstance(argument, ast.ListOf) and isinstance(core, Several):
                offered = offered_to(self.program, self.cells, self.program.model.rules[choice.name], place)
                words[place] = exact_words(
                    self.program, self.cells, core, self._list(argument, core, offered), self.cells[ME], False
                )
        return f"{choice.name}({', '.join(words)})"

    def _legal_text(self, codes: list[Code] | None = None) -> str:
        legal = self.program.legal(self.cells) if codes is None else codes
        notations = [move.notation for move in moves_in_words(self.program, self.cells, legal)]
        more = f" and {len(notations) - 12} more" if len(notations) > 12 else ""
        return f"    legal: {', '.join(notations[:12])}{more}" if notations else "    nothing is legal"


def run_examples(
    path: Path, wanted: str = "", board: Path | None = None, variants: Sequence[str | Path] = ()
) -> list[ExampleResult]:
    """Run the examples of a rules file and its companion; `wanted`: only titles that contain it.

    `board` is a board file to play on instead of the one the rules name, `variants` are names or paths of variants to
    put in. Raises `RulesError` if the files do not check, `BadBoard`, `BadVariant`.
    """
    rules = load_rules(path, examples=True, board=board, variants=variants)
    return run_checked(rules, wanted)


def run_checked(rules: Rules, wanted: str = "") -> list[ExampleResult]:
    """Run the examples of checked rules."""
    return list(one_by_one(rules, wanted))


def failing_in_base(rules: Rules) -> list[Diagnostic]:
    """The examples of the base that fail with the variants, each as an error."""
    if rules.merged is None:
        return []
    own = [variant.span.source for variant in rules.merged.variants]
    found = []
    for example, result in zip(rules.model.examples, one_by_one(rules), strict=True):
        if not result.passed and not any(example.span.source is source for source in own):
            place, *lines = result.failures[0].splitlines()
            reasons = [line.strip() for line in lines[2:] or lines]  # the line of the example and its mark are left out
            found.append(failing(example, [f"{place}: {reasons[0]}", *reasons[1:]], rules.merged))
    return found


def one_by_one(rules: Rules, wanted: str = "", seated: Seated = seat_game) -> Iterator[ExampleResult]:
    """The examples of checked rules, each run when its result is asked for, in games that `seated` makes."""
    games: dict[object, Game] = {}
    for example in rules.model.examples:
        if wanted.lower() not in example.title.value.lower():
            continue
        options = options_given(rules.model, example)
        seats: int | tuple[str, ...] | None = None
        for scene in example.scenes:
            if isinstance(scene, ast.GivenSeats):
                seats = scene.count if scene.count is not None else scene.seats
        key = (seats, tuple(sorted(options.items())))
        head = example.title.value, example.cites, example.span.place
        try:
            if key not in games:
                games[key] = seated(rules, seats, options)
            failures = Runner(games[key], example).run()
        except UsageFault as fault:
            yield ExampleResult(*head, False, (f"{example.span.place}\n    {fault}",))
            continue
        led_there = _retold(games[key], example) if failures else ()
        yield ExampleResult(*head, not failures, tuple(failures), led_there)


def _retold(game: Game, example: ast.Example) -> tuple[tuple[int, Event], ...]:
    from interpreter.retelling import Retold

    return Retold(game, example).retell()
