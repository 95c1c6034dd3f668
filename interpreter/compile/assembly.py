"""Putting the generated module together: the course of play, actions by themselves, and all functions as one text."""

from __future__ import annotations

from collections.abc import Sequence

from dsl import ast
from dsl.symbols import LocalSymbol
from dsl.types import PLAYER, Nothing, bare
from interpreter.compile.domains import Env
from interpreter.compile.effects import Mode, Writer
from interpreter.compile.naming import named
from interpreter.compile.points import Points
from interpreter.decisions import Decision


def course_of_play(points: Points, start: int, chance: list[str]) -> None:
    """The blocks from the set-up through the phases to the end; in an example nothing is pending after the set-up."""
    course = points.over_block
    for phase in reversed(points.model.course):
        course = points.phase(phase, course)
    writer = points.blocks[start]
    for name in chance:
        option = points.model.options[name]
        values = tuple(points.layout.members(option.type))
        labels = tuple(points.layout.name_of(option.type, value) for value in values)
        table = points.table(named("C", name), (values, labels))
        cell = points.layout.first_note[f"option {name}"]
        writer.add(f"pick(S, J, {cell}, {table}, 'pick', {name!r}, {option.declaration.number})")
    points.course_block = course
    after = course if points.begins_cell is None else points.free_block  # an example looks at the table in between
    points.flow(writer, points.model.setup, {}, Mode(quiet=True), "setup").add(f"return {after}")


def actions_alone(points: Points) -> dict[str, int]:
    """A decision point for every action by itself, after which nothing is pending."""
    found: dict[str, int] = {}
    for name, rule in points.model.rules.items():
        declaration = rule.declaration
        if rule.is_action:
            act = ast.Act(span=declaration.span, number=declaration.number, name=name, arguments=())
            node = ast.Decide(
                span=declaration.span, number=declaration.number, duty="must", secretly=False, acts=(act,),
                otherwise=(), bound=None,
            )  # fmt: skip
            point = points.new_block()
            points.decisions[point] = Decision(point, node, {}, name)
            points.moves_function(points.functions, f"m{point}", node, {})
            points.blocks[point].add("return -1")
            points.apply_function(point, node, {}, Mode(), points.free_block, points.free_block)
            found[name] = point
        elif name in points.suspending:
            points.entry(rule, quiet=False)
        else:
            points.rule_name(rule, quiet=False)
    return found


def whole_source(points: Points) -> str:
    """All generated functions as one text."""
    writer = Writer()
    for define in points.model.defines.values():
        points.define_function(writer, define)
    for zone in points.model.zones.values():
        _sights(points, writer, zone.name)
    for note in points.model.notes.values():
        _note_sight(points, writer, note.name)
    if points.model.winner is not None:
        for number, criterion in enumerate(points.model.winner.criteria):
            sign = "" if criterion.direction == "highest" else "-"
            writer.add(f"def criterion_{number}(S): return {sign}{points.needed(criterion.value, {})}")
    for when in points.model.whens:
        points.when_function(writer, when)
    done: set[str] = set()
    while missing := [name for name in points.wanted if name not in done]:
        for name in missing:
            rule, quiet = points.wanted[name]
            points.rule_function(writer, name, rule, quiet)
            done.add(name)
    for name in points.reacts:
        points.reaction(writer, name)
    text = "\n".join([*writer.lines, *points.functions.lines])
    blocks = "\n".join("\n".join(block.lines) for block in points.blocks.values())
    return f"{text}\n{blocks}\n"


def _sights(points: Points, writer: Writer, name: str) -> None:
    """`see(zone, attribute)(S, index..., it)`: the set of seats that see it of one piece."""
    zone = points.model.zones[name]
    env = _index_names(points, zone.declaration.index)
    looked_at = points.model.refers.get(zone.declaration.sights[0].number) if zone.declaration.sights else None
    it: Env = {looked_at: "it"} if isinstance(looked_at, LocalSymbol) else {}
    sights = {sight.attribute: sight.viewers for sight in zone.declaration.sights}
    for attribute in sorted({a for held in zone.declaration.holds for a in points.model.pieces[held.name].attributes}):
        viewers = sights.get(attribute, sights.get(None))
        text = _viewers(points, viewers, {**env, **it})
        writer.add(f"def {named('see', name, attribute)}({', '.join(['S', *env.values(), 'it'])}): return {text}")


def _note_sight(points: Points, writer: Writer, name: str) -> None:
    """`see_note(name)(S, index...)`: the set of seats that see a note."""
    note = points.model.notes[name]
    env = _index_names(points, note.declaration.index)
    sights = note.declaration.sights
    text = _viewers(points, sights[0].viewers if sights else None, env)
    writer.add(f"def {named('see_note', name)}({', '.join(['S', *env.values()])}): return {text}")


def _viewers(points: Points, viewers: ast.Expression | None, env: Env) -> str:
    """The set of seats that `seen by` names, as Python text."""
    if viewers is None:
        return str((1 << len(points.layout.seats)) - 1)
    type_ = points.type_of(viewers)
    if isinstance(type_, Nothing):
        return "0"
    if bare(type_) == PLAYER:
        return f"as_set(({points.value(viewers, env)},))"
    return points.mask(viewers, env)


def _index_names(points: Points, index: Sequence[ast.Parameter]) -> Env:
    """Python names for the index of a zone or note."""
    env: Env = {}
    for parameter in index:
        symbol = points.model.refers[parameter.number]
        assert isinstance(symbol, LocalSymbol)
        env[symbol] = points.variable(symbol)
    return env
