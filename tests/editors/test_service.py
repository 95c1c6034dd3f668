"""The language service through its functions: what an editor shows about shipped games and about small mistakes."""

import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest

from editors.service.analysis import Analysis, Trees, analyse, fixes_for_all
from editors.service.calls import incoming, outgoing
from editors.service.colours import coloured
from editors.service.completing import completions
from editors.service.formatting import formatted, indented
from editors.service.hovering import hover
from editors.service.lenses import lenses
from editors.service.names import Names
from editors.service.outline import folds, outline, selections
from editors.service.renaming import definitions, edited_texts, references, rename
from editors.service.results import Edit
from editors.service.signatures import inlay_hints, signature
from editors.service.texts import DISK, NOTHING
from interpreter.loading.rules import load_rules
from tests.support.library import representative
from tests.support.long_run import one_in
from tests.support.project import ROOT

GAMES = representative()
NIM = ROOT / "games" / "nim.rules"
HERE = Path("/games/small.rules")
TREES = Trees()


def small(changed: Mapping[str, str] = {}, source: Path = NIM) -> Analysis:
    """Nim under another name, all in memory, with some texts in it replaced."""
    text = source.read_text("utf-8")
    for old, new in changed.items():
        assert old in text
        text = text.replace(old, new)
    return analyse(HERE, {HERE: text}, NOTHING, TREES)


def text_of(analysis: Analysis, path: Path = HERE) -> str:
    source = analysis.source(path)
    assert source is not None
    return source.text


def test_a_game_in_memory_needs_no_files() -> None:
    analysis = small()
    assert analysis.findings == ()
    assert analysis.model is not None


def test_a_finding_has_its_code_place_and_fixes() -> None:
    analysis = small({"set taker to me": "set takr to me"})
    (finding,) = analysis.findings
    assert (finding.code, finding.severity) == ("E0201", "error")
    assert text_of(analysis)[finding.place.start : finding.place.end] == "takr"
    assert [fix.title for fix in finding.fixes] == ["replace `takr` by `taker`"]
    texts = edited_texts(analysis, fixes_for_all(analysis.findings, HERE))
    assert analyse(HERE, texts, NOTHING, TREES).findings == ()


def test_fixing_all_applies_each_likeliest_fix_once() -> None:
    analysis = small({"set taker to me": "set takr to me", "from pile[x] to box": "from pil[x] to bax"})
    assert len(analysis.findings) == 3
    texts = edited_texts(analysis, fixes_for_all(analysis.findings, HERE))
    assert analyse(HERE, texts, NOTHING, TREES).findings == ()


def test_findings_in_several_files_have_their_paths() -> None:
    examples = HERE.with_name("small.examples.rules")
    texts = {HERE: NIM.read_text("utf-8"), examples: 'examples of small\n\nexample "a":\n    then winners is {bn}\n'}
    for path in (HERE, examples):
        (finding,) = analyse(path, texts, NOTHING, TREES).findings
        assert finding.place.path == examples


@pytest.mark.parametrize("game", one_in(3, GAMES, 1))
def test_findings_are_those_of_the_checker(game: str) -> None:
    path = ROOT / "games" / f"{game}.rules"
    assert analyse(path, {}, DISK, TREES).findings == ()
    assert load_rules(path, examples=True).warnings == ()


@pytest.mark.parametrize("game", one_in(8, GAMES, 3))
def test_every_word_can_be_asked_about(game: str) -> None:
    """Hover, completion, definition, references: none of them fails anywhere, and names are nearly always known."""
    path = ROOT / "games" / f"{game}.rules"
    analysis = analyse(path, {}, DISK, TREES)
    names = Names(analysis)
    text = text_of(analysis, path)
    words = [name.place for name in names.by_path[path]]
    for number, place in enumerate(words):
        assert hover(names, path, place.start) is not None
        if number % 5 == 0:
            word = text[place.start : place.end]
            offered = completions(names, path, text, place.end)
            is_declared = any(other.place == place and other.is_declaration for other in names.by_path[path])
            assert is_declared or word in {one.label for one in offered}, (word, place)
            assert place in references(names, path, place.start)
            definitions(names, path, place.start)
            signature(names, text, place.end)
            selections(analysis, path, place.start)
    assert outline(analysis, path) and coloured(names, path) and lenses(analysis, path)
    inlay_hints(names, path)


