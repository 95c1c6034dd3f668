"""Effects that depend on the declared order of pieces although not every seat sees these pieces.

Pieces in a heap or a set are unordered. Where the rules need an order all the same (to take two of them, to lay them in
a row, to iterate over them) it is the declared order. No seat chose it, and it reveals what the pieces are.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from dsl import ast
from dsl.checker.context import Context
from dsl.checker.information_flow.choices import KEEP_A_STACK, WHO_SEES, pieces_of, seen_at, stays_in_order
from dsl.checker.information_flow.facts import Env, SecretSource, kept_secret
from dsl.checker.information_flow.interference import interference
from dsl.checker.information_flow.taint import Taint
from dsl.checker.logic.terms import ELEMENT, Term
from dsl.diagnostics import Label
from dsl.symbols import LocalSymbol, ZoneSymbol
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
    helps = [KEEP_A_STACK, "or let a seat choose them: `must choose c from …`"]
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
