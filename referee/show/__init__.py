"""What people look at: the run as it goes on, standings, schedules, matches, games, replays.

Draws what others have found out and decides nothing; only ``cli`` imports it. The invariant: what
a bot wrote is shown as harmless text.
"""
