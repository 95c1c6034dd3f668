"""Expected lines: the most frequent continuations in a search, in the words shown to the seat at the root."""

from __future__ import annotations

from interpreter.analysis.search_states import search_state
from interpreter.errors import PlayError
from interpreter.opponents.search import RootMove, Search
from interpreter.play.game import State

LONGEST = 8
"""Maximum length of a line, in decisions."""

FEWEST_VISITS = 2
"""Minimum number of visits of an expected move."""


def expected_line(search: Search, move: RootMove, state: State) -> tuple[str, ...]:
    """A move and its most frequent continuation, played out in a state that the seat considers possible.

    The line ends where its next move is not legal in this state, or where the seat would not learn of it.
    """
    game, descent = state.copy(), search.descent()
    number, node = move.number, move.node
    first = game.ply
    try:
        while True:
            descent.choose(search.offer(search_state(game, "python")), number, node)
            game.push(game.legal_moves[number])
            if game.over or game.ply - first == LONGEST:
                break
            offer = search.offer(search_state(game, "python"))
            children = descent.begin(offer).children
            tried = [(children[key].visits, -place) for place, key in enumerate(offer.own) if key in children]
            visits, place = max(tried, default=(0, 0))
            if visits < FEWEST_VISITS:
                break
            number = -place
            node = children[offer.own[number]]
        history = game.history[first:]
    except PlayError:
        return ()
    seat, name = search.seat, state.game.seats[search.seat]
    noticed = [record for record in history if not record.unnoticed or record.player == name]
    words = state.game.words
    return tuple(f"{words.name(record.player)}: {record.labels[seat]}" for record in noticed)
