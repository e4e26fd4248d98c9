"""A run on disk: whole or not at all, damage found and named, one referee at a time."""

import fcntl
import os
import shutil
import stat
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from referee.program import fingerprint
from referee.tournament.config import Config
from referee.tournament.prepare import find_or_make, set_aside
from referee.tournament.results import standings_of
from referee.tournament.store import Damage, RunError, Store, create, lock, open_run
from tests.tournament.played import BOTS, SHORT, config_of, play_run


@pytest.fixture(scope="module")
def played(short_run: Store, tmp_path_factory: pytest.TempPathFactory) -> Store:
    folder = tmp_path_factory.mktemp("played") / "run"
    return open_run(Path(shutil.copytree(short_run.folder, folder)))


@pytest.fixture
def config(tmp_path: Path) -> Config:
    return config_of(tmp_path)


def test_the_secret_is_for_the_referee_alone_and_its_hash_for_all(
    config: Config, tmp_path: Path
) -> None:
    store = create(tmp_path / "run", config)
    assert stat.S_IMODE((store.folder / "secret").stat().st_mode) == 0o600
    assert (store.folder / "commitment").read_text().strip() == store.commitment
    assert open_run(store.folder).secret == store.secret


def test_without_a_seed_every_run_has_a_secret_of_its_own(tmp_path: Path) -> None:
    config = config_of(tmp_path, SHORT.replace('seed = "short"', ""))
    assert create(tmp_path / "a", config).secret != create(tmp_path / "b", config).secret


def test_bots_play_from_copies_named_by_their_hash(config: Config, tmp_path: Path) -> None:
    umask = os.umask(0o077)
    try:
        store = create(tmp_path / "run", config)
    finally:
        os.umask(umask)
    version = fingerprint(BOTS / "random_bot.py")
    assert store.versions["random"] == version
    copy = store.folder / "bots" / version.removeprefix("sha256:") / "random_bot.py"
    assert copy.read_bytes() == (BOTS / "random_bot.py").read_bytes()
    assert stat.S_IMODE(copy.stat().st_mode) == 0o644
    assert stat.S_IMODE(copy.parent.stat().st_mode) == 0o755


def test_a_folder_that_is_something_else_is_left_alone(config: Config, tmp_path: Path) -> None:
    (tmp_path / "run").mkdir()
    (tmp_path / "run" / "diary.txt").write_text("mine")
    with pytest.raises(RunError, match="is there already and is no run"), lock(tmp_path / "run"):
        find_or_make(config, tmp_path / "run")
    assert [path.name for path in (tmp_path / "run").iterdir()] == ["diary.txt"]
    assert (tmp_path / "run" / "diary.txt").read_text() == "mine"


def test_what_is_no_run_is_said_to_be_none(tmp_path: Path) -> None:
    with pytest.raises(RunError, match=r"not a run \(it has no run.toml\)"):
        open_run(tmp_path)


def test_a_run_of_a_newer_format_is_refused_by_name(config: Config, tmp_path: Path) -> None:
    path = create(tmp_path / "run", config).folder / "run.toml"
    path.write_text(path.read_text().replace("format 1 (referee 0.1.0)", "format 2 (referee 9.0)"))
    with pytest.raises(RunError, match=r"format 2, written by referee 9.0"):
        open_run(tmp_path / "run")


def test_another_config_is_refused_key_by_key(config: Config, tmp_path: Path) -> None:
    create(tmp_path / "run", config)
    other = config_of(tmp_path, SHORT.replace("deals = 3", "deals = 4") + "[time]\nmove_ms = 7\n")
    with pytest.raises(RunError, match=r"\[\[games\]\] 1 deals, time.move_ms differ"):
        find_or_make(other, tmp_path / "run")


def test_a_changed_bot_is_another_config(tmp_path: Path) -> None:
    bot = tmp_path / "mine.py"
    bot.write_bytes((BOTS / "random_bot.py").read_bytes())
    text = SHORT + '[[bots]]\nname = "mine"\npath = "mine.py"\n'
    create(tmp_path / "run", config_of(tmp_path, text))
    bot.write_text("changed")
    with pytest.raises(RunError, match=r"\[\[bots\]\] 5 path differ"):
        find_or_make(config_of(tmp_path, text), tmp_path / "run")


