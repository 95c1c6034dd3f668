"""Examples that can be changed and played: links that open them in the playground."""

from __future__ import annotations

import base64
import json
import re
import zlib
from collections.abc import Mapping, Sequence
from functools import cache
from html import escape
from pathlib import Path, PurePosixPath

from dsl.diagnostics import RulesError
from dsl.lazy_dataclasses import dataclass
from dsl.text.variant_files import FOLDER, head_of
from editors.service.analysis import Trees, analyse
from editors.service.texts import Nothing
from interpreter.loading.game_files import files_of_game
from website.places import PLAYGROUND, ROOT, way_to

SUFFIX = ".rules"
GAME = re.compile(r'\A(?:\s*#.*\n|\s*\n)*\s*game +"([^"]+)"')


@dataclass(frozen=True)
class Project:
    """What the playground opens: the path of the rules, the shipped game they come from, the author's files."""

    rules: str
    files: Mapping[str, str]
    origin: str = ""
    variants: Sequence[str] = ()

    @property
    def fragment(self) -> str:
        """The part of a link that contains it, as `web/playground/src/project.js` reads it."""
        described = {"rules": self.rules, "origin": self.origin, "files": self.files, "variants": self.variants}
        packed = zlib.compress(json.dumps(described).encode(), wbits=-zlib.MAX_WBITS)
        return "#rules=" + base64.urlsafe_b64encode(packed).decode().rstrip("=")


def link_to(project: Project, page: str, title: str = "") -> str:
    """A link in a page, in HTML, that opens a project in the playground; `title` says what it is called."""
    name = title or project.rules.removesuffix(SUFFIX).replace("_", " ")
    address = f"{way_to(PLAYGROUND, page)}/{project.fragment}"
    return f'<p class="play"><a href="{address}">Change and play <em>{escape(name)}</em></a></p>'


def project_of_text(text: str) -> Project | None:
    """An example that is a whole game; None if it is only a part of one."""
    head = GAME.match(text)
    if head is None:
        return None
    name = re.sub(r"\W+", "_", head[1].lower()).strip("_") + SUFFIX
    path = ROOT / name  # there is no such file: only its text is checked
    checked = analyse(path, {path: text}, Nothing(), Trees())
    return None if any(finding.severity == "error" for finding in checked.findings) else Project(name, {name: text})


def project_of_excerpt(text: str, folder: Path) -> Project | None:
    """The first file of a folder that contains an excerpt; None if there is none."""
    paths = (path for path, content in _rules_in(folder).items() if text in content)
    return next((project_of_file(path) for path in paths), None)


@cache
def _rules_in(folder: Path) -> dict[Path, str]:
    return {path: path.read_text("utf-8") for path in sorted(folder.glob(f"*{SUFFIX}"))}


def project_of_file(path: Path) -> Project | None:
    """A rules file with all that belongs to it; a variant with the game it is of. None for anything else."""
    variant = head_of(path)
    rules = path if variant is None else path.with_name(f"{variant.game}{SUFFIX}")
    try:
        files = {str(PurePosixPath(each.relative_to(rules.parent))): each for each in files_of_game(rules)}
    except RulesError:
        return None
    if rules.parent == ROOT / "games":
        return Project(rules.name, {}, origin=rules.stem)
    if variant is not None:
        files[f"{FOLDER}/{path.name}"] = path
    texts = {name: each.read_text("utf-8") for name, each in files.items()}
    return Project(rules.name, texts, variants=[name for name in texts if name == f"{FOLDER}/{path.name}"])
