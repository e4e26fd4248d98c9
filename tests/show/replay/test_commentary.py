"""A game told while it is played is told as its replay tells it."""

import io

import pytest
from rich.console import Console

from referee.show.replay import Watch, replay_plain
from tests.show.replay.recorded import GAMES, recorded


def console() -> Console:
    return Console(file=io.StringIO(), width=100, highlight=False, markup=False, emoji=False)


def text_of(screen: Console) -> str:
    assert isinstance(screen.file, io.StringIO)
    return screen.file.getvalue()


@pytest.mark.parametrize("game", sorted(GAMES))
def test_a_watched_game_reads_as_its_replay(game: str) -> None:
    record = recorded(game)
    watched, replayed = console(), console()
    watch = Watch(watched)
    for line in record:
        watch(line)
    replay_plain(record, replayed)
    assert text_of(watched) == text_of(replayed)


def test_each_line_is_told_as_soon_as_it_is_whole() -> None:
    record = recorded("pitch")
    screen = console()
    watch = Watch(screen)
    told = []
    for line in record:
        watch(line)
        told.append(text_of(screen).count("\n"))
    assert told == sorted(told)
    assert len(set(told)) > 10
