"""Oh Hell: every rule and option by its number."""

import random
from itertools import product
from typing import Any

import msgspec
import pytest

from referee.cards import (
    CARDS,
    SUITS,
    names,
    parse_cards,
    shuffle_of,
    sorted_names,
)
from referee.games.game import Choice, Outcome, RulesError
from referee.games.oh_hell import (
    LARGEST_HAND,
    OhHell,
    OhHellRules,
    OhHellState,
    allowed_cards,
    bid_options,
    hand_sizes,
    points,
)
from referee.games.tricks import Trick
from tests.games.cases import choose

GAME = OhHell()


def start(seats: int = 4, **options: object) -> OhHellState:
    return GAME.start(seats, GAME.rules(options, seats), shuffle_of(bytes(32)))


def hand_of(state: OhHellState, hands: list[str], turned: str | None, dealer: int) -> OhHellState:
    """Begin a hand with these cards, each seat's as one text."""
    state.dealer = dealer
    cards = [sorted(parse_cards(hand.split())) for hand in hands]
    state.begin_hand(cards, None if turned is None else CARDS[turned])
    return state


def bid_all(state: OhHellState, *bids: int) -> list[Any]:
    return [event for bid in bids for event in choose(state, bid)]


@pytest.mark.parametrize(("seats", "hands"), [(3, 15), (4, 13), (5, 10), (6, 8), (7, 7)])
def test_oh_hell_r1_hand_h_deals_h_cards_up_to_the_largest(seats: int, hands: int) -> None:
    assert hand_sizes(seats, OhHellRules()) == list(range(1, hands + 1))


def test_oh_hell_r2_the_card_after_the_deal_is_turned_and_makes_trump() -> None:
    state = start()
    pack = shuffle_of(bytes(32))(1, 1)
    assert state.turned == sorted_names([pack[4]])[0]
    assert state.trump_name == state.turned[1]


def test_oh_hell_r3_the_last_hand_is_the_largest_and_has_no_trump() -> None:
    state = start(7)
    state.hand = 6
    told = state._deal()
    event: Any = told[0][1]
    assert (event.hand, event.cards, event.trump, event.turned) == (7, 7, None, None)


def test_oh_hell_r4_the_dealers_left_bids_first_the_dealer_last_from_0_to_the_cards() -> None:
    state = hand_of(start(3), ["2C 3C", "4C 5C", "6C 7C"], "2H", dealer=1)
    order = []
    while next(iter(state.decisions.values())).kind == "bid":
        ((seat, decision),) = state.decisions.items()
        assert list(decision.options) == [0, 1, 2]
        order.append(seat)
        choose(state, 0)
    assert order == [2, 0, 1]


def test_oh_hell_r5_the_dealers_left_leads_and_suit_is_followed() -> None:
    state = hand_of(start(3), ["2C 3D", "4C 5H", "6C 7C"], "2H", dealer=2)
    bid_all(state, 0, 0, 0)
    assert list(state.decisions) == [0]
    choose(state, "2C")
    assert state.decisions[1].options == ["4C"]
    choose(state, "4C")
    assert state.decisions[2].options == ["6C", "7C"]


def test_oh_hell_r5_who_cannot_follow_may_play_anything() -> None:
    assert allowed_cards(parse_cards(["3D", "5H"]), [CARDS["2C"]], 2, OhHellRules()) == parse_cards(
        ["3D", "5H"]
    )


@pytest.mark.parametrize(
    ("cards", "turned", "winner"),
    [
        (["KD", "2C", "AD", "5C"], "3C", 3),
        (["KD", "2C", "AD", "5S"], "2H", 2),
        (["KD", "2C", "QD", "AS"], None, 0),
        (["3H", "2C", "QH", "AC"], "4C", 3),
    ],
)
def test_oh_hell_r6_the_highest_trump_wins_else_the_highest_of_the_suit_led(
    cards: list[str], turned: str | None, winner: int
) -> None:
    state = hand_of(start(4), cards, turned, dealer=3)
    bid_all(state, 0, 0, 0, 0)
    told = [event for card in cards for event in choose(state, card)]
    assert [event.winner for event in told if isinstance(event, Trick)] == [winner]


@pytest.mark.parametrize(("bid", "taken", "won"), [(4, 4, 14), (0, 0, 10), (3, 4, 0), (1, 0, 0)])
def test_oh_hell_r7_exactly_the_bid_scores_10_and_the_bid(bid: int, taken: int, won: int) -> None:
    assert points(7, bid, taken, OhHellRules()) == won


def test_oh_hell_r8_the_highest_total_after_the_last_hand_wins() -> None:
    state = start(3)
    state.scores = [50, 61, 40]
    state.hand = len(state.sizes) - 1
    hand_of(state, ["AC", "2C", "3C"], None, dealer=2)
    bid_all(state, 1, 1, 1)
    assert state.outcome is None
    for card in ("AC", "2C", "3C"):
        choose(state, card)
    assert state.outcome == Outcome([61, 61, 40], [1, 1, 3])
    assert not GAME.lowest_wins


@pytest.mark.parametrize(
    ("hands", "sizes"),
    [
        ("down", [7, 6, 5, 4, 3, 2, 1]),
        ("up_down", [1, 2, 3, 4, 5, 6, 7, 6, 5, 4, 3, 2, 1]),
        ("down_up", [7, 6, 5, 4, 3, 2, 1, 2, 3, 4, 5, 6, 7]),
    ],
)
def test_oh_hell_d1_the_turning_hand_is_played_once(hands: Any, sizes: list[int]) -> None:
    assert hand_sizes(7, OhHellRules(hands=hands)) == sizes


