"""Whether a game is fair to its seats, and which bots play oddly well together.

Games in which anybody forfeited are left out of both.
"""

import math
from collections import defaultdict
from collections.abc import Mapping, Sequence
from itertools import permutations

import msgspec

from referee.tournament.standings.means import Interval, Mean, mean_of, mean_within
from referee.tournament.standings.points import Bots, Unit, bots_of
from referee.tournament.standings.ratings import Rating, expected_points
from referee.tournament.standings.student import t_cdf

CHANCE = 0.01
"""How likely it is at most that any honest two are named in a run."""
FEWEST_UNITS = 5


class AtSeat(msgspec.Struct, frozen=True, kw_only=True):
    """The points a game at a seat, of whoever sat there or of one bot; 0.5 is fair."""

    game: str
    seats: int
    seat: int
    points: float
    interval: Interval
    games: int


class Together(msgspec.Struct, frozen=True, kw_only=True):
    """A bot that does better beside another than strength explains; worth a look, no proof.

    ``beside`` and ``elsewhere`` are its points a game above what the ratings at its tables
    promise. ``chance`` is how likely so large a gap is, times the pairs that were looked at.
    """

    game: str
    bot: str
    versus: str
    beside: float
    elsewhere: float
    chance: float


def seat_advantage(game: str, units: Sequence[Unit]) -> list[AtSeat]:
    """Return a line a seat, for the units of a game at one number of seats."""
    means: dict[int, dict[Bots, list[float]]] = defaultdict(lambda: defaultdict(list))
    games = 0
    for unit in units:
        clean = [played.points for played in unit if not played.game.forfeited]
        games += len(clean)
        for seat, won in enumerate(zip(*clean, strict=True)):
            means[seat][bots_of(unit)].append(math.fsum(won) / len(won))
    lines = []
    for seat, by_table in means.items():
        mean = mean_within(by_table.values())
        line = AtSeat(
            game=game,
            seats=len(means),
            seat=seat,
            points=mean.mean,
            interval=mean.interval,
            games=games,
        )
        lines.append(line)
    return lines


def worth_a_look(
    units: Mapping[str, Sequence[Unit]], ratings: Mapping[str, Mapping[str, Rating]]
) -> list[Together]:
    """Return the bots that play oddly well together, the oddest first; units and ratings by game.

    For every bot and every other: its points in the units with the other against those without,
    each less what the ratings promise; by Welch's t, one-sided, with Bonferroni's factor for all
    the pairs that can be looked at (at least five units with and five without).
    """
    found = []
    looked_at = 0
    for game, played in units.items():
        surprises = _surprises(played, ratings[game])
        for bot, versus in permutations(sorted(surprises), 2):
            beside = [by for table, by in surprises[bot] if versus in table]
            elsewhere = [by for table, by in surprises[bot] if versus not in table]
            if min(len(beside), len(elsewhere)) < FEWEST_UNITS:
                continue
            looked_at += 1
            one, other = mean_of(beside, lowest=-1), mean_of(elsewhere, lowest=-1)
            found.append((_chance_of_gap(one, other), game, bot, versus, one.mean, other.mean))
    return [
        Together(
            game=game,
            bot=bot,
            versus=versus,
            beside=beside,
            elsewhere=elsewhere,
            chance=chance * looked_at,
        )
        for chance, game, bot, versus, beside, elsewhere in sorted(found)
        if chance * looked_at < CHANCE
    ]


def _surprises(
    units: Sequence[Unit], ratings: Mapping[str, Rating]
) -> dict[str, list[tuple[Bots, float]]]:
    """Return for each bot its units: who sat there, and its points above what was promised."""
    found: dict[str, list[tuple[Bots, float]]] = defaultdict(list)
    for unit in units:
        won: dict[str, list[float]] = defaultdict(list)
        for game, points in unit:
            if not game.forfeited:
                for bot, by in zip(game.bots, points, strict=True):
                    won[bot].append(by)
        table = bots_of(unit)
        for bot, each in won.items():
            others = [ratings[other].rating for other in sorted(won) if other != bot]
            promised = expected_points(ratings[bot].rating, others)
            found[bot].append((table, math.fsum(each) / len(each) - promised))
    return found


def _chance_of_gap(one: Mean, other: Mean) -> float:
    """Return how likely the first mean is to lie so far above the second if both are equal."""
    variance = one.variance + other.variance
    dof = variance**2 / (one.variance**2 / one.dof + other.variance**2 / other.dof)
    return t_cdf((other.mean - one.mean) / math.sqrt(variance), dof)
