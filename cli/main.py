"""The command line: `regelwerk VERB …`. Only the module of the verb that is called is imported."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import MISSING, fields
from functools import partial
from importlib import import_module
from inspect import Parameter, Signature
from itertools import zip_longest
from typing import Annotated, Any, get_type_hints

import typer
from typer.core import TyperCommand, TyperGroup

from cli.errors import guarded, suggestion
from cli.render.echo import echo
from cli.verbs import EXAMPLES, MODULES, VERBS
from dsl.text.numbers import whole_number
from interpreter.version import __version__

COMPLETING = "_REGELWERK_COMPLETE"
"""The environment variable by which a shell asks for completions."""

OPENING = frozenset({"play"})
"""Verbs that take more than a moment before they show anything."""

Typed = Any
"""Commands, contexts and formatters of the command-line library, whose classes moved from one version to another."""


OPTIONAL_VALUES = frozenset({"--resume"})
"""Flags whose value may be omitted, and then is empty; the command-line library does not support this."""


TEXTS = (str, str | None, list[str], list[str] | None)
"""Types of parameters whose values are what was typed."""

NUMBERS = (int, int | None)


class Verb(TyperCommand):
    """One verb, whose flags may include some with an optional value."""

    types: Mapping[str, object]
    """The types of the parameters by name."""

    def parse_args(self, ctx: Typed, args: list[str]) -> list[str]:
        """Parse the arguments, with an empty value for such a flag at the end or before another flag."""
        completed = [
            f"{word}=" if word in OPTIONAL_VALUES and (not following or following.startswith("-")) else word
            for word, following in zip_longest(args, args[1:], fillvalue="")
        ]
        _spare_conversions(self.get_params(ctx), self.types)
        return super().parse_args(ctx, completed)


class VerbGroup(TyperGroup):
    """The verbs, each imported when it is called, with every error turned into one message and an exit code."""

    completing: Sequence[str] = ()

    def parse_args(self, ctx: Typed, args: list[str]) -> list[str]:
        """Parse the arguments before the verb."""
        _spare_conversions(self.get_params(ctx), {})
        return super().parse_args(ctx, args)

    def main(
        self,
        args: Sequence[str] | None = None,
        prog_name: str | None = "regelwerk",
        complete_var: str | None = None,
        standalone_mode: bool = True,
        windows_expand_args: bool = True,
        **extra: Any,
    ) -> Any:
        """Run one command line; the exit code goes to the system or, outside standalone mode, back to the caller."""

        def verb() -> object:
            run = super(VerbGroup, self).main
            return run(args, prog_name or "regelwerk", complete_var, False, windows_expand_args, **extra)

        code = guarded(verb)
        if standalone_mode:
            sys.exit(code)
        return code

    def list_commands(self, ctx: Typed) -> list[str]:
        """The names of the verbs."""
        return list(VERBS)

    def get_command(self, ctx: Typed, cmd_name: str) -> Typed:
        """Import a verb; None if there is no such verb."""
        if cmd_name not in VERBS:
            return None
        if cmd_name not in self.commands:
            self.add_command(_command(cmd_name), cmd_name)
        return self.commands[cmd_name]

    def resolve_command(self, ctx: Typed, args: list[str]) -> Typed:
        """Find the verb that a command line calls, with the rest of the line; none while a shell completes words."""
        if ctx.resilient_parsing:
            self.completing = args
            return None, None, args
        if self.get_command(ctx, args[0]) is None and not args[0].startswith("-"):
            ctx.fail(f"there is no verb `{args[0]}`{suggestion(args[0], VERBS)}")
        return super().resolve_command(ctx, args)

    def shell_complete(self, ctx: Typed, incomplete: str) -> Typed:
        """The words that can come next, for a shell; no verb is imported for this."""
        from cli.completion import candidates  # start-up of the verbs, which complete nothing

        return candidates(self.completing, incomplete)

    def format_commands(self, ctx: Typed, formatter: Typed) -> None:
        """List the verbs in the help text without importing them."""
        with formatter.section("Verbs"):
            formatter.write_dl(list(VERBS.items()))


def _spare_conversions(parameters: Sequence[Typed], types: Mapping[str, object]) -> None:
    """Let the library convert only what is rare or wrong: to turn a text into a text or a number it imports pydantic.

    That takes 0.1 s, as long as the rest of a short verb.
    """
    for parameter in parameters:
        parameter.process_value = partial(_processed, parameter, parameter.process_value, types.get(parameter.name))


def _processed(
    parameter: Typed, process: Callable[[Typed, object], object], kind: object, ctx: Typed, value: object
) -> object:
    """The value of a parameter, converted by the library unless it has its type already or is a number in its range."""
    if kind in NUMBERS and isinstance(value, str):
        number = whole_number(value)
        value = number if number is not None and _allows(parameter, number) else value
    is_converted = kind in TEXTS or not isinstance(value, str | list | tuple)
    if not is_converted or (parameter.required and parameter.value_is_missing(value)):
        return process(ctx, value)
    return value if parameter.callback is None else parameter.callback(ctx, parameter, value)


def _allows(parameter: Typed, number: int) -> bool:
    return (parameter.min is None or number >= parameter.min) and (parameter.max is None or number <= parameter.max)


def _command(verb: str) -> Typed:
    """Import the module of a verb and build the command from its function."""
    _say_soon(verb)
    function: Callable[..., None] = getattr(import_module(MODULES.get(verb, f"cli.verbs.{verb}")), verb)
    flags = get_type_hints(function).get("flags")
    if isinstance(flags, type):
        function = _with_flags(function, flags)
    single = typer.Typer(add_completion=False, rich_markup_mode=None, pretty_exceptions_enable=False)
    single.command(verb, cls=Verb, epilog=_below(EXAMPLES[verb]))(function)
    command: Typed = typer.main.get_command(single)
    command.types = get_type_hints(function)
    return command


def _with_flags(function: Callable[..., None], flags: type[Any]) -> Callable[..., None]:
    """The function of a verb that takes its flags as one object, as a function with a parameter for each field."""

    def call(**values: object) -> None:
        function(flags(**values))

    hints = get_type_hints(flags, include_extras=True)
    parameters = [
        Parameter(
            field.name, Parameter.KEYWORD_ONLY, annotation=hints[field.name],
            default=Parameter.empty if field.default is MISSING else field.default,
        )
        for field in fields(flags)
    ]  # fmt: skip
    call.__signature__ = Signature(parameters)  # type: ignore[attr-defined]
    call.__annotations__, call.__doc__ = hints, function.__doc__
    return call


def _say_soon(verb: str) -> None:
    """Before the slow imports of a verb that opens a screen on a terminal, say that something is about to come."""
    if verb in OPENING and sys.stdout.isatty() and not {"-h", "--help"} & {*sys.argv}:
        echo(f"regelwerk {verb} …")
        sys.stdout.flush()


def _below(examples: Sequence[str]) -> str:
    """Command lines at the end of a help text, one per line."""
    return "\n".join(["\b", "Examples:", *(f"  {line}" for line in examples)])


app = typer.Typer(
    name="regelwerk",
    cls=VerbGroup,
    help="A language for the rules of tabletop games: play them, test them, look inside.",
    epilog="GAME is a name (see `regelwerk games`) or the path of a .rules file.\n\n"
    + _below(("regelwerk play GAME", "regelwerk help play")),
    subcommand_metavar="VERB [ARGS]...",
    add_completion=True,
    no_args_is_help=True,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


@app.callback(invoke_without_command=True)
def common(
    version: Annotated[bool, typer.Option("--version", help="Show the version and exit.", is_eager=True)] = False,
) -> None:
    """A language for the rules of tabletop games: play them, test them, look inside."""
    if version:
        echo(f"regelwerk {__version__}")
        raise typer.Exit


def main() -> None:
    """The entry point of the installed command; a shell that completes words calls it, too."""
    if COMPLETING in os.environ:
        import_module("typer.completion").completion_init()
        VerbGroup(name="regelwerk", add_help_option=False)()  # typer imports slow modules for flags
    app()


if __name__ == "__main__":
    main()
