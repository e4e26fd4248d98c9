"""What bots may do and what they get: every misbehaviour with its verdict, end to end.

The numbers are those of the list of misbehaviours. Each is played without isolation, too, but for
what only isolation holds; ``play`` checks, in every row, that the other bot's game is whole and
that nothing of the hostile one is left.
"""

import json
import re
import socket
import sys
from pathlib import Path
from typing import get_args

import pytest
from msgspec.structs import replace

from referee.bot.spawn import Launch
from referee.protocol import Reason
from referee.sandbox import Mode, find_isolation
from tests.hostile.tables import PATIENT, SMALL, TIME, Peak, hostile, play

CRASH, ILLEGAL, LIMIT, MALFORMED = Reason.CRASH, Reason.ILLEGAL, Reason.LIMIT, Reason.MALFORMED
OVERSIZE, STARTUP, TIMEOUT = Reason.OVERSIZE, Reason.STARTUP, Reason.TIMEOUT
QUICK = replace(TIME, move_ms=300)


def available(mode: Mode) -> Mode:
    if mode != "off" and find_isolation("auto").mode == "off":
        pytest.skip(find_isolation("auto").warning)
    return mode


@pytest.fixture(params=get_args(Mode))
def isolation(request: pytest.FixtureRequest) -> Mode:
    return available(request.param)


@pytest.fixture
def isolated() -> Mode:
    return available("bwrap")


def test_an_honest_bot_has_no_fault(isolation: Mode) -> None:
    played = play(hostile("Honest"), isolation, games=2)
    assert played.faults() == played.faults(1) == []
    assert played.remarks() == []


@pytest.mark.parametrize("way", ["Silent", "Late", "Partial", "Trickle"])
def test_row_1_and_2_who_does_not_answer_in_time_times_out(way: str, isolation: Mode) -> None:
    with Peak() as peak:
        assert play(hostile(way), isolation, clock=QUICK).verdict is TIMEOUT
    assert peak.seconds < 0.3 + 2


@pytest.mark.parametrize("way", ["BlankLines", "StaleAnswers"])
def test_row_2_lines_that_answer_nothing_do_not_stop_the_clock(way: str) -> None:
    with Peak() as peak:
        assert play(hostile(way), "off", clock=QUICK).verdict is TIMEOUT
    assert peak.seconds < 0.3 + 2


def test_row_3_an_answer_counts_though_the_bot_leaves_and_it_crashes_when_asked_again(
    isolation: Mode,
) -> None:
    played = play(hostile("AnswerAndExit"), isolation)
    assert [line["by"] for line in played.lines("choice")][:2] == ["bot", "referee"]
    assert played.verdict is CRASH
    assert "ended with exit code 0" in played.detail


def test_row_4_a_line_without_its_end_is_a_crash_that_shows_it(isolation: Mode) -> None:
    played = play(hostile("CutLine"), isolation)
    assert played.verdict is CRASH
    assert '{"id":1,"ch' in played.detail


@pytest.mark.parametrize("way", ["LongLine", "EndlessLine", "Flood"])
def test_row_5_floods_are_oversize_and_cost_the_referee_no_memory(way: str) -> None:
    play(hostile(way), "off")  # so that what is only loaded once does not count
    with Peak() as peak:
        assert play(hostile(way), "off").verdict is OVERSIZE
    assert peak.mib < 2


def test_row_6_a_flood_on_standard_error_stalls_nobody_and_its_ends_are_kept(
    isolation: Mode,
) -> None:
    played = play(hostile("StderrFlood"), isolation, clock=replace(TIME, move_ms=5000))
    assert played.verdict is None
    kept = played.result.stderr["hostile"]
    assert len(kept) < 65 * 1024
    assert b"bytes left out" in kept


