"""The conformance course: one bot, every game asked for, what is wrong and how to mend it.

``candidate`` is the bot that is checked, started, asked and judged by the very same code as in a
run; ``transcript`` hears every line of it, and ``stand_in`` has the bots of the other seats.
``stages`` says what is played and ``course`` plays it; ``situations`` finds in the records what was
special, and the ``suspects`` recognise their own work in the ``evidence``.
"""

from referee.check.course import check_bot
from referee.check.report import Report, Step

__all__ = ["Report", "Step", "check_bot"]
