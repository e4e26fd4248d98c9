"""Golden playthroughs: a whole game each, kept in ``golden``, that must replay to the same bytes.

They show a reader what a game asks and tells, and a reviewer which bytes a change of the rules
changes. After a change that is meant, write them anew, and read the difference before committing::

    python -m tests.games.test_golden
"""

import hashlib
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest

from referee.cards import deal_seed, seed_secret, shuffle_of
from referee.games.game import Choice, State, games
from tests.games.test_contract import playthrough, tables

GOLDEN = Path(__file__).parent / "golden"
Choices = dict[int, Choice]


class Setup(msgspec.Struct):
    """The first line: what is played. ``seed`` is the text that a config would give."""

    game: str
    seats: int
    options: dict[str, Any]
    seed: str = "golden"

    def start(self) -> State:
        game = games()[self.game]
        seed = deal_seed(seed_secret(self.seed), self.game, self.seats, 1)
        return game.start(self.seats, game.rules(self.options, self.seats), shuffle_of(seed))


class Step(msgspec.Struct):
    """A further line, as far as it is read back: what was chosen."""

    chosen: Choices


def encoded(line: object) -> bytes:
    return msgspec.json.encode(line) + b"\n"


def replay(setup: Setup, steps: Iterable[Choices]) -> Iterator[bytes]:
    """Yield the lines of a golden file: the setup, the deal, each step, the outcome.

    Views repeat what was told, so a digest of them will do.
    """
    yield encoded(setup)
    state = setup.start()
    yield encoded({"told": state.opening})
    for chosen in steps:
        views = msgspec.json.encode([state.view(seat) for seat in state.decisions])
        line = {"asked": dict(state.decisions), "views": hashlib.sha256(views).hexdigest()[:16]}
        yield encoded(line | {"chosen": chosen, "told": state.apply(chosen)})
    yield encoded({"outcome": state.outcome})


def at_random(name: str) -> Iterator[bytes]:
    """Yield the lines of a new golden file: the smallest table, played at random."""
    seats, options = tables(name)[0]
    setup = Setup(name, seats, options)
    seed = deal_seed(seed_secret(setup.seed), name, seats, 1)
    played = playthrough(games()[name], seats, options, shuffle_of(seed), 1)
    return replay(setup, [chosen for _, chosen, _ in played if chosen])


@pytest.mark.parametrize("name", sorted(games()))
def test_a_golden_game_replays_to_the_same_bytes(name: str) -> None:
    path = GOLDEN / f"{name}.jsonl"
    assert path.exists(), f"{name} has no golden playthrough: see this module's docstring"
    lines = path.read_bytes().splitlines(keepends=True)
    first, _, *steps, last = lines
    setup = msgspec.json.decode(first, type=Setup)
    assert setup.game == name
    chosen = [msgspec.json.decode(step, type=Step).chosen for step in steps]
    for number, (old, new) in enumerate(zip(lines, replay(setup, chosen), strict=True), start=1):
        assert new == old, f"line {number} of {path.name}"
    assert msgspec.json.decode(last)["outcome"] is not None


def test_every_golden_game_is_of_a_game_that_there_is() -> None:
    assert {path.stem for path in GOLDEN.iterdir()} == set(games())


if __name__ == "__main__":
    for each in games():
        (GOLDEN / f"{each}.jsonl").write_bytes(b"".join(at_random(each)))
