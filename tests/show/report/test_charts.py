"""The drawings say what the figures say."""

from types import SimpleNamespace

import pytest

from referee.record.result import Times
from referee.show.report.charts import Scale, heat, histogram_of, scale_of


def line(points: float, interval: tuple[float, float] | None) -> SimpleNamespace:
    return SimpleNamespace(points=points, interval=interval)


def test_a_scale_holds_every_interval_and_ends_at_tenths() -> None:
    scale = scale_of([line(0.62, (0.55, 0.69)), line(0.31, None)], "points", 0.5)
    assert (scale.low, scale.high) == (0.3, 0.7)


def test_a_scale_ends_where_points_end() -> None:
    scale = scale_of([line(0.98, (0.9, 1.06)), line(0.02, (-0.04, 0.1))], "points", 0.5)
    assert (scale.low, scale.high) == (0, 1)
    assert scale.at(1.06) == scale.width


def test_a_scale_has_a_length_though_all_is_equal() -> None:
    scale = scale_of([], "points", 0.5)
    assert scale.high > scale.low


@pytest.mark.parametrize(
    ("low", "high", "ticks"),
    [
        (0, 1, [0, 0.25, 0.5, 0.75, 1]),
        (0.3, 0.7, [0.3, 0.4, 0.5, 0.6, 0.7]),
        (-0.6, 0.9, [-0.5, 0, 0.5]),
    ],
)
def test_ticks_are_round_values_within_the_scale(
    low: float, high: float, ticks: list[float]
) -> None:
    assert Scale(low, high).ticks == ticks


def test_a_histogram_counts_every_answer_once_in_the_bar_that_holds_it() -> None:
    spent = [0.01, 0.2, 0.21, 0.22, 5.0, 1200.0]
    drawing = histogram_of(Times.of(spent))
    assert sum(bar.count for bar in drawing.bars) == len(spent)
    assert max(bar.height for bar in drawing.bars) == 1
    for ms in spent[1:]:
        (bar,) = [bar for bar in drawing.bars if bar.from_ms <= ms < bar.to_ms]
        assert 0 <= bar.x <= bar.x + bar.width <= 1
    assert [ms for ms, _ in drawing.ticks] == [0.1, 1, 10, 100, 1000]


def test_nothing_is_drawn_of_no_answers() -> None:
    assert histogram_of(Times()).bars == []


def test_heat_goes_from_never_to_always() -> None:
    assert [heat(ahead) for ahead in (0.0, 0.5, 0.94, 1.0, None)] == [0, 5, 9, 10, None]
