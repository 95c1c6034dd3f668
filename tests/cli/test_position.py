"""`position SAVE`, and games that begin in such a text."""

import pytest

from tests.cli.conftest import valid


@pytest.fixture
def saved(run, own_folder):
    """A game of hearts that a person has left in the middle."""
    path = own_folder / "evening.json"
    run("play", "hearts", "--seed", 4, "--save", path, typed=["1", "1", "1", "quit"])
    return path


def test_what_the_person_knows_until_the_game_is_over(run, saved):
    result = run("position", saved)
    assert result.exit_code == 0
    first, *lines = result.output.splitlines()
    assert first.startswith("# hearts, after ") and first.endswith(", as north knows it")
    assert any(line.startswith("# hand[east]: ") for line in lines)
    assert not any(line.startswith("and hand[east] is") for line in lines)
    assert run("position", saved, "--as", "east").exit_code == 2  # whom a bot plays
    assert (
        "not seen" in run("position", saved, "--all").output or "and hand[east] is [" in run("position", saved).output
    )


def test_a_position_of_a_finished_game_is_an_example(run, save, own_folder):
    result = run("position", save, "--at", "2")
    assert result.exit_code == 0
    document = valid("position", run("position", save, "--at", "2", "--format", "json").output)
    assert document["ply"] == 2 and document["as"] is None
    assert document["text"].splitlines() == result.output.splitlines()[1:]
