"""`compile GAME`: show what the rules of a game are compiled to, and how they were optimised."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated

import typer

from cli.arguments import GameName, Options, OwnBoard, Players, Variants, board_file, open_game, pairs, read_players
from cli.errors import MisuseError, suggestion
from cli.render.echo import echo
from cli.render.passes import explained, functions_of, names
from dsl.checker.recursion import room_for_recursion
from interpreter.compiler.ir.expression_text import ValueNames
from interpreter.compiler.ir.printing import function_text, module_text, with_locations
from interpreter.compiler.ir.types import PIECE_DOMAIN, PLACE_DOMAIN
from interpreter.compiler.machine.forms import UnprintableError
from interpreter.compiler.machine.listing import listing_name
from interpreter.compiler.machine.printing import print_rules
from interpreter.compiler.wasm import text
from interpreter.engine.build import cells, listing
from interpreter.engine.machine.games import rules_of
from interpreter.engine.program import Program
from interpreter.runtime.layout import Layout

FORMS = ("ir", "python", "machine")


def compile(
    game: GameName,
    form: Annotated[
        str | None,
        typer.Option(
            "--form",
            metavar="ir|python|machine",
            help="The intermediate representation (the default), Python, or the WebAssembly of the machine engine.",
        ),
    ] = None,
    only: Annotated[
        str | None,
        typer.Option(
            "--only", metavar="NAME", help="Show only the rule, definition, phase, zone or note of this name."
        ),
    ] = None,
    explain: Annotated[
        bool, typer.Option("--explain", help="Show instead which passes optimised which rules, or why not.")
    ] = False,
    without: Annotated[
        list[str] | None, typer.Option("--without", metavar="PASS", help="Compile without a pass; may be repeated.")
    ] = None,
    players: Players = None,
    option: Options = None,
    variant: Variants = None,
    board: OwnBoard = None,
) -> None:
    """Print what the rules of a game are compiled to.

    The result depends on the seats, the options and the board. The lines of the rules are quoted at the right, but not
    in WebAssembly.
    """
    if form is not None and form not in FORMS:
        raise MisuseError(f"--form must be ir, python or machine, not {form}")
    if form is not None and explain:
        raise MisuseError("--explain prints no code: omit --form")
    options = pairs(option, "--option", "NAME=VALUE")
    opened = open_game(game, read_players(players), options, board_file(board), variant)
    program = opened.without(*without or ()).program
    known_names = names(program)
    if only is not None and only not in known_names:
        raise MisuseError(f"`{opened.name}` has no rule or definition `{only}`{suggestion(only, known_names)}")
    if explain:
        lines = explained(program, only)
    elif form == "python":
        lines = python(program, only)
    elif form == "machine":
        lines = machine(program, only)
    else:
        lines = intermediate(program, only)
    for line in lines:
        echo(line)


# ---- what is printed


def intermediate(program: Program, only: str | None) -> Iterator[str]:
    """The lines of the intermediate representation."""
    named = value_names(program.layout)
    if only is None:
        yield from module_text(program.module, named).splitlines()
        return
    for function in functions_of(program, only):
        yield from function_text(function, named).splitlines()
        yield ""


def python(program: Program, only: str | None) -> Iterator[str]:
    """The lines of the generated Python."""
    if only is None:
        yield from (*cells(program.module), "")
    yield from with_locations(listing(functions_of(program, only)), quoted=True)


def machine(program: Program, only: str | None) -> Iterator[str]:
    """The lines of the module of the machine engine. Raises MisuseError."""
    with room_for_recursion():
        yield from list(_machine(program, only))


def _machine(program: Program, only: str | None) -> Iterator[str]:
    try:
        module = print_rules(rules_of(program)).module
    except UnprintableError as error:
        raise MisuseError(f"these rules have no machine form: it does not know {error}") from None
    if only is None:
        yield from text.module_text(module)
        return
    functions = functions_of(program, only)
    listing_names = {
        listing_name(rule_function.number) if rule_function.kind == "moves" else rule_function.name
        for rule_function in functions
    }
    printed = [function for function in module.functions if function.callee.name in listing_names]
    if not printed:
        raise MisuseError(
            f"`{only}` has no function of its own in the machine form: omit --only to see where it is used"
        )
    for function in printed:
        yield from text.function_text(module, function)
        yield ""


def value_names(layout: Layout) -> ValueNames:
    """The names of seats, pieces, places and the values of listed types."""
    listed: dict[tuple[str, int], str] = {}
    for name, symbol in layout.model.type_symbols.items():
        if name in layout.first_value:
            for position, number in layout.numbers(symbol).items():
                listed[layout.numbering_of(name), number] = str(symbol.members[position])

    def name_of(domain: str, value: int) -> str:
        if (domain, value) in listed:
            return listed[domain, value]
        if domain == PLACE_DOMAIN and value < len(layout.places):
            return layout.place_name(value)
        if domain == PIECE_DOMAIN and value < len(layout.pieces):
            return f"{layout.piece_name(value)} #{value}"
        return str(value)

    return name_of
