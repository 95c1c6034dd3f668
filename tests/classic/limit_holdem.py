"""Matches of fixed-limit hold'em played by PokerKit, to play ours in step with them.

PokerKit plays single hands. `Match` plays one after the other: chips are carried over, and the button moves on to the
next seat that has some. `limit_state` adapts two rules:

- In PokerKit those who have acted may raise again only after a full raise, as in games without a limit. With fixed
  limits half a bet is enough, and an all-in of less does not count as a bet. Before the flop the blind counts as one.
- PokerKit takes beaten hands out of the pots before it counts the pots, so two pots of the same winners share their odd
  chip. Here each pot has its own.

One rule is not compared: the others have to match the whole of a big blind that a seat cannot pay in full; in PokerKit
only what was paid. A match goes no further then.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

RANKS = dict(
    zip(
        ("two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "jack", "queen", "king", "ace"),
        "23456789TJQKA",
        strict=True,
    )
)


def card(name: str) -> str:
    """A card as PokerKit calls it: `Th` for the ten of hearts."""
    rank, suit = name.split()
    return RANKS[rank] + suit[0]


@dataclass(frozen=True)
class Stakes:
    """What a match is played for."""

    hands: int
    stack: int
    small_bet: int
    bets_a_round: int

    @property
    def blinds(self) -> tuple[int, int]:
        """The small one and the big one."""
        return self.small_bet // 2, self.small_bet


def limit_state(pokerkit: Any, stakes: Stakes, stacks: Sequence[int]) -> Any:
    """A hand of PokerKit; the first of `stacks` is that of the seat left of the button."""

    class LimitState(pokerkit.State):
        @property
        def reopening_refused(self) -> bool:
            """Whether the actor has acted before and now faces less than half a bet."""
            bet, facing = self.street.min_completion_betting_or_raising_amount, self.checking_or_calling_amount
            return self.actor_index in self.answered and 2 * facing < bet

        def _verify_completion_betting_or_raising(self) -> None:
            if self.actor_indices and self.reopening_refused:
                raise ValueError("less than half a bet")
            kept = self.completion_betting_or_raising_amount, self.consecutive_short_all_in_amounts
            self.completion_betting_or_raising_amount, self.consecutive_short_all_in_amounts = 0, []
            try:
                super()._verify_completion_betting_or_raising()
            finally:
                self.completion_betting_or_raising_amount, self.consecutive_short_all_in_amounts = kept

        def _begin_betting(self) -> None:
            self.answered: set[int] = set()
            super()._begin_betting()

        def _pop_actor_index(self) -> int:
            actor = super()._pop_actor_index()
            self.answered.add(actor)
            return int(actor)

        def complete_bet_or_raise_to(self, amount: int | None = None, **rest: Any) -> Any:
            before, bet = max(self.bets), self.street.min_completion_betting_or_raising_amount
            operation = super().complete_bet_or_raise_to(amount, **rest)
            self.answered.add(operation.player_index)
            if 2 * (operation.amount - before) < bet:
                self.completion_betting_or_raising_count -= 1
            return operation

        def _begin_showdown(self) -> None:
            if self.kept is None:
                self.kept = list(super().pots)
            super()._begin_showdown()

        @property
        def pots(self) -> Iterator[Any]:
            if self.kept is None:
                yield from super().pots
                return
            for pot in self.kept:
                yield replace(pot, player_indices=tuple(i for i in pot.player_indices if self.statuses[i]))

    LimitState.kept = None
    automatic = [each for each in pokerkit.Automation if "DEALING" not in each.name and "BURN" not in each.name]
    usual = pokerkit.FixedLimitTexasHoldem(
        tuple(automatic), True, 0, stakes.blinds, stakes.small_bet, 2 * stakes.small_bet
    )
    return LimitState(
        usual.automations,
        usual.deck,
        usual.hand_types,
        tuple(
            replace(street, max_completion_betting_or_raising_count=stakes.bets_a_round - (number == 0))
            for number, street in enumerate(usual.streets)
        ),
        usual.betting_structure,
        True,
        0,
        stakes.blinds,
        0,
        tuple(stacks),
        len(stacks),
    )


class Match:
    """Hands of PokerKit one after the other. `packs` are the shuffled packs of our side that are not yet dealt.

    `seen` counts what has happened that random games might miss.
    """

    def __init__(self, pokerkit: Any, seats: Sequence[str], stakes: Stakes, button: str) -> None:
        self.pokerkit, self.seats, self.stakes = pokerkit, list(seats), stakes
        self.chips = dict.fromkeys(seats, stakes.stack)
        self.button = self.seats[self.seats.index(button) - 1]
        self.packs: deque[list[str]] = deque()
        self.seen: Counter[str] = Counter()
        self.order: list[str] = []
        self.hand: Any = None
        self.last: Any = None

    def settle(self) -> None:
        """Deal and go on until somebody has a choice, or the match is over or goes no further."""
        while not self.over and not self.short_blind:
            if self.hand is None:
                self._begin()
            elif not self.hand.status:
                self._end()
            elif self.hand.actor_index is None:
                self._deal()
            elif self.hand.can_fold() or self.hand.can_complete_bet_or_raise_to():
                return
            else:
                self.hand.check_or_call()

    @property
    def over(self) -> bool:
        """Whether the last hand has been played, or one seat has all chips."""
        alone = len(self._after(self.button)) == 1
        return self.hand is None and (alone or self.seen["hand"] == self.stakes.hands)

    @property
    def short_blind(self) -> bool:
        """Whether the next hand begins with a big blind of less than all of it."""
        if self.hand is not None:
            return False
        order = self._after(self._after(self.button)[0])
        return self.chips[order[1 if len(order) > 2 else 0]] < self.stakes.small_bet

    def _after(self, seat: str) -> list[str]:
        """The seats that have chips, from the one to the left."""
        place = self.seats.index(seat) + 1
        return [other for other in self.seats[place:] + self.seats[:place] if self.chips[other]]

    def _begin(self) -> None:
        self.button = self._after(self.button)[0]
        self.order = self._after(self.button)
        self.pack = self.packs.popleft()
        self.hand = limit_state(self.pokerkit, self.stakes, [self.chips[seat] for seat in self.order])
        number = len(self.order)
        for place in range(number):
            self.hand.deal_hole(card(self.pack[place]) + card(self.pack[place + number]))
        del self.pack[: 2 * number]

    def _deal(self) -> None:
        self.hand.burn_card(card(self.pack.pop(0)))
        number = self.hand.board_dealing_count
        self.hand.deal_board("".join(card(self.pack.pop(0)) for _ in range(number)))

    def _end(self) -> None:
        self.chips |= zip(self.order, self.hand.stacks, strict=True)
        self.hand, self.last = None, self.hand
        self.seen["hand"] += 1
        pots = [pot for pot in self.last.kept or () if len(pot.player_indices) > 1]
        self.seen["side pot"] += len(pots) > 1
        for pushed in self.last.operations:
            if isinstance(pushed, self.pokerkit.ChipsPushing):
                amounts = [amount for amount in pushed.amounts if amount]
                self.seen["split pot"] += len(amounts) > 1
                self.seen["odd chip"] += len(set(amounts)) > 1

    @property
    def player(self) -> str:
        """Who decides."""
        return self.order[self.hand.actor_index]

    def moves(self) -> dict[str, str]:
        """The moves of the pending decision, as we call them, with our labels."""
        hand = self.hand
        owed = hand.checking_or_calling_amount
        found = {"call": f"call {owed}"} if owed else {"check": "check"}
        if hand.can_fold():
            found["fold"] = "fold"
        if hand.can_complete_bet_or_raise_to():
            amount = hand.min_completion_betting_or_raising_to_amount
            found |= {"raise": f"raise to {amount}"} if max(hand.bets) else {"bet": f"bet {amount}"}
        elif owed and hand.reopening_refused:
            self.seen["not reopened"] += 1
        return found

    def make(self, move: str) -> None:
        """Make one of the moves."""
        match move:
            case "fold":
                self.hand.fold()
            case "check" | "call":
                self.hand.check_or_call()
            case _:
                self.hand.complete_bet_or_raise_to()

    def in_play(self) -> dict[str, tuple[int, int]]:
        """The chips of each seat, and its bet of this round."""
        found = {seat: (chips, 0) for seat, chips in self.chips.items()}
        if self.hand is not None:
            found |= zip(self.order, zip(self.hand.stacks, self.hand.bets, strict=True), strict=True)
        return found

    def shown(self) -> set[str] | None:
        """Who has shown a hand at the end of the last one; none if somebody was all-in: all are shown there then."""
        if self.last.all_in_status:
            return None
        operations = [op for op in self.last.operations if isinstance(op, self.pokerkit.HoleCardsShowingOrMucking)]
        return {self.order[op.player_index] for op in operations if op.hole_cards}
