"""Whether control can cycle through blocks forever without a decision being made."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from interpreter.ir import statements as st

Passed = Literal["nothing", "no moves", "decision"]
"""What control has passed in a block: a decision that was made outweighs one without moves."""

Edges = Mapping[int, set[tuple[int, Passed]]]


def idle_turns(blocks: Mapping[int, st.Block]) -> Literal["never", "no moves", "always"]:
    """Where turns without a decision have to be counted to detect an endless sequence of them.

    Never, if there is no cycle of them; where a decision has no moves, if every cycle has one; otherwise always.
    """
    edges = {number: set(_edges(body)) for number, body in blocks.items()}
    if not _round(edges, frozenset({"nothing", "no moves"})):
        return "never"
    return "always" if _round(edges, frozenset({"nothing"})) else "no moves"


def _edges(body: st.Block) -> set[tuple[int, Passed]]:
    """The successors of a block, each with what control has passed before."""
    found: set[tuple[int, Passed]] = set()
    _through(body, {"nothing"}, found)
    return found


def _through(body: st.Block, ways: set[Passed], found: set[tuple[int, Passed]]) -> set[Passed]:
    """What control may have passed after statements; adds the jumps in them to `found`."""
    for node in body:
        match node:
            case st.Goto(block=int() as target) | st.Leave(block=target):
                found |= {(target, passed) for passed in ways}
                if isinstance(node, st.Goto):
                    return set()
            case st.Goto() | st.Stop():
                return set()
            case st.If():
                ways = _through(node.then, set(ways), found) | _through(node.otherwise, set(ways), found)
            case st.Decide():
                waited: set[Passed] = {"decision" if passed == "decision" else "no moves" for passed in ways}
                ways = _through(node.made, {"decision"}, found) | _through(node.otherwise, waited, found)
            case st.For() | st.Repeat():
                _through(node.body, set(ways), found)
            case _:
                pass
    return ways


def _round(edges: Edges, counted: frozenset[Passed]) -> bool:
    """Whether edges of these kinds form a cycle."""
    left = {number: {target for target, passed in after if passed in counted} for number, after in edges.items()}
    while left:
        ends = [number for number, after in left.items() if not after & left.keys()]
        if not ends:
            return True
        for number in ends:
            del left[number]
    return False
