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
    edges: set[tuple[int, Passed]] = set()
    _add_edges(body, {"nothing"}, edges)
    return edges


def _add_edges(body: st.Block, passed_before: set[Passed], edges: set[tuple[int, Passed]]) -> set[Passed]:
    """What control may have passed after statements; adds the jumps in them to `edges`."""
    for node in body:
        match node:
            case st.Goto(block=int() as target) | st.Leave(block=target):
                edges |= {(target, passed) for passed in passed_before}
                if isinstance(node, st.Goto):
                    return set()
            case st.Goto() | st.Stop():
                return set()
            case st.If():
                passed_before = _add_edges(node.then, set(passed_before), edges) | _add_edges(
                    node.otherwise, set(passed_before), edges
                )
            case st.Decide():
                waited: set[Passed] = {"decision" if passed == "decision" else "no moves" for passed in passed_before}
                passed_before = _add_edges(node.made, {"decision"}, edges) | _add_edges(node.otherwise, waited, edges)
            case st.For() | st.Repeat():
                _add_edges(node.body, set(passed_before), edges)
            case _:
                pass
    return passed_before


def _has_cycle(edges: Edges, counted: frozenset[Passed]) -> bool:
    """Whether edges of these kinds form a cycle."""
    remaining = {number: {target for target, passed in ends if passed in counted} for number, ends in edges.items()}
    while remaining:
        ends = [number for number, successors in remaining.items() if not successors & remaining.keys()]
        if not ends:
            return True
        for number in ends:
            del remaining[number]
    return False
