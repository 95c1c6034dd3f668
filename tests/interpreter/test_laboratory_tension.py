"""How exciting games were, from shares that are known by hand."""

from __future__ import annotations

from math import log, sqrt

import pytest

from interpreter.laboratory.courses import PARTS, Course, course_of
from interpreter.laboratory.tension import decisiveness, drama, lead_changes, settled, uncertainty
from interpreter.play.game import load

OF_WINNER = (drama, decisiveness, settled)
ALL = (lead_changes, uncertainty, *OF_WINNER)


def course(*shares):
    return Course(0, (), (), tuple(map(tuple, shares)), 1, (), (), ())


def two(first):
    """The course of a game of two from the shares of the first."""
    assert len(first) == PARTS + 1
    return course(first, [1 - share for share in first])


def stretched(*parts):
    """Shares at all moments: pairs of a share and how many moments it lasts."""
    return [share for share, times in parts for _ in range(times)]


STEADY = two(stretched((0.5, 5), (0.8, 15), (1.0, 1)))
TURNED = two(stretched((0.5, 4), (0.19, 8), (0.9, 8), (1.0, 1)))
LATE = two(stretched((0.1, 20), (1.0, 1)))


def test_a_leader_who_stays_ahead():
    assert lead_changes(STEADY) == 0
    assert drama(STEADY) == 0
    assert settled(STEADY) == 5 / PARTS
    assert decisiveness(STEADY) == 5 / PARTS


def test_a_winner_who_was_behind():
    assert lead_changes(TURNED) == 1
    assert drama(TURNED) == pytest.approx(sqrt(0.62))
    assert settled(TURNED) == 12 / PARTS
    assert decisiveness(TURNED) == 12 / PARTS


def test_the_end_counts_as_a_change():
    assert lead_changes(LATE) == 1
    assert drama(LATE) == pytest.approx(sqrt(0.8))
    assert settled(LATE) == 1
    assert decisiveness(LATE) == 1


def test_the_loser_is_measured_by_the_same_shares():
    mirrored = course(*reversed(TURNED.shares))
    assert [measure(mirrored) for measure in ALL] == [measure(TURNED) for measure in ALL]


def test_noise_does_not_count():
    noisy = two([*[0.5 + 0.09 * (-1) ** moment for moment in range(PARTS)], 1.0])
    assert lead_changes(noisy) == 0
    assert drama(noisy) == 0
    assert settled(noisy) == 1
    assert lead_changes(noisy, margin=0.1) == PARTS
    assert drama(noisy, margin=0.1) == pytest.approx(sqrt(0.18))


def test_a_clear_lead_exceeds_all_that_a_loser_ever_had():
    doubtful = two(stretched((0.8, 4), (0.1, 4), (0.8, 4), (0.95, 8), (1.0, 1)))
    assert settled(doubtful) == 8 / PARTS
    assert decisiveness(doubtful) == 12 / PARTS  # not before: the other one had 0.9
    assert lead_changes(doubtful) == 2


def test_openness_is_that_of_the_shares():
    assert uncertainty(two(stretched((0.5, 20), (1.0, 1)))) == pytest.approx(1)
    assert uncertainty(two([1.0] * 21)) == 0
    entropy = -(0.25 * log(0.25) + 0.75 * log(0.75)) / log(2)
    assert uncertainty(two(stretched((0.25, 10), (1.0, 11)))) == pytest.approx(entropy / 2)


def test_where_nobody_may_win_all_have_equal_parts_of_that():
    assert uncertainty(course([0.0] * 21, [0.0] * 21)) == pytest.approx(1)
    assert uncertainty(course([0.5] * 21, [0.0] * 21)) == pytest.approx(-(0.25 * log(0.25) + 0.75 * log(0.75)) / log(2))


def test_three_seats():
    first = stretched((1 / 3, 5), (0.6, 5), (0.1, 10), (0.0, 1))
    second = stretched((1 / 3, 5), (0.3, 5), (0.7, 5), (0.2, 5), (0.0, 1))
    third = [1 - one - other for one, other in zip(first, second, strict=True)]
    found = course(first, second, third)
    assert lead_changes(found) == 2
    assert drama(found) == pytest.approx((5 * sqrt(0.5) + 5 * sqrt(0.5)) / 10)
    assert settled(found) == 15 / PARTS
    assert decisiveness(found) == 1  # the second had as much as the third has before the end
    assert 0 < uncertainty(found) < 1


def test_a_team_is_one_side():
    partners = course(*[TURNED.shares[0], TURNED.shares[1]] * 2)
    teams = ("red", "blue", "red", "blue")
    assert [measure(partners, teams) for measure in ALL] == [measure(TURNED) for measure in ALL]
    alone = ("red", None, "red", None)
    third = course(*[[share / 2 for share in row] for row in (TURNED.shares[0], TURNED.shares[1])] * 2)
    assert lead_changes(third, alone) is not None


def test_a_shared_win():
    shared = course(stretched((0.3, 20), (0.5, 1)), stretched((0.1, 20), (0.5, 1)), stretched((0.6, 20), (0.0, 1)))
    assert lead_changes(shared) == 0
    assert drama(shared) == pytest.approx(sqrt(0.5))
    assert settled(shared) == 1
    assert decisiveness(shared) == 1


@pytest.mark.parametrize("undecided", [course([0.5] * 21, [0.5] * 21), course([0.3] * 20 + [0.0], [0.7] * 20 + [0.0])])
def test_without_a_winner_there_are_measures_of_all_sides_only(undecided):
    assert [measure(undecided) for measure in OF_WINNER] == [None] * 3
    assert lead_changes(undecided) == 0
    assert uncertainty(undecided) is not None


@pytest.mark.parametrize("alone", [course([0.5] * 20 + [1.0]), course()])
def test_one_side_has_no_rivals(alone):
    assert [measure(alone) for measure in ALL] == [None] * 5
    assert [measure(alone, ("all",)) for measure in ALL] == [None] * 5


def test_all_in_one_team_have_no_rivals():
    assert [measure(TURNED, ("all", "all")) for measure in ALL] == [None] * 5


@pytest.mark.parametrize("name", ["connect_four", "mauerbauer", "spades"])
def test_measures_of_real_games_are_parts(name):
    game = load(name, 3 if name == "mauerbauer" else None)
    found = course_of(game, 1, None, 12, "python")
    teams = ("a", "b", "a", "b") if name == "spades" else ()
    for measure in (uncertainty, *OF_WINNER):
        value = measure(found, teams)
        assert value is not None and 0 <= value <= 1
    assert lead_changes(found, teams) in range(PARTS + 1)
