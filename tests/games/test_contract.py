"""One suite over every game that is installed, at every table size and with every option."""

import random
from collections.abc import Iterator
from functools import cache
from itertools import zip_longest
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from referee.cards import Shuffle, shuffle_of
from referee.games.game import Choice, Event, Game, RulesError, State, Told, games, union_of

NAMES = sorted(games())
SHORT = {"max_hands": 3, "max_discards": 60}
"""Caps that keep random games short."""


def values_of(schema: dict[str, Any], name: str) -> list[object]:
    """Values of an option that are worth trying, by its JSON Schema; caps are lowered."""
    if name in SHORT:
        return [SHORT[name], 1]
    if "enum" in schema:
        return list(schema["enum"])
    if schema.get("type") == "boolean":
        return [False, True]
    if schema.get("type") == "integer":
        return [schema["default"], schema["minimum"], schema["maximum"]]
    return []


@cache
def tables(name: str) -> list[tuple[int, dict[str, object]]]:
    """Every number of seats with the defaults, then with each option's values side by side.

    Combinations that the game refuses are left out; every single value must be playable somewhere.
    """
    game = games()[name]
    _, components = msgspec.json.schema_components([game.rules_type])
    properties = components[game.rules_type.__name__]["properties"]
    values = {option: values_of(schema, option) for option, schema in properties.items()}
    values = {option: each for option, each in values.items() if each}
    caps: dict[str, object] = {cap: SHORT[cap] for cap in SHORT if cap in properties}
    wanted = [caps]
    wanted += [caps | {option: value} for option, each in values.items() for value in each]
    rows = zip_longest(*values.values())
    wanted += [
        caps | {o: v for o, v in zip(values, row, strict=True) if v is not None} for row in rows
    ]
    found, tried = [], set()
    for options in wanted:
        for seats in game.seats:
            try:
                game.rules(options, seats)
            except RulesError:
                continue
            found.append((seats, options))
            tried |= {(option, value) for option, value in options.items()}
    missing = {(o, v) for o, each in values.items() for v in each} - tried
    assert not missing, f"{name}: never played: {missing}"
    return found


TABLES = [(name, seats, options) for name in NAMES for seats, options in tables(name)]


def playthrough(
    game: Game, seats: int, options: dict[str, object], shuffle: Shuffle, seed: int
) -> Iterator[tuple[State, dict[int, Choice], list[Told]]]:
    """Play at random: the state, what was chosen in it and what followed."""
    rng = random.Random(seed)
    state = game.start(seats, game.rules(options, seats), shuffle)
    yield state, {}, state.opening
    while state.decisions:
        choices: dict[int, Choice] = {}
        for seat, decision in state.decisions.items():
            most = min(decision.max, decision.min + 2)
            chosen = rng.sample(list(decision.options), rng.randint(decision.min, most))
            claims = game.claims.get(decision.kind)
            claim = rng.choice(claims) if claims and rng.random() < 0.1 else None
            choices[seat] = Choice(chosen, claim)
            if state.settled_by is not None and chosen == [state.settled_by]:
                break
        yield state, choices, state.apply(choices)


def test_the_count_of_tables_that_this_suite_plays() -> None:
    """Games, each at all its seats with all its options' values: the figure is no accident."""
    assert len(NAMES) >= 4
    assert len(TABLES) >= 280


@pytest.mark.parametrize("name", NAMES)
def test_a_game_declares_itself(name: str) -> None:
    game = games()[name]
    assert game.name == name
    assert game.title
    assert game.typical_seats in game.seats
    assert game.kinds
    assert set(game.claims) <= set(game.kinds)
    assert game.start.__doc__
    assert all(event.__doc__ for event in game.event_types)
    for seats in (game.seats[0] - 1, game.seats[-1] + 1):
        with pytest.raises(RulesError, match=f"{name} is for .* not {seats}"):
            game.rules({}, seats)
    with pytest.raises(RulesError, match=f"{name} has no option 'nonsense'"):
        game.rules({"nonsense": 1}, game.typical_seats)
    for option in game.rules_type.__struct_fields__:
        with pytest.raises(RulesError, match=f"{name}.*{option}"):
            game.rules({option: [1.5]}, game.typical_seats)


