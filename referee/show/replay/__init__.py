"""A logged game, played back.

``narrate`` tells a record as a card player reads it, from its events alone and knowing no rules;
``terminal`` steps through it. Telling a part of a record is telling its first lines, so going back
is as quick as going on.
"""

from referee.show.replay.narrate import narrate
from referee.show.replay.terminal import replay_plain, replay_terminal

__all__ = ["narrate", "replay_plain", "replay_terminal"]
