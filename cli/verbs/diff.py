"""`diff A B`: show what changes from one set of rules to another, and where play first diverges."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Annotated

import typer

from cli.arguments import MAX_GAMES, OTHER_SIDE, SIDE, Json, Options, no_more_than, pairs, side_of, wants_json
from cli.errors import DONE, WRONG, MisuseError, Stop
from cli.failed_games import FailedGame, Failure, as_data, in_words, saved_faults
from cli.json_output import emit
from cli.progress import with_progress
from cli.render.diff import report
from dsl.text.files import JsonObject
from dsl.text.nouns import counted, counted_choice
from dsl.variants.comparison import RuleDifference, differences, written
from interpreter.analysis.divergence import FailedSide, PlayedPairs, compare_playouts
from interpreter.loading.rules import Rules, load_rules
from interpreter.play.game import State, seat_game


def diff(
    side_a: Annotated[str, typer.Argument(metavar="A", help=SIDE)],
    side_b: Annotated[str, typer.Argument(metavar="B", help=OTHER_SIDE)],
    players: Annotated[
        int | None,
        typer.Option("--players", metavar="N", help="Number of players (default: every number both games allow)."),
    ] = None,
    games: Annotated[int, typer.Option("--games", "-n", metavar="N", help="Number of pairs of games.")] = 100,
    seed: Annotated[
        int, typer.Option("--seed", metavar="S", help="Seed of the first pair; the others count up from it.")
    ] = 0,
    option: Options = None,
    form: Json = "text",
) -> None:
    """Show, rule by rule, how B differs from A, and where play diverges.

    Both are played side by side, with the same chance and the same random decisions, until the legal moves, the
    deciding seat, the scores or the outcome differ; the first such position is shown. Games that end in an error are
    reported and saved; exit code 1 if there is one.
    """
    json = wants_json(form)
    if games < 0:
        raise MisuseError("--games must be at least 0")
    no_more_than(MAX_GAMES, "--games", games)
    first = _rules(side_a, None)
    second = _rules(side_b, first.path)
    changes = differences(first.model.as_written, second.model.as_written)
    options = pairs(option, "--option", "NAME=VALUE")
    counts = _counts(first, second, players)
    played = list(_play(first, second, counts, options, games, seed))
    faults = _faults(played)
    code = WRONG if faults else DONE
    if json:
        sides = {"from": _side(first), "to": _side(second)}
        rules = [_rule(difference) for difference in changes]
        emit("diff", {**sides, "rules": rules, **_plays(played), "failed": as_data(faults)})
        raise Stop(code)
    report(_words(first), _words(second), changes, played, in_words(faults))
    raise Stop(code)


def _faults(played: Sequence[PlayedPairs]) -> list[Failure]:
    """Group and save the errors that either side of a pair ended in."""
    return saved_faults(
        FailedGame(
            broken.failed,
            partial(_state_of, broken),
            f"{counted(played_pairs.players, 'player')}, rules of {broken.side.upper()}",
            {"side": broken.side, "players": played_pairs.players},
        )
        for played_pairs in played
        for pair in played_pairs.pairs
        for broken in pair.failures
    )


def _state_of(broken: FailedSide) -> State | None:
    return broken.state


def _rules(text: str, base: Path | None) -> Rules:
    """Load the rules a side names. Raises RulesError, UnknownGameError, VariantError."""
    path, variants = side_of(text, base)
    return load_rules(path, variants=variants)


def _counts(first: Rules, second: Rules, requested: int | None) -> list[int]:
    """The numbers of players to play with."""
    headers = first.model.file.header, second.model.file.header
    common_counts = [count for count in headers[0].counts if count in headers[1].counts]
    if requested is None:
        return common_counts
    if requested not in common_counts:
        reason = "no number of players fits both games"
        if common_counts:
            reason = f"both games are for {counted_choice(common_counts, 'player')}"
        raise MisuseError(f"--players {requested}: {reason}")
    return [requested]


def _play(
    first: Rules, second: Rules, counts: list[int], options: dict[str, str], games: int, seed: int
) -> Iterator[PlayedPairs]:
    for index, count in enumerate(counts):
        number = games // len(counts) + (index < games % len(counts))
        game_a, game_b = seat_game(first, count, options), seat_game(second, count, options)
        yield PlayedPairs(count, list(with_progress(compare_playouts(game_a, game_b, number, seed), number)))


# ---- as data


def _words(rules: Rules) -> str:
    """Describe a side: the game with its variants."""
    names = [path.name.removesuffix(".rules") for path in rules.variants]
    return f"{rules.name} with {' and '.join(names)}" if names else rules.name


def _side(rules: Rules) -> JsonObject:
    return {"game": rules.name, "variants": [path.name.removesuffix(".rules") for path in rules.variants]}


def _rule(difference: RuleDifference) -> JsonObject:
    return {
        "change": difference.change,
        "what": difference.what,
        "said": [{"sign": sign, "text": written(node), "place": node.span.location} for sign, node in difference.said],
    }


def _plays(played: list[PlayedPairs]) -> JsonObject:
    return {
        "plays": [
            {
                "players": played_pairs.players,
                "pairs": len(played_pairs.pairs),
                "parted": [
                    {
                        "seed": pair.seed,
                        "decisions": pair.decisions,
                        "differs": divergence.differs,
                        "moves": [decision.notation for decision in divergence.state_a.history],
                        "only_a": [move.notation for move in divergence.only_a],
                        "only_b": [move.notation for move in divergence.only_b],
                    }
                    for pair, divergence in played_pairs.divergences
                ],
            }
            for played_pairs in played
        ]
    }
