"""Series with real processes: fresh ones, restarts, giving up, and nothing left behind."""

import os
import sys
import time
from pathlib import Path

import msgspec
import pytest
import trio

from referee.bot import Watchdog
from referee.bot.process import Launch
from referee.games.game import find_game
from referee.protocol import Reason, TimeControl
from referee.record.lines import Player
from referee.series import SeriesResult, SeriesSpec, play_series
from referee.table import Deal, Setting

BOT = """
import json, os, sys, time
turns = games = 0
for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        print('{"type":"ready"}', flush=True)
    elif message["type"] == "start":
        games += 1
        print(os.getpid(), file=sys.stderr, flush=True)
    elif message["type"] == "turn":
        turns += 1
        options = message["decision"]["options"]
        BEHAVE
        answer = {"id": message["id"], "choose": options[: message["decision"]["min"]]}
        print(json.dumps(answer), flush=True)
"""


def launch(behaviour: str = "pass") -> Launch:
    return Launch([sys.executable, "-c", BOT.replace("BEHAVE", behaviour)], "/")


def spec_of(bots: dict[str, Launch], games: int, **time_control: int) -> SeriesSpec:
    seats = len(bots)
    rules = msgspec.to_builtins(find_game("pitch").rules({"max_hands": 1}, seats))
    clock = TimeControl(**{"move_ms": 5000, "grace_ms": 200, **time_control})
    setting = Setting("pitch", rules, clock, 1, names_shown=False, series="0-1-0-1")
    players = [Player(name, "sha256:0") for name in bots]
    deals = [Deal(n, f"{n:064x}", players, [n] * seats) for n in range(1, games + 1)]
    return SeriesSpec(setting, deals, bots)


def play(bots: dict[str, Launch], games: int = 3, **time_control: int) -> SeriesResult:
    async def run() -> SeriesResult:
        watchdog = Watchdog()
        async with trio.open_nursery() as nursery:
            nursery.start_soon(watchdog.run)
            result = await play_series(spec_of(bots, games, **time_control), watchdog)
            nursery.cancel_scope.cancel()
        return result

    before = descriptors()
    result = trio.run(run)
    assert descriptors() == before
    with pytest.raises(ChildProcessError):  # no child, no zombie
        os.waitpid(-1, os.WNOHANG)
    return result


def descriptors() -> list[str]:
    return sorted(path.name for path in Path("/proc/self/fd").iterdir())


def pids(result: SeriesResult, bot: str) -> list[int]:
    return [int(word) for word in result.stderr[bot].split()]


def test_a_process_plays_all_games_of_its_series_and_then_is_gone() -> None:
    result = play({"a": launch(), "b": launch()})
    assert [game.forfeited for game in result.games] == [[], [], []]
    for bot in "ab":
        assert len(pids(result, bot)) == 3
        (pid,) = set(pids(result, bot))
        assert not Path(f"/proc/{pid}").exists()


def test_a_bot_that_forfeited_is_started_anew_for_the_next_game() -> None:
    result = play({"a": launch("if turns == 1: options = ['nonsense']"), "b": launch()})
    assert [game.forfeited for game in result.games] == [[0], [0], [0]]
    assert len(set(pids(result, "a"))) == 3
    assert len(set(pids(result, "b"))) == 1


def test_a_bot_that_ends_is_started_anew_and_its_last_answer_counts() -> None:
    leave = 'if games == 1 and turns == 2: print(\'{"id":2,"choose":[]}\'); sys.exit(3)'
    result = play({"a": launch(leave), "b": launch()}, games=2)
    fault, *_ = result.games[0].faults
    assert (fault.seat, fault.reason) == (0, Reason.ILLEGAL)
    assert len(set(pids(result, "a"))) == 2


def test_a_crash_says_how_the_process_ended() -> None:
    result = play({"a": launch("os.kill(os.getpid(), 9)"), "b": launch("sys.exit(7)")}, games=1)
    details = {fault.seat: fault.detail for fault in result.games[0].faults}
    assert "ended by signal 9 (Killed)" in details[0]
    assert "ended with exit code 7" in details[1]


def test_after_three_games_lost_to_the_clock_a_bot_is_not_started_again() -> None:
    bots = {"a": launch("time.sleep(60)"), "b": launch()}
    result = play(bots, games=5, move_ms=50, bank_ms=0)
    reasons = [game.faults[0].reason for game in result.games]
    assert reasons == [Reason.TIMEOUT] * 3 + [Reason.STARTUP] * 2
    assert "not started again: 3 games in a row" in result.games[4].faults[0].detail
    assert len(pids(result, "a")) == 3


def test_a_bot_that_ignores_the_end_of_its_input_is_killed_after_its_grace() -> None:
    stay = "import signal; signal.signal(15, signal.SIG_IGN); 0 if turns < 4 else time.sleep(60)"
    began = time.monotonic()
    result = play({"a": launch(stay), "b": launch()}, games=1, move_ms=100, bank_ms=0)
    assert time.monotonic() - began < 3
    assert not Path(f"/proc/{pids(result, 'a')[0]}").exists()


def test_a_flood_on_standard_error_is_kept_head_and_tail_and_stalls_nobody() -> None:
    flood = "sys.stderr.write('x' * 100_000 + chr(10))"
    result = play({"a": launch(flood), "b": launch()}, games=2)
    assert [game.forfeited for game in result.games] == [[], []]
    kept = result.stderr["a"]
    assert len(kept) < 257 * 1024
    assert b"bytes left out" in kept


@pytest.mark.parametrize(
    ("program", "says"),
    [
        (["/no/such/program"], "No such file or directory"),
        ([sys.executable, "-c", "print('welcome')"], "this came: welcome"),
        ([sys.executable, "-c", 'print(\'{"type":"ready","protocol":2}\')'], "protocol 2"),
        ([sys.executable, "-c", "import nothing_there"], "ended with exit code 1 before it was"),
        ([sys.executable, "-c", "import time; time.sleep(60)"], "not ready within 300 ms"),
    ],
)
def test_a_bot_that_does_not_start_forfeits_and_the_others_play(
    program: list[str], says: str
) -> None:
    result = play({"a": Launch(program, "/"), "b": launch()}, games=1, startup_ms=300)
    (game,) = result.games
    (fault,) = game.faults
    assert (fault.seat, fault.reason) == (0, Reason.STARTUP)
    assert says in fault.detail
    assert (game.ranks, game.forfeited) == ([2, 1], [0])


def test_cancellation_in_mid_game_leaves_nothing_and_is_quick() -> None:
    async def run() -> None:
        watchdog = Watchdog()
        async with trio.open_nursery() as nursery:
            nursery.start_soon(watchdog.run)
            bots = {"a": launch("time.sleep(60)"), "b": launch()}
            nursery.start_soon(play_series, spec_of(bots, 1, grace_ms=60_000), watchdog)
            await trio.sleep(0.5)
            nursery.cancel_scope.cancel()

    before = descriptors()
    began = time.monotonic()
    trio.run(run)
    assert time.monotonic() - began < 2
    assert descriptors() == before
    with pytest.raises(ChildProcessError):
        os.waitpid(-1, os.WNOHANG)
