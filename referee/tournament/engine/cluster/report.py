"""What a machine plays with, and whether a run may use it beside others."""

import platform
from collections.abc import Mapping

import msgspec

from referee import __version__
from referee.sandbox import Mode, SandboxError, Wanted, find_isolation


class Report(msgspec.Struct, frozen=True):
    """What a machine plays with; ``lacks`` is why it cannot keep bots apart as the run demands."""

    referee: str
    python: str
    isolation: Mode
    lacks: str = ""


def report(wanted: Wanted) -> Report:
    """Say what this machine plays with."""
    mode: Mode = "off"
    lacks = ""
    try:
        mode = find_isolation(wanted).mode
    except SandboxError as error:
        lacks = str(error)
    return Report(__version__, platform.python_version(), mode, lacks)


def objection(coordinator: Report, worker: Report) -> str:
    """Say why a worker may not play: games might go otherwise there; empty where it may."""
    if worker.lacks:
        return worker.lacks
    if worker.referee != coordinator.referee:
        return f"has referee {worker.referee}, the coordinator {coordinator.referee}"
    if _minor(worker.python) != _minor(coordinator.python):
        return f"has Python {worker.python}, the coordinator {coordinator.python}"
    return ""


def mixes(reports: Mapping[str, Report]) -> list[str]:
    """Say in what machines that may all play differ nevertheless."""
    remarks = []
    for what, each in (
        ("Python", {where: report.python for where, report in reports.items()}),
        ("isolation", {where: report.isolation for where, report in reports.items()}),
    ):
        if len(set(each.values())) > 1:
            mixed = ", ".join(f"{found} on {where}" for where, found in sorted(each.items()))
            remarks.append(f"the workers' {what} differs: {mixed}")
    return remarks


def _minor(version: str) -> list[str]:
    return version.split(".")[:2]
