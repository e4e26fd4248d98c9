"""I Doubt It, rule by rule; the worked cases; whole games at random, heard from every seat."""

import json
import random
from collections.abc import Iterable, Iterator, Mapping, Sequence
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
from referee.games.game import Choice, Dealt, Event, RulesError, Told
from referee.games.i_doubt_it import (
    Discard,
    Discarded,
    Doubted,
    Hands,
    IDoubtIt,
    IDoubtItState,
    Misnamed,
    Out,
    OwnDiscard,
    Taken,
)
from tests.games.cases import Case, cases, choose

GAME = IDoubtIt()
SHUFFLE = shuffle_of(bytes(32))
DOWN = "AKQJT98765432"

E = TypeVar("E", bound=Event)


def start(seats: int, **options: object) -> IDoubtItState:
    return GAME.start(seats, GAME.rules(options, seats), SHUFFLE)


def set_up(
    hands: Sequence[str],
    pile: Sequence[tuple[int, str, str]] = (),
    *,
    turn: int = 0,
    due: str = "A",
    **options: object,
) -> IDoubtItState:
    """Go on from these hands (``"AS 4C"``, by seat) and this pile (seat, cards, rank named)."""
    state = start(len(hands), **options)
    state.set_up(
        [parse_cards(hand.split()) for hand in hands],
        [Discard(seat, parse_cards(cards.split()), rank) for seat, cards, rank in pile],
        turn,
        RANKS.index(due),
    )
    return state


def discard(state: IDoubtItState, cards: str, claim: str | None = None) -> list[Event]:
    """Let the seat in turn discard these cards."""
    return choose(state, *cards.split(), claim=claim)


def answers(state: IDoubtItState, *doubters: int) -> dict[int, Choice]:
    return {seat: Choice([seat in doubters]) for seat in state.decisions}


def answer(state: IDoubtItState, *doubters: int) -> list[Event]:
    """Let these seats doubt the discard and all others not."""
    assert {decision.kind for decision in state.decisions.values()} == {"doubt"}
    return [event for _, event in state.apply(answers(state, *doubters))]


def heard(told: Iterable[Told], seat: int) -> list[Event]:
    return [event for to, event in told if to is None or seat in to]


def only(events: Iterable[Event], kind: type[E]) -> E:
    (event,) = (event for event in events if isinstance(event, kind))
    return event


def kinds(events: Iterable[Event]) -> list[str]:
    return [type(event).__name__ for event in events]


def as_json(struct: msgspec.Struct) -> Any:
    return json.loads(msgspec.json.encode(struct))


# The rules


@pytest.mark.parametrize("seats", GAME.seats)
def test_i_doubt_it_r1_all_cards_are_dealt_as_evenly_as_they_go(seats: int) -> None:
    state = start(seats)
    packs = 1 if seats <= 5 else 2
    assert sorted(card for hand in state.hands for card in hand) == sorted([*range(52)] * packs)
    counts = [len(hand) for hand in state.hands]
    assert max(counts) - min(counts) <= 1


def test_i_doubt_it_r2_the_ranks_due_go_down_from_aces_and_after_twos_to_aces_again() -> None:
    state = start(4)
    due = []
    for _ in range(27):
        due.append(only(choose(state, next(iter(state.decisions.values())).options[0]), Discarded))
        answer(state)
    assert "".join(event.expected for event in due) == DOWN + DOWN + "A"
    assert [event.seat for event in due] == [turn % 4 for turn in range(27)]


def test_i_doubt_it_r3_the_count_named_is_the_count_played_whatever_the_cards_are() -> None:
    state = set_up(["2C 3C 4C 5C", "6C", "7C"])
    event = only(discard(state, "2C 4C 5C"), Discarded)
    assert (event.count, event.rank) == (3, "A")
    assert names(state.hands[0]) == ["3C"]


def test_i_doubt_it_r4_who_names_a_wrong_rank_takes_the_pile() -> None:
    state = set_up(["QC 3C", "6C", "7C"], [(1, "8C", "A"), (2, "9C JD", "K")], due="Q")
    events = discard(state, "QC", claim="J")
    assert only(events, Misnamed) == Misnamed(0, 4)
    assert names(state.hands[0]) == ["3C", "8C", "9C", "QC", "JD"]
    assert state.pile == []


