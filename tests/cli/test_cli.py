"""The commands as a user runs them: output, exit codes, one clear line for bad input."""

import contextlib
import json
import os
import pty
import select
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from tests.cli.commands import GREEDY, RANDOM, referee
from tests.tournament.played import BOTS, SHORT


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("with spaces, ümlaut")
    (folder / "short.toml").write_text(SHORT, encoding="utf-8")
    out, _ = referee("tournament", "short.toml", cwd=folder)
    assert "36 games in 24 series" in out
    assert "seeded: deals predictable" in out
    return folder / "short"


def test_a_finished_run_shows_its_standings_again(run: Path) -> None:
    out, _ = referee("tournament", run.with_suffix(".toml"), "--json")
    again, _ = referee("standings", run, "--json")
    first, second = json.loads(out), json.loads(again)
    assert {**first, "run": ""} == {**second, "run": ""}


def test_standings_as_json_have_the_promised_keys(run: Path) -> None:
    out, _ = referee("standings", run, "--json")
    table: dict[str, Any] = json.loads(out)
    assert table["complete"]
    assert (table["games"], table["games_planned"], table["capped"]) == (36, 36, 0)
    assert set(table["standings"][0]) >= {
        "rank",
        "bot",
        "points",
        "interval",
        "games",
        "wins",
        "mean_rank",
        "mean_score",
        "forfeits",
        "capped",
        "faults",
        "time_ms",
    }
    assert set(table["standings"][0]["time_ms"]) >= {
        *("mean", "p99", "max", "decisions", "timeouts"),
        *("cpu_asked", "cpu_unasked"),
    }
    assert all(row["time_ms"]["cpu_asked"] > 0 for row in table["standings"])
    assert set(table["pairs"][0]) >= {"bot", "versus", "difference", "interval", "better", "games"}
    assert list(table["by_game"]) == ["pitch"]


def test_the_secret_is_published_with_the_results(run: Path) -> None:
    results = json.loads((run / "results.json").read_text())
    assert results["secret"] == (run / "secret").read_text().strip()


def test_export_writes_a_file_a_game_and_verify_reads_them(run: Path, tmp_path: Path) -> None:
    referee("export", run, "--out", tmp_path / "out")
    files = sorted((tmp_path / "out").iterdir())
    assert [file.name for file in files] == [f"{game:06}.jsonl" for game in range(1, 37)]
    out, _ = referee("verify", files[0])
    assert "1 records: everything holds" in out
    referee("export", run, "--out", tmp_path / "out", code=2)


def test_verify_names_the_record_and_the_line(run: Path, tmp_path: Path) -> None:
    out, _ = referee("verify", run, "--json")
    assert json.loads(out) == {"ok": True, "records": 36, "problems": []}
    referee("export", run, "--out", tmp_path / "out")
    path = tmp_path / "out" / "000004.jsonl"
    lines = path.read_bytes().splitlines()
    lines[2] = lines[2].replace(b'"dealt"', b'"dealT"')
    path.write_bytes(b"\n".join(lines))
    _, error = referee("verify", path, code=1)
    assert error.startswith("referee: 000004.jsonl: line 3: ")


def test_replay_prints_a_game_as_a_card_player_reads_it(run: Path) -> None:
    out, _ = referee("replay", run, "1", "--plain")
    assert out.startswith("pitch, deal 1, series 1-1-0-1\n")
    assert "is the pitcher" in out
    assert "wins\n" in out
    assert "The end" in out
    for_one, _ = referee("replay", run, "1", "--plain", "--seat", "2")
    assert for_one.count("♣") < out.count("♣")


def test_replay_of_a_seat_that_is_not_there_is_refused(run: Path) -> None:
    for seat in ("3", "99"):
        _, error = referee("replay", run, "1", "--seat", seat, code=2)
        assert error == f"referee: --seat {seat}: the game has the seats 0 to 2\n"


def test_replay_without_utf8_prints_letters(run: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "referee", "replay", str(run), "1"],
        env={**os.environ, "PYTHONIOENCODING": "latin-1", "PYTHONUTF8": "0"},
        capture_output=True,
        check=True,
    )
    assert b"wins" in done.stdout
    assert "♣".encode() not in done.stdout


def test_replay_steps_on_a_terminal_and_quits(run: Path) -> None:
    pid, terminal = pty.fork()
    if pid == 0:
        words = [sys.executable, "-m", "referee", "replay", str(run), "1"]
        os.execve(sys.executable, words, {**os.environ, "TERM": "xterm"})  # noqa: S606 as a user does
    shown = b""
    deadline = time.monotonic() + 20
    while b"quit" not in shown:
        assert select.select([terminal], [], [], deadline - time.monotonic())[0]
        shown += os.read(terminal, 65536)
    os.write(terminal, b"nntGq")
    with contextlib.suppress(OSError):  # the terminal is closed when the replay has ended
        while select.select([terminal], [], [], 20)[0]:
            shown += os.read(terminal, 65536)
    os.close(terminal)  # and a replay that has not ended is hung up on
    _, status = os.waitpid(pid, 0)
    assert os.waitstatus_to_exitcode(status) == 0
    assert b"The end" in shown


def test_match_as_json_and_its_records(tmp_path: Path) -> None:
    records = tmp_path / "records.jsonl"
    words = ("match", "oh_hell", GREEDY, RANDOM, RANDOM, "--deals", "2", "--seed", "x")
    out, _ = referee(*words, "--rules", "hook=true", "--json", "--out", records)
    match = json.loads(out)
    assert match["game"] == "oh_hell"
    assert match["games"][0]["seats"] == ["greedy_bot", "random_bot", "random_bot-2"]
    assert match["games"][1]["faults"] == []
    verified, _ = referee("verify", records)
    assert "2 records: everything holds" in verified
    assert b'"hook":true' in records.read_bytes()
    referee(*words, "--out", records, code=2)  # nothing is overwritten


