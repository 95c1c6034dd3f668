"""Lowering of a whole game with its seats and options."""

from __future__ import annotations

from interpreter.compiler.ir.module import Function
from interpreter.compiler.ir.types import Int
from interpreter.compiler.lowering.context import Context, new_cell
from interpreter.compiler.lowering.course import course_of_play, single_actions
from interpreter.compiler.lowering.footprints import suspending, suspends
from interpreter.compiler.lowering.forms import FORMS
from interpreter.compiler.lowering.functions import (
    criteria,
    define_function,
    note_sight,
    reaction_function,
    rule_body,
    teams,
    when_function,
    zone_sights,
)
from interpreter.compiler.lowering.suspending import lower_waiting
from interpreter.compiler.requirements import Requirements
from interpreter.runtime.layout import Layout


def context_for(layout: Layout) -> Context:
    """An empty context."""
    model = layout.model
    ctx = Context(layout, FORMS, Requirements(model))
    ctx.suspending = suspending(ctx)
    return ctx


def lower(layout: Layout, chance: list[str], alone: bool) -> tuple[Context, dict[str, int]]:
    """Lower a game; `alone`: so that single actions and phases can be started, as in examples.

    `chance` are the random options. Returns the decisions of single actions, by name. Raises PlayError if
    requirements are too many or too long.
    """
    ctx, model = context_for(layout), layout.model
    ctx.phase_cell = new_cell(ctx, "phase", Int(0, max(len(model.phases) - 1, 0)))
    if alone:
        ctx.begins_cell = new_cell(ctx, "begins with", Int(-1, len(model.phases) * len(layout.seats)))
    course_of_play(ctx, chance)
    action_points = single_actions(ctx) if alone else {}
    lower_waiting(ctx)
    for when in model.whens:
        if when.name not in ctx.suspending.asking:
            when_function(ctx, when)
    _lower_requested(ctx)
    for symbol in model.defines.values():
        define_function(ctx, symbol)
    for zone in model.zones:
        zone_sights(ctx, zone)
    for note in model.notes:
        note_sight(ctx, note)
    criteria(ctx)
    teams(ctx)
    _lower_requested(ctx)  # the steps of hypotheses in definitions that nothing before has performed
    for number, lines in ctx.lines.items():
        ctx.module.blocks[number].body = tuple(lines)
    return ctx, action_points


def lower_rest(ctx: Context) -> list[Function]:
    """Lower the functions that a single expression needs besides those of the game, such as those of a step."""
    count_before = len(ctx.module.functions)
    _lower_requested(ctx)
    return [*ctx.module.functions.values()][count_before:]


def _lower_requested(ctx: Context) -> None:
    """Lower the requested rules that cannot suspend, and the requested reactions."""
    while missing := [name for name in ctx.requested if name not in ctx.module.functions and not suspends(ctx, name)]:
        for name in missing:
            rule, quiet = ctx.requested[name]
            rule_body(ctx, name, rule, quiet)
    for name in ctx.reactions:
        if name not in ctx.module.functions:
            reaction_function(ctx, name)
