"""Who calls whom: the rules and definitions that use an action, a step or a definition, and those that it uses."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from dsl import ast
from dsl.lazy_dataclasses import dataclass
from editors.service.names import Names, Occurrence
from editors.service.results import Place

_CALLABLE = frozenset({"action", "step", "definition"})
_CALLING = (
    ast.Action,
    ast.Step,
    ast.Define,
    ast.When,
    ast.Phase,
    ast.Example,
    ast.Winner,
    ast.Table,
    ast.Zone,
    ast.Piece,
)


@dataclass(frozen=True)
class Called:
    """A rule or a definition: its name, where it is declared, all of it, and where the calls are."""

    name: str
    name_place: Place
    place: Place
    calls: tuple[Place, ...] = ()


def callable_at(names: Names, path: Path, offset: int) -> Called | None:
    """The action, step or definition that is named at an offset."""
    name = names.at(path, offset)
    return _called(names, name) if name is not None and name.entity.kind in _CALLABLE else None


def _called(names: Names, name: Occurrence) -> Called | None:
    declaration = next(iter(names.declarations(name.entity)), None)
    if declaration is None or declaration.node is None:
        return None
    place = names.analysis.place(declaration.node.span)
    return None if place is None else Called(name.entity.name, declaration.place, place)


def outgoing(names: Names, path: Path, offset: int) -> tuple[Called, ...]:
    """What the rule named at an offset calls, each once with all its calls."""
    name_here = names.at(path, offset)
    calling = callable_at(names, path, offset)
    if calling is None or name_here is None:
        return ()
    calls: dict[str, list[Occurrence]] = {}
    for name in names.by_path.get(calling.place.path, ()):
        inside = calling.place.start <= name.place.start and name.place.end <= calling.place.end
        if inside and name.entity.kind in _CALLABLE and not name.is_declaration and not _is_cue(name):
            calls.setdefault(name.entity.name, []).append(name)
    called_with_uses = [(_called(names, uses[0]), uses) for uses in calls.values()]
    cues = [cue.place for cue in names.of(name_here.entity) if _is_cue(cue)]
    interrupts = (
        Called(title, place, place, (cue,))
        for title, place in _declarations(names) for cue in cues if place.path == cue.path and place.holds(cue.start)
    )  # fmt: skip
    named = (
        Called(called.name, called.name_place, called.place, tuple(use.place for use in uses))
        for called, uses in called_with_uses if called is not None
    )  # fmt: skip
    return (*named, *interrupts)


def incoming(names: Names, path: Path, offset: int) -> tuple[Called, ...]:
    """The declarations that use what is named at an offset, each once with all its calls."""
    name = names.at(path, offset)
    if name is None or name.entity.kind not in _CALLABLE:
        return ()
    uses = [use.place for use in names.of(name.entity) if not use.is_declaration and not _is_cue(use)]
    callers = [Called(caller.name, caller.name_place, caller.place, (cue.place,)) for cue, caller in _cued(names, name)]
    for title, place in _declarations(names):
        inside = tuple(
            use for use in uses if use.path == place.path and place.start <= use.start and use.end <= place.end
        )
        if inside:
            callers.append(Called(title, place, place, inside))
    return tuple(callers)


def _is_cue(name: Occurrence) -> bool:
    """True if a name is that of a rule that does an interrupt: there the interrupt is called, not the rule."""
    return isinstance(name.node, ast.CuedRule)


def _cued(names: Names, interrupt: Occurrence) -> Iterator[tuple[Occurrence, Called]]:
    """The rules that do an interrupt, each with its name in the heading of the interrupt."""
    step = _called(names, interrupt)
    if step is None:
        return
    for name in names.by_path.get(step.place.path, ()):
        if _is_cue(name) and step.place.start <= name.place.start and name.place.end <= step.place.end:
            caller = _called(names, name)
            if caller is not None:
                yield name, caller


def _declarations(names: Names) -> list[tuple[str, Place]]:
    """Every declaration that can use others, with its name or the text by which people know it."""
    model = names.analysis.model
    if model is None:
        return []
    nodes = [node for part in model.as_written.parts for node in part.declarations] + list(model.examples)
    declarations = []
    for node in dict.fromkeys(node for node in nodes if isinstance(node, _CALLING)):
        place = names.analysis.place(node.span)
        title = node.title.value if isinstance(node, ast.Example | ast.Table) else getattr(node, "name", node.kind)
        if place is not None:
            declarations.append((title, place))
    return declarations
