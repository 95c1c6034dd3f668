"""Planar boards: faces are closed rings, every edge lies between faces, and no face is missing.

A board file lists places, edges between them and faces with their edges. What authors get wrong is a missing face,
which no other check can notice: the edges around it are all there. Euler's formula notices it. For a planar map with V
corners, E edges, F faces (the outside not counted) in C components with H holes, V - E + F = C - H (Euler 1758; for
several components L'Huilier 1813). The corners are the ends of the edges. Two triangles that share an edge: 4 - 5 + 2 =
1. Without the second face it is 0, so one face is missing, or there is a hole.

The formula says how many faces are missing, not where. Edges that border only one face form the rim: the outer ring,
and one ring for each face that is missing or for each hole (`_inner_rings`).
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import product

from dsl.boards.json_positions import BoardDiagnostic, Where, listed, nearest, quoted
from dsl.boards.model import Entry, unique
from dsl.lazy_dataclasses import dataclass
from dsl.text.nouns import counted

Beside = dict[Entry, list[tuple[Entry, Where]]]
MAX_SORTED = 50
"""Maximum number of edges of a face that are sorted into a suggestion for its author."""


def mesh(choice: Choice, holes: int) -> Iterator[BoardDiagnostic]:
    """Check the faces of a board whose names are valid. A board without faces is not planar."""
    faces = [entry for entry in choice.entries if entry.edges]
    beside: Beside = defaultdict(list)
    valid = True
    for face in faces:
        edges = [choice.the(name, of_edges=True)[0] for name in face.edges]
        for index, edge in enumerate(edges):
            beside[edge].append((face, (*face.where, "edges", index)))
        for diagnostic in _ring(face, edges):
            valid = False
            yield diagnostic
    for diagnostic in _sides(choice, beside):
        valid = False
        yield diagnostic
    if faces and valid:
        yield from _euler(choice, faces, beside, holes)


def _ring(face: Entry, edges: list[Entry]) -> Iterator[BoardDiagnostic]:
    """Report why the edges of a face do not form one closed ring in their order."""
    seen: set[Entry] = set()
    for index, edge in enumerate(edges):
        if edge in seen:
            message = f"face `{face.id}` lists the edge `{edge.id}` twice"
            yield BoardDiagnostic("E0710", message, (*face.where, "edges", index), ("list each edge of a face once",))
            return
        seen.add(edge)
    # The first edge may be listed in either direction: the longer walk is the one that its author meant.
    steps = max((_walk(edges, start) for start in edges[0].ends), key=len)
    if len(steps) <= len(edges):
        index = len(steps)
        previous, edge = edges[index - 1], edges[index % len(edges)]
        message = (
            f"the edges of face `{face.id}` do not form a closed ring: `{edge.id}` does not continue `{previous.id}`"
        )
        helps = [f"`{unjoined.id}` joins {listed(unjoined.ends)}" for unjoined in (previous, edge)]
        order = _in_order(edges) if len(edges) <= MAX_SORTED else []
        helps.append(
            f"in order around the face: {', '.join(order)}"
            if order
            else "is an edge missing, or is there one too many?"
        )
        where = (*face.where, "edges", index % len(edges))
        yield BoardDiagnostic("E0710", message, where, tuple(helps), ((named_at(edge), f"`{edge.id}` is here"),))
    elif len(set(steps)) < len(edges):
        repeated = Counter(steps[1:]).most_common(1)[0][0]
        message = f"the ring of face `{face.id}` visits `{repeated}` twice"
        yield BoardDiagnostic(
            "E0710", message, (*face.where, "edges"), ("split it into two faces that share a corner",)
        )


def _walk(edges: list[Entry], start: str) -> list[str]:
    """Corners along the edges from `start`, as far as they join up; ends with `start` if the ring closes."""
    steps = [start]
    for edge in edges:
        if steps[-1] not in edge.ends:
            return steps
        steps.append(_other_end(edge, steps[-1]))
    return steps if steps[-1] == start else steps[:-1]


def _in_order(edges: list[Entry]) -> list[str]:
    """The edges in an order that forms one ring, if there is one."""
    remaining = edges[1:]
    order, corner = edges[:1], edges[0].ends[1]
    while remaining:
        next_edges = [edge for edge in remaining if corner in edge.ends]
        if len(next_edges) != 1:
            return []
        remaining.remove(next_edges[0])
        order += next_edges
        corner = _other_end(next_edges[0], corner)
    return [edge.id for edge in order] if corner == edges[0].ends[0] else []


def _other_end(edge: Entry, end: str) -> str:
    return edge.ends[1] if edge.ends[0] == end else edge.ends[0]


def _sides(choice: Choice, beside: Beside) -> Iterator[BoardDiagnostic]:
    """Report edges that border too many faces, or none though other edges of their list border faces."""
    bounding = {edge.path for edge in beside}
    for edge in choice.entries:
        faces = beside.get(edge, [])
        if len(faces) > 2:
            labels = tuple((where, f"borders face `{face.id}`") for face, where in faces[:3])
            help = "an edge has two sides, so it borders at most two faces"
            yield BoardDiagnostic(
                "E0711", f"the edge `{edge.id}` borders {len(faces)} faces", named_at(edge), (help,), labels
            )
        elif edge.ends and not faces and edge.path in bounding:
            helps = (
                "add it to the `edges` of the faces it borders",
                "put edges that border no face in a list of their own",
            )
            yield BoardDiagnostic("E0712", f"the edge `{edge.id}` borders no face", named_at(edge), helps)


def _euler(choice: Choice, faces: list[Entry], beside: Beside, holes: int) -> Iterator[BoardDiagnostic]:
    corners = {end for edge in beside for end in edge.ends}
    components = len(_components(beside))
    total = len(corners) - len(beside) + len(faces)
    if total == components - holes:
        return
    parts = counted(len(corners), "corner"), counted(len(beside), "edge"), counted(len(faces), "face")
    expected = counted(components, "component") + (f" less {holes} for `holes`" if holes else "")
    missing = components - holes - total
    helps = [f"{parts[0]} - {parts[1]} + {parts[2]} = {total}, expected {expected}"]
    if missing > 0:
        rings = _inner_rings([edge for edge, faces in beside.items() if len(faces) == 1], choice)
        if rings:
            helps.append(f"is there a face between {listed(edge.id for edge in rings[0])}?")
        helps.append(f'if the board has holes, write `"holes": {holes + missing}`')
        message = f"{counted(missing, 'face')} {'is' if missing == 1 else 'are'} missing, or the board has holes"
    elif holes:
        message = f"the board has fewer than {counted(holes, 'hole')}"
        helps.append(f'write `"holes": {components - total}`' if components >= total else "look for duplicate faces")
    else:
        message = "there are more faces than fit on a planar board"
        helps.append("the outside is not a face")
    yield BoardDiagnostic("E0713", message, named_at(faces[0])[:1], tuple(helps), key=True)


def _inner_rings(rim: list[Entry], choice: Choice) -> list[list[Entry]]:
    """Rings of edges that border one face, shortest first, without the outer ring.

    The outer ring has the leftmost corner; if corners have no coordinates, it is assumed to be the longest.
    """
    rings = sorted(_components(rim), key=len)
    corners = [{place.at for edge in ring for end in edge.ends for place in choice.the(end, False)} for ring in rings]
    known_corners = [{at for at in places if at is not None} for places in corners]
    if all(known_corners):
        # No inner ring can reach further to the left than the ring around it.
        longest = min(range(len(rings)), key=lambda number: min(known_corners[number]), default=0)
        return [ring for number, ring in enumerate(rings) if number != longest]
    return rings[:-1]


def _components(edges: Iterable[Entry]) -> list[list[Entry]]:
    """Connected components of the edges, by a search over common ends."""
    at: dict[str, list[Entry]] = defaultdict(list)
    every = list(edges)
    for edge in every:
        for end in edge.ends:
            at[end].append(edge)
    groups, seen = [], set[Entry]()
    for first in every:
        if first in seen:
            continue
        seen.add(first)
        group = [first]
        for edge in group:
            for end in edge.ends:
                for neighbour in at.pop(end, ()):
                    if neighbour not in seen:
                        seen.add(neighbour)
                        group.append(neighbour)
        groups.append(group)
    return groups


# ---------------- names of places and references to them: ids must be unique, and every end and edge must exist


MAX_CHOICES = 64
"""Maximum number of combinations of alternatives; a board with more is refused."""

Lists = Mapping[str, tuple[Entry, ...]]


def every(lists: Lists) -> list[Entry]:
    """All entries in file order."""
    return [entry for entries in lists.values() for top in entries for entry in top.walk()]


def named_at(entry: Entry) -> Where:
    """Path at which an entry is named in the file, or of the entry itself."""
    return (*entry.where, "number" if entry.id.isdigit() else "id")


def named_lists(field: str, named: Sequence[str], lists: Collection[str]) -> Iterator[BoardDiagnostic]:
    """Report names in a field of the header that are not names of lists, or duplicates."""
    for index, name in enumerate(named):
        where = (field, index)
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

    # A place and an edge may have the same number. Which of them is meant follows from where the number is used.
    def the(self, name: str, of_edges: bool) -> list[Entry]:
        """Entries a name can refer to as an edge or as an end of one; those of the wrong kind only as a last resort."""
        entries = self.named.get(name, [])
        return [entry for entry in entries if bool(entry.ends) is of_edges] or entries


def too_many_choices(lists: Lists, alternatives: Sequence[str]) -> bool:
    """True if there are more combinations of alternatives than are examined."""
    combinations = 1
    for name in alternatives:
        combinations *= max(1, len(lists[name]))
    return combinations > MAX_CHOICES


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
