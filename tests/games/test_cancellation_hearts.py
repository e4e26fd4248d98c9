"""The rules of Cancellation Hearts, by their numbers on the game's page of rules."""

import copy
import random
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import chain
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from referee.cards import (
    CARDS,
    NAMES,
    deal_seed,
    names,
    parse_cards,
    seed_secret,
    shuffle_of,
    sorted_names,
)
from referee.games.cancellation_hearts import (
    POINTS,
    CancellationHearts,
    CancellationHeartsRules,
    CancellationHeartsState,
    CancellationHeartsView,
    Hand,
    Moon,
    MoonChoice,
    Passed,
    Scored,
    Trick,
    points_of,
)
from referee.games.game import Choice, Dealt, RulesError, Told
from referee.games.tricks import Played
from tests.games.cases import CASES, Case, cases, choose

GAME = CancellationHearts()
SHUFFLE = shuffle_of(bytes(32))
TWO_PACKS = sorted(list(range(52)) * 2)
POINT_CARDS = [card for card in TWO_PACKS if POINTS[card]]


def start(seats: int = 6, **options: object) -> CancellationHeartsState:
    """Start a game with the deal that 32 zero bytes give."""
    return GAME.start(seats, GAME.rules(options, seats), SHUFFLE)


def mid_hand(
    hands: Sequence[Sequence[str]],
    leader: int = 0,
    left_over: Sequence[str] = (),
    set_aside: Sequence[str] = (),
    **position: bool,
) -> CancellationHeartsState:
    """Take up the last hand of a game where these cards are still held.

    Unlike ``start`` it also takes numbers of seats that no game has: some worked cases do.
    """
    rules = CancellationHeartsRules(max_hands=1)
    state = CancellationHeartsState(len(hands), rules, SHUFFLE)
    state.begin_hand([sorted(parse_cards(hand)) for hand in hands], parse_cards(left_over))
    state.begin_play(leader, **{"first_trick": False, **position}, set_aside=parse_cards(set_aside))
    return state


def hands_of(*hands: str) -> list[list[str]]:
    return [hand.split() for hand in hands]


def play(state: CancellationHeartsState, cards: str) -> list[Any]:
    """Let the seats play these cards in turn, each a legal one; return the events."""
    return [event for card in cards.split() for event in choose(state, card)]


def options(state: CancellationHeartsState) -> list[Any]:
    ((_, decision),) = state.decisions.items()
    return list(decision.options)


def to_act(state: CancellationHeartsState) -> int:
    (seat,) = state.decisions
    return seat


def only(events: Sequence[Any], kind: type[Any]) -> Any:
    (event,) = (event for event in events if isinstance(event, kind))
    return event


def next_hand(state: CancellationHeartsState) -> list[Told]:
    """End the hand with nothing scored and return what the next one begins with."""
    return state.score_hand([0] * state.seats)[1:]


def pass_cards(state: CancellationHeartsState) -> list[Told]:
    """Let every seat pass its first three cards."""
    return state.apply({seat: Choice(each.default) for seat, each in state.decisions.items()})


# --- The worked cases ---------------------------------------------------------------------------


@pytest.mark.parametrize("case", cases("cancellation_hearts", "legal"))
def test_case_legal(case: Case) -> None:
    """What may be played or passed."""
    if case["decision"] == "pass":
        state = start()
        state.begin_hand([parse_cards(case["hand"])] * 6, [])
        objection = state.decisions[0].objection(case["choose"])
        assert (objection is None) == case["expect"]["accepted"]
        return
    hands = [[card] for card in case["trick"]] + [case["hand"]]
    hands += [[]] * (6 - len(hands))
    state = mid_hand(hands, first_trick=case["first_trick"], broken=case["broken"])
    play(state, " ".join(case["trick"]))
    assert options(state) == case["expect"]["options"]


@pytest.mark.parametrize("case", cases("cancellation_hearts", "trick"))
def test_case_trick(case: Case) -> None:
    """Who wins a trick, leads to the next, and what it costs."""
    # A second card each, of a suit that is not led, so that the hand goes on after the trick.
    state = mid_hand([[card, "2C"] for _, card in case["plays"]], leader=case["plays"][0][0])
    events = play(state, " ".join(card for _, card in case["plays"]))
    assert only(events, Trick).winner == case["expect"]["winner"]
    assert to_act(state) == case["expect"]["next_leader"]
    assert sum(state.taken) + points_of(state.set_aside) == case["expect"]["points"]


@pytest.mark.parametrize("case", cases("cancellation_hearts", "hand"))
def test_case_hand(case: Case) -> None:
    """The end of a hand, play by play."""
    position = {key: case[key] for key in ("leader", "left_over", "set_aside")}
    state = mid_hand(
        case["hands"], **position, first_trick=case["first_trick"], broken=case["broken"]
    )
    events = []
    for seat, card in (each for trick in case["plays"] for each in trick):
        assert to_act(state) == seat
        events += play(state, card)
    expect = case["expect"]
    waiting = state.set_aside + state.face_down
    assert [event.winner for event in events if isinstance(event, Trick)] == expect["winners"]
    assert [len(pile) for pile in state.piles] == expect["cards_taken"]
    assert only(events, Scored).points == expect["points"]
    assert {"cards": len(waiting), "points": points_of(waiting)} == expect["nobody_took"]
    assert state.broken == expect.get("broken", state.broken)


