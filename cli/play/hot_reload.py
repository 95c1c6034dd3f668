"""A running game under rules that were just written anew: checked, and played again so far."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from dsl.text.nouns import counted
from interpreter.errors import PlayError, RulesError, UsageError
from interpreter.game import seat_game
from interpreter.loading.rules import load_rules
from interpreter.saves.files import Note
from interpreter.saves.replay import Divergence, replay

if TYPE_CHECKING:
    from cli.play.table import PlaySession
    from dsl.diagnostics import Diagnostic
    from interpreter import State


@dataclass(frozen=True)
class Reread:
    """What came of it: the game under the new rules as far as its decisions carry, or what is wrong with the rules."""

    state: State | None
    divergence: Divergence | None = None
    findings: tuple[Diagnostic, ...] = ()
    wrong: str = ""


def reread(sitting: PlaySession) -> Reread:
    """Read the rules again and play all decisions so far under them."""
    state = sitting.state
    rules = state.game.rules
    try:
        game = seat_game(
            load_rules(rules.path, board=rules.board, variants=rules.variants), state.game.seats, state.game.options
        )
        moves = [(made.player, made.notation) for made in state.history]
        again, divergence = replay(game, moves, state.seed)
    except RulesError as fault:
        return Reread(None, findings=fault.diagnostics)
    except (UsageError, PlayError) as fault:
        return Reread(None, wrong=str(fault))
    return Reread(again, divergence)


def go_on_with(sitting: PlaySession, state: State) -> None:
    """Go on with a game as it stands under the new rules."""
    lost = sitting.state.ply - state.ply
    words = "the rules were changed; all decisions so far are legal under them"
    if lost:
        words = f"the rules were changed; {counted(lost, 'decision')} no longer legal left out"
    sitting.go_back_to(state)
    sitting.note(Note(state.ply, "rules", None, words))
