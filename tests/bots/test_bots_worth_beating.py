"""The specialists, the strong bots and the one in JavaScript: always legal, and repeatable."""

import ast
import json
import random
import shutil
import subprocess
from collections.abc import Callable, Iterable, Iterator
from importlib import import_module
from itertools import product
from pathlib import Path
from typing import Any, Protocol

import msgspec
import pytest

from bots import (
    cancellation_hearts_strong,
    i_doubt_it_strong,
    oh_hell_strong,
    pitch_strong,
)
from referee.cards import deal_seed, shuffle_of
from referee.games.game import Choice, Game, Option, Outcome, RulesError, Told, games
from referee.protocol import Clock, Start, Turn, decode_answer, decode_ready, encode

BOTS = Path(oh_hell_strong.__file__).parent
CLOCK = Clock(100, 20_000)
NO_TIME = Clock(0, 0)
PLAYS = 40
"""Cards played in imagination for a decision, so few that whole games take a moment."""
IMAGINING = (oh_hell_strong, pitch_strong, cancellation_hearts_strong, i_doubt_it_strong)
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


Sit = Callable[[bytes], Player]
"""Sits a bot down, given its `start` as a line."""


def draw(game: Game, seats: int, rng: random.Random) -> dict[str, object]:
    """Draw options that go together."""
    while True:
        drawn = {option: rng.choice(values) for option, values in OPTIONS[game.name].items()}
        try:
            game.rules(drawn, seats)
        except RulesError:
            continue
        return drawn


def tables(*kinds: str) -> list[Any]:
    """Every bot at every table size, with options drawn by a fixed seed."""
    rng = random.Random(6)
    return [
        pytest.param(
            game, *kind, seats, draw(game, seats, rng), id=f"{name}-{seats}{''.join(kind)}"
        )
        for name, game in games().items()
        if name in OPTIONS
        for kind in product(*([kinds] if kinds else []))
        for seats in game.seats
    ]


def player_of(game: Game, kind: str) -> Sit:
    module = import_module(f"bots.{game.name}_{kind}")
    return lambda line: module.Player(json.loads(line))


def play(
    game: Game,
    options: dict[str, object],
    sit: list[Sit],
    *,
    slips: float = 0.0,
    clock: Clock = CLOCK,
) -> Outcome:
    """Play a whole game, every answer judged as the referee judges it.

    As often as ``slips`` says, the referee makes a choice of its own in a bot's stead, as it does
    after a fault.
    """
    seats = len(sit)
    rng = random.Random(1)
    rules = game.rules(options, seats)
    state = game.start(seats, rules, shuffle_of(deal_seed(bytes(32), game.name, seats, 1)))
    players = [
        each(encode(Start(game.name, rules, seats, seat, None, 7 + seat, clock)))
        for seat, each in enumerate(sit)
    ]
    unheard: list[list[msgspec.Raw]] = [[] for _ in players]

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
                turn = encode(Turn(1, unheard[seat], state.view(seat), decision, clock))
                unheard[seat] = []
                answer = players[seat].choose(json.loads(turn))
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
    for module in IMAGINING:
        monkeypatch.setattr(module, "PLAYS", PLAYS)
        monkeypatch.setattr(module, "FEWEST_DEALS", 1)
    monkeypatch.setattr(i_doubt_it_strong, "FIRST_SWAPS", 1)
    monkeypatch.setattr(i_doubt_it_strong, "LONGEST", 10)


@pytest.mark.parametrize(("game", "kind", "seats", "options"), tables("specialist", "strong"))
def test_whole_games_are_played_legally_whatever_the_rules_and_the_others(
    game: Game, kind: str, seats: int, options: dict[str, object]
) -> None:
    """Also after choices that the referee made in its stead, and in others' stead."""
    play(game, options, [player_of(game, kind)] * seats, slips=0.1)


