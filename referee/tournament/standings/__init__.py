"""Who is stronger, and how sure that is: a function of the results alone.

``points`` has the points of a game and the units of luck, ``means`` means with intervals,
``student`` the t distribution; ``rows``, ``pairs``, ``ratings`` and ``integrity`` what is said of
bots and seats; ``tables`` puts all of it together. No files, no terminal, no clock; the invariant
is that the order of results changes no byte.
"""

from referee.tournament.standings.pairs import Pair
from referee.tournament.standings.points import Played
from referee.tournament.standings.rows import Row, TimeUse
from referee.tournament.standings.tables import Tables, tables

__all__ = ["Pair", "Played", "Row", "Tables", "TimeUse", "tables"]
