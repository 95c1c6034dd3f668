"""What the end of a game is worth to each seat, and how far such values spread: see `opponents/evaluation.py`."""

from __future__ import annotations

from interpreter.compiler.machine.routines.language import Array, Game, Number
from interpreter.compiler.machine.routines.search_records import (
    COOPERATIVE,
    CRITERIA,
    DEVIATION,
    GAMES,
    HALF,
    MEAN,
    MEAN_BITS,
    ONE,
    PAYMENTS,
    PLACE,
    SCORE_PLACE,
    SCORED,
    SEAT,
    SEATS,
    SPREAD_GAMES,
    STAKE,
    WIN_SHARE,
    Scoring,
    Search,
    square_root,
)  # fmt: skip

MARGIN_LIMIT = 1 << 36
TANH_STEP_BITS = 4
TANH_UNIT_BITS = 10
"""Margins in units of their deviation / 2 ** TANH_UNIT_BITS; the table of tanh has an entry for each 16 of them."""

TANH_ENTRIES = 321

PRIOR_GAMES = 8
PRIOR_VARIANCE = HALF * HALF
"""The prior variance of values is that of wins and losses, with the weight of this many games."""


def judge(game: Game, search: Search) -> None:
    """The value of a finished or cut-off game and the share of the win of each seat; see `opponents/evaluation.py`."""
    numbers = search.numbers
    results = search.results
    facts = search.scoring.facts
    seats = facts[SEATS]
    if not game.is_scored():
        numbers[SCORED] = 0
        for seat in range(seats):
            results.values[seat] = HALF
            results.game_shares[seat] = HALF
        return
    numbers[SCORED] = 1
    numbers[GAMES] += 1
    winners = game.winners()
    for seat in range(seats):
        results.points[seat] = game.score(seat * facts[CRITERIA] + facts[SCORE_PLACE])
    for seat in range(seats):
        share = share_of(search.scoring, winners, seat)
        results.game_shares[seat] = share
        results.values[seat] = share
        if facts[WIN_SHARE] < ONE:
            worth = value_of_margin(search.scoring, margin_of(results.points, search.scoring, seat))
            results.values[seat] = (facts[WIN_SHARE] * share + (ONE - facts[WIN_SHARE]) * worth) >> 20
        results.scores[seat] += results.points[seat]
        if seat == numbers[SEAT]:
            results.move_scores[numbers[PLACE]] += results.points[seat]
            results.move_scored[numbers[PLACE]] += 1


def share_of(scoring: Scoring, winners: Number, seat: Number) -> Number:
    """A seat's share of the win: winning sides get equal parts, and all seats of a side get its part."""
    if scoring.facts[COOPERATIVE]:
        return ONE if winners else 0
    if not winners >> seat & 1:
        return 0
    count = 0
    for winner in range(scoring.facts[SEATS]):
        side = scoring.sides[winner] & winners
        if winners >> winner & 1 and not side & (1 << winner) - 1:
            count += 1
    return ONE // count


def margin_of(points: Array[Number], scoring: Scoring, seat: Number) -> Number:
    """The lead of a seat's side over its best rival by the scores of all seats.

    In a cooperative game, or if scores are payments, it is the score itself.
    """
    if scoring.facts[COOPERATIVE] or scoring.facts[PAYMENTS]:
        return points[seat]
    best_own = points[seat]
    best_rival = 0
    has_rivals = False
    for scorer in range(scoring.facts[SEATS]):
        if scoring.sides[seat] >> scorer & 1:
            best_own = max(best_own, points[scorer])
        if scoring.rivals[seat] >> scorer & 1:
            best_rival = max(best_rival, points[scorer]) if has_rivals else points[scorer]
            has_rivals = True
    return best_own - best_rival


def value_of_margin(scoring: Scoring, margin: Number) -> Number:
    """The value of a margin: see `opponents/evaluation.py`."""
    facts = scoring.facts
    margin = min(MARGIN_LIMIT, max(-MARGIN_LIMIT, margin))
    if facts[PAYMENTS]:
        part = min(HALF, HALF * abs_of(margin) // facts[STAKE])
        return HALF + part if margin > 0 else HALF - part
    lead = (margin << MEAN_BITS) - facts[MEAN]
    units = (abs_of(lead) << TANH_UNIT_BITS) // facts[DEVIATION]
    place = units >> TANH_STEP_BITS
    if place >= TANH_ENTRIES - 1:
        part = scoring.tanh[TANH_ENTRIES - 1]
    else:
        low = scoring.tanh[place]
        part = low + ((scoring.tanh[place + 1] - low) * (units & (1 << TANH_STEP_BITS) - 1) >> TANH_STEP_BITS)
    return HALF + part if lead > 0 else HALF - part


def abs_of(number: Number) -> Number:
    """The absolute value."""
    return number if number >= 0 else -number


def learn_spread(search: Search) -> None:
    """Explore in proportion to the spread of the values of random games, which differs by game.

    Beyond the first games, only those count that were played at random from a new node. Once the trees are complete,
    iterations repeat the line that the search prefers, whose values may all be the same: a spread that shrank with them
    would end exploration.
    """
    results = search.results
    search.numbers[SPREAD_GAMES] += 1
    games = search.numbers[SPREAD_GAMES]
    for seat in range(search.scoring.facts[SEATS]):
        value = results.values[seat]
        results.sums[seat] += value
        results.squares[seat] += value * value
        squares = results.squares[seat] - results.sums[seat] // games * results.sums[seat]
        variance = (squares + PRIOR_GAMES * PRIOR_VARIANCE) // (games + PRIOR_GAMES)
        results.exploration[seat] = square_root(variance, results.exploration[seat])
