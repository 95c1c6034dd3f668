"""Checks of calls between rules: no cycles, and where decisions, `me` and citations are allowed."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from dsl import ast
from dsl.checker.context import Context
from dsl.checker.types.piece_kinds import pieces_in
from dsl.checker.types.statements import all_statements
from dsl.diagnostics import Label
from dsl.symbols import (
    BuiltinSymbol,
    DefineSymbol,
    DieSymbol,
    LocalSymbol,
    NoteSymbol,
    OptionSymbol,
    PieceSymbol,
    PositionSymbol,
    Symbol,
    ZoneSymbol,
)


def called(statements: Iterable[ast.Statement]) -> list[ast.Act]:
    """Steps and actions that statements call or offer, in source order."""
    acts: list[ast.Act] = []
    for statement in all_statements(list(statements)):
        if isinstance(statement, ast.Do):
            acts.append(statement.act)
        elif isinstance(statement, ast.Decide):
            acts += statement.offered
    return acts


def asking(context: Context, statements: Iterable[ast.Statement]) -> bool:
    """True if statements ask for a decision, directly or through a step."""
    seen: set[str] = set()
    # Breadth first, each rule once. Recursion would follow shared steps again for each caller: with 20 steps that
    # each call the next one twice, a million times.
    waiting = [*statements]
    while waiting:
        body, waiting = waiting, []
        if any(isinstance(statement, ast.Question) for statement in all_statements(body)):
            return True
        for act in called(body):
            if act.name not in seen and act.name in context.model.rules:
                seen.add(act.name)
                waiting += context.model.rules[act.name].declaration.body
    return False


def asking_interrupts(context: Context, statements: Iterable[ast.Statement]) -> list[Label]:
    """Labels for the interrupts among statements that ask for a decision, in their headings."""
    return [
        Label(statement.span, f"`{statement.act.name}` interrupts it, and asks")
        for statement in statements
        if isinstance(statement, ast.Do) and statement.act.number in context.model.unwritten
        if asking(context, [statement])
    ]


def cycles(context: Context) -> None:
    """Report cycles of steps and actions: without them, every rule terminates."""
    rules = context.model.rules
    # An action called like a step was reported (E0412); a cycle through that call would be a second report of one
    # mistake.
    misused = {diagnostic.span for diagnostic in context.diagnostics if diagnostic.code == "E0412"}
    # A depth-first search with three colours: absent, 1 while its calls are followed, 2 when done. A call of a rule
    # in state 1 closes a cycle; one in state 2 is known to end.
    state: dict[str, int] = {}

    def visit(name: str, path: list[str], acts: list[ast.Act]) -> None:
        state[name] = 1
        for act in called(rules[name].declaration.body):
            if act.name not in rules or act.span in misused:
                continue
            if state.get(act.name) == 1:
                cycle = " → ".join(f"`{step}`" for step in [*path[path.index(act.name) :], act.name])
                helps = ["repeat with `up to N times while …:`"]
                interrupting = [caller for caller in (*acts, act) if caller.number in context.model.unwritten]
                if interrupting:
                    helps = [
                        "what an interrupt does cannot be interrupted by it: put everything else that does it into "
                        "another step, and name that one after `before` or `after`"
                    ]
                elif any(rules[step].declaration.clause for step in path):
                    helps = ["note what is to be done next, and do it in a loop around both: `up to N times while …:`"]
                # Clauses were expanded to rules that nobody wrote: the report points at the last call in the cycle
                # that stands in the text.
                written = [
                    caller for step, caller in zip(path, [*acts, act], strict=True)
                    if rules[step].declaration.number not in context.model.unwritten
                ]  # fmt: skip
                at = (interrupting or written)[-1]
                context.error("E0414", f"these rules call each other in a cycle: {cycle}", at, helps)
            elif act.name not in state:
                visit(act.name, [*path, act.name], [*acts, act])
        state[name] = 2

    for name in rules:
        if name not in state:
            visit(name, [name], [])


def citations(context: Context) -> None:
    """Report citations that are missing from the game's list of items, if it has one."""
    items = context.model.items
    if items is None:
        return
    for node in (*context.model.nodes, *context.model.example_nodes):
        for cite in getattr(node, "cites", ()):
            if cite not in items:
                helps = ["look it up in the game's `.items` file, or add it there"]
                context.error("E0502", f"there is no rulebook item `{cite}`", node, helps)


