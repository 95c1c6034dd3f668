"""Variants: each change, each mistake, and that a change and the one back leave the tree as it was.

The wrong variants in `variants/wrong/` have beside their lines what is told of them, see `bad/README.md`.
"""

from __future__ import annotations

import os
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from dsl import ast
from dsl.checker import check
from dsl.diagnostics import Diagnostic
from dsl.syntax import parse, read_source
from dsl.text.span import Source
from dsl.variants import Merged, merged, with_changes
from dsl.variants.selectors import first_line_text
from interpreter.loading.game_library import shipped_folder
from interpreter.loading.rules import load_rules
from tests.dsl.test_errors import codes_beside, codes_in, expected_on, fits, update
from tests.support.library import representative

FOLDER = Path(__file__).parent / "variants"
WRONG = sorted((FOLDER / "wrong").glob("*.rules"))
GAMES = [shipped_folder() / f"{name}.rules" for name in representative()]


def source_of(path: Path) -> Source:
    source = read_source(path, path.name)
    assert isinstance(source, Source)
    return source


def parsed(source: Source, first: int = 0) -> ast.RulesFile:
    tree, diagnostics = parse(source, first)
    assert tree is not None, diagnostics
    return tree


def pond() -> tuple[ast.GameFile, ast.ExamplesFile]:
    game = parsed(source_of(FOLDER / "pond.rules"))
    companion = parsed(source_of(FOLDER / "pond.examples.rules"), game.number + 1)
    assert isinstance(game, ast.GameFile)
    assert isinstance(companion, ast.ExamplesFile)
    return game, companion


def variant_of(text: str, first: int, name: str = "v") -> ast.VariantFile:
    tree = parsed(Source(name, f'variant "V" of a_game:\n{text}'), first)
    assert isinstance(tree, ast.VariantFile)
    return tree


def put_in(*texts: str, base: tuple[ast.GameFile, ast.ExamplesFile | None] | None = None) -> Merged:
    """The game with variants put in, checked in the ways that need no examples."""
    game, companion = pond() if base is None else base
    variants, first = [], max(game.number, companion.number if companion else 0) + 1
    for number, text in enumerate(texts):
        variants.append(variant_of(text, first, f"v{number}"))
        first = variants[-1].number + 1
    found, diagnostics = merged(game, companion, variants)
    assert found is not None, "\n".join(diagnostic.draw() for diagnostic in diagnostics)
    return found


def told_of(*texts: str) -> list[Diagnostic]:
    game, companion = pond()
    first = companion.number + 1
    variants = []
    for number, text in enumerate(texts):
        variants.append(variant_of(text, first, f"v{number}"))
        first = variants[-1].number + 1
    found, diagnostics = merged(game, companion, variants)
    assert found is None
    return diagnostics


def lines_of(game: Merged, sort: type[ast.Node], name: str) -> list[str]:
    """The parts of a declaration as they are written, each line of them."""
    found = [node for node in nodes(game) if isinstance(node, sort) and getattr(node, "name", name) == name]
    assert len(found) == 1
    inner = [child for child in found[0].children() if isinstance(child, ast.Require | ast.Case | ast.Row)]
    return [" ".join(child.span.text.split()) for child in inner]


def nodes(game: Merged) -> Iterator[ast.Node]:
    yield from game.file.walk()
    if game.companion is not None:
        yield from game.companion.walk()


def named(game: Merged, sort: type[ast.Node]) -> list[str]:
    return [str(getattr(node, "name", "")) for node in nodes(game) if isinstance(node, sort)]


def titles(game: Merged, sort: type[ast.Example] | type[ast.Table]) -> list[str]:
    return [node.title.value for node in nodes(game) if isinstance(node, sort)]


def without_examples(game: ast.GameFile) -> ast.GameFile:
    parts = []
    for part in game.parts:
        kept = tuple(node for node in part.declarations if not isinstance(node, ast.Example))
        parts.append(replace(part, declarations=kept))
    return replace(game, parts=tuple(parts))


# ---- each change


