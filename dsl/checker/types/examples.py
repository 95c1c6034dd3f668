"""Checks of examples: who plays, what is given, what is done, what is expected.

    example "the last card":
        given hand[red] is [2 king]       must say what the state is: `is`, not `is not` or `<`
        when red: play(king)              an action, or a step that is done directly
        then score[red] is 3              any condition
        then red may not play(ace)        about an action only

A seat that does not play (the game is for two to four, the example for two) has no hand, so whatever names it is an
error here, though it would be none in the rules.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import assert_never

from dsl import ast
from dsl import types as ty
from dsl.checker.context import Context, Scope, near, spelt
from dsl.checker.example_memory import Recall
from dsl.checker.names.declarations import CHANCE_NAME, word_of
from dsl.checker.names.foreign_keywords import declined_helps
from dsl.checker.types.declarations import typer_of
from dsl.checker.types.expectations import check_text, declared, expect, expect_condition
from dsl.checker.types.piece_kinds import attributes_of, kind_of, pieces_in
from dsl.checker.types.statements import check_act
from dsl.diagnostics import Cause, Label, Replacement, has_errors
from dsl.symbols import BuiltinSymbol, DieSymbol, NoteSymbol, OptionSymbol, Symbol, ValueSymbol, ZoneSymbol
from dsl.text.nouns import counted_choice
from dsl.text.span import Span


class ExampleCheck:
    """Checks examples with the names that exist only there (`over`, `winners`, `moves`, `player`).

    State of the current example: `options` are those given so far, `begun` is true after the first scene other than
    `given`, `played` after the first `when`, and `playing` are the seats that play.
    """

    def __init__(self, context: Context) -> None:
        self.context = context
        self.typer = typer_of(context, in_example=True)
        self.options: dict[str, ast.Compare] = {}
        self.begun = self.played = False
        self.playing: tuple[str, ...] = ()

    def example(self, node: ast.Example) -> None:
        """Check one example, scene by scene."""
        scope = Scope(self.context)
        check_text(self.typer, node.title, scope)
        self.options, self.begun, self.played = {}, False, False
        self.playing = self._who_plays(node)
        for index, scene in enumerate(node.scenes):
            self.begun = self.begun or not isinstance(scene, ast.GivenSeats | ast.Given | ast.GivenShown)
            match scene:
                case ast.GivenSeats():
                    self._seats(scene, first=index == 0)
                case ast.Given():
                    self._given(scene.condition, scope)
                case ast.GivenShown():
                    self._shown(scene, scope)
                case ast.Played() | ast.ThenMay() | ast.ThenMayNot():
                    self._seat(scene.seat, scene)
                    choices = scene.choices if isinstance(scene, ast.ThenMay) else (scene.choice,)
                    for choice in choices:
                        self._choice(choice, scope, played=isinstance(scene, ast.Played))
                    if isinstance(scene, ast.ThenMayNot) and scene.because is not None:
                        check_text(self.typer, scene.because, scope)
                case ast.Begun():
                    self._begun(scene)
                case ast.Then():
                    if not self._done_by_seat(scene.condition):
                        expect_condition(self.typer, scene.condition, scope, "after `then`")
                case _ as never:
                    assert_never(never)
            self.played = self.played or isinstance(scene, ast.Begun | ast.Played)
            if not isinstance(scene, ast.GivenSeats):
                self._absent(scene, node)

    def _who_plays(self, node: ast.Example) -> tuple[str, ...]:
        """Seats that play: those given, or the first ones; all of them if the given ones are wrong."""
        seats, count = self.context.model.seats, self.context.model.file.header.fewest
        for scene in node.scenes:
            if isinstance(scene, ast.GivenSeats):
                if scene.count is None:
                    return scene.seats if set(scene.seats) <= set(seats) else seats
                count = scene.count
        return seats[:count]

    def _absent(self, scene: ast.Scene, example: ast.Example) -> None:
        """Report seats of the game that do not play in this example."""
        model = self.context.model
        named: list[tuple[str, Span]] = []
        if isinstance(scene, ast.Begun | ast.Played | ast.ThenMay | ast.ThenMayNot) and scene.seat is not None:
            named.append((scene.seat, spelt(scene, scene.seat)))
        absent = frozenset(model.seats).difference(self.playing)
        for node in scene.walk() if absent else ():
            if isinstance(node, ast.Name) and node.name in absent:
                symbol = model.refers.get(node.number)
                if isinstance(symbol, ValueSymbol) and symbol.type == ty.PLAYER:
                    named.append((node.name, node.span))
        for seat, span in named:
            if seat in absent:
                helps = [f"begin the example with `given {model.seats.index(seat) + 1} players`, or name the seats"]
                causes = [Cause("unknown", f"{seat}@{example.number}"), Cause("declared", f"{seat}@seats")]
                self.context.error("E0422", f"`{seat}` does not play in this example", span, helps, causes=causes)

    def _begun(self, scene: ast.Begun) -> None:
        """Check `when phase main from blue`: the phase exists, has turns if a seat begins, and follows the setup."""
        context = self.context
        names = [*context.model.phases, "setup"]
        if scene.seat is not None:
            self._seat(scene.seat, scene)
        if scene.phase not in names:
            message, at = f"there is no phase `{scene.phase}`", spelt(scene, scene.phase)
            causes = [Cause("unknown", scene.phase)]
            context.error("E0209", message, at, proposals=near(scene.phase, names), causes=causes)
        elif scene.phase == "setup" and self.played:
            helps = ["make it the first `when`, or start another example"]
            context.error("E0420", "the setup comes before all play", scene, helps)
        if scene.seat is None or scene.phase not in names:
            return
        phase = context.model.phases[scene.phase].declaration if scene.phase != "setup" else None
        if phase is None or phase.first is None:
            turned = [nested.name for nested in (phase.walk() if phase else ()) if isinstance(nested, ast.Phase)]
            turned = [name for name in turned if context.model.phases[name].declaration.first is not None]
            helps = [f"write `when phase {name} from {scene.seat}`" for name in turned]
            helps = helps or [f"write `when phase {scene.phase}`, or begin with a step: `when {scene.seat}: …`"]
            context.error("E0421", f"`{scene.phase}` has no turns for a seat to begin", scene, helps)

    def _done_by_seat(self, node: ast.Expression) -> bool:
        """Report `then red draws`, which looks like a kind of piece."""
        words = (
            [word.name for word in node.words if isinstance(word, ast.Name)] if isinstance(node, ast.Pattern) else []
        )
        if not words or words[0] not in self.context.model.seats:
            return False
        seat = words[0]
        if words[1:2] == ["can"] and isinstance(node, ast.Pattern):
            helps, at = [f"write `then {seat} may …`"], node.words[1].span
            self.context.error("E0311", "what a seat can do is tested with `may`", node, helps, new="may", at=at)
        else:
            helps = [f"write `when {seat}: …` for what a seat does, `then {seat} may …` for what it is allowed to do"]
            self.context.error("E0311", "`then` tests a condition and cannot make a move", node, helps)
        return True

    def _seat(self, seat: str, node: ast.Node) -> None:
        seats = self.context.model.seats
        if seat not in seats:
            proposals = near(seat, seats)
            helps = [] if proposals else [f"the seats are {', '.join(seats)}"]
            message, cause = f"there is no seat `{seat}`", Cause("unknown", seat)
            self.context.error("E0208", message, spelt(node, seat), helps, proposals=proposals, causes=[cause])

    def _seats(self, scene: ast.GivenSeats, first: bool) -> None:
        header = self.context.model.file.header
        count = len(scene.seats) if scene.count is None else scene.count
        if count not in header.counts:
            players = counted_choice(header.counts, "player")
            self.context.error("E0416", f"this game is for {players}", scene)
        for index, seat in enumerate(scene.seats):
            self._seat(seat, scene)
            if seat in scene.seats[:index]:
                self.context.error("E0416", f"`{seat}` is named twice", scene)
        if not first:
            helps = ["make this the first line of the example"]
            self.context.error("E0416", "the players must be given first", scene, helps)

    # ------------------------------------------------------------ givens

    def _given(self, node: ast.Expression, scope: Scope) -> None:
        if isinstance(node, ast.And):
            self._given(node.left, scope)
            self._given(node.right, scope)
            return
        if not (isinstance(node, ast.Compare) and node.operator == "is"):
            left_text = node.left.span.text if isinstance(node, ast.Compare) else "hand[ann]"
            self.context.error("E0417", "expected `… is …` after `given`", node, [f"write `given {left_text} is …`"])
            return
        if isinstance(node.left, ast.Name) and node.left.name == CHANCE_NAME:
            self._given_choice(node, scope)
            return
        counted = isinstance(node.left, ast.Count)
        subject = node.left.operand if isinstance(node.left, ast.Count) else node.left
        type_ = self.typer.infer(subject, scope)
        symbol = self.context.model.refers.get(subject.number)
        if isinstance(symbol, OptionSymbol) and not counted:
            self._given_option(node, symbol, scope)
        elif self._places_given(node, subject, type_, counted, scope):
            pass
        elif isinstance(symbol, ZoneSymbol) or (isinstance(symbol, NoteSymbol | DieSymbol) and not counted):
            errors_before = len(self.context.diagnostics)
            expect_condition(self.typer, node, scope, "after `given`")
            if len(self.context.diagnostics) == errors_before:
                self._given_value(node, symbol, counted, scope)
        elif not isinstance(type_, ty.Unknown):
            message = "expected a zone, a note, an option, a die or the `count` of a zone after `given`"
            turned = [phase.name for phase in self.context.model.phases.values() if phase.declaration.first is not None]
            acting = isinstance(symbol, BuiltinSymbol) and symbol.name in ("player", "me") and turned
            helps = [f"write `when phase {turned[0]} from {node.right.span.text}`"] if acting else []
            helps += self._in_zone(node.left)
            self.context.error("E0417", message, node.left, helps)

    def _given_choice(self, node: ast.Compare, scope: Scope) -> None:
        """Check `given chance is kite`: what chance will choose."""
        for word in node.right.words if isinstance(node.right, ast.Pattern) else (node.right,):
            self.typer.infer(word, scope, ty.UNKNOWN)
        if not any(isinstance(part, ast.Pick | ast.Move) and ast.is_chance(part) for part in self.context.model.nodes):
            helps = ["dice are given by their names, `given cube is 4`; shuffles keep the order of the pieces"]
            self.context.error("E0417", "nothing is chosen `at random` in this game", node.left, helps)

    def _in_zone(self, part: ast.Expression) -> list[str]:
        """Suggest giving the zone instead of some of its pieces: `given top(deck) is …`."""
        zones = [node for node in part.walk() if isinstance(node, ast.Name | ast.Index)
                 and isinstance(self.context.model.refers.get(node.number), ZoneSymbol)]  # fmt: skip
        if not isinstance(part, ast.Call) or not zones:
            return []
        return [f"write `given {zones[0].span.text} is [… , …]`: rows from left to right, stacks from the top"]

    def _places_given(
        self, node: ast.Compare, subject: ast.Expression, type_: ty.Type, counted: bool, scope: Scope
    ) -> bool:
        """Check `given wall is {…}` or `given house of red is {…}`, the filled places; True if it has this form."""
        zone_node = subject.whole if isinstance(subject, ast.Of) else subject
        zone = self.context.model.refers.get(zone_node.number)
        if not isinstance(zone, ZoneSymbol) or not zone.index or not isinstance(zone_node, ast.Name):
            return False
        if isinstance(type_, ty.Unknown):
            return True
        if counted:
            message = "expected the filled places, not their number"
            self.context.error("E0417", message, subject, [f"write `given {subject.span.text} is {{…}}`"])
        pieces = pieces_in(zone.contents)
        several = pieces is not None and (len(pieces.piece_types) > 1 or attributes_of(self.context, pieces))
        if several and not isinstance(subject, ast.Of):
            index = ", ".join("…" for _ in zone.index)
            helps = [
                f"write a line for each place: `given {zone.name}[{index}] is …`",
                f"or for pieces of one kind `given {zone.name} of … is {{…}}`",
            ]
            self.context.error("E0417", f"the pieces of `{zone.name}` are not all alike", subject, helps)
        expect(self.typer, node.right, scope, type_, f"for `{subject.span.text}`", declared(zone))
        return True

    def _given_option(self, node: ast.Compare, option: OptionSymbol, scope: Scope) -> None:
        value = word_of(node.right)
        earlier = self.options.setdefault(option.name, node)
        if self.begun:
            helps = ["give it before the first `when` or `then`, or start another example"]
            self.context.error("E0419", "an option is fixed before the game begins", node, helps)
        elif earlier is not node:
            labels = [Label(earlier.span, "first here")]
            self.context.error("E0419", f"the option `{option.name}` is given twice", node, labels=labels)
        if isinstance(ty.bare(option.type), ty.Unknown):
            return  # its type is reported where it is declared
        if value not in option.values:
            helps = ["values: " + ", ".join(option.values[:20])]
            message, proposals = (
                f"`{value}` is not a value of the option `{option.name}`",
                near(str(value), option.values),
            )
            causes = [declared(option, self.context.model.types.get(node.right.number, ty.UNKNOWN))]
            self.context.error("E0304", message, node.right, helps, proposals=proposals, causes=causes)
        elif value != "random":
            self.typer.infer(node.right, scope, option.type)

    def _shown(self, scene: ast.GivenShown, scope: Scope) -> None:
        """Check `given cube shows 4`: a die and one of its faces."""
        self.typer.infer(scene.die, scope)
        die = self.context.model.refers.get(scene.die.number)
        if isinstance(die, DieSymbol):
            self._face(scene.face, die, ["none"])
        elif not isinstance(self.context.model.types.get(scene.die.number), ty.Unknown):
            helps = [f"write `given {scene.die.span.text} is {scene.face.span.text}`"]
            verb = Span(scene.span.source, scene.die.span.end, scene.face.span.start)
            new = Replacement(verb, " is ")
            self.context.error("E0417", "`shows` is only for dice", scene, helps, new=new)

    def _face(self, node: ast.Expression, die: DieSymbol, more: Sequence[str] = ()) -> None:
        """Check that an expression is one of the faces of a die."""
        faces = list(dict.fromkeys(die.declaration.faces))
        if word_of(node) not in [*faces, *more]:
            helps = [f"faces: {', '.join(faces)}"]
            self.context.error("E0417", f"`{word_of(node)}` is not a face of `{die.name}`", node, helps)

    def _given_value(self, node: ast.Compare, symbol: Symbol, counted: bool, scope: Scope) -> None:
        right = self.context.model.types.get(node.right.number)
        if isinstance(symbol, ZoneSymbol):
            if not isinstance(symbol.contents, ty.Unknown):
                self._given_zone(node, right, counted)
        elif isinstance(symbol, DieSymbol):
            self._face(node.right, symbol)
        elif isinstance(symbol, NoteSymbol) and isinstance(right, ty.ListType):
            self.context.error("E0417", "a note is not a list", node.right, ["write it as a set: `{…}`"])
        elif isinstance(symbol, NoteSymbol) and symbol.type is not None:
            expect(self.typer, node.right, scope, symbol.type, f"for `{symbol.name}`", declared(symbol))

    def _given_zone(self, node: ast.Compare, right: ty.Type | None, counted: bool) -> None:
        """Check that a zone can be set to the given value."""
        if counted or right is None:
            return
        words = isinstance(node.right, ast.Name) and node.right.name in ("empty", "none", "nobody")
        pieces = isinstance(ty.bare(right), ty.PieceType | ty.Contents | ty.Several | ty.Unknown)
        if not (words or pieces or right == ty.KIND or isinstance(right, ty.ListType | ty.Nothing)):
            self.context.error("E0417", f"expected the pieces of the zone, found {right}", node.right)

    # ------------------------------------------------------------ moves

    def _choice(self, choice: ast.Choice, scope: Scope, played: bool) -> None:
        if isinstance(choice, ast.Choosing):
            self._chosen(choice.value, scope)
            return
        if choice.name == "done" and not choice.arguments:
            return
        rule = self.context.model.rules.get(choice.name)
        if rule is None:
            proposals, at = near(choice.name, self.context.model.rules), spelt(choice, choice.name)
            helps = [] if proposals or choice.arguments else declined_helps(choice.name)
            message, cause = f"there is no action or step `{choice.name}`", Cause("unknown", choice.name)
            self.context.error("E0201", message, choice, helps, proposals=proposals, at=at, causes=[cause])
            return
        if not rule.is_action and not played:
            message = f"`{choice.name}` is a step, not an action"
            self.context.error("E0413", message, choice, causes=[declared(rule)])
        check_act(self.typer, choice, scope, "offer" if rule.is_action else "call")

    def _chosen(self, node: ast.Expression, scope: Scope) -> None:
        """Check a chosen value; a piece may be given by its kind."""
        if isinstance(node, ast.Pattern):
            piece_types = frozenset(self.context.model.pieces)
            kind_of(self.typer, node, ty.PieceType(piece_types), scope)
            return
        values = self.context.values.get(node.name, []) if isinstance(node, ast.Name) else []
        unknown = isinstance(node, ast.Name) and not values and node.name not in self.context.globals
        if unknown and (helps := declined_helps(node.span.text)):
            causes = [Cause("unknown", node.span.text)]
            self.context.error("E0201", f"there is no `{node.span.text}`", node, helps, causes=causes)
            return
        if len(values) > 1:
            self.context.model.refers[node.number] = values[0]
            self.context.model.types[node.number] = values[0].type
            return
        type_ = self.typer.infer(node, scope)
        if ty.numeric(type_) or not isinstance(ty.bare(type_), ty.PieceType):
            # `when ann: choose 3` may choose the number 3, or a piece with a 3 on it. Which one is decided where the
            # example runs, by what the pending decision offers.
            self._mark_attribute(node, ty.bare(type_))

    def _mark_attribute(self, node: ast.Expression, type_: ty.Type) -> None:
        """Record the attribute a lone value would stand for, in case the choice is among pieces."""
        for piece in self.context.model.pieces.values():
            for name, attribute in piece.attributes.items():
                core = ty.bare(attribute)
                if core == type_ or ty.overlap(core, type_) or (isinstance(node, ast.Number) and ty.numeric(core)):
                    self.context.model.attribute_of.setdefault(node.number, name)


def all_examples(context: Context) -> None:
    """Check every example of the game and its companion file."""
    checker = ExampleCheck(context)
    memory, model = context.example_memory, context.model
    if memory is None or model.as_written is not model.file or has_errors(context.diagnostics):
        for example in model.examples:
            checker.example(example)
        return
    used = context.used
    recall = Recall(memory, model, used)
    for example in model.examples:
        if not recall.enter(example):
            reported, context.used = len(context.diagnostics), set()
            checker.example(example)
            if len(context.diagnostics) == reported:
                recall.learn(example, context.used)
            used |= context.used
    context.used = used
    recall.keep()