@pytest.mark.parametrize("kind", ["specialist", "strong"])
@pytest.mark.parametrize("name", OPTIONS)
def test_a_game_is_the_same_when_it_is_played_again(name: str, kind: str) -> None:
    """The answers follow from what a bot is sent and from its seed."""
    game = games()[name]
    seats = game.seats[-1]
    options = draw(game, seats, random.Random(7))
    first, second = (play(game, options, [player_of(game, kind)] * seats) for _ in range(2))
    assert first == second


@pytest.mark.parametrize("name", OPTIONS)
def test_a_strong_bot_without_time_answers_all_the_same(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One imagined deal is judged before the clock is looked at."""
    game = games()[name]
    for module in IMAGINING:
        monkeypatch.setattr(module, "FEWEST_DEALS", 3)
    seats = game.seats[-1]
    options = draw(game, seats, random.Random(7))
    play(game, options, [player_of(game, "strong")] * seats, clock=NO_TIME)


class NodeSeat:
    """A seat of the bot in JavaScript; all seats share a process, told anew whose turn it is."""

    def __init__(self, process: subprocess.Popen[bytes], start: bytes) -> None:
        self.process = process
        self.start = start

    def choose(self, turn: dict[str, Any]) -> list[Any]:
        answer = ask(self.process, self.start + json.dumps(turn).encode() + b"\n")
        return list(decode_answer(answer).choose)


def ask(process: subprocess.Popen[bytes], lines: bytes) -> bytes:
    assert process.stdin is not None
    assert process.stdout is not None
    process.stdin.write(lines)
    process.stdin.flush()
    return process.stdout.readline()


@pytest.fixture(scope="module")
def node() -> Iterator[Sit]:
    """Start the bot in JavaScript."""
    if shutil.which("node") is None:
        pytest.skip("node is not installed, and the bot in JavaScript needs it")
    with subprocess.Popen(
        ["node", BOTS / "all_games_bot.js"], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as process:
        decode_ready(ask(process, b'{"type":"hello","protocols":[1],"referee":"0"}\n'))
        yield lambda line: NodeSeat(process, line)
        assert process.stdin is not None
        process.stdin.close()


@pytest.mark.parametrize(("game", "seats", "options"), tables())
def test_the_bot_in_javascript_plays_every_game_legally(
    game: Game, seats: int, options: dict[str, object], node: Sit
) -> None:
    play(game, options, [node] * seats, slips=0.1)


def test_imagined_hands_respect_what_is_known() -> None:
    """No hand has a suit that it lacks, every hand has its size, and no card is lost or doubled."""
    rng = random.Random(3)
    unseen = rng.sample(range(52), 40)
    lacks: list[set[int]] = [{0}, {1, 2}, set(), {3}]
    for _ in range(200):
        hands = oh_hell_strong.imagine(unseen, [9, 9, 0, 9], lacks, rng)
        assert [len(hand) for hand in hands] == [9, 9, 0, 9, 13]
        assert sorted(card for hand in hands for card in hand) == sorted(unseen)
        for hand, lack in zip(hands, lacks, strict=False):
            assert not lack & {card // 13 for card in hand}


def test_imagined_hands_are_dealt_though_what_is_known_cannot_be() -> None:
    """No bot may hang on a contradiction, wherever it should come from."""
    hands = pitch_strong.imagine([0, 1, 2], [2], [{0}], random.Random(1))
    assert sorted(map(len, hands)) == [1, 2]


def functions_of(path: Path) -> dict[str, str]:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    return {node.name: ast.unparse(node) for node in tree.body if isinstance(node, ast.FunctionDef)}


@pytest.mark.parametrize("name", ["imagine", "alarm_of", "until", "send"])
def test_what_several_bots_share_is_the_same_to_the_letter(name: str) -> None:
    """Each bot is one file, to be copied; a mend of one is a mend of all."""
    files = [*BOTS.glob("*_strong.py"), *BOTS.glob("*_specialist.py")]
    texts = {functions[name] for functions in map(functions_of, files) if name in functions}
    assert len(texts) == 1
