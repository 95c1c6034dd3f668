"""The texts of rules as saves hold them, so that a game can go on under the rules it began with.

They are those that were read when the game was loaded, whatever has become of the files since: the rules, their
variants and their board. Words in other languages, which make no difference to the rules, are read when the texts are
packed: into JSON, compressed by zlib, as base64. To be used again they are written into a temporary folder, as rules
are loaded from files.
"""

from __future__ import annotations

import base64
import binascii
import json
import tempfile
import zlib
from functools import lru_cache
from pathlib import Path, PurePath
from typing import TYPE_CHECKING, Any
from weakref import WeakKeyDictionary

from dsl import ast
from dsl.checker.board_path import leads_out
from dsl.lazy_dataclasses import dataclass
from dsl.text.files import MAX_FILE_SIZE, Unreadable, read_file
from interpreter.loading.languages import FOLDER, languages_of
from interpreter.loading.rules import TEXTS_FOLDER, Rules

if TYPE_CHECKING:
    from dsl.text.span import Source

MAX_TEXT_BYTES = 8_000_000
"""Maximum size of all texts together, unpacked."""

VARIANTS, OWN_BOARD = "variants", "own"
"""The folders of variants, and of a board that the rules do not name."""

SUFFIXES = (".rules", ".json")

_packed: WeakKeyDictionary[Rules, str] = WeakKeyDictionary()
_folders: list[tempfile.TemporaryDirectory[str]] = []


@dataclass(frozen=True)
class RulesFiles:
    """Where the rules of a save are: the rules file, its variants, and a board that the rules do not name."""

    rules: Path
    variants: tuple[Path, ...]
    board: Path | None


def packed_texts(rules: Rules) -> str:
    """The texts of checked rules, packed; computed once for rules that do not change."""
    text = _packed.get(rules)
    if text is None:
        text = _packed[rules] = _pack(rules)
    return text


def _pack(rules: Rules) -> str:
    files: dict[str, str] = {}
    trees = rules.merged.variants if rules.merged is not None else ()
    variants = [f"{VARIANTS}/{path.name}" for path in rules.variants]
    for name, tree in zip(variants, trees, strict=True):
        files[name] = tree.span.source.text
    files[rules.path.name] = _base(rules, [tree.span.source for tree in trees]).text
    board = rules.model.board
    own_board = None
    if board is not None and rules.board is not None:
        own_board = f"{OWN_BOARD}/{rules.board.name}"
        files[own_board] = board.source.text
    elif board is not None:
        files[_declared_board(rules, dict(zip([tree.span.source.name for tree in trees], variants, strict=True)))] = (
            board.source.text
        )
    for path in languages_of(rules.path).values():
        try:
            files[f"{FOLDER}/{path.name}"] = read_file(path, MAX_FILE_SIZE).decode("utf-8-sig")
        except (Unreadable, UnicodeDecodeError):
            continue  # words that cannot be read now cannot be read later
    content = {"rules": rules.path.name, "variants": variants, "board": own_board, "files": files}
    data = json.dumps(content, ensure_ascii=False, sort_keys=True).encode("utf-8", "replace")
    return base64.b64encode(zlib.compress(data, 9)).decode("ascii")


def _base(rules: Rules, others: list[Source]) -> Source:
    """The source of the rules file itself, in a game that may have parts of variants."""
    sources = (node.span.source for node in rules.model.as_written.walk())
    return next(source for source in sources if source not in others)


def _declared_board(rules: Rules, variants: dict[str, str]) -> str:
    """The path of the board that the rules name, or one of the variants, by the names of their sources."""
    parts = rules.model.as_written.parts
    node = next(node for part in parts for node in part.declarations if isinstance(node, ast.Board))
    folder = PurePath(variants.get(node.span.source.name, "")).parent
    return (folder / node.path).as_posix()


@lru_cache(maxsize=16)
def unpacked_files(packed: str) -> RulesFiles:
    """Write packed texts into a folder that lasts as long as this process. Raises ValueError if they are not such."""
    content = _content(packed)
    folder = tempfile.TemporaryDirectory(prefix=TEXTS_FOLDER)
    _folders.append(folder)  # which is removed when the process ends
    top = Path(folder.name)
    for name, text in content["files"].items():
        path = top / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8", newline="")
    board = content["board"]
    variants = tuple(top / name for name in content["variants"])
    return RulesFiles(top / content["rules"], variants, None if board is None else top / board)


def _content(packed: str) -> dict[str, Any]:
    """The content of packed texts, with paths that stay in their folder."""
    try:
        unpacking = zlib.decompressobj()
        data = unpacking.decompress(base64.b64decode(packed, validate=True), MAX_TEXT_BYTES)
        content: Any = json.loads(data)
    except (binascii.Error, zlib.error, RecursionError) as fault:
        raise ValueError(str(fault)) from None
    if unpacking.unconsumed_tail or not isinstance(content, dict) or not isinstance(content.get("files"), dict):
        raise ValueError("not the texts of rules")
    files, named = content["files"], [content.get("rules"), *content.get("variants", ())]
    if content.get("board") is not None:
        named.append(content["board"])
    for name in [*files, *named]:
        if not isinstance(name, str) or leads_out(name) or not name.endswith(SUFFIXES) or "\0" in name:
            raise ValueError("a path that leads out of its folder")
    if not all(isinstance(text, str) for text in files.values()) or not all(name in files for name in named):
        raise ValueError("a file is missing")
    return content
