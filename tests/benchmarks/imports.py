"""(i) Start-up: what the commands cost before they do anything, and what they import."""

import resource
import subprocess
import sys
import tempfile
from functools import partial
from pathlib import Path

from tests.benchmarks.report import Report, Target, medians, pinned, seconds

HELP_S, MATCH_S = 0.2, 0.5
COMMANDS = {
    "--help": ["--help"],
    "match": ["match", "pitch", "random_bot.py", "random_bot.py", "--rules", "max_hands=1"],
    "tournament": ["tournament", "tiny.toml", "--fresh"],
    "schedule": ["schedule", "tiny.toml"],
}
BOTS = Path(__file__).parents[2] / "bots"
TINY = """
[[games]]
game = "pitch"
seats = 2
deals = 1
rules = { max_hands = 1 }
[[bots]]
name = "one"
path = "random_bot.py"
[[bots]]
name = "two"
path = "random_bot.py"
"""


def _least_s(argv: list[str], folder: str) -> float:
    """Return the least disturbed of three runs."""
    run = partial(subprocess.run, argv, cwd=folder, check=True, capture_output=True)
    return min(seconds(run) for _ in range(3))


def _processor_s(words: list[str], folder: str) -> float:
    """Return the processor time of one run, its bots' included: what no neighbour changes."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    argv = [sys.executable, "-m", "referee", *words]
    subprocess.run(argv, cwd=folder, check=True, capture_output=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def _heaviest(words: list[str], folder: str, count: int) -> list[str]:
    """Name what takes longest to import, each with what it alone imports."""
    program = [sys.executable, "-X", "importtime", "-m", "referee"]
    said = subprocess.run(
        [*program, *words], cwd=folder, check=True, capture_output=True, text=True
    )
    packages: dict[str, int] = {}
    for line in said.stderr.splitlines():
        if line.startswith("import time:") and "[us]" not in line:
            own, _, name = line.removeprefix("import time:").split("|")
            package = name.strip().partition(".")[0]
            packages[package] = packages.get(package, 0) + int(own)
    largest = sorted(packages, key=lambda name: -packages[name])[:count]
    return [f"{name} {packages[name] / 1000:.0f} ms" for name in largest]


def run(*, quick: bool = False) -> Report:
    """Measure whole commands, the bots' own start included, pinned to one core."""
    report = Report(
        part="i",
        title="start-up, whole commands",
        columns=["command", "s", "processor s", "imports, by package"],
    )
    with pinned(), tempfile.TemporaryDirectory(prefix="referee-benchmark-") as folder:
        (Path(folder) / "random_bot.py").write_bytes((BOTS / "random_bot.py").read_bytes())
        (Path(folder) / "tiny.toml").write_text(TINY, encoding="utf-8")
        names = list(COMMANDS)[:1] if quick else list(COMMANDS)
        subjects = {
            name: partial(_least_s, [sys.executable, "-m", "referee", *COMMANDS[name]], folder)
            for name in names
        }
        subjects["python"] = partial(_least_s, [sys.executable, "-c", "pass"], folder)
        found = medians(1 if quick else 5, **subjects)
        report.rows.append(["(an empty Python)", found["python"], None, ""])
        for name in names:
            heaviest = ", ".join(_heaviest(COMMANDS[name], folder, 6))
            report.rows.append([name, found[name], _processor_s(COMMANDS[name], folder), heaviest])
    report.targets.append(Target("--help, s", found["--help"], HELP_S))
    if "match" in found:
        report.targets.append(Target("match, start to end, s", found["match"], MATCH_S))
    return report
