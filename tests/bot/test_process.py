"""A bot's process: what may go wrong at its start, and how it is ended for good."""

import json
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
import trio
import trio.testing

from referee.bot import Bot, Watchdog
from referee.bot.spawn import Launch
from referee.bot.stream import Tail
from referee.protocol import Ready, Reason
from tests.tournament.engine.left import none_left

PLAYER = Path(__file__).parent / "player.py"
FOLDER = str(PLAYER.parent)


def player(*arguments: str) -> Launch:
    """Return how to start ``player.py`` with these arguments."""
    return Launch([sys.executable, str(PLAYER), *arguments], FOLDER)


def python(code: str) -> Launch:
    """Return how to start these lines of Python."""
    return Launch([sys.executable, "-c", code], FOLDER)


@asynccontextmanager
async def started(launch: Launch, startup_ms: int = 5000) -> AsyncIterator[Bot]:
    """Start a bot, and see that after its stop nothing of it is left."""
    before = descriptors()
    watchdog = Watchdog()
    async with trio.open_nursery() as nursery:
        nursery.start_soon(watchdog.run)
        bot = Bot(launch, watchdog, Tail(1024))
        await bot.start(nursery, startup_ms)
        yield bot
        await bot.stop(0)
        assert not bot.is_alive
        nursery.cancel_scope.cancel()
    assert descriptors() == before
    check_every_child_was_reaped()


def descriptors() -> list[Path]:
    """Return what is open in this process."""
    return sorted(Path("/proc/self/fd").iterdir())


def check_every_child_was_reaped() -> None:
    """See that this process has neither children nor zombies."""
    assert none_left(within_s=0)  # no child, no zombie


async def test_a_bot_that_is_ready_in_time_may_play() -> None:
    name = '{"type":"ready","name":"p","version":"1"}'
    async with started(player(f"ready={name}")) as bot:
        assert bot.verdict is None
        assert bot.ready == Ready("ready", 1, "p", "1")
        assert bot.is_alive


BAD_STARTS = {
    "no such program": (Launch(["/nothing/here"], FOLDER), "/nothing/here: No such file"),
    "no program": (Launch([FOLDER], FOLDER), "Permission denied"),
    "no such folder": (Launch([sys.executable], "/nothing/here"), "No such file"),
    "a banner": (
        player("ready=Welcome!"),
        '{"type":"ready"} and nothing else, this came: Welcome!',
    ),
    "another protocol": (
        player('ready={"type":"ready","protocol":2}'),
        "protocol 2 was not offered",
    ),
    "a line without end": (
        python("print('x' * 70_000, end='', flush=True); input(); input()"),
        "a line of more than 65536 bytes",
    ),
    "exit 3": (python("import sys; sys.exit(3)"), "ended with exit code 3 before it was ready"),
    "exit 0": (python("pass"), "the process ended with exit code 0 before it was ready"),
    "a signal": (
        python("import os; os.kill(os.getpid(), 11)"),
        "was ended by signal 11 (Segmentation fault) before it was ready",
    ),
    "an import error": (python("import nothing_here"), "exit code 1 before it was ready"),
    "output closed": (
        python("import os, time; os.close(1); time.sleep(60)"),
        "the process lives on before it was ready",
    ),
}


@pytest.mark.parametrize("name", BAD_STARTS)
async def test_a_bot_has_not_started_with(name: str) -> None:
    launch, words = BAD_STARTS[name]
    async with started(launch) as bot:
        assert bot.verdict is not None
        assert bot.verdict.reason is Reason.STARTUP
        assert words in bot.verdict.detail


async def test_a_file_that_is_no_program_has_the_systems_words(tmp_path: Path) -> None:
    program = tmp_path / "bot"
    program.write_bytes(b"\x7fELF nothing more")
    program.chmod(0o755)
    async with started(Launch([str(program)], FOLDER)) as bot:
        assert bot.verdict is not None
        assert bot.verdict.detail == f"{program}: Exec format error"


async def test_a_bot_that_says_nothing_is_not_ready_in_time() -> None:
    began = trio.current_time()
    async with started(python("input(); input()"), startup_ms=300) as bot:
        assert 0.3 <= trio.current_time() - began < 2
        assert bot.verdict is not None
        assert bot.verdict.detail == "not ready within 300 ms"


