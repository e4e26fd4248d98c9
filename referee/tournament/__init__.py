"""Many games: from a config to standings that can be trusted.

``config`` and ``schedule`` say what is played, ``prepare`` makes or finds the run of a config,
``runner`` plays it, ``store`` keeps it on disk, ``results`` and ``standings`` look at it. Knows the
table and below; ``show`` and ``cli`` may import it. The invariant: results are the same whatever
the concurrency and the interruptions.
"""
