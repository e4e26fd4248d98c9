"""Verdicts that may be looked at after every deal, and acted on, without cheating.

``sequence`` has the confidence sequence, ``comparison`` the verdict of ``referee compare``,
``clear`` when a tournament may stop early. No files, no terminal, no clock; the invariant is that
a false claim is ever made, at any look, with probability alpha at most.
"""

from referee.tournament.anytime.clear import Clear, Until, parse_until
from referee.tournament.anytime.comparison import Comparison, Verdict

__all__ = ["Clear", "Comparison", "Until", "Verdict", "parse_until"]
