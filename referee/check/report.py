"""What a check found, as ``check --json`` prints it."""

import msgspec

from referee.sandbox import Mode


class Step(msgspec.Struct, frozen=True, omit_defaults=True):
    """One point of the course, in the order in which they were tried.

    The others stand where it is not ``ok``: what was ``sent`` last, what ``came`` (harmless
    text, cut), the ``rule`` of the protocol that it breaks, what to do about it, and the end of
    its standard error.
    """

    step: str
    ok: bool
    detail: str
    sent: str = ""
    came: str = ""
    rule: str = ""
    advice: str = ""
    stderr: str = ""


class Measured(msgspec.Struct, frozen=True):
    """What the bot took: to start, for a decision, and memory resident at most."""

    start_ms: float
    decisions: int
    mean_ms: float
    max_ms: float
    memory_mb: float


class Report(msgspec.Struct, frozen=True):
    """The whole course. ``remarks`` are what is worth knowing and no failure."""

    bot: str
    ok: bool
    steps: list[Step]
    measured: Measured | None
    isolation: Mode
    remarks: list[str]