@pytest.mark.parametrize("laid", ["KD", "AS KD", "AS AH 2C"])
def test_i_doubt_it_r5_one_card_of_another_rank_gives_the_discarder_the_whole_pile(
    laid: str,
) -> None:
    state = set_up([f"{laid} 9C", "6C", "7C"], [(2, "8C", "2")])
    discard(state, laid)
    count = 1 + len(laid.split())
    event = only(answer(state, 1), Doubted)
    assert (event.seat, event.honest, event.taker, event.taken) == (1, False, 0, count)
    assert [len(hand) for hand in state.hands] == [1 + count, 1, 1]
    assert state.pile == []


@pytest.mark.parametrize("laid", ["AS", "AS AH AC"])
def test_i_doubt_it_r5_cards_all_of_the_rank_named_give_the_doubter_the_whole_pile(
    laid: str,
) -> None:
    state = set_up([f"{laid} 9C", "6C", "7C"], [(2, "8C", "2")])
    discard(state, laid)
    count = 1 + len(laid.split())
    event = only(answer(state, 2), Doubted)
    assert (event.seat, event.honest, event.taker, event.taken) == (2, True, 2, count)
    assert [len(hand) for hand in state.hands] == [1, 1, 1 + count]
    assert state.pile == []


def test_i_doubt_it_r5_every_other_seat_may_doubt_and_the_discarder_is_not_asked() -> None:
    state = set_up(["6C 7C", "8C", "9C", "AC 2C", "TC"], turn=3)
    discard(state, "2C")
    assert list(state.decisions) == [0, 1, 2, 4]
    for decision in state.decisions.values():
        assert decision.kind == "doubt"
        assert list(decision.options) == [False, True]
        assert (decision.min, decision.max) == (1, 1)


@pytest.mark.parametrize(
    ("turn", "doubters", "doubter"),
    [
        (0, (1, 4), 1),
        (1, (0, 4), 4),
        (2, (0, 1, 3), 3),
        (2, (0, 1), 0),
        (3, (0, 1, 2), 0),
        (3, (2,), 2),
        (4, (0, 3), 0),
    ],
)
def test_i_doubt_it_r6_of_several_the_nearest_to_the_discarders_left_is_the_doubter(
    turn: int, doubters: tuple[int, ...], doubter: int
) -> None:
    state = set_up(["6C 7C", "8C 9C", "TC JC", "QC KC", "2D 3D"], turn=turn)
    choose(state, names(state.hands[turn])[0])
    assert only(answer(state, *doubters), Doubted).seat == doubter


def test_i_doubt_it_r7_an_honest_last_discard_wins_at_once() -> None:
    state = set_up(["AC AD", "6C 9C", "7C"])
    assert kinds(discard(state, "AC AD")) == ["Discarded", "OwnDiscard", "Doubted", "Out"]
    assert state.decisions == {}
    assert state.outcome is not None
    assert state.outcome.ranks == [1, 3, 2]


def test_i_doubt_it_r7_a_false_last_discard_takes_the_pile_and_the_game_goes_on() -> None:
    state = set_up(["AC 2D", "6C 9C", "7C"], [(2, "8C", "2")])
    events = discard(state, "AC 2D")
    assert kinds(events) == ["Discarded", "OwnDiscard", "Doubted", "Taken"]
    assert only(events, Taken).cards == ["8C", "AC", "2D"]
    assert state.outcome is None
    assert list(state.decisions) == [1]


# The options


@pytest.mark.parametrize("seats", GAME.seats)
def test_i_doubt_it_options_packs_follow_the_seats_and_the_full_rules_hold_the_number(
    seats: int,
) -> None:
    packs = 1 if seats <= 5 else 2
    full = msgspec.to_builtins(GAME.rules({}, seats))
    assert full == {"packs": packs, "doubt": "together", "max_discards": 500}
    assert msgspec.to_builtins(GAME.rules(full, seats)) == full


@pytest.mark.parametrize("seats", GAME.seats)
def test_i_doubt_it_options_packs_other_than_the_seats_allow_are_refused(seats: int) -> None:
    packs = 1 if seats <= 5 else 2
    with pytest.raises(RulesError, match=rf"option packs: must be {packs} with {seats} seats"):
        GAME.rules({"packs": 3 - packs}, seats)


@pytest.mark.parametrize(
    ("option", "value"),
    [
        ("packs", 0),
        ("packs", 3),
        ("packs", True),
        ("packs", "1"),
        ("doubt", "last"),
        ("doubt", True),
        ("max_discards", 0),
        ("max_discards", 100_001),
        ("max_discards", "500"),
    ],
)
def test_i_doubt_it_options_of_a_wrong_type_or_out_of_range_are_refused_by_name(
    option: str, value: object
) -> None:
    with pytest.raises(RulesError, match=f"i_doubt_it: option {option}: .*found "):
        GAME.rules({option: value}, 4)


