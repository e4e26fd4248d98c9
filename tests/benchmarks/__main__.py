"""``python -m tests.benchmarks``: every part, or those named by their letters."""

import argparse
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path

import msgspec
from rich.console import Console

from tests.benchmarks import (
    endurance,
    engines,
    imports,
    playing,
    question,
    rules,
    scaling,
    schedules,
    starting,
    stored,
    variance,
)
from tests.benchmarks.report import Report


def main() -> None:
    """Measure, print and write what was found."""
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks")
    parser.add_argument("parts", nargs="*", help="letters; by default all")
    parser.add_argument("--quick", action="store_true", help="a few rounds: a look, no figures")
    parser.add_argument("--json", type=Path, help="write the reports to this file")
    parser.add_argument(
        "--others", default=sys.executable, help="a Python that has open_spiel and rlcard"
    )
    given = parser.parse_args()
    parts = dict[str, Callable[..., Report]](
        a=question.run,
        b=playing.run,
        c=partial(rules.run, python=given.others),
        d=starting.run,
        e=scaling.run,
        f=endurance.run,
        g=schedules.run,
        h=stored.run,
        i=imports.run,
        j=engines.run,
        v=variance.run,
    )
    console = Console()
    reports = []
    for part in given.parts or parts:
        reports.append(parts[part](quick=given.quick))
        reports[-1].print_on(console)
        if given.json:
            given.json.write_bytes(msgspec.json.format(msgspec.json.encode(reports)) + b"\n")


main()
