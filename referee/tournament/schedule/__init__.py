"""Who meets whom, in which seats, with which deals.

Pure and lazy: no files, no clock, no bots but their names. A schedule is a function of the entries'
numbers and names alone, so it is the same on every machine and after every interruption, and its
games can be counted and numbered without being listed.
"""

from referee.tournament.schedule.arms import Arms
from referee.tournament.schedule.balance import Balance, Spread
from referee.tournament.schedule.plan import (
    Block,
    Counts,
    Entry,
    Schedule,
    Series,
    propose_rounds,
)
from referee.tournament.schedule.rounds import equal_rounds
from referee.tournament.schedule.seating import Seating, rotations
from referee.tournament.schedule.shard import WHOLE, Shard

__all__ = [
    "WHOLE",
    "Arms",
    "Balance",
    "Block",
    "Counts",
    "Entry",
    "Schedule",
    "Seating",
    "Series",
    "Shard",
    "Spread",
    "equal_rounds",
    "propose_rounds",
    "rotations",
]