def test_a_declaration_is_added_replaced_and_removed():
    game = put_in(
        "    add define more(p: Player): 2 * total(p)\n"
        "    add option long: Truth = false\n"
        "    replace step look_up:\n        set weather to rain\n"
        "    replace phase morning, turns from start, over when thrown[me] is 1:\n        turn\n"
        "    remove die wind\n"
        '    remove table "Shore"\n'
    )
    assert "more" in named(game, ast.Define)
    assert [option.name for option in game.file.options] == ["start", "windy", "long"]
    assert not named(game, ast.Die)
    assert titles(game, ast.Table) == ["Nets", "Nets of today"]
    day = next(node for node in game.file.walk() if isinstance(node, ast.Phase))
    assert [phase.name for phase in day.phases] == ["morning", "evening"]
    assert day.phases[0].span.source.name == "v0"
    assert day.phases[1].span.source.name == "pond.rules"
    step = next(node for node in game.file.walk() if isinstance(node, ast.Step) and node.name == "look_up")
    assert [type(statement) for statement in step.body] == [ast.SetTo]


def test_what_has_no_name_is_replaced():
    game = put_in(
        '    replace game "Lake" for 2 players ann, ben\n'
        "    replace setup:\n        move 3 from pond to shore\n"
        "    replace winner lowest total(me)\n"
    )
    assert (game.file.header.title.value, game.file.header.most) == ("Lake", 2)
    setup = next(part for part in game.file.parts if part.name == "setup")
    assert [type(statement) for statement in setup.statements] == [ast.Move]
    winner = next(node for node in game.file.walk() if isinstance(node, ast.Winner))
    assert winner.criteria[0].direction == "lowest"


def test_a_setup_where_there_was_none():
    game, companion = pond()
    parts = tuple(part for part in game.parts if part.name != "setup")
    without = replace(game, parts=parts)
    text = "    replace setup:\n        move 3 from pond to shore\n"
    found = put_in(text, base=(without, companion))
    (setup,) = [part for part in found.file.parts if part.name == "setup"]
    assert len(setup.statements) == 1


def test_requirements_are_called_by_words_of_their_reasons():
    game = put_in(
        "    in action cast:\n"
        '        remove require because "no fish"\n'
        '        replace require because "your line is used up":\n'
        '            require thrown[me] < 2 because "twice only"\n'
        '            require windy because "no wind"\n'
        '        add require weather is sun because "it rains"\n'
    )
    assert lines_of(game, ast.Action, "cast") == [
        'require thrown[me] < 2 because "twice only"',
        'require windy because "no wind"',
        'require weather is sun or net[me] is not empty because "no bait is left"',
        'require weather is sun because "it rains"',
    ]


def test_cases_are_called_by_their_conditions_and_added_in_front():
    game = put_in(
        "    in define worth:\n"
        "        remove if c.fish is perch  and  weather is rain\n"
        "        replace if (c.fish is pike):\n"
        "            9 if c.fish is pike and weather is rain\n"
        "            8 if c.fish is pike\n"
        "        replace otherwise: 1 otherwise\n"
        "        add 3 if c.fish is carp\n"
        "    in define total:\n"
        "        add 0 if net[p] is empty\n"
    )
    assert lines_of(game, ast.Define, "worth") == [
        "3 if c.fish is carp", "9 if c.fish is pike and weather is rain", "8 if c.fish is pike", "1 otherwise",
    ]  # fmt: skip
    assert lines_of(game, ast.Define, "total") == ["0 if net[p] is empty", "sum worth(c) for c in net[p]"]


def test_rows_are_called_by_their_first_word():
    game = put_in(
        "    in type Fish:\n        replace pike 9 1\n        remove carp\n        add eel 3 2\n"
        "    in by players:\n        replace dealt 2 2\n        add spare 0 1\n"
    )
    assert lines_of(game, ast.TypeTable, "Fish") == ["perch 1 5", "pike 9 1", "eel 3 2"]
    assert lines_of(game, ast.ByPlayers, "") == ["dealt 2 2", "casts 3 2", "spare 0 1"]


