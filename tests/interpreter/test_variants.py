"""Variants in play: found, loaded, combined, hashed, saved and resumed; the shipped ones, each with its examples."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from dsl.diagnostics import RulesError
from dsl.text.variant_files import head_of
from interpreter.analysis.playouts import playouts
from interpreter.authoring.examples.suite import failing_in_base, run_checked
from interpreter.errors import SaveError, UnknownGameError, VariantError
from interpreter.loading.game_library import all_games, shipped_folder
from interpreter.loading.rules import load_rules
from interpreter.loading.variants import FoundVariant, variants_of
from interpreter.play.game import Game, load, seat_game
from interpreter.play.saves.files import SaveMeta, read_save, resume, write_save
from interpreter.play.saves.model import schema
from interpreter.play.scenes.setup import options_given
from interpreter.play.trace import Timeline
from tests.support.json_schemas import validate
from tests.support.long_run import one_in

FOLDER = Path(__file__).parents[1] / "dsl" / "variants"
SHIPPED = sorted((shipped_folder() / "variants").glob("*.rules"))
FOUR = ["chinesische_mauer", "china", "mauerbauer", "dschingis_khan"]


@pytest.fixture
def pond(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The small game with its variants, in a folder of its own."""
    shutil.copytree(FOLDER, tmp_path / "games")
    (tmp_path / "here").mkdir()
    monkeypatch.chdir(tmp_path / "here")
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    return tmp_path / "games" / "pond.rules"


