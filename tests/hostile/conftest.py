"""What the tests of failing machines compare with."""

from pathlib import Path
from typing import Any

import pytest

from tests.hostile.machines import QUICK, Machine


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    """Return a tournament that has not begun."""
    return Machine(tmp_path)


@pytest.fixture(scope="session")
def uninterrupted(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """Return the results of a run to which nothing happened."""
    machine = Machine(tmp_path_factory.mktemp("uninterrupted"))
    machine.play()
    assert len(machine.series) == 12
    return machine.results()


@pytest.fixture
def quick(tmp_path: Path) -> Machine:
    """Return one of two series, for what does not happen at a moment of its own."""
    return Machine(tmp_path, QUICK, deals=1)


@pytest.fixture(scope="session")
def undisturbed(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """Return the results of the quick one."""
    machine = Machine(tmp_path_factory.mktemp("undisturbed"), QUICK, deals=1)
    machine.play()
    assert len(machine.series) == 2
    return machine.results()
