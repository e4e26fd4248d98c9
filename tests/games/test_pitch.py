"""Pitch, rule by rule; the worked cases; whole games at random."""

import copy
import json
import random
import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from typing import Any, TypeVar

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from referee.cards import (
    RANKS,
    deal_seed,
    names,
    parse_cards,
    seed_secret,
    shuffle_of,
    sorted_names,
)
from referee.games import pitch
from referee.games.game import Dealt, Event, Option, RulesError
from referee.games.pitch import Pitch, PitchState, Won
from referee.games.tricks import Played, Trick
from tests.games.cases import CASES, Case, cases, choose

GAME = Pitch()
CARD_POINTS = {"T": 10, "A": 4, "K": 3, "Q": 2, "J": 1}

flat = chain.from_iterable

E = TypeVar("E", bound=Event)


def start(seats: int, seed: bytes = bytes(32), **options: Any) -> PitchState:
    return GAME.start(seats, GAME.rules(options, seats), shuffle_of(seed))


def set_up(
    hands: Sequence[str], *, dealer: int = -1, scores: Sequence[int] = (), **options: Any
) -> PitchState:
    """Begin the first hand with these cards (``"AS 4C"``, by seat); by default the last deals."""
    seats = len(hands)
    state = start(seats, **options)
    state.hand = 0
    state.dealer = dealer % seats
    state.scores = list(scores) or [0] * seats
    state.begin_hand([sorted(parse_cards(hand.split())) for hand in hands])
    return state


def to_decide(state: PitchState) -> int:
    (seat,) = state.decisions
    return seat


def offered(state: PitchState) -> list[Option]:
    (decision,) = state.decisions.values()
    return list(decision.options)


def bid(state: PitchState, *bids: Option) -> list[Event]:
    return [event for made in bids for event in choose(state, made)]


def play(state: PitchState, *tricks: str) -> list[Event]:
    """Play these cards in turn (``"AS 4C"``), a string a trick."""
    return [event for trick in tricks for card in trick.split() for event in choose(state, card)]


def after_bids(seats: int, bids: Sequence[Option], **situation: Any) -> PitchState:
    """Begin a hand in which the cards do not matter, with these bids from the dealer's left."""
    hands = ["2C 2D", "3C 3D", "4C 4D", "5C 5D", "6C 6D", "7C 7D", "8C 8D"]
    state = set_up(hands[:seats], **situation)
    bid(state, *bids)
    return state


def end_hand(
    state: PitchState, high: int, low: int, jack: int | None, game: int | None
) -> list[Event]:
    """End the hand with these seats as the winners of its points."""
    return [event for _, event in state.score_hand(Won(high, low, jack, game), [0] * state.seats)]


def of_type(events: Iterable[Event], kind: type[E]) -> list[E]:
    return [event for event in events if isinstance(event, kind)]


def scored(events: Iterable[Event]) -> pitch.Scored:
    (event,) = of_type(events, pitch.Scored)
    return event


# Dealing


def test_pitch_r1_deals_three_at_a_time_from_the_dealers_left() -> None:
    """The dealer's left gets the first three cards, and three more after the dealer's."""
    state = GAME.start(3, GAME.rules({}, 3), lambda _hand, _packs: list(range(52)))
    assert [names(hand) for hand in state.hands] == [
        ["2C", "3C", "4C", "JC", "QC", "KC"],
        ["5C", "6C", "7C", "AC", "2D", "3D"],
        ["8C", "9C", "TC", "4D", "5D", "6D"],
    ]


@pytest.mark.parametrize("seats", Pitch.seats)
def test_pitch_r1_deals_six_cards_to_each(seats: int) -> None:
    """Every seat hears of six cards of its own, and of nobody else's; all hear of the hand."""
    state = start(seats)
    (to_all, hand), *dealt = state.opening
    assert to_all is None
    assert hand == pitch.Hand(1, seats - 1)
    assert [to for to, _ in dealt] == [(seat,) for seat in range(seats)]
    held = [event.cards for event in of_type((event for _, event in dealt), Dealt)]
    assert held == [names(hand) for hand in state.hands]
    assert [len(cards) for cards in held] == [6] * seats
    assert len(set().union(*held)) == 6 * seats


# Bidding


def test_pitch_r2_each_seat_bids_once_from_the_dealers_left() -> None:
    """With seat 1 as the dealer, seats 2, 3, 0 and 1 bid, and then the bidding is over."""
    state = after_bids(4, [], dealer=1)
    assert to_decide(state) == 2
    assert bid(state, "pass") == [pitch.Bid(2, "pass")]
    assert to_decide(state) == 3
    assert bid(state, 1) == [pitch.Bid(3, 1)]
    assert to_decide(state) == 0
    assert bid(state, "pass") == [pitch.Bid(0, "pass")]
    assert to_decide(state) == 1
    assert bid(state, 3) == [pitch.Bid(1, 3), pitch.Pitcher(1, 3)]
    assert state.decisions[1].kind == "play"


