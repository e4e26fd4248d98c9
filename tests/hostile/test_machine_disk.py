"""Machines that fail, points 4, 5, 9, 10, 17 and 18: the run's folder.

After each the same command ends in the results of a run to which nothing happened.
"""

import os
import random
import resource
import shutil
import subprocess
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests import needs
from tests.hostile.machines import Machine, results_of

Results = dict[str, Any]


def in_own_mounts(machine: Machine, script: str) -> str:
    """Run a shell's script that may mount; ``$play`` plays the run and says its exit code."""
    words = " ".join(machine.words())
    lines = f"set -u; cd {machine.folder}; mkdir -p run\nplay() {{ {words}; echo code $?; }}\n"
    done = subprocess.run(
        ["unshare", "--mount", "sh", "-c", lines + script],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert "Traceback" not in done.stderr
    machine.assert_none_left()
    return done.stdout + done.stderr


@needs.root
def test_c4_disk_full(machine: Machine, uninterrupted: Results) -> None:
    said = in_own_mounts(
        machine,
        "mount -t tmpfs -o size=60k none run\nplay\n"
        "mount -o remount,size=8m run\nplay\ncp -r run kept",
    )
    assert "code 1\n" in said
    assert "run: No space left on device; the same command goes on when that is mended" in said
    assert "code 0\n" in said
    assert results_of(machine.folder / "kept") == uninterrupted


def test_c4_files_may_not_grow(begun: Machine, uninterrupted: Results) -> None:
    def bound() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (100, resource.RLIM_INFINITY))

    done = begun.play(code=1, preexec_fn=bound)
    assert "File too large" in done.stderr.splitlines()[-1]
    begun.play()
    assert begun.results() == uninterrupted


@needs.root
def test_c5_folder_that_can_only_be_read(begun: Machine, uninterrupted: Results) -> None:
    said = in_own_mounts(begun, "mount --bind run run\nmount -o remount,ro,bind run\nplay")
    assert "referee: run/lock: Read-only file system\n" in said
    assert "code 2\n" in said
    begun.play()
    assert begun.results() == uninterrupted


def test_c5_no_folder(machine: Machine) -> None:
    machine.run.write_text("a file")
    done = machine.play(code=2)
    said = "referee: run: is there already and is no run; choose another with --out"
    assert done.stderr.splitlines()[-1] == said
    assert machine.run.read_text() == "a file"


def test_c5_folder_gone_in_mid_run(machine: Machine, uninterrupted: Results) -> None:
    with machine.playing() as referee:
        machine.wait_for_series(3)
        machine.run.rename(machine.folder / "elsewhere")
        said, _ = referee.communicate(timeout=20)
    assert referee.returncode == 1
    assert "No such file or directory" in said
    assert "Traceback" not in said
    machine.play()
    assert machine.results() == uninterrupted


def cut(at: float) -> Callable[[Path], None]:
    """Return what cuts a file off at this share of its length."""
    return lambda path: os.truncate(path, int(path.stat().st_size * at))


