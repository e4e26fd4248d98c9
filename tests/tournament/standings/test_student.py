"""Student's t distribution against figures of scipy 1.17 (``stdtr``, ``stdtrit``)."""

import pytest

from referee.tournament.standings.student import t_cdf, t_quantile

QUANTILES = [
    (1, 0.9, 3.07768353718),
    (1, 0.975, 12.7062047362),
    (1, 0.9999, 3183.09875712),
    (1.5, 0.9, 2.19639841757),
    (1.5, 0.975, 6.01666310443),
    (1.5, 0.9999, 242.264098847),
    (2, 0.9, 1.88561808316),
    (2, 0.975, 4.30265272975),
    (2, 0.9999, 70.700071075),
    (3, 0.9, 1.6377443537),
    (3, 0.975, 3.18244630528),
    (3, 0.9999, 22.2037422732),
    (7, 0.9, 1.41492392765),
    (7, 0.975, 2.36462425159),
    (7, 0.9999, 7.06343282816),
    (19.3, 0.9, 1.32698507277),
    (19.3, 0.975, 2.09082423478),
    (19.3, 0.9999, 4.57380318837),
    (99, 0.9, 1.29016144203),
    (99, 0.975, 1.98421695159),
    (99, 0.9999, 3.86308910713),
    (10000, 0.9, 1.28163622973),
    (10000, 0.975, 1.96020123989),
    (10000, 0.9999, 3.72039586912),
]


@pytest.mark.parametrize(("dof", "share", "quantile"), QUANTILES)
def test_quantiles_are_those_of_the_oracle(dof: float, share: float, quantile: float) -> None:
    assert t_quantile(share, dof) == pytest.approx(quantile, rel=1e-8)


@pytest.mark.parametrize(("dof", "share", "quantile"), QUANTILES)
def test_the_distribution_function_undoes_the_quantile(
    dof: float, share: float, quantile: float
) -> None:
    assert t_cdf(quantile, dof) == pytest.approx(share, abs=1e-10)
    assert t_cdf(-quantile, dof) == pytest.approx(1 - share, abs=1e-10)


def test_the_median_is_0_and_low_quantiles_mirror_high_ones() -> None:
    assert t_quantile(0.5, 7) == 0
    assert t_quantile(0.025, 7) == -t_quantile(0.975, 7)


def test_a_tail_far_out_is_small_and_above_0() -> None:
    assert t_cdf(-40, 30) == pytest.approx(6.863022597e-28, rel=1e-8)