@pytest.mark.parametrize("max_discards", [1, 100_000])
def test_i_doubt_it_options_max_discards_may_be_one_to_a_hundred_thousand(
    max_discards: int,
) -> None:
    rules = GAME.rules({"max_discards": max_discards}, 4)
    assert msgspec.to_builtins(rules)["max_discards"] == max_discards


def test_i_doubt_it_options_doubt_together_waits_for_every_answer() -> None:
    state = set_up(["6C 7C", "8C", "9C"])
    assert state.settled_by is None
    discard(state, "7C")
    assert state.settled_by is None


def test_i_doubt_it_options_doubt_first_is_settled_by_a_doubt_only_while_doubts_are_open() -> None:
    state = set_up(["6C 7C", "8C TC", "AC"], doubt="first")
    assert state.settled_by is None
    discard(state, "7C")
    assert state.settled_by is True
    answer(state)
    assert state.settled_by is None
    discard(state, "TC")
    state.apply({0: Choice([True])})
    assert state.settled_by is None


def test_i_doubt_it_options_doubt_first_is_not_settled_once_the_game_is_over() -> None:
    state = set_up(["6C 7C", "8C TC", "AC"], doubt="first", max_discards=1)
    discard(state, "7C")
    answer(state)
    assert state.outcome is not None
    assert state.settled_by is None


# The decisions of the page


@pytest.mark.parametrize(
    ("seats", "counts"),
    [(3, [18, 17, 17]), (5, [11, 11, 10, 10, 10]), (8, [13] * 8), (11, [10] * 5 + [9] * 6)],
)
def test_i_doubt_it_d1_seat_0_is_first_and_the_odd_cards_go_to_the_first_seats(
    seats: int, counts: list[int]
) -> None:
    state = start(seats)
    assert list(state.decisions) == [0]
    assert only((event for _, event in state.opening), Hands).counts == counts
    assert [len(hand) for hand in state.hands] == counts


def test_i_doubt_it_d2_without_a_claim_the_right_rank_is_named() -> None:
    state = set_up(["2C 3C", "6C", "7C"], due="T")
    event = only(discard(state, "2C"), Discarded)
    assert (event.rank, event.expected) == ("T", "T")
    assert list(state.decisions) == [1, 2]


def test_i_doubt_it_d2_a_claim_of_the_right_rank_is_the_same_as_none() -> None:
    told = []
    for claim in (None, "T"):
        state = set_up(["2C 3C", "6C", "7C"], due="T")
        told.append(discard(state, "2C", claim))
        assert list(state.decisions) == [1, 2]
    assert told[0] == told[1]


@pytest.mark.parametrize("claim", DOWN.replace("T", ""))
def test_i_doubt_it_d2_a_wrong_claim_is_settled_at_once_even_where_the_cards_are_right(
    claim: str,
) -> None:
    state = set_up(["TC 3C", "6C", "7C"], due="T")
    events = discard(state, "TC", claim)
    assert events == [
        Discarded(0, 1, claim, "T", 1),
        OwnDiscard(["TC"]),
        Misnamed(0, 1),
        Taken(["TC"]),
    ]
    assert list(state.decisions) == [1]
    assert state.view(1).rank == "9"


def test_i_doubt_it_d2_every_rank_may_be_claimed_on_a_discard_and_nothing_on_a_doubt() -> None:
    assert {"discard": tuple(DOWN)} == GAME.claims


def test_i_doubt_it_d3_one_card_to_the_whole_hand_may_be_discarded() -> None:
    hand = "3C 3C 9C 2D AS"
    state = set_up([hand, "6C", "7C", "8C", "9C", "TC"])
    ((_, decision),) = state.decisions.items()
    assert decision.options == hand.split()
    assert (decision.kind, decision.min, decision.max) == ("discard", 1, 5)
    assert only(discard(state, hand), Discarded).count == 5


@pytest.mark.parametrize(
    ("laid", "claim", "doubters"),
    [
        pytest.param("2C", None, None, id="settled-without-doubt"),
        pytest.param("2C", None, 0, id="the-discarder-takes"),
        pytest.param("AC", None, 3, id="the-next-seat-takes"),
        pytest.param("AC", None, 1, id="another-takes"),
        pytest.param("AC", "K", None, id="misnamed"),
        pytest.param("2C AC", None, None, id="a-false-last-discard"),
    ],
)
def test_i_doubt_it_d4_the_turn_and_the_rank_move_on_whoever_takes_the_pile(
    laid: str, claim: str | None, doubters: int | None
) -> None:
    state = set_up(["6C", "7C", "AC 2C", "8C"], turn=2)
    discard(state, laid, claim)
    if len(state.decisions) > 1:
        answer(state, *([] if doubters is None else [doubters]))
    assert list(state.decisions) == [3]
    view = state.view(3)
    assert (view.turn, view.rank) == (3, "K")


