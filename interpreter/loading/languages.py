"""Reading the words of a game for people who play it in another language."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from pathlib import Path

from dsl import ast
from dsl.diagnostics import Diagnostic
from dsl.syntax import parse, read_source
from dsl.text.variant_files import name_of
from interpreter.errors import LanguageError
from interpreter.loading.language_files import languages_of
from interpreter.wording.phrases import Phrase


def read_languages(
    rules: Path, languages: Sequence[str], display: Sequence[str], first_number: int
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
