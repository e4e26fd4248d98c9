"""The command line: parse, call, print. What a command does lives in the room that it names.

``play`` has the commands that start bots, ``look`` those that look at what was played, ``author``
those for who writes bots. Heavy modules are imported inside the commands, so that
``referee --help`` answers at once.
"""

from referee.cli.app import main

__all__ = ["main"]