def test_i_doubt_it_d4_the_seat_after_the_last_is_seat_0() -> None:
    state = set_up(["6C", "7C", "AC 2C"], turn=2)
    discard(state, "2C")
    answer(state)
    assert list(state.decisions) == [0]


def test_i_doubt_it_d5_all_see_the_cards_shown_and_only_the_taker_those_taken() -> None:
    state = set_up(["AC 2C AS", "6C", "7C"], [(1, "KD", "3"), (2, "QD", "2")])
    discard(state, "AS AC")
    told = state.apply(answers(state, 2))
    shown = Doubted(2, 0, ["AC", "AS"], honest=True, taker=2, taken=4)
    assert heard(told, 0) == heard(told, 1) == [shown]
    assert heard(told, 2) == [shown, Taken(["AC", "QD", "KD", "AS"])]


def test_i_doubt_it_d5_the_others_learn_only_the_number_that_a_misnamer_takes() -> None:
    state = set_up(["AC 2C", "6C", "7C"], [(2, "QD", "2")])
    told = state.apply({0: Choice(["AC"], "2")})
    assert heard(told, 1) == heard(told, 2) == [Discarded(0, 1, "2", "A", 2), Misnamed(0, 2)]
    assert heard(told, 0)[-1] == Taken(["AC", "QD"])


def test_i_doubt_it_d6_an_honest_last_discard_is_shown_undoubted_then_out() -> None:
    state = set_up(["6C", "7C 8C", "AC AS"], [(1, "QD", "2")], turn=2)
    assert discard(state, "AS AC") == [
        Discarded(2, 2, "A", "A", 3),
        OwnDiscard(["AC", "AS"]),
        Doubted(None, 2, ["AC", "AS"], honest=True, taker=None, taken=0),
        Out(2),
    ]


def test_i_doubt_it_d6_a_false_last_discard_is_shown_undoubted_and_its_seat_takes_the_pile() -> (
    None
):
    state = set_up(["6C", "7C 8C", "AC 2S"], [(1, "QD", "2")], turn=2)
    assert discard(state, "2S AC") == [
        Discarded(2, 2, "A", "A", 3),
        OwnDiscard(["AC", "2S"]),
        Doubted(None, 2, ["AC", "2S"], honest=False, taker=2, taken=3),
        Taken(["AC", "QD", "2S"]),
    ]
    assert list(state.decisions) == [0]


def test_i_doubt_it_d6_a_wrong_rank_named_on_an_honest_last_discard_wins_nothing() -> None:
    state = set_up(["6C", "7C 8C", "AC AS"], [(1, "QD", "2")], turn=2)
    assert discard(state, "AS AC", claim="K") == [
        Discarded(2, 2, "K", "A", 3),
        OwnDiscard(["AC", "AS"]),
        Misnamed(2, 3),
        Taken(["AC", "QD", "AS"]),
    ]
    assert state.outcome is None
    assert state.view(0).shown is None


def test_i_doubt_it_d6_a_last_card_is_a_lone_option() -> None:
    state = set_up(["AC", "7C 8C", "6C"])
    assert state.decisions[0].is_forced
    assert state.decisions[0].default == ["AC"]


def test_i_doubt_it_d6a_together_the_other_doubters_stay_unknown() -> None:
    """What is told and what is seen is the same whether or not farther seats doubted too."""
    seen = []
    for doubters in ((2,), (0, 2), (0, 2, 3)):
        state = set_up(["6C", "7C 8C", "9C", "TC"], turn=1)
        discard(state, "7C")
        told = state.apply(answers(state, *doubters))
        seen.append((told, [as_json(state.view(seat)) for seat in state.decisions]))
    assert seen[0] == seen[1] == seen[2]
    assert only(heard(seen[0][0], 0), Doubted).seat == 2


def test_i_doubt_it_d6a_first_the_doubt_that_came_counts_and_no_other_is_awaited() -> None:
    state = set_up(["6C 5C", "7C 8C", "9C", "TC"], doubt="first")
    discard(state, "6C")
    told = state.apply({2: Choice([False]), 3: Choice([True])})
    assert only(heard(told, 0), Doubted).seat == 3
    assert list(state.decisions) == [1]


