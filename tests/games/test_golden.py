"""Golden playthroughs: one whole game of each kind, kept byte for byte.

A game's file holds its smallest table, a fixed deal, and choices that were once made at random: a
line for what is told before the first decision, one for each step (what was chosen, and what
followed), and the outcome. The choices are played again, so nothing but the rules and the shuffle
can change a byte; if one changes, records made before are no longer verified, so it must be meant.
To make the files anew: ``python -m tests.games.test_golden``, and read the difference.
"""

from collections.abc import Iterable, Mapping
from pathlib import Path

import msgspec
import pytest

from referee.cards import shuffle_of
from referee.games.game import Choice, Game, State, Told, games
from tests.games.test_contract import playthrough

GOLDEN = Path(__file__).parent / "golden"
SHORT = {"max_hands": 2, "max_discards": 25}
"""Caps that keep the files small."""
SHUFFLE = shuffle_of(bytes(32))


class Step(msgspec.Struct):
    """The part of a line that is an input."""

    choices: dict[int, Choice]


def caps_of(game: Game) -> dict[str, object]:
    return {cap: most for cap, most in SHORT.items() if cap in game.rules_type.__struct_fields__}


def lines_of(steps: Iterable[tuple[State, Mapping[int, Choice], list[Told]]]) -> list[bytes]:
    lines = []
    for state, choices, told in steps:
        lines.append(msgspec.json.encode({"choices": choices, "told": told}))
        if state.outcome is not None:
            lines.append(msgspec.json.encode(state.outcome))
    return lines


def play(game: Game) -> list[bytes]:
    """Play a golden game anew, at random."""
    return lines_of(playthrough(game, game.seats[0], caps_of(game), SHUFFLE, seed=1))


def replay(game: Game, lines: list[bytes]) -> list[bytes]:
    """Play a golden game again with the choices of its lines."""
    seats = game.seats[0]
    state = game.start(seats, game.rules(caps_of(game), seats), SHUFFLE)
    first: tuple[State, dict[int, Choice], list[Told]] = (state, {}, state.opening)
    chosen = [msgspec.json.decode(line, type=Step).choices for line in lines[1:-1]]
    return lines_of([first]) + lines_of(
        (state, choices, state.apply(choices)) for choices in chosen
    )


@pytest.mark.parametrize("name", sorted(games()))
def test_a_game_plays_as_it_always_has(name: str) -> None:
    path = GOLDEN / f"{name}.jsonl"
    assert path.exists(), f"{name} has no golden playthrough: python -m tests.games.test_golden"
    lines = path.read_bytes().splitlines()
    assert replay(games()[name], lines) == lines


def test_there_is_no_golden_playthrough_without_its_game() -> None:
    assert {path.stem for path in GOLDEN.glob("*.jsonl")} == set(games())


if __name__ == "__main__":
    for name, game in games().items():
        (GOLDEN / f"{name}.jsonl").write_bytes(b"".join(line + b"\n" for line in play(game)))
