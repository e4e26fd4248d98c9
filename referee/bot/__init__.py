"""One bot process: start it, ask it within a deadline, stop it for good.

``wire`` frames lines over a pair of pipes, ``stream`` keeps what is said beside them, ``watchdog``
wakes whoever waits past a deadline, ``ticker`` whoever waits in the kernel, ``meter`` counts,
``ask`` puts questions to bots and judges what comes back, ``process`` starts and stops. Nothing
here knows a game. The invariant: a bot's fault is a value, never an exception, and nothing that a
bot does can block the referee.
"""

from referee.bot.ask import Question, Verdict, ask
from referee.bot.process import Bot
from referee.bot.watchdog import Watchdog

__all__ = ["Bot", "Question", "Verdict", "Watchdog", "ask"]
