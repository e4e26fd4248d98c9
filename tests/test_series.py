"""Series with real processes: fresh ones, restarts, giving up, and nothing left behind."""

import json
import sys
import time
from pathlib import Path
from typing import Any

import msgspec
import pytest
import trio

from referee.bot import Watchdog
from referee.bot.spawn import Launch
from referee.games.game import find_game
from referee.protocol import Reason, TimeControl
from referee.record.lines import Player
from referee.series import SeriesResult, SeriesSpec, play_series, try_bots
from referee.table import Deal, Setting
from tests.tournament.engine.left import none_left

BOT = """
import json, os, sys, time
turns = games = 0
for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        print('{"type":"ready"}', flush=True)
    elif message["type"] == "start":
        games += 1
        game = message["seed"]  # the games' numbers serve as their seeds
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
    return play_spec(spec_of(bots, games, **time_control))


def play_spec(spec: SeriesSpec) -> SeriesResult:
    async def run() -> SeriesResult:
        watchdog = Watchdog()
        async with trio.open_nursery() as nursery:
            nursery.start_soon(watchdog.run)
            result = await play_series(spec, watchdog)
            nursery.cancel_scope.cancel()
        return result

    before = descriptors()
    result = trio.run(run)
    assert descriptors() == before
    check_every_child_was_reaped()
    return result


def check_every_child_was_reaped() -> None:
    assert none_left(within_s=0)  # no child, no zombie


def descriptors() -> list[str]:
    return sorted(path.name for path in Path("/proc/self/fd").iterdir())


def pids(result: SeriesResult, bot: str) -> list[int]:
    return [int(word) for word in result.stderr[bot].split()]


def lines_of(result: SeriesResult, kind: str) -> list[dict[str, Any]]:
    """Return the lines of this type of the first game's record."""
    lines = [json.loads(line) for line in result.records[0].splitlines()]
    return [line for line in lines if line["type"] == kind]


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


def last_questions(result: SeriesResult) -> dict[str, int]:
    """Return the number of each bot's last question of the first game, the last one last."""
    numbers: dict[str, int] = {}
    for line in lines_of(result, "choice"):
        if line["by"] == "bot":
            bot = result.games[0].bots[line["seat"]]
            numbers.pop(bot, None)
            numbers[bot] = line["id"]
    return numbers


def test_a_bot_that_forfeits_at_the_last_decision_is_started_anew_too() -> None:
    spec = spec_of({"a": launch(), "b": launch()}, games=1)
    *_, (loser, number) = last_questions(play_spec(spec)).items()
    bots = {**spec.bots, loser: launch(f"if turns == {number}: options = ['nonsense']")}
    result = play_spec(msgspec.structs.replace(spec, bots=bots, deals=[*spec.deals] * 6))
    faults = [
        (game.bots[fault.seat], fault.reason) for game in result.games for fault in game.faults
    ]
    assert faults == [(loser, Reason.ILLEGAL)] * 6
    assert len(set(pids(result, loser))) == 6


def test_a_bot_that_leaves_after_its_last_answer_has_done_no_wrong() -> None:
    spec = spec_of({"a": launch(), "b": launch()}, games=1)
    (leaver, its_last), (other, last) = last_questions(play_spec(spec)).items()
    leave = f"""if turns == {its_last}:
            print(json.dumps({{"id": turns, "choose": options[:1]}}), flush=True)
            sys.exit(3)"""
    # The other one takes its time, so that the process has surely ended when the game has.
    bots = {leaver: launch(leave), other: launch(f"if turns % {last} == 0: time.sleep(0.3)")}
    result = play_spec(msgspec.structs.replace(spec, bots=bots, deals=[*spec.deals] * 2))
    assert [game.faults for game in result.games] == [[], []]
    assert len(set(pids(result, leaver))) == 2
    note = lines_of(result, "note")[-1]
    assert note["detail"] == "the process ended with exit code 3 after its last decision"