SAID = {
    "row 7, not UTF-8": (r"\xff\xfe", MALFORMED),
    "row 7, NUL": (r"\x00{$}", MALFORMED),
    "row 7, UTF-16": (r"{\x00$}\x00", MALFORMED),
    "row 7, a lone surrogate": (r'{$,"note":"\\ud800"}', MALFORMED),
    "row 9, deep": ("[" * 20_000, MALFORMED),
    "row 9, a long integer": (r'{$,"id":' + "1" * 5000 + "}", MALFORMED),
    "row 9, NaN": (r'{"id":NaN,"choose":[]}', MALFORMED),
    "row 9, a large float": (r'{"id":1e400,"choose":[]}', MALFORMED),
    "row 9, the last of two keys counts": (r'{"id":99,$}', None),
    "row 9, two documents": (r"{$}{$}", MALFORMED),
    "row 9, a list": (r"[{$}]", MALFORMED),
    "row 9, a text": (r'"play"', MALFORMED),
    "row 10, a warning": ("DeprecationWarning: old", MALFORMED),
    "row 11, no option": (r'{"id":#,"choose":["XX"]}', ILLEGAL),
    "row 11, too few": (r'{"id":#,"choose":[]}', ILLEGAL),
    "row 11, too many": (r'{"id":#,"choose":[0,0,0,0]}', ILLEGAL),
    "row 11, true": (r'{"id":#,"choose":[true]}', ILLEGAL),
    "row 11, a float": (r'{"id":#,"choose":[0.0]}', ILLEGAL),
    "row 12, no id": (r'{"choose":[0]}', MALFORMED),
    "row 12, a higher id": (r'{"id":7000,"choose":[0]}', MALFORMED),
    "row 12, a text": (r'{"id":"#","choose":[0]}', MALFORMED),
    "row 12, a lower id first": (r'{"id":0,"choose":["XX"]}' + r"\n{$}", None),
    "row 13, twice": (r"{$}\n{$}", None),
    "row 14, another seat's": (r'{$,"seat":1,"type":"turn","x":[]}', None),
}


@pytest.mark.parametrize(("line", "verdict"), SAID.values(), ids=SAID)
def test_rows_7_to_14_a_line_is_judged_by_what_it_says(line: str, verdict: Reason | None) -> None:
    played = play(hostile("Says", line), "off")
    assert played.verdict is verdict
    assert all(detail.isprintable() for _, detail in played.faults())


def test_row_8_a_mark_and_windows_ends_are_fine() -> None:
    assert play(hostile("WindowsLines"), "off").verdict is None


def test_row_2_blank_lines_before_ready_are_bounded() -> None:
    played = play(hostile("SaysAtFirst", "\n" * 1100), "off")
    assert played.verdict is STARTUP
    assert "1001 blank lines before it was ready" in played.detail


def test_row_10_a_banner_before_ready_is_a_failed_start() -> None:
    played = play(hostile("SaysAtFirst", "Welcome!"), "off")
    assert played.verdict is STARTUP
    assert "this came: Welcome!" in played.detail


def test_row_10_a_traceback_on_standard_output_is_malformed_and_quoted() -> None:
    played = play(hostile("Traceback"), "off")
    assert played.verdict is MALFORMED
    assert "standard output belongs to the protocol, this came: Traceback" in played.detail


def test_row_11_a_claim_that_is_no_rank_is_malformed() -> None:
    played = play(hostile("Says", r'{$,"claim":"joker"}'), "off", game="i_doubt_it", seats=3)
    assert played.verdict is MALFORMED


def test_row_13_an_answer_sent_blind_counts_if_it_is_right() -> None:
    played = play(hostile("AnswersBlind"), "off")
    first = played.lines("choice")[0]
    assert first["by"] == "bot" or played.verdict is ILLEGAL
    assert played.verdict in (None, ILLEGAL)


CANNOT_START = {
    "missing": (["./missing"], "No such file"),
    "not executable": (["./plain.txt"], "Permission denied"),
    "another machine's": (["./machine"], "Exec format error|not found"),
    "bad shebang": (["./shebang"], "No such file"),
    "no interpreter": (["no-such-interpreter", "x.js"], "No such file"),
    "import error": ([sys.executable, "import.py"], "No module named 'nothing_there'"),
}


