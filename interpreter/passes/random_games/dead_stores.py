"""Elimination of dead stores: to cells and locals that are never read; of announcements and the reasons of scores."""

from __future__ import annotations

from dataclasses import replace

from dsl.text.nouns import counted
from interpreter.ir import statements as st
from interpreter.ir.expressions import Local, walk
from interpreter.ir.module import Module
from interpreter.passes.facts.accesses import AccessAnalysis
from interpreter.passes.facts.traversal import may_have_effect
from interpreter.passes.random_games.results import Results
from interpreter.passes.record import COURSE_OF_PLAY, PassRecords
from interpreter.passes.rewriting.functions import functions

NAME = "unused values"


def drop_dead_stores(module: Module, records: PassRecords, results: Results) -> None:
    """Drop stores to cells that are never read and locals that are never used, where their values have no effect."""
    accesses = AccessAnalysis(module)
    read: set[str] = set()
    for each in functions(module):
        accessed = accesses.block(each.body)
        if accessed.everything:
            return
        for node in st.walk(each.body):
            if isinstance(node, st.Announce):
                continue  # nobody reads it in a random game
            reads = accesses.statement(node).reads
            if isinstance(node, st.Store) and not may_have_effect(node.value):
                reads -= {node.cell.group.name}  # a read-modify-write keeps nothing alive
            read |= reads
    before = _statements(module)
    changed = True
    for each in functions(module):
        each.body = _without(each.body, read)
    while changed:
        used = {
            part.name
            for each in module.blocks.values() for node in st.walk(each.body)
            for value in st.expressions(node) for part in walk(value) if isinstance(part, Local)
        } | {local.name for numbers in results for local in numbers}  # fmt: skip
        changed = False
        for each in module.blocks.values():
            body = _without_locals(each.body, used)
            changed = changed or body != each.body
            each.body = body
    dropped = before - _statements(module)
    if dropped:
        records.applied(NAME, COURSE_OF_PLAY, None, f"{counted(dropped, 'statement')} removed")


def _statements(module: Module) -> int:
    return sum(1 for each in functions(module) for _ in st.walk(each.body))


def _without(block: st.Block, read: set[str]) -> st.Block:
    found: list[st.Statement] = []
    for node in block:
        match node:
            case st.Store(cell=cell, value=value) if cell.group.name not in read and not may_have_effect(value):
                continue
            case st.Reason() | st.Announce():
                continue
            case st.For(body=body) if not any(map(may_have_effect, st.expressions(node))):
                left = _without(body, read)
                if left:
                    found.append(replace(node, body=left))
            case _:
                found.append(st.rebuilt(node, lambda part: part, lambda inner: _without(inner, read)))
    return tuple(found)


def _without_locals(block: st.Block, used: set[str]) -> st.Block:
    found: list[st.Statement] = []
    for node in block:
        match node:
            case st.Assign(local=local, value=value) if local.name not in used and not may_have_effect(value):
                continue
            case _:
                found.append(st.rebuilt(node, lambda part: part, lambda inner: _without_locals(inner, used)))
    return tuple(found)
