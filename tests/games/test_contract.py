"""One suite over every game that is installed, at every table size with all options combined.

What a seat may not know has a suite of its own in test_hidden.py.
"""

import random
from collections.abc import Iterable, Iterator
from functools import cache
from itertools import product
from typing import Any

import msgspec
import pytest

from referee.cards import CARDS, Shuffle, parse_cards, shuffle_of
from referee.games.game import (
    Choice,
    Decision,
    Event,
    Game,
    Outcome,
    RulesError,
    State,
    Told,
    games,
    ranks,
    union_of,
)

NAMES = sorted(games())
SHORT = {"max_hands": 3, "max_discards": 60}
"""Caps that keep random games short."""


def values_of(schema: dict[str, Any], name: str) -> list[object]:
    """Values of an option that are worth trying, by its JSON Schema, the default first.

    Caps are lowered; None is an option that is left out.
    """
    default = schema["default"]
    if name in SHORT:
        return [SHORT[name], 1]
    match schema:
        case {"anyOf": kinds}:
            return [None, *(value for kind in kinds for value in kind.get("enum", []))]
        case {"enum": values}:
            return sorted(values, key=lambda value: value != default)
        case {"type": "boolean"}:
            return [default, not default]
        case {"minimum": least, "maximum": most}:
            return [default, least, most]
    raise AssertionError(f"this suite knows no values to try for {name}: {schema}")


@cache
def tables(name: str) -> list[tuple[int, dict[str, object]]]:
    """Every number of seats with every combination of the options' values, the defaults first.

    Combinations that the game refuses are left out; every single value must be playable somewhere.
    """
    game = games()[name]
    _, components = msgspec.json.schema_components([game.rules_type])
    properties = components[game.rules_type.__name__]["properties"]
    values = {option: values_of(schema, option) for option, schema in properties.items()}
    found = []
    for row in product(*values.values()):
        options = {o: v for o, v in zip(values, row, strict=True) if v is not None}
        for seats in game.seats:
            try:
                game.rules(options, seats)
            except RulesError:
                continue
            found.append((seats, options))
    tried = {tried for _, options in found for tried in options.items()}
    missing = {(o, v) for o, each in values.items() for v in each if v is not None} - tried
    assert not missing, f"{name}: never played: {missing}"
    return found


Step = tuple[State, dict[int, Choice], list[Told]]
"""A state, what was chosen in it (nothing at the start) and what followed."""
MET_ELSEWHERE = {"moon", "Moon"}
"""All but never met without intent: Cancellation Hearts' own tests play it."""
TABLES = [(name, seats, options) for name in NAMES for seats, options in tables(name)]


def playthrough(
    game: Game, seats: int, options: dict[str, object], shuffle: Shuffle, seed: int
) -> Iterator[Step]:
    """Play at random."""
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


def by_default(
    game: Game, seats: int, options: dict[str, object], shuffle: Shuffle
) -> Iterator[Step]:
    """Play as the referee does in a bot's stead."""
    state = game.start(seats, game.rules(options, seats), shuffle)
    yield state, {}, state.opening
    while state.decisions:
        choices = {seat: Choice(each.default) for seat, each in state.decisions.items()}
        yield state, choices, state.apply(choices)


def test_the_count_of_tables_that_this_suite_plays() -> None:
    """Games, each at all its seats with all combinations of options: the figure is no accident."""
    assert len(NAMES) >= 4
    assert len(TABLES) >= 750


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


@pytest.mark.parametrize("name", NAMES)
def test_seats_and_options_that_cannot_be_are_named_in_one_line(name: str) -> None:
    game = games()[name]
    for seats in (0, game.seats[0] - 1, game.seats[-1] + 1):
        with pytest.raises(RulesError, match=f"^{name} is for .* not {seats}$"):
            game.rules({}, seats)
    with pytest.raises(RulesError, match=f"^{name} has no option 'nonsense'; its options are: "):
        game.rules({"nonsense": 1}, game.typical_seats)
    for option, values in game.values().items():
        for bad in ("nonsense", 1.5, 1.0, [1], -1, 10**9, 10**40):
            with pytest.raises(RulesError) as caught:
                game.rules({option: bad}, game.typical_seats)
            says = f"{name}: option {option}: must be {values}, found {bad!r}"
            assert str(caught.value) == says