def me_without_acting_seat(context: Context) -> None:
    """Report `me` where no seat is acting, and initial values that depend on anything that changes."""
    model = context.model
    for zone in model.zones.values():
        for sight in zone.declaration.sights:
            _report_me(context, sight.viewers, _seat_advice(zone.declaration), zone.declaration.index)
    for note in model.notes.values():
        for sight in note.declaration.sights:
            _report_me(context, sight.viewers, _seat_advice(note.declaration), note.declaration.index)
        first = f"name a seat, such as `{model.seats[0]}`, or start with `nobody`"
        _report_me(context, note.declaration.first, _seat_advice(note.declaration) if note.declaration.index else first)
    steps: set[str] = set()
    for statement in model.setup:
        _report_me_in_setup(context, statement, steps)
    for piece in model.pieces.values():
        _fixed(context, piece.declaration.amount, "the number of pieces")
        if piece.declaration.home is not None:
            _fixed_index(context, piece.declaration.home)


def _seat_advice(node: ast.Zone | ast.Note) -> str:
    """Suggest how to name the seats that see a zone or note."""
    if node.index:
        return f"name the seat by the index of the {node.kind}"
    return f"for one per seat write `{node.name}[p: Player]`, `seen by p`; otherwise `all`, `nobody` or a seat"


def _report_me_in_setup(context: Context, node: ast.Node, steps: set[str]) -> None:
    """Report `me` in the setup except inside `each player`; follows each step once (`steps` are those followed)."""
    if isinstance(node, ast.Question):
        return
    if isinstance(node, ast.Name):
        _report_me(context, node, "name the seat instead: `for each p in Player: … hand[p]`")
    if isinstance(node, ast.Do) and node.act.name in context.model.rules and node.act.name not in steps:
        steps.add(node.act.name)
        for step_statement in context.model.rules[node.act.name].declaration.body:
            _report_me_in_setup(context, step_statement, steps)
    acting = (*node.body, node.where) if isinstance(node, ast.EachPlayer) else ()
    for child in node.children():
        if not any(child is statement for statement in acting):
            _report_me_in_setup(context, child, steps)


def _report_me(context: Context, node: ast.Expression, advice: str, index: tuple[ast.Parameter, ...] = ()) -> None:
    """Report `me`, here or in a definition that is called here."""
    for name, symbol in _referents(context, node):
        if isinstance(symbol, BuiltinSymbol) and symbol.name == "me":
            # `zone hand[p: Player] seen by me` is nearly always meant as `seen by p`: where `me` is the whole list of
            # viewers and there is one index, that can be corrected.
            in_own_index = len(index) == 1 and name.span == node.span
            new = index[0].name if in_own_index else None
            helps = [f"{advice}: `seen by {new}`" if new else advice]
            context.error("E0415", "`me` has no meaning here: no seat is acting", name, helps, new=new)
            return


def _referents(context: Context, node: ast.Expression) -> Iterator[tuple[ast.Node, object]]:
    """The symbol of every name in an expression, following definitions; each with the node here that leads to it."""
    waiting: list[tuple[ast.Node, ast.Node | None]] = [(node, None)]
    seen: set[str] = set()
    while waiting:
        root, origin = waiting.pop()
        for part in root.walk():
            symbol = context.model.refers.get(part.number)
            if symbol is None or isinstance(symbol, LocalSymbol):
                continue
            # `origin` is the name in the expression itself: a definition that reads `me` three calls deep is reported
            # where the expression uses the first of them.
            yield origin or part, symbol
            if isinstance(symbol, DefineSymbol | PositionSymbol) and symbol.name not in seen:
                seen.add(symbol.name)
                waiting.append((symbol.declaration, origin or part))


