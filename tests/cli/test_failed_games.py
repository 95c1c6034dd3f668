"""Random games that end in an error: seed, decision and player are named, the game is saved, the others still count."""

import json
import shlex
import shutil
from pathlib import Path

import pytest

from interpreter.analysis.playouts import attempts
from interpreter.analysis.random_choices import random_move
from interpreter.errors import PlayError
from interpreter.play.game import load
from interpreter.play.saves.files import read_save, resume
from tests.cli.conftest import saves, valid
from tests.cli.viewing import at_once, viewing

FAULTS = Path(__file__).parent.parent / "interpreter" / "rules" / "faults.rules"
RARE = """
game "Rare" for 2 players ann, ben

== components ==

note steps: 0..9 = 0

== phases ==

phase main, turns from ann, over when steps >= 4:
    must walk or stay or jump

action walk:
    "walk"
    add 1 to steps

action stay:
    "stay"
    add 0 to steps

action jump:
    "jump"
    add 8 to steps

== scoring ==

winner highest steps
"""


PLACE = f"rare.rules:{RARE.lstrip().splitlines().index('    add 8 to steps') + 1}:9"


@pytest.fixture
def rare(own_folder):
    """A game in which jumping fails, unless it is the first step."""
    path = own_folder / "rare.rules"
    path.write_text(RARE.lstrip(), encoding="utf-8")
    return path


def failing(path: Path, seeds: range):
    """Which seeds fail, at which decision, of whom: played move by move, as one would by hand."""
    found = {}
    for seed in seeds:
        state = load(path).start(seed)
        while state.player is not None:
            move, player = random_move(state), state.player
            try:
                state.push(move)
            except PlayError:
                found[seed] = (state.ply + 1, player, move.notation)
                break
    return found


@pytest.mark.parametrize("jobs", [1, 3])
def test_simulate_keeps_the_other_games(run, own_folder, rare, jobs):
    expected = failing(rare, range(60))
    assert 0 < len(expected) < 60
    result = run("simulate", "rare.rules", "-n", 60, "-j", jobs, "--format", "json")
    assert result.exit_code == 1
    document = valid("simulate", result.output)
    assert (document["games"], document["wanted"]) == (60 - len(expected), 60)
    assert {one["seed"]: (one["decision"], one["player"], one["move"]) for one in document["failed"]} == expected
    whole = [one.decisions for one in attempts(load(rare), 60) if hasattr(one, "scores")]
    assert document["length"]["mean"] == pytest.approx(sum(whole) / len(whole))
    assert {one["place"] for one in document["failed"]} == {PLACE}
    assert all("is outside the range 0..9" in one["fault"] for one in document["failed"])


def test_the_first_game_is_saved_before_the_decision_that_failed(run, own_folder, rare):
    result = run("simulate", "rare.rules", "-n", 40, "--seed", 3)
    seed, (decision, player, move) = next(iter(failing(rare, range(3, 43)).items()))
    (path,) = saves(own_folder)
    assert path.name == f"rare-fault-seed{seed}.json"
    assert result.exit_code == 1
    assert f"  seed {seed}, decision {decision}: {player} made the move {move}\n" in result.output
    assert f"  the game up to there: regelwerk trace data/regelwerk/saves/{path.name}\n" in result.output
    state = resume(read_save(path))
    assert (state.seed, state.ply, state.player) == (seed, decision - 1, player)
    with pytest.raises(PlayError):
        state.push(move)
    command = shlex.split(result.output.split("the game up to there: regelwerk ")[1].splitlines()[0])
    assert run(*command).exit_code == 0


def test_playing_the_seed_meets_the_same_fault(run, own_folder, rare):
    seed, (decision, player, _) = next(iter(failing(rare, range(40)).items()))
    result = run("play", "rare.rules", "--seat", "all=random", "--seed", seed, "--save", "s.json")
    assert result.exit_code == 1
    assert f"error: seed {seed}, decision {decision} ({player}): {PLACE}: " in result.output
    assert result.output.endswith(
        "saved; resume with: regelwerk play --resume s.json\n look inside: regelwerk trace s.json\n"
    )
    assert resume(read_save(own_folder / "s.json")).ply == decision - 1


