"""The grammar that `regelwerk grammar` prints: what it produces can be parsed, and it produces the shipped games."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from pathlib import Path
from random import Random
from typing import assert_never

import pytest

from dsl import syntax
from dsl.grammars import NOTATIONS, character_grammar, printed
from dsl.grammars.forms import Either, Form, InTurn, Maybe, OneOf, Reference, Repeated, Rules, Text
from dsl.text.span import Source

ROOT = Path(__file__).parent.parent.parent
FILES = sorted((ROOT / "games").rglob("*.rules"))[::3]
all_rules = cache(character_grammar)
OTHER_CHARACTERS = "abc xyz 019 _-.,:'#ß♔"
TEXTS, TEXTS_IN_THE_LONG_RUN, LONGEST_TEXT = 250, 1000, 400


def test_what_it_produces_can_be_parsed(long_run: bool) -> None:
    heights = _heights(all_rules())
    for seed in range(TEXTS_IN_THE_LONG_RUN if long_run else TEXTS):
        text = "".join(_Derivation(Random(seed), heights).of(Reference("root"), 10 + seed % 24))
        tree, diagnostics = syntax.parse(Source("derived.rules", text))
        assert tree is not None, f"seed {seed}: {diagnostics[0].message}\n{text}"


def test_another_program_reads_shipped_files_by_it(long_run: bool) -> None:
    guidance = pytest.importorskip("llguidance")
    tokens, grammar = guidance.LLTokenizer("byte"), guidance.LLMatcher.grammar_from_lark(printed(all_rules(), "lark"))
    for path in FILES if long_run else FILES[::3]:
        matcher = guidance.LLMatcher(tokens, grammar)
        game = _plainly_spaced(path.read_text(encoding="utf-8")).encode()
        read = matcher.try_consume_tokens([*game])
        assert read == len(game) and matcher.is_accepting(), f"{path.name}: {game[read - 60 : read + 20]!r}"


def test_another_program_accepts_the_notation_of_llama() -> None:
    guidance = pytest.importorskip("llguidance")
    converted = pytest.importorskip("llguidance.gbnf_to_lark").gbnf_to_lark(printed(all_rules(), "gbnf"))
    assert guidance.LLMatcher.validate_grammar(guidance.LLMatcher.grammar_from_lark(converted)) == ""


def test_the_notations_differ_only_in_how_they_write() -> None:
    """Each rule has one line in each notation, in the same order."""
    lines = {notation: printed(all_rules(), notation).splitlines() for notation in NOTATIONS}
    names = {notation: [re.split(r" ::=|:", line)[0] for line in lines[notation]] for notation in NOTATIONS}
    assert names["gbnf"] == names["ebnf"] == list(all_rules())
    assert [name.lower().replace("_", "-") for name in names["lark"]] == ["start", *list(all_rules())[1:]]


# ---------------------------------------------------------------- random texts


def _heights(rules: Rules) -> Mapping[str, int]:
    """How many references lie inside each other in the shallowest text of each rule."""
    heights = dict.fromkeys(rules, len(rules))
    while True:
        lower = {rule: min(heights[rule], _height(form, heights)) for rule, form in rules.items()}
        if lower == heights:
            return heights
        heights = lower


def _height(form: Form, heights: Mapping[str, int]) -> int:
    match form:
        case Text() | OneOf() | Maybe():
            return 0
        case Reference(rule):
            return heights[rule] + 1
        case InTurn(parts):
            return max(_height(part, heights) for part in parts)
        case Either(parts):
            return min(_height(part, heights) for part in parts)
        case Repeated(part, least):
            return _height(part, heights) if least else 0
        case _:
            assert_never(form)


class _Derivation:
    """One text that the grammar produces; deep inside, or when it is long, it takes the shortest way out."""

    def __init__(self, random: Random, heights: Mapping[str, int]) -> None:
        self.random, self.heights, self.length = random, heights, 0

    def of(self, form: Form, depth: int) -> Iterator[str]:
        is_free = depth > 0 and self.length < LONGEST_TEXT
        match form:
            case Text(text):
                self.length += len(text)
                yield text
            case OneOf(ranges, is_other):
                ends = [*map(ord, self.random.choice(ranges))]
                yield self.random.choice(OTHER_CHARACTERS) if is_other else chr(self.random.randint(*ends))
            case Reference(rule):
                yield from self.of(all_rules()[rule], depth - 1)
            case InTurn(parts):
                for part in parts:
                    yield from self.of(part, depth)
            case Either(parts):
                lowest = min(_height(part, self.heights) for part in parts)
                ways = parts if is_free else [part for part in parts if _height(part, self.heights) == lowest]
                yield from self.of(self.random.choice(ways), depth)
            case Maybe(part):
                if is_free and self.random.random() < 0.5:
                    yield from self.of(part, depth)
            case Repeated(part, least):
                for _ in range(least + (self.random.randint(0, 3) if is_free else 0)):
                    yield from self.of(part, depth)
            case _:
                assert_never(form)


# ---------------------------------------------------------------- shipped games


def _plainly_spaced(text: str) -> str:
    """A file without comments, empty lines, aligned columns, and expressions that run over several lines."""
    lines: list[str] = []
    depth = 0
    for line in text.splitlines():
        parts = re.split(r'("[^"\n]*")', line)
        code = ""
        for index, part in enumerate(parts):
            code += part if index % 2 else re.sub(r"\s+", " ", part.split("#")[0])
            if index % 2 == 0 and "#" in part:
                break
        if not code.strip():
            continue
        if depth or code.lstrip().startswith("because "):
            tight = lines[-1][-1] in "([{" or code.strip()[0] in ")]}"
            lines[-1] += f"{'' if tight else ' '}{code.strip()}"
        else:
            lines.append(" " * (len(line) - len(line.lstrip())) + code.strip())
        signs = re.sub(r'"[^"\n]*"', "", code)
        depth += sum(map(signs.count, "([{")) - sum(map(signs.count, ")]}"))
    return "\n".join(lines) + "\n"


# ---------------------------------------------------------------- the loop of the documentation


def test_the_loop_of_the_documentation_corrects_its_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    page = (ROOT / "docs/generate.md").read_text(encoding="utf-8")
    python, first, findings = re.findall(r"```(?:python)?\n(.*?)```", page, re.DOTALL)
    second = first.replace("totl", "total\n    set speaker to me").replace("last_to_speak", "speaker")
    second = second.replace("= 0\n", "= 0\nnote speaker: Player or nobody = nobody\n", 1)
    files, prompts = iter([first, second, second.replace("{ben}", "{ann}")]), list[str]()

    def write(prompt: str) -> str:
        prompts.append(prompt)
        return next(files)

    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PATH", str(Path(sys.executable).parent), prepend=os.pathsep)
    names: dict[str, Callable[..., str]] = {}
    exec(python, names)
    assert names["rules_for"]("the text", write) == "game.rules"
    assert prompts[1].endswith(f"Correct this:\n{findings}".rstrip())
    assert "expected winners is {ben}, found ann instead of ben" in prompts[2]
