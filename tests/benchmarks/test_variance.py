"""The benchmark of seatings plays in process what bots really play."""

from itertools import combinations
from pathlib import Path

import msgspec
import pytest

from bots import greedy_bot
from referee.match import make_match, play
from referee.protocol import TimeControl
from referee.tournament.standings.points import points
from tests.benchmarks import variance


@pytest.mark.parametrize("game", ["i_doubt_it", "pitch"])
def test_a_game_in_process_is_the_one_that_processes_play(game: str) -> None:
    bot = Path(greedy_bot.__file__)
    match = make_match(
        game,
        [bot] * 3,
        options=(),
        time=TimeControl(),
        deals=1,
        seed=None,
        sandbox="off",
    )
    match = msgspec.structs.replace(match, secret=variance.SECRET)
    (played,) = play(match, force=False, trace=None).games
    assert variance._play(game, 1, ("plain",) * 3) == points(played)


def test_equal_bots_that_exchange_their_seats_differ_by_nothing() -> None:
    """The fifth at a table of six plays as the first does, the sixth as the second."""
    pairs = dict(zip(combinations(range(6), 2), variance._exchanged("pitch", 6, 3), strict=True))
    assert pairs[0, 4] + pairs[1, 5] == pytest.approx([0] * 6)
    assert any(pairs[0, 3])
