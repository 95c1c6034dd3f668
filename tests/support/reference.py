"""What is generated in the pages of `docs/reference`, from the grammar, the checker, the catalogue and the games.

A block between `<!-- generated: NAME -->` and `<!-- end -->` is written by the function of that name. What `check` says
below the wrong lines under *Common mistakes* is written here as well, and so is the layout of complete games.
`REGELWERK_UPDATE=1 pytest tests/test_reference.py` renews all of it.
"""

from __future__ import annotations

import re
import typing
from collections import defaultdict
from collections.abc import Callable, Iterator
from dataclasses import fields
from functools import cache
from pathlib import Path

import dsl.ast.base
import dsl.ast.expressions
from dsl import ast, catalogue
from dsl.ast.base import NODES
from dsl.boards.grids import BLOCKS, EDGES, FORMS
from dsl.checker.names.declarations import PREDECLARED, declarations
from dsl.checker.names.functions import FUNCTIONS
from dsl.formatter import canonical
from dsl.syntax import parse, read_source, terminals
from dsl.text.span import Source
from tests.dsl.framing import told
from tests.support.library import REPRESENTATIVE
from tests.support.project import ROOT
from tests.support.reference_pages import GROUPS, PAGES, Page

FOLDER = ROOT / "docs" / "reference"
BLOCK = re.compile(r"(<!-- generated: (\w+) -->\n)(.*?)(<!-- end -->)", re.DOTALL)
RULES = re.compile(r"^```rules\n(.*?)^```", re.DOTALL | re.MULTILINE)
MISTAKES = re.compile(r"(?<=^## Common mistakes\n)(.*?)(?=^## |\Z)", re.DOTALL | re.MULTILINE)
WRONG = re.compile(r"(?<=^```text\n)(.*?)(?=^```)", re.DOTALL | re.MULTILINE)
ANSWER = re.compile(r" *\^+ |= ")
"""How lines begin that `check` has written below the wrong ones."""

LOOSE_ENDS = {"E0228", "E0501", "E0506"}
"""What is told about declarations that lead nowhere: beside the point if anything else is wrong."""

GAMES_SHOWN, RULES_SHOWN = 5, 3

# ---------------------------------------------------------------- constructs


def constructs() -> set[str]:
    """Every construct, in which a class with words of its own is replaced by these: `Quantified.some`."""
    written = [class_ for class_ in NODES if class_.__name__ != "ClauseAct"]
    classes = {name for class_ in written for name in (_variants(class_) or [class_.__name__])}
    sources = {*EDGES, "directions", BLOCKS, *FORMS}
    return classes | FUNCTIONS.keys() | PREDECLARED.keys() | sources | {"Truth", "Player", "round"}


DISTINGUISHING = {"Quantified": "quantifier", "Compare": "operator", "Arithmetic": "operator"}
"""The fields whose words are constructs of their own, where they differ as much as other nodes do."""


def _variants(class_: type) -> list[str]:
    field = DISTINGUISHING.get(class_.__name__)
    if field is None:
        return []
    words = typing.get_args(typing.get_type_hints(class_, vars(dsl.ast.expressions) | vars(dsl.ast.base))[field])
    return [f"{class_.__name__}.{word.replace(' ', '_')}" for word in words]


def described(page: Page) -> set[str]:
    """The constructs of a page, a class with words of its own as all of them."""
    by_name = {class_.__name__: class_ for class_ in NODES}
    return {
        name for written in page.constructs
        for name in (_variants(by_name[written]) if written in by_name else []) or [written]
    }  # fmt: skip


def _used_by(node: ast.Node) -> Iterator[str]:
    """The constructs that a node is."""
    class_ = type(node).__name__
    yield class_
    for field in fields(node):
        value = getattr(node, field.name)
        if field.name == DISTINGUISHING.get(class_):
            yield f"{class_}.{value.replace(' ', '_')}"
        elif value and value is not node and field.name not in ("kind", "span", "number"):
            yield f"{class_}.{field.name}"
    match node:
        case ast.Name() if node.name in PREDECLARED:
            yield node.name
        case ast.TypeName(name="Truth" | "Player" as name):
            yield name
        case ast.Call(base=ast.Name(name=name)) if name in FUNCTIONS or name == "round":
            yield name
        case ast.BoardSource(function=str(name)):
            yield name


