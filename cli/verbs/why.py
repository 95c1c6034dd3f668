"""`why SAVE QUESTION`: explain why a move is legal or not, how a value is computed, which events changed a place."""

from __future__ import annotations

from typing import Annotated

import typer

from cli.arguments import Json, Language, RulesOfSave, wants_json
from cli.errors import MisuseError
from cli.json_output import emit
from cli.render.reasons import decider, reasons
from cli.render.screen import screen
from cli.save_paths import find_save
from cli.seat_access import opened_save, state_at
from dsl.text.files import JsonObject
from dsl.text.numbers import is_number, whole_number
from interpreter.play.game import State
from interpreter.play.trace.origins import why as ask
from interpreter.seat.explain.answer import Why
from interpreter.seat.explain.breakdown import Explanation
from interpreter.seat.explain.moves import is_move
from interpreter.wording.phrases import Phrase


def why(
    save: Annotated[str, typer.Argument(metavar="SAVE", help="Name or path of a saved game.")],
    question: Annotated[
        list[str],
        typer.Argument(
            metavar="QUESTION",
            help="A move as written or by its number; or a value, a place or a note: `points(red)`, `hand[red]`.",
        ),
    ],
    at: Annotated[
        int | None,
        typer.Option("--at", metavar="N", min=0, help="Ask about the game after N decisions (default: now)."),
    ] = None,
    as_seat: Annotated[
        str | None, typer.Option("--as", metavar="SEAT", help="Show only what this seat may see.")
    ] = None,
    everything: Annotated[
        bool, typer.Option("--all", help="Show everything before the game ends; recorded in every seat's log.")
    ] = False,
    more: Annotated[
        bool,
        typer.Option("--more", help="Show all requirements with their values and lines of the rules, and whole lists."),
    ] = False,
    rules: RulesOfSave = "new",
    language: Language = None,
    form: Json = "text",
) -> None:
    """Explain a move, a value or a place in a saved game.

    For a move: the reasons why it is not legal. For a value: the parts it was computed from. For a place or note: what
    changed it. Until the game ends, only what the person who plays it may know is shown.
    """
    json = wants_json(form)
    opened = opened_save(find_save(save), as_seat, everything, "why", language, english=json, rules=rules)
    state, access = state_at(opened.state, at), opened.access
    text = " ".join(question)
    if is_number(text):
        text = _numbered(state, whole_number(text))
    _own_decision(state, text, access.as_seat)
    answer = ask(state, text, access.as_seat)
    if json:
        emit("why", {"question": text, "ply": state.ply, "as": access.as_seat, **_document(answer)})
        return
    console = screen()
    words = state.program.words
    further = "" if more else words.phrase("{command} shows the rest", command="--more")
    for part in reasons(answer, decider(state.player, access.as_seat), further, words):
        console.print(part)


def _numbered(state: State, number: int | None) -> str:
    """The notation of the legal move with this number."""
    moves = state.legal_moves
    if number is None or not 1 <= number <= len(moves):
        several = Phrase("the legal moves are numbered 1 to {number}", number=len(moves))
        few = {0: Phrase("the game is over"), 1: Phrase("the only legal move is number 1")}
        raise MisuseError(few.get(len(moves), several))
    return moves[number - 1].notation


def _own_decision(state: State, text: str, as_seat: str | None) -> None:
    """Refuse questions about another seat's options before the end: these depend on what that seat holds."""
    if as_seat is None or state.over or state.player == as_seat:
        return
    if is_move(state.program, state.cells, text, state.seat_number(as_seat)):
        raise MisuseError(
            Phrase(
                "it is {player}'s decision; {seat} may ask about values, places and, with --at, its own decisions",
                player=state.player,
                seat=as_seat,
            )
        )


def _document(answer: Why) -> JsonObject:
    return {
        "legal": answer.legal,
        "headline": answer.headline,
        "signature": list(answer.signature),
        "reasons": [
            {
                "text": reason.text,
                "holds": reason.holds,
                "values": [{"name": name, "value": value} for name, value in reason.values],
                "place": reason.location,
                "cites": list(reason.cites),
            }
            for reason in answer.reasons
        ],
        "nearest": [{"move": move.notation, "label": move.label} for move in answer.nearest],
        "explained": None if answer.explained is None else _tree(answer.explained),
        "origins": [
            {
                "ply": origin.ply,
                "decision": origin.decision,
                "change": origin.change,
                "rule": origin.rule,
                "place": origin.location,
                "cites": list(origin.cites),
            }
            for origin in answer.origins
        ],
    }


def _tree(explained: Explanation) -> JsonObject:
    return {
        "text": explained.text,
        "value": explained.value,
        "case": explained.case,
        "place": explained.location,
        "cites": list(explained.cites),
        "parts": [_tree(child) for child in explained.children],
    }
