"""The functions of a module that passes rewrite."""

from __future__ import annotations

from interpreter.compiler.ir.module import Function, Module


def functions(module: Module) -> list[Function]:
    """All functions and blocks of a module."""
    return [*module.functions.values(), *module.blocks.values()]