@pytest.mark.parametrize(("argv", "words"), CANNOT_START.values(), ids=CANNOT_START)
def test_row_15_what_cannot_start_fails_with_the_systems_words(
    argv: list[str], words: str, isolation: Mode, tmp_path: Path
) -> None:
    tmp_path.chmod(0o755)
    for name, content, mode in (
        ("plain.txt", b"no program", 0o644),
        ("machine", b"\x7fELF" + bytes(200), 0o755),
        ("shebang", b"#!/nothing/here\n", 0o755),
        ("import.py", b"import nothing_there\n", 0o644),
    ):
        (tmp_path / name).write_bytes(content)
        (tmp_path / name).chmod(mode)
    played = play(Launch(argv, str(tmp_path)), isolation)
    assert played.verdict is STARTUP
    assert re.search(words, played.detail + "".join(played.remarks()))


def test_row_16_imports_may_be_slow_within_the_time_for_the_start(isolation: Mode) -> None:
    assert play(hostile("SlowStart"), isolation, clock=QUICK).verdict is None


def test_row_16_a_start_takes_no_longer_than_its_time(isolation: Mode) -> None:
    played = play(hostile("SlowStart"), isolation, clock=replace(TIME, startup_ms=400))
    assert played.verdict is STARTUP


def test_row_16_a_protocol_that_was_not_offered_is_a_failed_start() -> None:
    assert play(hostile("OtherProtocol"), "off").verdict is STARTUP


def test_row_16_an_answer_to_start_is_malformed_at_the_next_question() -> None:
    assert play(hostile("AnswersStart"), "off").verdict is MALFORMED


def test_row_16_an_answer_to_end_is_malformed_in_the_next_game() -> None:
    played = play(hostile("AnswersEnd"), "off", games=2)
    assert played.faults() == []
    assert [reason for reason, _ in played.faults(1)] == [MALFORMED]


@pytest.mark.parametrize(
    ("stage", "verdict"),
    [("hello", STARTUP), ("start", CRASH), ("turn", CRASH), ("end", None), ("bye", None)],
)
@pytest.mark.parametrize(
    ("code", "words"),
    [("0", "exit code 0"), ("1", "exit code 1"), ("-11", "signal 11 (Segmentation fault)")],
)
def test_row_17_an_exit_has_the_verdict_of_its_stage(
    stage: str, verdict: Reason | None, code: str, words: str, isolation: Mode
) -> None:
    played = play(hostile("ExitsOn", stage, code), isolation)
    assert played.verdict is verdict
    if verdict is not None:
        assert words in played.detail
    elif code != "0":
        (remark,) = played.remarks()
        assert words in remark


@pytest.mark.parametrize("way", ["ClosesStdin", "ClosesStdout", "NeverReads"])
def test_row_18_a_closed_stream_is_a_crash_or_a_timeout(way: str, isolation: Mode) -> None:
    expected = {"off": CRASH, "bwrap": TIMEOUT}[isolation] if way != "NeverReads" else TIMEOUT
    assert play(hostile(way), isolation, clock=QUICK).verdict is expected


def test_row_19_who_ignores_everything_is_killed_after_the_grace(isolation: Mode) -> None:
    with Peak() as peak:
        played = play(hostile("IgnoresEverything"), isolation)
    assert played.verdict is None
    assert played.remarks() == [
        "the process did not end within 100 ms and was killed after the game"
    ]
    assert 0.1 < peak.seconds < 2


@pytest.mark.parametrize("way", ["Forks", "Daemon"])
def test_row_20_what_a_bot_started_ends_with_it(way: str, isolation: Mode) -> None:
    assert play(hostile(way), isolation).verdict is None


def test_row_20_a_daemon_that_holds_the_pipes_hides_no_crash(isolation: Mode) -> None:
    played = play(hostile("LeavesADaemon"), isolation, clock=QUICK)
    assert played.verdict is CRASH
    assert "exit code 3" in played.detail


def test_row_20_a_shell_that_does_not_exec_ends_with_its_bot(isolation: Mode) -> None:
    bot = hostile("Honest")
    script = f"{' '.join(bot.argv)}; true"
    assert play(Launch(["sh", "-c", script, bot.argv[3]], bot.folder), isolation).verdict is None