async def test_blank_lines_and_a_flood_of_standard_error_before_ready_are_fine() -> None:
    code = """
import sys
sys.stderr.write("warning " * 100_000 + "the end")
sys.stderr.flush()
print("\\n  ")
print('{"type":"ready"}', flush=True)
input(); input()
"""
    async with started(python(code)) as bot:
        assert bot.verdict is None
        await trio.sleep(0.05)
        assert bot.stderr.end(7) == "the end"


async def test_hello_comes_first_and_bye_last(tmp_path: Path) -> None:
    heard = tmp_path / "heard"
    code = f"""
import sys
print('{{"type":"ready"}}', flush=True)
open({str(heard)!r}, "w").writelines(sys.stdin)
"""
    async with started(python(code)) as bot:
        await bot.stop(5000, say_bye=True)
    hello, bye = (await trio.Path(heard).read_text()).splitlines()
    assert hello.startswith('{"type":"hello","protocols":[1],"referee":"')
    assert bye == '{"type":"bye"}'


async def test_a_bot_that_leaves_is_not_waited_for() -> None:
    async with started(player()) as bot:
        with trio.fail_after(5):
            await bot.stop(60_000)


def is_gone(number: int) -> bool:
    """Whether a process has ended; one that its new parent has still to reap has."""
    status = Path(f"/proc/{number}/stat")
    return not status.exists() or ") Z " in status.read_text(encoding="utf-8")


async def test_a_bot_that_ignores_everything_is_killed_with_its_children_after_the_grace(
    tmp_path: Path,
) -> None:
    log = tmp_path / "log"
    async with started(player("stubborn=1", "child=1", f"log={log}")) as bot:
        began = trio.current_time()
        await bot.stop(300)
        assert 0.3 <= trio.current_time() - began < 2
    bot_number, child_number = map(int, (await trio.Path(log).read_text()).split())
    assert is_gone(bot_number)
    with trio.fail_after(5):  # the kernel ends the child in its own time
        while not is_gone(child_number):  # noqa: ASYNC110 no event tells: it is no child of ours
            await trio.sleep(0.01)


async def test_cancellation_skips_the_grace() -> None:
    async with started(player("stubborn=1")) as bot:
        with trio.fail_after(5), trio.move_on_after(0.05):
            await bot.stop(60_000)
        assert not bot.is_alive


async def test_stopping_twice_waits_for_the_first_stop() -> None:
    async with started(player("stubborn=1")) as bot:
        async with trio.open_nursery() as nursery:
            nursery.start_soon(bot.stop, 200)
            await trio.testing.wait_all_tasks_blocked()
            began = trio.current_time()
            await bot.stop(0)
            assert trio.current_time() - began > 0.1
        await bot.stop(0)


async def test_stopping_a_bot_that_never_started_does_nothing() -> None:
    async with started(Launch(["/nothing/here"], FOLDER)) as bot:
        await bot.stop(60_000, say_bye=True)
        assert not bot.is_alive


async def test_a_bots_environment_and_session_are_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SECRET", "s")
    code = """
import json, os
facts = dict(os.environ, session=os.getsid(0), pid=os.getpid(), folder=os.getcwd(),
             descriptors=len(os.listdir("/proc/self/fd")))
print(json.dumps({"type": "ready", "name": json.dumps(facts)}), flush=True)
input(); input()
"""
    launch = Launch([sys.executable, "-c", code], "/", {"LEVEL": "3"})
    async with started(launch) as bot:
        assert bot.ready is not None
        facts = json.loads(bot.ready.name or "")
    assert facts["session"] == facts["pid"]
    assert facts["folder"] == "/"
    assert facts["descriptors"] == 4  # its three streams, and the folder that it lists
    assert (facts["LEVEL"], facts["HOME"], facts["LANG"]) == ("3", "/tmp", "C.UTF-8")
    assert "SECRET" not in facts


@pytest.mark.parametrize(
    ("written", "kept"),
    [
        ([], b""),
        ([b"abcdefgh"], b"abcdefgh"),
        ([b"ab", b"cdef", b"gh"], b"abcdefgh"),
        ([b"abcd", b"efghi"], b"abcd\n... 1 bytes left out ...\nfghi"),
        ([b"x"] * 4 + [b"y"] * 1000 + [b"z"] * 4, b"xxxx\n... 1000 bytes left out ...\nzzzz"),
        ([b"x" * 1000, b"end"], b"xxxx\n... 995 bytes left out ...\nxend"),
    ],
)
def test_the_head_and_the_tail_of_a_stream_are_kept(written: list[bytes], kept: bytes) -> None:
    tail = Tail(4)
    for data in written:
        tail.add(data)
    assert tail.kept() == kept
