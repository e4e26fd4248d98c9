"""``python -m tests.benchmarks``: every part, or those named by their letters."""

import argparse
from pathlib import Path

import msgspec
from rich.console import Console

from tests.benchmarks import question

PARTS = {"a": question.run}


def main() -> None:
    """Measure, print and write what was found."""
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks")
    parser.add_argument("parts", nargs="*", default=list(PARTS), help="letters; by default all")
    parser.add_argument("--quick", action="store_true", help="a few rounds: a look, no figures")
    parser.add_argument("--json", type=Path, help="write the reports to this file")
    given = parser.parse_args()
    console = Console()
    reports = []
    for part in given.parts:
        reports.append(PARTS[part](quick=given.quick))
        reports[-1].print_on(console)
        if given.json:
            given.json.write_bytes(msgspec.json.format(msgspec.json.encode(reports)) + b"\n")


main()
