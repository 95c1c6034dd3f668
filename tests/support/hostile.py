"""Texts that nobody would write, each from a number: changed games, sentences of the grammar, noise."""

from __future__ import annotations

import json
import random
import re
from collections import defaultdict
from collections.abc import Sequence
from functools import cache
from typing import Any

from dsl.boards.forms import fits
from dsl.syntax.parser import tables
from tests.support.project import ROOT

TOKEN = re.compile(r'"[^"\n]*"|[A-Za-z_]\w*|\d+|\.\.|->|<=|>=|\n *|[^\s\w]')
ALIKE = (
    ("some", "no", "the", "count"), ("highest", "lowest", "sum"), ("must", "may"), ("and", "or"), ("+", "-", "*", "&"),
    ("<=", ">=", "<", ">"), ("before", "after"), ("row", "stack", "one"), ("shuffle", "roll"),
)  # fmt: skip
NUMBERS = ("0", "1", "2", "3", "7", "12", "999", "4095", "4096", "50001", "999999", "1000000", "9" * 30, "9" * 5000)
NAMES = (
    "Player", "Truth", "Card", "Rank", "Cell", "hand", "deck", "score", "n", "p", "c", "go", "me", "red", "blue",
    "king", "all", "nobody", "none", "true", "first", "top", "path", "groups", "handfuls", "grid", "winners", "it",
    "random", "lambda", "def", "None", "S", "J", "_", "__import__", "exec", "print", "x" * 3000,
)  # fmt: skip
TEXTS = ('""', '"a {n}"', '"{c} {hand[me]}"', '"\\\'{"', '"[red]<b>%s"', '"{}"', '"{{n}}"', '"é\u0301 \u200d"')
SIGNS = (
    "(", ")", "[", "]", "{", "}", '"', "#", "==", "\n", "\n    ", "\n\t", "\r\n", "\r", "\0", "\x1b[31m", "\u2028",
    "\u202e", "\u061c", "\x9b", "\ufeff", ":", ",", "..", "-", "*", "&", "[CM-1]", "é", "\ud800",
)  # fmt: skip
FRAME = "\n== components ==\nnote n: 0..99 = 0\n== phases ==\nphase p, turns from red:\n    must go\n"


CONTROLS = (
    "\x1b]0;x\x07",
    "\x1b[2J",
    "\0",
    "\x9b31m",
    "\u202e",
    "\u061c",
    "\u2028",
    "\u200b",
    "a\r\nb",
    "\x7f",
    "\ud800",
)
"""Texts that would act on a terminal, or reverse the text around them."""
ODD: tuple[Any, ...] = (
    None, True, -1, 10**9, 10**4000, 1e308, "", "x", "a" * 99, [], {}, [[]], [1, "a"], "/etc/passwd", "9" * 5000, "²",
    *CONTROLS,
)  # fmt: skip


