"""Counting while a run goes on comes to the same figures as counting at its end."""

from random import Random

import msgspec

from referee.tournament.schedule import Entry
from referee.tournament.standings import Played, Tally, tables
from tests.tournament.standings.simulated import played_deal

BOTS = ("a", "b", "c", "d")
STRENGTHS = dict(zip(BOTS, (0.0, 0.4, 0.8, 1.2), strict=True))


def test_the_rows_are_those_of_the_standings_whatever_the_order() -> None:
    rng = Random(1)
    games = [game for deal in range(1, 9) for game in played_deal(BOTS, STRENGTHS, deal, rng)]
    final = tables([Played(1, 1, game) for game in games], [Entry("g", 4, 8, BOTS)])
    rng.shuffle(games)
    tally = Tally([4])
    for game in games:
        tally.add(1, 1, [game])
    assert tally.rows() == [
        msgspec.structs.replace(row, rating=None, rating_interval=None) for row in final.standings
    ]


def test_a_deal_counts_only_when_every_bot_has_had_its_cards() -> None:
    games = played_deal(BOTS, STRENGTHS, 1, Random(2))
    tally = Tally([4])
    tally.add(1, 1, games[:3])
    assert tally.rows() == []
    tally.add(1, 1, games[3:])
    assert {row.games for row in tally.rows()} == {4}
