"""The games: pure rules, a file a game.

No input or output, no clock, no bots, and no randomness but the deal seed. A game knows ``cards``
and the contract in ``game``; nothing here imports anything else of the referee, and no game
imports another. The invariant: the same seed and the same choices give the same events, always.
"""
