"""The schedule of a comparison: two arms that differ in one bot and in nothing else."""

from itertools import chain

import pytest

from referee.tournament.schedule import Arms, Entry, Series

ENTRY = Entry("pitch", 4, 13, ("new", "old", "a", "b", "c"))
ARMS = Arms(ENTRY, "rotate", 5)


def arms_of(series: list[Series]) -> tuple[list[Series], list[Series]]:
    return [each for each in series if each.table == 1], [each for each in series if each.table > 1]


def test_each_deal_is_played_in_all_rotations_in_both_arms() -> None:
    for block, deals in zip(ARMS.blocks(), (5, 5, 3), strict=True):
        new, old = arms_of(list(block.series()))
        assert [series.rotation for series in new] == [0, 1, 2, 3]
        assert [series.rotation for series in old] == [0, 1, 2, 3]
        assert {series.deals for series in new + old} == {block.deals}
        assert len(block.deals) == deals
    dealt = list(chain.from_iterable(block.deals for block in ARMS.blocks()))
    assert dealt == list(range(1, 14))


def test_the_arms_differ_in_the_one_bot_alone() -> None:
    """The other sits where the one sat, and all that seeds are made of is the same."""
    new, old = arms_of(list(ARMS.series()))
    for one, other in zip(new, old, strict=True):
        swapped = [
            tuple("old" if bot == "new" else bot for bot in seating) for seating in one.seatings
        ]
        assert list(other.seatings) == swapped
        assert one.deals == other.deals
        assert one.place == other.place == (1, 1, one.rotation)
        assert one.id != other.id
        assert {"new", "old"} & {*chain.from_iterable(one.seatings)} == {"new"}


def test_a_bot_sits_in_every_seat_once_a_deal() -> None:
    new, _ = arms_of(list(next(ARMS.blocks()).series()))
    for seatings in zip(*(series.seatings for series in new), strict=True):
        assert sorted(seating.index("new") for seating in seatings) == [0, 1, 2, 3]


def test_games_are_numbered_on_and_found_by_their_numbers() -> None:
    series = list(ARMS.series())
    first_game = 1
    for each in series:
        assert each.first_game == first_game
        first_game += len(each.deals)
        assert ARMS.series_of(each.first_game) == ARMS.series_of(first_game - 1) == each
    assert ARMS.games == first_game - 1 == sum(block.games for block in ARMS.blocks())
    for game in (0, ARMS.games + 1):
        with pytest.raises(IndexError, match=f"no game {game}"):
            ARMS.series_of(game)


def test_counts_are_those_of_both_arms() -> None:
    (counts,) = ARMS.counts
    series = list(ARMS.series())
    assert (counts.tables, counts.blocks, counts.series) == (2, 3, len(series))
    assert counts.games == ARMS.games
    assert ARMS.balance() == [None]