def test_pitch_r2_the_first_seat_may_pass_or_bid_1_to_4() -> None:
    """Nothing is barred before anybody has bid."""
    assert offered(after_bids(4, [])) == ["pass", 1, 2, 3, 4]


@pytest.mark.parametrize("steal", [True, False])
@pytest.mark.parametrize("seats", Pitch.seats)
def test_pitch_r3_the_dealer_must_bid_at_least_2_where_all_others_pass(
    seats: int, steal: bool
) -> None:
    """The dealer has no pass then, whether it may steal or not."""
    state = after_bids(seats, ["pass"] * (seats - 1), steal=steal)
    assert offered(state) == [2, 3, 4]
    assert bid(state, 2)[-1] == pitch.Pitcher(seats - 1, 2)


@pytest.mark.parametrize(
    ("highest", "options"),
    [(1, ["pass", 1, 2, 3, 4]), (2, ["pass", 2, 3, 4]), (3, ["pass", 3, 4])],
)
def test_pitch_r3_the_dealer_may_steal_the_bid_by_matching_it(
    highest: int, options: list[Option]
) -> None:
    """Whatever was bid but 4, the dealer may match it and is then the pitcher."""
    state = after_bids(4, ["pass", highest, "pass"])
    assert offered(state) == options
    assert bid(state, highest) == [pitch.Bid(3, highest), pitch.Pitcher(3, highest)]


def test_pitch_r3_a_dealer_who_passes_leaves_the_bid_to_the_highest() -> None:
    """The highest bid stands, which is the last that was made."""
    state = after_bids(4, [1, 2, "pass"])
    assert bid(state, "pass") == [pitch.Bid(3, "pass"), pitch.Pitcher(1, 2)]


@pytest.mark.parametrize(
    ("before", "options"),
    [([1], ["pass", 2, 3, 4]), ([2, "pass"], ["pass", 3, 4]), (["pass", 3], ["pass", 4])],
)
def test_pitch_d1_a_bid_must_be_higher_than_those_before_it(
    before: list[Option], options: list[Option]
) -> None:
    """Only the dealer may match a bid; the options are the pass and then the numbers."""
    assert offered(after_bids(4, before)) == options


@pytest.mark.parametrize("before", [[], [3], ["pass", "pass", "pass"], [1, 2, 3]])
def test_pitch_d2_a_bid_of_4_ends_the_bidding(before: list[Option]) -> None:
    """No bid follows a 4, and the seats that were not asked have none."""
    state = after_bids(4, before)
    seat = len(before)
    assert bid(state, 4) == [pitch.Bid(seat, 4), pitch.Pitcher(seat, 4)]
    assert state.decisions[seat].kind == "play"
    assert state.view(seat).bids == [*before, 4, None, None, None][:4]


def test_pitch_d5a_a_bid_of_4_by_laying_a_card_down_is_the_bid_and_then_that_lead() -> None:
    """The bid's options hold no cards; the next decision is the same seat's lead of any card."""
    state = set_up(["2C 3D", "4H AS", "5C 5D"])
    bid(state, "pass")
    assert offered(state) == ["pass", 1, 2, 3, 4]
    bid(state, 4)
    assert to_decide(state) == 1
    assert offered(state) == ["4H", "AS"]


# The play


def test_pitch_r4_the_pitcher_leads_and_names_trump() -> None:
    """The suit of the first lead is trump, told after the card; later leads name none."""
    state = set_up(["2H 3C", "AS 4C", "9H 5C"])
    bid(state, "pass", 2, "pass")
    assert to_decide(state) == 1
    assert state.view(1).trump is None
    assert play(state, "AS") == [Played(1, "AS"), pitch.Trump("S")]
    assert state.view(2).trump == "S"
    later = play(state, "9H 2H", "4C")
    assert of_type(later, pitch.Trump) == []
    assert state.view(2).trump == "S"


def after_a_trump_trick(
    held: Sequence[Sequence[str]], trump: str = "S", leader: int = 0
) -> PitchState:
    """Name trump in a first trick that the leader wins; the seats then hold these cards."""
    seats = len(held)
    spare = (card for rank in reversed(RANKS) if (card := rank + trump) not in {*flat(held)})
    trumps = {(leader + i) % seats: next(spare) for i in range(seats)}
    hands = [" ".join([trumps[seat], *cards]) for seat, cards in enumerate(held)]
    state = set_up(hands, dealer=leader - 1)
    bid(state, 4)
    play(state, *trumps.values())
    assert to_decide(state) == leader
    return state


def allowed(hand: str, trick: str, trump: str = "S") -> list[Option]:
    """Return what the seat with this hand may play to the trick."""
    cards = [[card] for card in trick.split()]
    state = after_a_trump_trick([*cards, hand.split()], trump)
    play(state, trick)
    return offered(state)