def test_examples_of_both_files_are_added_replaced_and_removed():
    game = put_in(
        '    replace example "a pike stays":\n        given windy is true\n'
        '    remove example "one fish"\n'
        '    remove example "a carp counts"\n'
        '    add example "new":\n        given windy is true\n'
    )
    assert titles(game, ast.Example) == [
        "a pike counts double", "new", "a pike stays", "in the rain a perch is nothing",
    ]  # fmt: skip


def test_a_whole_title_is_meant_before_part_of_one():
    assert titles(put_in('    remove table "Nets"\n'), ast.Table) == ["Nets of today", "Shore"]


def test_all_nodes_are_numbered_apart():
    first = (FOLDER / "variants" / "deep.rules").read_text("utf-8").split("\n", 2)[2]
    game = put_in(first, "    add define more: 1\n    replace winner lowest total(me)\n")
    numbers = [node.number for node in nodes(game)]
    assert len(numbers) == len(set(numbers))


def test_what_is_not_spoken_of_is_the_same_node():
    game, companion = pond()
    found = put_in("    replace winner lowest total(me)\n", base=(game, companion))
    before, after = game.parts[0].declarations, found.file.parts[0].declarations
    assert all(one is other for one, other in zip(before, after, strict=True))


# ---- definitions and steps that nothing uses with a variant


LEFT_OVER = """game "Cards" for 2 players ann, ben

== components ==

piece Card: 9 in deck
zone deck holds stack of Card
zone hand[p: Player] holds Card

names:
    told "told"

== phases ==

phase main, turns from ann, over when deck is empty:
    must draw

action draw:
    require few because "many"
    move 1 from deck to hand[me]
    laid

step laid: if many: deal
step deal: move 1 from deck to hand[me]
step shown, after draw: if told: move 1 from deck to hand[me]
define few: count hand[me] < half
define half: count deck / 2 rounded up
define many: count hand[me] > 7
define told: count deck is 3
define never: 1

== scoring ==

winner highest count hand[me]
"""


@pytest.mark.parametrize(
    ("changes", "kept", "warned"),
    [
        ("    add define more: 1\n", "deal few half laid many never shown told", ["more", "never"]),
        ("    replace action draw: move 1 from deck to hand[me]\n", "never shown told", ["never"]),
        (
            "    replace action draw:\n        require few because \"m\"\n        move 1 from deck to hand[me]\n",
            "few half never shown told", ["never"],
        ),
        (
            "    replace action draw: move 1 from deck to hand[me]\n    replace define many: few\n",
            "few half many never shown told", ["few", "half", "many", "never"],
        ),
    ],
)  # fmt: skip
def test_what_a_variant_leaves_unused_goes_with_it(tmp_path: Path, changes: str, kept: str, warned: list[str]) -> None:
    (tmp_path / "variants").mkdir()
    game, variant = tmp_path / "cards.rules", tmp_path / "variants" / "v.rules"
    game.write_text(LEFT_OVER, "utf-8")
    variant.write_text(f'variant "V" of cards:\n{changes}', "utf-8")
    rules = load_rules(game, variants=[variant])
    left = [node.name for node in rules.model.nodes if isinstance(node, ast.Define | ast.Step)]
    assert [name for name in sorted(left) if name != "more"] == kept.split()
    told = {finding.message.split("`")[1] for finding in rules.warnings if finding.code == "E0501"}
    assert sorted(told) == warned


# ---- several variants


def test_variants_combine_in_any_order():
    one = '    in action cast:\n        remove require because "no fish"\n    remove die wind\n'
    two = '    in action cast:\n        remove require because "bait"\n    in type Fish:\n        remove perch\n'
    assert put_in(one, two).file == put_in(two, one).file