def test_bots_that_all_failed_to_start_are_started_anew_for_each_game(tmp_path: Path) -> None:
    starts = tmp_path / "starts"
    code = f"""
import os, sys
open({str(starts)!r}, "a").write(str(os.getpid()) + chr(10))
print("welcome", flush=True)
sys.stdin.read()
"""
    wrong = Launch([sys.executable, "-c", code], "/")
    result = play({"a": wrong, "b": wrong})
    assert [game.forfeited for game in result.games] == [[0, 1]] * 3
    assert len(starts.read_text(encoding="utf-8").split()) == 6


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


def test_what_a_bot_said_last_stands_with_its_forfeit() -> None:
    for _ in range(5):
        result = play({"a": launch("raise SystemError('the last word')"), "b": launch()}, games=1)
        (note,) = (note for note in lines_of(result, "note") if note["seat"] == 0)
        assert note["detail"].startswith("standard error ends: ")
        assert note["detail"].endswith("SystemError: the last word\n")


def test_what_a_bot_writes_to_its_standard_error_stands_beside_its_decision() -> None:
    """Before the choice that it was written for, its first KiB; not where it was silent."""
    talk = """if turns in (2, 3):
            print("thinking of", turns, "x" * 2000 * (turns == 3), file=sys.stderr, flush=True)"""
    result = play({"a": launch(talk), "b": launch()}, games=1)
    lines = [json.loads(line) for line in result.records[0].splitlines()]
    after = {
        lines[place + 1].get("id"): line["detail"]
        for place, line in enumerate(lines)
        if line["type"] == "note" and line["seat"] == 0
    }
    assert after[2] == "standard error: thinking of 2 \n"
    assert after[3].startswith("standard error: thinking of 3 xxx")
    assert len(after[3]) == len("standard error: ") + 1024
    assert set(after) == {1, 2, 3}  # the first has what these bots write when they start


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
    check_every_child_was_reaped()


def test_cancellation_in_a_grace_ends_it(tmp_path: Path) -> None:
    leaving = tmp_path / "leaving"
    stay = f"open({str(leaving)!r}, 'w').close(); time.sleep(60)"
    stubborn = Launch([sys.executable, "-c", f"{BOT.replace('BEHAVE', 'pass')}\n{stay}"], "/")

    async def run() -> float:
        watchdog = Watchdog()
        async with trio.open_nursery() as nursery:
            nursery.start_soon(watchdog.run)
            bots = {"a": stubborn, "b": launch()}
            nursery.start_soon(play_series, spec_of(bots, 1, grace_ms=60_000), watchdog)
            with trio.fail_after(20):
                while not leaving.exists():  # noqa: ASYNC110 it comes from another process
                    await trio.sleep(0.01)
            began = time.monotonic()
            nursery.cancel_scope.cancel()
        return time.monotonic() - began

    assert trio.run(run) < 2
    check_every_child_was_reaped()


def test_a_game_that_is_not_lost_to_the_clock_ends_the_row() -> None:
    bots = {"a": launch("game == 3 or time.sleep(60)"), "b": launch()}
    result = play(bots, games=7, move_ms=300, bank_ms=0, grace_ms=0)
    assert [bool(game.forfeited) for game in result.games] == [game != 3 for game in range(1, 8)]
    assert len(pids(result, "a")) == 6  # given up before the seventh


def test_each_bot_is_tried_once_and_what_is_wrong_is_said() -> None:
    async def run() -> dict[str, str]:
        watchdog = Watchdog()
        async with trio.open_nursery() as nursery:
            nursery.start_soon(watchdog.run)
            broken = Launch([sys.executable, "-c", "import nothing_there"], "/")
            bots = {"z": Launch(["/no/such/program"], "/"), "good": launch(), "a": broken}
            failures = await try_bots(bots, TimeControl(), watchdog, at_once=2)
            nursery.cancel_scope.cancel()
        return failures

    failures = trio.run(run)
    assert list(failures) == ["z", "a"]
    assert failures["z"] == "/no/such/program: No such file or directory"
    assert "exit code 1 before it was ready" in failures["a"]
    assert "No module named 'nothing_there'" in failures["a"]
