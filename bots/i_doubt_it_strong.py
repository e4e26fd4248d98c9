"""A strong bot for I Doubt It: it weighs the probability of truth by what it would be worth.

`Player.prospect` says how well we shall do, from the cards that everybody holds and from the turns
that our own still need: the last discard must be true, so a small hand is a plan. Every choice is
the one with the best prospect on average: a bluff succeeds or is caught (`Player.caught`), a
claim is true or a lie (`Player.lie`). It remembers which ranks the others have named, for whoever
has named a rank has none of it left until it takes a pile. It rolls no dice.
"""

import json
import sys
from collections.abc import Sequence
from math import comb, exp, log
from typing import Any

RANKS = "AKQJT98765432"
"""In the order in which they are named."""
SMALL = 6
"""A hand of so many cards, or fewer, is played to a plan."""
LIES = (0.8, 0.25, 0.03, 0.01)
"""The odds that 1, 2, 3, or more cards are a lie, where their seat may as well hold them as not."""

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
        self.named: list[set[str]] = [set() for _ in range(self.seats)]
        """The ranks that each seat has named since it last took a pile."""

    def choose(self, turn: Message) -> list[object]:
        """Answer a turn."""
        self.hear(turn["events"])
        view = turn["view"]
        if turn["decision"]["kind"] == "doubt":
            return [self.doubt(view)]
        return list(self.discard(view))

    def hear(self, events: Sequence[Message]) -> None:
        """Remember who has named what."""
        for event in events:
            match event["event"]:
                case "discarded":
                    self.named[event["seat"]].add(event["rank"])
                case "misnamed":
                    self.named[event["seat"]].clear()
                case "doubted" if event["taker"] is not None:
                    self.named[event["taker"]].clear()

    def prospect(self, own: int, others: Sequence[int], turns: int = 0) -> float:
        """Return the part of the others whom we shall beat, from the cards that everybody holds.

        `turns` is how many we need at least, where a small hand is known. Fitted to 10,000
        decisions of games between specialists and greedy bots.
        """
        theirs = sum(log(count + 0.5) for count in others) / len(others)
        return 1 / (1 + exp(-0.9 + 1.27 * log(own) - theirs + 0.4 * turns))

    def discard(self, view: Message) -> list[str]:
        """Lay all that is true, and as many others as pay: first what will be due last."""
        due = view["rank"]
        true = [card for card in view["cards"] if card[0] == due]
        others = [card for card in view["cards"] if card[0] != due]
        others.sort(key=lambda card: self.turns_until_due(card[0], due), reverse=True)
        if not others:
            return true
        counts = [count for seat, count in enumerate(view["counts"]) if seat != self.me]
        pile_taken = self.prospect(len(view["cards"]) + view["pile"], counts)

        def worth(bluffs: int) -> float:
            left = others[bluffs:]
            believed = self.prospect(len(left), counts, self.turns_needed(left, due))
            caught = self.caught(view, len(true) + bluffs) if bluffs else 0.0
            return (1 - caught) * believed + caught * pile_taken

        # The last card stays: a last discard is shown, and must be true.
        least = 0 if true else 1
        bluffs = max(range(least, max(least + 1, len(others))), key=worth)
        return true + others[:bluffs]

    def turns_needed(self, hand: Sequence[str], due: str) -> int:
        """Count the turns after the next one until we can be out, the last discard being true.

        Each turn before takes a card at least that is not of the last rank. `due` is named now.
        """
        if len(hand) > SMALL:
            return 0
        for turns in range(SMALL):
            last = [card for card in hand if self.turns_until_due(card[0], due) == turns + 1]
            spare = len(hand) - len(last)
            if last and (spare >= turns > 0 or spare == turns == 0):
                return turns
        return SMALL

    def doubt(self, view: Message) -> bool:
        """Doubt where the prospect is better for it, as far as we can tell truth from lie."""
        claim = view["discard"]
        lie = self.lie(view)
        own, pile = len(view["cards"]), view["pile"]
        seat, left = claim["seat"], view["counts"][claim["seat"]]
        rest = [count for i, count in enumerate(view["counts"]) if i not in (self.me, seat)]
        caught = self.prospect(own, [*rest, left + pile])
        in_vain = self.prospect(own + pile, [*rest, left])
        return lie * caught + (1 - lie) * in_vain > self.prospect(own, [*rest, left])

    def lie(self, view: Message) -> float:
        """Return the chance that the open claim is not true."""
        seat, count, rank = (view["discard"][key] for key in ("seat", "count", "rank"))
        ours = [card[0] for card in [*view["cards"], *view["own_pile"]]]
        elsewhere = 4 * self.packs - ours.count(rank)
        if count > elsewhere:
            return 1.0
        # Its cards are of ranks that it has not named, but for the rank in question.
        ruled_out = sum(4 * self.packs - ours.count(r) for r in self.named[seat] - {rank})
        held = view["counts"][seat] + count
        cards = max(held, elsewhere, 52 * self.packs - len(ours) - ruled_out)
        none = chance_of(0, elsewhere, held, cards)
        enough = sum(chance_of(k, elsewhere, held, cards) for k in range(count, elsewhere + 1))
        odds: float = LIES[min(count, 4) - 1] * ((none + 0.02) / (enough + 0.02)) ** 0.6
        return odds / (1 + odds)

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
            send({"type": "ready", "name": "I Doubt It, strong"})
        elif message["type"] == "start":
            player = Player(message) if message["game"] == "i_doubt_it" else None
        elif message["type"] == "turn":
            decision = message["decision"]
            first = decision["options"][: decision["min"]]
            send({"id": message["id"], "choose": player.choose(message) if player else first})


if __name__ == "__main__":
    main()
