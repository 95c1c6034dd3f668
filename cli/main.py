"""The command line: `regelwerk VERB …`. Each verb is a file in `cli/verbs`; nothing slow to load is imported here."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import Annotated, Any

import typer
from typer.core import TyperGroup

from cli.errors import guarded
from cli.render.screen import echo
from cli.verbs import check, diff, explain, fmt, games, parse, perft, play, simulate, test, trace, why


class Verbs(TyperGroup):
    """The verbs, with every error turned into one message and an exit code."""

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
            run = super(Verbs, self).main
            return run(args, prog_name or "regelwerk", complete_var, False, windows_expand_args, **extra)

        code = guarded(verb)
        if standalone_mode:
            sys.exit(code)
        return code


app = typer.Typer(
    name="regelwerk",
    cls=Verbs,
    help="A language for the rules of tabletop games: play them, test them, look inside.",
    epilog="GAME is a name (see `regelwerk games`) or the path of a .rules file.",
    add_completion=False,
    no_args_is_help=True,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


@app.callback(invoke_without_command=True)
def common(
    version: Annotated[bool, typer.Option("--version", help="Show the version and stop.", is_eager=True)] = False,
) -> None:
    """A language for the rules of tabletop games: play them, test them, look inside."""
    if version:
        from cli.version import version as number

        echo(f"regelwerk {number()}")
        raise typer.Exit


app.command("games")(games.games)
app.command("play")(play.play)
app.command("check")(check.check)
app.command("explain")(explain.explain)
app.command("fmt")(fmt.fmt)
app.command("parse")(parse.parse)
app.command("test")(test.test)
app.command("trace")(trace.trace)
app.command("why")(why.why)
app.command("diff")(diff.diff)
app.command("simulate")(simulate.simulate)
app.command("perft")(perft.perft)


def main() -> None:
    """The entry point of the installed command."""
    app()


if __name__ == "__main__":
    main()
