"""Examples: seats, givens, moves and claims name what is there."""

from __future__ import annotations

from dsl import ast
from dsl.check.bodies import Bodies
from dsl.check.context import Scope, suggest
from dsl.symbols import DieSymbol, NoteSymbol, OptionSymbol, ZoneSymbol
from dsl.types import KIND, PieceType, bare, numeric


class ExampleCheck(Bodies):
    """Checks examples with the names that only examples know (`over`, `winners`, `moves`, `player`)."""

    def example(self, node: ast.Example) -> None:
        """One example, scene after scene."""
        self.in_example = True
        scope = Scope(self.context)
        seats = set(self.context.model.seats)
        for scene in node.scenes:
            match scene:
                case ast.GivenSeats():
                    self._seats(scene)
                case ast.Given():
                    self._given(scene.condition, scope)
                case ast.Played() | ast.ThenMay() | ast.ThenMayNot():
                    if scene.seat not in seats:
                        self.context.error(
                            "E0208", f"there is no seat `{scene.seat}`", scene, suggest(scene.seat, seats)
                        )
                    choices = scene.choices if isinstance(scene, ast.ThenMay) else (scene.choice,)
                    for choice in choices:
                        self._choice(choice, scope)
                case ast.Begun():
                    known = [*self.context.model.phases, "setup"]
                    if scene.phase not in known:
                        self.context.error(
                            "E0209", f"there is no phase `{scene.phase}`", scene, suggest(scene.phase, known)
                        )
                case ast.Then():
                    self.truth(scene.condition, scope, "what stands after `then`")
        self.in_example = False

    def _seats(self, scene: ast.GivenSeats) -> None:
        header = self.context.model.file.header
        count = len(scene.seats) if scene.count is None else scene.count
        if not header.fewest <= count <= header.most:
            self.context.error("E0416", f"this game is for {header.fewest} to {header.most} players", scene)
        for seat in scene.seats:
            if seat not in header.seats:
                self.context.error("E0208", f"there is no seat `{seat}`", scene, suggest(seat, header.seats))

    def _given(self, node: ast.Expression, scope: Scope) -> None:
        if isinstance(node, ast.And):
            self._given(node.left, scope)
            self._given(node.right, scope)
            return
        if not (isinstance(node, ast.Compare) and node.operator == "is"):
            self.context.error("E0417", "a `given` says what something is: `given hand[ann] is [king]`", node)
            return
        self.truth(node, scope, "a `given`")
        left = node.left.operand if isinstance(node.left, ast.Count) else node.left
        meant = self.context.model.refers.get(left.number)
        if not isinstance(meant, ZoneSymbol | NoteSymbol | OptionSymbol | DieSymbol):
            self.context.error("E0417", "given can be a zone, a note, an option, a die or `count` of a zone", node.left)

    def _choice(self, choice: ast.Choice, scope: Scope) -> None:
        if isinstance(choice, ast.Choosing):
            self._chosen(choice.value, scope)
            return
        if choice.name == "done" and not choice.arguments:
            return
        rule = self.context.model.rules.get(choice.name)
        if rule is None:
            self.context.error(
                "E0201",
                f"there is no action or step `{choice.name}`",
                choice,
                suggest(choice.name, self.context.model.rules),
            )
            return
        self._act(choice, scope, step=not rule.is_action)

    def _chosen(self, node: ast.Expression, scope: Scope) -> None:
        """A chosen value: any value, or a piece by its kind."""
        if isinstance(node, ast.Pattern):
            self._kind_of_any(node.words, scope)
            self.context.model.types[node.number] = KIND
        elif (
            isinstance(node, ast.Name) and node.name in self.context.values and len(self.context.values[node.name]) > 1
        ):
            value = self.context.values[node.name][0]
            self.context.model.refers[node.number] = value
            self.context.model.types[node.number] = value.type
        else:
            type_ = self.infer(node, scope)
            if numeric(type_) or not isinstance(bare(type_), PieceType):
                self._mark_attribute(node, bare(type_))

    def _kind_of_any(self, words: tuple[ast.Name, ...], scope: Scope) -> None:
        for word in words:
            for piece in self.context.model.pieces.values():
                for name, type_ in piece.attributes.items():
                    symbol = self.context.model.type_symbols.get(getattr(bare(type_), "name", ""))
                    if symbol is not None and word.name in symbol.members:
                        self.infer(word, scope, type_)
                        self.context.model.attribute_of[word.number] = name
            if word.number not in self.context.model.attribute_of:
                self.context.error("E0322", f"`{word.name}` is no value of an attribute of a piece", word)

    def _mark_attribute(self, node: ast.Expression, type_: object) -> None:
        """Note the attribute a lone value would stand for, should pieces be what is chosen."""
        for piece in self.context.model.pieces.values():
            for name, attribute in piece.attributes.items():
                core = bare(attribute)
                if core == type_ or (isinstance(node, ast.Number) and numeric(core)):
                    self.context.model.attribute_of.setdefault(node.number, name)


def all_examples(bodies: Bodies) -> None:
    """Check every example of the game and its companion file."""
    checker = ExampleCheck(bodies.context)
    for example in bodies.context.model.examples:
        checker.example(example)
