"""What is said of a config before it is played."""

from pathlib import Path

from msgspec.structs import replace

from referee.tournament.config import load_config
from referee.tournament.prepare import remarks_on
from referee.tournament.sizing import cores, memory_mb
from tests.tournament.played import BOTS, SHORT, config_of, play_run


def remarks(folder: Path, concurrency: int, bot_mb: int) -> list[str]:
    config = config_of(folder)
    limits = replace(config.limits, memory_mb=bot_mb, sandbox="off")
    return remarks_on(
        replace(config, limits=limits, run=replace(config.run, concurrency=concurrency))
    )


def test_as_many_tables_as_cores_need_no_word(tmp_path: Path) -> None:
    assert not any("concurrency" in remark for remark in remarks(tmp_path, cores(), 1))


def test_an_end_that_can_only_be_that_of_the_deals_is_said(tmp_path: Path) -> None:
    config = config_of(tmp_path, SHORT.replace("[tournament]", '[tournament]\nuntil = "winner"'))
    assert not any("until" in remark for remark in remarks_on(config))
    one_block = replace(config, tournament=replace(config.tournament, block=3))
    said = "tournament.until is looked at once, at the end: all 3 deals are in one block"
    assert said in remarks_on(one_block)


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


BUILT = f"""
[tournament]
seed = "built"
block = 1
[limits]
sandbox = "off"
[[games]]
game = "pitch"
seats = 2
deals = 1
rules = {{ max_hands = 1 }}
[[bots]]
name = "built"
path = "{BOTS}/random_bot.py"
build = "sh -c 'date +%N > stamp; mv random_bot.py bot.py'"
command = "python bot.py"
[[bots]]
name = "random"
path = "{BOTS}/random_bot.py"
"""
"""With a build that never comes out the same."""


def test_a_bot_with_a_build_is_built_once_for_a_run_and_for_its_resumption(tmp_path: Path) -> None:
    config = config_of(tmp_path, BUILT)
    store, ending = play_run(config, tmp_path / "run")
    assert not ending.aborted
    assert [game.forfeited for summary in store.summaries() for game in summary.games] == [[], []]
    (stamp,) = (tmp_path / "run" / "bots").glob("*/stamp")
    (built,) = (tmp_path / "builds").iterdir()
    assert stamp.read_text() == (built / "stamp").read_text()
    again, _ = play_run(config, tmp_path / "run")
    assert again.config == store.config
    assert load_config(tmp_path / "run" / "run.toml").bots[0].build is None
