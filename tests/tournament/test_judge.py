"""When a run has seen enough: a function of its results in the schedule's order alone."""

from collections.abc import Mapping
from random import Random

import pytest

from referee.games.game import find_game, ranks
from referee.record.result import GameResult
from referee.tournament.config import BotEntry, Compare, Config, GameEntry, Tournament
from referee.tournament.judge import CompareJudge, Hearing, UntilJudge
from referee.tournament.sizing import schedule_of
from tests.tournament.standings.simulated import game

Results = dict[str, list[GameResult]]

STRONG = {"a": 3.0, "b": 1.0, "c": 0.5, "d": 0.0}
EQUAL = dict.fromkeys("abcd", 0.0)


def config_of(
    deals: int,
    *,
    until: str | None = None,
    compare: Compare | None = None,
    block: int = 2,
    seats: tuple[int, ...] = (3,),
) -> Config:
    """Return a config of four bots at Pitch, with an entry for each number of seats."""
    pitch = find_game("pitch")
    return Config(
        tournament=Tournament(until=until, block=block),
        games=tuple(
            GameEntry(game="pitch", seats=each, deals=deals, rules=pitch.rules({}, each))
            for each in seats
        ),
        bots=tuple(BotEntry(name=name, path=name) for name in "abcd"),
        compare=compare,
    )


def results_of(config: Config, strengths: Mapping[str, float], seed: int = 0) -> Results:
    """Play a config's schedule by strength, the cards' luck and the bots' own chance."""
    results: Results = {}
    for series in schedule_of(config).series():
        results[series.id] = games = []
        for deal, seating in zip(series.deals, series.seatings, strict=True):
            luck, chance = Random(f"{seed} {deal}"), Random(f"{seed} {deal} {series.id}")
            scores = [strengths[bot] + luck.gauss() + chance.gauss() for bot in seating]
            games.append(game(seating, ranks([round(score) for score in scores]), deal=deal))
    return results


def heard(config: Config, results: Results) -> list[str]:
    """Return the series that count when all these results are there."""
    hearing = Hearing(config, results.get)
    assert hearing.is_over()
    return [series.id for block in hearing.blocks() for series in block.series()]


CONFIGS = [
    config_of(60, until="winner"),
    config_of(60, until="top:2"),
    config_of(60, until="separated"),
    config_of(60, until="top:2", seats=(3, 2)),
    config_of(200, compare=Compare()),
    config_of(200, compare=Compare(margin=0.4), block=5),
]


@pytest.mark.parametrize("config", CONFIGS)
def test_what_counts_is_the_same_in_whatever_order_the_results_come(config: Config) -> None:
    """Series come one by one, in any order, and it is asked after each whether it is enough."""
    results = results_of(config, STRONG)
    in_order = heard(config, results)
    assert len(in_order) < len(results), "the end is before that of the deals"
    for seed in range(5):
        coming = list(results)
        Random(seed).shuffle(coming)
        stored: Results = {}
        hearing = Hearing(config, stored.get)
        while not hearing.is_over():
            series = coming.pop()
            stored[series] = results[series]
        assert [series.id for block in hearing.blocks() for series in block.series()] == in_order


@pytest.mark.parametrize("config", CONFIGS)
def test_what_was_in_flight_beyond_the_end_changes_nothing(config: Config) -> None:
    results = results_of(config, STRONG)
    in_order = heard(config, results)
    assert heard(config, {series: results[series] for series in in_order}) == in_order


def test_a_gap_is_waited_for() -> None:
    config = config_of(60, until="winner")
    results = results_of(config, STRONG)
    gap = next(iter(results))
    del results[gap]
    hearing = Hearing(config, results.get)
    assert not hearing.is_over()
    assert len(list(hearing.blocks())) == 4 * 30, "all that is planned may yet count"


