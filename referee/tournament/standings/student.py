"""Student's t distribution, without the second that ``scipy.stats`` takes to import."""

import math
from functools import lru_cache


def t_cdf(t: float, dof: float) -> float:
    """Return the probability that a t variable with ``dof`` degrees of freedom is below ``t``.

    By the regularised incomplete beta function (Abramowitz and Stegun, 26.5.27 and 26.5.8).
    """
    tail = 0.5 * _incomplete_beta(dof / 2, 0.5, dof / (dof + t * t))
    return 1 - tail if t > 0 else tail


@lru_cache(maxsize=4096)
def t_quantile(share: float, dof: float) -> float:
    """Return the value below which a t variable lies with probability ``share``, 0 < share < 1.

    By Newton's method from 0: above it the distribution function is concave, so every step stays
    short of the quantile and they end where rounding stops them.
    """
    if share < 0.5:
        return -t_quantile(1 - share, dof)
    log_top = math.lgamma((dof + 1) / 2) - math.lgamma(dof / 2) - 0.5 * math.log(dof * math.pi)
    t = 0.0
    while True:
        density = math.exp(log_top - (dof + 1) / 2 * math.log1p(t * t / dof))
        step = (share - t_cdf(t, dof)) / density
        t += step
        if step <= 1e-12 * t:
            return t


def _incomplete_beta(a: float, b: float, x: float) -> float:
    """Return I_x(a, b), by its continued fraction where that converges quickly."""
    if x <= 0 or x >= 1:
        return float(x >= 1)
    if x > (a + 1) / (a + b + 2):
        return 1 - _incomplete_beta(b, a, 1 - x)
    log_beta = math.lgamma(a) + math.lgamma(b) - math.lgamma(a + b)
    front = math.exp(a * math.log(x) + b * math.log1p(-x) - log_beta) / a
    return front / _fraction(a, b, x)


def _fraction(a: float, b: float, x: float) -> float:
    """Evaluate the continued fraction by Lentz's method: 1 + d1/(1 + d2/(1 + ...))."""
    tiny = 1e-300
    value = c = 1.0
    d = 0.0
    for n in range(1, 300):
        m = n // 2
        if n % 2:
            step = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1))
        else:
            step = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m))
        d = 1 / ((1 + step * d) or tiny)
        c = (1 + step / c) or tiny
        value *= c * d
        if abs(c * d - 1) < 1e-15:
            break
    return value
