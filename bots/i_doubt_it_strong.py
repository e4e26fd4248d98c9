"""A strong bot for I Doubt It: it imagines who holds what, and plays the game out many times.

Every decision is made in three steps. `Table.deals` gives the cards that we cannot see to the
others and exchanges them until they explain what was claimed: a sensible seat lays all that is
true, and bluffs as far as the odds allow, first with what it could lay truly last of all.
`Table.play_out` plays on from such a deal, all seats in that manner. Then the option that did best
over all deals is chosen. How many deals there are follows from what is sent, never from the clock,
so that with the same `seed` the bot answers the same; the clock only stops it in an emergency.
"""

import json
import random
import sys
import time
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from math import comb
from typing import Any, NamedTuple

RANKS = "AKQJT98765432"
"""In the order in which they are named."""
PLAYS = 4_000
"""How many discards are imagined for one decision, all deals and options together."""
FEWEST_DEALS, MOST_DEALS = 8, 30
FIRST_SWAPS, SWAPS = 8, 0.2
"""For each card unseen, how many are exchanged before the first deal, and before each other."""
LONGEST = 60
"""So many discards after now an imagined game ends as it stands."""
MOST_BLUFFS = 6
DOUBT_ABOVE = 0.05
"""What a doubt must promise, in parts of a game: our deals believe too readily in a lie."""

AS_USUAL, SHY, RARE = 0.8, 0.15, 0.03
"""The likelihood of a bluff that is as large as we should make it, smaller, or larger."""
LARGE = 0.1
"""How much less likely a claim of three cards or more is, where it is a bluff."""

Message = dict[str, Any]
Hand = list[int]
"""How many cards of each rank; the suits do not matter."""


class Claim(NamedTuple):
    """A discard in the pile: the rank that it named, its size, and the pile before it."""

    rank: int
    size: int
    pile: int


class Hands(NamedTuple):
    """Who holds what in an imagined deal, what each has in the pile, and what it laid last."""

    held: list[Hand]
    laid: list[Hand]
    last: list[Hand]

    def copy(self) -> "Hands":
        """Return hands to play with."""
        held, laid = ([hand.copy() for hand in hands] for hands in (self.held, self.laid))
        return Hands(held, laid, self.last)

    def move(self, seat: int, cards: Hand) -> None:
        """Put cards of a seat on the pile."""
        for rank, count in enumerate(cards):
            self.held[seat][rank] -= count
            self.laid[seat][rank] += count

    def give_pile(self, taker: int) -> None:
        """Give the pile to a seat."""
        for laid in self.laid:
            add(self.held[taker], laid)
            laid[:] = [0] * 13

    def is_refuted(self, seat: int, rank: int, count: int, full: int, but: int = -1) -> bool:
        """Tell whether somebody (`but` one seat) knows that a claim cannot be true."""
        return any(
            self.held[other][rank] + self.laid[other][rank] > full - count
            for other in range(len(self.held))
            if other not in (seat, but)
        )


def hand_of(cards: Iterable[str]) -> Hand:
    """Count the cards of each rank."""
    hand = [0] * 13
    for card in cards:
        hand[RANKS.index(card[0])] += 1
    return hand


def add(hand: Hand, cards: Sequence[int]) -> None:
    """Put cards into a hand."""
    for rank, count in enumerate(cards):
        if count:
            hand[rank] += count


@lru_cache(maxsize=100_000)
def bluffs(true: int, size: int, pile: int, seats: int, packs: int) -> int:
    """Return how many cards to lay besides the true ones from a hand of this size.

    A seat that holds too many of the rank for our claim doubts it, and so does one that finds it
    most unlikely from so small a hand; then we take the pile. The last card stays: a last discard
    is shown, and must be true.
    """
    full, others = 4 * packs, seats - 1
    elsewhere = full - true

    def gain(extra: int) -> float:
        if not extra:
            return true
        count = true + extra
        caught = 0.02 * count
        for held in range(elsewhere + 1):
            expected = size * (full - held) / (52 * packs * others / seats)
            if held > full - count or expected < 0.15 * count:
                ways = comb(elsewhere, held) * others ** (elsewhere - held)
                caught += others * ways / seats**elsewhere
        caught = min(1.0, caught)
        return (1 - caught) * count - caught * pile

    least = 0 if true else 1
    return max(range(least, max(least, min(size - true - 1, MOST_BLUFFS)) + 1), key=gain)


