"""Hot reload: checking changed rules and replaying a running game under them, up to the current decision."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dsl.lazy_dataclasses import dataclass
from dsl.text.span import Source
from interpreter.errors import PlayError, PositionError, RulesError, UsageError
from interpreter.loading.rules import load_rules
from interpreter.play.game import seat_game
from interpreter.play.saves.files import Note
from interpreter.play.saves.replay import Divergence, divergence_told, replay
from interpreter.play.scenes.starting import game_at
from interpreter.play.story import rules_changed
from interpreter.play.trace.failed_decision import told_to
from interpreter.wording.words import OWN

if TYPE_CHECKING:
    from cli.play.table import PlaySession
    from dsl.diagnostics import Diagnostic
    from interpreter.play.game import State


@dataclass(frozen=True)
class Reload:
    """Result of a reload: the game under the new rules, up to its first illegal decision; or the errors found."""

    state: State | None
    divergence: Divergence | None = None
    diagnostics: tuple[Diagnostic, ...] = ()
    error: str = ""


def reload(session: PlaySession) -> Reload:
    """Reload the rules and replay all decisions so far under them."""
    state = session.state
    rules = state.game.rules
    try:
        game = seat_game(
            load_rules(rules.path, board=rules.board, variants=rules.variants, language=state.game.words.language),
            state.game.seats, state.game.options,
        ).in_words(state.game.language or OWN)  # fmt: skip
        if state.game.given is not None:
            try:
                game = game_at(game, Source("the position", state.game.given.text))
            except (RulesError, PositionError) as fault:
                raise told_to(session.hidden_from, fault, is_open=game.is_open) from None
        moves = [(decision.player, decision.notation) for decision in state.history]
        replayed, divergence = replay(game, moves, state.seed)
    except RulesError as fault:
        return Reload(None, diagnostics=fault.diagnostics)
    except PlayError as fault:
        return Reload(None, error=state.program.words.fault(session.told(fault)))
    except UsageError as fault:
        return Reload(None, error=state.program.words.fault(fault))
    if divergence is not None and session.hidden_from is not None and not state.game.is_open:
        divergence = divergence_told(divergence, replayed, session.people)
    return Reload(replayed, divergence)


def continue_with(session: PlaySession, state: State) -> None:
    """Continue with the game as replayed under the new rules, and note the change."""
    lost = session.state.ply - state.ply
    session.go_back_to(state)
    session.note(Note(state.ply, "rules", None, rules_changed(lost)))
