"""The specialists and the strong bots, on real states: legal whatever happens, and repeatable."""

import json
import random
from collections.abc import Iterable
from importlib import import_module
from typing import Any, Protocol

import msgspec
import pytest

from referee.cards import deal_seed, shuffle_of
from referee.games.game import Choice, Game, Option, Outcome, RulesError, Told, games
from referee.protocol import Clock, Start, Turn, encode

CLOCK = Clock(100, 20_000)
PLAYS = 40
"""Cards played in imagination for a decision, so few that whole games take a moment."""
OPTIONS: dict[str, dict[str, list[object]]] = {
    "oh_hell": {
        "hands": ["up", "down", "up_down", "down_up"],
        "hook": [False, True],
        "bidding": ["in_turn", "simultaneous"],
        "must_trump": [False, True],
        "missed": ["nothing", "tricks"],
        "zero_bid": ["ten", "five_plus_hand"],
    },
    "pitch": {
        "target": [3, 7],
        "teams": [False, True],
        "steal": [False, True],
        "win_needs_made_bid": [False, True],
        "max_hands": [8],
    },
    "i_doubt_it": {"doubt": ["together", "first"], "max_discards": [60]},
    "cancellation_hearts": {"target": [1, 150], "max_hands": [2]},
}
"""Values of the options that are worth trying; caps keep games short."""


class Player(Protocol):
    def choose(self, turn: dict[str, Any]) -> list[Any]: ...


def tables() -> list[Any]:
    """Every bot at every table size, with options drawn by a fixed seed."""
    rng = random.Random(6)
    found = []
    for name, options in OPTIONS.items():
        for kind in ("specialist", "strong"):
            for seats in games()[name].seats:
                drawn = draw(games()[name], seats, options, rng)
                found.append(pytest.param(name, kind, seats, drawn, id=f"{name}-{kind}-{seats}"))
    return found


def draw(
    game: Game, seats: int, options: dict[str, list[object]], rng: random.Random
) -> dict[str, object]:
    while True:
        drawn = {option: rng.choice(values) for option, values in options.items()}
        try:
            game.rules(drawn, seats)
        except RulesError:
            continue
        return drawn


def start(bot: str, game: Game, rules: Any, seats: int, seat: int) -> Player:
    """Sit a bot down, as its `start` message would."""
    line = encode(Start(game.name, rules, seats, seat, None, 7 + seat, CLOCK))
    player: Player = import_module(f"bots.{bot}").Player(json.loads(line))
    return player


def play(game: Game, options: dict[str, object], bots: list[str], slips: float = 0.0) -> Outcome:
    """Play a whole game, every answer judged as the referee judges it.

    So often as ``slips`` says, the referee makes a choice of its own in a bot's stead, as it does
    after a fault.
    """
    seats = len(bots)
    rng = random.Random(1)
    rules = game.rules(options, seats)
    shuffle = shuffle_of(deal_seed(bytes(32), game.name, seats, 1))
    state = game.start(seats, rules, shuffle)
    players = [start(bot, game, rules, seats, seat) for seat, bot in enumerate(bots)]
    unheard: list[list[msgspec.Raw]] = [[] for _ in bots]

    def tell(told: Iterable[Told]) -> None:
        for to, event in told:
            for seat in range(seats) if to is None else to:
                unheard[seat].append(msgspec.Raw(msgspec.json.encode(event)))

    tell(state.opening)
    while state.decisions:
        choices = {}
        for seat, decision in state.decisions.items():
            choose: list[Option] = decision.default
            if not decision.is_forced:
                line = encode(Turn(1, unheard[seat], state.view(seat), decision, CLOCK))
                unheard[seat] = []
                answer = players[seat].choose(json.loads(line))
                assert decision.objection(answer) is None
                if rng.random() >= slips:
                    choose = answer
            choices[seat] = Choice(choose)
        tell(state.apply(choices))
    assert state.outcome is not None
    return state.outcome


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the strong bots imagine little."""
    for name in OPTIONS:
        module = import_module(f"bots.{name}_strong")
        if hasattr(module, "PLAYS"):
            monkeypatch.setattr(module, "PLAYS", PLAYS)
            monkeypatch.setattr(module, "FEWEST_DEALS", 1)


@pytest.mark.parametrize(("name", "kind", "seats", "options"), tables())
def test_whole_games_are_played_legally_whatever_the_rules_and_the_others(
    name: str, kind: str, seats: int, options: dict[str, object]
) -> None:
    """Also after choices that the referee made in its stead, and in others' stead."""
    play(games()[name], options, [f"{name}_{kind}"] * seats, slips=0.1)


@pytest.mark.parametrize("kind", ["specialist", "strong"])
@pytest.mark.parametrize("name", OPTIONS)
def test_a_game_is_the_same_when_it_is_played_again(name: str, kind: str) -> None:
    """The answers follow from what a bot is sent and from its seed."""
    game = games()[name]
    seats = game.seats[0]
    options = draw(game, seats, OPTIONS[name], random.Random(7))
    bots = [f"{name}_{kind}"] * seats
    assert play(game, options, bots) == play(game, options, bots)