def lay(hand: Hand, due: int, extra: int, seats: int) -> Hand:
    """Take the cards of the rank due from a hand, and others: first those that are due last."""
    laid = [0] * 13
    laid[due], hand[due] = hand[due], 0
    turn = 12
    while extra:
        rank = (due + turn * seats) % 13
        some = min(extra, hand[rank])
        laid[rank] += some
        hand[rank] -= some
        extra -= some
        turn -= 1
    return laid


class Memory:
    """What the events have told us, as far as the view does not repeat it."""

    def __init__(self, me: int, seats: int) -> None:
        self.me = me
        self.lacks: list[set[int]] = [set() for _ in range(seats)]
        """The ranks that each seat named before this pile, and since it last took one."""
        self.known: list[Hand] = [[0] * 13 for _ in range(seats)]
        """What each seat must hold, or have in the pile: it took these cards before our eyes."""
        self.named: list[set[int]] = [set() for _ in range(seats)]
        self.own_laid = [0] * 13

    def hear(self, events: Iterable[Message]) -> None:
        """Learn from what has happened."""
        for event in events:
            match event["event"]:
                case "own_discard":
                    add(self.own_laid, hand_of(event["cards"]))
                case "discarded":
                    self.named[event["seat"]].add(RANKS.index(event["rank"]))
                case "misnamed":
                    self.pile_taken(event["seat"], event["seat"], [0] * 13)
                case "doubted" if event["taker"] is not None:
                    self.pile_taken(event["taker"], event["discarder"], hand_of(event["cards"]))

    def pile_taken(self, taker: int, discarder: int, shown: Hand) -> None:
        """Learn from a pile taken, after the last discard to it was shown."""
        for lacks, named, known in zip(self.lacks, self.named, self.known, strict=True):
            lacks.update(named)
            for rank in named:
                known[rank] = 0
            named.clear()
        self.lacks[taker].clear()
        known = self.known[taker]
        if taker == discarder:
            # What it lied with may be what we knew of.
            known[:] = map(max, known, shown)
        elif discarder != self.me:
            add(known, shown)
        add(known, self.own_laid)
        self.own_laid = [0] * 13


