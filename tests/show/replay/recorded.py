"""Records to be shown: games played at random without bots, with a seat that is struck."""

import random
from collections.abc import Mapping
from functools import cache

import msgspec

from referee.cards import shuffle_of
from referee.games.game import Choice, Decision, find_game
from referee.protocol import Reason, TimeControl
from referee.record.lines import (
    FORMAT,
    ChoiceLine,
    EncodedEventLine,
    FaultLine,
    Header,
    NoteLine,
    Player,
    Writer,
    encode_event,
    final_ranks,
    split,
)

STRUCK = 1
"""The seat whose first two answers are illegal; it has two strikes."""

GAMES: Mapping[str, tuple[str, int, dict[str, object]]] = {
    "oh_hell": ("oh_hell", 4, {"hands": "up_down"}),
    "oh_hell simultaneous": ("oh_hell", 3, {"bidding": "simultaneous"}),
    "pitch": ("pitch", 4, {"max_hands": 3}),
    "pitch teams": ("pitch", 4, {"teams": True, "max_hands": 2}),
    "cancellation_hearts": ("cancellation_hearts", 6, {"max_hands": 2}),
    "cancellation_hearts 11": ("cancellation_hearts", 11, {"max_hands": 1}),
    "i_doubt_it": ("i_doubt_it", 4, {"max_discards": 60}),
    "i_doubt_it 11": ("i_doubt_it", 11, {"max_discards": 60}),
}


@cache
def recorded(name: str, *, is_faulty: bool = True) -> list[bytes]:
    """Return a record that holds, of one of these games."""
    game_name, seats, options = GAMES[name]
    game = find_game(game_name)
    rules = game.rules(options, seats)
    rng = random.Random(name)
    header = Header(
        format=FORMAT,
        referee="0.1.0",
        game=game_name,
        rules=msgspec.to_builtins(rules),
        deal=3,
        seed="cd" * 32,
        series="1-1-0-1",
        seats=[Player(f"bot{seat}", "sha256:0") for seat in range(seats)],
        time=TimeControl(),
        strikes=2,
        started="2026-01-01T00:00:00.000+00:00",
    )
    writer = Writer(header)
    asked = [0] * seats
    strikes = 0
    forfeits: dict[int, int] = {}
    state = game.start(seats, rules, shuffle_of(bytes.fromhex(header.seed)))
    told, step = state.opening, 0
    while True:
        for to, event in told:
            writer.add(EncodedEventLine(to, msgspec.Raw(encode_event(event))))
        if not state.decisions:
            break
        step += 1
        choices = {}
        for seat, decision in state.decisions.items():
            choice = Choice(decision.default)
            by, number, note = "forced", None, None
            if not decision.is_forced and seat in forfeits:
                by = "referee"
            elif not decision.is_forced:
                asked[seat] += 1
                number = asked[seat]
                if is_faulty and seat == STRUCK and strikes < 2:
                    strikes += 1
                    detail = 'chose "ZZ", which is not among the options'
                    forfeit = strikes == 2
                    writer.add(FaultLine(seat, Reason.ILLEGAL, detail, strikes, forfeit, number))
                    by = "referee"
                    if forfeit:
                        forfeits[seat] = step
                        writer.add(NoteLine(seat, "standard error ends: oh no"))
                else:
                    choice = Choice(_choose(decision, rng))
                    by, note = "bot", f"note {number}" if number < 3 else None
            bank_ms = None if number is None else 20_000
            line = ChoiceLine(
                seat, decision.kind, choice.choose, by, 0.0, number, bank_ms, note=note
            )
            writer.add(line)
            choices[seat] = choice
        told = state.apply(choices)
    outcome = state.outcome
    assert outcome is not None
    ranks = final_ranks(outcome.ranks, forfeits)
    data = writer.finish(outcome.scores, ranks, sorted(forfeits), capped=outcome.capped)
    return next(split(data))


def _choose(decision: Decision, rng: random.Random) -> list[str | int | bool]:
    if decision.kind == "doubt":
        return [rng.random() < 0.1]
    most = min(decision.max, decision.min + 2)
    return rng.sample(list(decision.options), rng.randint(decision.min, most))