def test_pitch_r5_who_can_follow_follows_or_trumps() -> None:
    """A seat that holds the suit led may play it or a trump, and nothing else."""
    assert allowed("4C KD 9H 2S", "5D") == ["KD", "2S"]
    assert allowed("4C 7D KD 9H", "5D") == ["7D", "KD"]


def test_pitch_r5_where_trump_is_led_trump_must_be_played() -> None:
    """To follow and to trump are then the same."""
    assert allowed("4C KD 2S 9S", "5S") == ["2S", "9S"]


def test_pitch_r5_who_cannot_follow_plays_any_card() -> None:
    """A seat without the suit led need not trump."""
    assert allowed("4C 9H 2S", "5D") == ["4C", "9H", "2S"]
    assert allowed("4C 9H 2D", "5S") == ["4C", "2D", "9H"]


def test_pitch_r5_it_is_the_suit_led_that_is_followed() -> None:
    """A trump on the trick changes nothing for the next seat."""
    assert allowed("4C KD 9H 2S", "5D 3S") == ["KD", "2S"]


def test_pitch_r5_any_card_may_be_led() -> None:
    """The winner of a trick leads what it likes, trump or not."""
    assert offered(after_a_trump_trick([["4C", "9H", "2S"], ["5D"]])) == ["4C", "9H", "2S"]


@pytest.mark.parametrize(
    ("cards", "winner"),
    [
        ("AD KD 3S 2S", 2),  # the highest trump
        ("9D KD AH AC", 1),  # with no trump, the highest of the suit led
        ("2D AH AC KH", 0),  # however high the others are
    ],
)
def test_pitch_r6_the_highest_trump_or_else_of_the_suit_led_wins_and_leads(
    cards: str, winner: int
) -> None:
    """The trick is told with its cards in play order, and its winner is the next to lead."""
    rest = ["4S", "5S", "6S", "7S"]
    state = after_a_trump_trick(list(zip(cards.split(), rest, strict=True)))
    (trick,) = of_type(play(state, cards), Trick)
    assert trick == Trick(winner, cards.split())
    assert to_decide(state) == winner


# The points of a hand

A_POINT_EACH = ["9S 2C 3H TD", "AS 3C 4H 3D", "8S JS 5H 4D", "7S 2S 4C 2D"]
"""Seat 1 wins the ace, 2 and 3 trump in with the jack and the two, 0 wins the ten of diamonds."""
A_POINT_EACH_TRICKS = ["9S AS 8S 7S", "3C JS 4C 2C", "5H 2S 3H 4H", "2D TD 3D 4D"]


def test_pitch_r7_high_low_jack_and_game_are_a_point_each() -> None:
    """Here four seats win one each."""
    state = set_up(A_POINT_EACH)
    bid(state, 2, "pass", "pass", "pass")
    event = scored(play(state, *A_POINT_EACH_TRICKS))
    assert (event.high, event.low, event.jack, event.game) == (1, 3, 2, 0)
    assert event.card_points == [10, 4, 1, 0]
    assert event.points == [1, 1, 1, 1]


@pytest.mark.parametrize("rank", RANKS)
def test_pitch_r7_card_points_of_each_rank(rank: str) -> None:
    """Each ten counts 10, ace 4, king 3, queen 2, jack 1, and the others nothing."""
    state = set_up(["3S", f"{rank}H"])
    bid(state, 4)
    assert scored(play(state, f"3S {rank}H")).card_points == [CARD_POINTS.get(rank, 0), 0]


def test_pitch_r8_no_jack_point_where_the_jack_is_not_in_play() -> None:
    """Another suit's jack is no jack of trumps."""
    state = set_up(["AS 3S", "2S JH"])
    bid(state, 3, "pass")
    event = scored(play(state, "AS 2S", "3S JH"))
    assert event.jack is None
    assert event.points == [3, 0]


@pytest.mark.parametrize(
    ("hands", "tricks", "card_points"),
    [
        (["AS 2H", "3S AH"], ["AS 3S", "2H AH"], [4, 4]),
        (["AS 3C 5D", "2S AC 6D", "3S 2C QD"], ["AS 2S 3S", "3C AC 2C", "6D QD 5D"], [4, 4, 2]),
        (["3S", "2S"], ["3S 2S"], [0, 0]),
    ],
)
def test_pitch_r8_no_game_point_on_a_tie(
    hands: list[str], tricks: list[str], card_points: list[int]
) -> None:
    """A tie for the most card points is nobody's, even where there are none at all."""
    state = set_up(hands)
    bid(state, 4)
    event = scored(play(state, *tricks))
    assert event.card_points == card_points
    assert event.game is None
    assert sum(event.points) == 2