def test_keywords_of_several_words_have_the_colour_of_keywords() -> None:
    analysis = small()
    text = text_of(analysis)
    shown = {text[part.start : part.end]: part.colour for part in coloured(Names(analysis), HERE)}
    assert {shown[words] for words in ("turns from", "over when", "seen by", "require")} == {"keyword"}
    assert (shown["take"], shown["taker"], shown["Pile"]) == ("action", "note", "type")


def at(text: str, words: str, word: str) -> int:
    """The offset of a word within the first line that has these words."""
    return text.index(words) + words.index(word)


def test_hover_says_what_a_name_is() -> None:
    analysis = small({"note taker": "# Who took last.\nnote taker"})
    names, text = Names(analysis), text_of(analysis)
    hovered = hover(names, HERE, at(text, "set taker to me", "taker"))
    assert hovered is not None
    assert "note taker: Player or nobody = nobody, seen by nobody" in hovered.text
    assert "a note: a seat or nobody, seen by `nobody`" in hovered.text
    assert "Who took last." in hovered.text


def test_hover_shows_the_item_that_is_cited() -> None:
    path = ROOT / "games" / "china.rules"
    analysis = analyse(path, {}, DISK, TREES)
    hovered = hover(Names(analysis), path, text_of(analysis, path).index("CH-05"))
    assert hovered is not None
    assert "With four players a card of every colour stays out" in hovered.text


def test_definition_and_references_go_across_files() -> None:
    path = ROOT / "games" / "china.rules"
    analysis = analyse(path, {}, DISK, TREES)
    names, text = Names(analysis), text_of(analysis, path)
    offset = text.index("zone hand[") + len("zone ")
    (declared,) = definitions(names, path, offset)
    assert text[declared.start : declared.end] == "hand"
    assert {place.path.name for place in references(names, path, offset)} >= {"china.rules", "china.examples.rules"}


def test_a_rename_changes_every_use_and_nothing_else() -> None:
    analysis = small()
    names, text = Names(analysis), text_of(analysis)
    offset = at(text, "zone pile[x", "pile")
    renamed = rename(names, HERE, offset, "heap", lambda texts: analyse(HERE, texts, NOTHING, TREES))
    assert not renamed.refusal
    after = edited_texts(analysis, renamed.edits)[HERE]
    assert "zone heap[x: Pile]" in after and 'because "pile {x} has only {count heap[x]}"' in after
    assert 'heap[x]     "pile {x}"' in after and "type Pile" in after


def test_a_rename_changes_translated_texts_as_well() -> None:
    path = ROOT / "games" / "chinesische_mauer.rules"
    analysis = analyse(path, {}, DISK, TREES)
    offset = text_of(analysis, path).index("zone hand[") + len("zone ")
    places = references(Names(analysis), path, offset)
    language = path.parent / "languages" / "chinesische_mauer.de.rules"
    texts = edited_texts(analysis, [Edit(place, "held") for place in places])
    assert "{count held[p]}" in texts[language] or "held[" in texts[language]
    assert analyse(path, texts, DISK, TREES).findings == ()


@pytest.mark.parametrize(("new", "reason"), [
    ("box", "there is another `box`"), ("taker", "there is another `taker`"), ("move", "keyword"),
    ("2x", "not a name"), ("ann", "there is another `ann`"),
])  # fmt: skip
def test_a_rename_that_clashes_is_refused(new: str, reason: str) -> None:
    analysis = small()
    names, text = Names(analysis), text_of(analysis)
    offset = at(text, "zone pile[x", "pile")
    renamed = rename(names, HERE, offset, new, lambda texts: analyse(HERE, texts, NOTHING, TREES))
    assert reason in renamed.refusal and not renamed.edits


def labels(changed: Mapping[str, str], words: str) -> list[str]:
    """What is offered after these words, likeliest first."""
    analysis = small(changed)
    text = text_of(analysis)
    offered = completions(Names(small()), HERE, text, text.index(words) + len(words))
    return [one.label for one in sorted(offered, key=lambda one: one.rank)]


def test_completion_knows_names_that_are_bound_later_in_the_line() -> None:
    assert "heap" in labels(
        {"    must take\n": "    let n = (sum count pile[heap] for heap in Pile)\n"}, "(sum count pile["
    )


def test_completion_knows_what_the_parser_expects() -> None:
    assert {"zone", "note", "define"} <= set(labels({"note taker:": "\nnote taker:"}, "pile[x: Pile] holds Match\n"))
    assert "move" not in labels({"note taker:": "\nnote taker:"}, "pile[x: Pile] holds Match\n")
    assert {"move", "set", "shuffle"} <= set(labels({}, "from pile[x] to box\n    "))
    assert labels({}, "    must ")[0] == "take"


