"""What all tests share: property tests that are the same in every run, and nothing left."""

from collections.abc import Iterator

import pytest
from hypothesis import settings

from tests.tournament.engine.left import all_end

settings.register_profile("same", derandomize=True, deadline=None, print_blob=True)
settings.load_profile("same")


@pytest.fixture(scope="module", autouse=True)
def nothing_left() -> Iterator[None]:
    """See to it that what a file's tests started has ended, and that orphans of theirs are reaped.

    Who starts a bot adopts orphans (``sandbox.adopt_orphans``): those of a command, too.
    """
    yield
    assert all_end(within_s=5)
