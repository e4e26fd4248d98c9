"""The row of a bot: what is counted, and how."""

import pytest

from referee.protocol import Reason
from referee.record.result import Times
from referee.tournament.standings import Played, Row
from referee.tournament.standings.points import units_by_entry
from referee.tournament.standings.rows import rows_of, seen_in
from tests.tournament.standings.simulated import game


def rows(*results: Played) -> dict[str, Row]:
    entries = [seen_in(units) for units in units_by_entry(results).values()]
    return {row.bot: row for row in rows_of(entries, {})}


def test_points_are_the_mean_over_units_of_the_mean_over_rotations() -> None:
    """a: deal 1 has 1 and 0, deal 2 has 1: the mean of 0.5 and 1, not of the three games."""
    found = rows(
        Played(1, 1, game("ab", [1, 2], deal=1)),
        Played(1, 1, game("ba", [1, 2], deal=1)),
        Played(1, 1, game("ab", [1, 2], deal=2)),
    )
    assert found["a"].points == 0.75
    assert found["a"].games == 3
    assert (found["a"].rank, found["b"].rank) == (1, 2)


def test_the_same_deal_number_at_two_tables_is_two_units() -> None:
    found = rows(Played(1, 1, game("ab", [1, 2])), Played(1, 2, game("ab", [2, 1])))
    assert found["a"].interval is not None


def test_one_unit_has_no_interval() -> None:
    found = rows(Played(1, 1, game("ab", [1, 2])), Played(1, 1, game("ba", [2, 1])))
    assert found["a"].interval is None


def test_a_shared_first_is_a_share_of_a_win() -> None:
    found = rows(
        Played(1, 1, game("abc", [1, 1, 3], deal=1)), Played(1, 1, game("abc", [1, 1, 1], deal=2))
    )
    assert found["a"].wins == pytest.approx(1 / 2 + 1 / 3)
    assert found["c"].wins == pytest.approx(1 / 3)


def test_who_forfeited_has_not_won_even_where_all_did() -> None:
    found = rows(Played(1, 1, game("ab", [1, 2], forfeited=[1, 0])))
    assert found["a"].wins == 0
    assert found["a"].forfeits == 1


def test_equal_points_share_the_better_rank_in_the_order_of_names() -> None:
    found = rows(
        Played(1, 1, game("abc", [1, 2, 3], deal=1)), Played(1, 1, game("abc", [2, 1, 3], deal=2))
    )
    assert [(row.bot, row.rank) for row in found.values()] == [("a", 1), ("b", 1), ("c", 3)]


def test_ranks_scores_capped_games_and_every_reason_of_a_fault_are_counted() -> None:
    found = rows(
        Played(1, 1, game("ab", [1, 2], deal=1, scores=[10, 4], capped=True)),
        Played(
            1,
            1,
            game(
                "ba",
                [1, 2],
                deal=2,
                scores=[7, 1],
                forfeited=[1],
                faults=[(1, Reason.ILLEGAL), (1, Reason.CRASH), (0, Reason.TIMEOUT)],
            ),
        ),
    )
    row = found["a"]
    assert (row.mean_rank, row.mean_score, row.capped, row.forfeits) == (1.5, 5.5, 1, 1)
    assert row.faults == {
        "startup": 0,
        "timeout": 0,
        "malformed": 0,
        "illegal": 1,
        "oversize": 0,
        "crash": 1,
        "limit": 0,
    }
    assert found["b"].faults["timeout"] == 1


def test_points_without_forfeits_leave_out_every_game_with_one() -> None:
    found = rows(
        Played(1, 1, game("abc", [1, 2, 3], deal=1)),
        Played(1, 1, game("bac", [1, 2, 3], deal=2, forfeited=[2])),
    )
    assert found["a"].points == 0.5
    assert found["a"].points_without_forfeits == 1
    assert (found["a"].games, found["a"].games_without_forfeits) == (2, 1)


def test_points_without_forfeits_are_null_where_every_game_had_one() -> None:
    found = rows(Played(1, 1, game("abc", [1, 2, 3], forfeited=[2])))
    assert found["a"].points_without_forfeits is None


def test_times_are_those_of_all_answers() -> None:
    first, second = Times.of([1.0, 2.0]), Times.of([9.0])
    found = rows(
        Played(1, 1, game("ab", [1, 2], deal=1, times=[first, Times()])),
        Played(2, 1, game("ba", [1, 2], deal=2, times=[Times(), second])),
    )
    use = found["a"].time_ms
    assert (use.mean, use.max, use.p99, use.decisions) == (4.0, 9.0, 9.0, 3)
    assert found["b"].time_ms.decisions == 0


def test_over_entries_means_are_unweighted_and_counts_are_sums() -> None:
    found = rows(
        Played(1, 1, game("ab", [1, 2], deal=1, scores=[8, 0])),
        Played(1, 1, game("ab", [1, 2], deal=2, scores=[8, 0])),
        Played(1, 1, game("ab", [1, 2], deal=3, scores=[8, 0])),
        Played(2, 1, game("ab", [2, 1], deal=1, scores=[2, 3])),
    )
    row = found["a"]
    assert (row.points, row.mean_rank, row.mean_score) == (0.5, 1.5, 5)
    assert (row.games, row.wins) == (4, 3)


def test_only_bots_that_played_every_entry_have_a_row() -> None:
    found = rows(Played(1, 1, game("ab", [1, 2])), Played(2, 1, game("ac", [1, 2])))
    assert set(found) == {"a"}