@pytest.mark.parametrize("played", [("simulate", "-n", 40), ("play", "--seat", "all=random", "--save", "s.json")])
def test_a_trace_ends_with_the_move_that_failed(run, own_folder, rare, played):
    verb, *flags = played
    seed, (decision, player, move) = next(iter(failing(rare, range(40)).items()))
    run(verb, "rare.rules", *flags, "--seed", seed)
    path = own_folder / "s.json" if verb == "play" else saves(own_folder)[0]
    assert read_save(path).failing == move
    lines = run("trace", path).output.splitlines()
    assert lines[-1].startswith(f"{PLACE}: ") and "is outside the range 0..9" in lines[-1]
    assert any(line.lstrip().startswith("action jump") for line in lines[-4:])
    document = valid("trace", run("trace", path, "--format", "json").output)
    assert document["plies"] == decision
    (made,) = [event for event in document["events"] if event["ply"] == decision and event["kind"] == "decision"]
    assert made["seat"] == player
    assert (document["events"][-1]["kind"], document["events"][-1]["text"]) == ("end", lines[-1])
    assert run("trace", path, "--html", "page.html").exit_code == 0
    page = (own_folder / "page.html").read_text(encoding="utf-8")
    assert f'"start": {decision}' in page or f'"start":{decision}' in page
    rare.write_text(RARE.lstrip().replace("add 8", "add 2"), encoding="utf-8")
    assert "outside the range" not in run("trace", path).output, "the rules have been corrected"


@at_once
async def test_the_viewer_opens_a_failed_game_at_its_end(rare):
    seed, (decision, player, move) = next(iter(failing(rare, range(40)).items()))
    state = load(rare).start(seed)
    while state.ply < decision - 1:
        state.push(random_move(state))
    async with viewing(state, failing=move) as viewer:
        assert viewer.at[0] == decision and "is outside the range 0..9" in viewer.text
        assert "►" in viewer.text and "add 8 to steps" in viewer.text
        assert viewer.session.decided == decision - 1 and viewer.session.next_player == player
        await viewer.press("backspace")
        await viewer.press("minus")
        assert viewer.at[0] == decision
        viewer.session.look_as("ann")
        assert viewer.session.timeline.plies == decision
    async with viewing(state, failing=move, at=1) as viewer:
        assert viewer.at == (1, 0)


def test_a_game_that_goes_on_after_a_failure_is_traced_without_it(run, own_folder, rare):
    seed = next(iter(failing(rare, range(40))))
    run("play", "rare.rules", "--seat", "all=random", "--seed", seed, "--save", "s.json")
    run("play", "--resume", "s.json", "--seat", "all=human", typed=["stay", "quit"])
    assert read_save(own_folder / "s.json").failing is None


def test_a_save_that_is_there_is_not_written_again(run, own_folder, rare):
    for _ in range(2):
        run("simulate", "rare.rules", "-n", 40)
    (path,) = saves(own_folder)
    path.write_text("mine", encoding="utf-8")
    run("simulate", "rare.rules", "-n", 40)
    assert path.read_text(encoding="utf-8") == "mine"
    assert [one.name for one in saves(own_folder)] == [path.name, path.name.replace(".json", "-2.json")]


def test_where_nothing_can_be_saved_the_results_stay(run, own_folder, rare):
    (own_folder / "data").write_text("no folder", encoding="utf-8")
    result = run("simulate", "rare.rules", "-n", 40)
    assert result.exit_code == 1
    assert "decisions per game" in result.output
    assert "the game could not be saved: " in result.output
    failed = valid("simulate", run("simulate", "rare.rules", "-n", 40, "--format", "json").output)["failed"]
    assert {(one["save"], one["trace"]) for one in failed} == {(None, None)}


def test_no_game_comes_to_its_end(run, own_folder):
    shutil.copy(FAULTS, own_folder)
    result = run("simulate", "faults.rules", "-n", 30)
    assert "30 of 30 games ended in an error, so there are no figures\n" in result.output
    document = valid("simulate", run("simulate", "faults.rules", "-n", 30, "--format", "json").output)
    assert (document["games"], document["length"], document["seats"]) == (0, None, [])
    places = {one["place"] for one in document["failed"]}
    assert len([one for one in document["failed"] if one["save"]]) == len(places) == 5