def test_pitch_r8_a_lone_trump_is_high_and_low() -> None:
    """The only trump in play makes two points."""
    state = set_up(["3S 2H", "5D 4H"])
    bid(state, 2, "pass")
    event = scored(play(state, "3S 5D", "2H 4H"))
    assert (event.high, event.low, event.jack, event.game) == (0, 0, None, None)
    assert event.points == [2, 0]


def test_pitch_r8_a_lone_jack_of_trumps_makes_three_points() -> None:
    """It is high, low and jack, whoever wins the game point."""
    state = set_up(["JS 2H", "5D TH"])
    bid(state, 2, "pass")
    event = scored(play(state, "JS 5D", "2H TH"))
    assert (event.high, event.low, event.jack, event.game) == (0, 0, 0, 1)
    assert event.points == [3, 1]


def test_pitch_d3_a_bid_of_4_with_the_jack_not_dealt_fails() -> None:
    """Three points are all there is."""
    state = set_up(["AS 3S", "2S TS"])
    bid(state, 4)
    event = scored(play(state, "AS TS", "3S 2S"))
    assert event.points == [3, 0]
    assert not event.made
    assert event.totals == [-4, 0]


def test_pitch_d4_high_low_and_jack_go_to_the_winner_of_their_tricks() -> None:
    """Not to the seats that were dealt them."""
    state = set_up(["AS", "JS", "2S"])
    bid(state, 4)
    event = scored(play(state, "AS JS 2S"))
    assert (event.high, event.low, event.jack) == (0, 0, 0)


# Scores, and the end of the game


def test_pitch_r9_a_pitcher_who_reaches_the_bid_scores_all_its_points() -> None:
    """More than was bid counts too, and the others score what they won."""
    state = after_bids(3, ["pass", 2, "pass"], scores=[1, 0, -3])
    event = scored(end_hand(state, 1, 2, 1, 1))
    assert event.made
    assert event.points == [0, 3, 1]
    assert event.totals == [1, 3, -2]


def test_pitch_r9_a_pitcher_may_reach_the_bid_exactly() -> None:
    """Two points make a bid of 2."""
    event = scored(end_hand(after_bids(3, ["pass", 2, "pass"]), 1, 2, 1, 0))
    assert event.made
    assert event.totals == [1, 2, 1]


def test_pitch_r9_a_pitcher_who_is_set_loses_the_bid_and_may_go_below_zero() -> None:
    """What it won is not scored, though ``points`` tells of it; the others score theirs."""
    event = scored(end_hand(after_bids(3, ["pass", 3, "pass"], scores=[0, 1, 0]), 1, 2, 1, 0))
    assert not event.made
    assert event.points == [1, 2, 1]
    assert event.totals == [1, -2, 1]


def test_pitch_r10_the_deal_passes_to_the_left() -> None:
    """After the last seat's deal seat 0 deals, and seat 1 bids first."""
    state = after_bids(4, [4])
    assert of_type(end_hand(state, 0, 0, 0, 0), pitch.Hand) == [pitch.Hand(2, 0)]
    assert state.decisions[1].kind == "bid"


def test_pitch_r10_the_pitcher_at_the_target_wins_though_another_has_more() -> None:
    """The game is over and no hand follows; a higher total elsewhere does not matter."""
    state = after_bids(3, ["pass", 2, "pass"], scores=[9, 5, 0])
    events = end_hand(state, 1, 1, 0, None)
    assert events == [scored(events)]
    assert state.decisions == {}
    assert state.outcome is not None
    assert state.outcome.scores == [10, 7, 0]
    assert state.outcome.ranks == [2, 1, 3]
    assert not state.outcome.capped


def test_pitch_r10_nobody_but_the_pitcher_wins() -> None:
    """Seats at the target that were not pitcher play on, and so does a pitcher below it."""
    state = after_bids(3, ["pass", 2, "pass"], scores=[6, 4, 9])
    end_hand(state, 1, 1, 0, None)
    assert state.scores == [7, 6, 9]
    assert state.outcome is None
    assert state.hand == 2


def test_pitch_d5_a_set_pitcher_who_still_stands_at_the_target_wins() -> None:
    """R10 is taken by its letter."""
    state = after_bids(3, ["pass", 3, "pass"], scores=[9, 10, 0])
    assert not scored(end_hand(state, 1, 1, 0, None)).made
    assert state.outcome is not None
    assert state.outcome.scores == [10, 7, 0]
    assert state.outcome.ranks == [2, 1, 3]


def test_pitch_d5_a_set_pitcher_who_falls_below_the_target_does_not_win() -> None:
    """The bid is taken off before the pitcher's total is looked at."""
    state = after_bids(3, ["pass", 3, "pass"], scores=[9, 9, 0])
    end_hand(state, 1, 1, 0, None)
    assert state.scores == [10, 6, 0]
    assert state.outcome is None


