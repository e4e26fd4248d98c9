"""Who is stronger, and how sure that is: a function of the results alone.

``points`` has the points of a game and the units of luck, ``means`` means with intervals,
``student`` the t distribution; ``rows``, ``pairs``, ``ratings`` and ``integrity`` what is said of
bots and seats; ``tables`` puts all of it together. No files, no terminal, no clock; the invariant
is that the order of results changes no byte.
"""

from referee.tournament.standings.integrity import AtSeat, Together
from referee.tournament.standings.pairs import Crosstable, Pair
from referee.tournament.standings.points import Played
from referee.tournament.standings.rows import Row, TimeUse
from referee.tournament.standings.tables import EntryTable, Tables, tables
from referee.tournament.standings.tally import Tally

__all__ = [
    "AtSeat",
    "Crosstable",
    "EntryTable",
    "Pair",
    "Played",
    "Row",
    "Tables",
    "Tally",
    "TimeUse",
    "Together",
    "tables",
]
