"""How many outcomes a chance event can have, by the types of the rules."""

from __future__ import annotations

from interpreter.compiler.ir import statements as st
from interpreter.engine.program import Program
from interpreter.opponents.information import CHANCE


def most_outcomes(program: Program) -> int:
    """At least the number of outcomes of every chance event; 0 without chance."""
    module, layout = program.as_lowered, program.layout
    values = [len(symbol.members) for symbol in program.model.type_symbols.values()]
    things = max(len(layout.pieces), len(layout.places), *values)
    most = 0
    for function in (*module.functions.values(), *module.blocks.values()):
        for node in st.walk(function.body):
            if isinstance(node, st.Draw):
                most = max(most, len(node.table.content[0]))
            elif isinstance(node, st.DrawItem):
                most = max(most, things)
            elif isinstance(node, CHANCE):
                most = max(most, len(layout.pieces))
    return most
