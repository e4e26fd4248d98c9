"""(v) Which seating needs the fewest games: the variance of a difference between two bots.

The example bots are played in process, by their own policies, at each game's typical table. All
seatings play the same deals. One with ``k`` games a deal pays ``k`` games for one observation, so
what counts is the variance of an observation times ``k``, the variance a game; a seating's gain is
that of ``once``, in which every deal is played once, over its own: above 100 % it needs fewer
games. Two exchanged serves those two alone, the others serve all bots of a table at once.
"""

from collections.abc import Callable, Iterable, Sequence
from functools import cache, partial
from itertools import combinations
from random import Random
from statistics import covariance, fmean, variance
from typing import cast

import msgspec

from bots import greedy_bot
from referee.cards import deal_seed, shuffle_of
from referee.games.game import Choice, Decision, Option, View, find_game, games
from referee.record.result import GameResult
from referee.tournament.schedule.seating import Seating, places, rotations
from referee.tournament.standings.points import points
from tests.benchmarks.report import Report

SECRET = bytes(32)
STYLES = ("plain", "bold", "careful", "random")
"""Who sits at a table; where there are more seats, from the first one on again."""
DEALS, LARGE_TABLES_DEALS, QUICK_DEALS = 300, 100, 5
SMALL_TABLE = 4
"""Up to so many seats every order is played; six seats would have 720."""
GAPS = (0.05, 0.1)
"""Differences in points a game of which the report says how many games they need."""
POWER = (1.96 + 0.84) ** 2
"""Times the variance a game over the gap squared: so many games, and in 80 % of such tournaments
the 95 % interval leaves a difference of none outside."""

Places = tuple[int, ...]
"""Which bot, by its place in the field, each seat holds."""
Orders = Callable[[int], list[Places]]
"""The orders in which a deal, by its number from 0, is played."""
Pairs = list[list[float]]
"""For each two bots, in the order of ``combinations``, their difference in points, a deal each."""


def run(*, quick: bool = False) -> Report:
    """Measure every game that there is at its typical number of seats."""
    report = Report(
        part="v",
        title="variance of a difference between two bots, and games that a gap needs",
        columns=["game", "seats", "seating", "games a deal", "variance a game", "gain, %"]
        + [f"games for {gap}" for gap in GAPS],
    )
    for name, game in games().items():
        seats = game.typical_seats
        deals = DEALS if seats <= SMALL_TABLE else LARGE_TABLES_DEALS
        _measure(report, name, seats, QUICK_DEALS if quick else deals)
    return report


def _measure(report: Report, game: str, seats: int, deals: int) -> None:
    baseline = 0.0

    def found(seating: str, games_a_deal: int, pairs: Pairs) -> None:
        nonlocal baseline
        # Equal bots are left out: they differ by nothing where they exchange their seats.
        two = combinations([STYLES[bot % len(STYLES)] for bot in range(seats)], 2)
        unequal = [pair for pair, (one, other) in zip(pairs, two, strict=True) if one != other]
        a_game = fmean(map(variance, unequal)) * games_a_deal
        baseline = baseline or a_game
        needed = [round(POWER * a_game / gap**2) for gap in GAPS]
        gain = 100 * baseline / a_game
        report.rows.append([game, seats, seating, games_a_deal, a_game, gain, *needed])

    # Every game of the rotations, as if each were of a deal of its own.
    found("once", 1, _single_games(game, seats, deals))
    for name, orders in _seatings(seats).items():
        found(name, len(orders(0)), _differences(game, deals, orders))
    found("two exchanged", 2, _exchanged(game, seats, deals))
    controlled, weight = _controlled(game, seats, deals)
    found(f"once, control variate x {weight:.2f}", 1, controlled)


def _seatings(seats: int) -> dict[str, Orders]:
    kept: tuple[Seating, ...] = ("rotate", "square")
    found: dict[str, Orders] = {seating: partial(_orders, seating, seats) for seating in kept}
    found["rotate, both ways round"] = lambda deal: [
        order for one in found["rotate"](deal) for order in (one, one[::-1])
    ]
    if seats <= SMALL_TABLE:
        found["all"] = partial(_orders, "all", seats)
    return found


def _orders(seating: Seating, seats: int, deal: int) -> list[Places]:
    return [places(seating, seats, 0, deal, turn) for turn in range(rotations(seating, seats))]


