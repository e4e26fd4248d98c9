"""What a config may say of its engine, and what is said of it before anything is played."""

from pathlib import Path

import pytest

from referee.tournament.config import ConfigError, load_config
from referee.tournament.config.resolved import encode_config
from referee.tournament.prepare import remarks_on
from referee.tournament.sizing import cores
from tests.tournament.played import SHORT, config_of


@pytest.mark.parametrize(
    ("run", "words"),
    [
        ('engine = "ray"', r'run.engine: found "ray"; it may be "dask", "local" or "processes"'),
        (
            'engine = "dask"',
            r"run.scheduler: missing; for engine = .dask. it may be an address such as",
        ),
        ('engine = "dask"\nscheduler = "local:0"', r'run.scheduler: found "local:0"; it may be'),
        ('engine = "dask"\nscheduler = "10.0.0.7"', r'run.scheduler: found "10.0.0.7"; it may be'),
        ("pin = true", r'run.pin: found true, but engine = "local"; only worker processes can be'),
        ('engine = "processes"\npin = 1', r"run.pin: found 1; it may be true or false"),
    ],
)
def test_an_engine_that_cannot_be_is_refused_by_its_key(
    run: str, words: str, tmp_path: Path
) -> None:
    with pytest.raises(ConfigError, match=words):
        config_of(tmp_path, f"{SHORT}[run]\n{run}\n")


def test_the_file_of_slurms_jobs_is_found_from_the_configs_folder_also_on_a_resume(
    tmp_path: Path,
) -> None:
    config = config_of(tmp_path, f'{SHORT}[run]\nengine = "dask"\nscheduler = "slurm:jobs.toml"\n')
    assert config.run.scheduler == f"slurm:{tmp_path}/jobs.toml"
    (tmp_path / "run").mkdir()
    path = tmp_path / "run" / "run.toml"
    path.write_bytes(encode_config(config, path.parent))
    assert load_config(path).run == config.run


def test_workers_here_are_counted_with_the_cores_and_those_elsewhere_are_not(
    tmp_path: Path,
) -> None:
    def warned(scheduler: str) -> bool:
        run = f'[run]\nengine = "dask"\nscheduler = "{scheduler}"\nconcurrency = 999\n'
        config = config_of(tmp_path, SHORT + run)
        said = f"run.scheduler = {scheduler} is above the {cores()} cores"
        return any(remark.startswith(said) for remark in remarks_on(config))

    assert warned(f"local:{cores() + 1}")
    assert not warned(f"local:{cores()}")
    assert not warned("tcp://10.0.0.7:8786")
