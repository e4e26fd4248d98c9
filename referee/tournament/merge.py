"""Uniting copies of one run, of which machines that know nothing of each other played parts."""

import shutil
import tempfile
from collections.abc import Sequence
from pathlib import Path

import msgspec

from referee.record.alike import are_alike
from referee.tournament.config import changed_keys
from referee.tournament.schedule import Series
from referee.tournament.sizing import schedule_of
from referee.tournament.store import Damage, RunError, Store, open_run, own_copies

_OF_THE_RUN = ("run.toml", "secret", "commitment")


class Merged(msgspec.Struct, frozen=True):
    """What ``merge`` did: series taken, those that more than one had, and what was left out."""

    series: int
    twice: int
    damaged: list[str]


def merge(folders: Sequence[Path], out: Path) -> Merged:
    """Unite copies of a run, each with some of its series, in a new folder.

    What several have is compared, and counted once. Raises RunError where they are not copies of
    one run, where two contradict each other, and where ``out`` is there already; then, as after an
    interruption, there is no ``out``.
    """
    if not folders:
        raise RunError("name the folders to unite")
    stores = [open_run(folder) for folder in folders]
    _check_one_run(stores)
    if out.exists():
        raise RunError(f"{out}: is there already; choose another with --out")
    out.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=out.parent, prefix=f".{out.name}.") as aside:
        new = Path(aside) / "run"
        merged = _unite(stores, new)
        new.rename(out)
    return merged


def _check_one_run(stores: Sequence[Store]) -> None:
    first, *others = stores
    for store in stores:
        store.check_commitment()
    for store in others:
        if store.commitment != first.commitment:
            raise RunError(
                f"{store.folder}: is of another run: its commitment is {store.commitment[:16]}..., "
                f"that of {first.folder} {first.commitment[:16]}..."
            )
        # Where a folder lies makes no difference.
        if keys := changed_keys(first.config, own_copies(store.config, first.folder)):
            raise RunError(
                f"{store.folder}: has another config than {first.folder}: {', '.join(keys)} differ"
            )


def _unite(stores: Sequence[Store], folder: Path) -> Merged:
    first = stores[0]
    (folder / "series").mkdir(parents=True)
    for name in _OF_THE_RUN:
        shutil.copy2(first.folder / name, folder)
    shutil.copytree(first.folder / "bots", folder / "bots", symlinks=True)
    for store in stores:
        if (store.folder / "stderr").is_dir():
            shutil.copytree(store.folder / "stderr", folder / "stderr", dirs_exist_ok=True)
    united = open_run(folder)
    damaged: list[str] = []
    taken = twice = 0
    for series in schedule_of(first.config).series():
        having = _having(stores, series, damaged)
        if having:
            united.take(series.id, having[0])
            taken += 1
        if len(having) > 1:
            _check_same_game(series, having)
            twice += 1
    return Merged(taken, twice, damaged)


def _having(stores: Sequence[Store], series: Series, damaged: list[str]) -> list[Store]:
    """Return those that have a series; note where it is damaged."""
    having = []
    for store in stores:
        if not store.has(series.id):
            continue
        try:
            store.summary(series.id)
        except Damage as damage:
            damaged.append(f"{store.folder}: series {series.id} {damage}")
        else:
            having.append(store)
    return having


def _check_same_game(series: Series, having: Sequence[Store]) -> None:
    first, *others = having
    for store in others:
        if not are_alike(first.records(series.id), store.records(series.id)):
            raise RunError(
                f"series {series.id} was played in {first.folder} and in {store.folder}, "
                f"and went otherwise: remove one of the two files"
            )
