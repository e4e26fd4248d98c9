"""Every benchmark still runs: a few rounds, no figures looked at."""

import subprocess
import sys
from pathlib import Path

import msgspec
import pytest

from tests.benchmarks import (
    endurance,
    engines,
    playing,
    question,
    rules,
    scaling,
    schedules,
    starting,
    stored,
)
from tests.benchmarks import imports as start_up
from tests.benchmarks.report import Report, Target

ROOT = Path(__file__).parents[2]
PARTS = {
    "a": question.run,
    "b": playing.run,
    "c": rules.run,
    "d": starting.run,
    "e": scaling.run,
    "f": endurance.run,
    "g": schedules.run,
    "h": stored.run,
    "i": start_up.run,
    "j": engines.run,
}


@pytest.mark.parametrize("part", PARTS)
def test_a_benchmark_has_figures_and_can_be_written(part: str) -> None:
    report = PARTS[part](quick=True)
    assert report.part == part
    assert report.rows
    assert all(len(row) == len(report.columns) for row in report.rows)
    assert msgspec.json.decode(msgspec.json.encode(report), type=Report).title == report.title


def test_the_command_prints_a_part_and_writes_it_as_json(tmp_path: Path) -> None:
    words = ["-m", "tests.benchmarks", "g", "--quick", "--json", str(tmp_path / "found.json")]
    said = subprocess.run(
        [sys.executable, *words], cwd=ROOT, check=True, capture_output=True, text=True
    )
    (report,) = msgspec.json.decode((tmp_path / "found.json").read_bytes(), type=list[Report])
    assert report.part == "g"
    assert f"(g) {report.title}" in said.stdout


def test_a_target_says_whether_it_is_met() -> None:
    assert str(Target("start, ms", 2.0, 1.0)) == "NOT MET: start, ms: 2, at most 1"
    assert str(Target("share", 0.8, 0.75, at_least=True)) == "met: share: 0.8, at least 0.75"
