"""The example bots, on real states of every game: always legal, repeatable, better than chance."""

import json
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from bots import greedy_bot
from referee.cards import deal_seed, shuffle_of
from referee.games.game import Choice, Game, Outcome, games
from referee.protocol import Clock, Start, Turn, decode_answer, decode_ready, encode

BOTS = Path(greedy_bot.__file__).parent
CLOCK = Clock(100, 20_000)

Player = Callable[[Game, int, bytes], list[Any]]
"""Answers a turn, given as its line: the game and the seat come first."""

TABLES = [
    pytest.param(game, seats, id=f"{game.name}-{seats}")
    for game in games().values()
    for seats in sorted({game.seats[0], game.typical_seats, game.seats[-1]})
]


def play(game: Game, players: list[Player], deal: int = 1) -> Outcome:
    """Play a whole game, every answer judged as the referee judges it."""
    seats = len(players)
    seed = deal_seed(bytes(32), game.name, seats, deal)
    state = game.start(seats, game.rules({}, seats), shuffle_of(seed))
    while state.decisions:
        choices = {}
        for seat, decision in state.decisions.items():
            choose = decision.default
            if not decision.is_forced:
                line = encode(Turn(1, [], state.view(seat), decision, CLOCK))
                choose = players[seat](game, seat, line)
                assert decision.objection(choose) is None
            choices[seat] = Choice(choose)
        state.apply(choices)
    assert state.outcome is not None
    return state.outcome


def greedy(style: str = "plain") -> Player:
    def player(game: Game, seat: int, line: bytes) -> list[Any]:
        turn = greedy_bot.parse(line.decode())
        turn.me, turn.nerve = seat, greedy_bot.STYLES[style]
        return greedy_bot.POLICIES[game.name, turn.decision.kind](turn)

    return player


def start_line(game: str, seats: int) -> bytes:
    return encode(Start(game, {}, seats, 0, None, 7, CLOCK))


@contextmanager
def random_bot(game: Game, seats: int) -> Iterator[Player]:
    """One process for every seat: it looks at nothing but the decision."""
    with subprocess.Popen(
        [sys.executable, BOTS / "random_bot.py"], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        sent, received = process.stdin, process.stdout

        def ask(line: bytes) -> bytes:
            sent.write(line)
            sent.flush()
            return received.readline()

        decode_ready(ask(b'{"type":"hello","protocols":[1],"referee":"0"}\n'))
        sent.write(start_line(game.name, seats))
        yield lambda _game, _seat, line: decode_answer(ask(line)).choose
        sent.close()


@pytest.mark.parametrize("style", greedy_bot.STYLES)
@pytest.mark.parametrize(("game", "seats"), TABLES)
def test_greedy_plays_whole_games_legally_and_repeatably(
    game: Game, seats: int, style: str
) -> None:
    """Every style answers every decision with a possible answer, and the same one each time."""
    first, second = (play(game, [greedy(style)] * seats) for _ in range(2))
    assert first == second
    assert not first.capped


@pytest.mark.parametrize(("game", "seats"), TABLES)
def test_random_bot_plays_whole_games_legally_and_repeatably(game: Game, seats: int) -> None:
    """It answers every decision with a possible answer, and its seed fixes which."""
    outcomes = []
    for _ in range(2):
        with random_bot(game, seats) as player:
            outcomes.append(play(game, [player] * seats))
    assert outcomes[0] == outcomes[1]


@pytest.mark.parametrize(("game", "seats"), TABLES)
def test_greedy_ranks_better_than_random(game: Game, seats: int) -> None:
    """With every other seat at the table, the greedy bots rank better on average."""
    greedy_ranks: list[int] = []
    random_ranks: list[int] = []
    with random_bot(game, seats) as chance:
        for deal in range(1, 7):
            is_greedy = [(seat + deal) % 2 == 0 for seat in range(seats)]
            outcome = play(game, [greedy() if each else chance for each in is_greedy], deal)
            for each, rank in zip(is_greedy, outcome.ranks, strict=True):
                (greedy_ranks if each else random_ranks).append(rank)
    assert sum(greedy_ranks) / len(greedy_ranks) < sum(random_ranks) / len(random_ranks)


@pytest.mark.parametrize("bot", sorted(path.name for path in BOTS.glob("*.py")))
def test_a_game_nobody_knows_is_played_legally(bot: str) -> None:
    """As a process, a bot takes part in a game that was invented after it."""
    turn = {
        "type": "turn",
        "id": 3,
        "events": [],
        "view": {},
        "decision": {"kind": "meld", "options": ["a", "b", "c"], "min": 2, "max": 2},
        "time": {"move_ms": 100, "bank_ms": 0},
    }
    lines = [
        b'{"type":"hello","protocols":[1],"referee":"0"}\n',
        start_line("canasta", 2),
        json.dumps(turn).encode() + b"\n",
        b'{"type":"bye"}\n',
    ]
    done = subprocess.run(
        [sys.executable, BOTS / bot], input=b"".join(lines), capture_output=True, check=True
    )
    ready, answer = done.stdout.splitlines()
    decode_ready(ready)
    chosen = decode_answer(answer).choose
    assert decode_answer(answer).id == 3
    assert len(set(chosen) & {"a", "b", "c"}) == len(chosen) == 2


@pytest.mark.parametrize("style", ["careful", "bold"])
def test_a_style_is_named(style: str) -> None:
    """The flag makes another bot of it, and says so in its name."""
    done = subprocess.run(
        [sys.executable, BOTS / "greedy_bot.py", "--style", style],
        input=b'{"type":"hello","protocols":[1],"referee":"0"}\n',
        capture_output=True,
        check=True,
    )
    assert decode_ready(done.stdout.strip()).name == style
