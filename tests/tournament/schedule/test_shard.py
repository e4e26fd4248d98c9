"""Shards are parts of a schedule: nothing in common, all of it together, whole blocks."""

from collections import Counter

import pytest

from referee.tournament.schedule import WHOLE, Entry, Schedule, Shard


@pytest.fixture
def schedule() -> Schedule:
    return Schedule([Entry("pitch", 3, 5, tuple("abcd"))], "rotate", None, 2)


@pytest.mark.parametrize("of", [1, 2, 5, 12, 20])
def test_every_block_is_in_just_one_shard(schedule: Schedule, of: int) -> None:
    shards = [Shard(number, of) for number in range(1, of + 1)]
    blocks = [list(shard.blocks(schedule)) for shard in shards]
    parts = Counter(block.first_game for part in blocks for block in part)
    assert parts == Counter(block.first_game for block in schedule.blocks())
    assert max(map(len, blocks)) - min(map(len, blocks)) <= 1
    assert sum(shard.games(schedule) for shard in shards) == schedule.games == 60


def test_games_can_be_counted_among_some_series(schedule: Schedule) -> None:
    some = {"1-1-0-1", "1-1-1-1", "1-2-0-3"}
    assert WHOLE.games(schedule, some.__contains__) == 2 + 2 + 1
    assert Shard(1, 2).games(schedule, some.__contains__) == 2 + 2


@pytest.mark.parametrize("text", ["1/1", "2/4", "4/4"])
def test_a_shard_is_read_as_it_is_written(text: str) -> None:
    shard = Shard.parse(text)
    assert f"{shard.number}/{shard.of}" == text


@pytest.mark.parametrize(
    "text",
    ["", "2", "0/4", "5/4", "-1/4", "1/4/2", "a/b", "1.5/4", "1/0", "1/99999999999999999999"],
)
def test_what_is_no_shard_is_refused_in_one_line(text: str) -> None:
    with pytest.raises(ValueError, match=r"it may be K/N with K from 1 to N, such as 2/4"):
        Shard.parse(text)
