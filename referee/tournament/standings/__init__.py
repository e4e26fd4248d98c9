"""Who is stronger, and how sure that is: a function of the results alone.

``points`` has the points of a game and means with intervals, ``tables`` the rows and the pairs,
``student`` the t distribution. No files, no terminal, no clock.
"""

from referee.tournament.standings.tables import Pair, Played, Row, Tables, TimeUse, tables

__all__ = ["Pair", "Played", "Row", "Tables", "TimeUse", "tables"]
