"""What a test may need that is not everywhere: it is skipped without, and says what is missing."""

import os
import shutil

import pytest

from referee.sandbox import find_isolation

_ISOLATION = find_isolation("auto")

isolation = pytest.mark.skipif(_ISOLATION.mode == "off", reason=_ISOLATION.warning)
root = pytest.mark.skipif(os.geteuid() != 0, reason="needs root")


def program(name: str) -> pytest.MarkDecorator:
    """Need a program that is found on the PATH."""
    return pytest.mark.skipif(shutil.which(name) is None, reason=f"needs {name}")
