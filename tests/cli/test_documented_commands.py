"""What the documents say can be typed works as it stands there: at the prompt, and of a save in a shell."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
GAMES = {"chinesische_mauer": (1, "3"), "china": (2, "6"), "mauerbauer": (2, "6")}
"""The games of the examples in the documents, with a seed and a first answer: red holds two walls in the first."""

REFUSALS = ("there is no move", "there is no command", "error[E", "expects", "is no limit", "numbered 1 to")
VALUES = {"SAVE": "a.json", "SEAT": "cross", "QUESTION": "1", "…": "1"}


def prompt_commands() -> list[str]:
    """The first column of the table of commands at the prompt, and of the hints."""
    table = (DOCS / "play.md").read_text("utf-8").partition("## Commands at the prompt")[2].partition("\n###")[0]
    cells = re.findall(r"^\| (.+?) \|", table, re.MULTILINE)
    hints = re.findall(r"`(hint[^`]*)`", (DOCS / "opponents.md").read_text("utf-8"))
    found = [command for cell in cells for command in re.findall(r"`([^`]+)`", cell)]
    return list(dict.fromkeys([*found, *(hint for hint in hints if not hint.startswith("hint --"))]))


def shell_commands() -> list[str]:
    """Every `regelwerk VERB SAVE …` in the documents."""
    texts = [path.read_text("utf-8") for path in sorted(DOCS.glob("*.md"))]
    found = [
        command for text in texts for command in re.findall(r"`regelwerk (\w+ SAVE[^`]*)`", " ".join(text.split()))
    ]
    return [command for command in dict.fromkeys(found) if not command.startswith("trace SAVE --html")]


def test_there_are_commands():
    assert {"why 3", "hint 1000", "preview 3", "lay 2 w"} <= set(prompt_commands())
    assert {"hint SAVE 1000", "hint SAVE --review", "why SAVE … --more"} <= set(shell_commands())


@pytest.mark.parametrize("command", prompt_commands())
def test_at_the_prompt(run, own_folder, command):
    """In one of these games at least it is understood; `back`, `undo` and `trace` may have nothing to do."""
    outputs = []
    for game, (seed, first) in GAMES.items():
        result = run("play", game, "--seed", seed, "--save", f"{game}.json", typed=[first, command, "quit"])
        assert result.exit_code == 0
        outputs.append(result.output)
        if not any(refusal in result.output for refusal in REFUSALS):
            return
    raise AssertionError(f"{command}: {outputs}")


@pytest.mark.parametrize("command", shell_commands())
def test_of_a_save(run, own_folder, command):
    assert run("play", "tic_tac_toe", "--seed", 1, "--save", "a.json", typed=["1", "quit"]).exit_code == 0
    result = run(*(VALUES.get(word, word) for word in command.split()))
    assert result.exit_code == 0, result.output


@dataclass(frozen=True)
class CitedLine:
    """A line of the rules of a shipped game that a line of a document refers to: `china.rules:178 [CH-90]`."""

    where: str
    document_line: str
    rules_line: str
    cited_items: str
    items: str

    @property
    def is_true(self) -> bool:
        """The cited items are those of the rules' line; without items, the document quotes how the line begins."""
        if self.cited_items:
            return self.cited_items == self.items
        begin = re.match(r"\w+ +\w+", self.rules_line.strip())
        return begin is not None and begin[0] in self.document_line


def items_of_last(lines: list[str]) -> str:
    """The rulebook items of the last line, or those of the action or definition around it."""
    around = [lines[-1], *(line for line in reversed(lines) if line[:1].isalpha())][:2]
    return next((items[0] for line in around if (items := re.search(r"\[[^]]+\]$", line))), "")


def cited_lines() -> list[CitedLine]:
    citations = []
    for path in [ROOT / "README.md", *sorted(DOCS.glob("*.md"))]:
        for number, line in enumerate(path.read_text("utf-8").splitlines(), 1):
            for name, cited, items in re.findall(r"(\w+\.rules):(\d+)(?::\d+)?(?: (\[[^]]+\]))?", line):
                rules = ROOT / "games" / name
                if rules.exists():
                    lines = rules.read_text("utf-8").splitlines()[: int(cited)]
                    where = f"{path.name}:{number} {name}:{cited}"
                    citations.append(CitedLine(where, line, lines[-1], items, items_of_last(lines)))
    return citations


def test_cited_lines_of_the_rules_say_what_the_documents_quote():
    """Outputs in the documents name lines of the rules, which move whenever something is added above them."""
    citations = cited_lines()
    assert len(citations) > 10
    assert [citation.where for citation in citations if not citation.is_true] == []


def documented_variants() -> list[tuple[str, str, str]]:
    """The variants that commands in the documents name: where, the game (empty if not stated), and the variant."""
    uses = []
    for path in [ROOT / "README.md", *sorted(DOCS.glob("*.md"))]:
        for number, line in enumerate(path.read_text("utf-8").splitlines(), 1):
            game = re.search(r"regelwerk \w+ (\w+)", line)
            flags = re.findall(r"--variant ([a-z_0-9+,]+)", line)
            names = [name for flag in flags for name in re.split(r"[+,]", flag) if name != "none"]
            named = [(game[1] if game else "", name) for name in names]
            named += re.findall(r"regelwerk (?:diff|compare) (\w+) ([a-z_]+)\b", line)
            named += re.findall(r"`(\w+)\+(\w+)`", line)
            named += [("", name) for name in re.findall(r"games/variants/(\w+)\.rules", line)]
            uses += [(f"{path.name}:{number}", *pair) for pair in named]
    return uses


def test_documented_variants_exist_for_their_games():
    uses = documented_variants()
    assert {"fifty_will_do", "even_cards", "seven_cards"} <= {name for _, _, name in uses}
    for where, game, name in uses:
        path = ROOT / "games" / "variants" / f"{name}.rules"
        assert path.exists(), f"{where}: there is no variant {name}"
        header = re.search(r"^variant \".+\" of (\w+):", path.read_text("utf-8"), re.MULTILINE)
        assert header is not None
        assert game in {"", header[1]}, f"{where}: {name} is a variant of {header[1]}"
