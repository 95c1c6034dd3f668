"""`rules GAME`: summarise the rules of a game, from its rules file."""

from __future__ import annotations

from dataclasses import asdict

from cli.arguments import GameName, Json, Language, Variants, rules_file, wants_json
from cli.json_output import emit
from cli.render.rules_summary import summary_lines
from cli.render.screen import screen, show
from interpreter.loading.rules import load_rules
from interpreter.seat.explain.rules_summary import rules_summary
from interpreter.wording.words import OWN, words_in


def rules(game: GameName, variant: Variants = None, language: Language = None, form: Json = "text") -> None:
    """Summarise the rules of a game: who wins, what players may do.

    Each action is listed with the reasons for which it is not allowed. Variants and languages of a game, and its
    options as `--option` takes them, are listed by `games GAME`.
    """
    json = wants_json(form)
    checked = load_rules(rules_file(game), variants=variant or (), language=language)
    words = words_in(checked.model.words, language or OWN)
    summary = rules_summary(checked.model, words.with_english_phrases() if json else words)
    if json:
        emit("rules", {"game": checked.name, "variants": list(checked.titles), **asdict(summary)})
        return
    show(screen(), *summary_lines(summary, words))
