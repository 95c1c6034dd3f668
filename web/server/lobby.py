"""What the lobby shows: the games, what can be chosen for a table of one of them, and the words of the lobby itself.

Each person reads it in a language of their own, as far as the games and Regelwerk speak it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from dsl.text.files import JsonObject
from dsl.text.folders import SUFFIX
from dsl.text.visible import brief
from interpreter.errors import RegelwerkError, UsageError
from interpreter.loading.custom_board import boards_for
from interpreter.loading.game_heads import GameHead, by_family, game_head, texts_in
from interpreter.loading.game_library import all_games
from interpreter.loading.languages import languages_of
from interpreter.loading.rules import Rules, load_rules
from interpreter.loading.variants import variants_of
from interpreter.opponents.specs import KINDS
from interpreter.play.game import WATCHING, seat_game
from interpreter.seat.views.model import plain_data
from interpreter.wording.phrases import Phrase, catalogue_languages, duration, number_of_players
from interpreter.wording.words import OWN, Words, words_in
from web.scene import board_shown, scene_of, seats_shown
from web.session import phrases_of_page, translations

ENGLISH = "en"
PREVIEW_SEED = 1
"""The game of which the lobby shows the beginning: always the same."""


def words_of_lobby(preferred: str) -> JsonObject:
    """The words of the lobby in the language that a person would like best, and the languages it speaks."""
    language = _spoken(preferred)
    words = Words(language=language or None)
    return {
        "language": language or ENGLISH,
        "languages": sorted({ENGLISH, *catalogue_languages()}),
        "phrases": translations(words, phrases_of_page()),
    }


def games_listed(preferred: str) -> list[JsonObject]:
    """The games that can be played here, as they describe themselves, family by family."""
    language = _spoken(preferred)
    words = Words(language=language or None)
    heads = [(game, game_head(game.path, languages_of(game.path).get(language))) for game in all_games()]
    return [
        {
            "name": game.name, "title": head.title, "sentence": head.sentence, "counts": head.counts,
            "facts": _facts(head, words), "family": family,
        }
        for family, members in by_family(heads)
        for game, head in sorted(members, key=lambda entry: entry[1].title.casefold())
    ]  # fmt: skip


def _facts(head: GameHead, words: Words) -> str:
    """How many play, and how long: `2 to 4 players, 20 to 40 minutes`."""
    facts = [number_of_players(head.counts), *([duration(*head.minutes)] if head.minutes is not None else [])]
    return ", ".join(words.phrase(fact) for fact in facts)


def details(path: Path, preferred: str, variants: Sequence[str]) -> JsonObject:
    """What can be chosen for a table of a game with variants, in words, and how the table looks at the beginning.

    Raises RulesError, VariantError.
    """
    language = _spoken(preferred)
    rules = load_rules(path, variants=[named_variant(name) for name in variants], every_language=True)
    words, header = words_in(rules.model.words, language or OWN), rules.model.file.header
    about = header.about
    return {
        "name": path.name.removesuffix(SUFFIX),
        "title": words.text(header.title.value),
        "sentence": words.text(about.sentence) if about is not None else "",
        "seats": list(header.seats),
        "words": {seat: words.name(seat) for seat in header.seats},
        "counts": header.counts,
        "options": list(_options(rules, words)),
        "variants": list(_variants(path, language)),
        "boards": list(_boards(rules)),
        "bots": list(KINDS),
        "preview": _preview(rules, words),
    }


def named_variant(name: str) -> str:
    """A variant by its name, and never by a path. Raises UsageError."""
    if not name.replace("_", "").isalnum():
        raise UsageError(Phrase("{variant} is no name of a variant", variant=brief(name)))
    return name


def _spoken(preferred: str) -> str:
    """A language that Regelwerk speaks, empty for English."""
    return preferred if preferred in catalogue_languages() else ""


def _options(rules: Rules, words: Words) -> Iterator[JsonObject]:
    for option in rules.model.options.values():
        texts = {text.value: words.text(text.text) for text in option.declaration.texts}
        yield {
            "name": option.name,
            "words": words.heading(option.name),
            "sentence": words.text(option.declaration.sentence),
            "values": list(option.values),
            "texts": {value: _value_in_words(value, texts.get(value, ""), words) for value in option.values},
            "default": option.default,
        }


def _value_in_words(value: str, text: str, words: Words) -> str:
    name = {"true": words.phrase("yes"), "false": words.phrase("no")}.get(value) or words.name(value)
    return f"{name}: {text}" if text else name


def _variants(path: Path, language: str) -> Iterator[JsonObject]:
    for variant in variants_of(path.absolute()):
        texts = texts_in(variant.path, language) if language else {}
        title, sentence = (texts.get(text, text) for text in (variant.title, variant.sentence))
        yield {"name": variant.name, "title": title, "sentence": sentence}


def _boards(rules: Rules) -> Iterator[JsonObject]:
    """The board that the rules name, and those that can be played on instead; none if there is no choice."""
    others = boards_for(rules.path, rules.model.board) if rules.model.board is not None else {}
    if others and rules.model.board is not None:
        yield {"name": "", "title": rules.model.board.name}
        for name, board in others.items():
            yield {"name": name, "title": f"{board.title} ({name})"}


def _preview(rules: Rules, words: Words) -> JsonObject | None:
    """The board at the beginning, as spectators see it; None for a game without one, or whose setup fails."""
    game = seat_game(rules, list(rules.model.file.header.seats[: rules.model.file.header.fewest]), {})
    try:
        view = replace(game.in_words(words.language or OWN).start(PREVIEW_SEED).view(WATCHING), question=None)
    except RegelwerkError:
        return None
    board = board_shown(view, words)
    if board is None:
        return None
    colours = {seat.seat: seat.colour for seat in seats_shown(game.seats, words)}
    preview: JsonObject = {
        "board": plain_data(board), "contents": plain_data(scene_of(view, (), words).contents), "colours": colours,
    }  # fmt: skip
    return preview