def test_i_doubt_it_d6a_first_the_order_of_arrival_goes_before_the_seats() -> None:
    state = set_up(["6C 5C", "7C 8C", "9C", "TC"], doubt="first")
    discard(state, "6C")
    told = state.apply({3: Choice([True]), 1: Choice([True])})
    assert only(heard(told, 0), Doubted).seat == 3


def test_i_doubt_it_d6a_together_the_order_of_arrival_is_nothing() -> None:
    state = set_up(["6C 5C", "7C 8C", "9C", "TC"])
    discard(state, "6C")
    told = state.apply({3: Choice([True]), 2: Choice([False]), 1: Choice([True])})
    assert only(heard(told, 0), Doubted).seat == 1


@pytest.mark.parametrize("doubt", ["together", "first"])
def test_i_doubt_it_d6b_where_nobody_doubts_there_is_no_event(doubt: str) -> None:
    state = set_up(["6C 5C", "7C 8C", "9C"], doubt=doubt)
    discard(state, "6C")
    assert answer(state) == []
    assert kinds(discard(state, "7C")) == ["Discarded", "OwnDiscard"]


def test_i_doubt_it_d7_the_others_rank_by_the_cards_they_hold_ties_sharing() -> None:
    state = set_up(["6C 5C 4C", "AS", "7C 8C", "9C TC"], [(0, "3D", "2")], turn=1)
    discard(state, "AS")
    assert state.outcome is not None
    assert state.outcome.scores == [-3, 0, -2, -2]
    assert state.outcome.ranks == [4, 1, 2, 2]
    assert not state.outcome.capped


@pytest.mark.parametrize("doubt", ["together", "first"])
@pytest.mark.parametrize(
    ("doubters", "scores", "ranks"),
    [((), [-1, -2, -1], [1, 3, 1]), ((2,), [-2, -2, -1], [2, 2, 1])],
)
def test_i_doubt_it_d7_the_cap_falls_after_the_doubts_of_the_last_discard(
    doubt: str, doubters: tuple[int, ...], scores: list[int], ranks: list[int]
) -> None:
    state = set_up(["6C 5C", "7C 8C", "9C"], doubt=doubt, max_discards=1)
    discard(state, "6C")
    assert list(state.decisions) == [1, 2]
    assert state.outcome is None
    answer(state, *doubters)
    assert state.decisions == {}
    assert state.outcome is not None
    assert state.outcome.scores == scores
    assert state.outcome.ranks == ranks
    assert state.outcome.capped


@pytest.mark.parametrize(("laid", "claim"), [("AC", "K"), ("AC 2C", None)])
def test_i_doubt_it_d7_the_cap_falls_after_a_wrong_rank_and_a_false_last_discard_too(
    laid: str, claim: str | None
) -> None:
    state = set_up(["AC 2C", "7C 8C 9C", "TC"], max_discards=1)
    events = discard(state, laid, claim)
    assert isinstance(events[-1], Taken)
    assert state.decisions == {}
    assert state.outcome is not None
    assert state.outcome.scores == [-2, -3, -1]
    assert state.outcome.capped


def test_i_doubt_it_d7_a_game_that_ends_with_its_last_discard_is_not_capped() -> None:
    state = set_up(["AC", "7C 8C 9C", "TC"], max_discards=1)
    discard(state, "AC")
    assert state.outcome is not None
    assert not state.outcome.capped


@pytest.mark.parametrize("max_discards", [1, 2, 5])
def test_i_doubt_it_d7_the_cap_is_exact(max_discards: int) -> None:
    state = start(4, max_discards=max_discards)
    for number in range(1, max_discards + 1):
        assert state.outcome is None
        choose(state, next(iter(state.decisions.values())).options[0])
        assert state.discarded == number
        answer(state)
    assert state.outcome is not None


# What a bot reads


def test_i_doubt_it_opening_tells_all_the_counts_and_each_seat_its_own_cards() -> None:
    state = start(3)
    for seat in range(3):
        assert heard(state.opening, seat) == [Hands([18, 17, 17]), Dealt(names(state.hands[seat]))]


def test_i_doubt_it_only_the_discarder_hears_its_own_discard() -> None:
    state = set_up(["AC 2C KS", "6C", "7C"])
    told = state.apply({0: Choice(["KS", "2C"])})
    assert heard(told, 0) == [Discarded(0, 2, "A", "A", 2), OwnDiscard(["2C", "KS"])]
    assert heard(told, 1) == heard(told, 2) == [Discarded(0, 2, "A", "A", 2)]


