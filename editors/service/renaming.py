"""Going to where a name is declared and used, and giving it another one in every file of the game."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from dsl.syntax import terminals
from editors.service.analysis import Analysis
from editors.service.names import Entity, Names, Occurrence
from editors.service.results import Edit, Place, Renaming

_NOT_RENAMED = frozenset({"function", "builtin"})
_DECLARED = frozenset(
    {"type", "constant", "piece", "zone", "note", "die", "position", "option", "definition", "action", "step", "phase"}
)


def definitions(names: Names, path: Path, offset: int) -> tuple[Place, ...]:
    """Where what is named at an offset is declared; a declaration of a variant comes before the one it replaces."""
    name = names.at(path, offset)
    if name is None:
        return ()
    places = [declaration.place for declaration in names.declarations(name.entity)]
    if not places and name.symbol is not None and name.symbol.node is not None:
        place = names.analysis.place(name.symbol.node.span)
        places = [place] if place is not None else []
    return tuple(places)


def type_definitions(names: Names, path: Path, offset: int) -> tuple[Place, ...]:
    """Where the type of what is named at an offset is declared."""
    name = names.at(path, offset)
    type_ = getattr(name.symbol, "type", None) if name is not None else None
    for part in (type_, getattr(type_, "of", None), getattr(type_, "element", None)):
        type_name = getattr(part, "name", None)
        if isinstance(type_name, str):
            return tuple(declaration.place for declaration in names.declarations(Entity("type", type_name)))
        if pieces := getattr(part, "piece_types", None):
            kinds = [Entity("piece", piece) for piece in sorted(pieces)]
            return tuple(declaration.place for kind in kinds for declaration in names.declarations(kind))
    return ()


def references(names: Names, path: Path, offset: int, declarations: bool = True) -> tuple[Place, ...]:
    """Every place where what is named at an offset is named."""
    name = names.at(path, offset)
    if name is None:
        return ()
    return tuple(use.place for use in names.of(name.entity) if declarations or not use.is_declaration)


def renamable(names: Names, path: Path, offset: int) -> Occurrence | None:
    """The name at an offset, if it is one that the files of the game declare."""
    name = names.at(path, offset)
    if name is None or name.entity.kind in _NOT_RENAMED:
        return None
    return name if names.declarations(name.entity) else None


def rename(
    names: Names, path: Path, offset: int, new: str, recheck: Callable[[Mapping[Path, str]], Analysis]
) -> Renaming:
    """Give what is named at an offset another name, wherever it is named.

    `recheck` analyses the game with other texts for some of its files. Refused if that leads to an error that is not
    there now: the new name is taken, would hide another one, or stands in a file that is no rules, such as a board.
    """
    name = renamable(names, path, offset)
    if name is None:
        return Renaming(refusal="there is nothing here that can be renamed")
    if not terminals.is_name(new):
        kind = "a keyword of the language" if new in terminals.keywords() else "not a name"
        return Renaming(refusal=f"`{new}` is {kind}")
    if new == name.entity.name:
        return Renaming()
    if any(finding.severity == "error" for finding in names.analysis.findings):
        return Renaming(refusal="correct the errors first: with them, not every use of a name is known")
    if any(_clash(name.entity, namesake.entity) for namesake in names.of_name(new)):
        return Renaming(refusal=f"there is another `{new}`")
    edits = tuple(Edit(use.place, new) for use in names.of(name.entity))
    renamed = recheck(edited_texts(names.analysis, edits))
    error = next((finding for finding in renamed.findings if finding.severity == "error"), None)
    if error is not None:
        return Renaming(refusal=f"the rules would be wrong then: {error.message.partition(chr(10))[0]}")
    if _meanings(names) != _meanings(Names(renamed)):
        return Renaming(refusal=f"some uses of `{new}` would mean something else then")
    return Renaming(edits)


def _clash(renamed: Entity, namesake: Entity) -> bool:
    """True if two things should not have the same name.

    The language allows a note to be called as a seat, and tells them apart by the expected type; readers may not.
    Values of different types may share their name, as suits and ranks do.
    """
    if renamed.kind == namesake.kind:
        return renamed.owner == namesake.owner
    return all(entity.kind == "value" or entity.kind in _DECLARED for entity in (renamed, namesake))


def edited_texts(analysis: Analysis, edits: Sequence[Edit]) -> dict[Path, str]:
    """The texts of the files with edits, after them."""
    texts: dict[Path, str] = {}
    for edit in sorted(edits, key=lambda edit: edit.place.start, reverse=True):
        path = edit.place.path
        source = analysis.source(path)
        text = texts.get(path, source.text if source is not None else "")
        texts[path] = text[: edit.place.start] + edit.text + text[edit.place.end :]
    return texts


def _meanings(names: Names) -> list[int]:
    """For each name in the files, in order, the first one that means the same: this does not depend on words."""
    first: dict[Entity, int] = {}
    every = [name.entity for path in sorted(names.by_path) for name in names.by_path[path]]
    return [first.setdefault(entity, number) for number, entity in enumerate(every)]