def test_match_with_a_bot_that_does_not_start(tmp_path: Path) -> None:
    (tmp_path / "broken.py").write_text("import nothing_of_the_kind")
    words = ("match", "pitch", RANDOM, tmp_path / "broken.py", "--rules", "max_hands=1")
    _, error = referee(*words, code=2)
    assert "not started: broken" in error
    assert "No module named 'nothing_of_the_kind'" in error
    out, _ = referee(*words, "--force", "--json")
    (game,) = json.loads(out)["games"]
    assert game["forfeited"] == [1]
    assert game["ranks"] == [1, 2]


def test_what_is_odd_but_playable_is_said_once(tmp_path: Path) -> None:
    (tmp_path / "random.py").write_bytes((BOTS / "random_bot.py").read_bytes())
    bots = [RANDOM] * 5
    options = ("--rules", "target=50", "--rules", "max_hands=1")
    words = ("match", "cancellation_hearts", *bots, GREEDY, *options)
    _, error = referee(*words)
    assert error.count("target 50 is below 100, the usual least") == 1
    _, error = referee("match", "pitch", tmp_path / "random.py", RANDOM, code=2)
    assert "hides Python's own module random" in error


def test_schedule_counts_without_playing(tmp_path: Path) -> None:
    (tmp_path / "short.toml").write_text(SHORT)
    out, _ = referee("schedule", "short.toml", "--json", cwd=tmp_path)
    found = json.loads(out)
    assert found["estimate"]["games"] == 36
    assert found["estimate"].keys() >= {"questions", "expected_s", "worst_s"}
    (entry,) = found["entries"]
    assert (entry["game"], entry["seats"], entry["bots"], entry["deals"]) == ("pitch", 3, 4, 3)
    (balance,) = found["balance"]
    assert balance["games"] == {"smallest": 27, "largest": 27}
    assert balance["seats"] == {"smallest": 9, "largest": 9}
    referee("schedule", "short.toml", cwd=tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["short.toml"]


def test_too_many_games_are_refused_with_a_proposal(tmp_path: Path) -> None:
    (tmp_path / "short.toml").write_text(SHORT.replace("deals = 3", "deals = 3000"))
    _, error = referee("tournament", "short.toml", cwd=tmp_path, code=2)
    assert "36,000 games" in error
    assert "--force" in error
    assert not (tmp_path / "short").exists()


def test_a_bot_whose_file_is_not_there_is_named(tmp_path: Path) -> None:
    (tmp_path / "short.toml").write_text(SHORT.replace("random_bot.py", "nowhere.py"))
    _, error = referee("tournament", "short.toml", cwd=tmp_path, code=2)
    assert error.count("\n") == 1
    assert "[[bots]] random: path: " in error
    assert "nowhere.py: no such file or folder" in error
    assert not (tmp_path / "short").exists()


def test_games_and_schema() -> None:
    out, _ = referee("games")
    assert "Cancellation" in out
    out, _ = referee("games", "pitch")
    assert "win_needs_made_bid" in out
    out, _ = referee("schema")
    assert json.loads(out)["to_bot"]


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["tournament"], "CONFIG"),
        (["frob"], 'Unknown command "frob"'),
        (["tournament", "."], ".: a folder, not a config file"),
        (["tournament", "nope.toml"], "nope.toml: no such file"),
        (["tournament", "a.toml", "--prepare", "b", "--shard", "1/2"], "not with --out or --shard"),
        (["match", "oh_hel", "a"], "no game 'oh_hel'; the games are: "),
        (["match", "oh_hell", "a", "b", "c"], "a: no such file or folder"),
        (["match", "oh_hell", RANDOM], "oh_hell is for 3 to 7 seats, not 1"),
        (["match", "pitch", RANDOM, RANDOM, "--rules", "target"], "must be KEY=VALUE"),
        (["match", "pitch", RANDOM, RANDOM, "--rules", "target=0"], "pitch: option target: "),
        (["match", "pitch", RANDOM, RANDOM, "--rules", "goal=9"], "no option 'goal'"),
        (["match", "pitch", RANDOM, RANDOM, "--deals", "0"], "Must be >= 1"),
        (["standings", "."], "not a run"),
        (["verify", "nothing"], "nothing: No such file"),
        (["replay", "nothing"], "nothing: No such file"),
        (["games", "whist"], "no game 'whist'"),
    ],
)
def test_bad_usage_is_one_clear_line(words: list[str], says: str, tmp_path: Path) -> None:
    _, error = referee(*words, cwd=tmp_path, code=2)
    assert says in error
    assert error.startswith("referee: ")
    assert error.count("\n") == 1


def test_what_is_no_record_is_said_to_be_none(tmp_path: Path) -> None:
    (tmp_path / "odd.jsonl").write_text('{"x":1}\n')
    for command in ("verify", "replay"):
        _, error = referee(command, "odd.jsonl", cwd=tmp_path, code=1)
        assert error.startswith("referee: odd.jsonl: ")


def test_output_into_a_pipe_that_is_closed_early_is_no_error() -> None:
    done = subprocess.run(  # noqa: S602 a pipe of the shell's is what is tried
        f"{sys.executable} -m referee schema | head -1",
        shell=True,
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout == "{\n"
    assert done.stderr == ""


def test_help_answers_at_once_and_imports_nothing_heavy() -> None:
    code = (
        "import sys; sys.argv = ['referee', '--help']\n"
        "try:\n from referee.cli import main; main()\n"
        "finally: sys.stderr.write(' '.join(sys.modules))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert not {"trio", "numpy", "zstandard", "referee.table"} & set(done.stderr.split())