def test_i_doubt_it_view_of_a_discard_is_what_the_page_lists() -> None:
    state = set_up(["AC 2C", "6C 9C", "7C"], [(1, "QD 3D", "3"), (0, "4S", "2"), (1, "2D", "A")])
    assert as_json(state.view(0)) == {
        "cards": ["2C", "AC"],
        "counts": [2, 2, 1],
        "pile": 4,
        "claims": [
            {"seat": 1, "count": 2, "rank": "3"},
            {"seat": 0, "count": 1, "rank": "2"},
            {"seat": 1, "count": 1, "rank": "A"},
        ],
        "own_pile": ["4S"],
        "shown": None,
        "rank": "A",
        "turn": 0,
        "discarded": 0,
    }


def test_i_doubt_it_view_of_a_doubt_counts_the_discard_in_question() -> None:
    state = set_up(["AC 2C", "6C 9C", "7C"], [(1, "QD 3D", "3")], due="T")
    discard(state, "AC")
    assert as_json(state.view(1)) == {
        "cards": ["6C", "9C"],
        "counts": [1, 2, 1],
        "pile": 3,
        "claims": [{"seat": 1, "count": 2, "rank": "3"}, {"seat": 0, "count": 1, "rank": "T"}],
        "own_pile": ["3D", "QD"],
        "shown": None,
        "rank": "T",
        "turn": 0,
        "discarded": 1,
        "discard": {"seat": 0, "count": 1, "rank": "T"},
    }


def test_i_doubt_it_view_shows_the_last_doubts_event_and_an_empty_pile_after_it() -> None:
    state = set_up(["AC 2C", "6C 9C", "7C"], [(1, "QD 3D", "3")])
    discard(state, "AC")
    answer(state, 1)
    view = as_json(state.view(1))
    assert view["shown"] == {
        "event": "doubted",
        "seat": 1,
        "discarder": 0,
        "cards": ["AC"],
        "honest": True,
        "taker": 1,
        "taken": 3,
    }
    assert (view["pile"], view["claims"], view["own_pile"]) == (0, [], [])


def test_i_doubt_it_view_has_a_schema_that_describes_a_claim() -> None:
    schema = msgspec.json.schema(GAME.view_type)["$defs"]["IDoubtItView"]
    assert sorted(schema["properties"]["discard"]["required"]) == ["count", "rank", "seat"]
    assert schema["properties"]["claims"]["items"] == schema["properties"]["discard"]
    assert "discard" not in schema["required"]


# The worked cases


def pile_of(cards: Sequence[str], seat: int, seats: int, due: str) -> list[tuple[int, str, str]]:
    """Return a pile of these cards as discards of one card each by the seats before this one."""
    due_at = DOWN.index(due)
    return [
        ((seat - back) % seats, card, DOWN[(due_at - back) % 13])
        for back, card in zip(range(len(cards), 0, -1), cards, strict=True)
    ]


@pytest.mark.parametrize("case", cases("i_doubt_it", "doubt"))
def test_i_doubt_it_case_of_a_discard_and_its_doubts(case: Case) -> None:
    seats, seat = case["seats"], case["seat"]
    state = set_up(
        [
            " ".join(case["discard"] + case["keeps"]) if other == seat else "5C 6C 7C"
            for other in range(seats)
        ],
        pile_of(case["pile"], seat, seats, case["expected"]),
        turn=seat,
        due=case["expected"],
        **case["rules"],
    )
    events = choose(state, *case["discard"], claim=case["claim"])
    asked = [other for other, decision in state.decisions.items() if decision.kind == "doubt"]
    if asked:
        events += answer(state, *case["doubters"])

    doubted = next((event for event in events if isinstance(event, Doubted)), None)
    misnamed = next((event for event in events if isinstance(event, Misnamed)), None)
    out = next((event for event in events if isinstance(event, Out)), None)
    next_seat = next(iter(state.decisions), None)
    found: dict[str, object] = {
        "asked": sorted(asked, key=lambda other: (other - seat) % seats),
        "doubter": doubted and doubted.seat,
        "taker": doubted.taker if doubted else misnamed and misnamed.seat,
        "taken": doubted.taken if doubted else misnamed.taken if misnamed else 0,
        "pile_after": len(state.pile),
        "winner": out and out.seat,
        "next_seat": next_seat,
        "next_rank": None if next_seat is None else state.view(next_seat).rank,
    }
    if doubted:
        found |= {"shown": doubted.cards, "honest": doubted.honest}
    assert {key: found[key] for key in case["expect"]} == case["expect"]


