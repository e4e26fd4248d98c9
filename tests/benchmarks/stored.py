"""(h) A run that is stored: verify, standings, and the decision how to go on with it."""

import tempfile
from collections.abc import Callable, Iterator
from itertools import islice
from pathlib import Path
from statistics import median

from referee.games.game import find_game
from referee.record.lines import ResultLine, decode, split
from referee.record.result import GameResult, Times
from referee.tournament.config import load_config
from referee.tournament.results import standings_of, verify_all
from referee.tournament.sizing import schedule_of
from referee.tournament.specs import spec_of
from referee.tournament.store import Store, create, open_run
from tests.benchmarks.bots import RANDOM
from tests.benchmarks.control import InProcess, play
from tests.benchmarks.report import Report, Target, pinned, seconds

LEAST_VERIFIED, STANDINGS_S, RESUME_S = 50_000, 1.0, 0.5
BOTS, SEATS = 12, 4
"""495 tables, that is 9,900 games of 5 deals in 4 rotations."""


def make_run(folder: Path, bots: int) -> Store:
    """Store a whole run, played in process by the first options."""
    config = folder / "run.toml"
    config.write_text(
        f"""
        [tournament]
        seed = "stored"
        [limits]
        sandbox = "off"
        [[games]]
        game = "pitch"
        seats = {SEATS}
        deals = 5
        rules = {{ max_hands = 3 }}
        """
        + "".join(
            f"[[bots]]\nname = 'bot {number}'\npath = '{RANDOM.folder}/random_bot.py'\n"
            for number in range(bots)
        ),
        encoding="utf-8",
    )
    store = create(folder / "run", load_config(config))
    for series in schedule_of(store.config).series():
        spec = spec_of(store, series)
        games, records = [], []
        for deal in spec.deals:
            _, record = play(
                find_game("pitch"),
                [InProcess() for _ in range(SEATS)],
                bytes.fromhex(deal.seed),
                setting=spec.setting,
                deal=deal,
            )
            records.append(record)
            games.append(_result(record, [player.bot for player in deal.players], deal.deal))
        store.save(series.id, games, records)
    return store


def _result(record: bytes, bots: list[str], deal: int) -> GameResult:
    line = decode(record.splitlines()[-1])
    assert isinstance(line, ResultLine)
    times = [Times(20, 2.0, 0.3, dict.fromkeys(range(10), 2)) for _ in bots]
    return GameResult(
        deal, bots, line.scores, line.ranks, [], line.capped, [], line.decisions, times
    )


def _records(store: Store) -> Iterator[bytes]:
    for series in schedule_of(store.config).series():
        for record in split(store.records(series.id)):
            yield b"\n".join(record) + b"\n"


def _resume(folder: Path) -> int:
    """Do what a resume does before it plays: open, look for damage, see what is there."""
    store = open_run(folder)
    assert not store.set_damaged_aside()
    stored = sum(len(summary.games) for summary in store.summaries())
    assert all(store.has(series.id) for series in schedule_of(store.config).series())
    return stored


def run(*, quick: bool = False) -> Report:
    """Measure on a run of 9,900 games, pinned to one core; verify on its first thousand."""
    bots, rounds, most = (5, 1, 20) if quick else (BOTS, 5, 1000)
    report = Report(part="h", title="a stored run", columns=["what", "games", "s"])

    def least(call: Callable[[], object]) -> float:
        return median(min(seconds(call) for _ in range(2)) for _ in range(rounds))

    with pinned(), tempfile.TemporaryDirectory(prefix="referee-benchmark-") as name:
        store = make_run(Path(name), bots)
        games = _resume(store.folder)
        sample = Path(name) / "sample.jsonl"
        records = islice(_records(store), most)
        sample.write_bytes(b"".join(records))
        decisions = sample.read_bytes().count(b'{"type":"choice"')
        assert verify_all(sample).ok
        verify_s = least(lambda: verify_all(sample))
        standings_s = least(lambda: standings_of(open_run(store.folder)))
        resume_s = least(lambda: _resume(store.folder))
    report.rows.append([f"verify, {decisions:,} decisions", most, verify_s])
    report.rows.append(["standings", games, standings_s])
    report.rows.append(["resume, decided", games, resume_s])
    report.targets.append(
        Target("verify, decisions a second", decisions / verify_s, LEAST_VERIFIED, at_least=True)
    )
    report.targets.append(Target("standings, s", standings_s, STANDINGS_S))
    report.targets.append(Target("resume, s", resume_s, RESUME_S))
    return report
