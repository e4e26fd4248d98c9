"""What lies on the table is folded from events: checked against the games' own states."""

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.cards import names, shuffle_of
from referee.games.cancellation_hearts import CancellationHeartsState
from referee.games.game import Choice, find_game
from referee.games.i_doubt_it import IDoubtItState
from referee.games.oh_hell import OhHellState
from referee.games.pitch import PitchState
from referee.record.lines import ChoiceLine, EventLine, Header, encode
from referee.show.replay.position import Laid, Position, positions
from referee.show.replay.recording import read
from tests.show.replay.recorded import GAMES, recorded

States = CancellationHeartsState | IDoubtItState | OhHellState | PitchState


def position_after(game: str, *events: dict[str, object], to: list[int] | None = None) -> Position:
    lines = [encode(EventLine(to, event)) for event in events]
    return positions(read([recorded(game)[0], *lines]))[-1]


@pytest.mark.parametrize("name", GAMES)
def test_hands_scores_and_deciders_are_the_state_s_after_every_step(name: str) -> None:
    recording = read(recorded(name))
    header = recording.header
    assert isinstance(header, Header)
    game = find_game(header.game)
    seats = len(header.seats)
    state = game.start(
        seats, game.rules(header.rules, seats), shuffle_of(bytes.fromhex(header.seed))
    )
    assert isinstance(state, States)
    checked = 0
    for step, position in enumerate(positions(recording)):
        choices = {
            line.seat: Choice(line.choose)
            for line in recording.lines_of(step)
            if isinstance(line, ChoiceLine)
        }
        if choices:
            state.apply(choices)
        if step + 1 < len(recording.steps) and not position.deciding:
            continue  # a new hand is a step of its own, and the state has it already
        assert position.deciding == frozenset(state.decisions)
        assert [list(hand) for hand in position.hands] == [names(hand) for hand in state.hands]
        if isinstance(state, IDoubtItState):
            assert sum(laid.count for laid in position.pile) == len(state.pile)
        else:
            assert list(position.scores) == state.scores
        checked += 1
    assert checked > 20


@pytest.mark.parametrize("name", GAMES)
def test_at_the_end_stand_the_record_s_scores_ranks_and_forfeits(name: str) -> None:
    record = recorded(name)
    result = msgspec.json.decode(record[-1])
    last = positions(read(record))[-1]
    assert list(last.scores) == result["scores"]
    assert last.ranks is not None
    assert list(last.ranks) == result["ranks"]
    assert sorted(last.forfeited) == result["forfeited"] == [1]
    assert not last.deciding


def test_a_trick_lies_until_the_next_card_is_played() -> None:
    plays = [{"event": "played", "seat": seat, "card": f"{seat + 2}H"} for seat in range(4)]
    deals = [(seat, {"event": "dealt", "cards": [f"{seat + 2}H", "AS"]}) for seat in range(4)]
    trick = {"event": "trick", "winner": 3, "cards": ["2H", "3H", "4H", "5H"]}
    lead = {"event": "played", "seat": 3, "card": "AS"}
    dealt = [encode(EventLine([seat], deal)) for seat, deal in deals]
    header = recorded("pitch")[0]

    def after(*events: dict[str, object]) -> Position:
        told = [encode(EventLine(None, event)) for event in events]
        return positions(read([header, *dealt, *told]))[-1]

    assert after(*plays).plays == tuple((seat, f"{seat + 2}H") for seat in range(4))
    over = after(*plays, trick)
    assert (over.is_won, over.winner, over.won, over.trick) == (True, 3, (0, 0, 0, 1), 1)
    assert over.plays == after(*plays).plays
    following = after(*plays, trick, lead)
    assert (following.plays, following.is_won, following.trick) == (((3, "AS"),), False, 2)
    assert following.hands == (("AS",), ("AS",), ("AS",), ())


def test_a_trick_nobody_won_waits() -> None:
    trick: dict[str, object] = {
        "event": "trick",
        "winner": None,
        "cards": [],
        "takes_left_over": False,
        "set_aside": 6,
    }
    position = position_after("cancellation_hearts", trick)
    assert (position.set_aside, position.winner, position.won) == (6, None, (0,) * 6)


def test_the_first_winner_takes_the_left_over_cards() -> None:
    hand: dict[str, object] = {
        "event": "hand",
        "hand": 1,
        "dealer": 5,
        "cards": 17,
        "left_over": 2,
        "pass_to": "left",
    }
    trick: dict[str, object] = {"event": "trick", "winner": 2, "cards": []}
    trick |= {"takes_left_over": True, "set_aside": 0}
    assert position_after("cancellation_hearts", hand).left_over == 2
    assert position_after("cancellation_hearts", hand, trick).left_over == 0


def test_a_shown_lie_clears_the_pile_and_says_so() -> None:
    laid = {"event": "discarded", "seat": 0, "count": 2, "rank": "A", "expected": "A", "pile": 2}
    lie = {
        "event": "doubted",
        "seat": 1,
        "discarder": 0,
        "cards": ["2C", "3C"],
        "honest": False,
        "taker": 0,
        "taken": 2,
    }
    assert position_after("i_doubt_it", laid).pile == (Laid(0, 2, "A"),)
    position = position_after("i_doubt_it", laid, lie)
    assert (position.pile, position.shown, position.verdict) == ((), ("2C", "3C"), "a lie")
    assert position_after("i_doubt_it", laid, lie, laid).verdict == ""


def test_a_new_hand_keeps_only_scores_and_forfeits() -> None:
    found = positions(read(recorded("pitch")))
    second = next(position for position in found if position.hand == 2)
    assert second.trick == 0
    assert second.trump is None
    assert second.bids == (None,) * 4
    assert any(second.scores)


@pytest.mark.parametrize(
    "odd",
    [
        {"event": "played", "seat": 9, "card": "7H"},
        {"event": "played", "seat": 0, "card": "7H"},
        {"event": "bid", "seat": -1, "bid": 1},
        {"event": "bid", "seat": 4, "bid": 1},
        {"event": "scored", "bids": [1], "tricks": [1], "points": [1], "totals": [1]},
        {"event": "bids", "bids": [1]},
    ],
)
def test_an_event_that_does_not_fit_changes_nothing(odd: dict[str, object]) -> None:
    assert position_after("oh_hell", odd) == position_after("oh_hell")


@given(st.lists(st.sampled_from(recorded("cancellation_hearts"))))
def test_lines_in_any_order_are_folded(lines: list[bytes]) -> None:
    recording = read(lines)
    assert len(positions(recording)) == len(recording.steps)
