"""Seats and options for checked rules: the defaults, and the errors in a choice.

Each step needs the one before: an option whose value is a seat must name one of those that play, and an option that
chooses among the alternatives of a board decides which places there are for an option whose value is a place. Defaults
that do not exist in a game so chosen are replaced, values that somebody has given are refused.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from difflib import get_close_matches

from dsl.checker.types.type_declarations import NOTHING_WORDS
from dsl.text.nouns import runs
from dsl.text.numbers import whole_number
from dsl.text.visible import brief
from dsl.types import PLAYER, Listed, bare
from interpreter.errors import OptionError, PlayersError
from interpreter.loading.rules import Rules
from interpreter.runtime.layout import plan
from interpreter.wording.phrases import NONE, Phrase, all_of, alternatives, did_you_mean, number_of_players


def choose_seats(rules: Rules, players: int | Sequence[str] | None) -> tuple[str, ...]:
    """Choose the seats that play, in the order of the file. Raises PlayersError."""
    header = rules.model.file.header
    chosen = header.fewest if players is None else players
    named = () if isinstance(chosen, int) else chosen
    for seat in named:
        if seat not in header.seats:
            raise PlayersError(
                Phrase(
                    "`{game}` has no seat `{seat}`{hint}", game=rules.name, seat=seat, hint=_hint(seat, header.seats)
                )
            )
    count = chosen if isinstance(chosen, int) else len(chosen)
    if count not in header.counts:
        players = number_of_players(header.counts)
        raise PlayersError(
            Phrase("`{game}` is for {players}, not {count}", game=rules.name, players=players, count=brief(count))
        )
    if isinstance(chosen, int):
        return header.seats[:chosen]
    if len(set(chosen)) != len(chosen):
        raise PlayersError(Phrase("a seat is named twice"))
    return tuple(seat for seat in header.seats if seat in chosen)


def choose_options(rules: Rules, options: Mapping[str, str], seats: Sequence[str]) -> dict[str, str]:
    """Complete the options, in words; a default seat that does not play is replaced by the first that does.

    Raises OptionError.
    """
    declared = rules.model.options
    chosen: dict[str, str] = {}
    for name, symbol in declared.items():
        absent = bare(symbol.type) == PLAYER and symbol.default in rules.model.seats and symbol.default not in seats
        chosen[name] = seats[0] if absent else symbol.default
    for name, value in options.items():
        if name not in declared:
            raise OptionError(
                Phrase(
                    "`{game}` has no option `{option}`{hint}", game=rules.name, option=name, hint=_hint(name, declared)
                )
            )
        text, values = value, declared[name].values
        if bare(declared[name].type) == PLAYER:
            values = tuple(value for value in values if value in seats or value not in rules.model.seats)
        if text not in values:
            text = next((value for value in values if value.replace(" ", "") == text.replace(" ", "")), text)
        if text not in values:
            raise OptionError(
                Phrase(
                    "option `{option}` must be {values}, not `{value}`",
                    option=name, values=alternatives(_in_short(values)), value=text,
                )
            )  # fmt: skip
        chosen[name] = text
    _fit_to_board(rules, seats, chosen, options)
    return chosen


def _fit_to_board(rules: Rules, seats: Sequence[str], chosen: dict[str, str], options: Mapping[str, object]) -> None:
    """Check that places among the options exist with the board's alternatives that the options choose.

    A default that does not exist is replaced by the first value that does. Raises OptionError for a given value that
    does not exist.
    """
    model = rules.model
    layout = plan(model, tuple(seats), chosen)
    for name, symbol in model.options.items():
        type_ = bare(symbol.type)
        if not isinstance(type_, Listed):
            continue
        existing = [layout.name_of(type_, value) for value in layout.members(type_)]
        words = [value for value in symbol.values if value in existing or value in NOTHING_WORDS]
        words += ["random"] if symbol.by_chance and existing else []
        if chosen[name] in words:
            continue
        if words and name not in options:
            chosen[name] = words[0]
            continue
        choices = zip(model.chosen.values(), layout.choice, strict=True)
        settings = [Phrase("`{option}` is {value}", option=node.name, value=word) for node, word in choices]
        when = Phrase(" when {settings}", settings=all_of(settings)) if settings else ""
        if not words:
            raise OptionError(
                Phrase(
                    "option `{option}` has no possible value: the board has no `{place}`{when}",
                    option=name, place=type_.name, when=when,
                )
            )  # fmt: skip
        raise OptionError(
            Phrase(
                "option `{option}` must be {values}{when}, not `{value}`",
                option=name, values=alternatives(_in_short(words)), when=when, value=chosen[name],
            )
        )  # fmt: skip


def _hint(name: str, candidates: Sequence[str] | Mapping[str, object]) -> str:
    close = get_close_matches(name, candidates, n=3, cutoff=0.5)
    return did_you_mean(close) or Phrase("; it has {names}", names=", ".join(candidates) or NONE)


def _in_short(values: Sequence[str]) -> list[str]:
    """Values of an option, with three or more numbers in a row as `20..200`."""
    numbers = [number for value in values if (number := whole_number(value)) is not None]
    spans = [(least, most) for least, most in runs(sorted(numbers)) if most - least > 1]
    short: dict[str, None] = {}
    for value in values:
        number = whole_number(value)
        span = next((span for span in spans if number is not None and span[0] <= number <= span[1]), None)
        short[value if span is None else f"{span[0]}..{span[1]}"] = None
    return list(short)
