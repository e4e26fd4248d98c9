"""Oh Hell: the worked cases, and whole games at random in all options."""

import random
from itertools import product
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from referee.cards import (
    CARDS,
    NAMES,
    SUITS,
    deal_seed,
    names,
    parse_cards,
    seed_secret,
    shuffle_of,
)
from referee.games.game import Choice, Dealt, Option, Outcome, RulesError, ranks
from referee.games.oh_hell import (
    Hand,
    OhHell,
    OhHellRules,
    OhHellState,
    Scored,
    hand_sizes,
    points,
)
from tests.games.cases import Case, cases, choose

GAME = OhHell()


def rules_of(case: Case) -> OhHellRules:
    rules = GAME.rules(case.get("rules", {}), case.get("seats", 4))
    assert isinstance(rules, OhHellRules)
    return rules


def begin(case: Case, hands: list[list[str]]) -> OhHellState:
    state = OhHellState(case["seats"], rules_of(case), shuffle_of(bytes(32)))
    state.dealer = case["dealer"]
    turned = case.get("turned")
    if turned is None and case.get("trump"):
        turned = f"2{case['trump']}"
    cards = [sorted(parse_cards(hand)) for hand in hands]
    state.begin_hand(cards, None if turned is None else CARDS[turned])
    return state


def play_all(state: OhHellState, *options: Option) -> list[Any]:
    """Let seat after seat choose these: all that is told."""
    return [event for option in options for event in choose(state, option)]


def play_highest(state: OhHellState) -> list[Any]:
    (decision,) = state.decisions.values()
    return choose(state, decision.options[-1])


@pytest.mark.parametrize("case", cases("oh_hell", "legal"))
def test_legal(case: Case) -> None:
    """The seats before hold nothing but the cards of the trick."""
    trick = case["trick"]
    seats = max(3, len(trick) + 1)
    hands = [[card] for card in trick] + [case["hand"]] * (seats - len(trick))
    state = begin(case | {"seats": seats, "dealer": seats - 1}, hands)
    play_all(state, *[0] * seats, *trick)
    assert list(state.decisions[len(trick)].options) == case["expect"]["options"]


@pytest.mark.parametrize("case", cases("oh_hell", "trick"))
def test_trick(case: Case) -> None:
    """Every seat holds its card of the trick and another of the same suit, to play on with."""
    plays = sorted(case["plays"])
    unused = [card for card in NAMES if card not in [played for _, played in plays]]
    hands = [[card, next(name for name in unused if name[1] == card[1])] for _, card in plays]
    seats = len(plays)
    state = begin(case | {"seats": seats, "dealer": (case["plays"][0][0] - 1) % seats}, hands)
    told = play_all(state, *[0] * seats, *[card for _, card in case["plays"]])
    assert told[-1].winner == case["expect"]["winner"]
    assert list(state.decisions) == [case["expect"]["next_leader"]]


@pytest.mark.parametrize("case", cases("oh_hell", "auction"))
def test_auction(case: Case) -> None:
    hands = [[f"{rank}{suit}" for rank in "23456789TJQKA"] for suit in SUITS]
    state = begin(case, [hand[: case["cards"]] for hand in hands[: case["seats"]]])
    for bid in case["bids"]:
        choose(state, bid)
    ((seat, decision),) = state.decisions.items()
    assert (seat, list(decision.options)) == (case["expect"]["seat"], case["expect"]["options"])


@pytest.mark.parametrize("case", cases("oh_hell", "scoring"))
def test_scoring(case: Case) -> None:
    """Seat 0 wins with each of its spades, then loses a club to seat 1, which keeps the lead."""
    cards, tricks = case["cards"], case["tricks"]
    ranks_up = "23456789TJQKA"
    hands = [
        [f"{rank}C" for rank in ranks_up[: cards - tricks]]
        + [f"{rank}S" for rank in ranks_up[:tricks]],
        ["AC"] + [f"{rank}H" for rank in ranks_up[: cards - 1]],
        [f"{rank}D" for rank in ranks_up[:cards]],
    ]
    state = begin(case | {"seats": 3, "dealer": 2}, hands)
    told = play_all(state, case["bid"], 0, 0)
    while not isinstance(told[-1], Scored):
        told += [event for event in play_highest(state) if not isinstance(event, (Hand, Dealt))]
    assert told[-1].tricks[0] == tricks
    assert told[-1].points[0] == case["expect"]["points"]


@pytest.mark.parametrize("case", cases("oh_hell", "hand"))
def test_hand(case: Case) -> None:
    """A whole hand: every option offered, every winner, the tricks and the points."""
    state = begin(case, case["hands"])
    expect = case["expect"]
    leader = (case["dealer"] + 1) % case["seats"]
    told: list[Any] = []
    for place in range(case["seats"]):
        seat = (leader + place) % case["seats"]
        if "dealer_options" in expect and seat == case["dealer"]:
            assert list(state.decisions[seat].options) == expect["dealer_options"]
        told += choose(state, case["bids"][seat])
    winners = []
    for number, trick in enumerate(case["plays"]):
        for place, (seat, card) in enumerate(trick):
            assert list(state.decisions) == [seat]
            if "legal" in expect:
                assert list(state.decisions[seat].options) == expect["legal"][number][place]
            told = choose(state, card)
        winners.append(next(event.winner for event in told if hasattr(event, "winner")))
    assert winners == expect.get("winners", winners)
    (scored,) = [event for event in told if isinstance(event, Scored)]
    assert scored.tricks == expect.get("tricks", scored.tricks)
    assert scored.points == expect["points"]