def test_completion_ranks_by_type() -> None:
    first = labels({"set taker to me": "set taker to "}, "set taker to ")
    assert set(first[:3]) >= {"ann", "ben"}
    assert labels({"x.matches": "x."}, "move x.")[:1] == ["matches"]


def test_completion_goes_on_in_a_text_with_errors_above() -> None:
    broken = {"zone box holds Match": "zone box holds holds", "set taker to me": "set ta"}
    assert "taker" in labels(broken, "set ta")


def test_signature_help_counts_arguments() -> None:
    analysis = small()
    text = text_of(analysis)
    shown = signature(Names(analysis), text, text.index("take(4, 3)") + len("take(4, "))
    assert shown is not None
    assert shown.label == "take(x: Pile, n: 1..7)"
    assert shown.label[shown.parameters[shown.active].start :].startswith("n: 1..7")


def test_formatting_is_that_of_the_formatter() -> None:
    text = NIM.read_text("utf-8").replace("    must take", "      must   take")
    (edit,) = formatted(HERE, text)
    assert text[: edit.place.start] + edit.text + text[edit.place.end :] == NIM.read_text("utf-8")
    assert formatted(HERE, "game (") == ()
    assert formatted(HERE, text, lines=(0, 3)) == ()


def test_a_new_line_after_a_colon_is_indented() -> None:
    (edit,) = indented(HERE, "step draw:\n", len("step draw:\n"))
    assert edit.text == "    "


def test_the_outline_survives_syntax_errors() -> None:
    analysis = small({"set taker to me": "set set"})
    assert "take" in [entry.name for entry in outline(analysis, HERE)]
    source = analysis.source(HERE)
    assert source is not None and folds(source)


def test_a_variant_is_checked_with_its_game_and_its_own_text() -> None:
    path = ROOT / "games" / "variants" / "king_of_the_hill.rules"
    text = path.read_text("utf-8")
    assert analyse(path, {}, DISK, TREES).findings == ()
    broken = text.replace("remove ", "removes ", 1) if "remove " in text else text.replace("add ", "adds ", 1)
    findings = analyse(path, {path: broken}, DISK, TREES).findings
    assert findings and all(finding.place.path == path for finding in findings)


def test_a_variant_of_a_game_that_is_not_there_says_so() -> None:
    path = HERE.with_name("lost.rules")
    (finding,) = analyse(
        path, {path: 'variant "Lost" of nowhere_to_be_found:\n    remove step x\n'}, NOTHING, TREES
    ).findings
    assert "there is no game `nowhere_to_be_found`" in finding.message


def test_a_board_is_checked_with_the_game_that_names_it() -> None:
    path = ROOT / "games" / "boards" / "nine_mens_morris.json"
    text = path.read_text("utf-8")
    analysis = analyse(path, {}, DISK, TREES)
    assert analysis.path.name == "nine_mens_morris.rules" and analysis.findings == ()
    findings = analyse(path, {path: text.replace(":", "", 1)}, DISK, TREES).findings
    assert findings and findings[0].place.path == path


def test_without_the_library_of_the_protocol_the_verb_says_how_to_install_it() -> None:
    hidden = "import sys; sys.modules['pygls'] = None; sys.argv = ['regelwerk', 'lsp']"
    script = f"{hidden}; import regelwerk.command as command; command.main()"
    ended = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, cwd=ROOT, check=False)
    assert ended.returncode != 0 and "pip install 'regelwerk[editor]'" in ended.stderr


INTERRUPT = {"== scoring ==": "step tax, after take: set taker to me\n\n== scoring =="}


def test_an_interrupt_is_called_by_the_rules_that_its_heading_names() -> None:
    analysis = small(INTERRUPT)
    names, text = Names(analysis), text_of(analysis)
    take, tax = at(text, "action take(", "take"), at(text, "step tax", "tax")
    assert "tax" in [called.name for called in outgoing(names, HERE, take)]
    assert "tax" not in [caller.name for caller in incoming(names, HERE, take)]
    assert [caller.name for caller in incoming(names, HERE, tax)] == ["take"]
    assert "take" not in [called.name for called in outgoing(names, HERE, tax)]
    assert {text[place.start : place.end] for place in references(names, HERE, take)} == {"take"}
    assert at(text, "after take:", "take") in [place.start for place in references(names, HERE, take)]


def test_completion_offers_rules_after_before() -> None:
    assert labels({"== scoring ==": "step tax, after \n\n== scoring =="}, "step tax, after ") == ["take"]
