"""A comparison: its interval as it narrows, and its verdict."""

from collections.abc import Callable

import msgspec
from rich.console import Group, RenderableType
from rich.text import Text

from referee.tournament.judge import Compared, CompareJudge, Hearing
from referee.tournament.results import Standings

SCALES = (0.05, 0.1, 0.2, 0.5, 1.0)
"""How far the axis goes on either side of 0: the least that holds the interval."""
HALF = 25
"""Characters on either side of 0."""


def news_of(hearing: Hearing) -> Callable[[], list[str]]:
    """Return what says how a comparison stands: the interval on an axis, and in words.

    Of any other run there is nothing to say.
    """

    def news() -> list[str]:
        if not isinstance(hearing.judge, CompareJudge):
            return []
        hearing.is_over()
        compared = hearing.judge.compared
        if not compared.deals:
            return ["no deal counts yet: one does when both bots have played it in every seat"]
        return [axis(compared), *words(compared)]

    return news


def axis(compared: Compared) -> str:
    """Return the interval as a bar on an axis that is marked at 0, and at the margin."""
    low, high = compared.interval
    scale = next(scale for scale in SCALES if max(-low, high) <= scale)

    def at(value: float) -> int:
        return HALF + round(value / scale * HALF)

    marks = ["·"] * (2 * HALF + 1)
    marks[at(low) : at(high) + 1] = "━" * (at(high) - at(low) + 1)
    for edge in (0.0, compared.margin, compared.margin and -compared.margin):
        if edge is not None and abs(edge) <= scale:
            marks[at(edge)] = "│" if marks[at(edge)] == "·" else "┿"
    marks[at(compared.difference)] = "●"
    return f"{-scale:+g} {''.join(marks)} {scale:+g}"


def verdict_page(standings: Standings, compared: Compared) -> RenderableType:
    """Return the verdict, the size of the difference and what it took."""
    lines = [f"isolation: {standings.isolation}"]
    if standings.seeded:
        lines.append("seeded: deals predictable")
    lines += [axis(compared), *words(compared)]
    verdict = Text(verdict_line(compared), style="bold")
    return Group(*map(Text, lines), verdict)


def compared_json(standings: Standings, compared: Compared, *, same: bool) -> dict[str, object]:
    """Return the document of ``compare --json``."""
    return {
        "run": standings.run,
        "complete": standings.complete,
        "isolation": standings.isolation,
        "seeded": standings.seeded,
        "commitment": standings.commitment,
        **msgspec.structs.asdict(compared),
        "same": same,
    }


def verdict_line(compared: Compared) -> str:
    """Return the verdict in a sentence."""
    new, old = compared.new, compared.old
    match compared.verdict:
        case "better":
            return f"{new} is better than {old}"
        case "worse":
            return f"{new} is worse than {old}"
        case "close":
            return f"{new} is neither better nor worse than {old} by {compared.margin:g} points"
        case "open":
            end = "not clear yet" if compared.deals < compared.max_deals else "not clear"
            return f"{end}: {new} may be better or worse than {old}"


def words(compared: Compared) -> list[str]:
    """Return the size of the difference and what it took, a line each."""
    low, high = compared.interval
    used = f"{compared.deals:,} of at most {compared.max_deals:,} deals, {compared.games:,} games"
    return [
        f"{compared.new} less {compared.old}: {compared.difference:+.3f} points a game",
        f"{100 * (1 - compared.alpha):g} %: {low:+.3f} to {high:+.3f}, after {used}",
    ]
