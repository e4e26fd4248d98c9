"""A logged game, played back.

``recording`` reads a record and cuts it into steps, ``narrate`` tells it in words, ``position``
folds its events into what lies on the table, ``board`` draws that; ``plain`` prints a whole game.
``player`` is where a replay on the terminal stands and what keys do, ``keys`` reads them, and
``terminal`` shows it. ``commentary`` tells a game while it is played. All of them know the events
of records and no rules. Every step is told and folded in advance, so going back is going on.
"""

from referee.show.replay.commentary import Watch
from referee.show.replay.plain import replay_plain
from referee.show.replay.terminal import replay_terminal

__all__ = ["Watch", "replay_plain", "replay_terminal"]
