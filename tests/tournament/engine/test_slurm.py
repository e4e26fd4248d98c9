"""SLURM, on a node of one machine: the organiser's guide's two ways, and the same results again."""

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from referee.tournament.store import open_run
from tests.tournament.engine.slurm_node import lacks, slurm_node, wait_for
from tests.tournament.played import BOTS, SHORT, config_of, records_of

pytestmark = pytest.mark.skipif(bool(lacks()), reason=lacks())

GUIDE = BOTS.parent / "tournaments" / "slurm"
LEFT = "squeue --noheader --states=pending,running,completing"
LOCAL = """
local_directory = "scratch"
scheduler_options = { host = "127.0.0.1", dashboard_address = ":0" }
"""


@pytest.fixture(scope="module")
def environment(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, str]]:
    with slurm_node(tmp_path_factory.mktemp("slurm")) as config:
        path = f"{Path(sys.executable).parent}:{os.environ['PATH']}"
        yield {**os.environ, "PATH": path, "SLURM_CONF": str(config)}


def run(command: str, folder: Path, environment: dict[str, str], code: int = 0) -> str:
    done = subprocess.run(
        command.split(),
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == code, (done.stdout, done.stderr)
    return done.stderr if code else done.stdout


def test_workers_are_jobs_of_slurm_and_none_is_left(
    environment: dict[str, str], played_locally: dict[str, list[list[bytes]]], tmp_path: Path
) -> None:
    pytest.importorskip("dask_jobqueue", reason="the extra cluster is not installed")
    jobs = (GUIDE / "jobs.toml").read_text()
    (tmp_path / "jobs.toml").write_text(jobs + LOCAL)
    config_of(tmp_path, f'{SHORT}[run]\nengine = "dask"\nscheduler = "slurm:jobs.toml"\n')
    scratch = tmp_path / "tmp"
    scratch.mkdir()
    command = "referee tournament config.toml --out run"
    run(command, tmp_path, {**environment, "TMPDIR": str(scratch)})
    assert records_of(open_run(tmp_path / "run")) == played_locally
    wait_for(lambda: not run(LEFT, tmp_path, environment))
    assert not list(scratch.iterdir())


def test_what_slurm_refuses_is_said_in_one_line(
    environment: dict[str, str], tmp_path: Path
) -> None:
    pytest.importorskip("dask_jobqueue", reason="the extra cluster is not installed")
    jobs = (GUIDE / "jobs.toml").read_text()
    (tmp_path / "jobs.toml").write_text(f'queue = "nosuch"\n{jobs}{LOCAL}')
    config_of(tmp_path, f'{SHORT}[run]\nengine = "dask"\nscheduler = "slurm:jobs.toml"\n')
    (line,) = run("referee tournament config.toml", tmp_path, environment, code=2).splitlines()
    assert line.startswith(f"referee: run.scheduler: {tmp_path}/jobs.toml: sbatch: error: invalid")


def test_a_job_array_plays_the_shards_of_a_prepared_run(
    environment: dict[str, str], played_locally: dict[str, list[list[bytes]]], tmp_path: Path
) -> None:
    config_of(tmp_path)
    shutil.copy(GUIDE / "array.sh", tmp_path)
    run("referee tournament config.toml --prepare prepared", tmp_path, environment)
    run("sbatch array.sh", tmp_path, environment)
    wait_for(lambda: not run(LEFT, tmp_path, environment), within_s=60)
    parts = [f"part-{number}" for number in range(1, 5)]
    run(f"referee merge {' '.join(parts)} --out whole", tmp_path, environment)
    assert records_of(open_run(tmp_path / "whole")) == played_locally
