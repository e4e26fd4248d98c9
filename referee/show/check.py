"""What a check found, as a page."""

import re

from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from referee.check import Report, Step
from referee.protocol import printable
from referee.tournament.submit import Submission

_STDERR_LINES = 12
_INTERNAL = re.compile(r"\s+at .*(\bnode:|\bjava\.base/)")
"""A line of a stack that is the interpreter's own, and no help to who looks for a mistake."""


def check_page(report: Report) -> RenderableType:
    """Return a check as its bot's author reads it: a line a step, and what helps under a failed."""
    parts: list[RenderableType] = [Text(f"{report.bot}, isolation: {report.isolation}")]
    helped: dict[str, str] = {}
    for step in report.steps:
        parts.append(_row(Text("ok" if step.ok else "NO", "green" if step.ok else "red"), step))
        if step.ok or not step.rule:
            continue
        first = helped.setdefault(step.rule + step.advice, step.step)
        same = Text(f"as in {first}: {step.advice}")
        help_ = _help(step) if first == step.step else same
        parts.append(Padding(help_, (0, 0, 0, 4)))
    if (measured := report.measured) is not None and measured.decisions:
        parts.append(
            Text(
                f"measured: ready after {measured.start_ms:.0f} ms; a decision {measured.mean_ms:g}"
                f" ms in the mean, {measured.max_ms:g} at most ({measured.decisions} of them); "
                f"{measured.memory_mb:g} MiB of memory"
            )
        )
    failed = sum(not step.ok for step in report.steps)
    verdict = f"{failed} of {len(report.steps)} steps failed" if failed else "nothing is wrong"
    parts.append(Text(verdict, "bold"))
    return Group(*parts)


def _row(mark: Text, step: Step) -> RenderableType:
    grid = Table.grid(padding=(0, 2, 0, 0))
    grid.add_column(width=2)
    grid.add_column(width=29)
    grid.add_column()
    grid.add_row(mark, Text(step.step), Text(step.detail))
    return grid


def _help(step: Step) -> RenderableType:
    grid = Table.grid(padding=(0, 2, 0, 0))
    grid.add_column(width=6, style="dim")
    grid.add_column()
    shown = {"sent": step.sent, "came": step.came, "rule": step.rule, "do": step.advice}
    for label, text in shown.items():
        if text:
            grid.add_row(label, Text(text, overflow="fold"))
    if lines := [line for line in step.stderr.splitlines() if not _INTERNAL.match(line)]:
        shown_lines = lines[-_STDERR_LINES:]
        said = "\n".join(printable(line.expandtabs(4), 300) for line in shown_lines)
        grid.add_row("stderr", Text(said, overflow="fold"))
    return grid


def entry_line(submission: Submission, *, is_dry: bool) -> str:
    """Say what became of a submission, and what to do next."""
    entered = "would be entered" if is_dry else "entered"
    where = f"in {submission.config} as {submission.path}"
    if submission.is_known:
        return f"{submission.name}: this very version stands {where} already"
    old = submission.replaced
    place = f", in the place of {old.path}, which is kept" if old is not None else ""
    return f"{submission.name}: {entered} {where}{place}"
