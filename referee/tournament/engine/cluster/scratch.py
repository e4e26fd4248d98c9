"""A folder for what workers keep for themselves: gone at the end, also of a killed coordinator."""

import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager

_JANITOR = 'read -r _ || sleep 1; exec rm -rf "$1"'
"""It is told when nobody uses the folder any more. Where its input just ends, the coordinator was
killed, and the workers, which end then as well, are given a second to do so."""


@contextmanager
def open_scratch() -> Iterator[str]:
    """Have a new folder, with a process beside this one that removes it."""
    folder = tempfile.mkdtemp(prefix="referee-workers-")
    janitor = subprocess.Popen(
        ("sh", "-c", _JANITOR, "sh", folder),
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        cwd="/",
        start_new_session=True,  # Ctrl-C at the terminal is not for it
    )
    try:
        yield folder
    finally:
        janitor.communicate(b"\n")