def test_pitch_d6_the_others_rank_by_score_and_ties_share() -> None:
    """One far above the winner is second all the same; equal scores share a rank."""
    state = after_bids(5, [2, "pass", "pass", "pass", "pass"], scores=[5, 3, 20, 3, -1])
    end_hand(state, 0, 0, None, None)
    assert state.outcome is not None
    assert state.outcome.ranks == [1, 3, 2, 3, 5]


def test_pitch_d6_at_the_cap_all_rank_by_score() -> None:
    """Nobody has won, seats above the target included."""
    state = after_bids(4, [2, "pass", "pass", "pass"], scores=[0, 9, 4, 9], max_hands=1)
    end_hand(state, 0, 0, None, None)
    assert state.outcome is not None
    assert state.outcome.capped
    assert state.outcome.ranks == [4, 1, 3, 1]


def test_pitch_d7_partners_points_are_counted_together() -> None:
    """High, low and jack name the seats; game, card points and points are the team's."""
    state = set_up(A_POINT_EACH, teams=True)
    bid(state, 2, "pass", "pass", "pass")
    event = scored(play(state, *A_POINT_EACH_TRICKS))
    assert (event.high, event.low, event.jack, event.game) == (1, 3, 2, 0)
    assert event.card_points == [11, 4, 11, 4]
    assert event.points == [2, 2, 2, 2]
    assert event.made
    assert event.totals == [2, 2, 2, 2]


def test_pitch_d7_game_is_the_teams_lower_seat() -> None:
    """Seat 3 takes all the card points: the game is told as seat 1's."""
    state = set_up(["2S", "3S", "4S", "TS"], teams=True)
    bid(state, 2, "pass", "pass", "pass")
    event = scored(play(state, "2S 3S 4S TS"))
    assert (event.high, event.low, event.game) == (3, 3, 1)
    assert event.card_points == [0, 10, 0, 10]


def test_pitch_d7_a_set_team_loses_the_bid_in_both_seats() -> None:
    """Both seats carry the team's score."""
    state = after_bids(4, ["pass", 4], teams=True, scores=[1, 2, 1, 2])
    event = scored(end_hand(state, 1, 3, 3, 0))
    assert event.points == [1, 3, 1, 3]
    assert event.totals == [2, -2, 2, -2]


def test_pitch_d7_the_pitchers_team_wins_as_one() -> None:
    """Both its seats rank 1 and the others 3, though the other team has more."""
    state = after_bids(4, ["pass", 2, "pass", "pass"], teams=True, scores=[9, 5, 9, 5])
    end_hand(state, 3, 3, None, None)
    assert state.outcome is not None
    assert state.outcome.scores == [9, 7, 9, 7]
    assert state.outcome.ranks == [3, 1, 3, 1]


def test_pitch_d7_a_dealer_may_steal_from_the_partner() -> None:
    """Bids are each seat's own, with teams too."""
    state = after_bids(4, ["pass", 3, "pass"], teams=True)
    assert offered(state) == ["pass", 3, 4]
    assert bid(state, 3)[-1] == pitch.Pitcher(3, 3)


# Options


@pytest.mark.parametrize("target", [1, 7, 11, 15, 21, 100])
def test_pitch_option_target_is_the_score_that_wins(target: int) -> None:
    """A pitcher wins at the target, and not a point below; the view tells the target."""
    for total, is_over in ((target, True), (target - 1, False)):
        state = after_bids(3, ["pass", 2, "pass"], scores=[0, total - 2, 0], target=target)
        assert state.view(1).target == target
        end_hand(state, 1, 1, None, None)
        assert (state.outcome is not None) == is_over


@pytest.mark.parametrize("seats", [2, 3, 5, 6, 7])
def test_pitch_option_teams_is_for_four_seats(seats: int) -> None:
    """At any other number of seats the refusal names the option and what it may be."""
    with pytest.raises(RulesError, match=f"option teams: true is for 4 seats, not {seats}"):
        GAME.rules({"teams": True}, seats)


def test_pitch_option_teams_seats_0_and_2_play_together() -> None:
    """And so do 1 and 3; without the option each plays for itself."""
    for teams, points in ((True, [3, 1, 3, 1]), (False, [1, 1, 2, 0])):
        state = after_bids(4, [2, "pass", "pass", "pass"], teams=teams)
        assert scored(end_hand(state, 0, 2, 2, 1)).points == points


def test_pitch_option_steal_false_the_dealer_must_beat_the_highest_bid() -> None:
    """The dealer bids as everyone else does."""
    assert offered(after_bids(4, [1, 2, "pass"], steal=False)) == ["pass", 3, 4]


