"""Statements as Python source, and what each may write: the places where reactions are looked at."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from dsl import ast
from dsl.symbols import (
    DefineSymbol,
    DieSymbol,
    LocalSymbol,
    RuleSymbol,
    WhenSymbol,
)
from dsl.types import ANY_NUMBER, Contents, Maybe, Nothing, Several, bare, element_of, numeric, settled
from interpreter.compile.domains import Env, fixed
from interpreter.compile.footprints import ME_NAME, SIMPLE, Footprints
from interpreter.compile.naming import named
from interpreter.compile.places import Held
from interpreter.expression_facts import loose_pieces
from interpreter.layout.cells import ME, Layout
from interpreter.runtime.primitives import LOOP, MARK, REASON

MOST_REACTIONS = 1000
"""How many reactions may follow one change."""


class Writer:
    """Lines of Python with indentation."""

    def __init__(self, indent: int = 0) -> None:
        self.lines: list[str] = []
        self.indent = indent

    def add(self, *lines: str) -> None:
        """Add lines at the present indentation."""
        self.insert(len(self.lines), *lines)

    def insert(self, place: int, *lines: str) -> None:
        """Add lines at the present indentation before the line of that number."""
        self.lines[place:place] = [" " * self.indent + line for line in lines]

    def inside(self) -> Writer:
        """A writer to the same lines, one step further in."""
        inner = Writer(self.indent + 1)
        inner.lines = self.lines
        return inner


@dataclass(frozen=True)
class AtOnce:
    """A phase that is over as soon as a condition holds: its flag cell and the block it leaves to."""

    condition: ast.Expression
    reads: frozenset[str]
    flag: int
    exit: int


@dataclass
class Mode:
    """How statements are emitted: `quiet` without reactions (during set-up and inside reactions)."""

    quiet: bool = False


@dataclass
class Effects(Footprints):
    """Emission of statements that ask nobody anything, as plain code."""

    layout: Layout
    traced: bool = False
    at_once: list[AtOnce] = field(default_factory=list)
    wanted: dict[str, tuple[RuleSymbol, bool]] = field(default_factory=dict)
    reacts: dict[str, list[WhenSymbol]] = field(default_factory=dict)
    in_sight: dict[tuple[str, int], tuple[LocalSymbol, ...]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        Footprints.__init__(self, self.layout)

    # ------------------------------------------------------------ reactions

    def after(self, writer: Writer, written: frozenset[str], mode: Mode) -> None:
        """After a change: reactions that may now hold, then phases that may now be over."""
        if mode.quiet or not written:
            return
        whens = [w for w in self.model.whens if self.define_reads(self.model.defines[w.name]) & written]
        if whens:
            name = named("react", *(when.name for when in whens))
            self.reacts[name] = whens
            writer.add(f"{name}(S, J)")
            for when in whens:
                for statement in when.declaration.body:
                    for inner in statement.walk():
                        written |= self.writes(inner) if isinstance(inner, SIMPLE) else frozenset()
                        if isinstance(inner, ast.Do):
                            written |= self.written_by(inner.act.name)
        for phase in self.at_once:
            if phase.reads & written:
                writer.add(f"if S[{phase.flag}] and {self.value(phase.condition, {})}: raise Leave({phase.exit})")

    def reaction(self, writer: Writer, name: str) -> None:
        """The function that lets reactions happen until none is left to happen."""
        writer.add(f"def {name}(S, J):")
        body = writer.inside()
        tries = " or ".join(f"{named('w', when.name)}(S, J)" for when in self.model.whens)
        body.add("happened = []", f"while one := {tries}:", " happened.append(one)")
        body.add(f" if len(happened) == {MOST_REACTIONS}: endless(happened)")

    def when_function(self, writer: Writer, when: WhenSymbol) -> None:
        """The function that lets one reaction happen once, for the first arguments for which it holds."""
        writer.add(f"def {named('w', when.name)}(S, J):")
        inner = writer.inside()
        env: Env = {}
        for parameter in when.parameters:
            env[parameter] = self.variable(parameter)
            inner.add(f"for {env[parameter]} in {fixed(self.layout.members(parameter.type))}:")
            inner = inner.inside()
        inner.add(f"if {named('f', when.name)}({', '.join(['S', *env.values()])}):")
        happens = inner.inside()
        self.mark(happens, "enter", when.declaration, env)
        self.block(happens, when.declaration.body, dict(env), Mode(quiet=True))
        self.mark(happens, "leave", when.declaration, {})
        happens.add(f"return {when.name!r}, ({''.join(f'{value}, ' for value in env.values())})")
        writer.inside().add("return None")

    # ------------------------------------------------------------ writing

    def mark(self, writer: Writer, what: str, node: ast.Node, env: Env) -> None:
        """In traced code: note in the journal what is at work, and the values of the names in sight.

        `what` is enter or leave (of a rule or phase), turn, at (a statement), holds or fails (an `if`), loop (one
        begins), again (before it is asked whether a loop goes on), each (once round a loop).
        """
        if self.traced:
            self.in_sight[what, node.number] = tuple(env)
            values = "".join(f"{text}, " for text in env.values())
            writer.add(f"J.append(({MARK}, ({what!r}, {node.number}, S[{ME}], ({values}))))")

    def assign(self, writer: Writer, target: str, value: str) -> None:
        """Write to a cell (journaled) or to a Python local."""
        if not target.startswith("S["):
            writer.add(f"{target} = {value}")
            return
        cell = target[2:-1]
        if not cell.isdigit():
            writer.add(f"k = {cell}")
            cell = "k"
        if value == "True" or value.lstrip("-").isdigit() or value in ("None", "False"):
            text = value
        else:
            writer.add(f"v = {value}")
            text = "v"
        writer.add(f"if J is not None: J.append(({cell}, S[{cell}]))", f"S[{cell}] = {text}")

    def target(self, node: ast.Target, env: Env) -> str:
        """Where a note or let is kept."""
        symbol = self.model.refers[node.number]
        return env[symbol] if isinstance(symbol, LocalSymbol) else f"S[{self.cell(node, env)}]"

    def simple(self, writer: Writer, node: ast.Statement, env: Env, mode: Mode) -> None:
        """One statement without statements inside, and what it sets off."""
        if not isinstance(node, ast.Let):  # which is told with the value it has found
            self.mark(writer, "at", node, env)
        match node:
            case ast.Move():
                self._move(writer, node, env)
            case ast.SetTo():
                wanted = self.type_of(node.target)
                self.assign(writer, self.target(node.target, env), self.fitted(node.value, wanted, env))
            case ast.Add():
                self._add(writer, node, env)
            case ast.Remove():
                self._change(writer, node, "& ~", env)
            case ast.Shuffle():
                writer.add(f"shuffle(S, J, {self.place(node.target, env)}, {node.number})")
            case ast.Roll():
                for die in node.dice:
                    self._roll(writer, die, env, node)
            case ast.Let():
                symbol = self.model.refers[node.number]
                assert isinstance(symbol, LocalSymbol)
                if symbol not in env:
                    env[symbol] = self.variable(symbol)
                self.assign(writer, env[symbol], self.kept(node.value, symbol.type, env))
                self.mark(writer, "at", node, env)
            case ast.Do():
                writer.add(self.call(node.act, env, mode))
            case ast.EndGame():
                writer.add("raise Leave(OVER)")
            case _:
                raise AssertionError(node.kind)
        self.after(writer, self.writes(node), mode)

    def call(self, act: ast.Act, env: Env, mode: Mode) -> str:
        """Python text that does a step or action which asks nobody anything."""
        rule = self.model.rules[act.name]
        name = self.rule_name(rule, mode.quiet)
        return f"{name}({', '.join(['S', 'J', *self.arguments(act, rule, env)])})"

    def arguments(self, act: ast.Act, rule: RuleSymbol, env: Env) -> list[str]:
        """The arguments of an act as Python text."""
        return [
            self.fitted(argument, parameter.type, env)
            for argument, parameter in zip(act.arguments, rule.parameters, strict=False)
        ]

    def rule_name(self, rule: RuleSymbol, quiet: bool) -> str:
        """Name of the function of a rule; it will be emitted."""
        name = named("quiet" if quiet else "r", rule.name)
        self.wanted.setdefault(name, (rule, quiet))
        return name

    def _change(self, writer: Writer, node: ast.Add | ast.Remove, sign: str, env: Env) -> None:
        """Put members into a set, or take them out."""
        wanted, actual = self.type_of(node.target), self.type_of(node.value)
        element = element_of(wanted)
        assert element is not None
        if isinstance(bare(settled(actual)), Several):
            members = self.fitted(node.value, Several(element), env)
        elif isinstance(actual, Maybe | Nothing | Contents):
            members = f"as_set(({self.fitted(node.value, Maybe(element), env)},))"
        else:
            members = f"(1 << {self.fitted(node.value, element, env)})"
        target = self.target(node.target, env)
        now = f"({target} or 0)" if isinstance(wanted, Maybe) else target
        self.assign(writer, target, f"{now} {sign}{members}")

    def _add(self, writer: Writer, node: ast.Add, env: Env) -> None:
        target, wanted = self.target(node.target, env), self.type_of(node.target)
        if numeric(wanted):
            now = f"need({target}, {node.target.number})" if isinstance(wanted, Maybe) else target
            if node.because is not None and target.startswith("S["):
                text = f"({now} + {self._reason(writer, node, node.because, target, env)})"
            else:
                text = f"({now} + {self.needed(node.value, env)})"
            self.assign(writer, target, self.fitted(node.value, wanted, env, text, ANY_NUMBER))
        else:
            self._change(writer, node, "|", env)

    def _reason(self, writer: Writer, node: ast.Add, because: ast.Text, target: str, env: Env) -> str:
        """Note in the journal why a number grows; gives the name of the amount."""
        values = "".join(f"{self.kept(p, self.type_of(p), env)}, " for p in because.parts if not isinstance(p, str))
        writer.add(f"g = {self.needed(node.value, env)}")
        payload = f"({node.number}, {target[2:-1]}, g, ({values}))"
        writer.add(f"if g and J is not None: J.append(({REASON}, {payload}))")
        return "g"

    def _roll(self, writer: Writer, die: ast.Target, env: Env, node: ast.Roll) -> None:
        symbol = self.model.refers[die.number]
        assert isinstance(symbol, DieSymbol)
        table = self.table(named("D", symbol.name), (self.layout.values_of_faces(symbol), symbol.declaration.faces))
        cell = self.cell(die, env)
        writer.add(f"pick(S, J, {cell}, {table}, 'roll', '', {node.number})")

    def _move(self, writer: Writer, node: ast.Move, env: Env) -> None:
        target = self.place(node.target, env)
        bottom = ", True" if node.position is not None and node.position.relation == "at bottom" else ""
        if node.position is not None and node.position.anchor is not None:
            after = node.position.relation == "after"
            what = f"lowest({self.mask(node.what, env)})"
            anchor = self.needed(node.position.anchor, env)
            writer.add(f"insert(S, J, {what}, {target}, {anchor}, {after}, {node.number})")
        elif node.source is None:
            writer.add(f"move_set(S, J, {self.mask(node.what, env)}, {target}, {node.number}{bottom})")
        else:
            source = self.place(node.source, env)
            piece_types = self.pieces_of(node.source)
            if isinstance(node.what, ast.Of):
                amount, kind = self.needed(node.what.whole, env), self.kind(node.what.part, piece_types, env)
                writer.add(f"move_kind(S, J, {amount}, {kind}, {source}, {target}, {node.number}{bottom})")
            elif isinstance(node.what, ast.Pattern):
                kind = self.kind(node.what, piece_types, env)
                count = 1 if node.what.amount is None else node.what.amount
                writer.add(f"move_kind(S, J, {count}, {kind}, {source}, {target}, {node.number}{bottom})")
            else:
                amount = self.needed(node.what, env)
                writer.add(f"move_some(S, J, {amount}, {source}, {target}, {node.number}{bottom})")

    # ------------------------------------------------------------ blocks

    def block(self, writer: Writer, statements: Sequence[ast.Statement], env: Env, mode: Mode) -> None:
        """Statements one after the other as plain code."""
        if not statements:
            writer.add("pass")
        for node in statements:
            match node:
                case ast.If():
                    inner_env = self.taken(node.condition, env)
                    writer.add(f"if {self.value(node.condition, inner_env)}:")
                    self.mark(writer.inside(), "holds", node, env)
                    for symbol in [symbol for symbol in inner_env if symbol not in env]:
                        text, inner_env[symbol] = inner_env[symbol], self.variable(symbol)
                        writer.inside().add(f"{inner_env[symbol]} = {text}")
                    self.block(writer.inside(), node.then, inner_env, mode)
                    if node.otherwise or self.traced:
                        writer.add("else:")
                        self.mark(writer.inside(), "fails", node, env)
                        self.block(writer.inside(), node.otherwise, dict(env), mode)
                case ast.ForEach():
                    self._for_each(writer, node, env, mode)
                case ast.EachPlayer():
                    self._each_player(writer, node, env, mode)
                case ast.Repeat():
                    self.fresh += 1
                    self.mark(writer, "loop", node, env)
                    writer.add(f"for _{self.fresh} in range({self.needed(node.bound.times, env)}):")
                    inner = writer.inside()
                    self.mark(inner, "again", node, env)
                    if node.bound.condition is not None:
                        inner.add(f"if not {self.value(node.bound.condition, env)}: break")
                    self.mark(inner, "each", node, env)
                    self.block(inner, node.body, dict(env), mode)
                case _:
                    self.simple(writer, node, env, mode)

    def _for_each(self, writer: Writer, node: ast.ForEach, env: Env, mode: Mode) -> None:
        self.mark(writer, "loop", node, env)
        inner_env = dict(env)
        loops, names = self.combinations(node.binders, inner_env)
        together = ", ".join(names)
        by_number = any(loose_pieces(self.model, binder.domain) for binder in node.binders)
        if by_number:  # pieces in the order of their numbers, which not everybody may know
            self.fresh += 1
            listed = f"items_{self.fresh}"
            writer.add(f"{listed} = [({together}) {loops}]")
            writer.add(f"if J is not None: J.append(({LOOP}, ({node.number}, {listed})))")
            writer.add(f"for {together} in {listed}:")
        else:
            writer.add(f"{loops}:" if len(names) == 1 else f"for {together} in [({together}) {loops}]:")
        inner = writer.inside()
        if node.where is not None:
            inner.add(f"if not {self.value(node.where, inner_env)}: continue")
        self.mark(inner, "each", node, inner_env)
        self.block(inner, node.body, inner_env, mode)
        if by_number:
            writer.add(f"if J is not None: J.append(({LOOP}, None))")

    def _each_player(self, writer: Writer, node: ast.EachPlayer, env: Env, mode: Mode) -> None:
        self.fresh += 1
        self.mark(writer, "loop", node, env)
        me, first, last = f"me_{self.fresh}", f"first_{self.fresh}", f"last_{self.fresh}"
        count = len(self.layout.seats)
        final = self.needed(node.last, env) if node.last is not None else f"({first} - 1) % {count}"
        writer.add(f"{me} = S[{ME}]", f"{first} = {self.needed(node.first, env)}", f"{last} = {final}")
        writer.add(f"for q in range(({last} - {first}) % {count} + 1):")
        inner = writer.inside()
        self.assign(inner, f"S[{ME}]", f"({first} + q) % {count}")
        self.after(inner, frozenset({ME_NAME}), mode)
        if node.where is not None:
            inner.add(f"if not {self.value(node.where, env)}: continue")
        self.mark(inner, "each", node, env)
        self.block(inner, node.body, dict(env), mode)
        self.assign(writer, f"S[{ME}]", me)

    def rule_function(self, writer: Writer, name: str, rule: RuleSymbol, quiet: bool) -> None:
        """The function of a rule that asks nobody anything."""
        env: Env = {parameter: self.variable(parameter) for parameter in rule.parameters}
        writer.add(f"def {name}({', '.join(['S', 'J', *env.values()])}):")
        body = writer.inside()
        self.mark(body, "enter", rule.declaration, env)
        self.block(body, rule.declaration.body, dict(env), Mode(quiet))
        self.mark(body, "leave", rule.declaration, {})

    def define_function(self, writer: Writer, symbol: DefineSymbol) -> None:
        """The function of a definition."""
        env: Env = {parameter: self.variable(parameter) for parameter in symbol.parameters}
        writer.add(f"def {named('f', symbol.name)}({', '.join(['S', *env.values()])}):")
        body = writer.inside()
        self.held, place = Held(env.values()), len(body.lines)
        result = symbol.type
        assert result is not None
        for case in symbol.declaration.cases:
            inner = env if case.condition is None else self.taken(case.condition, env)
            value = self.fitted(case.value, result, inner)
            if case.condition is not None:
                body.add(f"if {self.value(case.condition, inner)}: return {value}")
            else:
                body.add(f"return {value}")
        body.insert(place, *self.held.lines())
        self.held = None