@pytest.mark.parametrize("case", cases("i_doubt_it", "game_end"))
def test_i_doubt_it_case_of_a_games_end(case: Case) -> None:
    counts, expect = case["counts"], case["expect"]
    # The last discard of the game is seat's: an ace, its last card unless the game is capped.
    seat = 0 if expect["capped"] else counts.index(0)
    hands = [["5C"] * count for count in counts]
    hands[seat].append("AS")
    state = set_up([" ".join(hand) for hand in hands], turn=seat, max_discards=1)
    discard(state, "AS")
    if state.decisions:
        answer(state)
    assert msgspec.to_builtins(state.outcome) == expect


@pytest.mark.parametrize("case", cases("i_doubt_it", "schedule"))
def test_i_doubt_it_case_of_a_schedule(case: Case) -> None:
    seats, expect = case["seats"], case["expect"]
    assert msgspec.to_builtins(GAME.rules({}, seats))["packs"] == expect["packs"]
    state = start(seats)
    assert [len(hand) for hand in state.hands] == expect["counts"]
    assert sum(expect["counts"]) == 52 * expect["packs"]
    first_seats, due = [], ""
    for _ in range(16):
        ((seat, decision),) = state.decisions.items()
        first_seats.append(seat)
        due += only(choose(state, decision.options[0]), Discarded).expected
        answer(state)
    assert first_seats == expect["first_seats"]
    assert due == expect["ranks"]


@pytest.mark.parametrize("case", cases("i_doubt_it", "options"))
def test_i_doubt_it_case_of_options(case: Case) -> None:
    try:
        GAME.rules(case["rules"], case["seats"])
    except RulesError:
        accepted = False
    else:
        accepted = True
    assert accepted == case["expect"]["accepted"]


@pytest.mark.parametrize("case", cases("i_doubt_it", "deal"))
def test_i_doubt_it_case_of_a_deal(case: Case) -> None:
    seats, expect = case["seats"], case["expect"]
    secret = bytes.fromhex(case["secret"]) if "secret" in case else seed_secret(case["seed_text"])
    seed = deal_seed(secret, GAME.name, seats, case["deal"])
    assert seed.hex() == expect["seed"]
    state = GAME.start(seats, GAME.rules({}, seats), shuffle_of(seed))
    assert [names(hand) for hand in state.hands] == expect["hands"]
    assert list(state.decisions) == [(expect["dealer"] + 1) % seats]


# Whole games


class Listener:
    """A seat that knows nothing but the events it hears, and from them what its view must be."""

    def __init__(self, seat: int) -> None:
        self.seat = seat
        self.cards: list[str] = []
        self.counts: list[int] = []
        self.claims: list[dict[str, object]] = []
        self.own_pile: list[str] = []
        self.shown: Doubted | None = None
        self.last: Discarded | None = None
        self.pile = 0
        self.discarded = 0

    def hear(self, event: Event) -> None:
        match event:
            case Hands(counts):
                self.counts = list(counts)
            case Dealt(cards):
                self.cards = list(cards)
            case Discarded(seat, count, rank, _, pile):
                assert pile == self.pile + count
                self.pile = pile
                self.counts[seat] -= count
                self.claims.append({"seat": seat, "count": count, "rank": rank})
                self.discarded += 1
                self.last = event
            case OwnDiscard(cards):
                for card in cards:
                    self.cards.remove(card)
                self.own_pile += cards
            case Misnamed(seat, taken):
                self.pile_taken(seat, taken)
            case Doubted(_, _, _, _, taker, taken):
                self.shown = event
                if taker is not None:
                    self.pile_taken(taker, taken)
            case Taken(cards):
                self.cards += cards

    def pile_taken(self, seat: int, taken: int) -> None:
        assert taken == self.pile
        self.counts[seat] += taken
        self.pile, self.claims, self.own_pile = 0, [], []

    def view(self, kind: str) -> dict[str, object]:
        """Return what the view must hold in a decision of this kind."""
        turn, rank = 0, "A"
        if self.last is not None:
            turn, rank = self.last.seat, self.last.expected
            if kind == "discard":
                turn, rank = (turn + 1) % len(self.counts), DOWN[(DOWN.index(rank) + 1) % 13]
        view: dict[str, object] = {
            "cards": sorted_names(parse_cards(self.cards)),
            "counts": self.counts,
            "pile": self.pile,
            "claims": self.claims,
            "own_pile": sorted_names(parse_cards(self.own_pile)),
            "shown": None if self.shown is None else as_json(self.shown),
            "rank": rank,
            "turn": turn,
            "discarded": self.discarded,
        }
        return view | ({"discard": self.claims[-1]} if kind == "doubt" else {})