def test_row_21_forks_without_end_pass_a_limit_or_fail(isolation: Mode) -> None:
    played = play(hostile("ForkBomb"), isolation)
    if isolation == "off":
        assert played.verdict is LIMIT
        assert "limits.processes = 32 allowed" in played.detail
    else:
        assert played.verdict is CRASH
        assert "Resource temporarily unavailable" in "".join(played.remarks())


def test_row_21_threads_without_end_pass_a_limit_or_fail(isolation: Mode) -> None:
    played = play(hostile("Threads"), isolation)
    if isolation == "off":
        assert played.verdict is LIMIT
        assert "processes and threads; limits.processes = 32 allowed" in played.detail
    else:
        assert played.verdict is None
        assert played.note() == "31"


@pytest.mark.parametrize("way", ["Memory", "MemoryOfMany"])
def test_row_22_memory_of_one_or_many_processes_passes_the_limit(way: str, isolation: Mode) -> None:
    played = play(hostile(way), isolation, clock=replace(TIME, move_ms=3000))
    assert played.verdict is LIMIT
    assert "MiB resident; limits.memory_mb = 128 allowed" in played.detail


def test_row_22_what_processes_share_counts_once(isolation: Mode) -> None:
    # Six processes with 40 MiB each that are the same 40 MiB.
    clock = replace(TIME, move_ms=5000)
    assert play(hostile("SharedMemory"), isolation, clock=clock).verdict is None


@pytest.mark.parametrize("folder", ["/tmp", "/dev/shm"])
def test_row_22_a_file_is_no_larger_than_it_may_be(folder: str, isolation: Mode) -> None:
    bot = hostile("Fills")
    path = f"{folder}/{bot.argv[3]}"
    played = play(Launch([*bot.argv, path], bot.folder), isolation)
    assert played.verdict is None
    assert played.note().startswith("refused: ")


def test_row_22_the_folders_of_its_own_are_no_larger_than_a_file(isolated: Mode) -> None:
    limits = replace(SMALL, file_mb=64, memory_mb=16)
    played = play(hostile("Fills", "/tmp/x"), isolated, limits=limits)
    assert played.note() == "refused: No space left on device"


def test_row_22_a_file_that_is_too_large_and_kills_is_a_limit(
    isolation: Mode, tmp_path: Path
) -> None:
    path = tmp_path / "x" if isolation == "off" else Path("/tmp/x")
    played = play(hostile("FillsAndDies", str(path)), isolation)
    assert played.verdict is LIMIT
    assert "limits.file_mb = 4 allowed" in played.detail


def test_row_22_memory_behind_a_descriptor_is_bounded(isolation: Mode) -> None:
    words = {"off": "refused: File too large", "bwrap": "refused: Function not implemented"}
    assert play(hostile("Memfd"), isolation).note() == words[isolation]


@pytest.mark.parametrize("way", ["Spins", "SpinsInAChild"])
def test_row_23_processor_time_of_others_turns_is_measured(way: str, isolation: Mode) -> None:
    played = play(hostile(way), isolation, games=3, honest="Slow")
    spun, honest = (sum(g.cpu[seat].unasked_ms for g in played.result.games) for seat in (0, 1))
    assert spun > 20
    assert honest < spun / 2


@pytest.mark.parametrize("way", ["Spins", "SpinsInAChild"])
def test_row_23_processor_time_past_its_factor_is_a_limit(way: str, isolation: Mode) -> None:
    limits = replace(SMALL, cpu_factor=0.01)
    clock = replace(PATIENT, startup_ms=1000)
    played = play(hostile(way, "1.3"), isolation, limits=limits, clock=clock)
    assert played.verdict is LIMIT
    assert "limits.cpu_factor = 0.01 allowed" in played.detail


@pytest.mark.parametrize("way", ["Spins", "SpinsInAChild"])
def test_row_23_who_is_stopped_while_not_asked_uses_nothing(way: str, isolation: Mode) -> None:
    limits = replace(SMALL, ponder="stop")
    played = play(hostile(way), isolation, games=3, limits=limits, honest="Slow")
    for game in played.result.games[1:]:
        assert game.cpu[0].unasked_ms < 20


