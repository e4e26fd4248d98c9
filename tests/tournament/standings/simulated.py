"""Games between simulated bots of known strength, and games that are written down by hand."""

from collections.abc import Mapping, Sequence
from random import Random

from referee.games.game import ranks as rank
from referee.protocol import Reason
from referee.record.result import GameResult, SeatFault, Times
from referee.tournament.standings import Played
from referee.tournament.standings.points import Unit, units_by_entry

LUCK = 1.0
"""How much a deal's cards are worth to the seat that has them, beside a strength of 1."""
CHANCE = 0.7
"""How much a bot's own chance is worth in a game."""


def game(
    bots: Sequence[str],
    ranks: Sequence[int],
    *,
    deal: int = 1,
    forfeited: Sequence[int] = (),
    scores: Sequence[int] = (),
    faults: Sequence[tuple[int, Reason]] = (),
    capped: bool = False,
    times: Sequence[Times] = (),
) -> GameResult:
    """Return a game's result; scores are those that fit the ranks unless given."""
    return GameResult(
        deal=deal,
        bots=list(bots),
        scores=list(scores) or [len(bots) - place for place in ranks],
        ranks=list(ranks),
        forfeited=list(forfeited),
        capped=capped,
        faults=[SeatFault(seat, reason, "") for seat, reason in faults],
        decisions=10,
        times=list(times) or [Times() for _ in bots],
    )


def played_deal(
    bots: Sequence[str], strengths: Mapping[str, float], deal: int, rng: Random
) -> list[GameResult]:
    """Play a deal in all rotations: its luck belongs to the seats and is the same in each."""
    seats = len(bots)
    luck = [rng.gauss(0, LUCK) for _ in bots]
    found = []
    for rotation in range(seats):
        held = [bots[(seat + rotation) % seats] for seat in range(seats)]
        scores = [
            round(strengths[bot] + luck[seat] + rng.gauss(0, CHANCE), 1)
            for seat, bot in enumerate(held)
        ]
        found.append(game(held, rank(scores), deal=deal))
    return found


def played_units(
    bots: Sequence[str], strengths: Mapping[str, float], deals: int, rng: Random
) -> list[Unit]:
    """Play some deals of a table in all rotations; return their units."""
    results = [
        Played(1, 1, each)
        for deal in range(1, deals + 1)
        for each in played_deal(bots, strengths, deal, rng)
    ]
    return units_by_entry(results)[1]