@cache
def uses() -> dict[str, dict[str, list[str]]]:
    """Constructs, the games that use them, shortest first, and there the declarations that do."""
    found: dict[str, dict[str, list[str]]] = defaultdict(dict)
    paths = [path for path in (ROOT / "games").rglob("*.rules") if ".examples" not in path.name]
    paths = [path for path in paths if path.parent.name != "languages"]
    for path in sorted(paths, key=lambda path: (path.stat().st_size, path.name)):
        name = path.relative_to(ROOT / "games").as_posix()
        for declared, node in _declared(path):
            for used in _used_by(node):
                rules = found[used].setdefault(name, [])
                if declared and declared not in rules:
                    rules.append(declared)
    return found


def _declared(path: Path) -> Iterator[tuple[str, ast.Node]]:
    """The nodes of a file, each with the name of the declaration around it."""
    source = read_source(path, path.name)
    assert isinstance(source, Source)
    tree, _ = parse(source)
    assert tree is not None
    inside: dict[int, str] = {}
    if isinstance(tree, ast.GameFile):
        for declaration in declarations(tree):
            name = getattr(declaration, "name", None)
            for node in declaration.walk():
                inside[node.number] = name if isinstance(name, str) else ""
    for node in tree.walk():
        yield inside.get(node.number, ""), node


# ---------------------------------------------------------------- the grammar, as forms

PLACEHOLDERS = {
    "NAME": "NAME", "INT": "NUMBER", "STRING": "TEXT", "HEADING": "== PART ==", "signed": "NUMBER",
    "ADDOP": "(+ | -)", "MULOP": "(* | &)", "board_columns": "PARAMETERS", "or_c": "VALUE", "expr": "VALUE",
    "or_o": "VALUE", "and_c": "VALUE", "and_o": "VALUE", "not_c": "VALUE", "not_o": "VALUE", "cmp_c": "VALUE",
    "cmp_o": "VALUE", "add_c": "VALUE", "add_o": "VALUE", "mul_c": "VALUE", "mul_o": "VALUE", "un_c": "VALUE",
    "un_o": "VALUE", "of_c": "VALUE", "post": "VALUE", "value": "VALUE", "word": "NAME", "stmt": "STATEMENT",
    "line": "STATEMENT", "simple": "STATEMENT", "params": "PARAMETERS", "rule_params": "PARAMETERS",
    "param": "PARAMETER", "names_or": "PIECES", "held": "PIECES", "holding": "SHAPE", "cmp": "COMPARISON",
    "rest_clause": ", otherwise", "about": "[ABOUT]", "type": "TYPE", "type_atom": "TYPE", "only_case": "VALUE",
    "bound_of": "NUMBER", "range_end": "VALUE",
    "hole_number": "NUMBER", "cell": "CELL", "counts": "NUMBER …", "once": "ONCE", "require": "REQUIREMENT",
    "if_": "if …", "clause_value": "CLAUSE_VALUE", "hole": "NAME", "then": "CLAIM", "given": "FACT", "again": "CLAIM",
    "choice": "MOVE", "kind": "KIND", "titled": "table|example", "ruled": "action|step|when|phase", "in_rule": "CHANGE",
    "in_define": "CHANGE", "in_table": "CHANGE", "_difference": "CHANGE", "duty": "must|may", "_worded": "ENTRY",
    "else_": "else …",
}  # fmt: skip
"""What stands in forms for symbols of the grammar; other symbols stand there by their own names in capitals."""

