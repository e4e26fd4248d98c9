"""Looking at a run that was played: what is counted, and whether its deals are those promised."""

import json
import os
import shutil
from pathlib import Path

import pytest

from referee.tournament.prepare import find_or_make
from referee.tournament.results import publish, standings_of, verify_all
from referee.tournament.store import RunError, Store, open_run


@pytest.fixture(scope="module")
def played(short_run: Store, tmp_path_factory: pytest.TempPathFactory) -> Store:
    """Return the short run at its end: 36 games of Pitch in 24 series."""
    folder = tmp_path_factory.mktemp("results") / "run"
    store = open_run(Path(shutil.copytree(short_run.folder, folder)))
    publish(store, standings_of(store))
    return store


@pytest.fixture
def copy(played: Store, tmp_path: Path) -> Path:
    return Path(shutil.copytree(played.folder, tmp_path / "copy"))


def test_every_deal_of_a_run_follows_from_its_secret(played: Store) -> None:
    verdict = verify_all(played.folder)
    assert (verdict.ok, verdict.records, verdict.problems) == (True, 36, [])


def test_another_secret_is_found_in_the_commitment_the_results_and_every_deal(copy: Path) -> None:
    (copy / "secret").write_text(bytes(32).hex() + "\n", encoding="ascii")
    verdict = verify_all(copy)
    assert len(verdict.problems) == 2 + 36
    commitment, results, first = verdict.problems[:3]
    assert (commitment.record, commitment.detail) == (
        "commitment",
        "is not that of the run's secret",
    )
    assert (results.record, results.detail) == (
        "results.json",
        "does not publish the run's secret",
    )
    assert (first.record, first.line) == ("000001.jsonl", 1)
    assert first.detail.startswith("deal 1 has the seed ")


def test_results_that_publish_another_secret_are_found(copy: Path) -> None:
    path = copy / "results.json"
    results = json.loads(path.read_text(encoding="utf-8"))
    path.write_text(json.dumps({**results, "secret": "00" * 32}), encoding="utf-8")
    assert [problem.record for problem in verify_all(copy).problems] == ["results.json"]


def test_results_that_the_games_do_not_give_are_found(copy: Path) -> None:
    path = copy / "results.json"
    results = json.loads(path.read_text(encoding="utf-8"))
    results["standings"][0]["points"] += 0.01
    path.write_text(json.dumps(results), encoding="utf-8")
    (problem,) = verify_all(copy).problems
    assert problem.record == "results.json"
    assert problem.detail == "the games give other figures for: standings"


def test_a_series_that_was_taken_out_of_a_run_that_has_ended_is_missed(copy: Path) -> None:
    next((copy / "series").glob("1-2-1-*")).unlink()
    (problem,) = verify_all(copy).problems
    assert problem.record == "results.json"
    assert problem.detail.startswith("is of 36 games, and there are ")


def test_what_is_no_file_is_not_read_as_a_series(copy: Path) -> None:
    path = next((copy / "series").glob("1-2-1-*"))
    path.unlink()
    os.mkfifo(path)
    assert "is no file" in [problem.detail for problem in verify_all(copy).problems]


@pytest.mark.parametrize("data", [b"", b"\xff", b"00" * 32])
def test_a_commitment_that_is_not_the_secrets_ends_a_run(data: bytes, copy: Path) -> None:
    (copy / "commitment").write_bytes(data)
    assert [problem.record for problem in verify_all(copy).problems] == ["commitment"]
    with pytest.raises(RunError, match="its commitment is not that of its secret"):
        find_or_make(open_run(copy).config, copy)


@pytest.mark.parametrize("text", ["", "abcd", "00" * 33])
def test_what_is_no_secret_opens_no_run(text: str, copy: Path) -> None:
    (copy / "secret").write_text(text, encoding="ascii")
    with pytest.raises(RunError, match="is no secret of 32 bytes"):
        open_run(copy)


def test_games_of_a_block_that_is_not_whole_are_provisional(copy: Path) -> None:
    """A block of two deals in three series, of which one is gone: four games wait for it."""
    (copy / "results.json").unlink()
    (copy / "series" / "1-2-1-1.jsonl.zst").unlink()
    found = standings_of(open_run(copy))
    assert (found.complete, found.games, found.games_planned, found.provisional) == (
        False,
        30,
        36,
        4,
    )
    (entry,) = found.entries
    assert (entry.entry, entry.game) == (1, "pitch")
    assert (entry.games, entry.games_planned, entry.provisional) == (30, 36, 4)


def test_a_whole_run_has_nothing_provisional(played: Store) -> None:
    found = standings_of(played)
    assert (found.complete, found.games, found.provisional) == (True, 36, 0)
