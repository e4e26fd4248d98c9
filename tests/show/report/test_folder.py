"""What a report's folder holds, what it may replace, and what it may not tell."""

import base64
import re
import shutil
import zlib
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest

from referee.show.report import folder as report_folder
from referee.show.report import packing, write_report
from referee.show.report.replays import Replay
from referee.tournament.store import RunError, Store, open_run


def replays_in(report: Path) -> Iterator[tuple[int, Replay]]:
    for path in sorted((report / "games").iterdir()):
        for number, packed in re.findall(r'^(\d+):"(.*)",$', path.read_text(), re.MULTILINE):
            data = zlib.decompress(base64.b64decode(packed))
            yield int(number), msgspec.json.decode(data, type=Replay)


def files_in(folder: Path) -> dict[str, bytes]:
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file()
    }


def test_a_report_has_its_pages_and_the_replay_of_every_game(report: Path) -> None:
    names = set(files_in(report))
    assert {"index.html", "replay.html", "report.css", "games.js", "games/1.js"} <= names
    assert {f"bot-{number}.html" for number in range(1, 5)} <= names
    assert all(report_folder.OURS.fullmatch(name) for name in names)
    assert [number for number, _ in replays_in(report)] == list(range(1, 29))


def test_no_page_names_anything_on_a_network(report: Path) -> None:
    for name, data in files_in(report).items():
        assert not re.search(rb"(?:https?:)?//[a-z]", data) or name.startswith("games/"), name
        if name.endswith(".html"):
            assert b"default-src 'none'" in data


def test_a_finished_run_shows_its_commitment_and_its_secret(report: Path, store: Store) -> None:
    page = (report / "index.html").read_text()
    assert store.commitment in page
    assert store.secret.hex() in page
    assert "not finished" not in page


def test_several_processes_write_what_one_writes(
    store: Store, report: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(packing, "WORTH_PROCESSES", 1)
    monkeypatch.setattr("os.sched_getaffinity", lambda _pid: {0, 1})
    write_report(store, tmp_path / "other")
    assert files_in(tmp_path / "other") == files_in(report)


@pytest.fixture
def unfinished(store: Store, tmp_path: Path) -> Store:
    """Give a run that was interrupted in the second block of its second table."""
    folder = tmp_path / "unfinished"
    shutil.copytree(store.folder, folder)
    (folder / "results.json").unlink()
    (folder / "series" / "1-2-1-2.jsonl.zst").unlink()
    return open_run(folder)


def test_an_unfinished_run_says_so_and_keeps_its_secret(unfinished: Store, tmp_path: Path) -> None:
    assert write_report(unfinished, tmp_path / "report") == 25
    for name, data in files_in(tmp_path / "report").items():
        assert unfinished.secret.hex().encode() not in data, name
        if name.endswith(".html"):
            assert b"This run is not finished." in data, name
            assert b"25 of 28 games" in data, name


def test_an_unfinished_run_shows_no_deal_that_is_still_being_played(
    unfinished: Store, tmp_path: Path
) -> None:
    write_report(unfinished, tmp_path / "report")
    shown = {(replay.game, replay.deal) for _, replay in replays_in(tmp_path / "report")}
    deals = {("Pitch", deal) for deal in range(1, 9)} | {("I Doubt It", 1)}
    assert deals - shown == {("Pitch", 4)}  # the second deal of the second table


def test_a_run_without_a_whole_block_has_a_report(unfinished: Store, tmp_path: Path) -> None:
    for path in (unfinished.folder / "series").iterdir():
        path.unlink()
    assert write_report(unfinished, tmp_path / "report") == 0
    assert "nothing to rank" in (tmp_path / "report" / "index.html").read_text()


def test_a_report_is_replaced_by_a_newer_one(report: Path, store: Store, tmp_path: Path) -> None:
    folder = tmp_path / "report"
    shutil.copytree(report, folder)
    (folder / "bot-77.html").write_text("of a bot that is gone")
    write_report(store, folder)
    assert files_in(folder) == files_in(report)
    assert [path.name for path in tmp_path.iterdir()] == ["report"]


@pytest.mark.parametrize(
    ("name", "text", "said"),
    [
        ("diary.txt", "dear", r"has diary.txt, which is no report's; choose another with --out"),
        ("index.html", "<h1>mine</h1>", "is there already and no report"),
        ("bot-1.html", "", "is there already and no report"),
    ],
)
def test_what_is_no_report_is_left_alone(
    store: Store, tmp_path: Path, name: str, text: str, said: str
) -> None:
    (tmp_path / name).write_text(text)
    with pytest.raises(RunError, match=said):
        write_report(store, tmp_path)
    assert files_in(tmp_path) == {name: text.encode()}


def test_a_report_with_something_else_beside_it_is_left_alone(
    store: Store, report: Path, tmp_path: Path
) -> None:
    shutil.copytree(report, tmp_path / "report")
    (tmp_path / "report" / "games" / "notes.txt").write_text("mine")
    with pytest.raises(RunError, match=r"has games/notes.txt"):
        write_report(store, tmp_path / "report")
    assert (tmp_path / "report" / "games" / "notes.txt").exists()


def test_a_file_in_the_way_is_named(store: Store, tmp_path: Path) -> None:
    (tmp_path / "report").write_text("mine")
    with pytest.raises(RunError, match="is there already and no folder"):
        write_report(store, tmp_path / "report")


def test_a_report_that_fails_leaves_nothing(
    store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(report_folder, "figures_of", fail)
    with pytest.raises(KeyboardInterrupt):
        write_report(store, tmp_path / "report")
    assert list(tmp_path.iterdir()) == []
