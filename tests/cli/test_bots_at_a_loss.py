"""Runs in which bots find no state to search, and move at random: the reports of all games count these moves."""

from __future__ import annotations

import json

import pytest

from interpreter.errors import SamplingError
from interpreter.opponents.knowledge.sampling import Sampler
from tests.cli.conftest import valid

ONE_PROCESS = ("--jobs", 1)
GREEDY = ("kuhn_poker", "--bots", "greedy", "-n", 4, *ONE_PROCESS)
REASON = "no state was found in time that agrees with what the bot's seat had observed"


@pytest.fixture
def at_a_loss(monkeypatch):
    def none(self, count, *_, **__):
        raise SamplingError("no state was found")

    monkeypatch.setattr(Sampler, "states", none)


def said(result):
    return " ".join(result.output.split())


def test_simulate_counts_them(run, at_a_loss, own_folder):
    document = valid("simulate", run("simulate", *GREEDY, "--format", "json").output)
    assert document["at_a_loss"] >= 2 * document["games"], "every seat decides at least once in each game"
    page = own_folder / "report.html"
    output = said(run("simulate", *GREEDY, "--html", page, "--into", "run.jsonl"))
    told = f"{document['at_a_loss']} moves were made at random: {REASON}"
    assert told in output and told.replace("'", "&#x27;") in page.read_text()
    kept = valid("simulate", run("simulate", *GREEDY, "--into", "run.jsonl", "--format", "json").output)
    assert kept == document


def test_arenas_count_them(run, at_a_loss):
    arena = ("arena", "kuhn_poker", "random", "greedy", "-n", 4, *ONE_PROCESS)
    document = valid("arena", run(*arena, "--format", "json").output)
    assert document["at_a_loss"] >= 4
    assert f"{document['at_a_loss']} moves were made at random: {REASON}" in said(run(*arena))


def test_comparisons_count_them(run, at_a_loss):
    compare = ("compare", "kuhn_poker", "kuhn_poker", "--bots", "greedy", "-n", 4, *ONE_PROCESS)
    document = valid("compare", run(*compare, "--format", "json").output)
    assert document["a"]["at_a_loss"] == document["b"]["at_a_loss"] >= 8
    assert f"{2 * document['a']['at_a_loss']} moves were made at random: {REASON}" in said(run(*compare))


def test_sweeps_count_them(run, at_a_loss):
    sweep = ("sweep", "go_fish", "--players", "2..3", "--bots", "greedy", "-n", 1, *ONE_PROCESS)
    document = valid("sweep", run(*sweep, "--format", "json").output)
    numbers = [setting["at_a_loss"] for setting in document["settings"]]
    assert len(numbers) == 2 and min(numbers) > 0
    assert f"{sum(numbers)} moves were made at random: {REASON}" in said(run(*sweep))


@pytest.mark.parametrize("bot", ["random", "greedy"])
def test_nothing_is_said_where_bots_know_what_they_do(run, bot):
    result = run("simulate", "kuhn_poker", "--bots", bot, "-n", 2, *ONE_PROCESS, "--format", "json")
    assert "at_a_loss" not in json.loads(result.output)
    assert "at random:" not in run("simulate", "kuhn_poker", "--bots", bot, "-n", 2, *ONE_PROCESS).output
