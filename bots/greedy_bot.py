"""A sensible bot for all four games: one short policy for each kind of decision.

It remembers nothing and rolls no dice. Every answer follows from the `view` and the `decision` of
one `turn`, so that it can be read, and tested, a policy at a time. Begin your own bot by replacing
the policy that you like least.

    greedy_bot.py [--style careful|bold]

A bold bot bids more, bluffs more and doubts more than a plain one, a careful one less.
"""

import json
import sys
from types import SimpleNamespace

RANKS = "23456789TJQKA"
SUITS = "CDHS"
HEIGHT = {rank + suit: RANKS.index(rank) for rank in RANKS for suit in SUITS}

STYLES = {"careful": -1, "plain": 0, "bold": 1}


class Message(SimpleNamespace):
    """What the referee sent, its keys as attributes: `turn.view.cards` are the cards we hold.

    A `turn` has two attributes more: `me`, the seat we sit in, and `nerve`, our style as a number.
    """


# What trick-taking games share. A trick is a list of plays, each a seat and its card.


def strength(card: str, led: str, trump: str | None) -> int:
    """Compare cards in a trick: any trump beats the suit led, and the suit led beats the rest."""
    return HEIGHT[card] + (26 if card[1] == trump else 13 if card[1] == led else 0)


def winners(turn: Message) -> list[str]:
    """Return the options that would win the trick as it stands."""
    view, options = turn.view, turn.decision.options
    if not view.trick:
        return list(options)
    led = view.trick[0][1][1]
    best = max(strength(card, led, view.trump) for _, card in view.trick)
    return [card for card in options if strength(card, led, view.trump) > best]


def seats_behind(turn: Message) -> int:
    """Count the seats that play to this trick after us."""
    return len(turn.view.scores) - len(turn.view.trick) - 1


def unseen_above(turn: Message, card: str) -> int:
    """Count the higher cards of its suit that we neither hold nor have seen played."""
    tricks = [*turn.view.played, turn.view.trick]
    seen = {*turn.view.cards, *(played for trick in tricks for _, played in trick)}
    return sum(rank + card[1] not in seen for rank in RANKS[HEIGHT[card] + 1 :])


# Oh Hell


def bid_oh_hell(turn: Message) -> list[object]:
    """Bid the tricks that our cards should take, with an eye on what the others' bids leave."""
    view = turn.view
    seats, size = len(view.bids), len(view.cards)
    # A higher card must be in somebody's hand, and in a long hand it must also meet ours.
    danger = size * (seats - 1) / (52 - size) / size**0.5
    expected = 0.0
    for card in view.cards:
        chance = max(0.0, 1 - danger) ** unseen_above(turn, card)
        if card[1] != view.trump:
            # Its suit must be led, and not be trumped.
            chance *= (1 - 0.85**size) * (0.5 if view.trump else 1)
        expected += chance
    made = [bid for bid in view.bids if bid is not None]
    still_to_bid = seats - len(made) - 1
    left_over = size - sum(made) - still_to_bid * size / seats
    wanted = 0.75 * expected + 0.25 * left_over + 0.2 * turn.nerve
    return [min(turn.decision.options, key=lambda bid: abs(bid - wanted))]


def play_oh_hell(turn: Message) -> list[object]:
    """Win tricks until the bid is reached, then lose the rest with cards as high as can be."""
    view, options = turn.view, turn.decision.options

    def worth(card: str) -> int:
        return strength(card, "", view.trump)

    winning = winners(turn)
    losing = [card for card in options if card not in winning]
    last = seats_behind(turn) == 0
    if view.tricks[turn.me] < view.bids[turn.me]:
        if not view.trick:
            return [min(options, key=lambda card: (unseen_above(turn, card), worth(card)))]
        if winning:
            return [min(winning, key=worth) if last else max(winning, key=worth)]
        return [min(losing, key=worth)]
    if losing:
        return [max(losing, key=worth)]
    return [max(winning, key=worth) if last else min(winning, key=worth)]


# Pitch

CARD_POINTS = {"T": 10, "J": 1, "Q": 2, "K": 3, "A": 4}
TRUMP_VALUES = {"A": 1.6, "K": 0.8, "Q": 0.5, "J": 0.6}


def pitch_value(cards: list[str], suit: str) -> float:
    """Return the points that a pitcher of this suit wins with these cards, on average."""
    trumps = [card for card in cards if card[1] == suit]
    return len(trumps) / 3 + sum(TRUMP_VALUES.get(card[0], 0) for card in trumps)


def prize(card: str, trump: str) -> int:
    """Say what winning this card is worth: its card points, and more for the jack and the low."""
    bonus = {"J": 12, "2": 6, "3": 6, "4": 6} if card[1] == trump else {}
    return CARD_POINTS.get(card[0], 0) + bonus.get(card[0], 0)


def bid_pitch(turn: Message) -> list[object]:
    """Bid as many points as our best suit promises; with more seats, more of them escape us."""
    view, options = turn.view, turn.decision.options
    hope = max(pitch_value(view.cards, suit) for suit in SUITS) - 0.2 * (len(view.scores) - 3)
    hope += 0.25 + 0.4 * turn.nerve
    bids = [option for option in options if option != "pass" and option <= hope]
    return bids[-1:] or options[:1]


