"""A chunk is bytes in and bytes out: it can be played anywhere, and nothing of the run is in it."""

import pytest

from referee import chunk
from referee.bot import Watchdog
from referee.chunk import decode_outcomes, encode_specs, play_chunk
from referee.series import SeriesResult, SeriesSpec, play_series
from referee.tournament.sizing import schedule_of
from referee.tournament.specs import spec_of
from referee.tournament.store import create
from tests.tournament.played import config_of, without_times


@pytest.fixture(scope="module")
def chunk_and_secret(tmp_path_factory: pytest.TempPathFactory) -> tuple[list[SeriesSpec], bytes]:
    folder = tmp_path_factory.mktemp("chunk")
    store = create(folder / "run", config_of(folder))
    (block, *_) = schedule_of(store.config).blocks()
    return [spec_of(store, series) for series in block.series()], store.secret


def test_a_chunk_played_from_bytes_is_what_its_series_are(
    chunk_and_secret: tuple[list[SeriesSpec], bytes],
) -> None:
    specs, _ = chunk_and_secret
    one, again = (decode_outcomes(play_chunk(encode_specs(specs))) for _ in range(2))
    assert [outcome.series for outcome in one] == [spec.setting.series for spec in specs]
    for outcome, other in zip(one, again, strict=True):
        assert outcome.result is not None
        assert other.result is not None
        assert outcome.failure is None
        assert outcome.seconds > 0
        assert [game.forfeited for game in outcome.result.games] == [[], []]
        for record, same in zip(outcome.result.records, other.result.records, strict=True):
            assert without_times(record) == without_times(same)


def test_a_chunk_holds_its_own_seeds_and_no_secret(
    chunk_and_secret: tuple[list[SeriesSpec], bytes],
) -> None:
    specs, secret = chunk_and_secret
    data = encode_specs(specs)
    assert secret not in data
    assert secret.hex().encode() not in data
    assert specs[0].deals[0].seed.encode() in data


def test_a_bug_in_one_series_is_the_result_of_that_series_only(
    chunk_and_secret: tuple[list[SeriesSpec], bytes], monkeypatch: pytest.MonkeyPatch
) -> None:
    specs, _ = chunk_and_secret

    async def buggy(spec: SeriesSpec, watchdog: Watchdog) -> SeriesResult:
        if spec.setting.series == specs[1].setting.series:
            raise ZeroDivisionError("a bug")
        return await play_series(spec, watchdog)

    monkeypatch.setattr(chunk, "play_series", buggy)
    first, second, third = decode_outcomes(play_chunk(encode_specs(specs)))
    assert first.result
    assert third.result
    assert second.result is None
    assert second.failure
    assert second.failure.reason == "ZeroDivisionError: a bug"
    assert "Traceback" in second.failure.trace
