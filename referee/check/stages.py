"""What a course plays: short games of every game asked for, at its smallest and largest table."""

from collections.abc import Iterable, Iterator, Mapping

import msgspec

from referee.games.game import Game

SHORT: Mapping[str, object] = {"max_hands": 2, "max_discards": 45}
"""Values for the options by which games are capped, where a game has them."""

VARIED: Mapping[str, object] = {"bidding": "simultaneous", "doubt": "first", "hands": "down"}
"""Values for options that bring out more of a game, where a game has them; at the large table."""


class Stage(msgspec.Struct, frozen=True):
    """One game: for how many seats, which of them is the bot's, and with which options."""

    game: Game
    seats: int
    seat: int
    options: dict[str, object]

    @property
    def name(self) -> str:
        """What it is called in the report."""
        return f"{self.game.name}, {self.seats} seats"


def stages(games: Iterable[Game]) -> Iterator[Stage]:
    """Yield the games of a course in their order."""
    for game in games:
        smallest, largest = game.seats[0], game.seats[-1]
        yield Stage(game, smallest, 0, _known(game, SHORT))
        if largest != smallest:
            yield Stage(game, largest, largest // 2, _known(game, {**SHORT, **VARIED}))


def _known(game: Game, options: Mapping[str, object]) -> dict[str, object]:
    fields = game.rules_type.__struct_fields__
    return {name: value for name, value in options.items() if name in fields}