KEYWORD = re.compile(r"\b(?!_?(?:NL|INDENT|DEDENT|CITE|NAME|INT|STRING|HEADING)\b)_?[A-Z][A-Z_]+\b")
TOKEN = re.compile(r'"[^"]*"|[A-Za-z_]+|[()\[\]|+*?]|\S')
RULE_START = re.compile(r"^[?!]?([a-z_]+):(.*)")


@cache
def alternatives() -> dict[str, list[tuple[str, str]]]:
    """The right-hand sides of the rules of the grammar: by the name of the rule, each with its alias or ""."""
    found: dict[str, list[tuple[str, str]]] = {}
    text = (ROOT / "dsl" / "grammar.lark").read_text("utf-8").partition("// ---------------------------------------"
        "------------------------- words")[0]  # fmt: skip
    name = ""
    for line in text.splitlines():
        line = re.sub(r"(^|\s)//.*", "", line)
        start = RULE_START.match(line)
        if re.match(r"[A-Z_]+:", line):  # a terminal
            name = ""
            found[name] = []
        if start:
            name, line = start.groups()
            found[name] = []
        for side in _split(line):
            form, _, alias = side.partition(" -> ")
            found[name].append((form.strip(), alias.strip()))
    return found


def _split(line: str) -> list[str]:
    """Split a line at the bars outside of brackets and quotes."""
    sides, depth, quoted = [""], 0, False
    for character in line:
        quoted ^= character == '"'
        depth += 0 if quoted else (character in "([") - (character in ")]")
        if character == "|" and not depth and not quoted:
            sides.append("")
        else:
            sides[-1] += character
    return [side.strip() for side in sides if side.strip()]


def written_rules() -> set[str]:
    """The aliases, and the rules without any, in which a keyword is written."""
    shown = {rule for page in PAGES for rule in page.rules}
    return {
        alias or rule
        for rule, sides in alternatives().items()
        for form, alias in sides
        if rule and rule not in shown | INLINE and KEYWORD.search(form)
    }


INLINE = {"duty", "ruled", "titled", "rest_clause", "start"}
"""Rules whose alternatives are written out wherever they are used."""
PREFIXES = {"given": "given ", "then": "then "}
"""What stands before the alternatives of these rules wherever they are used."""


def _forms(rule: str) -> list[str]:
    """An alias, or a rule with its alternatives, as forms."""
    sides = [(name, form) for name, found in alternatives().items() for form, alias in found if (alias or name) == rule]
    sides += [(rule, form) for form, alias in alternatives().get(rule, []) if alias and alias != rule]
    assert sides, f"the grammar has no rule {rule}"
    every = [PREFIXES.get(name, "") + _form(side) for name, side in sides if name != "again" or len(sides) == 1]
    return [form for form in dict.fromkeys(every) if form]


def _form(side: str) -> str:
    """The right-hand side of a rule as a form: literal brackets are marked, blocks are indented."""
    side = re.sub(r"\[CITE\] ?|_NL(?= _INDENT)", "", side)
    side = re.sub(r'(\w+) \("," \1\)\*', r"\1 ⁂", side)
    side = re.sub(r"(\w+) \((_\w+) \1\)\*", r"\1 [\2 \1] …", side)
    side = re.sub(r"\(((?:[^()]|\([^()]*\))*)\)\*|(\w+)\*", r"[\1\2] …", side)
    lines, depth = [""], 0
    for token in TOKEN.findall(side):
        if token in ("_INDENT", "_DEDENT", "_NL"):
            depth += {"_INDENT": 1, "_DEDENT": -1}.get(token, 0)
            lines.append("    " * depth)
            continue
        if (
            depth
            and lines[-1].strip()
            and (token[0].islower() or token == "[")
            and re.fullmatch(r" *(\[[^\[\]]*\]|\w+)( …)?", lines[-1])
        ):
            lines.append("    " * depth)
        lines[-1] = _with_token(lines[-1], token)
    return "\n".join(line.rstrip() for line in lines if line.strip())


