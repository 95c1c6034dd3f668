"""Standalone pages: single files that load nothing and run only the code they contain."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Mapping
from html import escape
from pathlib import Path

from cli.errors import CommandError, MisuseError
from cli.output_files import in_writable_folder, output_file
from dsl.text.files import JsonObject, Unreadable, is_there, read_file
from dsl.text.visible import json_text
from interpreter.wording.phrases import Phrase


def mark(kind: str) -> str:
    """The beginning of every page of a kind; a file that begins differently is not overwritten."""
    return f'<!doctype html>\n<html data-format="regelwerk {kind} 1"'


def head(kind: str, language: str = "en") -> str:
    """The first lines of a page of a kind in a language."""
    return f'{mark(kind)} lang="{escape(language)}">\n'


def replaceable_path(text: str, flag: str, kind: str, words: Phrase) -> Path:
    """Resolve the path of a page to write: a new file, or a page of the same kind to replace; `words` name the kind.

    Raises MisuseError, CommandError.
    """
    path = output_file(text, flag)
    if is_there(path) and not _begins_with(path, mark(kind).encode()):
        message = Phrase(
            "{flag} {path} already exists and is not a {kind}; choose another name", flag=flag, path=text, kind=words
        )
        raise MisuseError(message)
    return in_writable_folder(path, flag)


def _begins_with(path: Path, beginning: bytes) -> bool:
    try:
        return read_file(path, len(beginning)).startswith(beginning)
    except Unreadable as fault:
        raise CommandError(f"{path} {fault.why}") from None


def filled(template: str, parts: Mapping[str, str]) -> str:
    """Fill in a template, whose parts are written as `@@NAME@@`; the parts themselves are not searched."""
    pieces = template.split("@@")
    return "".join(parts[piece] if index % 2 else piece for index, piece in enumerate(pieces))


def embedded(data: JsonObject) -> str:
    """Encode as JSON that cannot close the element it is embedded in, whatever texts a rules file contains."""
    return json_text(data).replace("&", "\\u0026").replace("<", "\\u003c").replace(">", "\\u003e")


def digest(text: str) -> str:
    """The digest that permits a browser to run or apply this text and no other."""
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"
