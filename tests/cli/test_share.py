"""The commands that write a run out for others: report, and export as tables."""

import shutil
from pathlib import Path

import pytest

from tests.cli.commands import referee
from tests.tournament.played import SHORT


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("to share")
    config = SHORT.replace("deals = 3", "deals = 2")
    (folder / "short.toml").write_text(config, encoding="utf-8")
    referee("tournament", "short.toml", cwd=folder)
    return folder / "short"


def test_report_writes_pages_into_the_run_and_anew(run: Path) -> None:
    for _ in range(2):
        out, said = referee("report", run)
        assert out == ""
        assert said == f"referee: a report of 24 games written to {run / 'report' / 'index.html'}\n"
    assert (run / "report" / "index.html").is_file()
    referee("standings", run)  # a report in its folder does not disturb a run


def test_report_goes_where_it_is_told_to(run: Path, tmp_path: Path) -> None:
    referee("report", run, "--out", tmp_path / "new" / "pages")
    assert (tmp_path / "new" / "pages" / "replay.html").is_file()


def test_report_refuses_what_is_no_report_and_what_is_no_run(run: Path, tmp_path: Path) -> None:
    (tmp_path / "diary.txt").write_text("dear")
    _, said = referee("report", run, "--out", tmp_path, code=2)
    assert "has diary.txt, which is no report's; choose another with --out" in said
    _, said = referee("report", tmp_path, code=2)
    assert "not a run" in said


def test_report_of_an_unfinished_run_says_that_it_is_one(run: Path, tmp_path: Path) -> None:
    shutil.copytree(run, tmp_path / "run", ignore=shutil.ignore_patterns("report"))
    (tmp_path / "run" / "results.json").unlink()
    next((tmp_path / "run" / "series").iterdir()).unlink()
    _, said = referee("report", tmp_path / "run")
    assert "the run is not finished: the report has 18 of 24 games" in said
    assert "a report of 18 games" in said


def test_export_as_csv_writes_two_tables(run: Path) -> None:
    _, said = referee("export", run, "--csv")
    assert said == f"referee: 24 games and the standings written to {run / 'csv'}\n"
    assert (run / "csv" / "games.csv").read_text().startswith("number,game,")
    assert (run / "csv" / "standings.csv").read_text().startswith("game,rank,bot,")
    _, said = referee("export", run, "--csv", code=2)
    assert "is there already; choose another with --out" in said
