"""Seats and options for checked rules: the defaults, and the errors in a choice."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from difflib import get_close_matches

from dsl.checker.types.type_declarations import NOTHING_WORDS
from dsl.text.nouns import counted_range
from dsl.text.visible import brief
from dsl.types import PLAYER, Listed, bare
from interpreter.errors import OptionError, PlayersError
from interpreter.layout.cells import plan
from interpreter.loading.rules import Rules


def choose_seats(rules: Rules, players: int | Sequence[str] | None) -> tuple[str, ...]:
    """Choose the seats that play, in the order of the file. Raises PlayersError."""
    header = rules.model.file.header
    chosen = header.fewest if players is None else players
    named = () if isinstance(chosen, int) else chosen
    for seat in named:
        if seat not in header.seats:
            raise PlayersError(f"`{rules.name}` has no seat `{seat}`{_hint(seat, header.seats)}")
    count = chosen if isinstance(chosen, int) else len(chosen)
    if not header.fewest <= count <= header.most:
        allowed = counted_range(header.fewest, header.most, "player")
        raise PlayersError(f"`{rules.name}` is for {allowed}, not {brief(count)}")
    if isinstance(chosen, int):
        return header.seats[:chosen]
    if len(set(chosen)) != len(chosen):
        raise PlayersError("a seat is named twice")
    return tuple(seat for seat in header.seats if seat in chosen)


def choose_options(rules: Rules, options: Mapping[str, str], seats: Sequence[str]) -> dict[str, str]:
    """Complete the options, in words; a default seat that does not play is replaced by the first that does.

    Raises OptionError.
    """
    known = rules.model.options
    chosen: dict[str, str] = {}
    for name, symbol in known.items():
        absent = bare(symbol.type) == PLAYER and symbol.default in rules.model.seats and symbol.default not in seats
        chosen[name] = seats[0] if absent else symbol.default
    for name, value in options.items():
        if name not in known:
            raise OptionError(f"`{rules.name}` has no option `{name}`{_hint(name, known)}")
        text, values = value, known[name].values
        if bare(known[name].type) == PLAYER:
            values = tuple(value for value in values if value in seats or value not in rules.model.seats)
        if text not in values:
            text = next((value for value in values if value.replace(" ", "") == text.replace(" ", "")), text)
        if text not in values:
            raise OptionError(f"option `{name}` must be {_one_of(values)}, not `{text}`")
        chosen[name] = text
    _fit_to_board(rules, seats, chosen, options)
    return chosen


def _fit_to_board(rules: Rules, seats: Sequence[str], chosen: dict[str, str], given: Mapping[str, object]) -> None:
    """Check that places among the options exist with the board's alternatives that the options choose.

    A default that does not exist is replaced by the first value that does. Raises OptionError for a given value that
    does not exist.
    """
    model = rules.model
    layout = plan(model, tuple(seats), chosen)
    for name, symbol in model.options.items():
        type_ = bare(symbol.type)
        places = model.type_symbols.get(type_.name) if isinstance(type_, Listed) else None
        if places is None or not places.rows:
            continue
        existing = [str(places.members[position]) for position in places.rows[layout.choice].present]
        words = [value for value in symbol.values if value in existing or value in NOTHING_WORDS]
        words += ["random"] if symbol.by_chance and existing else []
        if chosen[name] in words:
            continue
        if words and name not in given:
            chosen[name] = words[0]
            continue
        choices = zip(model.chosen.values(), layout.choice, strict=True)
        chosen_words = " and ".join(f"`{node.name}` is {word}" for node, word in choices)
        when = f" when {chosen_words}" if chosen_words else ""
        if not words:
            raise OptionError(f"option `{name}` has no possible value: the board has no `{places.name}`{when}")
        raise OptionError(f"option `{name}` must be {_one_of(words)}{when}, not `{chosen[name]}`")


def _hint(name: str, known: Sequence[str] | Mapping[str, object]) -> str:
    close = get_close_matches(name, known, n=3, cutoff=0.5)
    return f"; did you mean {' or '.join(close)}?" if close else f"; it has {', '.join(known) or 'none'}"


def _one_of(values: Sequence[str]) -> str:
    """List the alternatives: `a`, `a or b`, `a, b or c`."""
    *others, last = values
    return f"{', '.join(others)} or {last}" if others else last
