"""Is one bot better than another? A verdict that may be looked for after every deal."""

import math
from typing import Literal

from referee.tournament.anytime.sequence import Bettor, Sequence

Verdict = Literal["better", "worse", "close", "open"]
"""What is known of the difference: above 0, below 0, within the margin, or not enough."""


class Comparison:
    """The difference between two bots, one observation a deal, -1 to 1, until it is clear.

    The verdict is "better" or "worse" when the interval leaves 0 out, "close" when it lies within
    ``margin`` on either side, and "open" until then; it stands once it is not open. Whatever the
    number of deals and however often one looks, it is wrong with probability ``alpha`` at most.
    """

    def __init__(
        self, alpha: float, margin: float | None = None, max_deals: int | None = None
    ) -> None:
        self.margin = margin
        self.max_deals = max_deals
        self.verdict: Verdict = "open"
        self._sequence = Sequence(alpha)
        self._log_target = math.log(2 / alpha)
        self._better, self._worse = Bettor(0), Bettor(0)
        # Who bets that the difference is above -margin, and who that it is below +margin.
        self._above = Bettor(-margin) if margin else None
        self._below = Bettor(-margin) if margin else None

    def add(self, difference: float) -> None:
        """Take a deal's difference. Raises ValueError for one out of range, or after the end."""
        if self.is_over:
            raise ValueError("the comparison is over")
        self._sequence.add(difference)
        self._better.add(difference)
        self._worse.add(-difference)
        if self._above and self._below:
            self._above.add(difference)
            self._below.add(-difference)
        self.verdict = self._find_verdict()

    @property
    def deals(self) -> int:
        """How many deals were taken."""
        return self._sequence.count

    @property
    def mean(self) -> float:
        """The mean difference so far."""
        return self._sequence.mean

    @property
    def bounds(self) -> tuple[float, float]:
        """The interval for the difference, good at any moment; -1 to 1 before the first deal."""
        return self._sequence.bounds

    @property
    def is_over(self) -> bool:
        """Whether there is a verdict, or no deal is left."""
        return self.verdict != "open" or self.deals == self.max_deals

    def _find_verdict(self) -> Verdict:
        if self._has_won(self._better):
            return "better"
        if self._has_won(self._worse):
            return "worse"
        if (
            self._above
            and self._below
            and self._has_won(self._above)
            and self._has_won(self._below)
        ):
            return "close"
        return "open"

    def _has_won(self, bettor: Bettor) -> bool:
        return bettor.log_capital >= self._log_target
