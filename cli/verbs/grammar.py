"""`grammar`: print the grammar of the language for programs that write rules."""

from __future__ import annotations

from typing import Annotated

import typer

from cli.errors import MisuseError
from cli.render.echo import echo
from dsl.grammars import NOTATIONS, Notation, character_grammar, printed


def grammar(
    notation: Annotated[
        str, typer.Option("--format", metavar="|".join(NOTATIONS), help="The notation of the grammar.")
    ] = "gbnf",
) -> None:
    """Print the grammar of the language for programs that write rules.

    Every text that it produces can be parsed. gbnf is read by llama.cpp and XGrammar, ebnf is the notation of the W3C,
    lark is read by llguidance and by Lark's Earley parser. Lines are indented as `fmt` does; comments are left out.
    """
    for line in printed(character_grammar(), _notation(notation)).splitlines():
        echo(line)


def _notation(word: str) -> Notation:
    for notation in NOTATIONS:
        if word == notation:
            return notation
    raise MisuseError(f"--format must be gbnf, ebnf or lark, not {word}")
