"""A run as two tables that a notebook and a spreadsheet can go on with."""

import csv
import shutil
from pathlib import Path

import pytest

from referee.tournament.results import Standings, standings_of
from referee.tournament.spreadsheet import GAMES, STANDINGS, export_sheets
from referee.tournament.store import RunError, Store, open_run
from tests.tournament.played import SHORT, config_of, play_run

Lines = list[dict[str, str]]


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Store:
    folder = tmp_path_factory.mktemp("sheets")
    text = SHORT.replace('"careful"', '"-A1"')  # a bot may be called like a formula
    return play_run(config_of(folder, text), folder / "run")[0]


@pytest.fixture(scope="module")
def sheets(store: Store, tmp_path_factory: pytest.TempPathFactory) -> tuple[Lines, Lines]:
    folder = tmp_path_factory.mktemp("of") / "csv"
    assert export_sheets(store, folder) == 36
    assert {path.name for path in folder.iterdir()} == {"games.csv", "standings.csv"}
    return lines_of(folder / "games.csv"), lines_of(folder / "standings.csv")


@pytest.fixture(scope="module")
def standings(store: Store) -> Standings:
    return standings_of(store)


def lines_of(path: Path) -> Lines:
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def test_games_have_a_line_a_seat_that_adds_up_to_the_standings(
    sheets: tuple[Lines, Lines], standings: Standings
) -> None:
    games, _ = sheets
    assert len(games) == 36 * 3
    assert list(games[0]) == list(GAMES)
    assert {int(line["number"]) for line in games} == set(range(1, 37))
    for row in standings.standings:
        points = [float(line["points"]) for line in games if line["bot"].strip("'") == row.bot]
        assert len(points) == row.games
        assert sum(points) / len(points) == pytest.approx(row.points)


def test_standings_have_a_line_a_bot_overall_and_in_each_game(
    sheets: tuple[Lines, Lines], standings: Standings
) -> None:
    _, lines = sheets
    assert [line["game"] for line in lines] == ["overall"] * 4 + ["pitch"] * 4
    for line, row in zip(lines, standings.standings, strict=False):
        assert list(line) == list(STANDINGS)
        assert float(line["points"]) == row.points
        assert row.interval is not None
        assert (float(line["points_low"]), float(line["points_high"])) == row.interval
        assert int(line["faults_timeout"]) == row.faults["timeout"]
        assert int(line["answers"]) == row.time_ms.decisions


def test_a_name_that_would_be_a_formula_is_written_as_text(sheets: tuple[Lines, Lines]) -> None:
    games, lines = sheets
    assert {line["bot"] for line in games} == {"random", "greedy", "bold", "'-A1"}
    assert "'-A1" in {line["bot"] for line in lines}


def test_what_is_not_to_be_had_is_empty(store: Store, tmp_path: Path) -> None:
    shutil.copytree(store.folder, tmp_path / "run")
    for path in (tmp_path / "run" / "series").iterdir():
        if not (path.name.startswith("1-1-") and path.name.endswith("-2.jsonl.zst")):
            path.unlink()
    assert export_sheets(open_run(tmp_path / "run"), tmp_path / "csv") == 3  # of one deal
    for line in lines_of(tmp_path / "csv" / "standings.csv"):
        assert (line["points_low"], line["points_high"]) == ("", "")


def test_a_folder_that_is_there_is_left_alone(store: Store, tmp_path: Path) -> None:
    with pytest.raises(RunError, match="is there already; choose another with --out"):
        export_sheets(store, tmp_path)
    assert list(tmp_path.iterdir()) == []