@pytest.mark.parametrize(
    "winner", ["winner highest worth(me)", "winner highest steps", "teams by worth(me)\nwinner highest worth(me)"]
)
def test_no_game_comes_to_its_end_whoever_would_win(run, own_folder, rare, winner):
    """Each game fails at its first decision, with seats that can win alone, only together, or in teams."""
    text = rare.read_text().replace("0..9 = 0", "0..9 = 9").replace("steps >= 4", "steps < 9")
    text = text.replace("walk or stay or jump", "walk or jump").replace("winner highest steps", winner)
    rare.write_text(text + "\ndefine worth(p: Player): (1 if p is ann else 0)\n")
    result = run("simulate", "rare.rules", "-n", 3)
    assert result.exit_code == 1
    assert result.output.startswith("Rare: 3 games of 2 random bots\nseeds 0 to 2\n")
    assert "3 of 3 games ended in an error, so there are no figures\n" in result.output
    assert "decisions per game" not in result.output and "an even share" not in result.output
    result = run("simulate", "rare.rules", "-n", 3, "--format", "json")
    assert result.exit_code == 1
    document = valid("simulate", result.output)
    assert (document["games"], document["seats"], document["teams"], document["nobody"]) == (0, [], [], None)
    assert len(document["failed"]) == 3


def test_a_fault_during_setup(run, own_folder, rare):
    rare.write_text(rare.read_text().replace("== phases ==", "== setup ==\n\nadd 10 to steps\n\n== phases =="))
    result = run("simulate", "rare.rules", "-n", 3)
    assert result.exit_code == 1
    assert "  seed 0, during setup\n" in result.output
    (one, *_) = valid("simulate", run("simulate", "rare.rules", "-n", 3, "--format", "json").output)["failed"]
    assert (one["decision"], one["player"], one["move"], one["save"]) == (None, None, None, None)
    result = run("play", "rare.rules", "--seat", "all=random", "--seed", 3)
    assert result.exit_code == 1
    assert "(seed 3, during setup)" in result.output
    assert saves(own_folder) == []


def test_a_fault_at_the_end(run, own_folder, rare):
    text = rare.read_text().replace("= 0\n", "= 0\nnote best: Player or none = none\n", 1)
    text = text.replace("highest steps", "highest worth(best)") + "\ndefine worth(p: Player): (1 if p is ann else 0)\n"
    rare.write_text(text.replace("walk or stay or jump", "walk"))
    result = run("simulate", "rare.rules", "-n", 2)
    assert "  seed 0, at the end, after 4 decisions\n" in result.output
    (one, other) = valid("simulate", run("simulate", "rare.rules", "-n", 2, "--format", "json").output)["failed"]
    assert (one["decision"], one["player"], one["move"], other["save"]) == (None, None, None, None)
    assert resume(read_save(Path(one["save"]))).over


def test_games_without_end_are_cut_off(run, own_folder, rare, monkeypatch):
    monkeypatch.setattr("interpreter.analysis.playouts.MAX_DECISIONS", 50)
    monkeypatch.setattr("interpreter.analysis.failed_games.MAX_SAVED_DECISIONS", 20)
    rare.write_text(rare.read_text().replace("walk or stay or jump", "stay"))
    result = run("simulate", "rare.rules", "-n", 30)
    assert result.exit_code == 1
    assert "3 of 3 games ended in an error, so there are no figures\n" in result.output
    assert "the remaining 27 were not played" in result.output
    assert "its first 20 decisions: regelwerk trace" in result.output
    result = run("test", "rare.rules", "--coverage", "--playouts", 30, "--jobs", 1)
    assert "3 of 3 random games ended in an error" in result.output


def test_coverage_tells_which_game_failed(run, own_folder, rare):
    expected = failing(rare, range(40))
    for jobs in (1, 2):
        words = ("test", "rare.rules", "--coverage", "--playouts", 40, "--jobs", jobs)
        result = run(*words, "--format", "json")
        assert result.exit_code == 1
        failed = valid("test", result.output)["files"][0]["coverage"]["playouts"]["failed"]
        assert {one["seed"]: (one["decision"], one["player"], one["move"]) for one in failed} == expected
        assert failed[0]["players"] == ["ann", "ben"]
        assert resume(read_save(Path(failed[0]["save"]))).ply == failed[0]["decision"] - 1
    output = run(*words).output
    seed, (decision, player, move) = next(iter(expected.items()))
    assert f"{len(expected)} of 40 random games ended in an error\n {PLACE}: " in output
    assert f"  seed {seed}, 2 players, decision {decision}: {player} made the move {move}\n" in output


