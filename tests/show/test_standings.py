"""The standings on a terminal: the first screen and the details, at any width."""

from collections.abc import Sequence
from io import StringIO
from itertools import combinations
from random import Random

import msgspec
import pytest
from rich.console import Console

from referee.show.details import details_page
from referee.show.standings import standings_page
from referee.tournament.results import Progress, Standings
from referee.tournament.schedule import Entry
from referee.tournament.standings import Played, Together, tables
from tests.tournament.standings.simulated import game, played_deal

LONGEST = "an even longer name of 32 signs!"
BOTS = ("ada", "chance", LONGEST, "[bold]d")


def standings(
    results: Sequence[Played], entries: Sequence[Entry], *, planned: int | None = None
) -> Standings:
    """Return the document of a run that has these results and was to have so many games."""
    return Standings(
        **msgspec.structs.asdict(tables(results, entries)),
        run="runs/evening",
        name="evening",
        complete=planned is None,
        games=len(results),
        games_planned=planned or len(results),
        provisional=0 if planned is None else 3,
        entries=[
            Progress(number, entry.game, len(results), len(results), 0)
            for number, entry in enumerate(entries, 1)
        ],
        capped=0,
        isolation="off",
        seeded=True,
        commitment="00",
        until=None,
        compared=None,
    )


def evening(bots: Sequence[str] = BOTS, deals: int = 3) -> Standings:
    """Return a run of every table of three and, for the first four bots, of Oh Hell at four."""
    rng = Random(1)
    strengths = {bot: 0.4 * place for place, bot in enumerate(bots)}
    results = [
        Played(1, table, each)
        for table, three in enumerate(combinations(bots, 3), 1)
        for deal in range(deals * table, deals * (table + 1))
        for each in played_deal(three, strengths, deal, rng)
    ]
    results += [
        Played(2, 1, each)
        for deal in range(1, deals + 1)
        for each in played_deal(bots[:4], strengths, deal, rng)
    ]
    entries = (Entry("pitch", 3, deals, tuple(bots)), Entry("oh_hell", 4, deals, tuple(bots[:4])))
    return standings(results, entries)


def page(of: Standings, width: int = 80, *, details: bool = False) -> str:
    out = StringIO()
    console = Console(file=out, width=width, highlight=False, markup=False)
    console.print(details_page(of) if details else standings_page(of))
    return out.getvalue()


@pytest.mark.parametrize("width", [80, 200])
@pytest.mark.parametrize("details", [False, True])
def test_nothing_is_cut_off_at_any_width(width: int, *, details: bool) -> None:
    shown = page(evening(), width, details=details)
    assert "…" not in shown
    assert max(map(len, shown.splitlines())) <= width
    assert "[bold]d" in shown
    assert width == 80 or LONGEST in shown


def test_the_details_have_ratings_points_without_forfeits_and_each_seat() -> None:
    shown = page(evening(), details=True)
    for heading in ("rating", "without forfeits", "answers", "crosstable", "0.5 is fair"):
        assert heading in shown
    assert "worth a look: nobody" in shown


def test_a_crosstable_that_is_too_wide_goes_on_below() -> None:
    bots = [f"bot {number:02}" for number in range(25)]
    rng = Random(1)
    played = played_deal(bots, dict.fromkeys(bots, 0.0), 1, rng)
    of = standings([Played(1, 1, each) for each in played], [Entry("pitch", 25, 1, tuple(bots))])
    assert page(of, 80, details=True).count("crosstable") == 2
    assert page(of, 200, details=True).count("crosstable") == 1


def test_one_deal_has_no_interval_and_the_page_says_so() -> None:
    rng = Random(1)
    results = [Played(1, 1, each) for each in played_deal("abc", dict.fromkeys("abc", 0.0), 1, rng)]
    shown = page(standings(results, [Entry("pitch", 3, 1, ("a", "b", "c"))]))
    assert "no interval: one deal at one table is a single observation; play more deals" in shown
    assert "±" not in shown


def test_a_run_that_is_not_finished_says_what_is_missing() -> None:
    results = [Played(1, 1, game("ab", [1, 2])), Played(1, 1, game("ba", [1, 2]))]
    entries = [Entry("pitch", 2, 1, ("a", "b", "late")), Entry("oh_hell", 2, 1, ("a", "b"))]
    shown = page(standings(results, entries, planned=12))
    assert "so far: 2 of 12 games" in shown
    assert "not counted: 3 games of blocks that are not whole yet" in shown
    assert "no game of pitch yet: late" in shown
    assert "no game of oh_hell yet: a, b" in shown


def test_a_run_without_a_whole_block_has_no_tables_to_show() -> None:
    shown = page(standings([], [Entry("pitch", 2, 1, ("a", "b"))], planned=2), details=True)
    assert "so far: 0 of 2 games" in shown
    assert "points" not in shown


def test_who_forfeited_every_game_is_named_and_points_without_forfeits_stand_apart() -> None:
    results = [
        Played(1, 1, game("abc", [1, 2, 3], deal=1, forfeited=[2])),
        Played(1, 1, game("bac", [1, 2, 3], deal=2, forfeited=[2])),
    ]
    of = standings(results, [Entry("pitch", 3, 2, ("a", "b", "c"))])
    assert "forfeited every game: c" in page(of)
    assert page(of, details=True).count("0 of 2") == 3


def test_a_bot_that_plays_one_of_the_games_only_is_said_to_be_in_its_table() -> None:
    five = evening((*BOTS, "guest"))
    shown = page(five)
    assert "in the tables of single games only: guest" in shown
    assert page(five, details=True).count("guest") > 5


def test_entries_of_one_game_are_told_apart_by_their_seats() -> None:
    results = [
        Played(1, 1, game("ab", [1, 2])),
        Played(2, 1, game("abc", [1, 2, 3])),
    ]
    entries = [Entry("pitch", 2, 1, ("a", "b")), Entry("pitch", 3, 1, ("a", "b", "c"))]
    shown = page(standings(results, entries))
    assert "pitch, 2 seats" in shown
    assert "pitch, 3 seats" in shown


def test_bots_that_play_oddly_well_together_are_hinted_at_first_and_named_in_the_details() -> None:
    odd = Together(
        game="pitch", bot="ada", versus="chance", beside=0.2, elsewhere=-0.1, chance=0.002
    )
    of = msgspec.structs.replace(evening(), worth_a_look=[odd])
    assert "worth a look: bots that play oddly well together, in the details" in page(of)
    (line,) = [line for line in page(of, details=True).splitlines() if "0.002" in line]
    assert line.split() == ["pitch", "ada", "chance", "+0.200", "-0.100", "0.002"]
