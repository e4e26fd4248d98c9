"""(v) Which seating needs the fewest games: the variance of a difference between two bots.

The example bots are played in process, by their own policies, at each game's typical table. One
deal's games, whatever the seating, are drawn from the same store, so seatings are compared on the
same cards. A design with ``k`` games a deal costs ``k`` games for one observation, so what counts
is the variance of an observation times ``k``: the variance a game. Its gain is against ``once``.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache
from itertools import combinations, permutations
from random import Random
from statistics import fmean, variance

import msgspec

from bots import greedy_bot
from referee.cards import deal_seed, shuffle_of
from referee.games.game import Choice, Decision, Game, Option, View, games, ranks
from referee.record.result import GameResult
from referee.tournament.schedule.seating import places
from referee.tournament.standings.points import points
from tests.benchmarks.report import Report

SECRET = bytes(32)
STYLES = ("plain", "bold", "careful", "random")
"""Who sits at a table, from the first place on, and again from the first where there are more."""
DEALS = {"cancellation_hearts": 300, "i_doubt_it": 600, "oh_hell": 600, "pitch": 1200}
MOST_ORDERS = 24
"""Every order of the seats is played where there are no more than that."""
GAPS = (0.05, 0.1)
"""Differences in points a game of which the report says how many games they need."""
POWER = (1.96 + 0.84) ** 2
"""Times the variance a game, over the gap squared: games until 80 % of the 95 % intervals exclude
a difference of none."""

Places = tuple[int, ...]
"""Which bot, by its place in the field, each seat holds."""
Design = Callable[[int, int], list[Places]]
"""The orders in which a deal is played, for a number of seats and the deal's number from 0."""


def answer(game: Game, style: str, seat: int, decision: Decision, view: View, rng: Random) -> list[Option]:
    """Answer as the example bot would."""
    if style == "random":
        options = decision.options
        if decision.kind in ("bid", "doubt") and rng.random() < 0.8:
            options = decision.default
        return rng.sample(options, rng.randint(decision.min, min(decision.max, len(options))))
    turn = greedy_bot.Message(
        decision=decision,
        view=greedy_bot.parse(msgspec.json.encode(view).decode()),
        me=seat,
        nerve=greedy_bot.STYLES[style],
    )
    return greedy_bot.POLICIES[game.name, decision.kind](turn)


def play(game: Game, deal: int, styles: Sequence[str]) -> list[float]:
    """Play a deal with a style in each seat; return the points by seat."""
    seats = len(styles)
    shuffle = shuffle_of(deal_seed(SECRET, game.name, seats, deal))
    state = game.start(seats, game.rules({}, seats), shuffle)
    rng = Random(deal)
    while state.decisions:
        state.apply(
            {
                seat: Choice(
                    decision.default
                    if decision.is_forced
                    else answer(game, styles[seat], seat, decision, state.view(seat), rng)
                )
                for seat, decision in state.decisions.items()
            }
        )
    assert state.outcome is not None
    return points(
        GameResult(deal, list(styles), [], state.outcome.ranks, [], capped=False, faults=[], decisions=0, times=[])
    )