def write(path: Path, text: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path


def fault(pond: Path, *variants: str | Path) -> str:
    with pytest.raises(VariantError) as raised:
        load(pond, variants=variants)
    assert "\n" not in str(raised.value)
    return str(raised.value)


# ---- found and loaded


def test_variants_of_a_game_are_found_by_name_and_by_path(pond: Path):
    assert [(one.name, one.title, one.game) for one in variants_of(pond)] == [
        ("deep", "Deep pond", "pond"), ("kind", "Kind", "pond"), ("rain", "Rain", "pond"),
    ]  # fmt: skip
    assert load(pond, variants=["deep"]).variants == ("deep",)
    assert load(pond, variants=[pond.parent / "variants" / "deep.rules"]).variants == ("deep",)
    assert load(pond).variants == ()


def test_variants_are_also_found_in_the_current_folder_and_in_the_user_folder(pond: Path, tmp_path: Path):
    text = 'variant "Mine" of pond:\n    replace option windy: Truth = true\n'
    write(tmp_path / "here" / "variants" / "mine.rules", text)
    write(tmp_path / "data" / "regelwerk" / "games" / "variants" / "other.rules", text)
    write(tmp_path / "here" / "variants" / "deep.rules", text)
    assert [one.name for one in variants_of(pond)] == ["deep", "kind", "rain", "mine", "other"]
    assert load(pond, variants=["mine"]).options["windy"] == "true"
    assert load(pond, variants=["other"]).title == "Pond (Mine)"
    assert load(pond, variants=["deep"]).title == "Pond (Deep pond)"


def test_the_file_of_a_variant_means_its_game_with_the_variant(pond: Path):
    game = load(pond.parent / "variants" / "rain.rules", variants=["deep"])
    assert (game.name, game.title, game.variants) == ("pond", "Pond (Deep pond, Rain)", ("deep", "rain"))


def test_variants_that_cannot_be_found(pond: Path, tmp_path: Path):
    assert fault(pond, "deeep") == "`pond` has no variant `deeep`; did you mean deep?"
    assert fault(pond, "xyz") == "`pond` has no variant `xyz`; it has deep, kind, rain"
    assert fault(pond, "deep", pond.parent / "variants" / "deep.rules") == "the variant `deep` is given twice"
    assert fault(pond, tmp_path / "no.rules") == f"there is no variant `{tmp_path / 'no.rules'}`"
    assert fault(pond, tmp_path) == f"there is no variant `{tmp_path}`"
    assert "is not a variant: it does not begin with" in fault(pond, pond)
    write(pond.parent / "variants" / "far.rules", '# far\n\nvariant "Far" of lake:\n    remove die wind\n')
    assert fault(pond, "far") == "`far` is a variant of `lake`, not of `pond`"
    assert "far" not in [one.name for one in variants_of(pond)]


def test_errors_in_a_variant_are_reported_with_their_locations(pond: Path):
    bad = write(pond.parent / "variants" / "bad.rules", 'variant "Bad" of pond:\n    remov die wind\n')
    with pytest.raises(RulesError) as raised:
        load(pond, variants=["bad"])
    assert [d.code for d in raised.value.diagnostics] == ["E0112"]
    bad.write_text('variant "Bad" of pond:\n    remove die wnd\n', "utf-8")
    with pytest.raises(RulesError) as raised:
        load(pond, variants=["bad"])
    assert [d.code for d in raised.value.diagnostics] == ["E0801"]


def test_a_wrong_game_is_not_blamed_on_its_variant(pond: Path):
    pond.write_text(pond.read_text("utf-8").replace("sum worth(c)", "sum wroth(c)"), "utf-8")
    with pytest.raises(RulesError) as raised:
        load(pond, variants=["deep"])
    assert [(d.code, d.labels) for d in raised.value.diagnostics] == [("E0201", ())]


# ---- what is played


def test_the_game_is_played_with_its_variant(pond: Path):
    assert load(pond).start().view(None).zones["pond"].count == 10
    deep = load(pond, variants=["deep"]).start()
    assert deep.view(None).zones["pond"].count == 5 + 4 + 5 + 2 - 2 * 3
    rain = load(pond, variants=["rain"])
    assert rain.options["windy"] == "true"
    assert rain.start(3).why("cast").reasons


def test_two_variants_are_both_played_whichever_comes_first(pond: Path):
    one, two = load(pond, variants=["deep", "rain"]), load(pond, variants=["rain", "deep"])
    assert one.rules.hash == two.rules.hash
    assert [game.scores for game in playouts(one, 5)] == [game.scores for game in playouts(two, 5)]


def test_two_variants_that_change_the_same_rule_are_refused(pond: Path):
    write(pond.parent / "variants" / "dry.rules", 'variant "Dry" of pond:\n    replace die wind: sun, sun\n')
    with pytest.raises(RulesError) as raised:
        load(pond, variants=["rain", "dry"])
    (diagnostic,) = raised.value.diagnostics
    assert diagnostic.code == "E0806"
    places = {diagnostic.span.source.name, diagnostic.labels[0].span.source.name}
    assert {Path(place).name for place in places} == {"rain.rules", "dry.rules"}


def test_the_hash_covers_the_variants(pond: Path):
    hashes = {load(pond, variants=wanted).rules.hash for wanted in ([], ["deep"], ["kind"], ["deep", "kind"])}
    assert len(hashes) == 4
    deep = pond.parent / "variants" / "deep.rules"
    deep.write_text(deep.read_text("utf-8").replace("pike 4 5", "pike 4 6"), "utf-8")
    assert load(pond, variants=["deep"]).rules.hash not in hashes


def test_a_board_of_a_variant_lies_beside_it(tmp_path: Path):
    games = Path(__file__).parents[1] / "cli" / "games"
    shutil.copytree(games, tmp_path / "games")
    text = 'variant "Far" of hops:\n    replace board "boards/far.json"\n'
    write(tmp_path / "games" / "variants" / "away.rules", text)
    (tmp_path / "games" / "variants" / "boards").mkdir()
    shutil.copy(games / "boards" / "far.json", tmp_path / "games" / "variants" / "boards")
    hops = tmp_path / "games" / "hops.rules"
    near, far = load(hops).board, load(hops, variants=["away"]).board
    assert near is not None
    assert far is not None
    assert near.name != far.name


def test_a_trace_names_the_file_of_each_rule(pond: Path):
    state = load(pond, variants=["rain"]).start(1, traced=True)
    state.push("cast")
    files = {Path(event.location.split(":")[0]).name for _, event in Timeline(state).all_events() if event.location}
    assert "pond.rules" in files
    reasons = state.why("cast").reasons
    assert {Path(reason.location.split(":")[0]).name for reason in reasons} == {"pond.rules", "rain.rules"}


# ---- examples


def test_examples_of_the_game_run_under_the_variant(pond: Path):
    for one in ("deep", "kind", "rain"):
        rules = load_rules(pond, examples=True, variants=[one])
        results = run_checked(rules)
        assert [result.failures for result in results if not result.passed] == []
        assert failing_in_base(rules) == []
        assert any(f"{one}.rules" in result.location for result in results)


def test_an_example_of_the_game_that_fails_is_named_with_its_reason(pond: Path):
    text = 'variant "Heavy" of pond:\n    in define worth:\n        replace if c.fish is pike: 9 if c.fish is pike\n'
    write(pond.parent / "variants" / "heavy.rules", text)
    rules = load_rules(pond, examples=True, variants=["heavy"])
    (diagnostic,) = failing_in_base(rules)
    assert (diagnostic.code, diagnostic.message) == ("E0807", "the example `a pike counts double` fails")
    assert diagnostic.helps[0].endswith("expected total(ann) is 8, found 9")
    assert 'remove example "a pike counts double"' in diagnostic.helps[-1]
    assert [label.span.text for label in diagnostic.labels] == ['"Heavy"']


def test_a_variant_is_not_blamed_for_an_example_that_fails_without_it(pond: Path):
    examples = next(path for path in (pond.with_name("pond.examples.rules"), pond) if "a pike counts double" in
                    path.read_text("utf-8"))  # fmt: skip
    text = examples.read_text("utf-8")
    assert "then total(ann) is 8" in text
    write(examples, text.replace("then total(ann) is 8", "then total(ann) is 7", 1))
    (diagnostic,) = failing_in_base(load_rules(pond, examples=True, variants=["rain"]))
    assert diagnostic.code == "E0807"
    assert diagnostic.message == "the example `a pike counts double` fails, without the variant as well"
    assert diagnostic.helps[-1].startswith("correct it in the game first: `regelwerk test ")
    assert diagnostic.labels == ()


# ---- saves


def saved(game: Game, path: Path, moves: int = 3) -> Path:
    state = game.start(seed=2)
    for _ in range(moves):
        state.push(state.legal_moves[0].notation)
    write_save(path, state, SaveMeta(dict.fromkeys(game.seats, "human")))
    return path


def test_a_save_records_its_variants_and_resumes_with_them(pond: Path, tmp_path: Path):
    path = saved(load(pond, variants=["rain", "deep"]), tmp_path / "a.json")
    document = json.loads(path.read_text("utf-8"))
    validate(document, schema())
    assert [Path(known).name for known in document["variants"]] == ["deep.rules", "rain.rules"]
    state = resume(read_save(path))
    assert state.game.variants == ("deep", "rain")
    assert state.game.rules.hash == document["rules_hash"]
    assert "variants" not in json.loads(saved(load(pond), tmp_path / "b.json").read_text("utf-8"))


def test_a_variant_of_a_save_that_has_moved_is_found_again(pond: Path, tmp_path: Path):
    path = saved(load(pond, variants=["kind"]), tmp_path / "a.json")
    (tmp_path / "here" / "variants").mkdir()
    shutil.move(pond.parent / "variants" / "kind.rules", tmp_path / "here" / "variants")
    assert resume(read_save(path)).game.variants == ("kind",)
    shutil.rmtree(tmp_path / "here" / "variants")
    with pytest.raises(SaveError, match=r"was played with the variant .*kind\.rules, which does not exist"):
        resume(read_save(path))


def test_a_variant_of_a_save_that_was_changed_is_noticed(pond: Path, tmp_path: Path):
    path = saved(load(pond, variants=["kind"]), tmp_path / "a.json")
    file = pond.parent / "variants" / "kind.rules"
    file.write_text(file.read_text("utf-8").replace("5 if", "6 if"), "utf-8")
    save = read_save(path)
    assert resume(save).game.rules.hash != save.rules_hash


# ---- the shipped ones


def lines_of_rules(path: Path) -> int:
    """How many lines a variant has without comments, sentences about it, examples, and its words in other languages."""
    count, is_left_out = 0, False
    for line in path.read_text("utf-8").split("\n"):
        if line.startswith("    ") and not line.startswith("     "):
            is_left_out = line.split()[1] in ("example", "names")
        if line.strip() and not line.lstrip().startswith(("#", '"')) and not is_left_out:
            count += 1
    return count


def test_each_of_the_four_games_has_two_variants():
    for name in FOUR:
        found: list[FoundVariant] = variants_of(shipped_folder() / f"{name}.rules")
        assert len(found) >= 2, name


SHORT = 15
LONGER = {
    "antichess": 51, "chess960": 45, "three_check": 18, "ruins_stay": 22, "fevga": 30, "frisian_draughts": 26,
    "italian_draughts": 22, "renju": 26, "russian_draughts": 23, "tabula": 50, "turkish_draughts": 20,
}  # fmt: skip
"""Lines of rules; a variant with another setup, other ways to capture, or another way to win, has more."""

WITH_DRAWS = {"antichess", "chess960", "king_of_the_hill", "three_check", "pick_roles", "ruins_stay"}
"""Variants of a game that nobody may win."""


@pytest.mark.parametrize("path", one_in(4, SHIPPED), ids=lambda path: path.stem)
def test_shipped_variants(path: Path, long_run: bool):
    """Short, without a word to say about them, with examples of their own, and playable to the end."""
    assert lines_of_rules(path) <= LONGER.get(path.stem, SHORT)
    rules = load_rules(path, examples=True)
    assert rules.warnings == ()
    model = rules.model
    if not long_run:  # games with unusual options are each compiled for one example or two
        usual = (
            one for one in model.examples if one.span.source.name.endswith(path.name) or not options_given(model, one)
        )
        model.examples = tuple(usual)
    results = run_checked(rules)
    assert [result.failures for result in results if not result.passed] == []
    assert any(f"{path.name}:" in result.location for result in results)
    game, many = seat_game(rules, None, {}), 30 if long_run else 3
    assert len([played.winners for played in playouts(game, many, seed=1)]) == many
    most = seat_game(rules, game.most, {})
    assert path.stem in WITH_DRAWS or all(played.winners for played in playouts(most, 3, seed=1))


def test_variants_of_a_game_that_go_together():
    for one in ("eight_cards", "zero_for_all"):
        assert load("chinesische_mauer", variants=[one, "seven_cards"]).variants == tuple(sorted((one, "seven_cards")))
    assert load("mauerbauer", variants=["forty_walls", "five_for_ten", "one_sort_gone"]).start(1).player


@pytest.mark.parametrize(
    ("block", "sentence", "minutes"),
    [("", "Take matches.", (5, 5)), (':\n        "Take all."', "Take all.", None)],
    ids=["without a block", "with a block of its own"],
)
def test_a_variant_keeps_the_family_of_its_base(
    block: str, sentence: str, minutes: tuple[int, int] | None, tmp_path: Path
) -> None:
    base = 'game "Heap" for 2 players a, b:\n    "Take matches."\n    family "heaps"\n    minutes 5\n'
    phases = "== phases ==\n\nphase main:\n    end game\n\n== scoring ==\n\nwinner highest 1\n"
    write(tmp_path / "heap.rules", base + phases)
    changed = f'variant "Few" of heap:\n    replace game "Duel" for 2 players c, d{block}\n'
    rules = load_rules(tmp_path / "heap.rules", variants=[write(tmp_path / "few.rules", changed)])
    about = rules.model.file.header.about
    assert about is not None
    assert (about.family, about.sentence, about.minutes) == ("heaps", sentence, minutes)


def test_files_of_variants_are_no_games(pond: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.chdir(pond.parent / "variants")
    assert [game.name for game in all_games() if game.origin == "here"] == []
    with pytest.raises(UnknownGameError):
        load("deep")


def test_three_hundred_variants_at_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The head of each file in the folder is read once, not once for each variant that is named."""
    (tmp_path / "mine.rules").write_text((shipped_folder() / "nim.rules").read_text(encoding="utf-8"), encoding="utf-8")
    (tmp_path / "variants").mkdir()
    names = [f"v{number}" for number in range(300)]
    for name in names:
        text = f'variant "{name}" of mine:\n    "Another note."\n    add note {name}: 0..9 = 0, seen by nobody\n'
        (tmp_path / "variants" / f"{name}.rules").write_text(text, encoding="utf-8")
    read: list[Path] = []

    def counted(path: Path) -> FoundVariant | None:
        read.append(path)
        return head_of(path)

    monkeypatch.setattr("interpreter.loading.variants.head_of", counted)
    state = load(tmp_path / "mine.rules", variants=names).start()
    assert len(state.game.rules.variants) == 300
    assert len([path for path in read if path.parent.parent == tmp_path]) <= 2 * len(names)
    with pytest.raises(VariantError, match="`v7` is given twice"):
        load(tmp_path / "mine.rules", variants=[*names, "v7"])