def test_pitch_option_win_needs_made_bid_a_set_pitcher_plays_on() -> None:
    """The game goes on, though the pitcher stands at the target; a made bid wins as ever."""
    for game, is_over in ((None, False), (1, True)):
        state = after_bids(3, ["pass", 3, "pass"], scores=[9, 10, 0], win_needs_made_bid=True)
        assert scored(end_hand(state, 1, 1, 0, game)).made == is_over
        assert state.scores[1] >= 7
        assert (state.outcome is not None) == is_over


def test_pitch_option_max_hands_is_the_cap() -> None:
    """Three hands in which every pitcher fails end the game, and two do not."""
    state = start(3, max_hands=3)
    for hand in range(1, 4):
        assert state.hand == hand
        assert state.outcome is None
        bid(state, 4)
        end_hand(state, state.dealer, state.dealer, None, None)
    assert state.decisions == {}
    assert state.outcome is not None
    assert state.outcome.capped
    assert state.outcome.scores == [-4 + 2] * 3


def test_pitch_option_max_hands_a_winner_in_the_last_hand_is_a_winner() -> None:
    """The cap did not end what was over anyway."""
    state = after_bids(3, [2, "pass", "pass"], scores=[5, 8, 0], max_hands=1)
    end_hand(state, 0, 0, None, None)
    assert state.outcome is not None
    assert not state.outcome.capped
    assert state.outcome.ranks == [1, 2, 3]


@pytest.mark.parametrize(
    ("option", "value"),
    [
        ("target", 0),
        ("target", 101),
        ("target", True),
        ("target", "7"),
        ("teams", 1),
        ("steal", "no"),
        ("win_needs_made_bid", None),
        ("max_hands", 0),
        ("max_hands", 100_001),
    ],
)
def test_pitch_options_out_of_range_or_of_a_wrong_type_are_refused(
    option: str, value: object
) -> None:
    """The error names the option."""
    with pytest.raises(RulesError, match=f"option {option}: "):
        GAME.rules({option: value}, 4)


def test_pitch_options_have_the_defaults_of_the_page() -> None:
    """To 7, each for itself, the dealer steals, a set pitcher may win, 30 hands at most."""
    assert msgspec.to_builtins(GAME.rules({}, 4)) == {
        "target": 7,
        "teams": False,
        "steal": True,
        "win_needs_made_bid": False,
        "max_hands": 30,
    }


# The view


def test_pitch_view_holds_what_happened_openly() -> None:
    """In the second trick of a hand everything on the page stands in the view."""
    state = set_up(["AS 2H 3C", "9S TH 4C", "2S 5H 5C"], scores=[3, -2, 0], target=11)
    bid(state, "pass", 2, "pass")
    play(state, "9S 2S AS", "2H TH")
    assert msgspec.json.decode(msgspec.json.encode(state.view(2))) == {
        "hand": 1,
        "dealer": 2,
        "cards": ["5C", "5H"],
        "bids": ["pass", 2, "pass"],
        "pitcher": 1,
        "bid": 2,
        "trump": "S",
        "trick": [[0, "2H"], [1, "TH"]],
        "played": [[[1, "9S"], [2, "2S"], [0, "AS"]]],
        "taken": [["2S", "9S", "AS"], [], []],
        "scores": [3, -2, 0],
        "target": 11,
    }


def test_pitch_view_names_no_pitcher_before_the_bidding_is_over() -> None:
    """While bids are open ``pitcher``, ``bid`` and ``trump`` are null, as are the bids to come."""
    view = after_bids(4, ["pass", 2]).view(2)
    assert view.bids == ["pass", 2, None, None]
    assert (view.pitcher, view.bid, view.trump) == (None, None, None)
    assert (view.trick, view.played, view.taken) == ([], [], [[], [], [], []])


# The worked cases


def test_pitch_cases_of_every_kind_are_driven() -> None:
    """A new kind of case wants a test below."""
    document = json.loads((CASES / "pitch.json").read_text(encoding="utf-8"))
    kinds = "auction deal game_end hand legal options schedule scoring trick"
    assert {case["kind"] for case in document["cases"]} == set(kinds.split())


@pytest.mark.parametrize("case", cases("pitch", "auction"))
def test_pitch_case_auction(case: Case) -> None:
    """Who bids next with which options, or who has become pitcher."""
    state = after_bids(case["seats"], case["bids"], dealer=case["dealer"], **case["rules"])
    seat = to_decide(state)
    found: Case = {"over": state.decisions[seat].kind == "play"}
    if found["over"]:
        found |= {"pitcher": state.view(seat).pitcher, "bid": state.view(seat).bid}
    else:
        found |= {"seat": seat, "options": offered(state)}
    assert found == case["expect"]


@pytest.mark.parametrize("case", cases("pitch", "legal"))
def test_pitch_case_legal(case: Case) -> None:
    """The cards that may be played."""
    found = allowed(" ".join(case["hand"]), " ".join(case["trick"]), case["trump"])
    assert found == case["expect"]["options"]


