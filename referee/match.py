"""One table, at once: some bots, in the seats given, for some deals."""

import os
import secrets
import sys
import tempfile
import tomllib
from collections import Counter
from collections.abc import Sequence
from functools import partial
from itertools import chain
from pathlib import Path
from typing import IO

import msgspec
import trio

from referee.bot import Watchdog
from referee.bot.limits import reserve_descriptors
from referee.bot.spawn import Launch
from referee.cards import seed_secret
from referee.games.game import Game, Rules, RulesError, find_game
from referee.program import Program, ProgramError, fingerprint
from referee.protocol import MAX_LINE_BYTES, TimeControl, printable
from referee.record.lines import Heard, Player
from referee.sandbox import Isolation, Wanted, find_isolation
from referee.series import SeriesResult, SeriesSpec, check_start, play_series, try_bots
from referee.table import Deal, Setting

SERIES = "0-1-0-1"
"""What records call a match (PROTOCOL.md, section 4)."""


HUMAN = Path("human")
"""What stands for a person at this terminal where a bot is named."""
PERSONS_MOVE_MS = 3_600_000
"""Free time an answer at a table with a person."""


class Match(msgspec.Struct, frozen=True):
    """What is played: the game and its rules, the bots by seat, the clock and the secret.

    A program of None is a person at this terminal. ``isolation`` is how the bots are kept apart.
    """

    game: Game
    rules: Rules
    names: list[str]
    programs: list[Program | None]
    time: TimeControl
    deals: int
    secret: bytes
    isolation: Isolation

    @property
    def remarks(self) -> list[str]:
        """What should be said once though it can be played."""
        own = [self.isolation.warning] if self.isolation.warning else []
        bots = (program.remarks() for program in self.programs if program)
        return list(dict.fromkeys(chain(own, self.game.remarks(self.rules), *bots)))

    @property
    def has_person(self) -> bool:
        """Whether a person plays."""
        return None in self.programs


def make_match(
    game: str,
    bots: Sequence[Path],
    *,
    options: Sequence[str],
    time: TimeControl,
    deals: int,
    seed: str | None,
    sandbox: Wanted = "auto",
) -> Match:
    """Check everything that can be checked without a start of a bot.

    Raises RulesError, ProgramError; SandboxError where isolation is required and does not work.

    ``options`` are texts such as ``hook=true``.
    """
    found = find_game(game)
    if not bots:
        raise ProgramError("match: name a bot for every seat")
    rules = found.rules(dict(map(parse_option, options)), len(bots))
    programs = [None if bot == HUMAN else Program(bot) for bot in bots]
    for program in filter(None, programs):
        program.check()
    if None in programs:
        _check_person(bots)
        time = msgspec.structs.replace(time, move_ms=PERSONS_MOVE_MS)
    secret = secrets.token_bytes(32) if seed is None else seed_secret(seed)
    names = number_names(bots)
    return Match(found, rules, names, programs, time, deals, secret, find_isolation(sandbox))


def parse_option(text: str) -> tuple[str, object]:
    """Split ``key=value``; a value that is TOML is taken as such, any other is a text."""
    key, equals, value = text.partition("=")
    if not equals:
        raise RulesError(f"--rules {text}: must be KEY=VALUE, such as hook=true")
    try:
        return key, tomllib.loads(f"value = {value}")["value"]
    except tomllib.TOMLDecodeError:
        return key, value


def number_names(bots: Sequence[Path]) -> list[str]:
    """Name bots by their files, numbered from the second of a name on."""
    seen: Counter[str] = Counter()
    names = []
    for bot in bots:
        name = bot.resolve().stem
        seen[name] += 1
        names.append(name if seen[name] == 1 else f"{name}-{seen[name]}")
    return names


def _check_person(bots: Sequence[Path]) -> None:
    if HUMAN.exists():
        raise ProgramError(
            "human: is a person, and a file here: call the file ./human, or rename it"
        )
    if bots.count(HUMAN) > 1:
        raise ProgramError("human: one person a terminal")
    if not sys.stdin.isatty():
        raise ProgramError("human: a person plays at a terminal, and standard input is none")


def _launch_person() -> Launch:
    """Return how to seat the person at this terminal: in the organiser's own environment."""
    words = (sys.executable, "-P", "-m", "referee.show.human", os.ttyname(sys.stdin.fileno()))
    kept = ("TERM", "COLORTERM", "NO_COLOR", "LC_ALL", "LANG", "PYTHONPATH")
    env = {name: os.environ[name] for name in kept if name in os.environ}
    return Launch(words, "/", env, isolated=False)


def spec_of(match: Match, folder: Path) -> SeriesSpec:
    """Return the match as a series, of copies of the bots that are kept in this folder.

    As in a run: each bot sees its own files and no others, readable for the user it runs as.
    """
    players = []
    launches = {}
    for name, program in zip(match.names, match.programs, strict=True):
        if program is None:
            players.append(Player(name, "human"))
            launches[name] = _launch_person()
        else:
            copy = program.copy_to(folder)
            players.append(Player(name, fingerprint(program.path)))
            launches[name] = Launch(copy.argv, str(copy.folder), copy.env)
    setting = Setting(
        game=match.game.name,
        rules=msgspec.to_builtins(match.rules),
        time=match.time,
        strikes=1,
        names_shown=match.has_person,
        series=SERIES,
    )
    deals = [
        Deal.drawn(match.secret, match.game.name, deal, players, (0, 1, 0))
        for deal in range(1, match.deals + 1)
    ]
    return SeriesSpec(setting, deals, launches, isolation=match.isolation.mode)


def play(
    match: Match, *, force: bool, trace: IO[str] | None = None, heard: Heard | None = None
) -> SeriesResult:
    """Play the match; Ctrl-C stops the bots and is raised again.

    Every line that goes either way is written to ``trace``, and ``heard`` is told each line of the
    records. Raises ProgramError for bots that do not start, unless ``force`` plays on with
    forfeits.
    """
    reserve_descriptors(len(match.programs))
    with tempfile.TemporaryDirectory(prefix="referee-match-") as folder:
        spec = spec_of(match, Path(folder))
        return trio.run(partial(_play, spec, force=force, trace=trace, heard=heard))


async def _play(
    spec: SeriesSpec, *, force: bool, trace: IO[str] | None, heard: Heard | None
) -> SeriesResult:
    began = trio.current_time()

    def write(name: str, way: str, line: bytes) -> None:
        if trace is not None:
            ms = (trio.current_time() - began) * 1000
            trace.write(f"{ms:.1f} {name} {way} {printable(line.rstrip(), MAX_LINE_BYTES)}\n")

    watchdog = Watchdog()
    result = SeriesResult([], [], {})
    failures: dict[str, str] = {}
    async with trio.open_nursery() as nursery:
        nursery.start_soon(watchdog.run)
        if not force:
            failures = await try_bots(
                spec.bots,
                spec.setting.time,
                watchdog,
                at_once=len(spec.bots),
                isolation=spec.isolation,
            )
        if not failures:
            result = await play_series(spec, watchdog, write if trace else None, heard)
        nursery.cancel_scope.cancel()
    check_start(failures)
    return result