def test_changes_of_different_statements_combine_in_any_order():
    one = (
        "    in setup:\n        after shuffle pond: look_up\n"
        "    in step turn:\n        add sleep to must cast or wait\n        before if windy: shuffle pond\n"
        "    in phase morning:\n        replace over when windy\n"
    )
    two = (
        "    in setup:\n        before shuffle pond: set weather to rain\n"
        "    in step turn:\n        add rest to must cast or wait\n        remove wait from must cast or wait\n"
        "    in step turn:\n        replace look_up: roll wind\n"
        "    in phase morning:\n        replace turn: look_up\n"
    )
    combined = put_in(one, two).file
    assert combined == put_in(two, one).file
    assert "must cast or rest or sleep" in told_by_rule(combined, "turn")


def told_by_rule(game: ast.GameFile, name: str) -> str:
    """The statements of a rule, each on a line; a decision by its present alternatives."""
    rule = next(node for node in game.walk() if isinstance(node, ast.Step | ast.Phase) and node.name == name)
    return "\n".join(
        f"{node.duty} {' or '.join(act.name for act in node.acts)}"
        if isinstance(node, ast.Decide)
        else first_line_text(node)
        for node in ast.nested(rule.body)
    )


def test_statements_are_put_before_and_after_replaced_and_removed():
    game = put_in(
        "    in setup:\n"
        "        before shuffle pond: set weather to rain\n"
        "        after each player from start:\n            shuffle pond\n            look_up\n"
        "        replace move dealt from pond to net[me]: move 2 from pond to net[me]                      [PO-1]\n"
        "    in step turn:\n        before look_up: shuffle pond\n        replace must cast or wait: must wait\n"
        "    in step look_up:\n        remove roll wind\n"
        "    in action cast:\n        after add 1 to thrown[me]: set weather to rain\n"
        "    in when rainy:\n        replace set weather to sun: look_up\n"
    ).file
    setup = next(part for part in game.parts if part.name == "setup").statements
    assert [first_line_text(node) for node in ast.nested(setup)] == [
        "set weather to rain",
        "shuffle pond",
        "each player from start",
        "move 2 from pond to net[me]",
        "shuffle pond",
        "look_up",
    ]
    assert [node.cites for node in ast.nested(setup)][3] == ("PO-1",)
    assert told_by_rule(game, "turn") == "if windy\nshuffle pond\nlook_up\nmust wait"
    assert told_by_rule(game, "look_up") == "set weather to wind"


def test_clauses_of_a_phase_are_changed_and_the_rest_stays():
    game = put_in(
        "    in phase morning:\n        replace over when windy\n        remove turns from\n"
        "        add over as soon as shore is not empty\n"
        "    in phase evening:\n        replace turns from ann backwards\n"
    ).file
    morning, evening = (node for node in game.walk() if isinstance(node, ast.Phase) and node.body)
    assert morning.first is None and isinstance(morning.over_when, ast.Name) and morning.over_at_once is not None
    assert isinstance(evening.first, ast.Name) and evening.first.name == "ann" and evening.last is None
    assert evening.backwards == ast.Backwards(span=evening.span, number=0, condition=None)


def test_a_replaced_phase_that_loses_a_clause_is_warned_of_unless_it_is_said():
    def warnings(text: str) -> list[str]:
        game, companion = pond()
        found, diagnostics = merged(game, companion, [variant_of(text, companion.number + 1)])
        assert found is not None
        assert {diagnostic.code for diagnostic in diagnostics} <= {"E0809"}
        return [diagnostic.message for diagnostic in diagnostics]

    replaced = "    replace phase morning, turns from start:\n        must wait\n"
    assert warnings(replaced) == ["`over when` of phase `morning` is gone"]
    assert warnings(replaced + "    in phase morning:\n        remove over when\n") == []
    assert warnings("    in phase morning:\n        remove over when\n" + replaced) == []
    outer = "    replace phase day:\n        phase evening:\n            may give_back\n"
    assert warnings(outer) == ["`turns from` of phase `evening` is gone"]


