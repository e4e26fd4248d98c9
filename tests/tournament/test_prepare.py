"""What is said of a config before it is played."""

from pathlib import Path

from msgspec.structs import replace

from referee.tournament.prepare import remarks_on
from referee.tournament.runner import cores, memory_mb
from tests.tournament.played import config_of


def remarks(folder: Path, concurrency: int, bot_mb: int) -> list[str]:
    config = config_of(folder)
    limits = replace(config.limits, memory_mb=bot_mb, sandbox="off")
    return remarks_on(
        replace(config, limits=limits, run=replace(config.run, concurrency=concurrency))
    )


def test_as_many_tables_as_cores_need_no_word(tmp_path: Path) -> None:
    assert not any("concurrency" in remark for remark in remarks(tmp_path, cores(), 1))


def test_more_tables_than_cores_are_said_to_risk_timeouts(tmp_path: Path) -> None:
    (remark,) = remarks(tmp_path, cores() + 1, 1)
    assert remark.startswith(f"run.concurrency = {cores() + 1} is above the {cores()} cores")
    assert "may time out" in remark


def test_tables_that_may_want_more_memory_than_there_is_are_warned_of_with_the_sum(
    tmp_path: Path,
) -> None:
    bot_mb = int(memory_mb()) // 3
    *_, remark = remarks(tmp_path, 2, bot_mb)
    assert f"2 tables x {3 * bot_mb:,} MiB" in remark
    assert f"= {6 * bot_mb:,} MiB may be used" in remark
