"""The short run, played once for all that look at it."""

import pytest

from referee.tournament.store import Store
from tests.tournament.played import SHORT, config_of, play_run


@pytest.fixture(scope="session")
def short_run(tmp_path_factory: pytest.TempPathFactory) -> Store:
    """Return the short run, played a table at a time; for looking at, and for copies."""
    folder = tmp_path_factory.mktemp("short")
    config = config_of(folder, f"{SHORT}\n[run]\nconcurrency = 1\n")
    return play_run(config, folder / "run")[0]