@pytest.mark.parametrize(
    ("one", "two"),
    [
        ("    remove die wind\n", "    replace die wind: sun, rain\n"),
        ("    replace phase day:\n        turn\n", "    replace phase evening:\n        turn\n"),
        ("    in define worth:\n        add 1 if windy\n", "    in define worth:\n        add 2 if windy\n"),
        ("    in define worth:\n        remove otherwise\n", "    replace define worth(c: Catch): 1\n"),
        ("    add define more: 1\n", "    add define more: 2\n"),
        ("    in by players:\n        remove dealt\n", "    in by players:\n        replace dealt 5 5\n"),
        ("    in type Fish:\n        add eel 1 1\n", "    in type Fish:\n        add eel 1 2\n"),
        ("    replace setup:\n        shuffle pond\n", "    replace setup:\n        move 1 from pond to shore\n"),
        ("    replace setup:\n        shuffle pond\n", "    in setup:\n        after shuffle pond: look_up\n"),
        ("    in setup:\n        remove shuffle pond\n", "    in setup:\n        after shuffle pond: look_up\n"),
        (
            "    in setup:\n        after shuffle pond: look_up\n",
            "    in setup:\n        after shuffle pond:\n            set weather to rain\n",
        ),
        (
            "    in setup:\n        remove each player from start\n",
            "    in setup:\n        before move dealt from pond to net[me]: look_up\n",
        ),
        ("    replace phase day:\n        turn\n", "    in phase morning:\n        before turn: look_up\n"),
        (
            "    in phase morning:\n        remove turns from\n",
            "    in phase morning:\n        replace turns from ann\n",
        ),
        (
            "    in step turn:\n        add give_back to must cast or wait\n",
            "    in step turn:\n        replace must cast or wait: must wait\n",
        ),
        (
            "    in step turn:\n        add end_it to must cast or wait\n",
            "    in step turn:\n        add end_it to must cast or wait\n",
        ),
    ],
)  # fmt: skip
def test_conflicting_variants_are_reported_with_both_places(one: str, two: str):
    for texts in ((one, two), (two, one)):
        (diagnostic,) = (diagnostic for diagnostic in told_of(*texts) if diagnostic.severity == "error")
        assert diagnostic.code == "E0806"
        (label,) = diagnostic.labels
        assert {diagnostic.span.source.name, label.span.source.name} == {"v0", "v1"}


# ---- the way there and the way back


def there_and_back(game: ast.GameFile) -> tuple[str, str]:
    """A variant that changes whatever can be changed of a game, and the one that takes it all back."""
    there, back = [], []
    for node in game.walk():
        match node:
            case ast.Action() | ast.Step():
                key = node.clause.key if node.clause else None
                head = f"in {node.kind} {ast.clause_name(node.name, key)}:"
                inserted, removed = statements_there_and_back(node.body)
                there += [head, '    add require true because "one more"', *inserted]
                back += [head, '    remove require because "one more"', *removed]
            case ast.When() | ast.Phase() | ast.Part():
                statements = node.statements if isinstance(node, ast.Part) else node.body
                inserted, removed = statements_there_and_back(statements)
                head = "in setup:" if isinstance(node, ast.Part) else f"in {node.kind} {node.name}:"
                there += [head, *inserted] if inserted else []
                back += [head, *removed] if removed else []
            case ast.Define():
                there += [f"in define {node.name}:", "    add 1 if one_more"]
                back += [f"in define {node.name}:", "    remove if one_more"]
            case ast.TypeTable() | ast.ByPlayers():
                head = "in by players:" if isinstance(node, ast.ByPlayers) else f"in type {node.name}:"
                there += [head, "    add one_more 1"]
                back += [head, "    remove one_more"]
            case (
                ast.Zone()
                | ast.Note()
                | ast.Option()
                | ast.Piece()
                | ast.Die()
                | ast.Winner()
                | ast.Teams()
                | ast.Header()
            ):
                text, *words = written(node)
                cited = text[: text.rindex("[")] if node.cites else f"{text} [ZZ-1]"
                there += [f"replace {cited}", *words]
                back += [f"replace {text}", *words]
            case ast.Example():
                there.append(f'remove example "{node.title.value}"')
    there += ["add define last_of_all: 1", 'add table "Last of all":', '    "A": 1']
    back += ["remove define last_of_all", 'remove table "Last of all"']
    return tuple("".join(f"    {line}\n" for line in lines) for lines in (there, back))  # type: ignore[return-value]


