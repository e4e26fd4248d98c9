"""The soak runs, in small."""

import subprocess
import sys

SMALL = """
import sys
from tests import soak

soak.GROWTH = 2.0  # so few games say nothing of memory
sys.exit(soak.main(150))
"""


def test_a_run_in_one_process_leaves_no_descriptor_thread_or_zombie() -> None:
    done = subprocess.run([sys.executable, "-c", SMALL], capture_output=True, text=True, check=True)
    assert "flat and clean" in done.stdout
