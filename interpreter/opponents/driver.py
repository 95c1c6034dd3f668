"""The connection between a game and the bot of a seat.

A driver turns the state into what the seat may know, and the bot's choice into a move of the state.
"""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Callable
from functools import cached_property, lru_cache
from operator import index

from dsl.lazy_dataclasses import dataclass
from dsl.text.visible import brief
from interpreter.analysis.random_choices import random_move
from interpreter.errors import BotError
from interpreter.opponents.own_bots import BotCodeError, bot_text, called
from interpreter.opponents.seat_observer import SeatObserver, decisions_known, seed_from
from interpreter.opponents.situation import Bot, Considered, Situation, unheard
from interpreter.opponents.specs import KINDS, WITHOUT_STATES, BotSpec, bot_of
from interpreter.play.game import State
from interpreter.seat.notation.moves import Move
from interpreter.wording.phrases import Phrase

STRETCHED = 100_000
"""Number of hashing rounds by which bots' seeds are derived from the seed of a game, so that trying a million seeds
against its own seed takes a bot hours. That does not hide a small seed: the pieces a seat sees give it away without
hashing, at a million seeds a second. Only a seed that nobody can guess keeps chance secret from bots, such as the one
that `drawn_seed` draws for a game without `--seed`.
"""


@dataclass(frozen=True, slots=True)
class Chooser:
    """A bot asked for a move; separate from the driver, so that the bot holds no reference to the real state."""

    bot: Bot
    name: str

    def choose(self, situation: Situation) -> int:
        """Let the bot choose, in any thread; the number of a legal move. Raises BotError if it fails."""
        try:
            chosen = called(self.bot.choose, situation)
        except BotCodeError as fault:
            message = Phrase("{bot} failed: {reason}", bot=self.name, reason=str(fault))
            raise BotError(message) from fault.__cause__
        count = len(situation.legal_moves)
        try:
            number = called(index, chosen)
        except BotCodeError:  # a value of a wrong type
            number = -1
        if not 0 <= number < count or type(chosen) is bool:
            raise BotError(
                Phrase(
                    "{bot} chose {choice}, which is not a move: there is {number} legal move, numbered from 0",
                    plural="{bot} chose {choice}, which is not a move: there are {number} legal moves, numbered from 0",
                    number=count, bot=self.name, choice=bot_text(chosen, repr),
                )
            )  # fmt: skip
        return number


@lru_cache(maxsize=64)
def _stretched(seed: str) -> bytes:
    """The hash of a seed that the bots of a game share: PBKDF2 with SHA-256."""
    if hasattr(hashlib, "pbkdf2_hmac"):
        return hashlib.pbkdf2_hmac("sha256", seed.encode(), b"bots", STRETCHED)
    # A Python without OpenSSL, as in a browser, leaves this function out.
    keyed = hmac.new(seed.encode(), digestmod="sha256")
    block, total = b"bots\0\0\0\1", 0
    for _ in range(STRETCHED):
        hashed = keyed.copy()
        hashed.update(block)
        block = hashed.digest()
        total ^= int.from_bytes(block, "big")
    return total.to_bytes(len(block), "big")


class Driver:
    """The bot of one seat, for a whole session. Raises BotError if it cannot be created.

    `moves_at_a_loss` counts the moves that `play` has made without a state: see `is_at_a_loss`.
    """

    def __init__(self, spec: BotSpec, seat: str) -> None:
        self.spec, self.seat = spec, seat
        self.moves_at_a_loss = 0
        self._secret = b""
        self._observer = SeatObserver(seat)
        if spec.name not in KINDS:
            assert self.chooser is not None  # made now, as it may fail

    @cached_property
    def chooser(self) -> Chooser | None:
        """The bot; None for random moves.

        It is made when it is first asked: importing searches takes as long as the rest of what precedes the first
        prompt of a small game.
        """
        bot = bot_of(self.spec)
        name = Phrase("the bot `{bot}` of {seat}", bot=brief(self.spec.text), seat=self.seat)
        return None if bot is None else Chooser(bot, name)

    @property
    def is_quick(self) -> bool:
        """True if the bot takes no time: it moves at random."""
        return self.spec.is_random

    @property
    def draws_states(self) -> bool:
        """True if the bot may draw states, so that it pays to prepare for its decisions."""
        return self.spec.name not in WITHOUT_STATES

    def play(self, state: State, stop: Callable[[], bool] = lambda: False) -> Move:
        """The move that the bot chooses. Raises BotError if it fails."""
        if self.chooser is None:
            return random_move(state)
        number = self.chooser.choose(self.situation(state, stop))
        self.moves_at_a_loss += self.is_at_a_loss
        return state.legal_moves[number]

    def situation(
        self, state: State, stop: Callable[[], bool], report: Callable[[Considered], None] = unheard
    ) -> Situation:
        """The situation that the bot gets for the pending decision of its seat."""
        return self._observer.situation(state, self._sampler_seed(state), self._seed(state), stop, report)

    @property
    def is_at_a_loss(self) -> bool:
        """True if the bot has found no state that agrees with what its seat has observed, in its latest decision.

        The bots that come with Regelwerk then move at random.
        """
        return self._observer.is_at_a_loss

    def prepare(self, state: State, too_late: Callable[[], bool]) -> None:
        """Prepare for the bot's next decision from the game so far, until it is too late.

        This makes the decision faster and does not change it. The game is a copy that nobody changes meanwhile.
        """
        self._observer.prepare(state, self._sampler_seed(state), too_late)

    def _sampler_seed(self, state: State) -> int:
        return seed_from(self._hidden_seed(state), self.seat.encode())

    def _hidden_seed(self, state: State) -> bytes:
        """The bytes from which the bot's seeds are derived."""
        self._secret = self._secret or _stretched(str(state.seed))
        return self._secret

    def _seed(self, state: State) -> int:
        """The seed for a decision: the same after an undo or a resume, whatever others have decided in secret."""
        known = decisions_known(state, self.seat)
        return seed_from(self._hidden_seed(state), f"{self.seat} {known}".encode())