def statements_there_and_back(body: tuple[ast.Statement, ...]) -> tuple[list[str], list[str]]:
    """For each statement of a rule that can be selected, one that is put after it, and its removal."""
    every = list(ast.nested(body))
    lines = [ast.first_line(node) for node in every]
    single = [node for node, line in zip(every, lines, strict=True) if lines.count(line) == 1]
    inserted = [f"    after {first_line_text(node)}: let extra_{number} = 1" for number, node in enumerate(single)]
    return inserted, [f"    remove let extra_{number} = 1" for number in range(len(single))]


def written(node: ast.Node) -> list[str]:
    """A declaration in one line, with the words below it if it has some."""
    last = node.about if isinstance(node, ast.Header) and node.about is not None else node
    text = node.span.source.text[node.span.start : last.span.end]
    if not isinstance(node, ast.Header | ast.Option):
        return [" ".join(text.split())]
    return [" ".join(line.split()) if number == 0 else line for number, line in enumerate(text.rstrip().split("\n"))]


@pytest.mark.parametrize("path", GAMES, ids=lambda path: path.name.removesuffix(".rules"))
def test_a_change_and_the_change_back_leave_the_tree_as_it_was(path: Path):
    game = parsed(source_of(path))
    assert isinstance(game, ast.GameFile)
    there, back = there_and_back(game)
    changed = put_in(there, base=(game, None)).file
    assert changed != game
    last = max(node.number for node in changed.walk())
    restored = put_in(back, base=(replace(changed, number=last), None)).file
    assert restored == without_examples(game)
    assert [node.name for node in restored.parts] == [node.name for node in changed.parts]


# ---- what is wrong with a variant


def told(path: Path) -> tuple[Source, dict[int, list[Diagnostic]]]:
    game, companion = pond()
    source = source_of(path)
    variant = parsed(source, companion.number + 1)
    assert isinstance(variant, ast.VariantFile)
    found, diagnostics = merged(game, companion, [variant])
    if found is not None:
        diagnostics = with_changes(check(found.file, found.companion)[1], found)
    lines = defaultdict(list)
    for diagnostic in diagnostics:
        own = diagnostic.span.source is source
        places = [diagnostic.span] if own else [one.span for one in diagnostic.labels if one.span.source is source]
        assert places, diagnostic.draw()
        lines[places[0].line].append(diagnostic)
    return source, lines


@pytest.mark.parametrize("path", WRONG, ids=lambda path: path.name.removesuffix(".rules"))
def test_what_is_told_about_a_wrong_variant(path: Path):
    source, lines = told(path)
    if os.environ.get("REGELWERK_UPDATE"):
        update(path, source, lines)
        source, lines = told(path)
    for number, line in enumerate(source.text.split("\n"), 1):
        wanted = expected_on(line)
        drawn = "\n".join(diagnostic.draw() for diagnostic in lines[number])
        assert [code for code, _ in wanted] == [d.code for d in lines[number]], f"line {number}: {line}\n{drawn}"
        for diagnostic, (code, parts) in zip(lines[number], wanted, strict=True):
            assert fits(diagnostic, code, parts), f"line {number}: {line}\n{drawn}"


def test_every_code_of_variants_is_reported_in_some_test():
    by_examples = {"E0807"}  # tests/interpreter/test_variants.py
    assert codes_in("variants") == {code for code in codes_beside(WRONG) if code.startswith("E08")} | by_examples


def test_messages_are_written_as_agreed():
    for path in WRONG:
        for diagnostic in [found for line in told(path)[1].values() for found in line]:
            assert diagnostic.message[0] in "`" or diagnostic.message[0].isdigit() or diagnostic.message[0].islower()
            assert not diagnostic.message.endswith(".")
            assert 0 <= len(diagnostic.helps) <= 4


