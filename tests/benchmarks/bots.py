"""The bots that the benchmarks play with."""

import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from referee.bot.spawn import Launch

HERE = Path(__file__).parent
_EXAMPLES = HERE.parents[1] / "bots"
RANDOM = Launch([sys.executable, "random_bot.py"], str(_EXAMPLES))
"""The smallest Python bot."""


@contextmanager
def first_bot() -> Iterator[Launch | None]:
    """Compile the bot in C that takes the first options; None where there is no compiler."""
    compiler = shutil.which("gcc") or shutil.which("cc")
    if compiler is None:
        yield None
        return
    with tempfile.TemporaryDirectory(prefix="referee-benchmark-") as folder:
        subprocess.run(
            [compiler, "-O2", "-o", f"{folder}/first_bot", HERE / "first_bot.c"], check=True
        )
        Path(folder).chmod(0o755)  # isolated bots are another user
        yield Launch(["./first_bot"], folder)