def random_choices(
    state: IDoubtItState, rng: random.Random, suspicion: float
) -> Mapping[int, Choice]:
    """Discard the rank due more often than not, seldom under a wrong name; doubt at random."""
    if len(state.decisions) == 1:
        ((seat, decision),) = state.decisions.items()
        due = state.view(seat).rank
        options = [str(option) for option in decision.options]
        honest = [card for card in options if card[0] == due]
        if honest and rng.random() < 0.7:
            return {seat: Choice(honest)}
        cards = rng.sample(options, rng.randint(1, min(3, len(options))))
        return {seat: Choice(cards, rng.choice(DOWN) if rng.random() < 0.05 else None)}
    answers = {seat: Choice([rng.random() < suspicion]) for seat in state.decisions}
    if state.settled_by is None:
        return answers
    arrived = {}
    for seat in rng.sample(list(answers), len(answers)):
        arrived[seat] = answers[seat]
        if answers[seat].choose == [state.settled_by]:
            break
    return arrived


def check_told(state: IDoubtItState, told: Iterable[Told], listeners: Sequence[Listener]) -> None:
    """Check who may learn each event, and let them hear it."""
    told = list(told)
    private = {to for to, event in told if isinstance(event, Taken)}
    public = [event for _, event in told if isinstance(event, Doubted | Misnamed)]
    takers = {
        (taker,)
        for event in public
        if (taker := event.taker if isinstance(event, Doubted) else event.seat) is not None
    }
    assert private == takers
    for to, event in told:
        if isinstance(event, OwnDiscard):
            assert to == (only((other for _, other in told), Discarded).seat,)
        assert (to is not None) == isinstance(event, Dealt | OwnDiscard | Taken)
        for seat in range(state.seats) if to is None else to:
            listeners[seat].hear(event)


def playthrough(state: IDoubtItState, rng: random.Random, suspicion: float) -> Iterator[None]:
    """Play to the end and check each view against what its seat has heard, each step."""
    listeners = [Listener(seat) for seat in range(state.seats)]
    check_told(state, state.opening, listeners)
    yield
    while state.decisions:
        for seat, decision in state.decisions.items():
            assert as_json(state.view(seat)) == listeners[seat].view(decision.kind)
        choices = random_choices(state, rng, suspicion)
        for seat, choice in choices.items():
            assert state.decisions[seat].objection(choice.choose) is None
        check_told(state, state.apply(choices), listeners)
        yield
    assert state.outcome is not None
    counts = listeners[0].counts
    assert state.outcome.scores == [-count for count in counts]
    assert state.outcome.ranks == [1 + sum(other < count for other in counts) for count in counts]
    assert state.outcome.capped == (0 not in counts)


@settings(max_examples=60, deadline=None)
@given(
    seats=st.sampled_from(GAME.seats),
    doubt=st.sampled_from(["together", "first"]),
    max_discards=st.integers(1, 120),
    suspicion=st.sampled_from([0.01, 0.1, 0.5]),
    seed=st.integers(0, 2**32),
)
def test_i_doubt_it_every_view_holds_what_its_seat_has_heard_and_no_card_is_ever_lost(
    seats: int, doubt: str, max_discards: int, suspicion: float, seed: int
) -> None:
    rules = GAME.rules({"doubt": doubt, "max_discards": max_discards}, seats)
    state = GAME.start(seats, rules, shuffle_of(seed.to_bytes(32, "big")))
    everything = sorted([*range(52)] * (1 if seats <= 5 else 2))
    for _ in playthrough(state, random.Random(seed), suspicion):
        held = [card for hand in state.hands for card in hand]
        assert sorted(held + state.pile) == everything
        assert sorted(card for own in state.own_pile for card in own) == sorted(state.pile)
        assert all(hand == sorted(hand) for hand in state.hands)
        assert state.discarded <= max_discards
        others = [(state.turn + i) % seats for i in range(1, seats)]
        if state.settled_by is None:
            others.sort()
        assert [*state.decisions] in ([], [state.turn], others)


@pytest.mark.parametrize("doubt", ["together", "first"])
def test_i_doubt_it_random_games_end_both_with_a_seat_out_and_at_the_cap(doubt: str) -> None:
    """The games of the property test are no monoculture."""
    capped = set()
    for seed in range(12):
        state = start(3 + seed % 3, doubt=doubt, max_discards=60)
        for _ in playthrough(state, random.Random(seed), 0.03):
            pass
        assert state.outcome is not None
        capped.add(state.outcome.capped)
    assert capped == {True, False}
