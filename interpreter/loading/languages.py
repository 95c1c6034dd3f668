"""Reading the words of a game for people who play it in another language."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from pathlib import Path

from dsl import ast
from dsl.diagnostics import Diagnostic
from dsl.syntax import Parse, parse, read_source
from dsl.text.files import Unreadable, files_in, has_suffix, is_file, read_file
from dsl.text.variant_files import HEAD, name_of
from interpreter.errors import LanguageError
from interpreter.wording.phrases import Phrase


def read_languages(
    rules: Path, languages: Sequence[str], display: Sequence[str], first_number: int, parse: Parse = parse
) -> tuple[list[ast.Names], list[Diagnostic]]:
    """Read the words of a game in some of its languages, shown to users by these names; and all diagnostics."""
    files, words, diagnostics = languages_of(rules), list[ast.Names](), list[Diagnostic]()
    for language, display_name in zip(languages, display, strict=True):
        source = read_source(files[language], display_name)
        if isinstance(source, Diagnostic):
            diagnostics.append(source)
            continue
        tree, more = parse(source, first_number)
        diagnostics += more
        if isinstance(tree, ast.NamesFile):
            first_number = tree.number + 1
            words.append(tree.names)
            if (tree.names.language, tree.game) != (language, name_of(rules)):
                first_line = f"names {language} of {name_of(rules)}:"
                message = f"the name of this file says that it begins with `{first_line}`"
                diagnostics.append(Diagnostic("E0199", "error", message, tree.names.span))
        elif not more and tree is not None:
            message = f"this file has no words: it does not begin with `names {language} of {name_of(rules)}:`"
            diagnostics.append(Diagnostic("E0199", "error", message, tree.span))
    return words, diagnostics


def no_language(game: str, language: str, available: Collection[str]) -> LanguageError:
    """The error for a language that a game does not have."""
    names = ", ".join(sorted(available)) or Phrase("only those of its rules")
    return LanguageError(
        Phrase(
            "`{game}` has no words in `{language}`; it has {languages}", game=game, language=language, languages=names
        )
    )


# ---- Files of languages, found by their names and recognised by their first line, before they are parsed


SUFFIX = ".rules"
FOLDER = "languages"
"""The folder beside a game that contains its languages."""

_LANGUAGE = re.compile(r"[A-Za-z]{2,8}(?:_[A-Za-z0-9]{1,8})*")

_HEAD = re.compile(r"(?:[ \t]*(?:#[^\n]*)?\r?\n)*[ \t]*names[ \t]+\w+[ \t]+of[ \t]+(\w+)")


def languages_of(rules: Path) -> dict[str, Path]:
    """The files of the languages of a game, by language: `languages/NAME.LANGUAGE.rules` beside it."""
    folder, prefix = rules.parent / FOLDER, f"{name_of(rules)}."
    files: dict[str, Path] = {}
    for path in files_in(folder, SUFFIX, prefix):
        language = path.name.removeprefix(prefix).removesuffix(SUFFIX)
        if _LANGUAGE.fullmatch(language) and path.resolve().is_relative_to(rules.parent.resolve()):
            files[language] = path
    return files


def game_of(path: Path) -> Path | None:
    """The rules file of the game that a file of a language belongs to; None if it is no such file."""
    try:
        text = read_file(path, HEAD).decode("utf-8-sig", "replace") if has_suffix(path, SUFFIX) else ""
    except (Unreadable, ValueError):
        return None
    match = _HEAD.match(text)
    rules = path.absolute().parent.parent / f"{match[1]}{SUFFIX}" if match else None
    return rules if rules is not None and is_file(rules) else None