@pytest.mark.parametrize("case", cases("pitch", "trick"))
def test_pitch_case_trick(case: Case) -> None:
    """Who wins the trick, and leads to the next."""
    held = dict(case["plays"])
    rest = [rank + case["trump"] for rank in "456789T"]  # to have a card for the next trick
    hands = [(held[seat], rest[seat]) for seat in range(len(held))]
    leader = case["plays"][0][0]
    state = after_a_trump_trick(hands, case["trump"], leader)
    (trick,) = of_type(play(state, *(card for _, card in case["plays"])), Trick)
    assert {"winner": trick.winner, "next_leader": to_decide(state)} == case["expect"]


@pytest.mark.parametrize("case", cases("pitch", "hand"))
def test_pitch_case_hand(case: Case) -> None:
    """A whole hand, bid and played: its pitcher, trump, tricks, points and totals."""
    hands = [" ".join(cards) for cards in case["hands"]]
    state = set_up(hands, dealer=case["dealer"], scores=case["scores"])
    events = bid(state, *case["bids"])
    for seat, card in flat(case["plays"]):
        assert to_decide(state) == seat
        events += choose(state, card)
    (pitcher,) = of_type(events, pitch.Pitcher)
    (trump,) = of_type(events, pitch.Trump)
    found = {
        "pitcher": pitcher.seat,
        "bid": pitcher.bid,
        "trump": trump.suit,
        "winners": [trick.winner for trick in of_type(events, Trick)],
        **msgspec.structs.asdict(scored(events)),
    }
    assert found == case["expect"]


@pytest.mark.parametrize("case", cases("pitch", "scoring"))
def test_pitch_case_scoring(case: Case) -> None:
    """What a hand's points do to the totals."""
    state = after_bids(
        case["seats"],
        [case["bid"], *["pass"] * (case["seats"] - 1)],
        dealer=case["pitcher"] - 1,
        scores=case["scores"],
        **case.get("rules", {}),
    )
    event = scored(end_hand(state, case["high"], case["low"], case["jack"], case["game"]))
    assert {"made": event.made, "totals": event.totals} == case["expect"]


@pytest.mark.parametrize("case", cases("pitch", "game_end"))
def test_pitch_case_game_end(case: Case) -> None:
    """Whether the game is over after these changes of the scores, and how all then rank."""
    # A set pitcher has bid what it loses, and won a point less.
    points = [change if change >= 0 else -change - 1 for change in case["change"]]
    high, low, *others = (seat for seat, won in enumerate(points) for _ in range(won))
    jack, game = [*others, None, None][:2]
    state = after_bids(
        case["seats"],
        [abs(case["change"][case["pitcher"]]), *["pass"] * (case["seats"] - 1)],
        dealer=case["pitcher"] - 1,
        scores=case["scores"],
    )
    event = scored(end_hand(state, high, low, jack, game))
    assert event.made == case["made"]
    assert {
        "totals": event.totals,
        "over": not state.decisions,
        "ranks": state.outcome and state.outcome.ranks,
    } == case["expect"]


def first_hands(state: PitchState, count: int) -> Iterator[PitchState]:
    """Yield the state at the beginning of each of its first hands."""
    for hand in range(1, count + 1):
        assert state.hand == hand
        yield state
        bid(state, 4)
        end_hand(state, state.dealer, state.dealer, None, None)


@pytest.mark.parametrize("case", cases("pitch", "schedule"))
def test_pitch_case_schedule(case: Case) -> None:
    """Who deals the first hands, and how many cards."""
    expected = case["expect"]
    dealers = []
    for state in first_hands(start(case["seats"], target=100), len(expected["dealers"])):
        dealers.append(state.dealer)
        assert {len(hand) for hand in state.hands} == {expected["cards"]}
        assert 52 - len(set().union(*state.hands)) == expected["not_dealt"]
    assert dealers == expected["dealers"]


@pytest.mark.parametrize("case", cases("pitch", "options"))
def test_pitch_case_options(case: Case) -> None:
    """Whether such a game may be set up."""
    try:
        GAME.rules(case["rules"], case["seats"])
    except RulesError:
        accepted = False
    else:
        accepted = True
    assert accepted == case["expect"]["accepted"]


@pytest.mark.parametrize("case", cases("pitch", "deal"))
def test_pitch_case_deal(case: Case) -> None:
    """The published deal of a hand, reached through the hands before it."""
    secret = bytes.fromhex(case["secret"]) if "secret" in case else seed_secret(case["seed_text"])
    seed = deal_seed(secret, "pitch", case["seats"], case["deal"])
    for state in first_hands(start(case["seats"], seed, target=100), case["hand"]):
        found = {
            "seed": seed.hex(),
            "dealer": state.dealer,
            "hands": [sorted_names(hand) for hand in state.hands],
        }
    assert found == case["expect"]