class Table:
    """What one seat knows, for one decision."""

    def __init__(self, view: Message, me: int, packs: int, memory: Memory) -> None:
        self.me = me
        self.packs = packs
        self.full = 4 * packs
        self.memory = memory
        self.counts: list[int] = view["counts"]
        self.seats = len(self.counts)
        self.due = RANKS.index(view["rank"])
        self.hand = hand_of(view["cards"])
        self.own_pile = hand_of(view["own_pile"])
        self.claims: list[list[Claim]] = [[] for _ in self.counts]
        """What each of the others laid in the pile."""
        pile = 0
        for claim in view["claims"]:
            rank, count = RANKS.index(claim["rank"]), claim["count"]
            if claim["seat"] != me:
                self.claims[claim["seat"]].append(Claim(rank, count, pile))
            pile += count

    def deals(self, options: int, rng: random.Random) -> Iterator[Hands]:
        """Yield the deals to judge so many options by; they are fewer where games are longer.

        Each is made of the one before, by exchanges of cards between two seats: one that makes the
        claims less likely is made as often as it leaves them likely.
        """
        unseen = [self.full - a - b for a, b in zip(self.hand, self.own_pile, strict=True)]
        others = [seat for seat in range(self.seats) if seat != self.me]
        owned: list[Hand] = [[0] * 13 for _ in range(self.seats)]
        room = [
            count + sum(claim.size for claim in claims)
            for count, claims in zip(self.counts, self.claims, strict=True)
        ]
        for seat in others:
            for rank, known in enumerate(self.memory.known[seat]):
                count = min(known, unseen[rank], room[seat])
                owned[seat][rank] = count
                unseen[rank] -= count
                room[seat] -= count
        cards = [rank for rank, count in enumerate(unseen) for _ in range(count)]
        rng.shuffle(cards)
        owners = [seat for seat in others for _ in range(room[seat])]
        for seat, rank in zip(owners, cards, strict=True):
            owned[seat][rank] += 1
        likelihood = [self.likelihood(seat, owned[seat]) for seat in range(self.seats)]
        swaps: float = FIRST_SWAPS * len(cards)
        for _ in range(max(FEWEST_DEALS, min(MOST_DEALS, PLAYS // (options * sum(self.counts))))):
            for _ in range(int(swaps)):
                i, j = int(rng.random() * len(cards)), int(rng.random() * len(cards))
                a, b, x, y = owners[i], owners[j], cards[i], cards[j]
                if a == b or x == y:
                    continue
                exchange(owned[a], owned[b], x, y)
                for_a, for_b = self.likelihood(a, owned[a]), self.likelihood(b, owned[b])
                if for_a * for_b >= likelihood[a] * likelihood[b] * rng.random():
                    cards[i], cards[j] = y, x
                    likelihood[a], likelihood[b] = for_a, for_b
                else:
                    exchange(owned[a], owned[b], y, x)
            swaps = SWAPS * len(cards)
            yield self.hands(owned)

    def hands(self, owned: Sequence[Hand]) -> Hands:
        """Say who holds what, and what lies in the pile, of what each seat owned before it."""
        hands = Hands([], [], [])
        for seat, cards in enumerate(owned):
            held, laid, last = cards.copy(), [0] * 13, [0] * 13
            for claim in self.claims[seat]:
                last = self.lay_for(claim, held)
                add(laid, last)
            hands.held.append(held)
            hands.laid.append(laid)
            hands.last.append(last)
        hands.held[self.me], hands.laid[self.me] = self.hand, self.own_pile
        return hands

    def lay_for(self, claim: Claim, hand: Hand) -> Hand:
        """Take from a hand what a sensible seat lays for a claim of this size."""
        spared = max(0, hand[claim.rank] - claim.size)
        hand[claim.rank] -= spared
        laid = lay(hand, claim.rank, claim.size - hand[claim.rank], self.seats)
        hand[claim.rank] += spared
        return laid

    def likelihood(self, seat: int, owned: Hand) -> float:
        """Say how likely a seat that owned these cards is to have claimed what it did.

        It may be bold, and bluff whenever that pays, or careful, and bluff only when it must.
        """
        bold = careful = RARE ** sum(owned[rank] for rank in self.memory.lacks[seat])
        hand = owned.copy()
        size = sum(hand)
        for claim in self.claims[seat]:
            true = hand[claim.rank]
            if true > claim.size:
                bold *= RARE
                careful *= RARE
            else:
                extra = claim.size - true
                usual = bluffs(true, size, claim.pile, self.seats, self.packs)
                bold *= AS_USUAL if extra == usual else SHY if extra < usual else RARE
                careful *= AS_USUAL if extra == (not true) else RARE
                if extra and claim.size > 2:
                    bold *= LARGE
                    careful *= LARGE
            self.lay_for(claim, hand)
            size -= claim.size
        return bold + careful

    def play_out(self, hands: Hands, turn: int, due: int) -> float:
        """Play these hands to the end; return the part of the others whom we beat.

        Every seat lays what `bluffs` says, and doubts what it knows to be a lie. This is where most
        of the time goes.
        """
        held, laid = hands.held, hands.laid
        sizes = [sum(hand) for hand in held]
        pile = sum(map(sum, laid))
        for _ in range(LONGEST):
            hand, size = held[turn], sizes[turn]
            true = hand[due]
            if true == size:
                sizes[turn] = 0
                break
            caught = size == 1
            if not caught:
                extra = bluffs(true, size, pile, self.seats, self.packs)
                add(laid[turn], lay(hand, due, extra, self.seats))
                pile += true + extra
                sizes[turn] -= true + extra
                caught = extra > 0 and hands.is_refuted(turn, due, true + extra, self.full)
            if caught:
                hands.give_pile(turn)
                sizes[turn] += pile
                pile = 0
            turn = (turn + 1) % self.seats
            due = (due + 1) % 13
        ours = sizes[self.me]
        beaten = sum((size > ours) + 0.5 * (size == ours) for size in sizes) - 0.5
        return beaten / (self.seats - 1)


def exchange(one: Hand, other: Hand, given: int, got: int) -> None:
    """Give a card of one hand for a card of the other."""
    one[given] -= 1
    one[got] += 1
    other[got] -= 1
    other[given] += 1


def alarm_of(turn: Message) -> float:
    """Return when to stop thinking whatever it costs: the clock, as `time.monotonic` tells it."""
    free_ms, reserve_ms = turn["time"]["move_ms"], turn["time"]["bank_ms"]
    seconds: float = (free_ms + reserve_ms / 20) / 2000
    return time.monotonic() + seconds


def until(alarm: float, deals: Iterable[Hands]) -> Iterator[Hands]:
    """Go through the deals; in an emergency only through those that there is time for."""
    for hands in deals:
        yield hands
        if time.monotonic() > alarm:
            return


class Player:
    """Our side of one game."""

    def __init__(self, start: Message) -> None:
        self.me: int = start["seat"]
        self.packs: int = start["rules"]["packs"]
        self.memory = Memory(self.me, start["seats"])
        self.rng = random.Random(start["seed"])

    def choose(self, turn: Message) -> list[object]:
        """Answer a turn."""
        alarm = alarm_of(turn)
        self.memory.hear(turn["events"])
        view = turn["view"]
        table = Table(view, self.me, self.packs, self.memory)
        if turn["decision"]["kind"] == "doubt":
            return [self.doubt(table, view["discard"], alarm)]
        return list(self.discard(table, view["cards"], alarm))

    def doubt(self, table: Table, claim: Message, alarm: float) -> bool:
        """Doubt what cannot be true, and what on average is worth it."""
        seat, count = claim["seat"], claim["count"]
        if count > table.full - table.hand[table.due] - table.own_pile[table.due]:
            return True
        coming = (seat + 1) % table.seats, (table.due + 1) % 13
        gain, deals = 0.0, 0
        for hands in until(alarm, table.deals(2, self.rng)):
            lie = hands.last[seat][table.due] != count
            doubted, quiet = hands.copy(), hands.copy()
            doubted.give_pile(seat if lie else self.me)
            if lie and hands.is_refuted(seat, table.due, count, table.full, but=self.me):
                quiet.give_pile(seat)
            gain += table.play_out(doubted, *coming) - table.play_out(quiet, *coming)
            deals += 1
        return gain > DOUBT_ABOVE * deals

    def discard(self, table: Table, cards: Sequence[str], alarm: float) -> list[str]:
        """Lay all that is true, and as many others as did best: first what will be due last."""
        due = RANKS[table.due]
        order = [RANKS[(table.due + turn * table.seats) % 13] for turn in range(13)]
        true = [card for card in cards if card[0] == due]
        others = [card for card in cards if card[0] != due]
        others.sort(key=lambda card: order.index(card[0]), reverse=True)
        least = 0 if true else 1
        # The last card stays: a last discard is shown, and must be true.
        most = max(least, min(len(others) - 1, MOST_BLUFFS))
        options = [true + others[:extra] for extra in range(least, most + 1)]
        if len(options) == 1:
            return options[0]
        gains = [0.0] * len(options)
        coming = (self.me + 1) % table.seats, (table.due + 1) % 13
        for deal in until(alarm, table.deals(len(options), self.rng)):
            for i, option in enumerate(options):
                hands = deal.copy()
                hands.move(self.me, hand_of(option))
                if len(option) > len(true) and hands.is_refuted(
                    self.me, table.due, len(option), table.full
                ):
                    hands.give_pile(self.me)
                gains[i] += table.play_out(hands, *coming)
        return options[max(range(len(options)), key=gains.__getitem__)]


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
