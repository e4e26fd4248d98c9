"""Plackett-Luce ratings: known maxima, ties, the prior, forfeits, and the order recovered."""

import math
from itertools import permutations
from random import Random

import pytest

from referee.tournament.standings import Played
from referee.tournament.standings.points import Unit, units_by_entry
from referee.tournament.standings.ratings import (
    CENTRE,
    ELO,
    _draws,
    _inverse,
    expected_points,
    ratings,
)
from tests.tournament.standings.simulated import game, played_units


def units(*games: tuple[str, list[int], list[int]]) -> list[Unit]:
    """Return a unit for each game: the bots by seat, ranks and who forfeited."""
    results = [
        Played(1, 1, game(bots, ranks, deal=deal, forfeited=forfeited))
        for deal, (bots, ranks, forfeited) in enumerate(games, 1)
    ]
    return units_by_entry(results)[1]


def test_two_bots_are_rated_by_their_odds_the_drawn_games_of_the_prior_included() -> None:
    """By symmetry the logs are h and -h; the slope is 30 - 40 q + 0.5 - p = 0.

    Here q = 1 / (1 + exp(-2 h)) is the first's chance against the second, p = 1 / (1 + exp(-h))
    that against the prior's bot.
    """
    found = ratings(units(*[("ab", [1, 2], [])] * 30, *[("ab", [2, 1], [])] * 10))
    h = (found["a"].rating - CENTRE) / ELO
    assert found["a"].rating - CENTRE == pytest.approx(CENTRE - found["b"].rating)
    slope = 30 - 40 / (1 + math.exp(-2 * h)) + 0.5 - 1 / (1 + math.exp(-h))
    assert slope == pytest.approx(0, abs=1e-6)
    assert found["a"].rating - found["b"].rating == pytest.approx(ELO * math.log(3), abs=6)


def test_three_bots_reach_the_maximum_that_a_general_optimizer_finds() -> None:
    """The oracle is scipy 1.17's BFGS on the likelihood as the module states it."""
    found = ratings(
        units(
            *[("abc", [1, 2, 3], [])] * 5,
            *[("abc", [2, 1, 3], [])] * 3,
            *[("abc", [3, 1, 1], [])] * 2,
            *[("abc", [1, 2, 2], [])] * 2,
            ("ab", [2, 1], []),
        )
    )
    assert {bot: each.rating for bot, each in found.items()} == pytest.approx(ORACLE, abs=1e-3)


ORACLE = {"a": 1591.9032, "b": 1581.3915, "c": 1326.7054}


def test_a_tie_is_the_mean_over_all_orders_of_the_tied() -> None:
    tied: dict[tuple[str, ...], float] = {}
    for members, weight in _draws((("a", "b", "c"), ("d",))):
        key = tuple(sorted(members))
        tied[key] = tied.get(key, 0) + weight
    ordered: dict[tuple[str, ...], float] = {}
    for order in permutations("abc"):
        for members, weight in _draws((*((bot,) for bot in order), ("d",))):
            key = tuple(sorted(members))
            ordered[key] = ordered.get(key, 0) + weight / 6
    assert tied == pytest.approx(ordered)


def test_bots_that_always_tie_are_rated_alike() -> None:
    found = ratings(units(*[("abc", [1, 1, 3], [])] * 4, *[("abc", [2, 2, 1], [])] * 2))
    assert found["a"].rating == pytest.approx(found["b"].rating)


def test_who_won_everything_has_a_finite_rating_and_no_interval() -> None:
    found = ratings(units(*[("abc", [1, 2, 3], [])] * 100, *[("abc", [1, 3, 2], [])] * 100))
    assert 2000 < found["a"].rating < 4000
    assert found["a"].interval is None
    assert found["b"].interval is not None


def test_one_unit_has_ratings_but_no_interval() -> None:
    results = [Played(1, 1, game(bots, [1, 2])) for bots in ("ab", "ba")]
    found = ratings(units_by_entry(results)[1])
    assert {each.interval for each in found.values()} == {None}


def test_forfeiters_are_left_out_and_the_others_keep_their_ranking() -> None:
    without = units(("ab", [1, 2], []), ("ab", [2, 1], []), ("ab", [1, 2], []))
    with_one = units(("abc", [1, 2, 3], [2]), ("acb", [2, 3, 1], [1]), ("abc", [1, 2, 3], [2]))
    assert ratings(with_one) == ratings(without)


def test_games_that_leave_one_bot_or_none_rate_nobody() -> None:
    assert ratings(units(("ab", [1, 2], [1]))) == {}
    assert ratings([]) == {}


def test_ratings_have_their_mean_at_the_centre() -> None:
    rng = Random(5)
    found = ratings(played_units("abcd", dict(zip("abcd", (0, 0.5, 1, 2), strict=True)), 20, rng))
    assert sum(each.rating for each in found.values()) / 4 == pytest.approx(CENTRE)


@pytest.mark.parametrize("bots", [4, 6, 11])
def test_ratings_recover_the_true_order(bots: int) -> None:
    """At 400 deals in all rotations and steps in strength of 0.2 (luck is 1, chance 0.7)."""
    names = "abcdefghijk"[:bots]
    strengths = {bot: 0.2 * i for i, bot in enumerate(names)}
    found = ratings(played_units(names, strengths, 400, Random(bots)))
    assert "".join(sorted(found, key=lambda bot: found[bot].rating)) == names


def test_ratings_are_those_of_the_model_that_made_the_games() -> None:
    """Places drawn in proportion to strengths 1, 2, 4, 8: Elo steps of 400 log10(2) = 120."""
    rng = Random(8)
    weights = {"a": 1.0, "b": 2.0, "c": 4.0, "d": 8.0}
    games: list[tuple[str, list[int], list[int]]] = []
    for _ in range(4000):
        order = sorted(weights, key=lambda bot: rng.expovariate(weights[bot]))
        games.append(("abcd", [1 + order.index(bot) for bot in "abcd"], []))
    found = ratings(units(*games))
    for i, bot in enumerate("abcd"):
        each = found[bot]
        assert each.rating == pytest.approx(CENTRE + (i - 1.5) * 400 * math.log10(2), abs=12)
        assert each.interval is not None
        assert each.interval[0] <= CENTRE + (i - 1.5) * 400 * math.log10(2) <= each.interval[1]


def test_expected_points_are_the_mean_of_the_odds_against_each() -> None:
    assert expected_points(1500 + 400, [1500, 1500 + 400]) == pytest.approx((10 / 11 + 0.5) / 2)


def test_a_matrix_times_its_inverse_is_one() -> None:
    matrix = [[4.0, 1.0, 0.5], [1.0, 3.0, 0.25], [0.5, 0.25, 2.0]]
    inverse = _inverse(matrix)
    for i in range(3):
        for j in range(3):
            entry = sum(matrix[i][k] * inverse[k][j] for k in range(3))
            assert entry == pytest.approx(float(i == j))
