"""A referee and tournament runner for bots that play card games of hidden information.

Imports point down one list only (``tests/test_arrows.py`` holds it): ``cards`` and ``games`` are
pure rules; ``protocol``, ``bot``, ``record`` and ``table`` play one game; ``tournament`` plays
many; ``show`` is what people look at; ``cli`` is the commands.
"""

__version__ = "0.1.0"
