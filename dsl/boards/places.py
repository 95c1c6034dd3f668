"""Names of places and references to them: ids must be unique, and every end and edge must exist."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import product

from dsl.boards.diagnostics import BoardDiagnostic, listed, nearest, quoted
from dsl.boards.model import Entry, unique
from dsl.boards.positions import Where
from dsl.lazy_dataclasses import dataclass

MOST_CHOICES = 64
"""Maximum number of combinations of alternatives; a board with more is refused."""

Lists = Mapping[str, tuple[Entry, ...]]


def every(lists: Lists) -> list[Entry]:
    """All entries in file order."""
    return [entry for entries in lists.values() for top in entries for entry in top.walk()]


def named_at(entry: Entry) -> Where:
    """Path at which an entry is named in the file, or of the entry itself."""
    return (*entry.where, "number" if entry.id.isdigit() else "id")


def alternatives(named: Sequence[str], lists: Collection[str]) -> Iterator[BoardDiagnostic]:
    """Report names of alternatives that are not names of lists, or duplicates."""
    for index, name in enumerate(named):
        where = ("alternatives", index)
        if name in named[:index]:
            yield BoardDiagnostic("E0704", f"{quoted(name)} is listed twice", where, ("remove one of them",))
        elif name not in lists:
            proposals = nearest(name, lists)
            helps = () if proposals else (f"lists of this board: {listed(lists)}",)
            yield BoardDiagnostic(
                "E0707", f"the board has no list {quoted(name)}", where, helps, alternatives=proposals
            )


def duplicate_names(entries: Sequence[Entry], alternatives: Sequence[str]) -> Iterator[BoardDiagnostic]:
    """Report entries with the same name as an earlier one of the same board.

    Ids are unique on the whole board, numbers within a list (joined over the entries it is nested in). Of two
    alternatives only one is ever on the board, so both may have the same names.
    """
    seen: dict[object, dict[str | None, dict[str | None, Entry]]] = defaultdict(lambda: defaultdict(dict))
    for entry in entries:
        group, choice = _alternative(entry, alternatives)
        namesakes = seen[(entry.id, entry.path) if entry.id.isdigit() else entry.id]
        for other_group, by_choice in namesakes.items():
            same = group is not None and group == other_group
            clash = by_choice.get(choice) if same else next(iter(by_choice.values()), None)
            if clash:
                helps = ["give each place a unique name"]
                inside = clash.where[0] == entry.where[0] and bool(entry.parents and clash.parents)
                if inside and entry.parents[0] != clash.parents[0]:
                    helps.append(f'if only one of them is in play, add `"alternatives": ["{entry.path[0]}"]`')
                message = f"duplicate {'number' if entry.id.isdigit() else 'id'} `{entry.id}`"
                labels = ((named_at(clash), "first here"),)
                yield BoardDiagnostic("E0706", message, named_at(entry), tuple(helps), labels)
                break
        else:
            namesakes[group][choice] = entry


def _alternative(entry: Entry, alternatives: Sequence[str]) -> tuple[str | None, str | None]:
    if len(entry.path) > 1 and entry.path[0] in alternatives:
        return entry.path[0], entry.parents[0]
    return None, None


@dataclass
class Choice:
    """The board with one entry chosen from each list of alternatives: its entries, also by name."""

    chosen: tuple[str, ...]
    entries: list[Entry]

    def __post_init__(self) -> None:
        self.named: dict[str, list[Entry]] = defaultdict(list)
        for entry in self.entries:
            self.named[entry.id].append(entry)

    def the(self, name: str, of_edges: bool) -> list[Entry]:
        """Entries a name can refer to as an edge or as an end of one; those of the wrong kind only as a last resort."""
        entries = self.named.get(name, [])
        return [entry for entry in entries if bool(entry.ends) is of_edges] or entries


def too_many_choices(lists: Lists, alternatives: Sequence[str]) -> bool:
    """True if there are more combinations of alternatives than are examined."""
    combinations = 1
    for name in alternatives:
        combinations *= max(1, len(lists[name]))
    return combinations > MOST_CHOICES


def choices(lists: Lists, alternatives: Sequence[str]) -> list[Choice]:
    """Every board that results from choosing one entry from each list of alternatives."""
    entries = every(lists)
    results = []
    for chosen in product(*(unique(entry.id for entry in lists[name]) or ("",) for name in alternatives)):
        present = {(None, None), *zip(alternatives, chosen, strict=True)}
        results.append(Choice(chosen, [entry for entry in entries if _alternative(entry, alternatives) in present]))
    return results


def references(choice: Choice, everywhere: frozenset[str]) -> Iterator[BoardDiagnostic]:
    """Report ends and edges that do not exist or are of the wrong kind. `everywhere`: names of all alternatives."""
    for entry in choice.entries:
        for field, names in (("ends", entry.ends), ("edges", entry.edges)):
            for index, name in enumerate(names):
                candidates = choice.the(name, of_edges=field == "edges")
                where = (*entry.where, field, index)
                if len(candidates) != 1:
                    yield _not_one(choice, entry, field, name, where, candidates, everywhere)
                elif field == "edges" and not candidates[0].ends:
                    help = 'an edge is an entry with `"ends": ["a", "b"]`'
                    yield _wrong_kind(f"`{name}` is not an edge", where, candidates[0], help)
                elif field == "ends" and candidates[0].ends:
                    yield _wrong_kind(
                        f"`{name}` is itself an edge", where, candidates[0], "edges end at places, not edges"
                    )
        if entry.ends and entry.ends[0] == entry.ends[1]:
            message = f"`{entry.id}` begins and ends at `{entry.ends[0]}`"
            yield BoardDiagnostic("E0708", message, (*entry.where, "ends"), ("an edge joins two different places",))


def _wrong_kind(message: str, where: Where, referenced: Entry, help: str) -> BoardDiagnostic:
    return BoardDiagnostic("E0709", message, where, (help,), ((named_at(referenced), f"`{referenced.id}` is here"),))


def _not_one(
    choice: Choice,
    entry: Entry,
    field: str,
    name: str,
    where: Where,
    candidates: list[Entry],
    everywhere: frozenset[str],
) -> BoardDiagnostic:
    kind = "edge" if field == "edges" else "place"
    if candidates:
        lists = listed(".".join(place.path) for place in candidates)
        help = f"{lists} have a place with the number {name}; give these places ids"
        return BoardDiagnostic("E0707", f"`{name}` is ambiguous: it can be more than one {kind}", where, (help,))
    if name in everywhere:
        message = f"there is no {kind} `{name}` if {listed(choice.chosen)} is chosen"
        return BoardDiagnostic("E0707", message, where, ("it belongs to another alternative",))
    fitting = [place.id for place in choice.entries if bool(place.ends) is (field == "edges") and place is not entry]
    proposals = nearest(name, fitting)
    helps = () if proposals else (f'add an entry with `"id": "{name}"` to a list, or name another {kind}',)
    return BoardDiagnostic("E0707", f"there is no {kind} `{name}`", where, helps, alternatives=proposals)