def _with_token(line: str, token: str) -> str:
    """A line of a form with one more token of the grammar."""
    if token.startswith('"'):
        sign = token.strip('"')
        sign = f"'{sign}'" if sign in ("[", "]") else sign
        blank = "" if not line.strip() or sign in (",", ":", "(", ")", "}", ".", "..", "'['", "']'") else " "
        return line.rstrip() + blank + sign + (" " if sign in (",", ":", "-", "->", "/") else "")
    if token == "⁂":
        return f"{line}, …"
    word = "…" if token == "+" else token
    if re.match(r"\w", token):
        word = PLACEHOLDERS.get(token) or terminals.sign(token) or token.upper().strip("_")
    if word in ("]", ")") or not line.strip() or line.endswith(("[", "(", "'", "{", ".", " ")):
        return line + word
    return f"{line} {word}"


def forms(page: Page) -> str:
    """The forms of a page; what is a placeholder in another one of them below its name."""
    drawn = [(rule, _forms(rule)) for rule in page.rules]
    every = "\n".join(form for _, alternative_forms in drawn for form in alternative_forms)
    lines: list[str] = []
    headed: list[str] = []
    for rule, alternative_forms in drawn:
        name = PLACEHOLDERS.get(rule, rule.upper()).strip("[_]")
        if rule in alternatives() and re.search(rf"\b{re.escape(name)}\b", every):
            headed += ["", f"{name}:", *("    " + form.replace("\n", "\n    ") for form in alternative_forms)]
        else:
            lines += [form for form in alternative_forms if form not in lines]
    text = "\n".join(lines + headed).strip("\n")
    return f"```text\n{text}\n```\n" if text else ""


# ---------------------------------------------------------------- other generated blocks


def functions(page: Page) -> str:
    """The functions of a page with their arguments, as the checker has them."""
    rows = [FUNCTIONS[name][0] for name in page.constructs if name in FUNCTIONS]
    return "".join(f"- {row}\n" for row in rows)


def errors(page: Page) -> str:
    """The codes of a page, with links to the catalogue."""
    links = [f"[{code}](../../../dsl/catalogue/{code}.md) {catalogue.page(code).title}" for code in page.codes]
    return "".join(f"- {link}\n" for link in links)


def games(page: Page) -> str:
    """The shortest games and variants that use what a page describes, with the names of the rules.

    Games of the library come last, so that a new one changes only pages that have room for it.
    """
    found: dict[str, list[str]] = {}
    for construct in page.constructs:
        for game, rules in uses().get(construct, {}).items():
            found[game] = list(dict.fromkeys([*found.get(game, []), *rules]))
    representatives = {f"{name}.rules": 0 for name in REPRESENTATIVE}
    order = sorted(
        found,
        key=lambda name: (representatives.get(name, 1 if "/" in name else 2), (ROOT / "games" / name).stat().st_size),
    )
    lines = []
    for game in order[:GAMES_SHOWN]:
        names = ", ".join(f"`{rule}`" for rule in found[game][:RULES_SHOWN])
        title = game.removesuffix(".rules")
        lines.append(f"- [{title}](../../../games/{game}){f': {names}' if names else ''}\n")
    return "".join(lines) + ("- and more\n" if len(order) > GAMES_SHOWN else "")


def contents(_: Page | None) -> str:
    """All pages by groups, each with its first sentence."""
    lines = []
    for group, title in GROUPS.items():
        lines += [f"\n### {title}\n\n", "| page | |\n|---|---|\n"]
        lines += [f"| [{p.title}]({p.path}) | {summary(p)} |\n" for p in PAGES if p.group == group]
    return "".join(lines).lstrip("\n")


VARIANTS = "files/variants.md"