def change_a_byte(path: Path) -> None:
    data = bytearray(path.read_bytes())
    data[len(data) * 2 // 3] ^= 1
    path.write_bytes(data)


DAMAGES: list[Callable[[Path], object]] = [
    *map(cut, (0, 0.01, 0.2, 0.4, 0.6, 0.8, 0.99)),
    change_a_byte,
    Path.unlink,
    lambda path: path.with_name(f"{path.name}.new").write_bytes(path.read_bytes()[:99]),
    lambda path: shutil.copy(path, path.with_name("1-1-9-9.jsonl.zst")),
]


@pytest.mark.parametrize("has_ended", [False, True])
def test_c9_damaged_missing_doubled_and_half_written_series_are_played_again(
    has_ended: bool, whole: Machine, tmp_path: Path, uninterrupted: Results
) -> None:
    machine = whole.copied(tmp_path)
    if not has_ended:
        (machine.run / "results.json").unlink()
    unhurt = {path.name: path.read_bytes() for path in machine.series}
    for damage, path in zip(DAMAGES, machine.series, strict=False):
        damage(path)
    damaged = [name for name, data in unhurt.items() if not_same(machine, name, data)]
    done = machine.play()
    for name in damaged:
        assert f"set aside, to be played again: {name}: " in done.stdout.replace("\n", " ")
    assert len(list((machine.run / "damaged").iterdir())) == len(DAMAGES) - 1
    assert machine.results() == uninterrupted


def not_same(machine: Machine, name: str, data: bytes) -> bool:
    path = machine.run / "series" / name
    return path.exists() and path.read_bytes() != data


def test_c10_another_config_is_named_key_by_key(begun: Machine, uninterrupted: Results) -> None:
    config = begun.folder / "config.toml"
    text = config.read_text()
    config.write_text(text.replace("deals = 6", "deals = 7"))
    assert "[[games]] 1 deals differ" in begun.play(code=2).stderr
    config.write_text(text)
    begun.play()
    assert begun.results() == uninterrupted


def test_c10_another_referee_is_named(begun: Machine, uninterrupted: Results) -> None:
    run = begun.run / "run.toml"
    text = run.read_text()
    run.write_text(text.replace("(referee ", "(referee 0.0.", 1))
    assert "run: was begun by referee 0.0." in begun.play(code=2).stderr
    run.write_text(text)
    begun.play()
    assert begun.results() == uninterrupted


def test_c10_another_bot_is_named_and_a_damaged_copy_made_again(
    begun: Machine, uninterrupted: Results
) -> None:
    (copy,) = (begun.run / "bots").glob("*/hostile.py")
    copy.write_text("raise SystemExit('damaged')")
    config = begun.folder / "config.toml"
    text = config.read_text()
    other = shutil.copy(copy, begun.folder / "hostile.py")
    config.write_text(text.replace(str(Path(__file__).with_name("hostile.py")), str(other)))
    assert "[[bots]] 1 path, [[bots]] 2 path differ" in begun.play(code=2).stderr
    config.write_text(text)
    begun.play()
    assert begun.results() == uninterrupted


def test_c17_of_two_referees_one_is_told_who_has_the_run(
    machine: Machine, uninterrupted: Results
) -> None:
    words = machine.words()
    pair = [
        subprocess.Popen(words, cwd=machine.folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        for _ in range(2)
    ]
    said = [process.communicate(timeout=60)[1].decode() for process in pair]
    winner = 0 if pair[0].returncode == 0 else 1
    assert [pair[winner].returncode, pair[1 - winner].returncode] == [0, 2]
    assert f"the run is being played by process {pair[winner].pid} on " in said[1 - winner]
    machine.assert_none_left()
    assert machine.results() == uninterrupted


def test_c18_a_copy_made_at_a_random_moment_goes_on_too(
    machine: Machine, uninterrupted: Results
) -> None:
    with machine.playing() as referee:
        machine.wait_for_series(2)
        time.sleep(random.Random(0).random() / 2)
        subprocess.run(["cp", "-r", "run", "copy"], cwd=machine.folder, check=True)
        referee.kill()
    subprocess.run(
        [*machine.words()[:-1], "copy"], cwd=machine.folder, check=True, stdout=subprocess.DEVNULL
    )
    assert results_of(machine.folder / "copy") == uninterrupted
    machine.play()
    assert machine.results() == uninterrupted


def test_c18_half_a_copy_goes_on_as_far_as_it_can(begun: Machine, uninterrupted: Results) -> None:
    for lost in ("secret", "run.toml"):
        (begun.run / lost).rename(begun.folder / lost)
        done = begun.play(code=2)
        assert done.stderr.splitlines()[-1].startswith("referee: run")
        (begun.folder / lost).rename(begun.run / lost)
    for lost in ("series", "bots"):
        shutil.rmtree(begun.run / lost)
    (begun.run / "commitment").unlink()
    begun.play()
    assert begun.results() == uninterrupted
    begun.referee("verify", "run")