@pytest.mark.parametrize("hands", ["up", "down", "up_down", "down_up"])
def test_oh_hell_d2_every_largest_hand_is_without_trump_and_no_other(hands: str) -> None:
    for size, trump in trumps(6, hands):
        assert (trump is None) == (size == 8)


def trumps(seats: int, order: str) -> list[tuple[int, str | None]]:
    """Deal a game's hands one after another: each one's size and trump."""
    state = start(seats, hands=order)
    found = [(state.size, state.trump_name)]
    while state.hand < len(state.sizes):
        state._deal()
        found.append((state.size, state.trump_name))
    return found


def test_oh_hell_d3_the_largest_hand_is_r1s_in_every_order() -> None:
    for order, seats in product(["up", "down", "up_down", "down_up"], LARGEST_HAND):
        assert max(hand_sizes(seats, OhHellRules(hands=order))) == LARGEST_HAND[seats]  # type: ignore[arg-type]


def test_oh_hell_d4_the_hook_bars_the_last_bidder_from_one_number_in_every_hand() -> None:
    hook = OhHellRules(hook=True)
    assert bid_options(1, 1, 0, hook) == [0]
    assert bid_options(1, 1, 1, hook) == [1]
    assert bid_options(5, 1, 3, hook) == [0, 1, 3, 4, 5]
    assert bid_options(5, 1, 7, hook) == [0, 1, 2, 3, 4, 5]
    assert bid_options(5, 2, 3, hook) == [0, 1, 2, 3, 4, 5]


def test_oh_hell_d5_must_trump_binds_only_who_cannot_follow_and_holds_a_trump() -> None:
    must = OhHellRules(must_trump=True)
    hand = parse_cards(["2C", "9C", "AH", "9S"])
    led_diamonds, clubs = [CARDS["5D"]], SUITS.index("C")
    assert allowed_cards(hand, led_diamonds, clubs, must) == hand[:2]
    assert allowed_cards(hand, [CARDS["5H"]], clubs, must) == hand[2:3]
    assert allowed_cards(hand, led_diamonds, SUITS.index("D"), must) == hand
    assert allowed_cards(hand, led_diamonds, None, must) == hand
    assert allowed_cards(hand, [], clubs, must) == hand


def test_oh_hell_d6_missed_and_zero_bid_combine() -> None:
    both = OhHellRules(missed="tricks", zero_bid="five_plus_hand")
    assert points(7, 0, 0, both) == 12
    assert points(3, 0, 0, both) == 8
    assert points(7, 0, 2, both) == 2
    assert points(7, 3, 4, both) == 4


def test_oh_hell_d7_the_winner_of_a_trick_leads_to_the_next() -> None:
    state = hand_of(start(3), ["2C 3D", "9C 5H", "6C 7C"], "2H", dealer=2)
    bid_all(state, 0, 0, 0)
    told = [event for card in ("2C", "9C", "6C") for event in choose(state, card)]
    assert told[-1] == Trick(1, ["2C", "9C", "6C"])
    assert list(state.decisions) == [1]


def test_oh_hell_d7_the_turned_card_is_out_of_play() -> None:
    state = start(3)
    for _ in range(3):
        assert state.turned is not None
        assert CARDS[state.turned] not in {card for hand in state.hands for card in hand}
        state._deal()


def test_oh_hell_bidding_simultaneous_asks_all_at_once_and_shows_the_bids_together() -> None:
    state = start(3, bidding="simultaneous")
    assert list(state.decisions) == [0, 1, 2]
    ((to, event),) = state.apply({seat: Choice([seat % 2]) for seat in range(3)})
    assert to is None
    assert event.bids == [0, 1, 0]  # type: ignore[attr-defined]


def test_oh_hell_hook_and_simultaneous_bidding_exclude_each_other() -> None:
    with pytest.raises(RulesError, match="hook = true and bidding = 'simultaneous' exclude"):
        GAME.rules({"hook": True, "bidding": "simultaneous"}, 4)


def test_oh_hell_view_holds_the_hand_as_the_seat_knows_it() -> None:
    state = hand_of(start(3), ["2C 3D", "9C 5H", "6C 7C"], "2H", dealer=2)
    bid_all(state, 0, 2)
    assert json_of(state, 2)["bids"] == [0, 2, None]
    bid_all(state, 1)
    for card in ("2C", "9C", "6C", "5H"):
        choose(state, card)
    assert json_of(state, 2) == {
        "hand": 2,
        "hands": 15,
        "dealer": 2,
        "trump": "H",
        "turned": "2H",
        "cards": ["7C"],
        "bids": [0, 2, 1],
        "tricks": [0, 1, 0],
        "trick": [[1, "5H"]],
        "played": [[[0, "2C"], [1, "9C"], [2, "6C"]]],
        "scores": [0, 0, 0],
    }


def json_of(state: OhHellState, seat: int) -> Any:
    return msgspec.json.decode(msgspec.json.encode(state.view(seat)))


def test_the_names_of_a_hand_are_those_of_its_cards_throughout() -> None:
    rng = random.Random(1)
    state = start(5, hands="up_down")
    while state.decisions:
        assert state.hand_names == [names(hand) for hand in state.hands]
        ((_, decision),) = state.decisions.items()
        choose(state, rng.choice(decision.options))
