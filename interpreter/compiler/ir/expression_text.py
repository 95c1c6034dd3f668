"""Expressions of the intermediate representation as text for people, with infix operators where expected."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from dsl.text.visible import visible
from interpreter.compiler.ir import expressions as ex
from interpreter.compiler.ir.types import NUMBER_DOMAIN, Bool, Int, Opaque, Opt, Ref, Row, Seq, Set, Type

ValueNames = Callable[[str, int], str]
"""The name of a value of a domain."""

MAX_SET_LENGTH, SHORTEST_RUN = 12, 4
"""Maximum number of members of a set shown, and minimum number of consecutive ones shown as `first..last`."""

MAX_CONSTANT_LENGTH = 80

LOWEST, OR, AND, NOT, COMPARISON, UNION, MEET, SUM, PRODUCT, NEGATIVE, HIGHEST = range(11)
"""Precedences, the lowest first."""

INFIX = {
    "eq": ("=", COMPARISON), "lt": ("<", COMPARISON), "le": ("<=", COMPARISON), "gt": (">", COMPARISON),
    "ge": (">=", COMPARISON), "in_list": ("in", COMPARISON), "union": ("|", UNION), "both": ("&", MEET),
    "minus": ("-", SUM), "add": ("+", SUM), "sub": ("-", SUM), "mul": ("*", PRODUCT), "div": ("/", PRODUCT),
    "mod": ("%", PRODUCT),
}  # fmt: skip

NEGATED = {"eq": "!=", "has": "not in", "in_list": "not in"}


def by_number(_domain: str, value: int) -> str:
    """The number itself, where no names are known."""
    return str(value)


def expression_text(node: ex.Expr, names: ValueNames = by_number, around: int = LOWEST) -> str:
    """An expression as text, in parentheses if its precedence is below that of the context."""
    text, closeness = _text(node, names)
    return f"({text})" if closeness < around else text


def _text(node: ex.Expr, names: ValueNames) -> tuple[str, int]:
    """The text of an expression, and its precedence."""

    def part_text(part: ex.Expr, around: int = LOWEST) -> str:
        return expression_text(part, names, around)

    def call(name: str, parts: Iterable[ex.Expr]) -> tuple[str, int]:
        return f"{visible(name)}({', '.join(map(part_text, parts))})", HIGHEST

    match node:
        case ex.Const():
            text = constant_text(node.type, node.value, names)
            return text, NEGATIVE if text.startswith("-") else HIGHEST
        case ex.Data():
            return visible(node.table.name), HIGHEST
        case ex.Local():
            return visible(node.name), HIGHEST
        case ex.Cell():
            single = node.group.count == 1 and isinstance(node.index, ex.Const) and node.index.value == 0
            return visible(node.group.name) + ("" if single else f"[{part_text(node.index)}]"), HIGHEST
        case ex.Slot():
            single = node.zone.count == 1 and isinstance(node.index, ex.Const)
            return f"@{visible(node.zone.name)}" + ("" if single else f"[{part_text(node.index)}]"), HIGHEST
        case ex.Lookup():
            return f"{visible(node.table.name)}[{', '.join(map(part_text, node.keys))}]", HIGHEST
        case ex.Op():
            return _operation(node, names)
        case ex.Logic():
            closeness = AND if node.word == "and" else OR
            return f" {node.word} ".join(part_text(part, closeness + 1) for part in node.parts), closeness
        case ex.Choice():
            then, otherwise = part_text(node.then, OR), part_text(node.otherwise)
            return f"{then} if {part_text(node.condition, OR)} else {otherwise}", LOWEST
        case ex.Fold():
            return _fold(node, names)
        case ex.Let():
            return f"let {_typed(node.local)} = {part_text(node.value, OR)} in {part_text(node.body)}", LOWEST
        case ex.Call():
            return call(node.function, node.args)
        case ex.Check():
            limits = _limits(node, names)
            return f"{node.word}({part_text(node.value)}{f', {limits}' if limits else ''})", HIGHEST
        case ex.Counted():
            branches = str(node.branch) if node.otherwise is None else f"{node.branch} or {node.otherwise}"
            return f"counted({part_text(node.value)}, {branches})", HIGHEST
        case ex.Lambda():
            return f"({', '.join(map(_typed, node.params))}) -> {part_text(node.body)}", LOWEST


def _operation(node: ex.Op, names: ValueNames) -> tuple[str, int]:
    def part_text(part: ex.Expr, around: int = LOWEST) -> str:
        return expression_text(part, names, around)

    match node.name, node.args:
        case ("not", (ex.Op(name=name, args=(_, _) as operands),)) if name in NEGATED:
            left, right = reversed(operands) if name == "has" else operands
            return f"{part_text(left, UNION)} {NEGATED[name]} {part_text(right, UNION)}", COMPARISON
        case "not", (ex.Op(name="is_none", args=(value,)),):
            return f"{part_text(value, UNION)} is not none", COMPARISON
        case "not", (value,):
            return f"not {part_text(value, NOT)}", NOT
        case "neg", (value,):
            return f"-{part_text(value, HIGHEST)}", NEGATIVE
        case "is_none", (value,):
            return f"{part_text(value, UNION)} is none", COMPARISON
        case "has", (members, value):
            return f"{part_text(value, UNION)} in {part_text(members, UNION)}", COMPARISON
        case "single", (value,):
            return f"{{{part_text(value)}}}", HIGHEST
        case "list", values:
            return f"[{', '.join(map(part_text, values))}]", HIGHEST
        case "row", values:
            return f"({', '.join(map(part_text, values))}{',' if len(values) == 1 else ''})", HIGHEST
        case "item", (values, index):
            return f"{part_text(values, HIGHEST)}[{part_text(index)}]", HIGHEST
        case (name, (left, right)) if name in INFIX:
            sign, closeness = INFIX[name]
            first = UNION if closeness == COMPARISON else closeness
            return f"{part_text(left, first)} {sign} {part_text(right, closeness + 1)}", closeness
        case name, values:
            return f"{visible(name)}({', '.join(map(part_text, values))})", HIGHEST


def _fold(node: ex.Fold, names: ValueNames) -> tuple[str, int]:
    loops = loops_text(node.loops, names)
    value = "" if node.value == ex.TRUE else f"{expression_text(node.value, names, OR)} for "
    return f"{node.word}({value}{loops})", HIGHEST


def loops_text(loops: Iterable[ex.Loop], names: ValueNames = by_number, typed: bool = False) -> str:
    """Nested loops, the outermost first."""
    texts = []
    for loop in loops:
        local = _typed(loop.local) if typed else visible(loop.local.name)
        where = "" if loop.where is None else f" where {expression_text(loop.where, names, OR)}"
        texts.append(f"{local} in {expression_text(loop.over, names, OR)}{where}")
    return ", ".join(texts)


def _typed(local: ex.Local) -> str:
    return f"{visible(local.name)}: {local.type}"


def _limits(node: ex.Check, names: ValueNames) -> str:
    match node.word:
        case "need" | "product" | "divisor":
            return ", ".join(map(str, node.bounds))
        case "in_range":
            return "..".join(map(str, node.bounds))
        case "among" | "subset" | "one_of":
            domain = f"{node.domain} " if node.domain else ""
            return visible(domain + members_text(node.domain, sorted(node.bounds), names))


# ---------------------------------------------------------------- constants


def constant_text(type_: Type, value: object, names: ValueNames = by_number) -> str:
    """A constant of a type."""
    match type_, value:
        case _, None:
            return "none"
        case Bool(), _:
            return "true" if value else "false"
        case Opt(of), _:
            return constant_text(of, value, names)
        case Ref(domain, _), int():
            return visible(names(domain, value))
        case Set(domain, _), int():
            return visible(members_text(domain, _members(value), names))
        case Seq(of), (tuple() | list()):
            return short(f"[{', '.join(constant_text(of, item, names) for item in value)}]", MAX_CONSTANT_LENGTH)
        case Row(of), (tuple() | list()) if len(of) == len(value):
            return f"({', '.join(constant_text(t, item, names) for t, item in zip(of, value, strict=True))})"
        case ((Int() | Opaque() | Ref() | Set() | Seq() | Row()), _):
            return visible(short(str(value), MAX_CONSTANT_LENGTH))


def _members(bits: int) -> list[int]:
    return [number for number in range(bits.bit_length()) if bits >> number & 1]


def members_text(domain: str, members: list[int], names: ValueNames = by_number) -> str:
    """A set by its members in ascending order: `{0, 3, 8..63}`, with names in place of numbers where known."""
    parts: list[str] = []
    place = 0
    while place < len(members):
        end = place
        while end + 1 < len(members) and members[end + 1] == members[end] + 1:
            end += 1
        if end - place + 1 < SHORTEST_RUN:
            end = place
            parts.append(_name(domain, members[place], names))
        else:
            parts.append(f"{_name(domain, members[place], names)}..{_name(domain, members[end], names)}")
        place = end + 1
    if len(parts) > MAX_SET_LENGTH:
        parts[MAX_SET_LENGTH - 2 : -1] = ["…"]
        return f"{{{', '.join(parts)}: {len(members)}}}"
    return f"{{{', '.join(parts)}}}"


def _name(domain: str, value: int, names: ValueNames) -> str:
    return str(value) if domain in ("", NUMBER_DOMAIN) else names(domain, value)


def short(text: str, longest: int) -> str:
    """A text, cut off if it is long."""
    return text if len(text) <= longest else text[: longest - 2] + " …"
