"""How a comparison looks while it narrows, and what its verdict says."""

from pathlib import Path

import pytest
from msgspec.structs import replace

from referee.show.comparison import axis, news_of, verdict_line, words
from referee.tournament.config import resolve_config
from referee.tournament.judge import Compared, Hearing

OPEN = Compared(
    new="today",
    old="yesterday",
    verdict="open",
    difference=0.26,
    interval=(-0.1, 0.45),
    deals=35,
    max_deals=1000,
    games=280,
    alpha=0.05,
    margin=None,
)


def test_the_interval_is_a_bar_on_an_axis_marked_at_nothing() -> None:
    """From -0.5 to +0.5 a character is a fiftieth of a point, and 0 is the 26th."""
    bar = "·" * 20 + "━" * 5 + "┿" + "━" * 12 + "●" + "━" * 9 + "·" * 3
    assert axis(OPEN) == f"-0.5 {bar} +0.5"


@pytest.mark.parametrize(
    ("interval", "ends"),
    [((-1.0, 1.0), "1"), ((-0.02, 0.03), "0.05"), ((0.3, 0.49), "0.5"), ((-0.6, 0.1), "1")],
)
def test_the_axis_is_the_shortest_that_holds_the_interval(
    interval: tuple[float, float], ends: str
) -> None:
    shown = axis(replace(OPEN, interval=interval, difference=sum(interval) / 2))
    assert shown.startswith(f"-{ends} ")
    assert shown.endswith(f" +{ends}")
    assert len(shown.split(" ")[1]) == 51


def test_a_margin_is_marked_on_either_side() -> None:
    bar = axis(replace(OPEN, margin=0.4)).split(" ")[1]
    assert [at for at, mark in enumerate(bar) if mark in "│┿"] == [5, 25, 45]


def test_the_words_say_how_much_how_sure_and_from_how_many_games() -> None:
    assert words(replace(OPEN, alpha=0.01)) == [
        "today less yesterday: +0.260 points a game",
        "99 %: -0.100 to +0.450, after 35 of at most 1,000 deals, 280 games",
    ]


def test_before_the_first_deal_there_is_no_interval_yet() -> None:
    data = {
        "compare": {},
        "games": [{"game": "pitch", "seats": 2, "deals": 5}],
        "bots": [{"name": name, "path": "bots/random_bot.py"} for name in ("new", "old", "other")],
    }
    hearing = Hearing(resolve_config(data, Path("compare")), lambda _: None)
    assert news_of(hearing)() == [
        "no deal counts yet: one does when both bots have played it in every seat"
    ]


def test_the_verdict_is_a_sentence() -> None:
    assert verdict_line(replace(OPEN, verdict="better")) == "today is better than yesterday"
    assert verdict_line(replace(OPEN, verdict="worse")) == "today is worse than yesterday"
    assert verdict_line(replace(OPEN, verdict="close", margin=0.05)) == (
        "today is neither better nor worse than yesterday by 0.05 points"
    )
    assert verdict_line(OPEN) == "not clear yet: today may be better or worse than yesterday"
    assert verdict_line(replace(OPEN, deals=1000)) == (
        "not clear: today may be better or worse than yesterday"
    )
