"""Whether control can cycle through blocks forever without a decision being made."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from interpreter.compiler.ir import statements as st

Passed = Literal["nothing", "no moves", "decision"]
"""What control has passed in a block: a decision made outweighs one without moves."""

Edges = Mapping[int, set[tuple[int, Passed]]]


def idle_turns(blocks: Mapping[int, st.Block]) -> Literal["never", "no moves", "always"]:
    """Where turns without a decision have to be counted to detect an endless sequence of them.

    Never, if there is no cycle of them; where a decision has no moves, if every cycle has one; otherwise always.
    """
    edges = {number: set(_edges(body)) for number, body in blocks.items()}
    if not _has_cycle(edges, frozenset({"nothing", "no moves"})):
        return "never"
    return "always" if _has_cycle(edges, frozenset({"nothing"})) else "no moves"


def _edges(body: st.Block) -> set[tuple[int, Passed]]:
    """The successors of a block, each with what control has passed before."""
    found: set[tuple[int, Passed]] = set()
    _add_edges(body, {"nothing"}, found)
    return found


def _add_edges(body: st.Block, passed_before: set[Passed], found: set[tuple[int, Passed]]) -> set[Passed]:
    """What control may have passed after statements; adds the jumps in them to `found`."""
    for node in body:
        match node:
            case st.Goto(block=int() as target) | st.Leave(block=target):
                found |= {(target, passed) for passed in passed_before}
                if isinstance(node, st.Goto):
                    return set()
            case st.Goto() | st.Stop():
                return set()
            case st.If():
                passed_before = _add_edges(node.then, set(passed_before), found) | _add_edges(
                    node.otherwise, set(passed_before), found
                )
            case st.Decide():
                waited: set[Passed] = {"decision" if passed == "decision" else "no moves" for passed in passed_before}
                passed_before = _add_edges(node.made, {"decision"}, found) | _add_edges(node.otherwise, waited, found)
            case st.For() | st.Repeat():
                _add_edges(node.body, set(passed_before), found)
            case _:
                pass
    return passed_before


def _has_cycle(edges: Edges, counted: frozenset[Passed]) -> bool:
    """Whether edges of these kinds form a cycle."""
    left = {number: {target for target, passed in after if passed in counted} for number, after in edges.items()}
    while left:
        ends = [number for number, after in left.items() if not after & left.keys()]
        if not ends:
            return True
        for number in ends:
            del left[number]
    return False
