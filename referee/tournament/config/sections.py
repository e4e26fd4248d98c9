"""The config's sections and keys, each with its type, default and range.

Ranges that no document gives are wide: they keep out slips of the finger, not intentions.
"""

from pathlib import Path
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta

from referee.bot import limits
from referee.program import Program, split_command
from referee.protocol import TimeControl
from referee.sandbox import Wanted

Seating = Literal["square", "rotate", "all", "once"]
Command = Annotated[str, Meta(min_length=1)] | Annotated[tuple[str, ...], Meta(min_length=1)]
"""Words, or one text that is split into words as a shell would; loaded, it is always words."""


class _Section(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    pass


class Tournament(_Section, frozen=True):
    """``[tournament]``: what is played, and what is told of it.

    ``name`` is the file's name without its suffix where the file gives none. ``seed`` makes the
    deals predictable; None draws a secret. ``rounds`` None is every possible table. ``block`` is
    the deals of a series. ``until`` stops early at the confidence ``level``.
    """

    name: Annotated[str, Meta(min_length=1, max_length=255)] = ""
    seed: Annotated[str, Meta(min_length=1, max_length=1024)] | None = None
    seating: Seating = "square"
    rounds: Annotated[int, Meta(ge=1, le=100_000)] | None = None
    block: Annotated[int, Meta(ge=1, le=1000)] = 5
    names: Literal["hidden", "shown"] = "hidden"
    until: (
        Annotated[
            str,
            Meta(
                pattern=r"^(winner|top:[1-9][0-9]{0,5}|separated)$",
                examples=["winner", "top:3", "separated"],
            ),
        ]
        | None
    ) = None
    level: Annotated[float, Meta(gt=0, lt=1)] = 0.95


class GameEntry(_Section, frozen=True):
    """One ``[[games]]``: a game, for how many seats, and the deals that each table plays.

    ``rules`` is the game's full ``Rules`` once loaded: every option with its value.
    """

    game: str
    seats: int
    deals: Annotated[int, Meta(ge=1, le=1_000_000)] = 10
    rules: Any = {}


class BotEntry(_Section, frozen=True):
    """One ``[[bots]]``: a name and the bot's files; ``games`` None is every entry.

    ``path`` is absolute once loaded. ``games`` names games, and stands for all their entries.
    """

    name: str
    path: Annotated[str, Meta(min_length=1)]
    command: Command | None = None
    build: Command | None = None
    env: dict[str, str] = {}
    games: Annotated[tuple[str, ...], Meta(min_length=1)] | None = None

    @property
    def program(self) -> Program:
        """The bot's files and how to start them."""
        return Program(Path(self.path), _words(self.command), _words(self.build), self.env)


def _words(command: str | tuple[str, ...] | None) -> tuple[str, ...]:
    return split_command(command) if isinstance(command, str) else command or ()


class Faults(_Section, frozen=True):
    """``[faults]``: how many strikes are a forfeit."""

    strikes: Annotated[int, Meta(ge=1, le=1000)] = 1


class Limits(limits.Limits, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """``[limits]``: what a bot's process tree may use, and how it is kept apart."""

    sandbox: Wanted = "auto"

    @property
    def of_a_bot(self) -> limits.Limits:
        """The limits without what is decided once for all bots."""
        names = limits.Limits.__struct_fields__
        return limits.Limits(**{name: getattr(self, name) for name in names})


class Running(_Section, frozen=True):
    """``[run]``: how a run is worked off; nothing here changes a result.

    ``concurrency`` is tables at a time. ``scheduler`` is where the engine ``"dask"`` finds its
    workers: an address, ``local:N`` (so many here), or ``slurm:FILE`` (jobs; absolute once loaded).
    ``pin`` keeps each worker process, with the bots that it starts, to one core.
    """

    concurrency: Literal["auto"] | Annotated[int, Meta(ge=1, le=10_000)] = "auto"
    engine: Literal["local", "processes", "dask"] = "local"
    scheduler: (
        Annotated[
            str,
            Meta(
                pattern=r"^(\w+://.+|local:[1-9][0-9]{0,3}|slurm:.+)$",
                examples=["tcp://10.0.0.7:8786", "local:4", "slurm:jobs.toml"],
            ),
        ]
        | None
    ) = None
    pin: bool = False


class Compare(_Section, frozen=True):
    """``[compare]``: the run asks whether its first bot is better than its second.

    Until the difference is clear, with a chance of ``alpha`` that this is wrong, or clearly
    smaller than ``margin`` (points a game; None is no such end), or the deals are used up.
    """

    alpha: Annotated[float, Meta(gt=0, lt=1)] = 0.05
    margin: Annotated[float, Meta(gt=0, lt=1)] | None = None


class Config(_Section, frozen=True):
    """A tournament's config."""

    tournament: Tournament = Tournament()
    games: tuple[GameEntry, ...] = ()
    bots: tuple[BotEntry, ...] = ()
    time: TimeControl = TimeControl()
    faults: Faults = Faults()
    limits: Limits = Limits()
    run: Running = Running()
    compare: Compare | None = None

    @property
    def bots_everywhere(self) -> tuple[BotEntry, ...]:
        """The bots that play all entries, in the config's order."""
        games = {entry.game for entry in self.games}
        return tuple(bot for bot in self.bots if bot.games is None or games <= {*bot.games})

    @property
    def may_end_early(self) -> bool:
        """Whether the deals are a maximum: what is asked may be clear before."""
        return self.compare is not None or self.tournament.until is not None

    def bots_of(self, entry: GameEntry) -> tuple[BotEntry, ...]:
        """Return the bots that play an entry, in the config's order."""
        return tuple(bot for bot in self.bots if bot.games is None or entry.game in bot.games)
