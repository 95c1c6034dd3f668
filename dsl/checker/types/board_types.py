"""Types whose values are the places of a board: their members, their columns, and the links of edges.

    type Stop from board.lines.stops with water: Truth      a value for each entry of a list in the board file
    type Road from board.sides[side].roads                  alternatives: an option selects one of several lists

The checker does not know which alternative will be played. So a type has the values of all alternatives together, in
order of appearance, and for each *choice* of alternatives the rows that exist in it, with their cells (`Rows`). A name
that occurs on two alternatives is one value.

A column is the field of that name in the file. If entries have no such field, its type says what is meant: places of
another list that an entry touches (`Incidence`), which the author of a board need not write down.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import product

from dsl import ast
from dsl.boards import Board, Entry, Selected, UnknownStep
from dsl.boards.model import Incidence, Places
from dsl.checker.context import Context, near, spelt
from dsl.checker.names.declarations import add_type
from dsl.checker.types.type_declarations import is_value, type_of_union
from dsl.diagnostics import Label
from dsl.model import Ends
from dsl.symbols import Cell, ConstantSymbol, OptionSymbol, Rows, TypeSymbol
from dsl.types import UNKNOWN, Listed, Maybe, PieceType, Several, Type, bare

Choice = tuple[str, ...]


def alternatives(context: Context, nodes: Sequence[ast.TypeBoard]) -> None:
    """Record the selector of each list of alternatives; report selectors that differ."""
    chosen = context.model.chosen
    for node in nodes:
        for names, part in _selections(node):
            if not isinstance(part, ast.Name):
                helps = ["write the name of an option or of a row of `by players`"]
                context.error("E0755", "expected a name that selects one of the alternatives", part, helps)
            elif part.name != chosen.setdefault(names, part).name:
                message = f"`{names}` is selected by `{chosen[names].name}` elsewhere"
                context.error("E0755", message, part, ["select it by the same name everywhere"])


def _selections(node: ast.TypeBoard) -> Iterator[tuple[str, ast.Expression]]:
    """The lists of alternatives on a path, each with its selector."""
    names: list[str] = []
    for part in node.source.path:
        if isinstance(part, str):
            names.append(part)
        else:
            yield ".".join(names), part


def every_choice(context: Context) -> list[Choice]:
    """Every choice of alternatives, one id for each list of `model.chosen`."""
    board = context.model.board
    ids: list[list[str]] = []
    for name in context.model.chosen:
        if name in context.sizes:
            ids.append([str(size) for size in context.sizes[name]])
        else:
            ids.append([entry.id for entry in board.lists.get(name, ())] if board else [])
    return list(product(*ids))


def type_board(context: Context, node: ast.TypeBoard) -> None:
    """Declare `type Stop from board.lines.stops`: a value for each entry, of all alternatives together."""
    board = context.model.board
    entries_by_choice: dict[Choice, tuple[Entry, ...]] = {}
    if board is None:
        context.error("E0751", "no board is declared", node, ['declare it: `board "boards/map.json"`'])
    elif _path_is_good(context, board, node):
        entries_by_choice = {choice: _entries(context, node, choice) for choice in every_choice(context)}
    type_of_entries(context, node, entries_by_choice)


def type_of_entries(
    context: Context, node: ast.TypeBoard, entries_by_choice: Mapping[Choice, tuple[Entry, ...]]
) -> TypeSymbol:
    """Declare the type whose values are these entries, of all choices together, in order of appearance."""
    members: dict[str, None] = {}
    for entries in entries_by_choice.values():
        members |= {entry.id: None for entry in entries}
    order = {name: position for position, name in enumerate(members)}
    rows = {choice: Rows(tuple(order[e.id] for e in entries)) for choice, entries in entries_by_choice.items()}
    # Later stages would report everything that uses the empty type. `lacking` tells them that its cause is known.
    context.lacking |= not members
    numbers = [name for name in members if name.isdigit()]
    if numbers and len(numbers) < len(members):
        context.error("E0301", f"`{node.name}` mixes names and numbers", node, ["use only names or only numbers"])
    numeric = bool(numbers) and len(numbers) == len(members)
    values: tuple[str | int, ...] = tuple(int(name) for name in members) if numeric else tuple(members)
    symbol = TypeSymbol(node.name, node, Listed(node.name, numeric), values, rows=rows)
    add_type(context, symbol, (node,) * len(values))
    return symbol


def _path_is_good(context: Context, board: Board, node: ast.TypeBoard) -> bool:
    """True if the board has the lists of a path, and the path selects from exactly those that are alternatives."""
    for name, _ in _selections(node):
        if name not in board.alternatives and name in board.lists:
            helps = [f'write `"alternatives": ["{name}"]` in the board file']
            context.error("E0755", f"`{name}` of the board are not alternatives", node.source, helps)
            return False
    selected = board.entries(_path(context, node, (every_choice(context) or [()])[0]))
    if not isinstance(selected, UnknownStep):
        return True
    if selected.what == "choice":
        helps = [f"select one by an option: `{selected.name}[…]`"]
        context.error("E0755", f"`{selected.name}` of the board are alternatives", node.source, helps)
    else:
        proposals = near(selected.name, selected.valid)
        helps = [f"it has {', '.join(selected.valid)}"] if selected.valid and not proposals else []
        at = spelt(node.source, selected.name)
        context.error("E0752", f"the board has no `{selected.name}`", node.source, helps, proposals=proposals, at=at)
    return False


def _path(context: Context, node: ast.TypeBoard, choice: Choice) -> list[str | Selected]:
    chosen = dict(zip(context.model.chosen, choice, strict=True)) if choice else {}
    path: list[str | Selected] = []
    for part in node.source.path:
        if isinstance(part, str):
            path.append(part)
        elif path[-1] in chosen:
            path.append(Selected(chosen[str(path[-1])]))
    return path


def _entries(context: Context, node: ast.TypeBoard, choice: Choice) -> tuple[Entry, ...]:
    """Entries at the path of a type for a choice of alternatives, or those of a generated grid."""
    if node.source.function is not None:
        return context.model.generated.get(node.name, {}).get(choice, ())
    board = context.model.board
    assert board is not None
    selected = board.entries(_path(context, node, choice))
    return () if isinstance(selected, UnknownStep) else selected


def _places(context: Context, symbol: TypeSymbol, choice: Choice) -> Places:
    """Entries of a type, in its order, as places that others may touch."""
    assert isinstance(symbol.node, ast.TypeBoard)
    return incidence_of(context, choice).places(_entries(context, symbol.node, choice))


# ---------------------------------------------------------------- selectors, once options are known


def check_selectors(context: Context) -> None:
    """Check that every selector of alternatives is an option or a constant that names entries of the list."""
    board = context.model.board
    if board is None:
        return
    for name, node in context.model.chosen.items():
        if name not in board.alternatives:
            continue
        ids = [entry.id for entry in board.lists.get(name, ())]
        symbol = context.globals.get(node.name)
        if isinstance(symbol, OptionSymbol):
            words = set(symbol.values)
        elif isinstance(symbol, ConstantSymbol):
            words = {word for cell in symbol.by_count.values() for word in _possible_values(context, cell)}
        else:
            proposals = near(node.name, context.model.options)
            context.error(
                "E0755", f"`{node.name}` is neither an option nor a row of `by players`", node, proposals=proposals
            )
            continue
        context.used.add(symbol.node.number if symbol.node else 0)
        context.model.refers[node.number] = symbol
        wrong = sorted(words - set(ids))
        if wrong:
            helps = [f"`{name}` of the board has " + ", ".join(ids)]
            context.error("E0755", f"`{node.name}` can be `{wrong[0]}`, which the board does not have", node, helps)


def _possible_values(context: Context, cell: int | str) -> Sequence[str]:
    """Values that a cell of a table by players can stand for."""
    option = context.model.options.get(str(cell))
    return option.values if option else (str(cell),)


# ---------------------------------------------------------------- columns


def board_columns(context: Context, symbol: TypeSymbol) -> None:
    """Set the column types of a type from a board, and its cells for every choice of alternatives."""
    node = symbol.node
    assert isinstance(node, ast.TypeBoard)
    for column in node.columns:
        if column.name in symbol.attributes:
            first = next(earlier for earlier in node.columns if earlier.name == column.name)
            if first is column:
                message, helps = f"the column `{column.name}` is predeclared", ["remove it"]
                context.error("E0202", message, column, helps)
            else:
                labels = [Label(first.span, "first here")]
                context.error("E0202", f"the column `{column.name}` is declared twice", column, labels=labels)
            continue
        if column.type is None:
            context.error("E0323", "a column needs a type: `water: Truth`", column)
            symbol.attributes[column.name] = UNKNOWN
            continue
        type_ = type_of_union(context, column.type)
        core = bare(type_)
        if isinstance(core, PieceType) or (isinstance(core, Several) and isinstance(core.element, PieceType)):
            context.error("E0339", f"a column of a type from the board cannot be {type_}", column)
            type_ = UNKNOWN
        symbol.attributes[column.name] = type_
        if type_ == UNKNOWN or not symbol.rows:
            continue
        filler = _Filler(context, column, type_)
        for choice, rows in symbol.rows.items():
            rows.cells[column.name] = tuple(filler.cell(entry, choice) for entry in _entries(context, node, choice))
        element = core.element if isinstance(core, Several) else core
        if not (isinstance(element, Listed) and _unread(context.model.type_symbols.get(element.name))):
            filler.report()


def _unread(symbol: TypeSymbol | None) -> bool:
    """True if a type from the board could not be read, which has been reported."""
    return symbol is not None and isinstance(symbol.node, ast.TypeBoard) and not symbol.rows


class _Filler:
    """Fills one column of a type; errors in its entries are reported at the column, once per kind of error."""

    def __init__(self, context: Context, column: ast.Parameter, type_: Type) -> None:
        self.context, self.column, self.type = context, column, type_
        self.wrong: dict[str, list[tuple[str, Entry, Sequence[str]]]] = {}
        self.places: dict[Choice, Places] = {}

    def cell(self, entry: Entry, choice: Choice) -> Cell:
        """Value of the column for an entry: its field of that name, else the places it is incident to."""
        if self.column.name in entry.fields:
            return self._field(entry)
        core = bare(self.type)
        element = core.element if isinstance(core, Several) else core
        target = self.context.model.type_symbols[element.name] if isinstance(element, Listed) else None
        if target is None or not target.rows:
            helps = [f"fields: {', '.join(entry.fields) or 'none'}; only places are derived from the board"]
            self._add("E0753", f"`{entry.id}` has no `{self.column.name}`", entry, helps)
            return "none"
        if choice not in self.places:
            self.places[choice] = _places(self.context, target, choice)
        touching = incidence_of(self.context, choice).touching(entry, self.places[choice])
        places = tuple(int(name) if isinstance(element, Listed) and element.numeric else name for name in touching)
        if isinstance(core, Several):
            return places
        if len(places) == 1 or (not places and isinstance(self.type, Maybe)):
            return places[0] if places else "none"
        what = f"{len(places) or 'no'} `{target.name}`"
        helps = [f"write `{self.column.name}: several {target.name}`"] if places else []
        self._add("E0753", f"`{entry.id}` touches {what}, expected one", entry, helps)
        return "none"

    def _field(self, entry: Entry) -> Cell:
        raw = entry.fields[self.column.name]
        core = bare(self.type)
        if isinstance(core, Several):
            if not isinstance(raw, tuple):
                self._add("E0754", f"`{self.column.name}` of `{entry.id}` is not a list", entry)
                return ()
            return tuple(self._single(item, core.element, entry) for item in raw)
        if isinstance(raw, tuple):
            helps = [f"write `{self.column.name}: several …`"]
            self._add("E0754", f"`{self.column.name}` of `{entry.id}` is a list", entry, helps)
            return "none"
        return self._single(raw, self.type, entry)

    def _single(self, raw: bool | int | str | None, type_: Type, entry: Entry) -> str | int:
        word: str | int = "none" if raw is None else str(raw).lower() if isinstance(raw, bool) else raw
        core = bare(type_)
        if isinstance(word, str) and isinstance(core, Listed) and core.numeric and word.isdigit():
            word = int(word)
        if not is_value(self.context, word, type_):
            members = self.context.model.type_symbols[core.name].members if isinstance(core, Listed) else ()
            quoted = f"`{word}`" if word != "none" else "none"
            message = f"{quoted} is not a value of `{self.column.name}` of `{entry.id}`: expected {type_}"
            close = " or ".join(f"`{name}`" for name in near(str(word), map(str, members)))
            self._add("E0754", message, entry, [f"did you mean {close}?"] if close else [])
        return word

    def _add(self, code: str, message: str, entry: Entry, helps: Sequence[str] = ()) -> None:
        self.wrong.setdefault(code, []).append((message, entry, helps))

    def report(self) -> None:
        """Report the errors, the first of each kind with its span in the board file."""
        board = self.context.model.board
        for code, errors in self.wrong.items():
            message, entry, helps = errors[0]
            field = self.column.name if self.column.name in entry.fields else None
            in_file = board is not None and entry.where
            labels = [Label(board.span_of(entry, field), "in the board file")] if board and in_file else []
            more = [f"the same goes for {len(errors) - 1} more"] if len(errors) > 1 else []
            self.context.error(code, message, self.column, [*helps, *more], labels)


def incidence_of(context: Context, choice: Choice) -> Incidence:
    """Incidence of the board with these alternatives."""
    if choice not in context.incidence:
        chosen = dict(zip(context.model.chosen, choice, strict=True))
        context.incidence[choice] = Incidence(context.model.board, chosen)
    return context.incidence[choice]


# ---------------------------------------------------------------- links


def link(context: Context, edges: TypeSymbol, places: TypeSymbol, node: ast.Node) -> None:
    """Record which two places each edge joins; report edges incident to more than two."""
    key = (edges.name, places.name)
    if key in context.model.links or _unread(edges) or _unread(places):
        return
    ends_by_choice: dict[Choice, Ends] = {}
    boards = isinstance(edges.node, ast.TypeBoard) and isinstance(places.node, ast.TypeBoard)
    for choice, rows in edges.rows.items() if boards else ():
        incidence, among = incidence_of(context, choice), _places(context, places, choice)
        values = {
            name: _value(places, position)
            for name, position in zip(among.by_id, places.rows[choice].present, strict=True)
        }
        ends: list[tuple[int, int] | None] = [None] * len(edges.members)
        for position, entry in zip(rows.present, _places(context, edges, choice).by_id.values(), strict=True):
            has_own_ends = edges.name in context.model.generated and all(end in among.by_id for end in entry.ends)
            touched = list(entry.ends) if has_own_ends else incidence.touching(entry, among)
            # One error is enough: the field that is wrong is usually wrong for all entries.
            if len(touched) > 2:
                message = f"`{entry.id}` touches {len(touched)} `{places.name}`: an edge joins two"
                context.error("E0756", message, node, [f"it touches {', '.join(touched)}"])
                return
            if len(touched) == 2:
                ends[position] = (values[touched[0]], values[touched[1]])
        ends_by_choice[choice] = tuple(ends)
    context.model.links[key] = ends_by_choice
    if not any(end for ends in ends_by_choice.values() for end in ends):
        message = f"no `{edges.name}` touches two `{places.name}`: it links nothing"
        helps = [f"edges of a board have `ends`, or lie between two `{places.name}`"]
        if edges is places and places.name in context.model.generated:
            helps = [
                f"name the edges that link them, as in `near(c, Side)` with `type Side from beside({places.name})`"
            ]
        context.error("E0756", message, node, helps)


def _value(symbol: TypeSymbol, position: int) -> int:
    member = symbol.members[position]
    return member if isinstance(member, int) else position
