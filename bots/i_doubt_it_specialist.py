"""A specialist for I Doubt It: it lays what is true, and bluffs as far as the odds allow.

With a bluff we are rid of more cards, unless it is doubted; then we take the pile. `Player.caught`
says how likely that is: the others too count what they hold of the rank. Its own doubts it keeps
for what cannot be true, since a pile taken in vain costs us all that lies there, and the discarder
is only one of those whom we have to beat. It remembers nothing and rolls no dice.
"""

import json
import sys
from math import comb
from typing import Any

RANKS = "AKQJT98765432"
"""In the order in which they are named."""

Message = dict[str, Any]


def chance_of(count: int, wanted: int, drawn: int, cards: int) -> float:
    """Return the chance that, of `wanted` among so many cards, exactly `count` are drawn."""
    if not 0 <= drawn - count <= cards - wanted:
        return 0.0
    return comb(wanted, count) * comb(cards - wanted, drawn - count) / comb(cards, drawn)


class Player:
    """Our side of one game."""

    def __init__(self, start: Message) -> None:
        self.me: int = start["seat"]
        self.seats: int = start["seats"]
        self.packs: int = start["rules"]["packs"]

    def choose(self, turn: Message) -> list[object]:
        """Answer a turn."""
        view = turn["view"]
        if turn["decision"]["kind"] == "doubt":
            return [self.cannot_be(view)]
        return list(self.discard(view))

    def cannot_be(self, view: Message) -> bool:
        """Tell whether a claim is of more cards than there can be: the rest of the rank is ours."""
        claim = view["discard"]
        ours = sum(card[0] == claim["rank"] for card in [*view["cards"], *view["own_pile"]])
        return bool(claim["count"] > 4 * self.packs - ours)

    def discard(self, view: Message) -> list[str]:
        """Lay all that is true, and as many others as pay: first what will be due last."""
        due = view["rank"]
        true = [card for card in view["cards"] if card[0] == due]
        others = [card for card in view["cards"] if card[0] != due]
        others.sort(key=lambda card: self.turns_until_due(card[0], due), reverse=True)
        if not others:
            return true

        pile: int = view["pile"]

        def gain(bluffs: int) -> float:
            count = len(true) + bluffs
            caught = self.caught(view, count) if bluffs else 0.0
            return (1 - caught) * count - caught * pile

        # The last card stays: a last discard is shown, and must be true.
        least = 0 if true else 1
        bluffs = max(range(least, max(least + 1, len(others))), key=gain)
        return true + others[:bluffs]

    def turns_until_due(self, rank: str, due: str) -> int:
        """Count our turns until a rank must be named: 0 is now, `due` being named."""
        named = RANKS.index(due)
        return next(k for k in range(13) if RANKS[(named + k * self.seats) % 13] == rank)

    def caught(self, view: Message, count: int) -> float:
        """Return the chance that somebody doubts that we lay so many cards of the rank due.

        Whoever holds too many of the rank for it to be true does, and whoever finds it most
        unlikely from so small a hand; besides, one never knows.
        """
        ours = [*view["cards"], *view["own_pile"]]
        elsewhere = 4 * self.packs - sum(card[0] == view["rank"] for card in ours)
        unseen = 52 * self.packs - len(ours)
        quiet = 1 - 0.02 * count
        for seat, held in enumerate(view["counts"]):
            if seat == self.me:
                continue
            for own in range(elsewhere + 1):
                left = 4 * self.packs - own
                expected = len(view["cards"]) * left / (52 * self.packs - held)
                if count > left or expected < 0.15 * count:
                    quiet *= 1 - chance_of(own, elsewhere, held, unseen)
        return 1 - max(0.0, quiet)


def send(answer: Message) -> None:
    """Write a line to the referee at once: an answer left in a buffer is never given."""
    print(json.dumps(answer), flush=True)


def main() -> None:
    """Answer the referee until it has no more to say; what is not our game is played legally."""
    player: Player | None = None
    for line in sys.stdin:
        message: Message = json.loads(line)
        if message["type"] == "hello":
            send({"type": "ready", "name": "I Doubt It, specialist"})
        elif message["type"] == "start":
            player = Player(message) if message["game"] == "i_doubt_it" else None
        elif message["type"] == "turn":
            decision = message["decision"]
            first = decision["options"][: decision["min"]]
            send({"id": message["id"], "choose": player.choose(message) if player else first})


if __name__ == "__main__":
    main()
