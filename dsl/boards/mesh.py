"""Planar boards: faces are closed rings, every edge lies between faces, and no face is missing.

For a planar map with V corners, E edges, F faces (the outside not counted) in C components with H holes, V - E + F = C
- H (Euler 1758; for several components L'Huilier 1813). The corners are the ends of the edges.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator

from dsl.boards.diagnostics import BoardDiagnostic, listed
from dsl.boards.model import Entry
from dsl.boards.places import Choice, named_at
from dsl.boards.positions import Where
from dsl.text.nouns import counted

Beside = dict[Entry, list[tuple[Entry, Where]]]
MOST_SORTED = 50
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
    steps = max((_walk(edges, start) for start in edges[0].ends), key=len)
    if len(steps) <= len(edges):
        index = len(steps)
        previous, edge = edges[index - 1], edges[index % len(edges)]
        message = (
            f"the edges of face `{face.id}` do not form a closed ring: `{edge.id}` does not continue `{previous.id}`"
        )
        helps = [f"`{unjoined.id}` joins {listed(unjoined.ends)}" for unjoined in (previous, edge)]
        order = _in_order(edges) if len(edges) <= MOST_SORTED else []
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
