"""A game in full: what it is about, its players, options, variants, languages and board."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from rich.console import RenderableType
from rich.text import Text

from cli.render.pieces import Hanging
from dsl.boards import Board
from dsl.diagnostics import RulesError
from dsl.text.cells import padded
from dsl.text.files import JsonObject
from dsl.text.nouns import choice_of, counted
from dsl.text.variant_files import FoundVariant
from interpreter.loading.game_heads import texts_in
from interpreter.loading.languages import languages_of
from interpreter.loading.rules import load_rules
from interpreter.loading.variants import variants_of
from interpreter.wording.words import OWN, words_in

ORIGINS = {
    "here": "this folder",
    "user": "your games folder",
    "shipped": "comes with Regelwerk",
    "path": "given by path",
}
HEAD = 11
"""The width of the column of headings."""


def entry_of(name: str, origin: str, path: Path, language: str | None = None) -> JsonObject:
    """One game as plain data; for a game with errors, their number."""
    game_variants = variants_of(path.absolute())
    entry: JsonObject = {"name": name, "origin": origin, "path": str(path), "languages": sorted(languages_of(path))}
    try:
        rules = load_rules(path, language=language)
    except RulesError as fault:
        errors = sum(1 for diagnostic in fault.diagnostics if diagnostic.severity == "error")
        variants = [_variant(variant, None) for variant in game_variants]
        return entry | {
            "variants": variants, "title": None, "sentence": None, "family": None, "designer": None, "minutes": None,
            "players": None, "seats": [], "options": [], "board": None, "errors": errors,
        }  # fmt: skip
    header, declared_options = rules.model.file.header, rules.model.options.values()
    words, about = words_in(rules.model.words, language or OWN), header.about
    minutes = None if about is None or about.minutes is None else about.minutes
    options = [
        {
            "name": option.name, "values": list(option.values), "default": option.default,
            "sentence": words.text(option.declaration.sentence),
            "texts": {text.value: words.text(text.text) for text in option.declaration.texts},
        }
        for option in declared_options
    ]  # fmt: skip
    variants = [_variant(variant, language) for variant in game_variants]
    return entry | {
        "variants": variants,
        "title": words.text(header.title.value),
        "sentence": words.text(about.sentence) if about is not None else "",
        "family": words.text(about.family) if about is not None else "",
        "designer": about.designer if about is not None else "",
        "minutes": None if minutes is None else {"fewest": minutes[0], "most": minutes[1]},
        "players": {"fewest": header.fewest, "most": header.most, "numbers": list(header.counts)},
        "seats": list(header.seats),
        "options": options,
        "board": _board(rules.model.board),
        "errors": 0,
    }


def _variant(variant: FoundVariant, language: str | None) -> dict[str, str]:
    texts = {} if language is None else texts_in(variant.path, language)
    title, sentence = (texts.get(text, text) for text in (variant.title, variant.sentence))
    return {"name": variant.name, "title": title, "path": str(variant.path), "sentence": sentence}


def spans(values: list[str]) -> list[str]:
    """Describe values, with runs of whole numbers as ranges."""
    parts: list[str] = []
    run: list[str] = []
    for value in [*values, ""]:
        if run and value.isdecimal() and int(value) == int(run[-1]) + 1:
            run.append(value)
            continue
        parts += [f"{run[0]} to {run[-1]}"] if len(run) > 2 else run
        run = [value] if value.isdecimal() else []
        parts += [value] if value and not run else []
    return parts


def _board(board: Board | None) -> JsonObject | None:
    if board is None:
        return None
    return {"name": board.name, "reconstruction": board.reconstruction, "note": board.note}


def lines_of(entry: JsonObject) -> Iterator[RenderableType]:
    """Render a game."""
    origin = ORIGINS.get(entry["origin"], entry["origin"])
    if entry["errors"]:
        number = counted(entry["errors"], "error")
        yield Text.assemble((entry["name"], "bold"), (f"  has {number}: regelwerk check {entry['path']}", "bright_red"))
        return
    yield Text.assemble((entry["name"], "bold"), f"  {entry['title']}", (f"  ({origin})", "dim"))
    if entry["sentence"]:
        yield Hanging(Text("  "), Text(entry["sentence"]))
    for fact in ("family", "designer"):
        if entry[fact]:
            yield _line(fact, Text(entry[fact]))
    yield _line("players", Text(f"{choice_of(entry['players']['numbers'])}: {', '.join(entry['seats'])}"))
    if entry["minutes"] is not None:
        yield _line("minutes", Text(_span(entry["minutes"])))
    for index, option in enumerate(entry["options"]):
        yield from _option(option, "options" if index == 0 else "")
    for index, variant in enumerate(entry["variants"]):
        yield _line("variants" if index == 0 else "", Text(f"{variant['name']}: {variant['title']}"))
        yield from _below(variant["sentence"])
    if entry["languages"]:
        yield _line("languages", Text(", ".join(entry["languages"])))
    if entry["board"] is not None:
        board = entry["board"]
        yield _line("board", Text(f"{board['name']}, a reconstruction" if board["reconstruction"] else board["name"]))
        yield from _below(board["note"] or "")


def _option(option: JsonObject, head: str) -> Iterator[RenderableType]:
    """An option: its values, its sentence, what values mean."""
    others = spans([value for value in option["values"] if value != option["default"]])
    more = (f", or {', '.join(others)}", "dim")
    yield _line(head, Text.assemble(f"{option['name']} = ", (option["default"], "bold"), more))
    yield from _below(option["sentence"])
    for value, text in option["texts"].items():
        yield Hanging(Text(" " * (HEAD + 2)), Text(f"{value}: {text}", style="dim"))


def _line(head: str, text: Text) -> RenderableType:
    return Hanging(Text(padded(f"  {head} ", HEAD)), text)


def _below(text: str) -> Iterator[RenderableType]:
    if text:
        yield Hanging(Text(" " * HEAD), Text(text, style="dim"))


def _span(numbers: dict[str, int]) -> str:
    least, most = numbers["fewest"], numbers["most"]
    return str(least) if least == most else f"{least} to {most}"
