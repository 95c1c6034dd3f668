"""Functions of the rules: definitions, rules without decisions, and reactions.

The result of a function depends on its kind:

    define, criterion, sight    a value, in the form of its type
    rule                        nothing; if rules may be left in it, 0, or the block to continue at, plus 2
    when (a reaction)           0 if it does not fire, 1 if it has fired, or the block plus 2
    react                       as a rule; tries the reactions in order, from the first again after each that fires

A hypothesis (`… given play(c)`) is a value of the state after a step. The whole state is copied before the step and
copied back after the value has been computed.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import assert_never

from interpreter.compiler.ir import statements as st
from interpreter.compiler.ir.expressions import Const
from interpreter.compiler.ir.module import Function as Rule
from interpreter.compiler.machine.body import Body, i32
from interpreter.compiler.machine.forms import WORD_BYTES, UnprintableError, form_of, holds_lists
from interpreter.compiler.machine.program import Program
from interpreter.compiler.machine.scope import allotted
from interpreter.compiler.machine.statements import FIRST_DESTINATION, Statements
from interpreter.compiler.machine.value_slots import print_lookup, slots_for
from interpreter.compiler.wasm.instructions import (
    I32,
    Callee,
    Code,
    Label,
    Read,
    Types,
    call,
    load,
    plain,
    store,
    write,
)  # fmt: skip
from interpreter.compiler.wasm.modules import Function


class RuleBody(Statements):
    """A function of the rules while it is printed; `end` is where a hypothesis ends when its rules are left."""

    def __init__(self, program: Program, body: Body, rule: Rule) -> None:
        super().__init__(program, body)
        self.rule = rule
        self.end: Label | None = None

    def leave_rules(self, destination: Code) -> None:
        """Leave the rule, too; a hypothesis ends."""
        if self.end is None:
            self.body.give((destination,))
        else:
            self.body.leave(self.end)

    def control(self, node: st.Statement) -> None:
        """The end of the function."""
        match node:
            case st.Leave():
                self.leave_rules(i32(node.block + FIRST_DESTINATION))
            case st.Return() if self.rule.kind == "when":
                fired = not (isinstance(node.value, Const) and node.value.value is None)
                self.body.give((i32(fired),))
            case st.Return():
                assert self.rule.result is not None
                self.body.give(self.as_type(node.value, self.rule.result))
            case _:
                super().control(node)


def declare(program: Program, rule: Rule) -> None:
    """Declare a function of the rules."""
    params = tuple([type_ for param in rule.params for type_ in form_of(param.type).operands])
    match rule.kind:
        case "when":
            results: Types = (I32,)
        case "rule" | "quiet rule" | "react":
            results = (I32,) if rule.name in program.leaving else ()
        case "define" | "criterion" | "sight" | "hypothesis":
            assert rule.result is not None
            results = form_of(rule.result).operands
        case "moves" | "apply" | "block":
            raise UnprintableError(f"a function of the kind {rule.kind}")
        case _ as never:
            assert_never(never)
    program.functions[rule.name] = program.module.function(rule.name, params, results)


def define(program: Program, rule: Rule) -> None:
    """Print the body of a declared function."""
    function = program.functions[rule.name]
    slots = slots_for(program, rule)
    if slots is not None:
        callee = function.callee
        computed = program.module.function(f"{rule.name} computed", callee.params, callee.results)
        body = Body(function)
        print_lookup(program, body, slots, computed.callee)
        function.body = tuple(body.statements)
        function = computed
    _print_body(program, function, rule)


def _print_body(program: Program, function: Function, rule: Rule) -> None:
    body = Body(function)
    if rule.kind == "react":
        _react(program, body, rule)
    else:
        printed = RuleBody(program, body, rule)
        start = 0
        for param in rule.params:
            form = form_of(param.type)
            end = start + len(form.operands)
            printed.locals[param.name] = tuple(function.locals[start:end]), form
            function.name_locals(start, end, param.name)
            start = end
        if rule.kind == "hypothesis":
            _hypothesis(printed)
        else:
            printed.block(rule.body)
        if rule.kind == "when" or rule.name in program.leaving:
            body.give((i32(0),))
        elif rule.result is not None:
            body.fault()
    function.body = tuple(body.statements)


def _hypothesis(printed: RuleBody) -> None:
    """A value of the state after some statements, which are taken back."""
    program, body = printed.program, printed.body
    *performed, last = printed.rule.body
    assert isinstance(last, st.Return)
    assert printed.rule.result is not None
    saved = allotted(program, body, i32(program.state_bytes))
    body.add(call(copied(program), saved, i32(program.chance)))

    def inside(end: Label) -> None:
        printed.end = end
        printed.block(tuple(performed))

    body.block(inside)
    # Its operands have to be read before the cells are as they were.
    value = body.named(printed.as_type(last.value, printed.rule.result))
    body.add(call(copied(program), i32(program.chance), saved))
    if not holds_lists(form_of(printed.rule.result)):
        # Free what was computed on the way: a definition that calls itself supposes thousands of steps within one of
        # the game.
        body.add(write((program.top,), saved))
    body.give(value)


MAX_UNROLLED_BYTES = 1 << 11
"""Up to this size a copy of the state is a row of loads and stores: the instruction for memory is a call of the host.

A game that tries every move before it offers it is a tenth faster for it.
"""

LANE_BYTES = 16


def copied(program: Program) -> Callee:
    """The function that copies the state: (target, source)."""
    size = program.state_bytes

    def fill(body: Body) -> None:
        target, source = (Read(local) for local in body.function.locals)
        if size > MAX_UNROLLED_BYTES:
            body.add(plain("memory.copy", target, source, i32(size)))
            return
        for at in range(0, size - LANE_BYTES + 1, LANE_BYTES):
            body.add(store("v128.store", target, load("v128.load", source, at), at))
        for at in range(size // LANE_BYTES * LANE_BYTES, size, WORD_BYTES):
            body.add(store("i64.store", target, load("i64.load", source, at), at))

    return program.helper("copied", (), (I32, I32), (), fill)


def leaving(functions: Mapping[str, Rule]) -> set[str]:
    """The rules in which all running rules may be left."""
    called = {
        name: {part.function for part in st.walk(rule.body) if isinstance(part, st.Perform | st.React)}
        | set(rule.calls)
        for name, rule in functions.items()
    }
    names = {name for name, rule in functions.items() if any(isinstance(part, st.Leave) for part in st.walk(rule.body))}
    while more := {name for name, callees in called.items() if callees & names and name not in names}:
        names |= more
    return {name for name in names if functions[name].kind != "hypothesis"}


def _react(program: Program, body: Body, rule: Rule) -> None:
    """Try each reaction until none fires."""
    happened = body.variable(I32)
    body.assign((happened,), (i32(0),))

    def once(start: Label) -> None:
        for name in rule.calls:
            result = body.held(call(program.functions[name].callee))

            def fired(result: Code = result, name: str = name) -> None:
                if name in program.leaving:
                    body.when(plain("i32.ge_s", result, i32(FIRST_DESTINATION)), lambda: body.give((result,)))
                body.assign((happened,), (plain("i32.add", Read(happened), i32(1)),))
                body.fault(plain("i32.ge_s", Read(happened), i32(st.MAX_REACTIONS)))
                body.leave(start)

            body.when(result, fired)

    body.loop(once)
    if rule.name in program.leaving:
        body.give((i32(0),))
