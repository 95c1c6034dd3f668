"""Effects that depend on the declared order of pieces although not every seat sees these pieces.

Pieces in a heap or a set are unordered. Where the rules need an order all the same (to take two of them, to lay them in
a row, to iterate over them) it is the declared order. No seat chose it, and it reveals what the pieces are.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import field
from typing import assert_never

from dsl import ast
from dsl.checker.context import Context
from dsl.checker.information_flow.choices import LET_CHANCE_CHOOSE, WHO_SEES, pieces_of, seen_at, stays_in_order
from dsl.checker.information_flow.facts import Env, SecretSource, kept_secret
from dsl.checker.information_flow.taint import Taint
from dsl.checker.logic.terms import ELEMENT, Term
from dsl.checker.types.piece_kinds import pieces_in
from dsl.diagnostics import Label
from dsl.lazy_dataclasses import dataclass
from dsl.symbols import DefineSymbol, LocalSymbol, NoteSymbol, PositionSymbol, RuleSymbol, Symbol, ZoneSymbol
from dsl.types import Contents, PieceType, bare

ORDERED = ("row", "stack")
IN_ROUNDS = "or let a seat choose the order: `up to N times: must choose c from …`"
ONLY_ONE = "or, if there can be only one piece, move `the c in …`"
IDENTIFIES = "which might tell those who do not see them what they are"
ONE_ROW = "move them to a `row`, shuffle it and loop over the row: its order is random, and everyone sees it"


def shuffled_later(context: Context) -> frozenset[int]:
    """Numbers of the moves to a zone that is shuffled later in the same block, before the next decision."""
    move_numbers: set[int] = set()
    model = context.model
    blocks: list[Sequence[ast.Statement]] = [model.setup]
    blocks += [node.body for node in model.nodes if isinstance(node, ast.Phase | ast.Step | ast.Action | ast.When)]
    for block in blocks:
        _shuffled(block, frozenset(), move_numbers)
    return frozenset(move_numbers)


def _shuffled(block: Sequence[ast.Statement], later: frozenset[str], move_numbers: set[int]) -> None:
    for node in reversed(block):
        match node:
            case ast.Shuffle():
                # Compared as text: `deck` is shuffled later only if the same place is, and after a decision it is too
                # late, since the seat has seen the order by then.
                later |= {node.target.span.text}
            case ast.Decide() | ast.Choose():
                for nested_block in ast.blocks(node):
                    _shuffled(nested_block, later, move_numbers)
                later = frozenset()
            case ast.Move() if node.target.span.text in later:
                move_numbers.add(node.number)
            case _:
                for nested_block in ast.blocks(node):
                    _shuffled(nested_block, later, move_numbers)
        # INVARIANT: `later` holds the places that are shuffled after this statement with all pieces that it puts there.
        later -= {place.span.text for place in ast.left(node)}  # which is shuffled without these pieces


def order_of_move(taint: Taint, node: ast.Move, env: Env, shuffled: frozenset[int]) -> None:
    """Warn of a move that takes the first of unseen pieces, or lays several of them down in their declared order."""
    if node.source is not None:
        if not node.at_random:
            _taken(taint, node, node.source, env)
        return
    context = taint.context
    type_ = context.model.types.get(node.what.number)
    several = type_ is not None and not isinstance(bare(type_), PieceType)
    single = isinstance(type_, Contents) and type_.shape == "one"
    pieces = pieces_of(type_) if several and not single else None
    if pieces is None or node.number in shuffled or not keeps_an_order(taint, node, env):
        return
    # All pieces of one row keep the order they have, which everyone has seen; so do those of a stack.
    sources = taint.value(node.what, env).sources
    if not stays_in_order(taint, node.what) and not _one_row(sources):
        message = f"this lays pieces of `{{zone}}` down in declared order, {IDENTIFIES}"
        text = node.target.span.text
        _report(
            taint,
            "E0611",
            node.what,
            sources,
            pieces,
            env,
            message,
            [f"shuffle them next: `shuffle {text}`", IN_ROUNDS, ONLY_ONE],
        )


def _taken(taint: Taint, node: ast.Move, source: ast.Expression, env: Env) -> None:
    """Check taking a number of pieces from a heap."""
    type_ = taint.context.model.types.get(source.number)
    pieces = pieces_of(type_)
    if pieces is None or (isinstance(type_, Contents) and type_.shape != "heap"):
        return
    kind = node.what.part if isinstance(node.what, ast.Of) else node.what
    words = kind.words if isinstance(kind, ast.Pattern) else [kind]
    named = {taint.context.model.attribute_of.get(word.number) for word in words}
    message = (
        "this takes the first declared pieces of `{zone}`, which might tell those who do not see them what is left"
    )
    helps = [LET_CHANCE_CHOOSE, "or let a seat choose them: `must choose c from …`"]
    sources = taint.value(source, env).sources
    _report(taint, "E0610", source, sources, pieces, env, message, helps, named)


def order_of_loop(taint: Taint, node: ast.ForEach, env: Env, shuffled: frozenset[int]) -> None:
    """Warn of a loop over pieces not visible to all if it matters which of them comes first."""
    context = taint.context
    for binder in node.binders:
        pieces = pieces_of(context.model.types.get(binder.domain.number))
        symbol = context.model.refers.get(binder.number)
        if pieces is None or not isinstance(symbol, LocalSymbol) or stays_in_order(taint, binder.domain):
            continue
        sources = env.names[symbol].sources
        if _one_row(sources):
            continue
        where = interference(
            context, node, lambda move: move.number not in shuffled and keeps_an_order(taint, move, env)
        )
        if where is not None:
            message = f"this loop depends on the declared order of pieces in `{{zone}}`, {IDENTIFIES}"
            labels = [Label(where.span, "the order of the iterations matters here")]
            _report(
                taint, "E0612", binder.domain, sources, pieces, env, message, [ONE_ROW], (), labels, env.term(symbol)
            )


def keeps_an_order(taint: Taint, node: ast.Move, env: Env) -> bool:
    """True if a move puts pieces into an order that is not fully visible to all."""
    zone = taint.context.model.refers.get(node.target.number)
    if not isinstance(zone, ZoneSymbol) or zone.declaration.shape not in ORDERED:
        return False
    piece_types = PieceType(frozenset(held.name for held in zone.declaration.holds))
    return any(
        sight.all != "seen"
        for source in taint.value(node.target, env).sources
        for sight in seen_at(taint, source, piece_types, env).values()
    )


def _one_row(sources: Iterable[SecretSource]) -> bool:
    """True if all the pieces lie in a single row or stack, and so are ordered."""
    sources = list(sources)
    return len(sources) == 1 and sources[0].zone.declaration.shape in ORDERED and "every" not in sources[0].index


def _report(
    taint: Taint,
    code: str,
    node: ast.Node,
    sources: Iterable[SecretSource],
    pieces: PieceType,
    env: Env,
    message: str,
    helps: list[str],
    named: Iterable[str | None] = (),
    labels: Sequence[Label] = (),
    piece: Term = ELEMENT,
) -> None:
    """Warn of the zone whose pieces are least visible; no warning if all see every attribute not in `named`."""
    zones_by_certainty: list[tuple[bool, ZoneSymbol]] = []
    for source in sorted(sources, key=lambda source: (source.zone.name, source.index)):
        sights = seen_at(taint, source, pieces, env, piece)
        hidden = [sight.all for name, sight in sights.items() if name not in named and sight.all != "seen"]
        if hidden:
            zones_by_certainty.append(("unseen" in hidden, source.zone))
    if not zones_by_certainty:
        return
    _, zone = max(zones_by_certainty, key=lambda certain_and_zone: certain_and_zone[0])
    text = message.format(zone=zone.name)
    visibility_labels = [Label(sight.span, WHO_SEES) for sight in zone.declaration.sights[:1]]
    taint.context.error(code, text, node, helps, [*labels, *visibility_labels], "warning", causes=kept_secret(zone))


# ---------------- interference between the iterations of a loop: whether their order could matter
# An iteration may change what has its own value in the index (`set mark[c] to 1`), may add to a number and may put
# things into a set or a heap; then every order has the same result. Anything else counts as interference: a value
# that the last iteration leaves behind, a row that is laid piece by piece, a condition that reads what other
# iterations change.
#
# Why it matters: a loop over a hand that not all see runs in the order in which the pieces were declared, as there is
# no other. `for each c in hand[p]: move c to row` then shows the others which of the hidden pieces was declared
# first.
#
# The effects of one iteration are collected symbolically, with the names that differ from one iteration to the next
# (`turning`); then two iterations interfere if one reads what both share, or if the last of them leaves a value.
# Where it may fail: it sees neither steps nested deeper than `MAX_STEP_DEPTH` nor the actions that a loop offers,
# which `decisions_in_loop` reports.


MAX_STEP_DEPTH = 4
"""Maximum depth to which nested steps are examined."""


@dataclass
class _Effects:
    """Effects of one iteration: the notes and zones it shares with others, its reads, and what the last one leaves."""

    shared: dict[Symbol, ast.Node] = field(default_factory=dict)
    read: list[tuple[Symbol, ast.Node]] = field(default_factory=list)
    set: dict[Symbol, list[ast.SetTo]] = field(default_factory=dict)
    last: list[ast.Node] = field(default_factory=list)


def interference(context: Context, loop: ast.ForEach, keeps_an_order: Callable[[ast.Move], bool]) -> ast.Node | None:
    """Find the node in a loop body that makes the order of iterations matter; None if there is none.

    An iteration of a loop `at once` reads nothing that another one changes.

    `keeps_an_order` tells whether a move puts pieces into an order that reveals something.
    """
    turning = frozenset(
        symbol
        for symbol in (context.model.refers.get(binder.number) for binder in loop.binders)
        if isinstance(symbol, LocalSymbol)
    )
    rounds = _Rounds(context, keeps_an_order)
    rounds.statements(loop.body, turning, 0)
    effects = rounds.effects
    interfering = [node for symbol, node in effects.read if symbol in effects.shared and not loop.at_once]
    interfering += effects.last
    for statements in effects.set.values():
        if len({statement.value.span.text for statement in statements}) > 1:
            interfering.append(statements[-1])
    return min(interfering, key=lambda node: node.span.start) if interfering else None


class _Rounds:
    """Collects the effects of an iteration; `turning` are the names whose values differ from one to the next."""

    def __init__(self, context: Context, keeps_an_order: Callable[[ast.Move], bool]) -> None:
        self.context, self.refers, self.keeps_an_order = context, context.model.refers, keeps_an_order
        self.effects = _Effects()

    def statements(self, body: Sequence[ast.Statement], turning: frozenset[Symbol], depth: int) -> None:
        """Collect from statements, including nested ones and those of steps."""
        for node in body:
            match node:
                case ast.Move():
                    self._move(node, turning)
                case ast.SetTo() | ast.Add() | ast.Remove():
                    self._write(node, turning)
                case ast.Record():
                    symbol = self.refers.get(node.target.number)
                    if isinstance(symbol, PositionSymbol):
                        self.effects.shared.setdefault(symbol, node)
                        self.effects.read += [(read, node) for read in self._of_declaration(symbol, set())]
                case ast.Let():
                    self._reads(node.value, turning)
                    turning |= self._if_turning(node, [node.value], turning)
                case ast.If():
                    self._reads(node.condition, turning)
                    self.statements(node.then, turning, depth)
                    self.statements(node.otherwise, turning, depth)
                case ast.ForEach():
                    nested_turning = turning
                    for binder in node.binders:
                        self._reads(binder.domain, nested_turning)
                        nested_turning |= self._if_turning(binder, [binder.domain], nested_turning)
                    if node.where is not None:
                        self._reads(node.where, nested_turning)
                    self.statements(node.body, nested_turning, depth)
                case ast.EachPlayer():
                    for part in (*node.course, node.where):
                        if part is not None:
                            self._reads(part, turning)
                    self.statements(node.body, turning, depth)
                case ast.Repeat():
                    for part in (node.bound.times, node.bound.condition):
                        if part is not None:
                            self._reads(part, turning)
                    self.statements(node.body, turning, depth)
                case ast.Do():
                    if depth < MAX_STEP_DEPTH:
                        self._step(node.act, turning, depth)
                case ast.Tell():  # the order of what is told in a loop over hidden pieces is not shown
                    for told in (node.seat, *node.text.parts):
                        if told is not None and not isinstance(told, str):
                            self._reads(told, turning)
                case ast.Shuffle() | ast.Roll() | ast.Pick() | ast.Decide() | ast.Choose() | ast.EndGame():
                    pass
                case _ as never:
                    assert_never(never)

    def _step(self, act: ast.Act, turning: frozenset[Symbol], depth: int) -> None:
        for argument in act.arguments:
            self._reads(argument, turning)
        rule = self.context.model.rules.get(act.name)
        if isinstance(rule, RuleSymbol):
            turning_parameters: frozenset[Symbol] = frozenset(
                parameter
                for parameter, argument in zip(rule.parameters, act.arguments, strict=False)
                if self._is_turning(argument, turning)
            )
            for let in ast.lets_at_head(rule.declaration):
                turning_parameters |= self._if_turning(let, [let.value], turning_parameters)
            for require in rule.declaration.requires:
                self._reads(require.condition, turning_parameters)
            self.statements(rule.declaration.body, turning | turning_parameters, depth + 1)

    def _if_turning(
        self, node: ast.Node, values: Iterable[ast.Expression], turning: frozenset[Symbol]
    ) -> frozenset[Symbol]:
        symbol = self.refers.get(node.number)
        differs = any(self._is_turning(value, turning) for value in values)
        return frozenset({symbol}) if symbol is not None and differs else frozenset()

    def _is_turning(self, node: ast.Expression, turning: frozenset[Symbol]) -> bool:
        """True if a value can differ from iteration to iteration."""
        return any(self.refers.get(part.number) in turning for part in node.walk())

    def _own(self, node: ast.Node, turning: frozenset[Symbol]) -> bool:
        """True if a note or zone belongs to this iteration: its index contains a name of the iteration."""
        return isinstance(node, ast.Index) and any(
            isinstance(argument, ast.Name) and self.refers.get(argument.number) in turning
            for argument in node.arguments
        )

    # ------------------------------------------------------------ changes

    def _write(self, node: ast.Assignment, turning: frozenset[Symbol]) -> None:
        self._reads(node.value, turning)
        for argument in getattr(node.target, "arguments", ()):
            self._reads(argument, turning)
        symbol = self.refers.get(node.target.number)
        if symbol is None or self._own(node.target, turning):
            return
        self.effects.shared.setdefault(symbol, node)
        # Adding is the same in any order; of several values that are set, the last one stays.
        if isinstance(node, ast.SetTo):
            if self._is_turning(node.value, turning) or self._is_turning_index(node.target, turning):
                self.effects.last.append(node)
            else:
                self.effects.set.setdefault(symbol, []).append(node)

    def _is_turning_index(self, node: ast.Node, turning: frozenset[Symbol]) -> bool:
        return any(self._is_turning(argument, turning) for argument in getattr(node, "arguments", ()))

    def _move(self, node: ast.Move, turning: frozenset[Symbol]) -> None:
        self._reads(node.what, turning)
        own_target = self._own(node.target, turning)
        if self.keeps_an_order(node) and not own_target and self._is_turning(node.what, turning):
            self.effects.last.append(node)
        target = self.refers.get(node.target.number)
        if target is not None and not own_target:
            self.effects.shared.setdefault(target, node)
        # A piece named by the loop may come from any zone that holds its kind: each of them is changed.
        if node.source is None:
            for zone in self._homes(node.what):
                self.effects.shared.setdefault(zone, node)
        elif not self._own(node.source, turning):
            zone_from = self.refers.get(node.source.number)
            if isinstance(zone_from, ZoneSymbol):
                self.effects.last.append(node)  # other pieces in each iteration, perhaps none in the last

    def _homes(self, what: ast.Expression) -> Iterator[ZoneSymbol]:
        """Zones that moved pieces can come from."""
        type_ = self.context.model.types.get(what.number)
        pieces = pieces_in(type_) if type_ is not None else None
        for zone in self.context.model.zones.values():
            if pieces is None or not pieces.piece_types.isdisjoint(held.name for held in zone.declaration.holds):
                yield zone

    # ------------------------------------------------------------ reads

    def _reads(self, node: ast.Expression, turning: frozenset[Symbol]) -> None:
        """Record everything an expression reads that other iterations may change."""
        match node:
            case ast.Compare(operator="is in" | "is not in", left=ast.Name() as piece):
                if self.refers.get(piece.number) in turning:
                    return  # only this iteration moves its own piece
            case _:
                pass
        if not self._own(node, turning):
            symbol = self.refers.get(node.number)
            if isinstance(symbol, NoteSymbol | ZoneSymbol):
                self.effects.read.append((symbol, node))
            elif isinstance(symbol, DefineSymbol):
                self.effects.read += [(symbol_read, node) for symbol_read in self._of_declaration(symbol, set())]
            elif isinstance(symbol, PositionSymbol):
                read = (symbol, *self._of_declaration(symbol, set()))
                self.effects.read += [(symbol_read, node) for symbol_read in read]
        for child in node.children():
            self._reads(child, turning)  # type: ignore[arg-type]  # children of expressions are expressions

    def _of_declaration(self, symbol: DefineSymbol | PositionSymbol, seen: set[Symbol]) -> Iterator[Symbol]:
        """Notes and zones that a definition or position reads; those indexed by its parameters are the iteration's own.

        How often a position has been recorded is read where a definition asks for it.
        """
        seen.add(symbol)
        own_parameters = frozenset[Symbol](symbol.parameters if isinstance(symbol, DefineSymbol) else ())
        for part in symbol.declaration.walk():
            referenced = self.refers.get(part.number)
            if isinstance(referenced, NoteSymbol | ZoneSymbol) and not self._own(part, own_parameters):
                yield referenced
            elif isinstance(referenced, DefineSymbol | PositionSymbol) and referenced not in seen:
                if isinstance(referenced, PositionSymbol):
                    yield referenced
                yield from self._of_declaration(referenced, seen)