def words(_: Page | None) -> str:
    """Every keyword, function and predeclared name, with the pages that describe it."""
    pages: dict[str, list[Page]] = defaultdict(list)
    for page in PAGES:
        text = re.sub(r"\b[A-Z][A-Z_-]+\b", "", forms(page))
        named = {word for word in keywords() if re.search(rf"(?<!\w){re.escape(word)}(?!\w)", text)}
        named |= {name for name in page.constructs if name.islower() or name in ("Truth", "Player")}
        named |= {name.partition(".")[2].replace("_", " ") for name in page.constructs} & keywords()
        for word in named:
            pages[word].append(page)
    for named_pages in pages.values():  # the form of variants names the keywords of everything that they change
        named_pages.sort(key=lambda page: page.path == VARIANTS)
        if len(named_pages) > 1 and named_pages[-1].path == VARIANTS:
            named_pages.pop()
    lines = ["| word | pages |\n", "|---|---|\n"]
    for word in sorted(pages, key=str.casefold):
        lines.append(f"| `{word}` | {', '.join(f'[{page.title}]({page.path})' for page in pages[word])} |\n")
    return "".join(lines)


@cache
def keywords() -> frozenset[str]:
    """The keywords of the language, those of several words as well."""
    return terminals.keywords() | {word for word in map(terminals.keyword, terminals.spellings()) if word}


def summary(page: Page) -> str:
    """The first sentence of a page."""
    text = (FOLDER / page.path).read_text("utf-8")
    paragraph = re.sub(r"^#.*\n+", "", text).partition("\n\n")[0].replace("\n", " ")
    sentence = re.split(r"(?<=\.) (?=[A-Z`])", re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", paragraph))[0]
    return re.sub(r":$", ".", sentence)


GENERATED: dict[str, Callable[[Page], str]] = {
    "form": forms, "functions": functions, "errors": errors, "games": games,
}  # fmt: skip
OF_INDEX: dict[str, Callable[[None], str]] = {"contents": contents, "words": words}

# ---------------------------------------------------------------- whole pages


def renewed(page: Page, text: str) -> str:
    """The text of a page with everything generated in it as it should be."""
    text = BLOCK.sub(lambda block: block.group(1) + GENERATED[block.group(2)](page) + block.group(4), text)
    text = RULES.sub(lambda block: f"```rules\n{_laid_out(block.group(1))}```", text)
    return MISTAKES.sub(lambda section: WRONG.sub(lambda wrong: answered(wrong.group(1)), section.group(1)), text)


def renewed_index(text: str) -> str:
    """The text of the index with everything generated in it as it should be."""
    return BLOCK.sub(lambda block: block.group(1) + OF_INDEX[block.group(2)](None) + block.group(4), text)


def _is_complete(rules: str) -> bool:
    return "\n== phases ==" in rules


def _laid_out(rules: str) -> str:
    if not _is_complete(rules):
        return rules
    text, diagnostics = canonical(Source("page.rules", rules))
    assert text is not None, diagnostics[0].draw()
    return text


def answered(wrong: str) -> str:
    """Wrong lines, each mistake a paragraph, with what `check` says below them."""
    bare = "".join(line for line in wrong.splitlines(keepends=True) if not ANSWER.match(line))
    return "\n\n".join(_answered(mistake) for mistake in re.split(r"\n\n+", bare.strip("\n"))) + "\n"


def _answered(mistake: str) -> str:
    lines = mistake.splitlines()
    written = {number: [line] for number, line in enumerate(lines, 1)}
    every = told(mistake + "\n")
    findings = [found for found in every if found[2].code not in LOOSE_ENDS] or every
    assert findings, f"nothing is wrong with this:\n{mistake}"
    for number, column, finding in findings:
        line = lines[number - 1]
        width = max(1, min(finding.span.end - finding.span.start, len(line) - column))
        written[number].append(f"{' ' * column}{'^' * width} {finding.code}: {finding.message}")
        written[number] += [f"= {help_}" for help_ in finding.helps]
    return "\n".join(line for number in sorted(written) for line in written[number])


def example(text: str) -> str | None:
    """The complete game on a page, or None."""
    whole = [rules for rules in RULES.findall(text) if _is_complete(rules)]
    return whole[0] if whole else None
