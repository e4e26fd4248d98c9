"""The verdict of ``compare``: false alarms, power, and how it ends."""

from random import Random

import pytest

from referee.tournament.anytime import Comparison

ALPHA = 0.05
SPREAD = 0.25
"""The spread of a deal's difference, about that of four seats in all rotations."""


def run(mean: float, rng: Random, max_deals: int, margin: float | None = None) -> Comparison:
    """Compare two bots whose difference is ``mean``, looking after every deal."""
    comparison = Comparison(ALPHA, margin, max_deals)
    while not comparison.is_over:
        deal = round(24 * rng.gauss(mean, SPREAD)) / 24
        comparison.add(max(-1, min(1, deal)))
    return comparison


def test_a_difference_is_seen_where_there_is_none_in_no_more_than_alpha_of_the_runs() -> None:
    """1,000 null runs of up to 300 deals, looked at after every deal: 14 of them are wrong."""
    rng = Random(1)
    verdicts = [run(0, rng, 300).verdict for _ in range(1000)]
    assert sum(verdict != "open" for verdict in verdicts) <= ALPHA * 1000


@pytest.mark.parametrize(
    ("difference", "max_deals", "power", "mean_deals"),
    [(0.05, 600, 0.95, 249), (0.1, 300, 1.0, 79), (0.2, 100, 1.0, 35)],
)
def test_a_difference_is_found_in_as_many_deals_as_is_said(
    difference: float, max_deals: int, power: float, mean_deals: float
) -> None:
    """Over 200 runs each, at a spread of 0.25 a deal: power 97.5 %, 100 %, 100 %.

    A test at a fixed number of deals needs 196, 49 and 12 for a power of 80 %, but may be looked
    at once only.
    """
    rng = Random(2)
    runs = [run(difference, rng, max_deals) for _ in range(200)]
    assert sum(each.verdict == "better" for each in runs) / 200 >= power
    assert sum(each.deals for each in runs) / 200 == pytest.approx(mean_deals, rel=0.02)


def test_a_worse_bot_is_found_to_be_worse() -> None:
    assert run(-0.2, Random(3), 300).verdict == "worse"


def test_equal_bots_are_found_to_be_within_the_margin() -> None:
    comparison = run(0, Random(4), 2000, margin=0.1)
    assert comparison.verdict == "close"
    low, high = comparison.bounds
    assert low + 1e-5 >= -0.1
    assert high <= 0.1 + 1e-5


def test_a_verdict_agrees_with_the_interval_at_that_moment() -> None:
    for seed in range(10):
        comparison = run(0.15, Random(seed), 500)
        assert comparison.verdict == "better"
        assert comparison.bounds[0] >= -1e-5
        assert comparison.bounds[0] < comparison.mean < comparison.bounds[1]


def test_the_last_deal_ends_it_open() -> None:
    comparison = Comparison(ALPHA, max_deals=3)
    for _ in range(3):
        assert not comparison.is_over
        comparison.add(0.0)
    assert (comparison.is_over, comparison.verdict, comparison.deals) == (True, "open", 3)


def test_nothing_is_taken_after_the_end() -> None:
    comparison = Comparison(ALPHA, max_deals=1)
    comparison.add(0.0)
    with pytest.raises(ValueError, match="over"):
        comparison.add(0.0)


def test_before_the_first_deal_nothing_is_known() -> None:
    comparison = Comparison(ALPHA)
    assert (comparison.verdict, comparison.mean, comparison.bounds) == ("open", 0, (-1, 1))


def test_the_same_deals_taken_again_give_the_same_verdict_at_the_same_deal() -> None:
    """A resumed run reads its stored deals in order."""
    first, second = run(0.1, Random(5), 500), run(0.1, Random(5), 500)
    assert (first.verdict, first.deals, first.bounds) == (
        second.verdict,
        second.deals,
        second.bounds,
    )