@pytest.mark.parametrize(("name", "seats", "options"), TABLES)
def test_a_random_game_keeps_the_contract(name: str, seats: int, options: dict[str, Any]) -> None:
    game = games()[name]
    events = msgspec.json.Decoder(union_of(game.event_types))
    view_fields = set(game.view_type.__struct_encode_fields__)
    every_seat = range(seats)
    state = None
    for state, choices, told in playthrough(game, seats, options, shuffle_of(bytes(32)), 1):
        for to, event in told:
            assert type(event) in game.event_types
            assert events.decode(msgspec.json.encode(event)) == event
            assert to is None or (to and set(to) <= set(every_seat))
        if not choices:
            assert state.decisions
        if state.settled_by is None:
            assert list(state.decisions) == sorted(state.decisions)
        for seat, decision in state.decisions.items():
            assert decision.kind in game.kinds
            assert 0 <= decision.min <= decision.max <= len(decision.options)
            assert decision.objection(decision.default) is None
            assert decision.objection(["nonsense"] * decision.min) is not None
            view = state.view(seat)
            assert type(view) is game.view_type
            data = msgspec.json.encode(view)
            assert b'"options":[' not in data
            assert set(msgspec.json.decode(data)) <= view_fields
    assert state is not None
    assert state.outcome is not None
    outcome = state.outcome
    assert len(outcome.scores) == len(outcome.ranks) == seats
    assert min(outcome.ranks) == 1
    if name != "pitch":  # there a winner may have fewer points than others (R10, D6)
        best = min(outcome.scores) if game.lowest_wins else max(outcome.scores)
        assert [rank == 1 for rank in outcome.ranks] == [score == best for score in outcome.scores]


def transcript(name: str, options: dict[str, object], shuffle: Shuffle, seed: int) -> list[bytes]:
    game = games()[name]
    seats = game.seats[0]
    return [
        msgspec.json.encode([[event for _, event in told], list(choices.items())])
        for _, choices, told in playthrough(game, seats, options, shuffle, seed)
    ]


@pytest.mark.parametrize("name", NAMES)
def test_the_same_seed_and_choices_give_the_same_bytes(name: str) -> None:
    _, options = tables(name)[0]
    again = [transcript(name, options, shuffle_of(b"\7" * 32), 5) for _ in range(2)]
    assert again[0] == again[1]
    assert again[0] != transcript(name, options, shuffle_of(b"\6" * 32), 5)


@pytest.mark.parametrize("name", NAMES)
@settings(max_examples=15, deadline=None)
@given(seed=st.integers(0, 2**32), data=st.data())
def test_a_seat_is_told_nothing_that_depends_on_cards_it_may_not_know(
    name: str, seed: int, data: st.DataObject
) -> None:
    """Others' cards are exchanged: what the seat is told and shown before play stays the same."""
    game = games()[name]
    seats = data.draw(st.sampled_from(game.seats))
    seat = data.draw(st.integers(0, seats - 1))
    original = shuffle_of(seed.to_bytes(32, "big"))
    state = game.start(seats, game.rules({}, seats), original)
    hands: list[list[int]] = state.hands  # type: ignore[attr-defined]
    packs = 2 if game.name == "cancellation_hearts" or (name == "i_doubt_it" and seats > 5) else 1
    pack = original(1, packs)
    mine = hands[seat]
    unseen = [place for place, card in enumerate(pack) if card not in mine]
    if hasattr(state, "turned") and state.turned is not None:
        unseen.remove(seats * len(mine))
    shuffled = data.draw(st.permutations([pack[place] for place in unseen]))

    def other(hand: int, packs: int) -> list[int]:
        cards = original(hand, packs)
        if hand == 1:
            for place, card in zip(unseen, shuffled, strict=True):
                cards[place] = card
        return cards

    twin = game.start(seats, game.rules({}, seats), other)
    assert known(state, state.opening, seat) == known(twin, twin.opening, seat)


def known(state: State, told: list[Told], seat: int) -> list[bytes]:
    events: list[Event] = [event for to, event in told if to is None or seat in to]
    view = state.view(seat) if seat in state.decisions else None
    return [msgspec.json.encode(events), msgspec.json.encode(view)]