def play_pitch(turn: Message) -> list[object]:
    """Lead what nothing beats, win what is worth winning, and give away as little as can be."""
    view, options = turn.view, turn.decision.options
    trump = view.trump
    if trump is None:
        suit = max(SUITS, key=lambda suit: pitch_value(view.cards, suit))
        return [max((card for card in options if card[1] == suit), key=HEIGHT.__getitem__)]

    def worth(card: str) -> int:
        return prize(card, trump) + strength(card, "", trump)

    if not view.trick:
        sure = [card for card in options if unseen_above(turn, card) == 0]
        return [max(sure, key=worth) if sure else min(options, key=worth)]
    winning = winners(turn)
    losing = [card for card in options if card not in winning]
    if winning:
        # The last to play wins with a card worth having; before that only the strongest is safe.
        safest = worth if seats_behind(turn) == 0 else lambda card: strength(card, "", trump)
        best = max(winning, key=safest)
        stake = prize(best, trump) + sum(prize(card, trump) for _, card in view.trick)
        if stake >= 6 or not losing:
            return [best]
    return [min(losing, key=worth)]


# Cancellation Hearts


def penalty(card: str) -> int:
    """Return what taking this card costs."""
    return 13 if card == "QS" else 1 if card[1] == "H" else 0


def burden(card: str) -> int:
    """Say how gladly we lose a card: Black Maria, then what she is caught with, then high cards."""
    special = {"QS": 100, "AS": 20, "KS": 20}
    return HEIGHT[card] + special.get(card, 3 if card[1] == "H" else 0)


def pass_hearts(turn: Message) -> list[object]:
    """Pass the cards that burden us most."""
    return sorted(turn.decision.options, key=burden)[-turn.decision.min :]


def play_hearts(turn: Message) -> list[object]:
    """Stay under the winning card, and lose what burdens us most when it costs nothing."""
    view, options = turn.view, turn.decision.options
    if not view.trick:
        return [min(options, key=burden)]
    cards = [card for _, card in view.trick]
    led = cards[0][1]
    clean = [card for card in options if not penalty(card)]
    harmless = not view.set_aside and not any(map(penalty, cards))
    if clean and harmless and seats_behind(turn) <= turn.nerve:
        return [max(clean, key=burden)]
    # Only a card that lies there once can win, for identical cards cancel each other.
    live = [HEIGHT[card] for card in cards if card[1] == led and cards.count(card) == 1]
    best = max(live, default=-1)
    losing = [c for c in options if c[1] != led or c in cards or HEIGHT[c] < best]
    if losing:
        return [max(losing, key=burden)]
    return [min(options, key=burden)]


def shoot_hearts(turn: Message) -> list[object]:
    """Add to the others' scores where that leaves ours the lowest; otherwise subtract."""
    scores = turn.view.scores
    lowest_other = min(score for seat, score in enumerate(scores) if seat != turn.me)
    return ["add" if scores[turn.me] < lowest_other + 26 else "subtract"]


# I Doubt It

NAMED = RANKS[::-1]


def turns_until_due(turn: Message, card: str) -> int:
    """Count our turns until this card's rank must be named: 0 is now."""
    seats, due = len(turn.view.counts), NAMED.index(turn.view.rank)
    return next(k for k in range(13) if NAMED[(due + k * seats) % 13] == card[0])


def discard(turn: Message) -> list[object]:
    """Play every card of the rank due, or bluff with what could be played truly last of all."""
    cards = sorted(turn.view.cards, key=lambda card: turns_until_due(turn, card))
    true = [card for card in cards if card[0] == turn.view.rank]
    bluff = 2 if turn.nerve > 0 and len(cards) > 2 else 1
    return true or cards[-bluff:]


def doubt(turn: Message) -> list[object]:
    """Doubt what cannot be true, and what is most unlikely from so small a hand."""
    view = turn.view
    claim = view.discard
    packs = (sum(view.counts) + view.pile) // 52
    ours = view.cards + view.own_pile
    elsewhere = 4 * packs - sum(card[0] == claim.rank for card in ours)
    if claim.count > elsewhere:
        return [True]
    held = view.counts[claim.seat] + claim.count
    expected = held * elsewhere / (52 * packs - len(ours))
    return [expected < 0.1 * (1 + turn.nerve) * claim.count]


POLICIES = {
    ("oh_hell", "bid"): bid_oh_hell,
    ("oh_hell", "play"): play_oh_hell,
    ("pitch", "bid"): bid_pitch,
    ("pitch", "play"): play_pitch,
    ("cancellation_hearts", "pass"): pass_hearts,
    ("cancellation_hearts", "play"): play_hearts,
    ("cancellation_hearts", "moon"): shoot_hearts,
    ("i_doubt_it", "discard"): discard,
    ("i_doubt_it", "doubt"): doubt,
}


def first_options(turn: Message) -> list[object]:
    """Choose as the referee would for us: legal in any game, even one that we do not know."""
    return list(turn.decision.options[: turn.decision.min])


def parse(line: str) -> Message:
    """Read a line that the referee sent."""
    message: Message = json.loads(line, object_hook=lambda keys: Message(**keys))
    return message


def send(answer: dict[str, object]) -> None:
    """Write a line to the referee at once: an answer left in a buffer is never given."""
    print(json.dumps(answer), flush=True)


def main() -> None:
    """Answer the referee until it has no more to say."""
    style = sys.argv[sys.argv.index("--style") + 1] if "--style" in sys.argv else "plain"
    game = Message()
    for line in sys.stdin:
        message = parse(line)
        if message.type == "hello":
            send({"type": "ready", "name": "greedy" if style == "plain" else style})
        elif message.type == "start":
            game = message
        elif message.type == "turn":
            message.me, message.nerve = game.seat, STYLES[style]
            policy = POLICIES.get((game.game, message.decision.kind), first_options)
            send({"id": message.id, "choose": policy(message)})


if __name__ == "__main__":
    main()
