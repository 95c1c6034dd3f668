"""Choices among pieces: the chooser must see what there is to choose from.

Equal pieces are offered once, and a move is named after what is seen of its piece. If the acting seat does not see the
pieces, the number of moves would reveal how many kinds there are, and their order which is which.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from dsl import ast
from dsl.checker.flow.calls import asking
from dsl.checker.information_flow.facts import Env, Known, SecretSource, Seen, Sight, kept_secret
from dsl.checker.information_flow.taint import Taint
from dsl.checker.logic.terms import ELEMENT, Term
from dsl.checker.types.sets import taken_from
from dsl.checker.types.type_declarations import NOTHING_WORDS
from dsl.diagnostics import Label, Severity
from dsl.symbols import LocalSymbol, ZoneSymbol
from dsl.types import Contents, PieceType, Several, Type, bare, element_of

LET_CHANCE_CHOOSE = "let chance choose unseen pieces: `move 1 at random from …` or `choose c at random from …`"
LET_IT_SEE = "let the acting seat see them: `seen by …`"
CHOOSE_INSTEAD = "let the seat choose the pieces itself, `up to N times: may choose …`, or keep them in a `row`"
WHO_SEES = "this declares who sees them"
OFFER_WHAT_IS_SEEN = "or make an attribute that it sees the parameter, and let the rules pick the piece"
KEEP_A_ROW = "or keep them in a `row`: everyone sees its places, so pieces can be chosen unseen"
ASK_IN_A_ROW = "keep them in a `row`: everyone sees its order"


def choice_among_pieces(taint: Taint, node: ast.Parameter | ast.Choose, domain_facts: Known, env: Env) -> None:
    """Check what the acting seat chooses from; `env` holds what is known of the piece it chooses."""
    model = taint.context.model
    symbol = model.refers.get(node.number)
    if not isinstance(symbol, LocalSymbol):
        return
    pieces = pieces_of(model.types.get(node.domain.number) if node.domain is not None else Several(symbol.type))
    if pieces is None or (node.domain is not None and stays_in_order(taint, taken_from(node.domain))):
        return
    # Sorted, as the sources are a set: a diagnostic must not depend on the order of hashes.
    sources = sorted(
        domain_facts.sources or _anywhere(taint, pieces), key=lambda source: (source.zone.name, source.index)
    )
    unseen = [(source.zone, _unseen(taint, symbol, source, pieces, env)) for source in sources]
    # In a row or stack everyone sees the places, so one can be chosen unseen; a heap offers pieces by what they are.
    loose = [(zone, names) for zone, names in unseen if names and zone.declaration.shape in ("heap", "one")]
    # Without sources, the pieces may lie anywhere. Then a report would blame a zone that the rules may never choose
    # from; it is only marked in `unsure_choices`, and lowering asks at run time what the seat sees.
    if loose and domain_facts.sources:
        _report(taint, node, *min(loose, key=_how_sure))
    if any(names for _, names in unseen):
        model.unsure_choices.add(node.number)
        if node.domain is not None:
            model.unsure_choices.add(taken_from(node.domain).number)


def decisions_in_loop(taint: Taint, node: ast.ForEach, env: Env) -> None:
    """Report a loop over pieces not visible to all that asks for a decision about each, in their declared order."""
    # A loop that only moves pieces reveals nothing: nobody sees in which order they went. With a decision in each
    # iteration, the order of the questions is the order of the pieces.
    if not asking(taint.context, node.body):
        return
    for binder in node.binders:
        pieces = pieces_of(taint.context.model.types.get(binder.domain.number))
        symbol = taint.context.model.refers.get(binder.number)
        if pieces is None or not isinstance(symbol, LocalSymbol) or stays_in_order(taint, binder.domain):
            continue
        sources = env.names.get(symbol, Known()).sources
        for source in sorted(sources, key=lambda source: (source.zone.name, source.index)):
            seen = seen_at(taint, source, pieces, env, env.term(symbol)).values()
            if source.zone.declaration.shape in ("heap", "one") and any(sight.all != "seen" for sight in seen):
                sure = any(sight.me == "unseen" for sight in seen)
                whom = "would tell the acting seat" if sure else "might tell those who do not see them"
                message = f"asking about each piece in declared order {whom} what lies in `{source.zone.name}`"
                labels = [Label(sight.span, WHO_SEES) for sight in source.zone.declaration.sights[:1]]
                severity: Severity = "error" if sure else "warning"
                helps = [ASK_IN_A_ROW if sure else CHOOSE_INSTEAD]
                taint.context.error(
                    "E0609", message, binder.domain, helps, labels, severity, causes=kept_secret(source.zone)
                )


def pieces_required(taint: Taint, symbol: LocalSymbol, requires: Iterable[ast.Require], env: Env) -> Known:
    """Facts about a parameter that can be any piece: located by a requirement, else anywhere it may lie."""
    for require in requires:
        for condition in _joined(require.condition):
            match condition:
                case ast.Compare(operator="is in", left=piece, right=zone_of_piece):
                    if taint.context.model.refers.get(piece.number) is symbol:
                        # `action play(c: Card)` with `require c is in hand[me]`: only pieces of `hand[me]` are
                        # offered. The first such requirement suffices, as further ones could only narrow it.
                        return taint.value(zone_of_piece, env)
                case _:
                    pass
    pieces = pieces_of(Several(symbol.type))
    return Known(sources=frozenset(_anywhere(taint, pieces) if pieces is not None else ()))


def _anywhere(taint: Taint, pieces: PieceType) -> Iterator[SecretSource]:
    """The zones that pieces of these types may lie in, of which nothing is known."""
    for zone in taint.context.model.zones.values():
        if any(held.name in pieces.piece_types for held in zone.declaration.holds):
            # INVARIANT: an unknown index stands for every seat, so that a zone shown to its owner alone is not taken
            # for seen.
            yield SecretSource(zone, tuple("every" for _ in zone.index))


def _joined(node: ast.Expression) -> Iterator[ast.Expression]:
    """Conjuncts of a condition; of `c is none or P` it is P that says where a piece lies."""
    match node:
        case ast.And():
            yield from _joined(node.left)
            yield from _joined(node.right)
        case ast.Or(left=ast.Compare(operator="is", right=ast.Name(name=word))) if word in NOTHING_WORDS:
            yield from _joined(node.right)
        case _:
            yield node


def pieces_of(type_: Type | None) -> PieceType | None:
    """The pieces in a set of this type, or in sets of such sets."""
    element = element_of(type_) if type_ is not None else None
    while element is not None and isinstance(bare(element), Several):
        element = element_of(bare(element))
    core = bare(element) if element is not None else None
    return core if isinstance(core, PieceType) else None


def stays_in_order(taint: Taint, node: ast.Expression) -> bool:
    """True if these are all the pieces of a row or stack, in its order; everybody sees their places."""
    model = taint.context.model
    type_ = model.types.get(node.number)
    # A filter of a row, `{c in row where …}`, has a type that is no longer the contents of a zone: which places it
    # leaves out tells something about the pieces, so it is not all of the row.
    ordered = isinstance(type_, Contents) and type_.shape in ("row", "stack")
    return ordered and isinstance(model.refers.get(node.number), ZoneSymbol)


def _unseen(taint: Taint, symbol: LocalSymbol, source: SecretSource, pieces: PieceType, env: Env) -> dict[str, Sight]:
    """Attributes of the pieces lying there that the acting seat does not, or may not, see."""
    sights = {name: seen.me for name, seen in seen_at(taint, source, pieces, env, env.term(symbol)).items()}
    unseen: dict[str, Sight] = {name: sight for name, sight in sights.items() if sight != "seen"}
    # None of its attributes: then the message says that the piece is not seen, instead of listing all of them.
    if len(unseen) == len(sights) and set(unseen.values()) == {"unseen"}:
        return {"": "unseen"} if unseen else {}
    return unseen


def seen_at(taint: Taint, source: SecretSource, pieces: PieceType, env: Env, piece: Term = ELEMENT) -> dict[str, Seen]:
    """For each attribute, who sees it on a piece lying there; `piece` is the piece examined."""
    model = taint.context.model
    names = {
        name: None
        for held in source.zone.declaration.holds
        if held.name in pieces.piece_types
        for name in model.pieces[held.name].attributes
    }
    return {name: taint.observers.seen(source.zone, source.index, source.terms, name, env, piece) for name in names}


def _how_sure(unseen_in_zone: tuple[ZoneSymbol, dict[str, Sight]]) -> int:
    """Sort key: attributes never seen first, then those not certainly seen."""
    return 0 if "" in unseen_in_zone[1] else 1 if "unseen" in unseen_in_zone[1].values() else 2


def _report(taint: Taint, node: ast.Parameter | ast.Choose, zone: ZoneSymbol, unseen: dict[str, Sight]) -> None:
    where = node if node.domain is None else taken_from(node.domain)
    if "" in unseen:
        message = f"the acting seat would choose among pieces in `{zone.name}` without seeing them"
        helps = [LET_CHANCE_CHOOSE, f"or {LET_IT_SEE}", KEEP_A_ROW]
        labels = [Label(sight.span, WHO_SEES) for sight in zone.declaration.sights[:1]]
        taint.context.error("E0605", message, where, helps, labels, causes=kept_secret(zone))
        return
    sure = "unseen" in unseen.values()
    names = [name for name, sight in unseen.items() if not sure or sight == "unseen"]
    would, their = "would" if sure else "might", f"their {' and '.join(f'`{name}`' for name in names)}"
    message = f"the acting seat {would} choose among pieces in `{zone.name}` without seeing {their}"
    declared = {sight.attribute: sight.span for sight in zone.declaration.sights}
    spans = dict.fromkeys(declared.get(name, declared.get(None)) for name in names)
    labels = [Label(span, WHO_SEES) for span in spans if span is not None]
    helps = [LET_IT_SEE, OFFER_WHAT_IS_SEEN, KEEP_A_ROW]
    severity: Severity = "error" if sure else "warning"
    taint.context.error("E0608", message, where, helps, labels, severity, causes=kept_secret(zone))
