"""A game as the browser's replay gets it: told and folded in advance, as for the terminal.

The page draws what stands here and knows no rules, no events and no words of its own.
"""

import base64
import zlib
from collections.abc import Sequence
from typing import Any

import msgspec

from referee.protocol import printable
from referee.show.replay.narrate import Telling, Told, narrate
from referee.show.replay.player import Player
from referee.show.replay.position import Position, positions
from referee.show.replay.recording import Recording

SHARD = 50
"""How many games stand in one file of replays: by their numbers, 1 to 50 in the first."""


class View(msgspec.Struct, frozen=True):
    """A telling; its lines are places in the replay's ``texts``, -1 where no line grows."""

    lines: list[int]
    ends: list[int]
    growing: list[int]


class Replay(msgspec.Struct, frozen=True, kw_only=True):
    """All that the page shows of a game; lists of steps are as in ``Player``.

    ``changes`` has for each step what is not as it was in the ``Position`` before; of what is by
    seat, only the seats that changed. It is empty for a game that has no picture.
    ``views`` has the telling with all cards open, then as each seat knew it.
    """

    game: str
    deal: int
    names: list[str]
    changes: list[dict[str, Any]]
    decisions: list[int]
    tricks: list[int]
    hands: list[int]
    faults: list[int]
    texts: list[tuple[str, str]]
    views: list[View]


def replay_of(recording: Recording) -> Replay:
    """Return the replay of a record; nothing that stands in it raises."""
    player = Player(recording)
    header = recording.header
    texts: dict[Told, int] = {}
    seats = range(len(recording.names))
    views = [_view(narrate(recording, seat), texts) for seat in (None, *seats)]
    return Replay(
        game=printable(header.game.replace("_", " ").title(), 40) if header else "",
        deal=header.deal if header else 0,
        names=[printable(name, 32) for name in recording.names],
        changes=_changes(positions(recording)) if recording.is_drawn else [],
        decisions=player.decisions,
        tricks=player.tricks,
        hands=player.hands,
        faults=player.faults,
        texts=[(told.text, told.tone) for told in texts],
        views=views,
    )


def pack(replay: Replay) -> str:
    """Return a replay as text without quotes: JSON, deflated, in base64."""
    return base64.b64encode(zlib.compress(msgspec.json.encode(replay))).decode()


def shard_of(game: int) -> int:
    """Return the number, from 1, of the file that holds the replay of a game."""
    return (game - 1) // SHARD + 1


def _view(telling: Telling, texts: dict[Told, int]) -> View:
    def place(told: Told) -> int:
        return texts.setdefault(told, len(texts))

    return View(
        lines=list(map(place, telling.lines)),
        ends=telling.ends,
        growing=[-1 if told is None else place(told) for told in telling.growing],
    )


def _changes(found: Sequence[Position]) -> list[dict[str, Any]]:
    nothing = Position(hands=(), bids=(), won=(), scores=())
    first = msgspec.structs.asdict(found[0]) | _change(nothing, found[0])
    return [first, *map(_change, found, found[1:])]


BY_SEAT = ("hands", "bids", "won", "scores")
"""The fields of a position of which only the seats that changed are written."""


def _change(before: Position, after: Position) -> dict[str, Any]:
    change: dict[str, Any] = {}
    for name in Position.__struct_fields__:
        was, now = getattr(before, name), getattr(after, name)
        if was != now:
            change[name] = _seats_changed(was, now) if name in BY_SEAT else now
    return change


def _seats_changed(was: Sequence[Any], now: Sequence[Any]) -> dict[int, Any]:
    return {seat: value for seat, value in enumerate(now) if seat >= len(was) or was[seat] != value}
