"""Parts of a run played in copies of its folder are united to what one machine would have."""

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from referee.tournament.merge import merge
from referee.tournament.prepare import find_or_make
from referee.tournament.results import standings_of, stored_series
from referee.tournament.schedule import Shard
from referee.tournament.store import RunError, create, open_run
from tests.tournament.played import SHORT, config_of, play_run, records_of

SECRETLY = SHORT.replace('seed = "short"', "")


@pytest.fixture(scope="module")
def shards(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """Four parts of a run with a secret, each played in a copy of the prepared folder."""
    folder = tmp_path_factory.mktemp("shards")
    create(folder / "prepared", config_of(folder, SECRETLY))
    copies = [folder / f"part-{number}" for number in range(1, 5)]
    for number, copy in enumerate(copies, 1):
        shutil.copytree(folder / "prepared", copy)
        play_run(open_run(copy).config, copy, shard=Shard(number, 4))
    return copies


def test_four_shards_are_united_to_the_run_that_one_machine_plays(
    shards: list[Path], tmp_path: Path
) -> None:
    parts = [set(records_of(open_run(shard))) for shard in shards]
    assert [len(part) for part in parts] == [6, 6, 6, 6]
    merged = merge(shards, tmp_path / "whole")
    assert (merged.series, merged.twice, merged.damaged) == (24, 0, [])
    alone = tmp_path / "alone"
    shutil.copytree(shards[0].parent / "prepared", alone)
    play_run(open_run(alone).config, alone)
    whole = open_run(tmp_path / "whole")
    assert records_of(whole) == records_of(open_run(alone))
    assert standings_of(whole).complete
    assert [row.points for row in standings_of(whole).standings] == [
        row.points for row in standings_of(open_run(alone)).standings
    ]


def test_a_run_that_was_united_goes_on_where_parts_are_missing(
    shards: list[Path], tmp_path: Path
) -> None:
    merge(shards[:3], tmp_path / "run")
    store = open_run(tmp_path / "run")
    assert len(records_of(store)) == 18
    play_run(store.config, store.folder)
    assert len(records_of(store)) == 24
    assert find_or_make(store.config, store.folder).commitment == store.commitment


def test_what_two_parts_have_is_checked_and_counted_once(
    shards: list[Path], tmp_path: Path
) -> None:
    again = tmp_path / "again"
    shutil.copytree(shards[0].parent / "prepared", again)
    play_run(open_run(again).config, again, shard=Shard(1, 2))
    merged = merge([*shards, again], tmp_path / "whole")
    assert (merged.series, merged.twice) == (24, 12)
    assert standings_of(open_run(tmp_path / "whole")).games == 36


def test_a_damaged_series_is_named_and_taken_from_where_it_is_whole(
    shards: list[Path], tmp_path: Path
) -> None:
    copy = tmp_path / "copy"
    shutil.copytree(shards[0], copy)
    (first, *_) = records_of(open_run(copy))
    path = copy / "series" / f"{first}.jsonl.zst"
    path.write_bytes(path.read_bytes()[:-9])
    merged = merge([copy, *shards], tmp_path / "whole")
    assert merged.series == 24
    assert merged.damaged == [f"{copy}: series {first} its records are not those that were written"]
    assert standings_of(open_run(tmp_path / "whole")).complete


def another_commitment(copy: Path) -> None:
    shutil.rmtree(copy)
    create(copy, config_of(copy.parent, SECRETLY))


def a_false_commitment(copy: Path) -> None:
    (copy / "commitment").write_text("00" * 32)


def another_config(copy: Path) -> None:
    path = copy / "run.toml"
    path.write_text(path.read_text().replace("deals = 3", "deals = 4"))


def another_game(copy: Path) -> None:
    store = open_run(copy)
    (first, *_) = stored_series(store)
    games = store.summary(first.id).games
    changed = store.records(first.id).replace(b'"by":"bot"', b'"by":"referee"', 1)
    store.save(first.id, games, [changed])


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (another_commitment, r"copy: is of another run: its commitment is"),
        (a_false_commitment, r"copy: its commitment is not that of its secret"),
        (another_config, r"copy: has another config than .*: \[\[games\]\] 1 deals differ"),
        (another_game, r"series 1-1-0-1 was played in .*part-1 and in .*copy, and went otherwise"),
    ],
)
def test_what_contradicts_is_named_and_leaves_nothing(
    change: Callable[[Path], None], words: str, shards: list[Path], tmp_path: Path
) -> None:
    shutil.copytree(shards[0], tmp_path / "copy")
    change(tmp_path / "copy")
    with pytest.raises(RunError, match=words):
        merge([*shards, tmp_path / "copy"], tmp_path / "out" / "whole")
    assert not list((tmp_path / "out").glob("*"))


def test_a_folder_that_is_there_is_left_alone(shards: list[Path], tmp_path: Path) -> None:
    (tmp_path / "whole").mkdir()
    with pytest.raises(RunError, match="is there already; choose another with --out"):
        merge(shards, tmp_path / "whole")


def test_nothing_to_unite_is_said(tmp_path: Path) -> None:
    with pytest.raises(RunError, match="name the folders to unite"):
        merge([], tmp_path / "whole")