def games() -> list[str]:
    """The texts that are changed: short games often, the long ones now and then."""
    folders = ("games", "tests/games/small", "tests/dsl/accepted", "tests/interpreter/rules")
    paths = sorted(path for folder in folders for path in (ROOT / folder).glob("*.rules"))
    texts = [path.read_text("utf-8") for path in paths if not path.name.endswith(".examples.rules")]
    return [text for text in texts for _ in range(max(1, min(12, 24_000 // len(text))))]


@cache
def _games() -> list[str]:
    return games()


def changed_game(rng: random.Random) -> str:
    """A game with its tokens, lines or characters changed, or two games spliced."""
    text = rng.choice(_games())
    if rng.random() < 0.75:
        for _ in range(rng.choice((1, 1, 1, 2, 3))):
            text = rng.choice((_alike, _alike, _alike, _alike, _lines))(text, rng)
        return text
    for _ in range(rng.choice((1, 1, 2, 6))):
        text = rng.choice((_tokens, _lines, _characters, _spliced))(text, rng)
    return text


def _sort(word: str) -> str:
    for sort in ALIKE:
        if word in sort:
            return sort[0]
    if word.isdigit() or word[0] == '"':
        return word[0] if word[0] == '"' else "1"
    return "a" if fits(word, "name") else word


def _alike(text: str, rng: random.Random) -> str:
    """One word changed for another of its sort, so that the text is still a text of the language."""
    spans = [found.span() for found in TOKEN.finditer(text)]
    a, b = rng.choice(spans)
    sort = _sort(text[a:b])
    others = [text[c:d] for c, d in spans if _sort(text[c:d]) == sort]
    if sort == "1" and rng.random() < 0.5:
        others = [*NUMBERS[:9]]
    return text[:a] + rng.choice(others) + text[b:]


def _tokens(text: str, rng: random.Random) -> str:
    spans = [found.span() for found in TOKEN.finditer(text)]
    if len(spans) < 2:
        return text
    (a, b), (c, d) = sorted(rng.sample(spans, 2))
    word = text[a:b]
    match rng.randrange(6):
        case 0:
            return text[:a] + text[b:]
        case 1:
            return text[:b] + " " + word + text[b:]
        case 2:
            return text[:a] + text[c:d] + text[b:c] + word + text[d:]
        case 3 if word.isdigit():
            return text[:a] + rng.choice(NUMBERS) + text[b:]
        case 3 if word[0].isalpha():
            return text[:a] + rng.choice(NAMES) + text[b:]
        case 4:
            return text[:a] + rng.choice((rng.choice(NUMBERS), rng.choice(NAMES), rng.choice(TEXTS))) + text[b:]
    return text[:a] + text[c:d] + text[b:]


def _lines(text: str, rng: random.Random) -> str:
    lines = text.split("\n")
    a, b = rng.randrange(len(lines)), rng.randrange(len(lines))
    match rng.randrange(4):
        case 0:
            del lines[a]
        case 1:
            lines.insert(b, lines[a])
        case 2:
            lines[a], lines[b] = lines[b], lines[a]
        case 3:
            lines[a] = lines[a].removeprefix("    ") if rng.random() < 0.5 else f"    {lines[a]}"
    return "\n".join(lines)


def _characters(text: str, rng: random.Random) -> str:
    place = rng.randrange(len(text) + 1)
    return text[:place] + rng.choice(SIGNS) + text[place + rng.choice((0, 0, 1, 3)) :]


def _spliced(text: str, rng: random.Random) -> str:
    lines, others = text.split("\n"), rng.choice(_games()).split("\n")
    a, b = rng.randrange(len(lines)), rng.randrange(len(others))
    return "\n".join(lines[:a] + others[b : b + rng.choice((1, 3, 10, 400))] + lines[a:])


def noise(rng: random.Random) -> bytes:
    """Bytes: a game with some of them changed, or none of it."""
    if rng.random() < 0.2:
        return rng.randbytes(rng.randrange(200))
    data = bytearray(rng.choice(_games()).encode("utf-8"))
    for _ in range(rng.randrange(1, 6)):
        data[rng.randrange(len(data))] = rng.randrange(256)
    return bytes(data[: rng.randrange(len(data))] if rng.random() < 0.2 else data)


class Sentences:
    """Sentences of the grammar, whatever they mean."""

    def __init__(self) -> None:
        self.rules: dict[str, list[Sequence[str]]] = defaultdict(list)
        for nonterminal, symbols, *_ in tables().rules:
            self.rules[nonterminal].append(symbols)
        self.words = {
            name: pattern.replace(r"\b", "").replace("[ \t]+", " ").replace("\\", "")
            for name, pattern in tables().terminals.items()
        }
        self.depth: dict[str, int] = {}
        for _ in range(60):
            for name, rules in self.rules.items():
                self.depth[name] = min(self._depth(rule) for rule in rules)

    def _depth(self, rule: Sequence[str]) -> int:
        return 1 + max((self.depth.get(each, 99) if each in self.rules else 0 for each in rule), default=0)

    def of(self, start: str, rng: random.Random, deepest: int) -> str:
        """A sentence from this symbol on."""
        out: list[str] = []
        self._write(start, rng, deepest, out, [0])
        return "".join(out)

    def _write(self, name: str, rng: random.Random, left: int, out: list[str], indent: list[int]) -> None:
        rules = self.rules[name]
        fitting = [rule for rule in rules if self._depth(rule) <= left]
        rule = rng.choice(fitting) if fitting else min(rules, key=self._depth)
        for each in rule:
            if each in self.rules:
                self._write(each, rng, left - 1, out, indent)
            else:
                self._word(each, rng, out, indent)

    def _word(self, symbol: str, rng: random.Random, out: list[str], indent: list[int]) -> None:
        match symbol:
            case "_NL":
                out.append("\n" + " " * indent[0])
            case "_INDENT" | "_DEDENT":
                indent[0] += 4 if symbol == "_INDENT" else -4
                while out and out[-1].isspace():
                    out.pop()
                out.append("\n" + " " * indent[0])
            case "NAME":
                out.append(rng.choice(NAMES) + " ")
            case "INT":
                out.append(rng.choice(NUMBERS[:-1]) + " ")
            case "STRING":
                out.append(rng.choice(TEXTS) + " ")
            case "HEADING":
                out.append(f"\n== {rng.choice(('components', 'setup', 'phases', 'scoring', 'examples'))} ==")
            case "CITE":
                out.append(" [CM-1]")
            case "ADDOP" | "MULOP":
                out.append(rng.choice("+-" if symbol == "ADDOP" else "*&") + " ")
            case name:
                out.append(self.words[name] + " ")


@cache
def sentences() -> Sentences:
    """Sentences of the grammar of the language."""
    return Sentences()


def sentence(rng: random.Random) -> str:
    """A file that the grammar has, or a game with a declaration or statement that it has."""
    match rng.randrange(3):
        case 0:
            return sentences().of("start", rng, rng.choice((12, 20, 30)))
        case 1:
            declared = sentences().of("declaration", rng, rng.choice((10, 16, 24)))
            return f'game "X" for 2 players red, blue{FRAME}{declared}\n== scoring ==\nwinner highest n\n'
        case _:
            text = rng.choice(_games())
            places = [found.end() for found in re.finditer(r"\n== \w+ ==\n", text)]
            place = rng.choice(places or [0])
            return text[:place] + sentences().of("item", rng, rng.choice((8, 14, 20))) + "\n" + text[place:]


def expression(rng: random.Random) -> str:
    """Something to ask a game."""
    if rng.random() < 0.5:
        return sentences().of("expr", rng, rng.choice((5, 15, 22))).strip()
    return " ".join(rng.choice((*NAMES[:-1], *NUMBERS[:5], *SIGNS, "count", "of", "in", "where")) for _ in range(6))


def changed_json(text: str, rng: random.Random) -> str:
    """A JSON document with some of its values replaced, taken away or doubled, or some of its characters."""
    if rng.random() < 0.3:
        return _characters(_characters(text, rng), rng)
    data = json.loads(text)
    for _ in range(rng.randrange(1, 4)):
        inner: Any = data
        while isinstance(inner, dict | list) and inner:
            keys: Sequence[Any] = list(inner) if isinstance(inner, dict) else range(len(inner))
            key = rng.choice(keys)
            if isinstance(inner[key], dict | list) and inner[key] and rng.random() < 0.8:
                inner = inner[key]
                continue
            if rng.random() < 0.3:
                del inner[key]
            elif isinstance(inner, dict) and rng.random() < 0.15:
                inner[rng.choice(CONTROLS)] = inner.pop(key)
            else:
                inner[key] = rng.choice(ODD)
            break
    return json.dumps(data)
