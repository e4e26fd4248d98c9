"""The conformance course: one bot, every game asked for, what is wrong and how to mend it.

``stand_in`` has the bots of the other seats, ``transcript`` hears every line of the bot that is
checked, ``stages`` says what is played, ``course`` plays it, ``situations`` finds in the records
what was special, and ``suspects`` recognise their own work in the ``evidence``. The bot is started,
asked and judged by the very same code as in a run.
"""

from referee.check.course import check_bot
from referee.check.report import Report, Step

__all__ = ["Report", "Step", "check_bot"]