def test_ways_on_which_a_rule_fails(run, own_folder, rare):
    result = run("perft", "rare.rules", "--depth", 3)
    assert result.exit_code == 1
    assert "  seed 0, decision 3: ann made the move jump\n" in result.output
    document = valid("perft", run("perft", "rare.rules", "--depth", 3, "--format", "json").output)
    assert [(one["nodes"], one["over"], one["faults"]) for one in document["levels"]] == [
        (3, 1, 0), (6, 2, 0), (11, 3, 1),
    ]  # fmt: skip
    assert (document["failed"]["decision"], document["failed"]["move"], document["complete"]) == (3, "jump", True)
    state = resume(read_save(Path(document["failed"]["save"])))
    assert [made.notation for made in state.history] == ["walk", "walk"]


def test_pairs_of_games_that_fail(run, own_folder, rare):
    text = rare.read_text(encoding="utf-8")
    (own_folder / "other.rules").write_text(text.replace("steps: 0..9", "steps: 0..99"), encoding="utf-8")
    expected = failing(rare, range(40))
    result = run("diff", "rare.rules", "other.rules", "-n", 40, "--format", "json")
    assert result.exit_code == 1
    document = valid("diff", result.output)
    assert {one["seed"]: (one["decision"], one["player"], one["move"]) for one in document["failed"]} == expected
    assert {(one["side"], one["players"]) for one in document["failed"]} == {("a", 2)}
    output = run("diff", "rare.rules", "other.rules", "-n", 40).output
    assert f"0 of 40 pairs of random games diverge; {len(expected)} end in an error\n" in output
    assert "did not matter" not in output
    failed = valid("diff", run("diff", "rare.rules", "rare.rules", "-n", 40, "--format", "json").output)["failed"]
    assert {one["side"] for one in failed} == {"a", "b"}
    assert json.dumps(failed).count("rare-fault-seed") == 2  # the save and the command, once


# ---------------------------------------------------------------- labels that fail


WORDS = FAULTS.with_name("words.rules")
LABEL = '    "name {first(line).colour.worth + 1}"'
LABEL_PLACE = f"words.rules:{WORDS.read_text(encoding='utf-8').splitlines().index(LABEL) + 1}:"


@pytest.fixture
def wordless(own_folder):
    """A game in which the label of `name` fails until somebody makes another move."""
    return Path(shutil.copy(WORDS, own_folder))


def first_name(path: Path) -> int:
    """A seed with which random play names first."""
    return next(seed for seed in range(100) if random_move(load(path).start(seed)).name == "name")


def test_bots_meet_a_label_that_fails(run, own_folder, wordless):
    seed = first_name(wordless)
    result = run("play", "words.rules", "--seat", "all=random", "--seed", seed)
    assert result.exit_code == 1
    assert LABEL_PLACE in result.output and "there is no `first(line)`: `line` is empty" in result.output
    assert f"seed {seed}, decision 1 (ann): " in result.output
    (save,) = saves(own_folder)
    assert resume(read_save(save)).ply == 0
    assert run("play", "--resume", save).exit_code == 1
    assert run("trace", save).exit_code == 0


def test_a_person_meets_a_label_that_fails(run, own_folder, wordless):
    result = run("play", "words.rules", "--seat", "ann=human", "--seed", 1, typed=["1"])
    assert result.exit_code == 1
    assert "decision 1 (ann): " in result.output and LABEL_PLACE in result.output
    (save,) = saves(own_folder)
    assert resume(read_save(save)).ply == 0


def test_a_label_that_fails_does_not_concern_games_without_labels(run, own_folder, wordless):
    assert run("simulate", "words.rules", "-n", 20).exit_code == 0
    assert run("perft", "words.rules", "--depth", 2).exit_code == 0


def test_pairs_of_games_with_a_label_that_fails(run, own_folder, wordless):
    result = run("diff", "words.rules", "words.rules", "-n", 3, "--format", "json")
    assert result.exit_code == 1
    failed = valid("diff", result.output)["failed"]
    assert len(failed) == 6 and all(LABEL_PLACE in json.dumps(one) for one in failed)


def test_a_label_that_fails_in_answers(run, own_folder, wordless):
    run("play", "words.rules", "--seat", "ann=human", "--seed", 1, typed=["1"])
    (save,) = saves(own_folder)
    result = run("why", save, "lay(green)")
    assert LABEL_PLACE in result.output