@pytest.mark.parametrize(("name", "seats", "options"), TABLES)
def test_a_random_game_keeps_the_contract(name: str, seats: int, options: dict[str, Any]) -> None:
    game = games()[name]
    check_game(game, seats, playthrough(game, seats, options, shuffle_of(bytes(32)), 1))


@pytest.mark.parametrize("name", NAMES)
def test_games_left_to_the_referee_keep_the_contract_and_every_event_is_met(name: str) -> None:
    """The referee chooses for every seat; random games beside these meet the other events."""
    game = games()[name]
    met = set(MET_ELSEWHERE)
    for seats, options in random.Random(1).sample(tables(name), 36):
        met |= check_game(game, seats, by_default(game, seats, options, shuffle_of(bytes(32))))
        met |= check_game(game, seats, playthrough(game, seats, options, shuffle_of(bytes(32)), 1))
    assert {*game.kinds, *(event.__name__ for event in game.event_types)} <= met


def check_game(game: Game, seats: int, steps: Iterable[Step]) -> set[str]:
    """Check that all that is told, asked and shown is as declared, and so is the end.

    Returns the kinds of decisions and the events that were met.
    """
    events = msgspec.json.Decoder(union_of(game.event_types))
    views = msgspec.json.Decoder(game.view_type)
    met, state = set(), None
    for state, choices, told in steps:
        for to, event in told:
            check_event(game, seats, to, event)
            assert events.decode(msgspec.json.encode(event)) == event
            met.add(type(event).__name__)
        if not choices:
            assert state.decisions
        if state.settled_by is None:
            assert list(state.decisions) == sorted(state.decisions)
        for seat, decision in state.decisions.items():
            assert seat in range(seats)
            check_decision(game, decision)
            met.add(decision.kind)
            view = state.view(seat)
            assert type(view) is game.view_type
            data = msgspec.json.encode(view)
            assert msgspec.json.encode(views.decode(data)) == data
            assert b'"options":[' not in data
    assert state is not None
    assert state.outcome is not None
    check_outcome(game, seats, state.outcome)
    return met


def check_event(game: Game, seats: int, to: tuple[int, ...] | None, event: Event) -> None:
    """Check that an event is declared, and told to all or to a few as its docstring says."""
    assert type(event) in game.event_types
    assert ("; private" if to else "; public") in str(event.__doc__)
    assert to is None or 0 < len(to) == len(set(to) & set(range(seats)))


def check_decision(game: Game, decision: Decision) -> None:
    """Check that a decision can be answered, by the referee too, and that cards are in order."""
    assert decision.kind in game.kinds
    assert 0 <= decision.min <= decision.max <= len(decision.options)
    assert decision.objection(decision.default) is None
    assert decision.objection(["nonsense"] * decision.min) is not None
    for option in decision.options:
        if decision.min <= 1:
            assert decision.objection([option]) is None
    if set(decision.options) <= CARDS.keys():
        cards = parse_cards(map(str, decision.options))
        assert cards == sorted(cards)


def check_outcome(game: Game, seats: int, outcome: Outcome) -> None:
    """Check the ranks against the scores; a Pitch that was won has its winner first (R10, D6)."""
    assert len(outcome.scores) == len(outcome.ranks) == seats
    assert min(outcome.ranks) == 1
    merits = [-score if game.lowest_wins else score for score in outcome.scores]
    if game.name == "pitch" and not outcome.capped:
        firsts = outcome.ranks.count(1)
        placed = [rank for rank in outcome.ranks if rank > 1]
        others = [m for m, rank in zip(merits, outcome.ranks, strict=True) if rank > 1]
        assert placed == [rank + firsts for rank in ranks(others)]
    else:
        assert outcome.ranks == ranks(merits)


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