def _fixed(context: Context, node: ast.Expression, what: str) -> None:
    """Report a number of pieces or a home that depends on anything but types, tables and options."""
    for name, symbol in _referents(context, node):
        # The pieces are laid out before the first state exists, and for all games with the same options alike: hence
        # no zones or notes, and no options that chance decides.
        changing = isinstance(symbol, ZoneSymbol | NoteSymbol | DieSymbol | PieceSymbol | PositionSymbol)
        chance = isinstance(symbol, OptionSymbol) and symbol.by_chance
        if changing or chance or (isinstance(symbol, BuiltinSymbol) and symbol.name == "me"):
            assert isinstance(symbol, Symbol)
            through = isinstance(context.model.refers.get(name.number), DefineSymbol)
            reason = f"depends on `{symbol.name}`" if through else "is not"
            context.error(
                "E0341",
                f"{what} must be known before the game begins, but `{name.span.text}` {reason}",
                name,
                ["use columns of a table, `by players`, an option, or a definition that reads only these"],
            )
            return


def _fixed_index(context: Context, node: ast.Expression) -> None:
    for argument in node.arguments if isinstance(node, ast.Index) else ():
        _fixed(context, argument, "the place where the pieces begin")


# ---------------- the side effects of statements: the zones, notes, dice and names they may change


class Changes:
    """Computes what statements may change; each statement and each rule is read once."""

    def __init__(self, context: Context) -> None:
        self.context = context
        self.rules: dict[str, frozenset[Symbol]] = {}
        self.changed_by: dict[int, frozenset[Symbol]] = {}
        self.reactions = self._within(when.declaration.body for when in context.model.whens)

    def by(self, statements: Iterable[ast.Statement]) -> frozenset[object]:
        """Everything that may have changed after these statements, including through reactions."""
        changed = self._within([statements])
        # A reaction is tested after each change. Which reaction a change triggers is not asked: what any of them
        # changes counts, and a statement that changes nothing triggers none.
        return changed | self.reactions if changed else changed

    def _within(self, blocks: Iterable[Iterable[ast.Statement]]) -> frozenset[Symbol]:
        return frozenset().union(*(self._statement(statement) for block in blocks for statement in block))

    def _statement(self, statement: ast.Statement) -> frozenset[Symbol]:
        if statement.number not in self.changed_by:
            # Statements are numbered, and rules do not change while they are checked: a body is asked about in every
            # traversal of a rule that contains it.
            self.changed_by[statement.number] = frozenset().union(*map(self._at, statement.walk()))
        return self.changed_by[statement.number]

    def _at(self, node: ast.Node) -> frozenset[Symbol]:
        refers = self.context.model.refers
        match node:
            case _ if isinstance(node, ast.Moving):
                return self._moved(node)
            case ast.Act():
                return self._rule(node.name)
            case _ if isinstance(node, ast.Statement):
                return frozenset(filter(None, [refers.get(target.number) for target in ast.targets(node)]))
            case _:
                return frozenset()

    def _rule(self, name: str) -> frozenset[Symbol]:
        if name not in self.rules:
            # INVARIANT: rules do not call themselves, but they may where `cycles` has reported it. The empty set ends
            # such a recursion; each rule of the cycle is still read once.
            self.rules[name] = frozenset()
            self.rules[name] = self._within([self.context.model.rules[name].declaration.body])
        return self.rules[name]

    def _moved(self, node: ast.Moving) -> frozenset[Symbol]:
        """The zone that pieces move to, and those they can come from."""
        model = self.context.model
        source = node.source if node.source is not None else node.what
        zone = model.refers.get(source.number)
        zones = set(filter(None, [model.refers.get(node.target.number)]))
        # Only a zone named as a whole, `deck` or `hand[p]`, is certainly the only source. The pieces of any other
        # expression may come from every zone that can hold their type.
        if isinstance(zone, ZoneSymbol) and not isinstance(source, ast.Name | ast.Index):
            zone = None
        if isinstance(zone, ZoneSymbol):
            return frozenset({*zones, zone})
        type_ = model.types.get(source.number)
        pieces = pieces_in(type_) if type_ is not None else None
        for candidate in model.zones.values():
            if pieces is None or not pieces.piece_types.isdisjoint(held.name for held in candidate.declaration.holds):
                zones.add(candidate)
        return frozenset(zones)
