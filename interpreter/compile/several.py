"""Decisions that ask for several members of a set one by one; what is chosen so far is a cell of the state."""

from __future__ import annotations

from dsl import ast
from dsl.symbols import LocalSymbol
from dsl.types import Contents, PieceType, bare
from interpreter.compile.domains import Env
from interpreter.compile.effects import Writer
from interpreter.compile.legal import Legal
from interpreter.layout.cells import IDLE


class Several(Legal):
    """Emission of `choose N xs from S` and `choose up to N xs from S`."""

    def several_moves(self, writer: Writer, name: str, node: ast.Choose, env: Env, chosen: str) -> None:
        """`name(S)`: what may be taken next, and whether that may be all."""
        assert node.amount is not None
        symbol = self.model.refers[node.number]
        assert isinstance(symbol, LocalSymbol)
        writer.add(f"def {name}(S):")
        body = writer.inside()
        exact = not node.at_most
        body.add(f"chosen = {chosen}")
        body.add(
            f"out = [(0, x) for x in picks({self._candidates(node, symbol, env)}, chosen, {node.amount}, {exact})]"
        )
        # that nothing comes after what is chosen must not be seen by others: going on is asked for all the same
        enough = "chosen" if node.duty == "must" else "chosen or out"
        if not exact:
            body.add(f"if {enough}: out.append((-1,))")
        elif node.duty == "may":
            body.add("if out and not chosen: out.append((-1,))")
        body.add("return out")

    def _candidates(self, node: ast.Choose, symbol: LocalSymbol, env: Env) -> str:
        """The members that can be chosen, in groups of equal ones."""
        domain = self.domain(node.domain, env)
        name = self.variable(symbol)
        pieces = isinstance(bare(domain.element), PieceType)
        ordered = pieces and isinstance(self.type_of(node.domain), Contents) and bool(domain.place)
        if ordered:
            narrowed, rest = None, [node.where] if node.where is not None else []
        else:
            narrowed, rest = self.narrow(domain, symbol, node.where, env)
        members = self.loop(domain, narrowed)
        condition = self.all_of(rest, {**env, symbol: name})
        if condition:
            members = f"[{name} for {name} in {members} if {condition}]"
        if pieces and node.number in self.model.unsure_choices:
            return f"singles(offered(S, as_set({members})))"
        return f"in_turn(S, {members})" if pieces else f"singles({members})"

    def several_taken(self, writer: Writer, point: int, chosen: str, again: int, after: int) -> None:
        """`a7(S, J, move)`: take one more, or go on; gives the next block."""
        writer.add(f"def a{point}(S, J, move):")
        body = writer.inside()
        body.add(f"S[{IDLE}] = 0", f"if move[0] != 0: return {after}")
        self.assign(body, chosen, f"{chosen} | 1 << move[1]")
        body.add(f"return {again}")
