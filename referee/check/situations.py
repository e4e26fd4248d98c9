"""What a course is to bring about, found in what was played: long hands, forced decisions..."""

from collections.abc import Iterator, Mapping
from itertools import groupby

from referee.games.game import Decision
from referee.record.lines import ChoiceLine, decode

LONG_HAND = 13
"""So many options are a long hand."""

SITUATIONS = (
    "long hands",
    "forced decisions",
    "simultaneous decisions",
    "duplicates of one card",
)
"""In the order of the report."""


def situations(
    record: bytes, seat: int, asked: Mapping[int, Decision]
) -> Iterator[tuple[str, bool]]:
    """Go through a seat's choices: yield each special situation, and whether the bot mastered it.

    ``asked`` has the seat's questions by their numbers.
    """
    lines = map(decode, record.splitlines())
    for _, group in groupby(lines, key=lambda line: getattr(line, "kind", None)):
        choices = [line for line in group if isinstance(line, ChoiceLine)]
        for choice in choices:
            if choice.seat != seat:
                continue
            mastered = choice.by != "referee"
            if choice.by == "forced":
                yield "forced decisions", mastered
            if len(choices) > 1:
                yield "simultaneous decisions", mastered
            if choice.id is not None and choice.id in asked:
                options = asked[choice.id].options
                if len(options) >= LONG_HAND:
                    yield "long hands", mastered
                if len(set(options)) < len(options):
                    yield "duplicates of one card", mastered