def test_row_24_who_stops_itself_times_out(isolation: Mode) -> None:
    assert play(hostile("StopsItself"), isolation, clock=QUICK).verdict is TIMEOUT


def test_row_24_signals_reach_only_the_bot_itself(isolated: Mode) -> None:
    played = play(hostile("KillsAll"), isolated)
    assert played.verdict is None
    assert played.note()


def test_row_25_there_is_no_network(isolated: Mode) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
        there = play(hostile("Network", "127.0.0.1", str(port)), "off")
        assert there.note().startswith("done: ")
        alone = play(hostile("Network", "127.0.0.1", str(port)), isolated)
    assert [word.split(":")[0] for word in alone.note().split("; ")] == ["refused", "refused"]


def test_row_26_nothing_of_others_is_there(isolated: Mode, tmp_path: Path) -> None:
    (tmp_path / "secret").write_text("s")
    bots = Path(__file__).parents[2] / "bots"
    places = [str(tmp_path / "secret"), str(bots), str(Path.home() / ".bashrc"), "/etc/passwd"]
    played = play(hostile("LooksAround", *places), isolated)
    found = json.loads(played.note())
    assert found["places"] == dict.fromkeys(places, "refused")
    assert found["processes"] == [1, found["own"]]
    assert not found["root"]
    assert found["descriptors"] == 3
    assert {"HOME", "LANG", "PATH", "PYTHONUNBUFFERED"} <= set(found["environment"])
    assert set(found["environment"]) <= {
        "HOME",
        "LANG",
        "LC_CTYPE",
        "PATH",
        "PYTHONUNBUFFERED",
        "PWD",
    }
    assert found["first"] in ("refused: Permission denied", "done: ")
    assert found["mount"] == "refused: Function not implemented"


@pytest.mark.parametrize(("game", "kind"), [("cancellation_hearts", "pass"), ("oh_hell", "bid")])
def test_row_26_what_others_answer_at_the_same_time_is_not_told_before_all_are_in(
    game: str, kind: str
) -> None:
    told: list[list[bytes]] = []
    for others in ("Honest", "ChoosesLast"):
        lines: list[bytes] = []

        def hear(bot: str, way: str, line: bytes, lines: list[bytes] = lines) -> None:
            if bot == "hostile":
                lines.append(way.encode() + line)

        # It is slow: the others have answered long before.
        bot = hostile("Slow")
        play(bot, "off", clock=PATIENT, game=game, seats=6, honest=others, trace=hear)
        answer = next(number for number, line in enumerate(lines) if b'"choose"' in line)
        assert f'"kind":"{kind}"'.encode() in lines[answer - 1]
        told.append(lines[: answer + 1])
    assert told[0] == told[1]


def test_row_27_nothing_can_be_written_to(isolated: Mode, tmp_path: Path) -> None:
    other = tmp_path / "others"
    other.write_text("theirs")
    usr = f"/usr/{other.name}"
    played = play(hostile("Writes", str(other), usr, "/proc/1/mem", "/dev/x", "/x"), isolated)
    words = [word.split(":")[0] for word in played.note().split("; ")]
    assert words == ["refused"] * 6
    assert other.read_text() == "theirs"


def test_row_28_files_are_gone_with_the_process(isolated: Mode) -> None:
    played = play(hostile("LeavesAFile"), isolated, games=2)
    assert (played.note(0), played.note(1)) == ("False", "False")
    assert [reason for reason, _ in played.faults(0)] == [CRASH]


def test_row_29_markup_is_harmless_text_wherever_it_is_told(isolation: Mode) -> None:
    played = play(hostile("Markup"), isolation)
    assert played.verdict is MALFORMED
    assert played.detail.isprintable()
    assert all(byte >= 32 or byte == 10 for byte in played.result.records[0])


def test_row_30_who_fails_in_every_game_is_not_started_for_ever(isolation: Mode) -> None:
    played = play(hostile("ExitsOn", "hello", "1"), isolation, games=5)
    details = [played.faults(number)[0][1] for number in range(5)]
    assert [detail.startswith("not started again") for detail in details] == [False] * 3 + [
        True
    ] * 2
