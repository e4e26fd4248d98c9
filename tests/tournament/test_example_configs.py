"""Every config in the folder is played, shortened where it is long."""

from pathlib import Path

import pytest
from msgspec.structs import replace

from referee.tournament.config import load_config
from referee.tournament.results import standings_of, verify_all
from tests.tournament.played import play_run

CONFIGS = sorted((Path(__file__).parent.parent.parent / "tournaments").glob("*.toml"))


@pytest.mark.parametrize("path", CONFIGS, ids=lambda path: path.stem)
def test_an_example_config_plays_without_a_fault(path: Path, tmp_path: Path) -> None:
    config = load_config(path)
    short = replace(
        config,
        games=tuple(replace(entry, deals=1) for entry in config.games),
        tournament=replace(config.tournament, seating="once"),
    )
    store, ending = play_run(short, tmp_path / "run")
    assert not ending.aborted
    standings = standings_of(store)
    assert standings.complete
    assert {row.bot for row in standings.standings} == {bot.name for bot in config.bots}
    assert all(sum(row.faults.values()) == 0 for row in standings.standings)
    assert standings.capped <= 0.05 * standings.games
    assert verify_all(store.folder).ok
