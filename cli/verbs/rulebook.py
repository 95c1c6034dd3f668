"""`rulebook GAME`: write a rulebook to play from, as Markdown or as a page, or list what has no words of its own."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from cli.arguments import GameName, Json, Language, Players, Variants, read_players, rules_file, wants_json
from cli.errors import DONE, WRONG, MisuseError, Stop
from cli.html.rulebook import KIND, rulebook_page
from cli.html.standalone import replaceable_path
from cli.json_output import emit
from cli.output_files import in_writable_folder, output_file, write_shared
from cli.render.echo import echo
from interpreter.authoring.rulebook.book import Picture, Rulebook
from interpreter.authoring.rulebook.building import rulebook_of
from interpreter.authoring.rulebook.markdown import markdown_of
from interpreter.authoring.rulebook.written import wordless
from interpreter.loading.rules import Rules, load_rules
from interpreter.wording.phrases import Phrase
from interpreter.wording.words import OWN, words_in

PAGES = (".html", ".htm")
"""The endings of files that are written as pages."""


def rulebook(
    game: GameName,
    output: Annotated[
        str | None, typer.Option("--output", metavar="FILE", help="Write to a file; .html is written as a page.")
    ] = None,
    html: Annotated[bool, typer.Option("--html", help="Write a page to be printed, not Markdown.")] = False,
    check: Annotated[
        bool, typer.Option("--check", help="List the declarations that have no words of their own.")
    ] = False,
    players: Players = None,
    variant: Variants = None,
    language: Language = None,
    form: Json = "text",
) -> None:
    """Write a rulebook to play from, as Markdown or as a page.

    It has the components by number of players, the setup, the course of a turn, each action with its conditions, the
    scoring with worked examples, options, variants and an index. The author's words come first: lines that begin with
    ## above a declaration, items of the printed rulebook, reasons. What has none is described from the rules.

    With --check, what has no words of its own is listed; exit code 1 if there is anything.
    """
    json = wants_json(form)
    if json and not check:
        raise MisuseError(Phrase("--format json needs --check"))
    if check and (output is not None or html):
        raise MisuseError(Phrase("--check writes no rulebook; omit --output and --html"))
    seats = read_players(players)
    target = None if output is None else _target(output, html)
    rules = load_rules(rules_file(game), examples=True, variants=variant or (), language=language)
    if check:
        _check(rules, language, json=json)
    book = rulebook_of(rules, seats, language)
    if target is None:
        echo((rulebook_page(book) if html else markdown_of(book)).rstrip())
        return
    size = _written(book, target, is_page=html or target.suffix.lower() in PAGES)
    words = words_in(rules.model.words, language or OWN)
    echo(words.phrase("{path}: {kilobytes} KB", path=output, kilobytes=max(1, round(size / 1000))))


def _target(output: str, html: bool) -> Path:
    """The file to write. Raises MisuseError, CommandError."""
    if html or Path(output).suffix.lower() in PAGES:
        return replaceable_path(output, "--output", KIND, Phrase("rulebook"))
    return in_writable_folder(output_file(output, "--output"), "--output")


def _written(book: Rulebook, target: Path, *, is_page: bool) -> int:
    """Write the book, and the pictures of Markdown beside it; returns the number of bytes."""
    if is_page:
        return write_shared(target, rulebook_page(book).encode())
    sizes: list[int] = []

    def placed(picture: Picture, number: int) -> str:
        name = f"{target.stem}_{number}.svg"
        sizes.append(write_shared(target.with_name(name), (picture.svg + "\n").encode()))
        return f"![{picture.caption}]({name})"

    text = markdown_of(book, placed)
    return sum(sizes) + write_shared(target, text.encode())


def _check(rules: Rules, language: str | None, *, json: bool) -> None:
    """List what has no words of its own."""
    words = words_in(rules.model.words, language or OWN)
    entries = wordless(rules.model, words)
    if json:
        listed = [
            {"kind": str(entry.kind), "name": entry.name, "location": entry.span.location, "line": entry.span.line}
            for entry in entries
        ]
        emit("rulebook", {"game": rules.name, "wordless": listed})
        raise Stop(WRONG if entries else DONE)
    for entry in entries:
        kind = words.phrase(entry.kind)
        named = f"{kind} `{entry.name}`" if entry.name else kind
        echo(words.phrase("{location}: {named} has no words of its own", location=entry.span.location, named=named))
    if not entries:
        echo(words.phrase("everything has words of its own"))
    raise Stop(WRONG if entries else DONE)
