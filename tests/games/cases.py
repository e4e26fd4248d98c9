"""The worked cases of ``tests/cases``: one small situation each, with its only right answer."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from referee.cards import Shuffle
from referee.games.game import Choice, Game, Option, State

CASES = Path(__file__).parent.parent / "cases"

Case = dict[str, Any]


def cases(game: str, *kinds: str) -> list[Any]:
    """Return the cases of a game of these kinds, as parameters named by their ids."""
    found = [
        case
        for case in json.loads((CASES / f"{game}.json").read_text(encoding="utf-8"))["cases"]
        if case["kind"] in kinds
    ]
    assert found, f"no cases of {kinds} for {game}"
    return [pytest.param(case, id=case["id"]) for case in found]


def choose(state: State, *options: Option, claim: str | None = None) -> list[Any]:
    """Let the one seat that must decide choose these options; return the events that follow."""
    ((seat, decision),) = state.decisions.items()
    assert decision.objection(options) is None
    return [event for _, event in state.apply({seat: Choice(options, claim)})]


def random_playout(
    game: Game, seats: int, options: dict[str, object], shuffle: Shuffle, rng: Any
) -> Iterator[State]:
    """Play at random to the end, yielding the state before each decision and at the end."""
    state = game.start(seats, game.rules(options, seats), shuffle)
    while state.decisions:
        yield state
        choices = {}
        for seat, decision in state.decisions.items():
            count = rng.randint(decision.min, min(decision.max, decision.min + 3))
            choices[seat] = Choice(rng.sample(list(decision.options), count))
        state.apply(choices)
    yield state
