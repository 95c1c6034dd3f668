"""What the page has before Python is there: the games that can be started from, and its phrases in all languages."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

from dsl.text.files import JsonObject
from dsl.text.folders import SUFFIX, shipped_folder
from interpreter.loading.game_files import files_of_game
from interpreter.loading.game_heads import by_family, game_head
from interpreter.loading.languages import languages_of
from interpreter.wording.phrases import catalogue_languages
from interpreter.wording.words import Words
from web.session import phrases_in, translations

ENGLISH = "en"


def texts(sources: list[str]) -> str:
    """By language, the translations of the phrases in the sources of the page, and the titles of the games: as JSON."""
    phrases = sorted({phrase for source in sources for phrase in phrases_in(source)})
    return json.dumps(
        {
            language: {
                "phrases": translations(Words(language=None if language == ENGLISH else language), phrases),
                "games": list(_titles(language)),
            }
            for language in (ENGLISH, *sorted(catalogue_languages()))
        }
    )


def games() -> str:
    """By name, the path of a game's rules, and all its files by path: as JSON."""
    folder = shipped_folder()
    return json.dumps(
        {
            path.stem: {
                "rules": path.name,
                "files": {
                    file.relative_to(folder).as_posix(): file.read_text("utf-8").replace("\r\n", "\n")
                    for file in files_of_game(path)
                },
            }
            for path in _rules()
        }
    )


def _titles(language: str) -> Iterator[JsonObject]:
    heads = [(path.stem, game_head(path, languages_of(path).get(language))) for path in _rules()]
    for family, members in by_family(heads):
        for name, head in sorted(members, key=lambda entry: entry[1].title.casefold()):
            yield {"name": name, "title": head.title, "sentence": head.sentence, "family": family}


def _rules() -> list[Path]:
    return sorted(path for path in shipped_folder().glob(f"*{SUFFIX}") if game_head(path) is not None)
