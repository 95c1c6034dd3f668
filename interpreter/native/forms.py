"""Types of the IR as C types.

Numbers, truth values, references and optional ones are `I`, with NONE for none. Sets are bits in one word, two, or an
array of words. Sequences point to values that live for one step of a game; those in cells of the state have separate
storage.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from interpreter.ir.types import Bool, Int, Opaque, Opt, Ref, Row, Seq, Set, Type, bare

SCALAR = "I"
WORD = 64
WIDEST = 64 * 64
"""Maximum width of a set."""


class NotInC(Exception):
    """A rule that cannot be compiled to C yet, with the reason in words for the author of the rules."""


@dataclass
class Forms:
    """The C types that a program uses; `lines` declare those that are not built in, in order.

    `sets` are the numbers of words of sets by the ends of their C types. `parts` are for other C types what they are,
    sequence, row or optional, and the C types of what they consist of.
    """

    lines: list[str] = field(default_factory=list)
    sets: dict[str, int] = field(default_factory=dict)
    names: dict[str, str] = field(default_factory=dict)
    parts: dict[str, tuple[str, tuple[str, ...]]] = field(default_factory=dict)
    casts: set[tuple[str, str]] = field(default_factory=set)

    def set_form(self, width: int) -> str:
        """The suffix of the functions for sets of a width: u1, u2, w3, …."""
        words = max(1, -(-width // WORD))
        if width > WIDEST:
            raise NotInC(f"a set of {width} values")
        form = f"u{words}" if words <= 2 else f"w{words}"
        if form not in self.sets:
            self.sets[form] = words
            if words > 2:
                self.lines += [f"WIDE_SET({form}, {words})", f"MEMBERS({form}, {1 << (words * WORD - 1).bit_length()})"]
        return form

    def form_of(self, type_: Type) -> str:
        """The C type of values of a type."""
        match type_:
            case Bool() | Int() | Ref() | Opt(of=Bool() | Int() | Ref()):
                return SCALAR
            case Set(width=width):
                return f"set_{self.set_form(width)}"
            case Opt(of=Set(width=width)):
                return f"opt_{self.set_form(width)}"
            case Seq(of=of):
                return self.sequence(self.form_of(of))
            case Row(of=parts):
                return self.row(tuple(map(self.form_of, parts)))
            case Opt(of=inner):
                return self.optional(self.form_of(inner))
            case Opaque(name="record"):
                return SCALAR
            case Opaque():
                raise NotInC(f"a value of the type {type_}")

    def sequence(self, of: str) -> str:
        """The C type of a sequence."""
        declaration = f"typedef struct {{{{ int32_t n; const {of} *v; }}}} {{}};"
        return "Q" if of == SCALAR else self._declared("sequence", (of,), f"sequence of {of}", declaration)

    def row(self, parts: tuple[str, ...]) -> str:
        """The C type of a row."""
        fields = " ".join(f"{part} f{number};" for number, part in enumerate(parts)) or "I nothing;"
        return self._declared("row", parts, f"row of {parts}", f"typedef struct {{{{ {fields} }}}} {{}};")

    def optional(self, of: str) -> str:
        """The C type of an optional value that is neither a number nor a set."""
        declaration = f"typedef struct {{{{ {of} v; bool there; }}}} {{}};"
        return self._declared("optional", (of,), f"optional {of}", declaration)

    def _declared(self, kind: str, parts: tuple[str, ...], what: str, declaration: str) -> str:
        if what not in self.names:
            self.names[what] = name = f"T{len(self.names)}"
            self.parts[name] = kind, parts
            self.lines.append(declaration.format(name))
        return self.names[what]

    def converted(self, text: str, form: str, wanted: str) -> str:
        """A value of one C type as one of another."""
        if form == wanted:
            return text
        match form[:4], wanted[:4]:
            case "set_", "set_":
                self.casts.add((form[4:], wanted[4:]))
                return f"{form[4:]}_to_{wanted[4:]}(x, {text})"
            case "set_", "opt_":
                return f"({wanted}){{{self.converted(text, form, f'set_{wanted[4:]}')}, true}}"
            case "opt_", "set_":
                return self.converted(f"({text}).v", f"set_{form[4:]}", wanted)
            case _:
                pass
        if self.names.get(f"optional {form}") == wanted:
            return f"({wanted}){{{text}, true}}"
        if self.names.get(f"optional {wanted}") == form:
            return f"({text}).v"
        raise NotInC(f"a value of the form {form} where one of the form {wanted} is needed")


def is_scalar(type_: Type) -> bool:
    """True if values of a type are single numbers or none."""
    return isinstance(bare(type_), Bool | Int | Ref) or type_ == Opaque("record")


def has_lists(type_: Type) -> bool:
    """True if values of a type contain sequences, whose items live no longer than a step of a game."""
    match type_:
        case Seq():
            return True
        case Opt(of=inner):
            return has_lists(inner)
        case Row(of=parts):
            return any(map(has_lists, parts))
        case _:
            return False


def has_flag(type_: Type) -> bool:
    """True if none is represented by a flag beside the value."""
    return isinstance(type_, Opt) and not is_scalar(type_)
