"""Comparisons and runs that end early, really played: the same whatever was in flight."""

import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path

import pytest
from rich.console import Console

from referee.record.result import GameResult
from referee.tournament.compare import compare_config, compare_folder, is_same
from referee.tournament.config import Config
from referee.tournament.results import Standings, publish, standings_of, verify_all
from referee.tournament.schedule import Series
from referee.tournament.sizing import schedule_of
from referee.tournament.specs import spec_of
from referee.tournament.store import Store, open_run
from tests.tournament.played import BOTS, Quiet, play_run, play_watched, records_of

RANDOM, GREEDY = BOTS / "random_bot.py", BOTS / "greedy_bot.py"


def comparison(new: Path, old: Path, *, tables: int = 1, deals: int = 60) -> Config:
    """Compare at Pitch for two, quickly over; the cards are known, so is the end."""
    return compare_config(
        new,
        old,
        [RANDOM],
        game="pitch",
        options=["target=3"],
        max_deals=deals,
        sections={
            "compare": {"alpha": 0.05},
            "tournament": {"seed": "compare", "block": 4},
            "run": {"concurrency": tables},
        },
    )


def ended(store: Store) -> Standings:
    """End a run; return its standings."""
    standings = standings_of(store)
    publish(store, standings)
    return standings


@pytest.fixture(scope="module")
def compared(tmp_path_factory: pytest.TempPathFactory) -> Store:
    """Return a comparison played a table at a time."""
    store, ending = play_run(comparison(GREEDY, RANDOM), tmp_path_factory.mktemp("one") / "run")
    assert not ending.aborted
    ended(store)
    return store


def test_a_comparison_ends_when_it_is_clear(compared: Store) -> None:
    standings = standings_of(compared)
    assert standings.compared
    assert standings.compared.verdict == "better"
    assert standings.complete
    assert standings.compared.deals < 60
    assert standings.games < standings.games_planned == 4 * 60


def test_everything_in_a_comparison_holds(compared: Store) -> None:
    verdict = verify_all(compared.folder)
    assert verdict.ok
    assert verdict.records == standings_of(compared).games


class Apart(Quiet):
    """A watcher that sees which deals are at play, and that none is twice."""

    def __init__(self) -> None:
        super().__init__(Console(quiet=True), 240, 0)
        self.deals: set[int] = set()
        self.most = 0

    def began(self, series: Series) -> None:
        assert not self.deals & {*series.deals}
        self.deals |= {*series.deals}
        self.most = max(self.most, len(self.deals))

    def ended(self, series: Series, games: Sequence[GameResult]) -> None:
        assert games
        self.deals -= {*series.deals}


def test_a_comparison_is_the_same_at_any_concurrency_and_no_deal_is_at_two_tables_at_once(
    compared: Store, tmp_path: Path
) -> None:
    text = (compared.folder / "run.toml").read_text().replace("concurrency = 1", "concurrency = 3")
    shutil.copytree(compared.folder / "bots", tmp_path / "bots")
    watcher = Apart()
    store, _ = play_watched(tmp_path, text, watcher)
    assert watcher.most > 4
    assert ended(store).compared == standings_of(compared).compared
    assert records_of(store) == records_of(compared)


def test_an_interrupted_comparison_goes_on_by_the_same_command(
    compared: Store, tmp_path: Path
) -> None:
    words = ["compare", GREEDY, RANDOM, "--game", "pitch", "--against", RANDOM, "--out", "run"]
    words += ["--seed", "compare", "--max-deals", 60, "--rules", "target=3", "--concurrency", 1]
    command = [sys.executable, "-m", "referee", *map(str, words)]
    process = subprocess.Popen(command, cwd=tmp_path, stdout=subprocess.DEVNULL, stderr=-1)
    series = tmp_path / "run" / "series"
    while not (series.is_dir() and len(list(series.glob("*.zst"))) >= 2):
        assert process.poll() is None
        time.sleep(0.01)
    os.kill(process.pid, signal.SIGINT)
    _, said = process.communicate(timeout=20)
    assert process.returncode == 130, said
    assert b"the same command goes on from here" in said
    before = {path: path.stat().st_mtime_ns for path in series.glob("*.zst")}
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, check=False)
    assert done.returncode == 0, done.stderr
    assert {path: path.stat().st_mtime_ns for path in before} == before
    # Blocks of 5 deals where the other has 4: the observations, deal by deal, are the same.
    found = standings_of(open_run(tmp_path / "run")).compared
    assert found == standings_of(compared).compared