# Whole games

TABLES = [
    pytest.param(seats, {"teams": teams, "steal": steal, "win_needs_made_bid": made})
    for seats in Pitch.seats
    for teams in ((False, True) if seats == 4 else (False,))
    for steal in (True, False)
    for made in (True, False)
]


@pytest.mark.parametrize(("seats", "options"), TABLES)
@settings(max_examples=5, deadline=None)
@given(
    target=st.integers(1, 21),
    max_hands=st.integers(1, 6),
    seed=st.binary(min_size=32, max_size=32),
)
def test_pitch_random_games_keep_their_invariants(
    seats: int, options: dict[str, bool], target: int, max_hands: int, seed: bytes
) -> None:
    """No card is lost, no point is, no option is refused, no view tells too much, and it ends."""
    state = start(seats, seed, target=target, max_hands=max_hands, **options)
    rng = random.Random(seed)
    dealt = set(names(flat(state.hands)))
    before = state.scores
    heard: list[Event] = []
    while state.decisions:
        check_cards(state, dealt)
        check_view(state)
        if rng.random() < 0.1:
            check_options(state)
        events = choose(state, rng.choice(offered(state)))
        heard += events
        if of_type(events, pitch.Scored):
            last = scored(events)
            check_points(heard, dealt, before, sides=2 if options["teams"] else seats)
            dealt = set(names(flat(state.hands)))
            before = state.scores
            heard = []
    assert state.outcome is not None
    assert state.outcome.scores == state.scores
    may_win = last.made or not options["win_needs_made_bid"]
    if may_win and state.scores[state.pitcher] >= target:
        assert not state.outcome.capped
        assert state.outcome.ranks[state.pitcher] == 1
    else:
        assert state.outcome.capped
        assert state.hand == max_hands


def check_cards(state: PitchState, dealt: set[str]) -> None:
    """See that every card dealt is in a hand, in the trick, or taken by one seat."""
    everywhere = [*flat(state.taken), *names(state.trick)]
    everywhere += flat(state.hand_names)
    assert state.hand_names == [names(hand) for hand in state.hands]
    assert sorted(everywhere) == sorted(dealt)


def check_view(state: PitchState) -> None:
    """See that the view holds the seat's cards and those played, whatever the others hold."""
    seat = to_decide(state)
    view = msgspec.json.encode(state.view(seat))
    blind = copy.copy(state)
    blind.hands = [hand if i == seat else [] for i, hand in enumerate(state.hands)]
    blind.hand_names = [names(hand) for hand in blind.hands]
    assert msgspec.json.encode(blind.view(seat)) == view
    known = {*names(state.hands[seat]), *names(state.trick), *flat(state.taken)}
    assert set(re.findall(r'"([2-9TJQKA][CDHS])"', view.decode())) == known


def check_options(state: PitchState) -> None:
    """See that every option on offer is accepted, and something follows from it."""
    assert len(set(offered(state))) == len(offered(state)) > 0
    for option in offered(state):
        assert choose(copy.deepcopy(state), option)


def check_points(
    events: Sequence[Event], dealt: set[str], before: Sequence[int], sides: int
) -> None:
    """See that all points there are go to one side each, and the totals follow from them."""
    (pitcher,) = of_type(events, pitch.Pitcher)
    (trump,) = of_type(events, pitch.Trump)
    event = scored(events)
    assert set(flat(trick.cards for trick in of_type(events, Trick))) == dealt
    assert sum(event.card_points[:sides]) == sum(CARD_POINTS.get(card[0], 0) for card in dealt)
    assert (event.jack is not None) == (f"J{trump.suit}" in dealt)
    most = max(event.card_points)
    assert (event.game is None) == (event.card_points[:sides].count(most) > 1)
    winners = [seat for seat in (event.high, event.low, event.jack, event.game) if seat is not None]
    assert event.points == [
        sum(winner % sides == seat % sides for winner in winners) for seat in range(len(before))
    ]
    assert event.made == (event.points[pitcher.seat] >= pitcher.bid)
    for seat, total in enumerate(event.totals):
        is_set = not event.made and seat % sides == pitcher.seat % sides
        assert total - before[seat] == (-pitcher.bid if is_set else event.points[seat])


def test_pitch_a_seat_that_always_bids_4_cannot_make_the_game_endless() -> None:
    """The default cap ends it after 30 hands, though no other seat is ever pitcher."""
    state = start(2)
    for _ in range(30):
        assert state.decisions
        if to_decide(state) == 1:
            bid(state, "pass")
        assert bid(state, 4)[-1] == pitch.Pitcher(0, 4)
        end_hand(state, 1, 1, None, None)
    assert state.outcome is not None
    assert state.outcome.capped
    assert state.outcome.scores == [-120, 60]
    assert state.outcome.ranks == [2, 1]
