"""The clauses of a file, grouped by the rule they belong to, with the values that they are for."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import field

from dsl import ast
from dsl.checker.types.type_declarations import NOTHING_WORDS
from dsl.diagnostics import Diagnostic, Label, Replacement
from dsl.lazy_dataclasses import dataclass
from dsl.text.nouns import counted
from dsl.text.spelling import nearest
from dsl.variants.selectors import name_of

Rule = ast.Action | ast.Step
Arguments = tuple[ast.TypeUnion, ...]
"""The types of the arguments of a value; empty for a plain one."""

MAX_NAMED = 4
"""Maximum number of missing values that a message lists."""


@dataclass
class Family:
    """The clauses of one rule by their values, and the one for the rest.

    `types` are the names of the types that the values belong to, `values` all values of these types.
    """

    name: str
    clauses: dict[str, Rule] = field(default_factory=dict)
    rest: Rule | None = None
    types: tuple[str, ...] = ()
    values: dict[str, Arguments] = field(default_factory=dict)

    @property
    def all(self) -> tuple[Rule, ...]:
        """All clauses, that for the rest last."""
        return (*self.clauses.values(), *([self.rest] if self.rest is not None else []))

    @property
    def is_action(self) -> bool:
        """True if the clauses are those of an action."""
        return isinstance(self.all[0], ast.Action)

    @property
    def uncovered(self) -> dict[str, Arguments]:
        """The values without a clause of their own."""
        return {name: arguments for name, arguments in self.values.items() if name not in self.clauses}


class Families:
    """Collects the clauses of a file. `diagnostics` say what is wrong with them."""

    def __init__(self, file: ast.GameFile) -> None:
        self.diagnostics: list[Diagnostic] = []
        self.by_name: dict[str, Family] = {}
        self.listed = dict(_listed(file))
        declared = [node for part in file.parts for node in part.declarations]
        for node in declared:
            # Three rounds, as each needs all of the one before: a clause may stand before or after what it clashes
            # with, and the values of a family follow from all of its clauses together.
            if isinstance(node, ast.Action | ast.Step) and node.clause is not None:
                self._collect(node, node.clause)
        for node in declared:
            self._clash(node)
        for family in self.by_name.values():
            self._type(family)

    def _error(
        self, code: str, message: str, where: ast.Node, *helps: str, first: ast.Node | None = None, new: str = ""
    ) -> None:
        labels = (Label(first.span, "first here"),) if first is not None else ()
        fixes = (Replacement(where.span, new),) if new else ()
        self.diagnostics.append(Diagnostic(code, "error", message, where.span, labels, helps, fixes))

    # ------------------------------------------------------------ collecting

    def _collect(self, node: Rule, clause: ast.Clause) -> None:
        family = self.by_name.setdefault(node.name, Family(node.name))
        # INVARIANT: `clause.key` is the name of the value without its arguments: `fields(n)` and `fields(k)` are the
        # same clause.
        first = family.clauses.get(clause.key) if clause.value is not None else family.rest
        if first is not None:
            what = f"`{name_of(node)}`" if clause.value is not None else f"the rest of `{node.name}`"
            self._error("E0202", f"{what} is declared twice", clause, "merge the two", first=first.clause)
        elif clause.value is not None:
            family.clauses[clause.key] = node
        elif not node.parameters or node.parameters[0].type is None:
            helps = f"write, for example, `{node.kind} {node.name}(k: Kind), otherwise:`"
            self._error("E0426", "a clause for the rest needs a parameter with the type of the values", clause, helps)
        else:
            family.rest = node

    def _clash(self, node: ast.Declaration) -> None:
        """Report another declaration with the name of a family, and clauses of an action beside those of a step."""
        family = self.by_name.get(getattr(node, "name", ""))
        if family is None or not family.all or isinstance(node, ast.When):
            return
        same = isinstance(node, type(family.all[0]))
        if isinstance(node, ast.Action | ast.Step) and same and node.clause is None:
            helps = f"begin it with `{node.kind} {node.name}(…), otherwise:` if it is for all other values"
            message = f"`{node.name}` has clauses for single values, but this is none"
            self._error("E0426", message, node, helps, first=family.all[0])
        elif not same:
            self._error("E0202", f"`{family.name}` is declared twice", node, "rename one of them", first=family.all[0])

    # ------------------------------------------------------------ values

    def _type(self, family: Family) -> None:
        if not family.all:
            return
        if family.rest is not None and not family.clauses:
            message = f"`{family.name}` has no clauses for single values, so nothing is left over"
            self._error("E0426", message, family.rest.clause or family.rest, "omit `, otherwise`")
            return
        # A misspelt value would also make the family seem incomplete and of no type: only the misspelling is
        # reported.
        unknown = [key for key in family.clauses if not any(key in values for values in self.listed.values())]
        for key in unknown:
            self._unknown(family.clauses[key], key)
        if unknown or not self._found_types(family):
            return
        family.values = {name: types for type_ in family.types for name, types in self.listed[type_].items()}
        for key, node in family.clauses.items():
            self._fits(family, key, node)
        self._covered(family)
        self._alike(family)

    def _unknown(self, node: Rule, key: str) -> None:
        assert node.clause is not None
        assert node.clause.value is not None
        if key in NOTHING_WORDS:
            self._none(node, key, node.clause.value)
            return
        base = node.clause.value.base if isinstance(node.clause.value, ast.Call) else node.clause.value
        alone = len(self.by_name[node.name].all) == 1
        if key[:1].isupper():
            new = f"{key[:1].lower()}: {key}"
            message, helps = f"missing name before the type `{key}`", [f"write `{new}`"]
            self._error("E0323", message, base, *helps, new=new)
            return
        proposals = nearest(key, [name for values in self.listed.values() for name in values])
        helps = [f"did you mean {' or '.join(f'`{word}`' for word in proposals)}?"] if proposals else []
        if alone and not proposals and base is node.clause.value:
            helps = [f"write, for example, `{key}: Player`", "a name alone is a value that the rule has a clause for"]
            self._error("E0323", f"missing type after `{key}`", base, *helps)
            return
        self._error("E0201", f"there is no value `{key}`", base, *helps, new=proposals[0] if proposals else "")

    def _none(self, node: Rule, word: str, where: ast.Node) -> None:
        """Report a clause that is for none, or for none as well."""
        if isinstance(node, ast.Step):
            helps = f"test before the call: `if k is {word}: … else: {node.name}(k)`"
        else:
            helps = f"write another action for `{word}`"
        self._error("E0426", f"`{word}` cannot have a clause: it is not listed in a type", where, helps)

    def _found_types(self, family: Family) -> bool:
        """Find the types of the values: those of the clause for the rest, the one that has all values, or several."""
        if family.rest is not None:
            union = family.rest.parameters[0].type
            assert union is not None
            nothing = next((m for m in union.members if isinstance(m, ast.TypeName) and m.name in NOTHING_WORDS), None)
            if nothing is not None:
                self._none(family.rest, nothing.name, union)
                return False
            named = [member.name for member in union.members if isinstance(member, ast.TypeName)]
            family.types = tuple(name for name in named if name in self.listed)
            if len(family.types) < len(union.members):
                helps = "clauses are for values that are listed in a `type`"
                self._error("E0426", "the values of this type are not listed", union, helps)
                return False
            return True
        # `clubs` and `acorns` may be values of a type Suit and of a type Trump: one type must have them all, or each
        # clause is of the first type that has its value, which is a union.
        having_all = [name for name, values in self.listed.items() if all(key in values for key in family.clauses)]
        owners = [next(name for name, values in self.listed.items() if key in values) for key in family.clauses]
        family.types = tuple(having_all or dict.fromkeys(owners))
        if len(having_all) > 1:
            clause = family.all[0].clause
            message = f"`{family.name}` may be about `{having_all[0]}` or `{having_all[1]}`, which have these values"
            helps = f"add a clause for the rest: `{family.all[0].kind} {family.name}(k: {having_all[0]}), otherwise:`"
            self._error("E0426", message, clause or family.all[0], helps)
        return len(having_all) <= 1

    def _fits(self, family: Family, key: str, node: Rule) -> None:
        """Check that a value belongs to the type and has names for all its arguments."""
        assert node.clause is not None
        value, types = node.clause.value, " or ".join(f"`{name}`" for name in family.types)
        if key not in family.values:
            assert value is not None
            self._error("E0426", f"`{key}` is not a value of {types}", value)
            return
        names = value.arguments if isinstance(value, ast.Call) else ()
        takes = len(family.values[key])
        if len(names) != takes:
            pattern = f"{key}({', '.join('abcdefgh'[:takes])})" if takes else key
            has = counted(takes, "argument") if takes else "no arguments"
            self._error("E0426", f"`{key}` has {has}", node.clause, f"write `{pattern}`", new=pattern)

    def _covered(self, family: Family) -> None:
        kind, uncovered = family.all[0].kind, list(family.uncovered)
        if family.rest is not None and not uncovered:
            message = f"`{family.name}` has a clause for each value, so nothing is left over"
            self._error("E0426", message, family.rest.clause or family.rest, "omit this clause")
        if family.rest is None and uncovered:
            listed = ", ".join(f"`{name}`" for name in uncovered[:MAX_NAMED])
            more = f" and {len(uncovered) - MAX_NAMED} more" if len(uncovered) > MAX_NAMED else ""
            type_ = " or ".join(family.types)
            helps = (
                f"add `{kind} {family.name}({uncovered[0]}): …`",
                f"or one clause for the rest: `{kind} {family.name}(k: {type_}), otherwise: …`",
            )
            message = f"`{family.name}` has no clause for {listed}{more}"
            self._error("E0427", message, family.all[0].clause or family.all[0], *helps)

    def _alike(self, family: Family) -> None:
        """Check that the clauses of a step have the same further parameters, as every call gives the same arguments."""
        # Clauses of an action are offered one by one and may differ; those of a step are called without knowing which
        # it is.
        if family.is_action:
            return
        first = family.all[0]
        first_parameters = own_parameters(first)
        for node in family.all[1:]:
            parameters = own_parameters(node)
            same = len(parameters) == len(first_parameters) and all(
                parameter.type == first_parameter.type
                for parameter, first_parameter in zip(parameters, first_parameters, strict=True)
            )
            if not same:
                message = f"this clause of `{family.name}` has other parameters"
                helps = "all clauses of a step are called with the same arguments"
                self._error("E0426", message, node.clause or node, helps, first=first.clause)


def own_parameters(node: Rule) -> tuple[ast.Parameter, ...]:
    """The parameters of a clause after the value."""
    rest = node.clause is not None and node.clause.value is None
    return node.parameters[1:] if rest else node.parameters


def _listed(file: ast.GameFile) -> Iterator[tuple[str, dict[str, Arguments]]]:
    """The types whose values are listed in the file, each with its values that have names."""
    for part in file.parts:
        for node in part.declarations:
            match node:
                case ast.TypeList():
                    yield node.name, {shape.name: shape.arguments for shape in node.shapes if shape.name is not None}
                case ast.TypeTable():
                    yield node.name, {row.key: () for row in node.rows if isinstance(row.key, str)}
                case _:
                    pass
    yield "Truth", {"true": (), "false": ()}


def clauses_of(file: ast.GameFile) -> Sequence[Rule]:
    """The clauses of a file."""
    declared = (node for part in file.parts for node in part.declarations)
    return [node for node in declared if isinstance(node, ast.Action | ast.Step) and node.clause is not None]
