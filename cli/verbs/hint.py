"""`hint SAVE`: show the best moves at the pending decision, using only what the deciding seat knows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from typing import Annotated

import typer

from cli.arguments import Json, Language, RulesOfSave, wants_json
from cli.errors import INTERRUPTED, MisuseError, Stop
from cli.json_output import emit
from cli.progress import Stage, show_progress
from cli.render.echo import echo
from cli.render.hints import best_moves, has_scores, hint_parts
from cli.render.palette import palette
from cli.render.reviews import review_parts
from cli.render.screen import screen, show
from cli.save_paths import find_save
from cli.seat_access import opened_save
from dsl.text.files import JsonObject
from interpreter.opponents.budgets import Budget
from interpreter.opponents.hints import Adviser, hint_budget
from interpreter.opponents.mcts import Analysis, MoveAnalysis, analyse
from interpreter.opponents.review import REVIEW, Review, accuracies
from interpreter.play.game import State
from interpreter.wording.phrases import Phrase


def hint(
    save: Annotated[str, typer.Argument(metavar="SAVE", help="Name or path of a saved game.")],
    limit: Annotated[
        str, typer.Argument(metavar="LIMIT", help="The same as --budget: `1000`, `2s`.", show_default=False)
    ] = "",
    as_seat: Annotated[
        str | None, typer.Option("--as", metavar="SEAT", help="The seat that gets the hint, if several people play.")
    ] = None,
    budget: Annotated[
        str,
        typer.Option(
            "--budget",
            metavar="N|TIME",
            help="Number of iterations, such as 1000 (reproducible), or a time: 2s, 500ms.  [default: "
            "1s, with --review 60s for the whole game]",
            show_default=False,
        ),
    ] = "",
    reviewed: Annotated[
        bool, typer.Option("--review", help="Judge the decisions so far: accuracy, and what cost most.")
    ] = False,
    rules: RulesOfSave = "new",
    language: Language = None,
    form: Json = "text",
) -> None:
    """Show the best moves in a saved game, found by a search.

    For each: its share of the win with an interval of 95 %, the expected score, and the moves expected next. The search
    uses only what the deciding seat knows.
    """
    json = wants_json(form)
    if limit and budget:
        raise MisuseError(Phrase("give one limit: {limit} or --budget {budget}", limit=limit, budget=budget))
    searched = REVIEW if reviewed and not limit + budget else hint_budget(limit or budget)
    opened = opened_save(find_save(save), as_seat, False, "hint", language, can_open=False, english=json, rules=rules)
    state = opened.state
    if reviewed:
        as_seat = opened.access.as_seat
        _review(state, state.game.seats if as_seat is None else (as_seat,), searched, json)
        return
    seat = _asked_seat(state, opened.access.as_seat)
    adviser = Adviser(seat)
    analysis = analyse(adviser.situation(state), searched)
    if json:
        emit("hint", _document(state, analysis, adviser.agrees))
        return
    numbers = {move.notation: number for number, move in enumerate(state.legal_moves, start=1)}
    look = palette(state.game.seats, state.game.words)
    show(screen(), *hint_parts(analysis, state.legal_moves, numbers, look, has_scores(state), adviser.agrees))


def _asked_seat(state: State, as_seat: str | None) -> str:
    """The seat that decides, if it is the one that gets the hint. Raises MisuseError."""
    player, question = state.player, state.question
    if player is None or state.over:
        raise MisuseError(Phrase("the game is over: there is nothing to decide"))
    if as_seat is None or as_seat == player:
        return player
    is_secret = question is not None and question.secretly
    whose = "" if is_secret else Phrase("; it is {seat}'s decision", seat=player)
    raise MisuseError(Phrase("{seat} has nothing to decide now{whose}", seat=as_seat, whose=whose))


def _review(state: State, seats: Sequence[str], limit: Budget, json: bool) -> None:
    """Review the decisions of some seats; after Ctrl-C, show what has been found out so far."""
    review, is_interrupted, words = Review(state, seats, limit), False, state.game.words
    try:
        with show_progress(Stage(total=1)) as stage:
            for _ in review.run():
                stage.completed, stage.total = len(review.judged), review.total or 1
                stage.note = "" if review.is_coarse else words.phrase("judging doubtful decisions again")
                stage.expect(review.seconds_left)
    except KeyboardInterrupt:
        is_interrupted = True
    judged = [judgement for _, judgement in sorted(review.judged.items())]
    if json:
        decisions = [
            {"seat": judgement.seat, **asdict(judgement.reviewed)} for judgement in judged if judgement.reviewed
        ]
        seat_data = [asdict(accuracy) for accuracy in accuracies(judged)]
        emit("review", {"complete": not is_interrupted, "seats": seat_data, "decisions": decisions})
    else:
        show(screen(), *review_parts(judged, palette(state.game.seats, words)))
    if is_interrupted:
        echo(words.phrase("interrupted: the figures cover what was judged so far"), err=True)
        raise Stop(INTERRUPTED)


def _document(state: State, analysis: Analysis, agrees: bool) -> JsonObject:
    scored = has_scores(state)
    return {
        "seat": analysis.seat,
        "iterations": analysis.iterations,
        "agrees": agrees,
        "legal_moves": len(state.legal_moves),
        "moves": [_move(state, move, scored) for move in best_moves(analysis)],
    }


def _move(state: State, analysed: MoveAnalysis, scored: bool) -> JsonObject:
    move = state.legal_moves[analysed.move]
    return {
        "move": move.notation,
        "label": move.label,
        "visits": analysed.visits,
        "win_share": analysed.win_share,
        "low": analysed.low,
        "high": analysed.high,
        "certain": analysed.proven,
        "score": analysed.score if scored else None,
        "line": list(analysed.line),
    }
