"""Games, seats and times as the pages give them agree with the standings."""

from collections import Counter

import pytest

from referee.show.report.figures import against, figures_of, game_rows
from referee.tournament.results import standings_of, whole_series
from referee.tournament.sizing import schedule_of
from referee.tournament.store import Store

GAMES = ["pitch", "i_doubt_it"]


def test_a_bots_seats_make_up_its_points(store: Store) -> None:
    summaries = {summary.id: summary for summary in store.summaries()}
    figures = figures_of(whole_series(store, summaries), GAMES)
    standings = standings_of(store)
    for game, rows in standings.by_game.items():
        for row in rows:
            seats = [line for line in figures[row.bot].by_seat() if line.game == game]
            assert [line.seat for line in seats] == list(range(seats[0].seats))
            assert sum(line.games for line in seats) == row.games
            mean = sum(line.points for line in seats) / len(seats)
            assert mean == pytest.approx(row.points)


def test_a_bots_times_and_games_are_all_of_them(store: Store) -> None:
    summaries = {summary.id: summary for summary in store.summaries()}
    figures = figures_of(whole_series(store, summaries), GAMES)
    for row in standings_of(store).standings:
        assert len(figures[row.bot].games) == row.games
        assert figures[row.bot].times.decisions == row.time_ms.decisions


def test_a_bot_sees_its_pairs_from_its_own_side(store: Store) -> None:
    pairs = standings_of(store).pairs_by_game["pitch"]
    assert all(pair.interval for pair in pairs)
    for pair in pairs:
        (ours,) = [line for line in against(pair.bot, pairs) if line.versus == pair.versus]
        (theirs,) = [line for line in against(pair.versus, pairs) if line.versus == pair.bot]
        assert ours == pair
        assert theirs.difference == -pair.difference
        assert theirs.ahead == pytest.approx(1 - pair.ahead)
        assert theirs.interval == (pair.interval and (-pair.interval[1], -pair.interval[0]))


def test_every_game_of_the_schedule_has_its_row(store: Store) -> None:
    schedule = schedule_of(store.config)
    summaries = {summary.id: summary for summary in store.summaries()}
    whole = list(whole_series(store, summaries))
    played = {series.id: games for series, games in whole[:-1]}  # as if the last were not there
    bots = [bot.name for bot in store.config.bots]
    rows = game_rows(schedule.series(), played, bots)
    assert [row[0] for row in rows] == list(range(1, 29))
    assert Counter(map(len, rows)) == {11: 27, 6: 1}
    series, games = whole[0]
    number, entry, table, deal, rotation, seats, scores, ranks, *_ = rows[0]
    assert (number, entry, table) == (1, series.entry, series.table)
    assert (deal, rotation) == (series.deals[0], series.rotation)
    assert [bots[bot] for bot in seats] == games[0].game.bots
    assert (scores, ranks) == (games[0].game.scores, games[0].game.ranks)