def _differences(game: str, deals: int, orders: Orders) -> Pairs:
    """Return the mean difference of a deal's games."""
    return _paired(
        [
            [
                fmean(each)
                for each in zip(
                    *(_points(game, deal, order) for order in orders(deal)), strict=True
                )
            ]
            for deal in range(deals)
        ]
    )


def _single_games(game: str, seats: int, deals: int) -> Pairs:
    """Return the differences of all games of the rotations, each as if of a deal of its own."""
    return _paired(
        _points(game, deal, order)
        for deal in range(deals)
        for order in _orders("rotate", seats, deal)
    )


def _exchanged(game: str, seats: int, deals: int) -> Pairs:
    """Return the mean difference of two games, the second with the two bots' seats exchanged."""
    found = []
    for one, other in combinations(range(seats), 2):
        differences = []
        for deal in range(deals):
            (order,) = _orders("once", seats, deal)
            swapped = tuple({one: other, other: one}.get(bot, bot) for bot in order)
            before, after = _points(game, deal, order), _points(game, deal, swapped)
            differences.append((before[one] - before[other] + after[one] - after[other]) / 2)
        found.append(differences)
    return found


def _controlled(game: str, seats: int, deals: int) -> tuple[Pairs, float]:
    """Return the differences of single games less a weight times those of a reference player.

    It plays the same deal in every seat; what it makes of the two bots' hands differs by nothing
    on average, since the seats go round. The weight of one half of the deals is that which serves
    the other half best; the mean of both is returned.
    """
    orders = [_orders("once", seats, deal)[0] for deal in range(deals)]
    plain = _paired(_points(game, deal, order) for deal, order in enumerate(orders))
    reference = _paired(
        _by_bot(order, _play(game, deal, (STYLES[0],) * seats)) for deal, order in enumerate(orders)
    )
    weights = [
        fmean(
            covariance(ours[half::2], theirs[half::2])
            for ours, theirs in zip(plain, reference, strict=True)
        )
        / fmean(variance(theirs[half::2]) for theirs in reference)
        for half in (1, 0)
    ]
    controlled = [
        [
            by - weights[deal % 2] * control
            for deal, (by, control) in enumerate(zip(ours, theirs, strict=True))
        ]
        for ours, theirs in zip(plain, reference, strict=True)
    ]
    return controlled, fmean(weights)


def _paired(points_by_bot: Iterable[Sequence[float]]) -> Pairs:
    """Return the differences of each two bots, from the points of all in each observation."""
    observations = ([one - other for one, other in combinations(won, 2)] for won in points_by_bot)
    return [list(pair) for pair in zip(*observations, strict=True)]


def _points(game: str, deal: int, order: Places) -> list[float]:
    """Return the points of a game by bot; those of equal bots differ as their seats do."""
    styles = tuple(STYLES[bot % len(STYLES)] for bot in order)
    return _by_bot(order, _play(game, deal, styles))


def _by_bot(order: Places, by_seat: Sequence[float]) -> list[float]:
    return [by_seat[order.index(bot)] for bot in range(len(order))]


@cache
def _play(name: str, deal: int, styles: tuple[str, ...]) -> list[float]:
    """Play a deal with a style in each seat; return the points by seat."""
    game = find_game(name)
    seats = len(styles)
    shuffle = shuffle_of(deal_seed(SECRET, name, seats, deal))
    state = game.start(seats, game.rules({}, seats), shuffle)
    rng = Random(f"{deal} {styles}")
    while state.decisions:
        choices = {}
        for seat, decision in state.decisions.items():
            choose = decision.default
            if not decision.is_forced:
                choose = _answer(name, styles[seat], seat, decision, state.view(seat), rng)
            choices[seat] = Choice(choose)
        state.apply(choices)
    assert state.outcome is not None
    ranks = state.outcome.ranks
    return points(
        GameResult(
            deal, list(styles), [], ranks, [], capped=False, faults=[], decisions=0, times=[]
        )
    )


def _answer(
    game: str, style: str, seat: int, decision: Decision, view: View, rng: Random
) -> list[Option]:
    """Answer as the example bot would."""
    if style == "random":
        quiet = decision.kind in ("bid", "doubt") and rng.random() < 0.8
        options = decision.default if quiet else list(decision.options)
        return rng.sample(options, rng.randint(decision.min, min(decision.max, len(options))))
    turn = greedy_bot.Message(
        decision=decision,
        view=greedy_bot.parse(msgspec.json.encode(view).decode()),
        me=seat,
        nerve=greedy_bot.STYLES[style],
    )
    return cast("list[Option]", greedy_bot.POLICIES[game, decision.kind](turn))
