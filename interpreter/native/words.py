"""Values as words: C that passes them on or takes them, and Python that reads and writes the same words.

A number is one word, a set as many as it has in C; before what may be none comes whether it is there, before the items
of a sequence how many there are.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count
from typing import Any

from interpreter.bitset import bits
from interpreter.native.forms import SCALAR, WORD, Forms, NotInC

NONE = -(1 << WORD - 1)
"""None, where numbers are words."""

MASK = (1 << WORD) - 1
_NUMBERS = count()


def words_of_form(forms: Forms, form: str) -> int:
    """The number of words of values of a C type. Raises NotInC if it varies."""
    kind, parts = _consisting(forms, form)
    match kind:
        case "number":
            return 1
        case "set":
            return forms.sets[form.partition("_")[2]]
        case "optional":
            return 1 + words_of_form(forms, parts[0])
        case "row":
            return sum(words_of_form(forms, part) for part in parts)
        case _:
            raise NotInC("moves with lists as arguments")


def _consisting(forms: Forms, form: str) -> tuple[str, tuple[str, ...]]:
    """What values of a C type are, and the C types that they consist of."""
    beginning, _, end = form.partition("_")
    if form == SCALAR:
        return "number", ()
    if form == "Q":
        return "sequence", (SCALAR,)
    if end in forms.sets:
        return ("set", ()) if beginning == "set" else ("optional", (f"set_{end}",))
    return forms.parts[form]


# ---------------------------------------------------------------- in C


def given_words(forms: Forms, form: str, value: str) -> str:
    """Statements that call `sink` with each word of a value."""
    kind, parts = _consisting(forms, form)
    match kind:
        case "number":
            return f"sink(to, (uint64_t){value});"
        case "set":
            end = form.partition("_")[2]
            return " ".join(f"sink(to, word_{end}({value}, {k}));" for k in range(forms.sets[end]))
        case "row":
            return " ".join(given_words(forms, part, f"{value}.f{number}") for number, part in enumerate(parts))
        case "optional":
            nothing = "sink(to, 0); " * words_of_form(forms, parts[0])
            there = given_words(forms, parts[0], f"{value}.v")
            return f"sink(to, {value}.there); if ({value}.there) {{ {there} }} else {{ {nothing}}}"
        case _:
            k = f"i{next(_NUMBERS)}"
            each = given_words(forms, parts[0], f"{value}.v[{k}]")
            return f"sink(to, (uint64_t){value}.n); for (int32_t {k} = 0; {k} < {value}.n; {k}++) {{ {each} }}"


def taken_words(forms: Forms, form: str, target: str) -> str:
    """Statements that assign a value from the next words."""
    kind, parts = _consisting(forms, form)
    match kind:
        case "number":
            return f"{target} = (I)next_word(from);"
        case "set":
            end = form.partition("_")[2]
            words = ", ".join(["next_word(from)"] * forms.sets[end])
            return f"{{ uint64_t w[] = {{{words}}}; {target} = of_words_{end}(w); }}"
        case "row":
            return " ".join(taken_words(forms, part, f"{target}.f{number}") for number, part in enumerate(parts))
        case "optional":
            return f"{target}.there = next_word(from) != 0; {taken_words(forms, parts[0], f'{target}.v')}"
        case _:
            k, items = f"i{next(_NUMBERS)}", f"items{next(_NUMBERS)}"
            each = taken_words(forms, parts[0], f"{items}[{k}]")
            size = f"sizeof({parts[0]}) * (size_t){target}.n"
            return (
                f"{{ {target}.n = (int32_t)next_length(from, MOST_KEPT); {parts[0]} *{items} = allot(x, {size}); "
                f"for (int32_t {k} = 0; {k} < {target}.n; {k}++) {{ {each} }} "
                f"{target}.v = keep_items(x, {items}, {size}); }}"
            )


# ---------------------------------------------------------------- in Python


def written(forms: Forms, form: str, value: Any) -> Iterator[int]:
    """The words of a value. Raises NotInC for a number that is too large.

    A cell of rows that nothing has been stored in holds 0.
    """
    kind, parts = _consisting(forms, form)
    if value == 0 and kind == "optional" and _consisting(forms, parts[0])[0] == "row":
        value = None
    match kind:
        case "number":
            if value is not None and abs(value) >= 1 << WORD - 1:
                raise NotInC(f"the number {value}")
            yield (NONE if value is None else int(value)) & MASK
        case "set":
            for k in range(forms.sets[form.partition("_")[2]]):
                yield (value or 0) >> WORD * k & MASK
        case "optional":
            yield int(value is not None)
            yield from written(forms, parts[0], value) if value is not None else [0] * words_of_form(forms, parts[0])
        case "row":
            for part, of in zip(value or [0] * len(parts), parts, strict=True):
                yield from written(forms, of, part)
        case _:
            items = (
                bits(value) if isinstance(value, int) else value or ()
            )  # a set that is gone through is kept as it is
            yield len(items)
            for item in items:
                yield from written(forms, parts[0], item)


def read(forms: Forms, form: str, words: Iterator[int]) -> Any:
    """The value of the next words, which are signed."""
    kind, parts = _consisting(forms, form)
    match kind:
        case "number":
            value = next(words)
            return None if value == NONE else value
        case "set":
            return sum((next(words) & MASK) << WORD * k for k in range(forms.sets[form.partition("_")[2]]))
        case "optional":
            there, value = next(words), read(forms, parts[0], words)
            return value if there else None
        case "row":
            return tuple([read(forms, part, words) for part in parts])
        case _:
            return tuple([read(forms, parts[0], words) for _ in range(next(words))])
