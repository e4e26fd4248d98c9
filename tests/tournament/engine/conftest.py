"""The run that the engines are measured by: played in one process."""

import pytest

from referee.tournament.store import Store
from tests.tournament.played import records_of


@pytest.fixture(scope="session")
def played_locally(short_run: Store) -> dict[str, list[list[bytes]]]:
    """Return the records of the short run."""
    return records_of(short_run)
