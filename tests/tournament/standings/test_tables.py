"""Standings as a whole: what scripts read, whatever the order of the results."""

from random import Random

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from referee.protocol import Reason
from referee.tournament.schedule import Entry
from referee.tournament.standings import Played, Tables, tables
from tests.tournament.standings.simulated import game, played_deal

BOTS = ("a", "b", "c", "d")
STRENGTHS = {"a": 0.0, "b": 0.4, "c": 0.8, "d": 2.0}
ENTRIES = (
    Entry(game="pitch", seats=3, deals=4, bots=BOTS),
    Entry(game="oh_hell", seats=4, deals=4, bots=BOTS),
)


def results(seed: int = 1) -> list[Played]:
    """Play two entries, with some forfeits."""
    rng = Random(seed)
    found = [
        Played(1, table, each)
        for table, bots in enumerate(("abc", "abd", "acd", "bcd"), 1)
        for deal in range(4 * table - 3, 4 * table + 1)
        for each in played_deal(bots, STRENGTHS, deal, rng)
    ]
    found += [
        Played(2, 1, each)
        for deal in range(1, 5)
        for each in played_deal(BOTS, STRENGTHS, deal, rng)
    ]
    found.append(Played(2, 1, game("dcba", [1, 2, 3, 4], deal=5, forfeited=[3])))
    return found


def test_an_empty_run_has_empty_tables_and_says_who_is_missing() -> None:
    found = tables([], ENTRIES)
    assert (found.standings, found.by_game, found.pairs) == ([], {}, [])
    assert len(found.missing) == 8


@settings(max_examples=25)
@given(st.randoms(use_true_random=False))
def test_the_order_of_the_results_changes_no_byte(rng: Random) -> None:
    shuffled = results()
    rng.shuffle(shuffled)
    assert msgspec.json.encode(tables(shuffled, ENTRIES)) == msgspec.json.encode(
        tables(results(), ENTRIES)
    )


def test_the_document_has_every_key_that_scripts_rely_on() -> None:
    found = msgspec.json.decode(msgspec.json.encode(tables(results(), ENTRIES)))
    row = found["standings"][0]
    assert {
        "rank", "bot", "points", "interval", "games", "wins", "mean_rank", "mean_score", "rating",
        "rating_interval", "forfeits", "capped", "faults", "time_ms",
    } <= set(row)  # fmt: skip
    assert set(row["time_ms"]) >= {"mean", "p99", "max", "decisions"}
    assert set(row["faults"]) == {str(reason) for reason in Reason}
    assert set(found["by_game"]) == {"pitch", "oh_hell"}
    assert found["by_game"]["pitch"][0].keys() == row.keys()
    assert {"bot", "versus", "difference", "interval", "better", "games"} <= set(found["pairs"][0])


def test_overall_points_are_the_mean_of_the_entries() -> None:
    found = tables(results(), ENTRIES)
    by_game = {game: {row.bot: row.points for row in rows} for game, rows in found.by_game.items()}
    for row in found.standings:
        mean = (by_game["pitch"][row.bot] + by_game["oh_hell"][row.bot]) / 2
        assert row.points == pytest.approx(mean)


def test_the_strongest_is_first_by_points_and_by_rating() -> None:
    rows = tables(results(), ENTRIES).standings
    assert rows[0].bot == "d"
    assert max(rows, key=lambda row: row.rating or 0).bot == "d"


def test_a_bot_that_is_not_in_every_entry_is_in_the_tables_of_its_games_only() -> None:
    entries = (ENTRIES[0], Entry(game="oh_hell", seats=3, deals=4, bots=("a", "b", "c")))
    rng = Random(2)
    few = [each for each in results() if each.entry == 1]
    few += [Played(2, 1, each) for each in played_deal("abc", STRENGTHS, 1, rng)]
    found = tables(few, entries)
    assert {row.bot for row in found.standings} == {"a", "b", "c"}
    assert {row.bot for row in found.by_game["pitch"]} == set(BOTS)
    assert found.missing == []


def test_an_entry_without_results_yet_does_not_hide_the_standings_of_the_others() -> None:
    found = tables([each for each in results() if each.entry == 1], ENTRIES)
    assert {row.bot for row in found.standings} == set(BOTS)
    assert {(each.bot, each.entry, each.game) for each in found.missing} == {
        (bot, 2, "oh_hell") for bot in BOTS
    }


def test_a_bot_that_forfeits_every_game_has_a_row_no_points_and_no_rating() -> None:
    lost = [
        Played(1, 1, game(bots, [1, 2, 3], deal=deal, forfeited=[bots.index("a")]))
        for deal, bots in enumerate(("bca", "cba", "bca"), 1)
    ]
    entries = (Entry(game="pitch", seats=3, deals=3, bots=("a", "b", "c")),)
    rows = {row.bot: row for row in tables(lost, entries).standings}
    assert (rows["a"].points, rows["a"].rating, rows["a"].forfeits) == (0, None, 3)
    assert rows["b"].rating is not None
    assert (rows["b"].points, rows["c"].points) == pytest.approx((2 / 3, 1 / 3))


def one_deal() -> Tables:
    rng = Random(3)
    played = [Played(1, 1, each) for each in played_deal("abc", STRENGTHS, 1, rng)]
    return tables(played, (Entry(game="pitch", seats=3, deals=1, bots=("a", "b", "c")),))


def test_one_unit_has_no_interval_anywhere() -> None:
    found = one_deal()
    assert {row.interval for row in found.standings} == {None}
    assert {row.rating_interval for row in found.standings} == {None}
    assert {pair.interval for pair in found.pairs} == {None}
    assert {pair.better for pair in found.pairs} == {None}
    assert {seat.interval for seat in found.seats} == {None}


def test_the_seats_are_those_of_each_game_and_number_of_seats() -> None:
    kinds = [(line.game, line.seats, line.seat) for line in tables(results(), ENTRIES).seats]
    assert kinds == [
        *(("pitch", 3, seat) for seat in range(3)),
        *(("oh_hell", 4, seat) for seat in range(4)),
    ]
