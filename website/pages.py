"""The pages of the website: the documentation as it is, and the files that it leads to.

Pages differ from the files in three ways: links lead to pages, examples that are whole games have a link to the
playground, and the examples of the catalogue of errors are coloured.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path, PurePosixPath

from dsl import catalogue
from dsl.lazy_dataclasses import dataclass
from interpreter.authoring.rulebook.drawing import picture_of
from interpreter.loading.game_heads import GameHead, by_family, game_head
from interpreter.wording.phrases import duration, number_of_players
from regelwerk import load
from website.examples import SUFFIX, Project, link_to, project_of_excerpt, project_of_file, project_of_text
from website.places import CATALOGUE, ERRORS, GAMES, LINK, PICTURES, ROOT, place_of, target_of, way_to

FENCE = re.compile(r"^( *)(`{3,})(\w*)\s*$")
EXAMPLES_OF_ERRORS = re.compile(r"^(Wrong|Right):\n\n((?:(?: {4}.*)?\n)+)", re.MULTILINE)
WIDE = "---\nhide: [navigation, toc]\n---\n"
"""The beginning of pages whose lines are long."""
LANGUAGES = {SUFFIX: "rules", ".json": "json", ".py": "python"}


@dataclass(frozen=True)
class Block:
    """Lines of a document: a fenced block of code with its language, or text."""

    lines: tuple[str, ...]
    is_code: bool = False
    language: str = ""
    indent: str = ""

    @property
    def code(self) -> str:
        """What is between the fences."""
        return "".join(line.removeprefix(self.indent) for line in self.lines[1:-1])


def blocks(text: str) -> Iterator[Block]:
    """The parts of a document, in order."""
    lines: list[str] = []
    opened: re.Match[str] | None = None
    for line in text.splitlines(keepends=True):
        fence = FENCE.match(line)
        if opened is None and fence is not None:
            yield Block(tuple(lines))
            lines, opened = [line], fence
        else:
            lines.append(line)
            if opened is not None and fence is not None and fence[2] == opened[2]:
                yield Block(tuple(lines), True, opened[3], opened[1])
                lines, opened = [], None
    yield Block(tuple(lines))


def written_pages(folder: Path) -> list[str]:
    """Write all pages, and the pictures in them, below a folder; the paths of those that belong in the navigation."""
    texts = [*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md"), *(ROOT / CATALOGUE).glob("*.md")]
    games = [path for path in (ROOT / "games").glob(f"*{SUFFIX}") if game_head(path) is not None]
    waiting = [PurePosixPath(path.relative_to(ROOT)) for path in (*texts, *games, ROOT / "games")]
    places: dict[str, PurePosixPath] = {}
    order: dict[str, int] = {}  # of the pages of a folder, as its first page names them
    while waiting:
        source = waiting.pop()
        place = place_of(source)
        if place not in places:
            places[place] = source
            path = folder / place
            path.parent.mkdir(parents=True, exist_ok=True)
            if source.suffix in PICTURES:
                path.write_bytes((ROOT / source).read_bytes())
            else:
                page = Page(source)
                path.write_text(page.text(), encoding="utf-8")
                waiting += page.targets
                if page.is_first_of_folder:
                    order |= {place_of(target): number for number, target in enumerate(dict.fromkeys(page.targets), 1)}
                    order[place] = 0
    documents = [place for place, source in places.items() if place in (ERRORS, GAMES) or _is_document(source)]
    return sorted(documents, key=lambda place: (order.get(place, len(documents)), place))


def _is_document(source: PurePosixPath) -> bool:
    return source.suffix == ".md" and source.parent != CATALOGUE


class Page:
    """A page under construction; `targets` are the files and folders that its links lead to."""

    def __init__(self, source: PurePosixPath) -> None:
        self.source, self.path, self.place = source, ROOT / source, place_of(source)
        self.targets: list[PurePosixPath] = []

    @property
    def is_first_of_folder(self) -> bool:
        """True if it is what one sees first of a folder of documents, and names the others."""
        return self.source.name == "README.md" and self.source.is_relative_to("docs")

    def text(self) -> str:
        """The page in Markdown."""
        if self.place == ERRORS:
            return self._errors()
        if self.place == GAMES:
            return self._games()
        if self.path.is_dir():
            names = sorted(path.name for path in self.path.iterdir() if path.is_file())
            return self._rewritten(f"# {self.source}\n\n" + "".join(f"- [{name}]({name})\n" for name in names))
        text = self.path.read_text("utf-8")
        if self.source.suffix != ".md":
            return self._file(text)
        if self.source.parent == CATALOGUE:
            text = EXAMPLES_OF_ERRORS.sub(_with_fences, text) + "\n[All errors](introduction.md)\n"
        return self._rewritten(text)

    def _rewritten(self, text: str) -> str:
        """A document whose links lead to pages, and whose examples can be played.

        Of several excerpts in a row from the same file, the last one has the link.
        """
        parts: list[str] = []
        before: tuple[Project, int] | None = None
        for block in blocks(text):
            if not block.is_code:
                parts.append(LINK.sub(self._link, "".join(block.lines)))
                continue
            parts += block.lines
            project = self._project(block)
            if project is not None:
                if before is not None and before[0] == project:
                    parts[before[1]] = ""
                before = project, len(parts)
                parts.append(f"\n{block.indent}{link_to(project, self.place)}\n")
        return "".join(parts)

    def _link(self, link: re.Match[str]) -> str:
        target = target_of(link[1], self.source if self.path.is_file() else self.source / "_")
        if target is None:
            return link[1]  # the website says that it leads nowhere
        self.targets.append(target)
        return way_to(place_of(target), self.place)

    def _project(self, block: Block) -> Project | None:
        """What an example is or is taken from, if that can be played."""
        if block.language != "rules":
            return None
        return project_of_excerpt(block.code, self.path.with_suffix("")) or project_of_text(block.code)

    def _file(self, text: str) -> str:
        """A file that is no document: a game with a link to the playground, or something else that is read."""
        is_rules = self.source.suffix == SUFFIX
        project = project_of_file(self.path) if is_rules else None
        head = game_head(self.path) if is_rules else None
        language = LANGUAGES.get(self.source.suffix, "text")
        shown = f"````{language}\n{text}````\n"
        if head is None:
            playing = "" if project is None else link_to(project, self.place) + "\n\n"
            return f"{WIDE}# {self.source.name}\n\n{playing}{shown}"
        parts = [f"# {head.title}\n\n{head.sentence} For {_facts(head)}."]
        if project is not None:
            parts.append(link_to(project, self.place, head.title))
        book = PurePosixPath("docs/rulebooks") / f"{self.path.stem}.md"
        ways = [(GAMES, "All games"), *([(place_of(book), "Rulebook")] if (ROOT / book).exists() else [])]
        parts.append(" · ".join(f"[{words}]({way_to(place, self.place)})" for place, words in ways))
        parts += [*_picture(self.path), "## The rules", shown]
        return WIDE + "\n\n".join(parts)

    def _games(self) -> str:
        heads = ((path, game_head(path)) for path in sorted(self.path.glob(f"*{SUFFIX}")))
        lines = ["# The games\n"]
        for family, members in by_family(heads):
            lines.append(f"\n## {family[:1].upper() + family[1:] or 'Other games'}\n\n")
            lines += [
                f"- **[{head.title}]({path.name}.md)** ({_facts(head)}): {head.sentence}\n" for path, head in members
            ]
        return "".join(lines)

    def _errors(self) -> str:
        """The introduction of the catalogue, and a list of its pages by the first two digits of their codes."""
        introduction = (ROOT / CATALOGUE / "introduction.md").read_text("utf-8")
        subjects = dict(re.findall(r"`(E\d\d)` ([^`,.]+)[,.]", " ".join(introduction.split())))
        text, group = [self._rewritten(introduction)], ""
        for code in catalogue.codes():
            if code[:3] != group:
                group = code[:3]
                text.append(f"\n## {group}: {subjects[group]}\n\n")
            text.append(f"- [{code}]({code}.md): {catalogue.page(code).title}\n")
        return "".join(text)


def _picture(rules: Path) -> Iterator[str]:
    """The board at the first decision, as the seat that decides sees it, if the game has one."""
    game = load(rules).in_words()
    state = game.start(seed=1)
    picture = picture_of(state.view(state.player), game.words, "The board at the beginning")
    if picture is not None:
        yield f'<div class="board">{picture.svg}</div>'


def _facts(head: GameHead) -> str:
    """For how many players a game is, and how long it takes: `2 to 4 players, 30 minutes`."""
    return ", ".join([number_of_players(head.counts), *([duration(*head.minutes)] if head.minutes is not None else [])])


def _with_fences(example: re.Match[str]) -> str:
    """An example of the catalogue as a block of code."""
    code = "\n".join(line[4:] for line in example[2].strip("\n").split("\n"))
    return f"{example[1]}:\n\n```{'json' if code.startswith('{') else 'rules'}\n{code}\n```\n\n"