def test_how_a_run_is_worked_off_may_change(config: Config, tmp_path: Path) -> None:
    create(tmp_path / "run", config)
    text = SHORT.replace('seed = "short"', 'seed = "short"\nname = "New name"')
    other = config_of(tmp_path, text + "[run]\nconcurrency = 3\n[limits]\nstderr_kb = 9\n")
    store = find_or_make(other, tmp_path / "run")
    assert store.config.run.concurrency == 3
    assert store.config.tournament.name == "New name"
    assert store.config.limits.stderr_kb == 9


def test_fresh_keeps_the_old_run_beside_the_new(config: Config, tmp_path: Path) -> None:
    old = create(tmp_path / "run", config)
    (old.folder / "mark").touch()
    set_aside(tmp_path / "run")
    find_or_make(config, tmp_path / "run")
    assert (tmp_path / "run.1" / "mark").exists()
    assert not (tmp_path / "run" / "mark").exists()
    with lock(tmp_path / "run"), pytest.raises(RunError, match="is being played by"):
        set_aside(tmp_path / "run")
    set_aside(tmp_path / "run")
    assert (tmp_path / "run.2").exists()


DAMAGES: dict[str, Callable[[bytes], bytes]] = {
    "truncated to nothing": lambda _: b"",
    "truncated in the first line": lambda data: data[:40],
    "truncated in the records": lambda data: data[:-7],
    "a byte of the first line changed": lambda data: data[:60] + bytes([data[60] ^ 1]) + data[61:],
    "a byte of the records changed": lambda data: data[:-60] + bytes([data[-60] ^ 1]) + data[-59:],
    "something appended": lambda data: data + b"x",
    "no zstd at all": lambda _: b'{"type":"series"}\n',
}


@pytest.mark.parametrize("damage", DAMAGES)
def test_a_damaged_series_is_named_kept_aside_and_played_again(
    damage: str, played: Store, tmp_path: Path
) -> None:
    standings = standings_of(played)
    path = played.folder / "series" / "1-3-2-1.jsonl.zst"
    whole = path.read_bytes()
    broken = DAMAGES[damage](whole)
    path.write_bytes(broken)
    with pytest.raises(Damage):
        played.records("1-3-2-1")
    (played.folder / "series" / "1-3-2-2.jsonl.zst.new").write_bytes(b"half")
    named = [line.partition(":")[0] for line in played.set_damaged_aside()]
    assert named == ["1-3-2-1.jsonl.zst", "1-3-2-2.jsonl.zst.new"]
    kept = [each for each in (played.folder / "damaged").iterdir() if path.name in each.name]
    assert broken in [each.read_bytes() for each in kept]
    assert not played.has("1-3-2-1")
    config = config_of(tmp_path)
    store, _ = play_run(config, played.folder)
    assert standings_of(store).standings[0].points == standings.standings[0].points
    assert standings_of(store).games == 36


def test_a_series_under_another_name_is_damage(played: Store) -> None:
    data = (played.folder / "series" / "1-1-0-1.jsonl.zst").read_bytes()
    double = played.folder / "series" / "1-9-0-1.jsonl.zst"
    double.write_bytes(data)
    assert played.set_damaged_aside() == ["1-9-0-1.jsonl.zst: holds series 1-1-0-1"]


LOCK = """
import sys
import threading
from pathlib import Path
from referee.tournament.store import RunError, lock
try:
    with lock(Path(sys.argv[1])):
        print("locked")
except RunError as error:
    print(error)
"""


def test_a_second_referee_is_told_who_holds_the_run(played: Store) -> None:
    def try_to_lock() -> str:
        words = [sys.executable, "-c", LOCK, str(played.folder)]
        return subprocess.run(words, capture_output=True, text=True, check=True).stdout

    with lock(played.folder):
        assert f"is being played by process {os.getpid()}" in try_to_lock()
    assert try_to_lock() == "locked\n"


def test_who_took_the_lock_just_now_is_given_time_to_say_so(tmp_path: Path) -> None:
    run = tmp_path / "run"
    run.mkdir()
    with (run / "lock").open("w", encoding="utf-8") as file:
        fcntl.flock(file, fcntl.LOCK_EX)

        def say() -> None:
            file.write("process 7 on there\n")
            file.flush()

        threading.Timer(0.1, say).start()
        with pytest.raises(RunError, match="is being played by process 7 on there"), lock(run):
            pass
