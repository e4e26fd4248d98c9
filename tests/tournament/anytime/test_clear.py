"""When a tournament is clear: claims that are wrong seldom, and made early."""

from collections.abc import Sequence
from random import Random

import pytest

from referee.tournament.anytime import Clear, Until, parse_until
from referee.tournament.standings import Played
from referee.tournament.standings.points import Unit, units_by_entry
from tests.tournament.standings.simulated import game, played_units

LEVEL = 0.95


def one(bots: Sequence[str], ranks: Sequence[int], forfeited: Sequence[int] = ()) -> Unit:
    """Return a unit of one game."""
    (unit,) = units_by_entry([Played(1, 1, game(bots, ranks, forfeited=forfeited))])[1]
    return unit


def clear_after(clear: Clear, unit: Unit, most: int = 500) -> int | None:
    """Return after how many units of this kind it is clear."""
    for units in range(1, most + 1):
        clear.add([unit])
        if clear.is_clear:
            return units
    return None


@pytest.mark.parametrize(
    ("text", "until"),
    [("winner", Until(1)), ("top:3", Until(3)), ("separated", Until(None))],
)
def test_until_is_read(text: str, until: Until) -> None:
    assert parse_until(text) == until


@pytest.mark.parametrize("text", ["", "top", "top:", "top:0", "top:-1", "top:2.5", "Winner", "win"])
def test_any_other_until_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="top:K"):
        parse_until(text)


def test_a_top_of_all_bots_is_refused() -> None:
    with pytest.raises(ValueError, match="top of 3 is all of 3"):
        Clear("abc", Until(3), LEVEL)


def test_nothing_is_clear_before_the_first_unit() -> None:
    assert not Clear("abc", Until(1), LEVEL).is_clear


def test_a_winner_is_clear_before_the_order_of_the_others() -> None:
    """A always wins, b and c change places."""
    winner, order = Clear("abc", Until(1), LEVEL), Clear("abc", Until(None), LEVEL)
    for _ in range(50):
        for ranks in ([1, 2, 3], [1, 3, 2]):
            winner.add([one("abc", ranks)])
            order.add([one("abc", ranks)])
    assert winner.is_clear
    assert not order.is_clear


def test_the_top_two_are_clear_though_their_own_order_is_not() -> None:
    top, winner = Clear("abcd", Until(2), LEVEL), Clear("abcd", Until(1), LEVEL)
    for _ in range(50):
        for ranks in ([1, 2, 3, 4], [2, 1, 4, 3]):
            top.add([one("abcd", ranks)])
            winner.add([one("abcd", ranks)])
    assert top.is_clear
    assert not winner.is_clear


def test_a_steady_order_is_separated_in_time() -> None:
    """Half a point apart, 4 bets: a quarter staked at 0.9 makes 80 when 1.45 ** n > 4 * 80."""
    assert clear_after(Clear("abc", Until(None), LEVEL), one("abc", [1, 2, 3])) == 16


def test_games_with_a_forfeit_of_one_of_the_two_prove_nothing() -> None:
    assert clear_after(Clear("ab", Until(1), LEVEL), one("ab", [1, 2], [1])) is None


def test_bots_that_never_meet_are_never_apart() -> None:
    clear = Clear("abc", Until(1), LEVEL)
    assert clear_after(clear, one("ab", [1, 2])) is None


def test_of_several_entries_each_counts_the_same_however_many_units_it_has() -> None:
    """A is ahead in three units of the first and behind in the one of the second: equal."""
    ahead, behind = one("ab", [1, 2]), one("ab", [2, 1])
    clear = Clear("ab", Until(1), LEVEL)
    for _ in range(200):
        clear.add([ahead] * 3, [behind])
    assert not clear.is_clear
    for _ in range(100):
        clear.add([ahead] * 3, [one("ab", [1, 1])])
    assert clear.is_clear


def test_an_entry_in_which_two_have_not_met_yet_is_waited_for() -> None:
    clear = Clear("abc", Until(None), LEVEL)
    for _ in range(100):
        clear.add([one("abc", [1, 2, 3])], [one("ab", [1, 2])])
    assert not clear.is_clear


def test_bots_that_are_equal_over_all_entries_are_seldom_told_apart() -> None:
    """200 runs of two games, at each of which another is the better: 10 wrong claims at most."""
    rng = Random(3)
    first = played_units("ab", {"a": 0.5, "b": 0.0}, 500, rng)
    second = played_units("ab", {"a": 0.0, "b": 0.5}, 500, rng)
    wrong = 0
    for _ in range(200):
        clear = Clear("ab", Until(1), LEVEL)
        for _ in range(40):
            clear.add([rng.choice(first)], [rng.choice(second) for _ in range(3)])
            if clear.is_clear:
                wrong += 1
                break
    assert wrong <= 10


@pytest.mark.parametrize("until", [Until(1), Until(2), Until(None)])
def test_equal_bots_are_claimed_apart_in_no_more_than_5_percent_of_the_runs(until: Until) -> None:
    """500 runs of 60 deals in four seats, looked at after every deal; every claim is wrong."""
    rng = Random(1)
    played = played_units("abcd", dict.fromkeys("abcd", 0.0), 2000, rng)
    wrong = 0
    for _ in range(500):
        clear = Clear("abcd", until, LEVEL)
        wrong += any(_is_clear_after(clear, rng.choice(played)) for _ in range(60))
    assert wrong <= 25


def _is_clear_after(clear: Clear, unit: Unit) -> bool:
    clear.add([unit])
    return clear.is_clear


def test_two_equal_best_are_seldom_told_apart_and_the_rest_soon() -> None:
    """100 runs: the top two of four are clear in all, a winner in no more than 5."""
    rng = Random(2)
    played = played_units("abcd", {"a": 1.5, "b": 1.5, "c": 0.3, "d": 0.0}, 2000, rng)
    winners = tops = 0
    for _ in range(100):
        winner, top = Clear("abcd", Until(1), LEVEL), Clear("abcd", Until(2), LEVEL)
        winners += any(_is_clear_after(winner, rng.choice(played)) for _ in range(80))
        tops += any(_is_clear_after(top, rng.choice(played)) for _ in range(80))
    assert winners <= 5
    assert tops == 100
