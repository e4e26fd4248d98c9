"""Engines: where the series of a run are played.

An engine is given series and gives back what became of them. It knows no run: no folder, no
secret, no schedule; the runner, which has those, is the only one that uses it.
"""

from referee.tournament.engine.engine import Engine
from referee.tournament.engine.errors import EngineError, EngineGoneError
from referee.tournament.engine.open import check_engine, open_engine

__all__ = ["Engine", "EngineError", "EngineGoneError", "check_engine", "open_engine"]
