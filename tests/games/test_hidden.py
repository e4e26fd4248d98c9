"""Hidden information: what a seat is told, shown and asked rests on nothing that it may not know.

A game is played for a while. Then two cards of which one seat has heard nothing change places, and
the same is played again: in the pack, and in what others passed or laid face down. Where that is
a game that could have been (every choice still allowed), the seat must not be able to tell the two
apart by a single byte. What a seat has heard of are the cards in the events told to it.
"""

import random
import re
from collections.abc import Sequence
from typing import Any

import msgspec
import pytest

from referee.cards import NAMES, Shuffle, shuffle_of
from referee.games.game import Choice, Game, State, Told, games
from tests.games.test_contract import playthrough, tables

SWAPS = 8
"""How many exchanges of two cards are tried in each game."""

Steps = list[dict[int, Choice]]


class HandOverError(Exception):
    """The next hand is to be dealt: it has other cards to hide."""


def first_hand(shuffle: Shuffle) -> Shuffle:
    """Deal the first hand only."""

    def first(hand: int, packs: int) -> list[int]:
        if hand > 1:
            raise HandOverError
        return shuffle(hand, packs)

    return first


def with_exchanged(shuffle: Shuffle, one: str, other: str) -> Shuffle:
    """Deal the same with two cards exchanged, each as often as it is there."""
    swap = {one: other, other: one}

    def exchanged(hand: int, packs: int) -> list[int]:
        names = [NAMES[card] for card in shuffle(hand, packs)]
        return [NAMES.index(swap.get(name, name)) for name in names]

    return exchanged


def cards_in(data: bytes) -> set[str]:
    return {name.decode() for name in re.findall(rb'"([2-9TJQKA][CDHS])"', data)}


def told_to(seat: int, told: Sequence[Told]) -> bytes:
    return msgspec.json.encode([event for to, event in told if to is None or seat in to])


def asked(state: State, seat: int) -> bytes:
    """Return all that a question to the seat holds; nothing where it is not asked."""
    if seat not in state.decisions:
        return b""
    return msgspec.json.encode([state.view(seat), state.decisions[seat]])


def play(
    game: Game, seats: int, options: dict[str, Any], shuffle: Shuffle, rng: random.Random
) -> Steps:
    """Play the first hand for a while, at random: what was chosen."""
    steps: Steps = []
    try:
        for _, choices, _ in playthrough(game, seats, options, shuffle, rng.randrange(1000)):
            steps.append(choices)
    except HandOverError:
        pass
    return steps[1 : rng.randint(1, len(steps))]


def perceived(state: State, seat: int, steps: Steps) -> list[tuple[bytes, bytes]] | None:
    """Return what a seat is told and asked step by step; None where a choice is not allowed."""
    seen = [(told_to(seat, state.opening), asked(state, seat))]
    for choices in steps:
        assert choices.keys() <= state.decisions.keys(), "who is asked rests on hidden cards"
        for chooser, choice in choices.items():
            if state.decisions[chooser].objection(choice.choose) is not None:
                return None
        told = state.apply(choices)
        seen.append((told_to(seat, told), asked(state, seat)))
    return seen


def renamed(steps: Steps, one: str, other: str) -> Steps:
    swap: dict[Any, Any] = {one: other, other: one}
    return [
        {
            seat: Choice([swap.get(option, option) for option in choice.choose], choice.claim)
            for seat, choice in choices.items()
        }
        for choices in steps
    ]


@pytest.mark.parametrize("name", sorted(games()))
def test_a_seat_cannot_tell_games_apart_that_differ_in_what_it_may_not_know(name: str) -> None:
    game = games()[name]
    twins = 0
    for number, (seats, options) in enumerate(tables(name)):
        rng = random.Random(number)
        shuffle = first_hand(shuffle_of(rng.randbytes(32)))
        seat = rng.randrange(seats)
        rules = game.rules(options, seats)
        steps = play(game, seats, options, shuffle, rng)
        seen = perceived(game.start(seats, rules, shuffle), seat, steps)
        assert seen is not None
        heard = cards_in(b"".join(told for told, _ in seen))
        unheard = sorted(set(NAMES) - heard)
        for _ in range(SWAPS if len(unheard) > 1 else 0):
            one, other = rng.sample(unheard, 2)
            twin = game.start(seats, rules, with_exchanged(shuffle, one, other))
            seen_in_twin = perceived(twin, seat, renamed(steps, one, other))
            if seen_in_twin is not None:
                assert seen_in_twin == seen
                twins += 1
    assert twins > len(tables(name))


@pytest.mark.parametrize("name", sorted(games()))
def test_a_question_names_no_card_that_its_seat_has_not_been_told(name: str) -> None:
    game = games()[name]
    questions = 0
    for number, (seats, options) in enumerate(tables(name)):
        heard: dict[int, set[str]] = {}
        seat = number % seats
        shuffle = first_hand(shuffle_of(bytes([number % 256]) * 32))
        try:
            for state, _, told in playthrough(game, seats, options, shuffle, number):
                heard.setdefault(seat, set()).update(cards_in(told_to(seat, told)))
                assert cards_in(asked(state, seat)) <= heard[seat]
                questions += seat in state.decisions
        except HandOverError:
            pass
    assert questions > len(tables(name))


@pytest.mark.parametrize("name", sorted(games()))
def test_a_deal_tells_a_seat_its_own_cards_and_at_most_one_that_is_turned_up(name: str) -> None:
    game = games()[name]
    for seats, options in tables(name):
        state = game.start(seats, game.rules(options, seats), shuffle_of(bytes(32)))
        for seat in state.decisions:
            own = cards_in(msgspec.json.encode({"cards": state.view(seat).cards}))  # type: ignore[attr-defined]
            assert own
            assert len(cards_in(told_to(seat, state.opening)) - own) <= 1