@pytest.mark.parametrize("case", cases("cancellation_hearts", "scoring"))
def test_case_scoring(case: Case) -> None:
    """What the cards taken, and the moon, do to the scores."""
    state = start(case["seats"])
    state.scores = case["scores"]
    events = [
        event
        for _, event in state.count_hand([hearts + 13 * marias for hearts, marias in case["taken"]])
    ]
    asked = [seat for seat, each in state.decisions.items() if each.kind == "moon"]
    assert asked == [seat for seat in [case["expect"]["moon_asked"]] if seat is not None]
    if asked:
        events += choose(state, case["moon"])
    scored = only(events, Scored)
    assert scored.points == case["expect"].get("points", scored.points)
    assert scored.totals == case["expect"]["totals"]


@pytest.mark.parametrize("case", cases("cancellation_hearts", "game_end"))
def test_case_game_end(case: Case) -> None:
    """Whether the game is over after a hand, and how it then stands."""
    state = start(case["seats"], **case.get("rules", {}))
    state.scores = case["scores"]
    state.score_hand(case["change"])
    expect = case["expect"]
    assert state.scores == expect["totals"]
    assert (not state.decisions) == (state.outcome is not None) == expect["over"]
    if state.outcome is not None:
        assert state.outcome.scores == expect["totals"]
        assert state.outcome.ranks == expect["ranks"]
        assert not state.outcome.capped


@pytest.mark.parametrize("case", cases("cancellation_hearts", "schedule"))
def test_case_schedule(case: Case) -> None:
    """What is dealt, by whom, and where to it is passed, in the first four hands."""
    state = start(case["seats"])
    hands = [state.opening[0][1], *(next_hand(state)[0][1] for _ in range(3))]
    expect = case["expect"]
    assert hands == [
        Hand(number, dealer, expect["cards"], expect["left_over"], pass_to)
        for number, (dealer, pass_to) in enumerate(
            zip(expect["dealers"], expect["pass_to"], strict=True), 1
        )
    ]
    assert [len(hand) for hand in state.hands] == [expect["cards"]] * case["seats"]
    assert len(state.left_over) == expect["left_over"]


@pytest.mark.parametrize("case", cases("cancellation_hearts", "options"))
def test_case_options(case: Case) -> None:
    """Which games may be set up."""
    assert not case["expect"]["accepted"]
    with pytest.raises(RulesError):
        GAME.rules(case.get("rules", {}), case["seats"])


@pytest.mark.parametrize("case", cases("cancellation_hearts", "deal"))
def test_case_deal(case: Case) -> None:
    """The published shuffle, dealt out."""
    secret = bytes.fromhex(case["secret"]) if "secret" in case else seed_secret(case["seed_text"])
    seed = deal_seed(secret, GAME.name, case["seats"], case["deal"])
    assert seed.hex() == case["expect"]["seed"]
    state = GAME.start(case["seats"], GAME.rules({}, case["seats"]), shuffle_of(seed))
    for _ in range(case["hand"] - 1):
        next_hand(state)
    assert state.dealer == case["expect"]["dealer"]
    assert [names(hand) for hand in state.hands] == case["expect"]["hands"]
    assert names(state.left_over) == case["expect"]["left_over"]


def test_every_kind_of_case_has_its_test() -> None:
    """No worked case is left out: these are all the kinds there are."""
    known = ("legal", "trick", "hand", "scoring", "game_end", "schedule", "options", "deal")
    every = msgspec.json.decode((CASES / "cancellation_hearts.json").read_bytes())["cases"]
    assert {case["kind"] for case in every} == set(known)


# --- The rules ----------------------------------------------------------------------------------


