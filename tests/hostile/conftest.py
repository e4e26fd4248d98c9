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
def whole(tmp_path_factory: pytest.TempPathFactory) -> Machine:
    """Return the tournament played from its start to its end; for copies only."""
    machine = Machine(tmp_path_factory.mktemp("whole"))
    machine.play()
    assert len(machine.series) == 12
    return machine


@pytest.fixture(scope="session")
def uninterrupted(whole: Machine) -> dict[str, Any]:
    """Return the results of a run to which nothing happened."""
    return whole.results()


@pytest.fixture(scope="session")
def killed(tmp_path_factory: pytest.TempPathFactory) -> Machine:
    """Return the tournament with a few series stored, its referee killed; for copies only."""
    machine = Machine(tmp_path_factory.mktemp("killed"))
    with machine.playing() as referee:
        machine.wait_for_series(3)
        referee.kill()
    assert len(machine.series) < 12
    return machine


@pytest.fixture
def begun(killed: Machine, tmp_path: Path) -> Machine:
    """Return a tournament that was begun, and whose referee was killed."""
    return killed.copied(tmp_path)


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
