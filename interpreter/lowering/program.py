"""A whole game with its seats and options in intermediate form."""

from __future__ import annotations

from interpreter.ir.types import Int
from interpreter.layout.cells import Layout
from interpreter.lowering.context import Context, new_cell
from interpreter.lowering.course import actions_alone, course_of_play
from interpreter.lowering.footprints import suspending_rules
from interpreter.lowering.forms import FORMS
from interpreter.lowering.functions import (
    criteria,
    define_function,
    note_sight,
    reaction_function,
    rule_body,
    teams,
    when_function,
    zone_sights,
)
from interpreter.lowering.suspending import lower_waiting
from interpreter.requirements import Requirements


def context_for(layout: Layout) -> Context:
    """An empty context."""
    model = layout.model
    return Context(layout, FORMS, Requirements(model), suspending=suspending_rules(model))


def lower(layout: Layout, chance: list[str], alone: bool) -> tuple[Context, dict[str, int]]:
    """Lower a game; `alone`: so that actions and phases can be begun by themselves, as examples do.

    `chance` are the options left to chance. Gives the decisions of actions by themselves, by name. Raises PlayError if
    requirements are too many or too long.
    """
    ctx, model = context_for(layout), layout.model
    ctx.phase_cell = new_cell(ctx, "phase", Int(0, max(len(model.phases) - 1, 0)))
    if alone:
        ctx.begins_cell = new_cell(ctx, "begins with", Int(-1, len(model.phases) * len(layout.seats)))
    course_of_play(ctx, chance)
    found = actions_alone(ctx) if alone else {}
    lower_waiting(ctx)
    for when in model.whens:
        when_function(ctx, when)
    _rules_asked_for(ctx)
    for symbol in model.defines.values():
        define_function(ctx, symbol)
    for zone in model.zones:
        zone_sights(ctx, zone)
    for note in model.notes:
        note_sight(ctx, note)
    criteria(ctx)
    teams(ctx)
    for number, lines in ctx.lines.items():
        ctx.module.blocks[number].body = tuple(lines)
    return ctx, found


def _rules_asked_for(ctx: Context) -> None:
    """The rules that ask nobody anything and that something does, and the reactions looked at."""
    done: set[str] = set()
    while missing := [name for name in ctx.wanted if name not in done]:
        for name in missing:
            rule, quiet = ctx.wanted[name]
            rule_body(ctx, name, rule, quiet)
            done.add(name)
    for name in ctx.reactions:
        reaction_function(ctx, name)