@pytest.mark.parametrize("seats", GAME.seats)
def test_cancellation_hearts_r1_two_packs_are_dealt_evenly_and_the_rest_lies(seats: int) -> None:
    """Every seat has as many cards as go round; fewer than one each are left over."""
    state = start(seats)
    assert {len(hand) for hand in state.hands} == {104 // seats}
    assert len(state.left_over) == state.view(0).left_over == 104 % seats
    assert sorted(chain(state.left_over, *state.hands)) == TWO_PACKS


def test_cancellation_hearts_r1_the_winner_of_the_first_trick_takes_the_left_over_cards() -> None:
    """The left-over cards go to whoever wins the first trick, and only once."""
    state = mid_hand(
        hands_of("2C 3D", "3C 4D", "4C 5D", "5C 6D", "6C 7D", "7C 8D"),
        left_over=["5H", "QS"],
        first_trick=True,
    )
    first = only(play(state, "2C 3C 4C 5C 6C 7C"), Trick)
    assert (first.winner, first.takes_left_over, state.view(5).left_over) == (5, True, 0)
    events = play(state, "8D 3D 4D 5D 6D 7D")
    assert not only(events, Trick).takes_left_over
    assert only(events, Scored) == Scored([0, 0, 0, 0, 0, 14], [0, 0, 0, 0, 0, 14], ["5H", "QS"])


@pytest.mark.parametrize(("hand", "step"), [(1, 1), (2, -1), (3, 1), (4, -1)])
def test_cancellation_hearts_r2_three_cards_go_left_then_right(hand: int, step: int) -> None:
    """Each seat passes three cards to the left in odd hands and to the right in even ones."""
    state = start()
    for _ in range(hand - 1):
        next_hand(state)
    before = [names(cards) for cards in state.hands]
    told = pass_cards(state)
    assert told == [
        (
            (giver, (giver + step) % 6),
            Passed(giver, (giver + step) % 6, cards[:3]),
        )
        for giver, cards in enumerate(before)
    ]
    for seat, cards in enumerate(before):
        got = before[(seat - step) % 6][:3]
        after = sorted_names(parse_cards(cards[3:] + got))
        view = state.view(seat)
        assert (view.cards, view.gave, view.got) == (after, cards[:3], got)


def test_cancellation_hearts_r2_all_pass_before_seeing_what_comes() -> None:
    """The passing is one simultaneous decision, and nothing is given or got before it."""
    state = start()
    assert list(state.decisions) == list(range(6))
    for seat, decision in state.decisions.items():
        view = state.view(seat)
        assert (decision.kind, decision.min, decision.max) == ("pass", 3, 3)
        assert decision.options == view.cards  # a card held twice stands there twice
        assert (view.gave, view.got) == (None, None)


def test_cancellation_hearts_r2_both_of_a_card_may_be_passed_and_the_same_come_in() -> None:
    """What comes in does not mix with what goes out, even where they are the same cards."""
    state = start()
    hands = hands_of("2C 2C 3C 4C", *["2C 2C 7C 8C"] * 5)
    state.begin_hand([parse_cards(hand) for hand in hands], [])
    pass_cards(state)  # to the right: this is hand 2
    assert [names(hand) for hand in state.hands] == hands_of(
        "2C 2C 4C 7C", *["2C 2C 7C 8C"] * 4, "2C 2C 3C 8C"
    )


def test_cancellation_hearts_r3_the_dealers_left_leads_no_heart_and_no_black_maria() -> None:
    """The first lead is the dealer's left neighbour's, with anything but points."""
    state = start()
    pass_cards(state)
    assert to_act(state) == 0
    next_hand(state)
    pass_cards(state)
    assert to_act(state) == 1
    state = mid_hand(hands_of("AC 2D 4H JS QS", *["2C"] * 5), first_trick=True)
    assert options(state) == ["AC", "2D", "JS"]


def test_cancellation_hearts_r4_suit_is_followed_where_it_can_be() -> None:
    """A seat that holds the suit led must play it; one that does not may play anything."""
    state = mid_hand(hands_of("9S 2C", "AC 4H 2S QS", "AC 4H 2D", "3S", "4S", "5S"))
    play(state, "9S")
    assert options(state) == ["2S", "QS"]
    play(state, "2S")
    assert options(state) == ["AC", "2D", "4H"]


def test_cancellation_hearts_r4_a_card_held_twice_is_one_option() -> None:
    """``play`` lists each card once, though both copies are held, and one of them stays."""
    state = mid_hand(hands_of("7D 7D AS AS", *["2D 3D"] * 5))
    assert options(state) == ["7D", "AS"]
    play(state, "7D")
    assert state.view(0).cards == ["7D", "AS", "AS"]


def test_cancellation_hearts_r5_hearts_may_be_led_only_once_broken() -> None:
    """Before a point is played a lead may be Black Maria but no heart; afterwards any card."""
    hand = hands_of("3D 4H QS", *["2D 5C 6C"] * 5)
    assert options(mid_hand(hand, broken=False)) == ["3D", "QS"]
    assert options(mid_hand(hand, broken=True)) == ["3D", "4H", "QS"]


@pytest.mark.parametrize("point", ["9H", "QS"])
def test_cancellation_hearts_r5_a_heart_and_black_maria_both_break_hearts(point: str) -> None:
    """Hearts are broken by a heart or Black Maria thrown on another suit."""
    state = mid_hand(hands_of("AD 3H", f"{point} 2C", *["2D 3C", "3D 3C", "4D 4C", "5D 4C"]))
    assert not state.view(0).broken
    play(state, f"AD {point} 2D 3D 4D 5D")
    assert state.view(0).broken
    assert options(state) == ["3H"]


def test_cancellation_hearts_r5_black_maria_led_breaks_hearts() -> None:
    """Black Maria may be led at any time, and hearts are broken by it."""
    state = mid_hand(hands_of("QS 3H 2C", "2S 3C", "3S 4C", "4S 5C", "5S 6C", "6S 7C"))
    play(state, "QS 2S 3S 4S 5S 6S")
    assert options(state) == ["2C", "3H"]


def test_cancellation_hearts_r6_identical_cards_cancel_and_the_next_highest_wins() -> None:
    """The two aces cancel, so the king wins, and its player leads to the next trick."""
    state = mid_hand(hands_of("AC 2D", "AC 3D", "QC 4D", "KC 5D", "2C 6D", "AS 7D"))
    trick = only(play(state, "AC AC QC KC 2C AS"), Trick)
    assert trick == Trick(3, ["AC", "AC", "QC", "KC", "2C", "AS"], False, 0)
    assert to_act(state) == 3
    assert state.view(3).tricks == [0, 0, 0, 1, 0, 0]


def test_cancellation_hearts_r7_a_trick_without_a_winner_goes_to_the_next_winner() -> None:
    """Two tricks in a row are set aside; the winner of the third takes all three."""
    state = mid_hand(
        hands_of("TS 3D 2C", "9H 4H 3C", "9H 4H 4C", "TS 3D 5C", "KH JH 6C", "QH QH 7C")
    )
    first = only(play(state, "TS 9H 9H TS KH QH"), Trick)
    assert (first.winner, first.set_aside, state.view(0).set_aside) == (None, 6, 6)
    second = only(play(state, "3D 4H 4H 3D JH QH"), Trick)
    assert (second.winner, second.set_aside) == (None, 12)
    assert state.view(0).tricks == state.view(0).taken == [0] * 6
    events = play(state, "2C 3C 4C 5C 6C 7C")
    third = only(events, Trick)
    assert (third.winner, third.set_aside) == (5, 0)
    assert state.tricks == [0, 0, 0, 0, 0, 1]
    assert only(events, Scored).points == [0, 0, 0, 0, 0, 8]
    assert len(state.piles[5]) == 18


def test_cancellation_hearts_r7_nobody_takes_a_last_trick_without_a_winner() -> None:
    """Where the last trick is lost so, its points and all that waits count for nobody."""
    state = mid_hand(
        hands_of("TS", "9H", "9H", "TS", "KH", "6D"),
        set_aside=["3H", "4H", "2C", "2D", "2D", "5H"],
    )
    events = play(state, "TS 9H 9H TS KH 6D")
    trick = only(events, Trick)
    assert (trick.winner, trick.set_aside) == (None, 12)
    assert only(events, Scored).points == [0] * 6


def test_cancellation_hearts_r8_a_heart_costs_one_and_black_maria_thirteen() -> None:
    """The points of a hand add up to 52: 26 hearts and two Black Marias."""
    state = mid_hand(hands_of("2S", "AH", "2H", "KS", "QS", "AS"))
    assert only(play(state, "2S AH 2H KS QS AS"), Scored).points == [0, 0, 0, 0, 0, 15]
    assert [name for name in NAMES if POINTS[CARDS[name]]] == [
        *(rank + "H" for rank in "23456789TJQKA"),
        "QS",
    ]
    assert points_of(POINT_CARDS) == 52


def moon_shot(left_over: Sequence[str] = ()) -> CancellationHeartsState:
    """Let seat 2 win the last trick with all the points of the hand in it or waiting for it."""
    waiting = Counter(names(POINT_CARDS)) - Counter([*left_over, "AH", "QS"])
    state = mid_hand(
        hands_of("2S", "QS", "AS", "AH", "3C", "3D"),
        left_over=left_over,
        set_aside=list(waiting.elements()),
    )
    state.scores = [100, 120, 20, 60, 149, 0]
    return state


@pytest.mark.parametrize(
    ("choice", "changes"),
    [("add", [26, 26, 0, 26, 26, 26]), ("subtract", [0, 0, -26, 0, 0, 0])],
)
def test_cancellation_hearts_r9_who_took_all_points_chooses(
    choice: MoonChoice, changes: list[int]
) -> None:
    """The seat with all 26 hearts and both Black Marias takes 26 off or puts 26 on all others."""
    state = moon_shot()
    assert not any(isinstance(event, Scored) for event in play(state, "2S QS AS AH 3C 3D"))
    assert state.decisions[2].kind == "moon"
    assert (to_act(state), options(state)) == (2, ["add", "subtract"])
    moon, scored = choose(state, choice)
    assert moon == Moon(2, choice)
    assert scored.points == changes


def test_cancellation_hearts_r9_all_but_one_point_is_no_moon() -> None:
    """A single heart in another's tricks, and nothing is asked."""
    state = start()
    (_, scored), *_ = state.count_hand([51, 0, 0, 1, 0, 0])
    assert isinstance(scored, Scored)
    assert scored.points == [51, 0, 0, 1, 0, 0]


@pytest.mark.parametrize(("most", "over"), [(149, False), (150, True), (151, True)])
def test_cancellation_hearts_r10_the_game_ends_at_the_target(most: int, over: bool) -> None:
    """The hand in which a seat reaches or passes the target is the last; the lowest wins."""
    state = start()
    state.scores = [most - 10, 90, 80, 70, 60, 50]
    state.score_hand([10, 0, 0, 0, 0, 0])
    assert (state.outcome is not None) == over
    if state.outcome is not None:
        assert state.outcome.ranks == [6, 5, 4, 3, 2, 1]
        assert state.decisions == {}


def test_cancellation_hearts_d1_a_first_lead_may_be_barred_where_all_is() -> None:
    """Of hearts and Black Marias alone, any may be led to the first trick."""
    state = mid_hand(hands_of("4H 9H QS", *["2C"] * 5), first_trick=True)
    assert options(state) == ["4H", "9H", "QS"]


def test_cancellation_hearts_d1_hearts_may_be_led_unbroken_where_there_is_nothing_else() -> None:
    """A seat that holds only hearts leads one; Black Maria, if it has her, must come first."""
    assert options(mid_hand(hands_of("4H 9H", *["2C"] * 5))) == ["4H", "9H"]
    assert options(mid_hand(hands_of("4H 9H QS", *["2C"] * 5))) == ["QS"]


def test_cancellation_hearts_d2_points_in_the_first_trick_break_hearts() -> None:
    """Any trick of the hand will do, the first included, from the next lead on."""
    state = mid_hand(
        hands_of("AD 3H 2C", "9H 2C", "2D 3C", "3D 3C", "4D 4C", "5D 4C"), first_trick=True
    )
    play(state, "AD 9H 2D 3D 4D 5D")
    assert options(state) == ["2C", "3H"]


def test_cancellation_hearts_d2_cancelled_and_set_aside_points_break_hearts() -> None:
    """A pair of hearts in a trick that nobody won breaks hearts for the very next lead."""
    state = mid_hand(hands_of("TS 2H", "9H 2C", "9H 3C", "TS 4C", "4D 5C", "6D 6C"))
    assert only(play(state, "TS 9H 9H TS 4D 6D"), Trick).winner is None
    assert state.view(0).broken
    assert options(state) == ["2H"]
    state = mid_hand(hands_of("TS 2C 2H", "9H 2C", "9H 3C", "TS 4C", "4D 5C", "6D 6C"))
    play(state, "TS 9H 9H TS 4D 6D")
    assert options(state) == ["2C", "2H"]


def test_cancellation_hearts_d3_the_leader_of_a_set_aside_trick_leads_again() -> None:
    """After a trick that nobody won its leader has the lead, whoever played last or highest."""
    state = mid_hand(hands_of("TS 2C", "4D 3C", "TS 4C", "9S 5C", "9S 6C", "AH 7C"), leader=2)
    assert only(play(state, "TS 9S 9S AH TS 4D"), Trick).winner is None
    assert to_act(state) == 2


def left_over_waits() -> CancellationHeartsState:
    return mid_hand(
        hands_of("JC 8H AD", "4C 9H 7D", "9C 2S 7D", "AC 3S KD", "AC 4S KD", "2C 5S AD"),
        leader=1,
        left_over=["5H", "QS"],
        first_trick=True,
    )


def test_cancellation_hearts_d4_the_left_over_cards_wait_with_a_set_aside_first_trick() -> None:
    """They go with it to the next winner, and count for the hand's points."""
    state = left_over_waits()
    first = only(play(state, "7D 7D KD KD AD AD"), Trick)
    assert (first.winner, first.takes_left_over, first.set_aside) == (None, False, 6)
    assert state.view(1).left_over == 2
    second = only(play(state, "4C 9C AC AC 2C JC"), Trick)
    assert (second.winner, second.takes_left_over, second.set_aside) == (0, True, 0)
    assert sorted_names(state.piles[0])[-3:] == ["AD", "5H", "QS"]


def test_cancellation_hearts_d4_left_over_points_break_no_hearts_and_show_when_scored() -> None:
    """A heart and Black Maria among them, taken, neither break hearts nor show in ``taken``."""
    state = left_over_waits()
    events = play(state, "7D 7D KD KD AD AD 4C 9C AC AC 2C JC")
    view = state.view(0)
    assert (view.broken, view.left_over, view.taken) == (False, 0, [0] * 6)
    assert b"5H" not in msgspec.json.encode([view, events])
    assert b"QS" not in msgspec.json.encode([view, events])
    scored = only(play(state, "8H 9H 2S 3S 4S 5S"), Scored)
    assert scored.left_over == ["5H", "QS"]
    assert scored.points == [14, 2, 0, 0, 0, 0]


def test_cancellation_hearts_d4_nobody_takes_the_left_over_cards_where_no_trick_is_won() -> None:
    """A hand without a winner scores nothing at all, and still shows what was left over."""
    state = mid_hand(
        hands_of("TS", "9H", "9H", "TS", "4D", "6D"), left_over=["QS"], first_trick=True
    )
    scored = only(play(state, "TS 9H 9H TS 4D 6D"), Scored)
    assert (scored.points, scored.left_over) == ([0] * 6, ["QS"])


def test_cancellation_hearts_d4a_a_live_card_of_the_suit_led_wins_over_two_pairs() -> None:
    """Two pairs of the suit led cancel; the low card left wins the trick."""
    state = mid_hand(hands_of("AC 2D", "KC 3D", "3C 4D", "AC 5D", "KC 6D", "AS 7D"))
    assert only(play(state, "AC KC 3C AC KC AS"), Trick).winner == 2


def test_cancellation_hearts_d4a_a_cancelled_lead_is_still_the_suit_to_follow() -> None:
    """After a lead has been cancelled the next seat must follow its suit."""
    state = mid_hand(hands_of("TS 2C", "TS 2C", "2S AC AD", "3C", "4C", "5C"))
    play(state, "TS TS")
    assert options(state) == ["2S"]


def test_cancellation_hearts_d4b_only_the_first_lead_of_a_hand_is_bound_by_r3() -> None:
    """After a first trick that nobody won, Black Maria may be led; a heart may not, unbroken."""
    state = mid_hand(
        hands_of("TS 3H 4D QS", "3C 3D", "4C 4D", "TS 2D", "5C 6D", "6C 7D"), first_trick=True
    )
    assert options(state) == ["4D", "TS"]
    play(state, "TS 3C 4C TS 5C 6C")
    assert options(state) == ["4D", "QS"]


def test_cancellation_hearts_d4b_points_may_be_played_to_the_first_trick() -> None:
    """Who cannot follow in the first trick may play any card."""
    state = mid_hand(hands_of("9D 2C", "AC 4H QS", *["2D 3C"] * 4), first_trick=True)
    play(state, "9D")
    assert options(state) == ["AC", "4H", "QS"]


def test_cancellation_hearts_d5_points_that_nobody_took_count_against_the_moon() -> None:
    """A seat that took all points but those of a lost last trick is not asked; they are scored."""
    waiting = Counter(names(POINT_CARDS)) - Counter(["9H", "9H"])
    state = mid_hand(
        hands_of("2C TS", "3C 9H", "4C 9H", "KC TS", "5C 4D", "6C 6D"),
        leader=3,
        set_aside=list(waiting.elements()),
        broken=True,
    )
    assert only(play(state, "KC 5C 6C 2C 3C 4C"), Trick).winner == 3
    events = play(state, "TS 4D 6D TS 9H 9H")
    assert only(events, Scored).points == [0, 0, 0, 50, 0, 0]


def test_cancellation_hearts_d5_left_over_points_belong_to_the_moon() -> None:
    """Left-over cards that were won have been taken: with them the points are complete."""
    state = moon_shot(left_over=["5H", "QS"])
    play(state, "2S QS AS AH 3C 3D")
    assert (to_act(state), options(state)) == (2, ["add", "subtract"])


def test_cancellation_hearts_d5_left_over_points_of_another_spoil_the_moon() -> None:
    """A seat that took every point that was played, but not the left-over heart, is not asked."""
    state = mid_hand(
        hands_of("2S 2C", "3S 3C", "4S 4C", "5S 5H", "7S 6C", "6S 7C"), left_over=["5H"]
    )
    first = only(play(state, "2S 3S 4S 5S 7S 6S"), Trick)
    assert (first.winner, first.takes_left_over) == (4, True)
    between = Counter(names(POINT_CARDS)) - Counter(["5H", "5H"])
    state.piles[5] = parse_cards(between.elements())  # as if won in tricks between these two
    assert only(play(state, "6C 7C 2C 3C 4C 5H"), Scored).points == [0, 0, 0, 0, 1, 51]


def test_cancellation_hearts_d6_the_choice_comes_before_the_scores_and_replaces_the_points() -> (
    None
):
    """In a ``moon`` decision the scores are those before the hand; the 52 are never counted."""
    state = moon_shot()
    play(state, "2S QS AS AH 3C 3D")
    view = state.view(2)
    assert view.scores == [100, 120, 20, 60, 149, 0]
    assert view.taken == [0, 0, 52, 0, 0, 0]
    assert only(choose(state, "subtract"), Scored).totals == [100, 120, -6, 60, 149, 0]


def test_cancellation_hearts_d6_adding_can_end_the_game_and_subtracting_does_not() -> None:
    """The test of the target uses the scores after the choice."""
    for choice, over in (("add", True), ("subtract", False)):
        state = start()
        state.scores = [140, 149, 0, 0, 0, 0]
        assert state.count_hand([52, 0, 0, 0, 0, 0]) == []
        choose(state, choice)
        assert (state.outcome is not None) == over


def test_cancellation_hearts_d7_ties_share_the_rank() -> None:
    """Equal scores are equal, at the top and below."""
    state = start()
    state.score_hand([150, 7, 7, 30, 30, 40])
    assert state.outcome is not None
    assert state.outcome.ranks == [6, 1, 1, 3, 3, 5]


# --- The options and the contract ---------------------------------------------------------------


def test_cancellation_hearts_option_target_and_its_bounds() -> None:
    """``target`` is 150 unless set, and 1 to 1000."""
    assert GAME.rules({}, 6) == CancellationHeartsRules(target=150, max_hands=200)
    for target in (1, 1000):
        assert GAME.rules({"target": target}, 6) == CancellationHeartsRules(target=target)
    for wrong in (0, 1001, "150", 99.5, True):
        with pytest.raises(RulesError, match="target"):
            GAME.rules({"target": wrong}, 6)
    state = start(target=20)
    assert state.view(0).target == 20
    state.score_hand([20, 0, 0, 0, 0, 0])
    assert state.outcome is not None


@pytest.mark.parametrize(("target", "remarks"), [(1, 1), (99, 1), (100, 0), (150, 0)])
def test_cancellation_hearts_option_target_below_the_usual_least_is_remarked_on(
    target: int, remarks: int
) -> None:
    """Below 100 there is one remark, which says that 100 is the usual least."""
    found = GAME.remarks(GAME.rules({"target": target}, 6))
    assert len(found) == remarks
    assert all("100" in remark and str(target) in remark for remark in found)


def test_cancellation_hearts_option_max_hands_caps_the_game() -> None:
    """At the cap the game ends as it stands and says so, unless the target was reached too."""
    for points, capped in ((149, True), (150, False)):
        state = start(max_hands=2)
        state.score_hand([0] * 6)
        assert state.outcome is None
        state.score_hand([points, 1, 2, 3, 4, 5])
        assert state.outcome is not None
        assert state.outcome.capped == capped
        assert state.outcome.ranks == [6, 1, 2, 3, 4, 5]
    for wrong in (0, 100_001):
        with pytest.raises(RulesError, match="max_hands"):
            GAME.rules({"max_hands": wrong}, 6)


def test_cancellation_hearts_seats_are_six_to_eleven() -> None:
    """Other numbers of seats are refused."""
    for seats in (5, 12):
        with pytest.raises(RulesError, match="6 to 11"):
            GAME.rules({}, seats)


def test_cancellation_hearts_events_are_named_as_on_the_page() -> None:
    """The keys of the events on the wire are those of the page, the event's name first."""
    keys = {
        "hand": ["hand", "dealer", "cards", "left_over", "pass_to"],
        "dealt": ["cards"],
        "passed": ["from", "to", "cards"],
        "played": ["seat", "card"],
        "trick": ["winner", "cards", "takes_left_over", "set_aside"],
        "moon": ["seat", "choice"],
        "scored": ["points", "totals", "left_over"],
    }
    assert {
        each.__struct_config__.tag: list(each.__struct_encode_fields__) for each in GAME.event_types
    } == keys
    assert msgspec.json.encode(Passed(0, 1, ["2C"])).startswith(b'{"event":"passed","from":0,')


# --- Whole games at random ----------------------------------------------------------------------


def playout(
    state: CancellationHeartsState, rng: random.Random
) -> Iterator[tuple[CancellationHeartsState, list[Told]]]:
    """Play at random to the end, yielding what was told and the state that it led to."""
    yield state, state.opening
    while state.decisions:
        yield (
            state,
            state.apply(
                {
                    seat: Choice(rng.sample(list(decision.options), decision.min))
                    for seat, decision in state.decisions.items()
                }
            ),
        )


def random_game(seats: int, seed: int, **options: object) -> CancellationHeartsState:
    shuffle = shuffle_of(seed.to_bytes(32, "big"))
    return GAME.start(seats, GAME.rules(options, seats), shuffle)


any_seats = st.sampled_from(GAME.seats)
any_seed = st.integers(0, 2**64 - 1)


@settings(max_examples=25, deadline=None)
@given(any_seats, any_seed, st.integers(1, 3), st.integers(1, 60))
def test_no_card_is_ever_lost_or_doubled(
    seats: int, seed: int, max_hands: int, target: int
) -> None:
    """At every decision and at the end all cards are in a hand, on the table or in a pile."""
    game = random_game(seats, seed, max_hands=max_hands, target=target)
    for state, _ in playout(game, random.Random(seed)):
        places = [*state.hands, *state.piles, state.trick, state.set_aside, state.face_down]
        assert sorted(chain.from_iterable(places)) == TWO_PACKS
        assert all(hand == sorted(hand) for hand in state.hands)
        assert state.hand_names == [names(hand) for hand in state.hands]


@settings(max_examples=25, deadline=None)
@given(any_seats, any_seed)
def test_the_points_of_a_hand_are_52_less_what_nobody_took(seats: int, seed: int) -> None:
    """Every point is scored by the seat that took its card, or nobody took it."""
    for state, told in playout(random_game(seats, seed, max_hands=1), random.Random(seed)):
        for _, event in told:
            if isinstance(event, Scored):
                nobody = points_of(state.set_aside + state.face_down)
                assert sum(event.points) == 52 - nobody
                assert event.points == [points_of(pile) for pile in state.piles]
                assert event.left_over == names(state.left_over)


@settings(max_examples=5, deadline=None)
@given(any_seats, any_seed)
def test_whole_games_end_at_the_target(seats: int, seed: int) -> None:
    """A game with the usual rules ends when, and only when, a seat stands at the target."""
    state = random_game(seats, seed)
    told = [each for _, step in playout(state, random.Random(seed)) for each in step]
    hands = [event for _, event in told if isinstance(event, Scored)]
    assert state.outcome is not None
    assert not state.outcome.capped
    assert [max(event.totals) >= 150 for event in hands] == [False] * (len(hands) - 1) + [True]
    best = [seat for seat, rank in enumerate(state.outcome.ranks) if rank == 1]
    assert {state.outcome.scores[seat] for seat in best} == {min(state.outcome.scores)}


@settings(max_examples=25, deadline=None)
@given(st.sampled_from([6, 7, 9, 10, 11]), any_seed)
def test_a_seat_that_wins_every_trick_is_asked_for_its_moon(seats: int, seed: int) -> None:
    """A hand of the highest clubs in pairs wins all there is, whatever the others hold and do."""
    rng = random.Random(seed)
    each = 104 // seats
    clubs = sorted((card for card in TWO_PACKS if card <= CARDS["AC"]), reverse=True)
    # Where the hand is odd, its lowest club's twin is left over, or it could cancel that club.
    shooters, twin = clubs[:each], clubs[each : each + each % 2]
    others = list((Counter(TWO_PACKS) - Counter(shooters + twin)).elements())
    rng.shuffle(others)
    shooter = rng.randrange(seats)
    hands = [sorted(others[each * seat : each * (seat + 1)]) for seat in range(seats - 1)]
    hands.insert(shooter, sorted(shooters))
    game = random_game(seats, seed, max_hands=1)
    game.begin_hand(hands, others[each * (seats - 1) :] + twin)
    game.begin_play(shooter)
    asked = [
        seat
        for state, _ in playout(game, rng)
        for seat, decision in state.decisions.items()
        if decision.kind == "moon"
    ]
    assert asked == [shooter]
    assert game.outcome is not None
    others_total = sum(game.outcome.scores) - game.outcome.scores[shooter]
    assert (game.outcome.scores[shooter], others_total) in [(-26, 0), (0, 26 * (seats - 1))]


@settings(max_examples=15, deadline=None)
@given(any_seats, any_seed)
def test_a_view_does_not_depend_on_what_its_seat_may_not_know(seats: int, seed: int) -> None:
    """With the others' and the left-over cards exchanged every view is the same."""
    rng = random.Random(seed)
    for state, _ in playout(random_game(seats, seed, max_hands=1), rng):
        for seat in state.decisions:
            other = copy.copy(state)
            hidden = [*state.left_over]
            for each in range(seats):
                hidden += state.hands[each] if each != seat else []
            rng.shuffle(hidden)
            other.hands = [
                list(hand) if each == seat else [hidden.pop() for _ in hand]
                for each, hand in enumerate(state.hands)
            ]
            other.hand_names = [names(hand) for hand in other.hands]
            other.left_over = hidden
            other.face_down = hidden[: len(state.face_down)]
            other.gave = [gave if each == seat else None for each, gave in enumerate(state.gave)]
            other.got = [got if each == seat else None for each, got in enumerate(state.got)]
            other.piles = []
            assert other.view(seat) == state.view(seat)


@settings(max_examples=15, deadline=None)
@given(any_seats, any_seed)
def test_a_seat_is_told_all_that_its_cards_are(seats: int, seed: int) -> None:
    """From its own events alone each seat knows its cards, and no other seat hears of them."""
    held: list[Counter[str]] = [Counter() for _ in range(seats)]
    for state, told in playout(random_game(seats, seed, max_hands=2), random.Random(seed)):
        for audience, event in told:
            if isinstance(event, Dealt):
                assert audience is not None
                (seat,) = audience
                held[seat] = Counter(event.cards)
            elif isinstance(event, Passed):
                assert audience == (event.from_, event.to)
                held[event.from_] -= Counter(event.cards)
                held[event.to] += Counter(event.cards)
            else:
                assert audience is None
                if isinstance(event, Played):
                    held[event.seat] -= Counter([event.card])
        assert [Counter(state.view(seat).cards) for seat in range(seats)] == held


def test_the_view_holds_the_keys_of_the_page() -> None:
    """A view on the wire has the keys that the page lists, and no other."""
    assert CancellationHeartsView.__struct_encode_fields__ == (
        *("hand", "dealer", "pass_to", "cards", "gave", "got", "trick", "played", "broken"),
        *("set_aside", "left_over", "taken", "tricks", "scores", "target"),
    )
