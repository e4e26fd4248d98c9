"""A game as the browser gets it is the game that the terminal shows."""

import base64
import zlib
from typing import Any

import msgspec
import pytest

from referee.show.replay.narrate import Tone, narrate
from referee.show.replay.player import Player
from referee.show.replay.position import positions
from referee.show.replay.recording import read
from referee.show.report.replays import BY_SEAT, SHARD, Replay, pack, replay_of, shard_of
from tests.show.replay.recorded import GAMES, recorded


def folded(changes: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Fold the changes of each step into whole positions, as the page does."""
    position: dict[str, Any] = {}
    found = []
    for change in changes:
        position = dict(position)
        for name, value in change.items():
            if name in BY_SEAT:
                by_seat = {**dict(enumerate(position.get(name, ()))), **value}
                position[name] = tuple(by_seat[seat] for seat in range(len(by_seat)))
            else:
                position[name] = value
        found.append(position)
    return found


@pytest.mark.parametrize("name", GAMES)
def test_changes_fold_into_the_positions_of_the_terminal(name: str) -> None:
    recording = read(recorded(name))
    expected = [msgspec.structs.asdict(position) for position in positions(recording)]
    assert folded(replay_of(recording).changes) == expected


@pytest.mark.parametrize("name", GAMES)
def test_every_view_tells_what_the_terminal_tells(name: str) -> None:
    recording = read(recorded(name))
    replay = replay_of(recording)
    seats = range(len(recording.names))
    for view, seat in zip(replay.views, (None, *seats), strict=True):
        telling = narrate(recording, seat)
        assert [replay.texts[line] for line in view.lines] == telling.lines
        assert view.ends == telling.ends
        growing = [replay.texts[line] if line >= 0 else None for line in view.growing]
        assert growing == telling.growing


def test_a_text_is_written_once_whoever_hears_it() -> None:
    replay = replay_of(read(recorded("oh_hell")))
    assert len(set(replay.texts)) == len(replay.texts)


def test_steps_to_go_to_are_those_of_the_terminal() -> None:
    recording = read(recorded("i_doubt_it"))
    replay, player = replay_of(recording), Player(recording)
    found = (replay.decisions, replay.tricks, replay.hands, replay.faults)
    assert found == (player.decisions, player.tricks, player.hands, player.faults)
    assert replay.faults


def test_a_packed_replay_is_json_that_was_deflated() -> None:
    replay = replay_of(read(recorded("pitch")))
    data = zlib.decompress(base64.b64decode(pack(replay)))
    again = msgspec.json.decode(data, type=Replay)
    assert (again.names, again.views) == (replay.names, replay.views)


def test_a_thousand_games_of_oh_hell_fit_in_fifty_megabytes() -> None:
    assert len(pack(replay_of(read(recorded("oh_hell"))))) < 45_000


def test_fifty_games_share_a_file() -> None:
    assert [shard_of(game) for game in (1, SHARD, SHARD + 1, 2 * SHARD)] == [1, 1, 2, 2]


def test_a_record_with_a_fault_in_every_line_is_told_and_not_drawn() -> None:
    damaged = [line[:-3] for line in recorded("oh_hell")]
    replay = replay_of(read(damaged))
    assert replay.changes == []
    assert {tone for _, tone in replay.texts} == {Tone.FAULT}
    assert len(replay.views[0].lines) == len(damaged)


@pytest.mark.parametrize("at", range(1, 60, 7))
def test_a_record_with_a_damaged_line_still_replays(at: int) -> None:
    lines = list(recorded("oh_hell"))
    lines[at] = b'{"type":"event","to":[9],"event":{"event":"dealt","cards":["ZZ"]}}'
    replay = replay_of(read(lines))
    assert len(replay.changes) == len(replay.decisions)