def test_opponents_are_given_the_same_seeds_in_both_arms(compared: Store) -> None:
    series = list(schedule_of(compared.config).series())
    arms = [[spec_of(compared, s).deals for s in series if s.table == arm] for arm in (1, 2)]
    for new, old in zip(*arms, strict=True):
        for one, other in zip(new, old, strict=True):
            assert one.bot_seeds == other.bot_seeds
            assert one.seed == other.seed


def test_a_bot_compared_with_itself_is_no_different_deal_by_deal(tmp_path: Path) -> None:
    config = comparison(GREEDY, GREEDY, deals=4)
    assert is_same(config)
    store, _ = play_run(config, tmp_path / "run")
    compared = ended(store).compared
    assert compared
    assert (compared.verdict, compared.difference, compared.deals) == ("open", 0, 4)
    assert (compared.new, compared.old) == ("greedy_bot-new", "greedy_bot-old")


def test_bots_of_one_name_in_two_folders_are_told_apart(tmp_path: Path) -> None:
    (tmp_path / "today").mkdir()
    new = tmp_path / "today" / "random_bot.py"
    new.write_bytes(GREEDY.read_bytes())
    config = comparison(new, RANDOM)
    assert [bot.name for bot in config.bots] == ["random_bot-new", "random_bot-old", "random_bot"]
    assert [bot.path for bot in config.bots] == [str(new), str(RANDOM), str(RANDOM)]
    assert not is_same(config)
    new.write_bytes(RANDOM.read_bytes())
    assert is_same(config)


def test_a_name_that_no_bot_may_have_is_made_one_that_it_may(tmp_path: Path) -> None:
    odd = [tmp_path / name for name in ("my bot+[bold].py", "....py", "x" * 60 + ".py")]
    for path in odd:
        path.write_bytes(RANDOM.read_bytes())
    names = [bot.name for bot in comparison(odd[0], odd[1]).bots]
    assert names == ["my_bot__bold_", "bot", "random_bot"]
    assert comparison(odd[2], odd[0]).bots[0].name == "x" * 24


def test_the_folder_is_that_of_the_bots_as_they_are(tmp_path: Path) -> None:
    """The same command finds its run again; after a change of a bot it is another's."""
    new = tmp_path / "bot.py"
    new.write_bytes(GREEDY.read_bytes())
    folder = compare_folder(comparison(new, RANDOM))
    assert folder.parent == Path("comparisons")
    assert folder.name.startswith("bot-random_bot-pitch-")
    assert compare_folder(comparison(new, RANDOM, tables=3)) == folder
    assert compare_folder(comparison(new, RANDOM, deals=61)) != folder
    new.write_bytes(GREEDY.read_bytes() + b"\n")
    assert compare_folder(comparison(new, RANDOM)) != folder


UNTIL = f"""
[tournament]
until = "winner"
seed = "until"
block = 4
[[games]]
game = "pitch"
seats = 2
deals = 50
rules = {{ target = 3 }}
[[bots]]
name = "greedy"
path = "{GREEDY}"
[[bots]]
name = "random"
path = "{RANDOM}"
"""


def test_a_run_until_it_is_clear_is_the_same_at_any_concurrency(tmp_path: Path) -> None:
    stores = []
    for tables in (1, 2):
        folder = tmp_path / str(tables)
        folder.mkdir()
        text = f"{UNTIL}\n[run]\nconcurrency = {tables}\n"
        store, _ = play_watched(folder, text, Quiet(Console(quiet=True), 100, 0))
        stores.append(store)
    one, two = map(ended, stores)
    assert one.until
    assert one.until.clear
    assert one.complete
    assert one.games < one.games_planned == 100
    assert [(row.bot, row.points) for row in one.standings] == [
        (row.bot, row.points) for row in two.standings
    ]
    assert (one.games, one.until, one.provisional) == (two.games, two.until, 0)
    assert records_of(stores[0]) == records_of(stores[1])
    assert verify_all(stores[1].folder).ok
