"""Merging of blocks: a block with one predecessor, or a small one, is inlined at the jumps to it.

Splitting rules at decisions, and returning through cells, leaves many blocks of one or two statements. Each jump costs
the machine engine a round through its dispatch, and no pass sees from one block into the next:

    block 1:  store turn := blue; go to 16                        block 1:  store turn := blue
    block 16: store me := blue; if won[red]: go to 7; …      →              store me := blue
                                                                            if won[red]: go to 7; …

Nothing else jumps to what is moved, or a copy of it stays, so the same statements follow each other. Without it two
games take 1.3 times the instructions in the machine engine, most games 1.01 times.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence
from operator import is_
from typing import assert_never

from interpreter.compiler.ir import statements as st
from interpreter.compiler.ir.identity import IdentityMap
from interpreter.compiler.ir.module import Module, left_for
from interpreter.compiler.ir.verifying.scopes import never_falls_through
from interpreter.compiler.passes.facts.effects import effect_test
from interpreter.compiler.passes.loops.costs import Costs
from interpreter.compiler.passes.machine.reused_searches import Numbers, searches_in
from interpreter.compiler.passes.simplifying.rule_inlining import Sizes, has_at_most

MAX_DUPLICATED_SIZE = 12
"""Maximum number of nodes of a block that is duplicated."""

MAX_ROUNDS = 50
"""Maximum number of rounds of merging."""

NAME = "fusion"

Blocks = dict[int, st.Block]


def fuse_blocks(module: Module, first: int = 0, entries: Collection[int] = ()) -> None:
    """Drop unreachable blocks and merge the others as far as possible; a game may also begin at `entries`."""
    entries = {first, *entries, *left_for(function.body for function in module.functions.values())}
    blocks = {number: _normalised(block.body) for number, block in module.blocks.items()}
    targets = _Targets()
    for _ in range(MAX_ROUNDS):
        blocks = _reachable(blocks, entries, targets)
        merged = {number: _normalised(body) for number, body in _merged(blocks, entries, targets).items()}
        if merged == blocks:
            break
        blocks = merged
    for number in list(module.blocks):
        if number in blocks:
            module.blocks[number].body = blocks[number]
        else:
            del module.blocks[number]


# ---------------------------------------------------------------- normal form


def _normalised(block: st.Block) -> st.Block:
    """Statements with their jumps as far behind, and as few of them, as possible."""
    for position, node in enumerate(block):
        preceding, rest = block[:position], block[position + 1 :]
        match node:
            case st.Goto() | st.Stop():
                return (*preceding, node)
            case st.Leave(block=target, source=source):
                return (*preceding, st.Goto(target, source))
            case st.If(then=then, otherwise=otherwise) | st.Decide(made=then, otherwise=otherwise) if _contains_jump(
                (node,)
            ):
                # Statements behind an `if` one of whose branches never gets there belong to the other branch.
                # There, each branch ends in its own jump, and blocks can be inlined at both.
                if rest and never_falls_through(then):
                    otherwise, rest = (*otherwise, *rest), ()
                elif rest and never_falls_through(otherwise):
                    then, rest = (*then, *rest), ()
                then, otherwise = _normalised(then), _normalised(otherwise)
                return (*preceding, _with_branches(node, then, otherwise), *_normalised(rest))
            case _:
                pass
    return block


def _contains_jump(block: st.Block) -> bool:
    """Whether statements contain a jump."""
    for node in block:
        match node:
            case st.Goto() | st.Stop() | st.Leave():
                return True
            case st.If(then=then, otherwise=otherwise) | st.Decide(made=then, otherwise=otherwise):
                if _contains_jump(then) or _contains_jump(otherwise):
                    return True
            case _:
                pass
    return False


def _with_branches(node: st.If | st.Decide, then: st.Block, otherwise: st.Block) -> st.Statement:
    """The statement with these branches; the same statement if nothing in them has changed."""
    old = node.then if isinstance(node, st.If) else node.made
    if _same(then, old) and _same(otherwise, node.otherwise):
        return node
    if isinstance(node, st.If):
        return st.If(node.condition, then, otherwise, node.source)
    return st.Decide(node.point, node.moves, node.names, then, otherwise, node.source)


def _same(block: Sequence[st.Statement], old: st.Block) -> bool:
    return len(block) == len(old) and all(map(is_, block, old))


# ---------------------------------------------------------------- merging


def _jump_targets(block: st.Block) -> Counter[int]:
    """How often statements jump to which blocks; a jump out of a loop counts twice, as it cannot be inlined."""
    uses: Counter[int] = Counter()
    for node in st.walk(block):
        if isinstance(node, st.Jump):
            match node:
                case st.Goto(block=int() as target):
                    uses[target] += 1
                case st.Leave(block=target):
                    uses[target] += 2
                case st.Goto() | st.Suspend() | st.Stop():
                    pass  # specialisation and the inlining of decisions leave no jump by a cell, and no suspension
                case _ as never:
                    assert_never(never)
    return uses


class _Targets:
    """The jump targets of blocks, each looked for once."""

    def __init__(self) -> None:
        self._targets: IdentityMap[st.Block, Counter[int]] = IdentityMap()

    def of(self, block: st.Block) -> Counter[int]:
        """See `_jump_targets`."""
        targets = self._targets.get(block)
        return self._targets.keep(block, _jump_targets(block)) if targets is None else targets


def _reachable(blocks: Blocks, entries: Collection[int], targets: _Targets) -> Blocks:
    """The blocks that can be reached from the entries: the first block, and those that functions leave for."""
    reachable: Blocks = {}
    worklist = [*entries]
    while worklist:
        number = worklist.pop()
        if number not in reachable:
            reachable[number] = blocks[number]
            worklist += targets.of(blocks[number])
    return {number: reachable[number] for number in sorted(reachable)}


def _merged(blocks: Blocks, entries: Collection[int], targets: _Targets) -> Blocks:
    """The blocks with others inlined at the jumps to them."""
    # INVARIANT: an entry counts as two uses, so that it is never inlined away: a game begins or waits there.
    uses = Counter((*entries, *entries))
    for body in blocks.values():
        uses.update(targets.of(body))
    inlinable = {
        number for number, body in blocks.items()
        if uses[number] == 1 or _may_be_duplicated(number, body, targets.of(body), uses)
    }  # fmt: skip

    def grown(block: st.Block, inside: tuple[int, ...]) -> st.Block:
        statements: list[st.Statement] = []
        for node in block:
            match node:
                case st.Goto(block=int() as target) if target in inlinable and target not in inside:
                    statements += grown(blocks[target], (*inside, target))
                case st.If():
                    statements.append(_with_branches(node, grown(node.then, inside), grown(node.otherwise, inside)))
                case st.Decide():
                    statements.append(_with_branches(node, grown(node.made, inside), grown(node.otherwise, inside)))
                case _:
                    statements.append(node)
        return block if _same(statements, block) else tuple(statements)

    return {number: grown(body, (number,)) for number, body in blocks.items() if uses[number] > 1}


def continue_into(module: Module, entries: Collection[int]) -> None:
    """Copy blocks that a game may begin at, and that only one jump leads to, to where that jump is.

    They stay where they are, too. A search that was made before a decision, such as whether there is a move, can then
    be reused in it. Blocks without a search that also occurs before them are not copied: most games became a fifth
    larger by that, and no faster. Blocks may become twice as large.
    """
    blocks = {number: block.body for number, block in module.blocks.items()}
    searches = _Searches(module)
    uses: Counter[int] = Counter()
    for body in blocks.values():
        uses.update(_jump_targets(body))
    copied = {number for number in entries if uses[number] == 1}

    def longer(block: st.Block, inside: tuple[int, ...], depth: int) -> st.Block:
        statements: list[st.Statement] = []
        for node in block:
            match node:
                case st.Goto(block=int() as target) if (
                    depth and target in copied and target not in inside and searches.recur(target, inside)
                ):
                    statements += longer(blocks[target], (*inside, target), depth - 1)
                case st.If():
                    branches = longer(node.then, inside, depth), longer(node.otherwise, inside, depth)
                    statements.append(_with_branches(node, *branches))
                case st.Decide():
                    branches = longer(node.made, inside, depth), longer(node.otherwise, inside, depth)
                    statements.append(_with_branches(node, *branches))
                case _:
                    statements.append(node)
        return block if _same(statements, block) else tuple(statements)

    size = Sizes().of
    most = MAX_GROWTH * sum(map(size, blocks.values())) + FREE_NODES
    for depth in (MAX_CHAIN, 1):
        grown = {number: longer(body, (number,), depth) for number, body in blocks.items()}
        if sum(map(size, grown.values())) <= most:
            for number, body in grown.items():
                module.blocks[number].body = body
            return


class _Searches:
    """The searches of the blocks of a module."""

    def __init__(self, module: Module) -> None:
        self._blocks, self._costs, self._numbers = module.blocks, Costs(effect_test(module)), Numbers()
        self._by_block: dict[int, set[int]] = {}

    def recur(self, number: int, preceding: Collection[int]) -> bool:
        """Whether a search in a block also occurs in others, and can be reused."""
        return any(self._of(number) & self._of(other) for other in preceding)

    def _of(self, number: int) -> set[int]:
        """The searches of a block, each as a number that equal ones share."""
        if number not in self._by_block:
            self._by_block[number] = {
                self._numbers.of(part)
                for node in st.walk(self._blocks[number].body) for value in st.expressions(node)
                for part in searches_in(value, self._costs) if self._costs.of(part).movable
            }  # fmt: skip
        return self._by_block[number]


MAX_GROWTH, FREE_NODES, MAX_CHAIN = 2, 500, 6
"""How much larger blocks may become by copies, in nodes, and how many decisions may follow each other in one."""


# A copy adds a jump to each successor. One that had this block as its single predecessor could no longer be inlined,
# which is worth more: it saves a jump and does not make the code longer.
def _may_be_duplicated(number: int, body: st.Block, successors: Counter[int], uses: Counter[int]) -> bool:
    """Whether a block may be duplicated without any other block gaining a predecessor."""
    return (
        number not in successors
        and all(uses[target] > 1 for target in successors)
        and has_at_most(body, MAX_DUPLICATED_SIZE)
    )
