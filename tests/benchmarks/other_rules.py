"""Random play of other people's games, driven from Python: ``other_rules.py NAME BATCHES``.

Prints microseconds a decision, batch by batch of games. An interpreter that has the libraries runs
it; it is no part of the package, and needs nothing of it.
"""

import random
import sys
from collections.abc import Iterator
from time import perf_counter

BATCH = 20
"""Games that count together: uno's are of very different lengths."""


def open_spiel(games: int) -> Iterator[tuple[float, int]]:
    """Play OpenSpiel's oh_hell, from the deal on: four seats, twelve cards each.

    (With thirteen there is no card left to turn up, and its deal fails.)
    """
    import pyspiel  # type: ignore[import-not-found]  # noqa: PLC0415 there it may be

    game = pyspiel.load_game("oh_hell(players=4,num_tricks_fixed=12)")
    rng = random.Random(0)
    for _ in range(games):
        began = perf_counter()
        state = game.new_initial_state()
        decisions = 0
        while not state.is_terminal():
            if state.is_chance_node():
                state.apply_action(rng.choice(state.chance_outcomes())[0])
            else:
                state.apply_action(rng.choice(state.legal_actions()))
                decisions += 1
        yield perf_counter() - began, decisions


def rlcard(games: int) -> Iterator[tuple[float, int]]:
    """Play RLCard's uno with its own random agents."""
    import rlcard as library  # type: ignore[import-not-found]  # noqa: PLC0415 there it may be
    from rlcard.agents import RandomAgent  # type: ignore[import-not-found]  # noqa: PLC0415 as above

    environment = library.make("uno")
    environment.set_agents([RandomAgent(environment.num_actions)] * environment.num_players)
    for _ in range(games):
        began = perf_counter()
        trajectories, _ = environment.run()
        yield perf_counter() - began, sum(len(states) // 2 for states in trajectories)


def main() -> None:
    """Play the games asked for."""
    play = {"open_spiel": open_spiel, "rlcard": rlcard}[sys.argv[1]]
    for _ in range(int(sys.argv[2])):
        seconds, decisions = map(sum, zip(*play(BATCH), strict=True))
        sys.stdout.write(f"{seconds / decisions * 1e6}\n")


main()