@pytest.mark.parametrize("case", cases("oh_hell", "game_end"))
def test_game_end(case: Case) -> None:
    """In the last hand seat 0 wins a trick that it did not bid, the others win none that they did.

    So nobody scores, and the totals before are the final ones.
    """
    state = OhHellState(case["seats"], rules_of(case), shuffle_of(bytes(32)))
    state.scores = list(case["totals"])
    state.hand = len(state.sizes) - 1
    state.dealer = case["seats"] - 1
    state.begin_hand([[CARDS[name]] for name in ("AC", "2C", "3C")], None)
    play_all(state, 0, 1, 1, "AC", "2C", "3C")
    assert not state.decisions
    assert state.outcome == Outcome(case["totals"], case["expect"]["ranks"])


@pytest.mark.parametrize("case", cases("oh_hell", "deal"))
def test_deal(case: Case) -> None:
    secret = (
        seed_secret(case["seed_text"]) if "seed_text" in case else bytes.fromhex(case["secret"])
    )
    seed = deal_seed(secret, "oh_hell", case["seats"], case["deal"])
    state = OhHellState(case["seats"], OhHellRules(), shuffle_of(seed))
    while state.hand < case["hand"]:
        state._deal()
    expect = case["expect"]
    assert seed.hex() == expect["seed"]
    assert (state.dealer, state.turned) == (expect["dealer"], expect["turned"])
    assert [names(hand) for hand in state.hands] == expect["hands"]


@pytest.mark.parametrize("case", cases("oh_hell", "schedule"))
def test_schedule(case: Case) -> None:
    state = OhHellState(case["seats"], rules_of(case), shuffle_of(bytes(32)))
    dealers, trumpless, left = [], [], []
    while True:
        dealers.append(state.dealer)
        left.append(52 - state.size * case["seats"])
        if state.trump is None:
            trumpless.append(state.hand)
        if state.hand == len(state.sizes):
            break
        state._deal()
    expect = case["expect"]
    assert hand_sizes(case["seats"], rules_of(case)) == expect["cards"]
    assert len(state.sizes) == expect["hands"]
    assert (dealers, trumpless, left) == (
        expect["dealers"],
        expect["trumpless"],
        expect["not_dealt"],
    )


@pytest.mark.parametrize("case", cases("oh_hell", "options"))
def test_options(case: Case) -> None:
    if case["expect"]["accepted"]:
        rules_of(case)
        return
    with pytest.raises(RulesError):
        rules_of(case)


OPTIONS = [
    dict(zip(("hands", "hook", "bidding", "must_trump", "missed", "zero_bid"), each, strict=True))
    for each in product(
        ["up", "down", "up_down", "down_up"],
        [False, True],
        ["in_turn", "simultaneous"],
        [False, True],
        ["nothing", "tricks"],
        ["ten", "five_plus_hand"],
    )
    if not (each[1] and each[2] == "simultaneous")
]


@settings(max_examples=40, deadline=None)
@given(st.sampled_from(GAME.seats), st.sampled_from(OPTIONS), st.integers(0, 2**32))
def test_random_games_conserve_cards_and_points(
    seats: int, options: dict[str, object], seed: int
) -> None:
    rng = random.Random(seed)
    rules = GAME.rules(options, seats)
    assert isinstance(rules, OhHellRules)
    state = GAME.start(seats, rules, shuffle_of(seed.to_bytes(32, "big")))
    hands = 0
    totals = [0] * seats
    while state.decisions:
        held = [card for hand in state.hands for card in hand]
        assert len(held) == len(set(held))
        assert len(held) + len(state.trick) + seats * len(state.played) == seats * state.size
        choices = {}
        for seat, decision in state.decisions.items():
            assert all(decision.objection([option]) is None for option in decision.options)
            choices[seat] = Choice([rng.choice(list(decision.options))])
        size = state.size
        for _, event in state.apply(choices):
            if isinstance(event, Scored):
                hands += 1
                assert sum(event.tricks) == size
                assert event.points == [
                    points(size, bid, taken, rules)
                    for bid, taken in zip(event.bids, event.tricks, strict=True)
                ]
                totals = [a + b for a, b in zip(totals, event.points, strict=True)]
                assert event.totals == totals
                assert not (rules.hook and sum(event.bids) == size)
    assert hands == len(hand_sizes(seats, rules))
    assert state.outcome is not None
    assert state.outcome.scores == totals
    assert state.outcome.ranks == ranks(totals)
