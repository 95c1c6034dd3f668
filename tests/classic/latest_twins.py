"""Games with an auction, and games of which some is hidden on a board, beside those of OpenSpiel."""

from __future__ import annotations

import re
from collections.abc import Sequence

from interpreter.play.game import State
from interpreter.runtime.chance import ChanceEvent
from tests.classic.more_twins import _card, _dealt_in_turn, _number, _told
from tests.classic.twin import Pack, Spiel, Twin

STRAINS = ["club", "diamond", "heart", "spade", "no_trump"]


def _bridge_action(spiel: Spiel, action: int) -> str:
    """Cards come first there, then pass and doubles, then bids; the declarer plays the dummy's cards in both."""
    if action >= 55:
        level, strain = divmod(action - 55, 5)
        return f"bid({level + 1},{STRAINS[strain]})"
    if action >= 52:
        return ["pass", "double", "redouble"][action - 52]
    rank, suit = divmod(action, 4)
    owner = spiel.full_history()[:52]
    dealt_to = next(place for place, step in enumerate(owner) if step.action == action) % 4
    return f"{'play' if dealt_to == spiel.current_player() else 'play_from_dummy'}({_card(rank, suit)})"


def _bridge(number: int) -> Twin:
    """The board of this number, played to the end."""
    dealer, cycle = (number - 1) % 4, (number - 1 + (number - 1) // 4) % 4
    sides = [cycle in (1, 3), cycle in (2, 3)]
    mine, others = sides[dealer % 2], sides[1 - dealer % 2]

    def gain(state: State, spiel: Spiel) -> Sequence[float]:
        """What a side scores the other one loses there."""
        north_south, east_west = (float(str(state.evaluate(f"score[{side}]"))) for side in ("north_south", "east_west"))
        return [north_south - east_west, east_west - north_south] * 2

    return Twin(
        "bridge",
        f"bridge(use_double_dummy_result=false,dealer={dealer},dealer_vul={mine},non_dealer_vul={others})".lower(),
        _bridge_action,
        options={"deals": 1, "first_board": number},
        players=4,
        returns=gain,
        feed=_dealt_in_turn(_number(), 4, 13, (3 - dealer) % 4),
        hidden="mover" if number == 6 else "",
    )


LETTERS_OF_BANQI = {"general": 0, "advisor": 1, "elephant": 2, "chariot": 3, "horse": 4, "cannon": 5, "soldier": 6}


def _banqi_action(spiel: Spiel, action: int) -> str:
    """Rows are counted from the top there."""
    numbers = [int(digit) for digit in re.findall(r"\d", _told(spiel, action))]
    cells = [f"{'abcdefgh'[column]}{4 - row}" for row, column in zip(numbers[::2], numbers[1::2], strict=True)]
    return f"go({','.join(cells)})" if len(cells) == 2 else f"turn_up({cells[0]})"


def _banqi_draw(event: ChanceEvent, result: int) -> Pack:
    """The man that is turned up, then all others that are face down, by their numbers there."""
    words = [face.split() for face in event.faces]
    numbers = [LETTERS_OF_BANQI[rank] + 7 * (colour == "black") for colour, rank in words]
    drawn = numbers.pop(result)
    return Pack([drawn, *numbers], 1)


LATEST_TWINS = [
    *(_bridge(number) for number in (1, 6, 11, 16)),
    Twin("banqi", "banqi", _banqi_action, options={"start": "ann"}, feed=_banqi_draw),
]
