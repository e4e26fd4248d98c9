"""The run that the engines are measured by: played in one process."""

import pytest

from tests.tournament.played import SHORT, config_of, play_run, records_of


@pytest.fixture(scope="session")
def played_locally(
    tmp_path_factory: pytest.TempPathFactory,
) -> dict[str, list[list[bytes]]]:
    """Return the records of the short run."""
    folder = tmp_path_factory.mktemp("locally")
    return records_of(play_run(config_of(folder, SHORT), folder / "run")[0])
