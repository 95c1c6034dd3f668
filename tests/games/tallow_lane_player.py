"""Players of Tallow Lane with a plan: which cards they would like to have, and sensible use of those they hold."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from interpreter.play.game import State

FIRST_TO_LAST = (
    "night_watch", "stall", "apprentice", "double_dip", "candlemas", "chandler", "draught", "beehive", "handcart",
    "lantern", "moulder", "snuffer",
)  # fmt: skip
"""In this order helpers are played: those that let others be played come first."""
WORST_FIRST = ("stub", "penny", "lantern", "snuffer", "shilling")
"""Cards that are passed on, burnt, or laid off, if there are any."""
CANDLES = ("candelabrum", "chandelier", "stub")
"""Cards that do nothing in a hand."""

Plan = Sequence[tuple[str, int]]
"""How many of which helpers are wanted, the most wanted first; besides, money and candelabra are."""

PLANS: Mapping[str, Plan] = {
    "money": (),
    "draughts": (("draught", 2),),
    "draws": (("chandler", 2),),
    "candlemas": (("candlemas", 2),),
    "bees": (("beehive", 2), ("chandler", 1)),
    "burning": (("snuffer", 1), ("draught", 1), ("chandler", 1)),
    "moulders": (("moulder", 1), ("draught", 1)),
    "carts": (("handcart", 2),),
    "watch": (("night_watch", 3), ("chandler", 2)),
    "many": (("stall", 5), ("chandler", 3), ("apprentice", 4), ("night_watch", 1)),
    "dips": (("apprentice", 3), ("chandler", 3), ("double_dip", 2), ("stall", 3)),
}


def number(state: State, expression: str) -> int:
    """The value of an expression that is a number."""
    value = state.evaluate(expression)
    assert isinstance(value, int)
    return value


def owned(state: State, kind: str) -> int:
    """How many cards of a kind the seat has; everybody could have counted them."""
    return number(state, f"count (cards({state.player}) of {kind}) + count (bench of {kind})")


def next_move(state: State, plan: Plan) -> str:
    """What a player with this plan does now."""
    moves = [move.notation for move in state.legal_moves]
    offered = {move.removesuffix(")").replace("(", ", ").rpartition(", ")[2]: move for move in moves}
    match state.legal_moves[0].name:
        case "play" | "dip" | "stop" | "forgo":
            return next((offered[kind] for kind in FIRST_TO_LAST if kind in offered), moves[-1])
        case "choose":
            return worst(state, offered)
        case "buy" | "mould":
            return wanted(state, plan, offered)
        case _:
            return moves[0]


def worst(state: State, offered: Mapping[str, str]) -> str:
    """The card to lay off in a draught, to pass on, or to burn."""
    blown = str(state.evaluate("last(bench).kind")) == "draught"
    order = (*CANDLES, *WORST_FIRST) if blown else WORST_FIRST
    optional = offered.get("done")
    kinds = [kind for kind in order if kind in offered and not (optional and kind == "shilling")]
    return offered[kinds[0]] if kinds else optional or [*offered.values()][-1]


def wanted(state: State, plan: Plan, offered: Mapping[str, str]) -> str:
    """What to buy, or to mould."""
    left = number(state, "count shop[candelabrum]")
    wishes = ["candelabrum", *(["chandelier"] if left <= 3 else []), *(["stub"] if left <= 1 else []), "crown"]
    wishes += [kind for kind, most in plan if kind in offered and owned(state, kind) < most]
    taken = [offered[kind] for kind in [*wishes, "shilling", "done"] if kind in offered]
    return taken[0] if taken else next(iter(offered.values()))


def played_out(state: State, plans: Mapping[str, Plan]) -> State:
    """Play a game to its end, every seat after its plan."""
    while not state.over:
        state.push(next_move(state, plans[str(state.player)]))
    return state
