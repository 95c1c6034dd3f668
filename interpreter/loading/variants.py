"""Variants of a game: finding them by name or path, reading them, finding them again when a save is resumed."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from difflib import get_close_matches
from pathlib import Path

from dsl import ast
from dsl.diagnostics import Diagnostic
from dsl.syntax import Parse, parse, read_source
from dsl.text.files import expanded, files_in, is_file
from dsl.text.variant_files import FOLDER, FoundVariant, head_of, name_of
from interpreter.errors import VariantError
from interpreter.loading.game_library import SUFFIX, find_named, user_folder
from interpreter.wording.phrases import NONE, Phrase, did_you_mean


def variants_of(rules: Path) -> list[FoundVariant]:
    """The variants of a game that can be named, nearest first; of those with the same name only the nearest counts."""
    return list(_nearest(variant for variant in _nearby(rules) if variant.game == name_of(rules)).values())


def _nearest(variants: Iterable[FoundVariant]) -> dict[str, FoundVariant]:
    """Variants by name; of those with the same name the first."""
    by_name: dict[str, FoundVariant] = {}
    for variant in variants:
        by_name.setdefault(variant.name, variant)
    return by_name


def _nearby(rules: Path) -> Iterator[FoundVariant]:
    """Every variant beside the game, in the current folder and in the user's own games folder."""
    for folder in dict.fromkeys((rules.parent, Path.cwd(), user_folder())):
        yield from (head for path in files_in(folder / FOLDER, SUFFIX) if (head := head_of(path)) is not None)


def find_variants(rules: Path, named: Sequence[str | Path]) -> tuple[Path, ...]:
    """The files of variants given by names or paths, in an order that does not depend on how they are given.

    Raises VariantError.
    """
    names = [str(name) for name in named]
    nearby = [] if all(map(_is_path, names)) else list(_nearby(rules))  # reads the head of every file there
    paths = [_find(rules, name, nearby) for name in names]
    seen: set[Path] = set()
    for path in paths:
        if path.absolute() in seen:
            raise VariantError(Phrase("the variant `{name}` is given twice", name=name_of(path)))
        seen.add(path.absolute())
    return tuple(sorted(paths, key=lambda path: (path.name, str(path))))


def _is_path(name: str) -> bool:
    return name.endswith(SUFFIX) or expanded(name).parent != Path()


def _find(rules: Path, name: str, nearby: Sequence[FoundVariant]) -> Path:
    """The file of a variant given by a path, or by the name of one of those `nearby`. Raises VariantError."""
    game, path = name_of(rules), expanded(name)
    if _is_path(name):
        head = head_of(path)
        if not is_file(path):
            raise VariantError(Phrase("there is no variant `{name}`", name=name))
        if head is None:
            raise VariantError(
                Phrase(
                    '`{name}` is not a variant: it does not begin with `variant "…" of {game}:`', name=name, game=game
                )
            )
    else:
        named = [variant for variant in nearby if variant.name == name]
        head = next((variant for variant in named if variant.game == game), named[0] if named else None)
        if head is None:
            variants = _nearest(variant for variant in nearby if variant.game == game)
            close = get_close_matches(name, variants, n=3, cutoff=0.5)
            hint = did_you_mean(close) or Phrase("; it has {names}", names=", ".join(variants) or NONE)
            raise VariantError(Phrase("`{game}` has no variant `{name}`{hint}", game=game, name=name, hint=hint))
    if head.game != game:
        raise VariantError(
            Phrase("`{name}` is a variant of `{other}`, not of `{game}`", name=name, other=head.game, game=game)
        )
    return head.path


def base_of(path: Path) -> Path | None:
    """Find the rules file of the game that a variant belongs to; None if the file is not a variant.

    It is beside the folder of the variants, or a game that can be named. Raises UnknownGameError.
    """
    head = head_of(path)
    if head is None:
        return None
    rules = path.absolute().parent.parent / f"{head.game}{SUFFIX}"
    return rules if is_file(rules) else find_named(head.game)


def read_variant(
    path: Path, display_name: str, first_number: int, parse: Parse = parse
) -> tuple[ast.VariantFile | None, list[Diagnostic]]:
    """Read the file of a variant, which messages call `display_name`: its tree and all diagnostics."""
    source = read_source(path, display_name)
    if isinstance(source, Diagnostic):
        return None, [source]
    tree, diagnostics = parse(source, first_number)
    return (tree if isinstance(tree, ast.VariantFile) else None), diagnostics


def without_examples(variant: ast.VariantFile) -> ast.VariantFile:
    """Return the variant without its changes to examples."""
    changes = tuple(
        change for change in variant.changes if not (isinstance(change, ast.Change) and _of_example(change))
    )
    return replace(variant, changes=changes)


def _of_example(change: ast.Change) -> bool:
    return change.declaration_kind == "example" or isinstance(change.declaration, ast.Example)


def find_saved_variant(recorded: str, rules: Path) -> Path | None:
    """The file of a variant of a save: at its recorded path, or of the same name among the game's variants."""
    path = Path(recorded)
    if head_of(path) is not None:
        return path
    return next((variant.path for variant in variants_of(rules) if variant.name == name_of(path)), None)
