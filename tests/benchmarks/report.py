"""What a benchmark found: a table, its targets, and the same as JSON."""

import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from statistics import median
from time import perf_counter

import msgspec
from rich.console import Console
from rich.table import Table


class Target(msgspec.Struct, frozen=True):
    """A figure and the bound that it should keep to."""

    what: str
    value: float
    bound: float
    at_least: bool = False

    @property
    def is_met(self) -> bool:
        return self.value >= self.bound if self.at_least else self.value <= self.bound

    def __str__(self) -> str:
        wanted = "at least" if self.at_least else "at most"
        verdict = "met" if self.is_met else "NOT MET"
        return f"{verdict}: {self.what}: {self.value:,.4g}, {wanted} {self.bound:,.4g}"


class Report(msgspec.Struct, kw_only=True):
    """A benchmark's table. A figure of None is one that could not be had; ``notes`` say why."""

    part: str
    title: str
    columns: Sequence[str]
    rows: list[list[str | float | None]] = []
    targets: list[Target] = []
    notes: list[str] = []

    def print_on(self, console: Console) -> None:
        table = Table(title=f"({self.part}) {self.title}", title_justify="left")
        for column in self.columns:
            table.add_column(column, justify="right" if self.columns[0] != column else "left")
        for row in self.rows:
            table.add_row(*map(_shown, row))
        console.print(table)
        for line in (*map(str, self.targets), *self.notes):
            console.print(f"  {line}")


def _shown(value: str | float | None) -> str:
    if value is None:
        return "-"
    if isinstance(value, float):
        return f"{value:,.1f}" if 1 <= abs(value) < 1000 else f"{value:,.3g}"
    return f"{value:,}" if isinstance(value, int) else value


@contextmanager
def pinned() -> Iterator[None]:
    """Keep this process, and those that it starts, to one core.

    Free to move, the same exchange with a bot takes between once and ten times as long.
    """
    cores = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {max(cores)})
    try:
        yield
    finally:
        os.sched_setaffinity(0, cores)


def seconds(call: Callable[[], object]) -> float:
    """Return how long a call takes."""
    began = perf_counter()
    call()
    return perf_counter() - began


def medians(rounds: int, **subjects: Callable[[], float]) -> dict[str, float]:
    """Return the median of each subject's figure over some rounds.

    In each round every subject has its turn, so that a disturbance meets them all alike.
    """
    found: dict[str, list[float]] = {name: [] for name in subjects}
    for _ in range(rounds):
        for name, subject in subjects.items():
            found[name].append(subject())
    return {name: median(figures) for name, figures in found.items()}
