"""`hint SAVE`: show the best moves at the pending decision, using only what the deciding seat knows."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from typing import Annotated

import typer

from cli.arguments import Json, Language, wants_json
from cli.errors import MisuseError
from cli.json_output import emit
from cli.play.seats import people
from cli.progress import with_progress
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
from interpreter.opponents.review import REVIEW, decisions_of, review
from interpreter.play.game import State
from interpreter.wording.phrases import Phrase, alternatives


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
            "1s, with --review 400]",
            show_default=False,
        ),
    ] = "",
    reviewed: Annotated[
        bool, typer.Option("--review", help="Show the seat's costliest decisions so far instead.")
    ] = False,
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
    opened = opened_save(find_save(save), as_seat, False, "hint", language, can_open=False, english=json)
    state = opened.state
    if reviewed:
        _review(state, opened.access.as_seat or _only_person(opened.meta.seats), searched, json)
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


def _only_person(kinds: Mapping[str, str]) -> str:
    """The seat whose decisions are reviewed if none is named. Raises MisuseError."""
    persons = people(kinds)
    if len(persons) != 1:
        flags = alternatives([f"--as {seat}" for seat in persons or kinds])
        raise MisuseError(Phrase("choose whose decisions: {flags}", flags=flags))
    return persons[0]


def _review(state: State, seat: str, limit: Budget, json: bool) -> None:
    reviewed = list(with_progress(review(state, seat, limit), len(decisions_of(state, (seat,)))))
    if json:
        emit("review", {"seat": seat, "decisions": [asdict(decision) for decision in reviewed]})
        return
    show(screen(), *review_parts(seat, reviewed, palette(state.game.seats, state.game.words)))


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