def test_errors_in_the_game_show_the_change_they_come_from():
    game = put_in("    remove die wind\n")
    found = with_changes(check(game.file, game.companion)[1], game)
    assert {d.code for d in found if d.severity == "error"} == {"E0201"}
    assert [(label.text, label.span.text) for label in found[0].labels] == [("removed here", "remove die wind")]


SEATED = """game "Seats" for 2 to 3 players ann, ben, cleo

== components ==

note score[p: Player]: 0..9 = 0

== phases ==

phase day, turns from ann, over when score[ann] > 5:
    must gain

action gain:
    add gain_of(me) to score[me]
    if count Player is 3: end game
    else: add 1 to score[me]

== scoring ==

define gain_of(p: Player):
    1  if count Player is 3 and p is ann
    2  if count Player is 2 or p is ben
    3  otherwise

winner highest score[me]
"""


@pytest.mark.parametrize(
    ("changes", "unreachable"),
    [
        ("", []),
        ("    in define gain_of:\n        add 5 if p is ben\n", []),
        (
            "    in define gain_of:\n        add 5 if p is in {ann, ben}\n",
            ["2  if count Player is 2 or p is ben", "3  otherwise"],
        ),
        ("    in define gain_of:\n        add 5 if count Player is 3\n", ["count Player is 3"]),
    ],
)
def test_what_a_variant_did_not_write_may_be_unreachable(changes: str, unreachable: list[str]):
    """With two seats cases for the third are never reached; the author of the variant has none of them to correct."""
    base = parsed(Source("seats", SEATED))
    assert isinstance(base, ast.GameFile)
    game = put_in(f'    replace game "Seats" for 2 players ann, ben\n{changes}', base=(base, None))
    for variants, told_here in ((game.variants, unreachable), ((), [])):
        found = check(game.file if variants else base, variants=variants)[1]
        assert [d.span.text for d in found if d.code == "E0503"] == told_here, [d.draw() for d in found]


def test_an_example_that_does_not_fit_says_what_to_do():
    game = put_in("    replace type Weather is sun, cloud\n    replace die wind: sun, cloud\n")
    found = with_changes(check(game.file, game.companion)[1], game)
    helps = [diagnostic.helps for diagnostic in found]
    assert any('remove example "in the rain a perch is nothing"' in text for lines in helps for text in lines)


@pytest.mark.parametrize("path", GAMES, ids=lambda path: path.name.removesuffix(".rules"))
def test_a_variant_of_another_game_is_an_error_and_never_a_crash(path: Path, long_run: bool):
    """In the normal run every third variant, in turn."""
    game = parsed(source_of(path))
    assert isinstance(game, ast.GameFile)
    variants = sorted((shipped_folder() / "variants").glob("*.rules"))
    for variant_path in variants if long_run else variants[GAMES.index(path) % 3 :: 3]:
        variant = parsed(source_of(variant_path), game.number + 1)
        assert isinstance(variant, ast.VariantFile)
        found, diagnostics = merged(game, None, [variant])
        assert found is not None or diagnostics
        if found is not None:
            check(found.file)


@pytest.mark.parametrize(
    ("wrong", "right"),
    [
        ("remove die wimd", "remove die wind"),
        ("remove action look_up", "remove step look_up"),
        ("in define wort:\n        add 1 if windy", "in define worth:\n        add 1 if windy"),
        ("in type Fish:\n        remove carb", "in type Fish:\n        remove carp"),
        ("in type Fish:\n        replace pick 1 1", "in type Fish:\n        replace pike 1 1"),
        ("add die wind: sun, rain", "replace die wind: sun, rain"),
        ('remove table "Nest"', 'remove table "Nets"'),
        ("in setup:\n        remove shuffle pund", "in setup:\n        remove shuffle pond"),
        (
            "in setup:\n        after each player from ann: look_up",
            "in setup:\n        after each player from start: look_up",
        ),
    ],
)
def test_the_way_out_can_be_put_there(wrong: str, right: str):
    (diagnostic,) = told_of(f"    {wrong}\n")
    assert diagnostic.replacements[0].result == f'variant "V" of a_game:\n    {right}\n'
    put_in(f"    {right}\n")