def test_all_tables_have_played_as_many_deals_when_a_run_is_found_clear() -> None:
    """Four tables of three: every bot has had equally many games, in equal company."""
    config = config_of(60, until="winner")
    counted = heard(config, results_of(config, STRONG))
    by_table = [sum(series.split("-")[1] == table for series in counted) for table in "1234"]
    assert len(set(by_table)) == 1


def test_all_entries_have_played_as_many_deals_when_a_run_is_found_clear() -> None:
    """Four tables of three and six of two, the deals of the entries side by side."""
    config = config_of(60, until="top:2", seats=(3, 2))
    counted = heard(config, results_of(config, STRONG))
    places = [tuple(map(int, series.split("-"))) for series in counted]
    last = places[-1][3]
    assert last < 30
    for entry, tables in ((1, 4), (2, 6)):
        blocks = [
            (table, block) for e, table, rotation, block in places if (e, rotation) == (entry, 0)
        ]
        assert blocks == [(t, b) for b in range(1, last + 1) for t in range(1, tables + 1)]


def test_a_run_that_never_is_clear_plays_all_deals() -> None:
    config = config_of(10, until="winner")
    hearing = Hearing(config, results_of(config, EQUAL).get)
    assert not hearing.is_over()
    assert isinstance(hearing.judge, UntilJudge)
    assert not hearing.judge.until.clear


def test_equal_bots_are_claimed_apart_seldom_though_it_is_looked_at_after_every_block() -> None:
    """100 null runs of 12 deals at each of four tables: 5 claims of a winner at most."""
    config = config_of(12, until="winner", block=1)
    claims = sum(
        Hearing(config, results_of(config, EQUAL, seed).get).is_over() for seed in range(100)
    )
    assert claims <= 5


def test_a_run_that_asks_nothing_is_played_to_its_end() -> None:
    config = config_of(4)
    hearing = Hearing(config, results_of(config, STRONG).get)
    assert not hearing.is_over()
    assert len(list(hearing.blocks())) == 4 * 2


def compare_judge(results: Results, config: Config) -> CompareJudge:
    hearing = Hearing(config, results.get)
    hearing.is_over()
    assert isinstance(hearing.judge, CompareJudge)
    return hearing.judge


def test_a_deals_difference_is_that_of_the_means_over_its_games_in_either_arm() -> None:
    """A is first in two of three games of the deal, b in one: 2/3 less 1/3 of a point."""
    config = config_of(1, compare=Compare())
    results = {}
    for series in schedule_of(config).series():
        ((bot, *others),) = [sorted(seating) for seating in series.seatings]
        wins = series.rotation < {"a": 2, "b": 1}[bot]
        results[series.id] = [game([bot, *others], [1, 2, 3] if wins else [3, 1, 2])]
    compared = compare_judge(results, config).compared
    assert (compared.new, compared.old) == ("a", "b")
    assert compared.difference == pytest.approx(1 / 3)
    assert (compared.deals, compared.games, compared.max_deals) == (1, 6, 1)
    assert compared.verdict == "open"


def test_a_comparison_finds_the_better_bot_in_either_place() -> None:
    config = config_of(300, compare=Compare())
    judge = compare_judge(results_of(config, STRONG), config)
    assert judge.compared.verdict == "better"
    assert judge.compared.interval[0] > -1e-5
    assert judge.compared.games == 6 * judge.compared.deals < 6 * 300
    worse = results_of(config, {**STRONG, "a": 1.0, "b": 3.0})
    assert compare_judge(worse, config).compared.verdict == "worse"


def test_two_bots_that_always_do_the_same_differ_by_nothing() -> None:
    config = config_of(40, compare=Compare(margin=0.5))
    luck_alone = {
        series: [game(each.bots, [1, 2, 3], deal=each.deal) for each in games]
        for series, games in results_of(config, EQUAL).items()
    }
    compared = compare_judge(luck_alone, config).compared
    assert (compared.verdict, compared.difference) == ("close", 0)
