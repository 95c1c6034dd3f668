"""Whether blocks can go on with each other for ever without a decision being made."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from interpreter.ir import statements as st

Passed = Literal["nothing", "no moves", "decision"]
"""What has been passed on the way through a block: decisions that were made count more than those without moves."""

Edges = Mapping[int, set[tuple[int, Passed]]]


def idle_turns(blocks: Mapping[int, st.Block]) -> Literal["never", "no moves", "always"]:
    """Where turns without a decision have to be counted so that the count grows whenever there are many.

    Never, if none follow each other for ever; where a decision has no moves, if there is one in every round; or always.
    """
    edges = {number: set(_edges(body)) for number, body in blocks.items()}
    if not _round(edges, frozenset({"nothing", "no moves"})):
        return "never"
    return "always" if _round(edges, frozenset({"nothing"})) else "no moves"


def _edges(body: st.Block) -> set[tuple[int, Passed]]:
    """The blocks that a block goes on with, and what has been passed before."""
    found: set[tuple[int, Passed]] = set()
    _through(body, {"nothing"}, found)
    return found


def _through(body: st.Block, ways: set[Passed], found: set[tuple[int, Passed]]) -> set[Passed]:
    """What may have been passed behind statements; notes where they go on."""
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
    """Whether one can go round in a circle along such edges."""
    left = {number: {target for target, passed in after if passed in counted} for number, after in edges.items()}
    while left:
        ends = [number for number, after in left.items() if not after & left.keys()]
        if not ends:
            return True
        for number in ends:
            del left[number]
    return False
