"""Screens of 80 by 24, kept character by character, so that a change of drawing is seen.

To draw them anew: ``python -m tests.show.replay.test_pictures``, and look at the difference.
"""

import io
from pathlib import Path

import pytest
from rich.console import Console

from referee.show.replay.player import Player
from referee.show.replay.recording import read
from referee.show.replay.terminal import Screen
from tests.show.replay.recorded import recorded

PICTURES = Path(__file__).parent / "pictures"

SCREENS = {
    "oh_hell_bidding": ("oh_hell", "hhhnn"),
    "oh_hell_trick": ("oh_hell", "hhhhtnn"),
    "oh_hell_simultaneous": ("oh_hell simultaneous", "hhn"),
    "pitch_forfeit": ("pitch", "ff"),
    "pitch_teams_end": ("pitch teams", "Gb"),
    "cancellation_hearts_passing": ("cancellation_hearts", ""),
    "cancellation_hearts_pairs": ("cancellation_hearts 11", "tttt"),
    "cancellation_hearts_one_seat": ("cancellation_hearts", "hnnnsss"),
    "i_doubt_it_laid": ("i_doubt_it", "nnnnn"),
    "i_doubt_it_doubted": ("i_doubt_it", "tt"),
    "i_doubt_it_crowd": ("i_doubt_it 11", "tttttttn"),
    "i_doubt_it_one_seat": ("i_doubt_it", "sstn"),
}


def draw(picture: str) -> str:
    name, keys = SCREENS[picture]
    player = Player(read(recorded(name)))
    for key in keys:
        player.press(key)
    console = Console(file=io.StringIO(), width=80, height=24)
    rows = Screen(player, console).rows(80, 24)
    return "".join(f"{row.plain.rstrip()}\n" for row in rows)


@pytest.mark.parametrize("picture", SCREENS)
def test_a_screen_is_drawn_as_it_was(picture: str) -> None:
    assert draw(picture) == (PICTURES / f"{picture}.txt").read_text(encoding="utf-8")


def test_there_is_no_picture_that_is_not_drawn() -> None:
    assert {path.stem for path in PICTURES.iterdir()} == set(SCREENS)


if __name__ == "__main__":
    PICTURES.mkdir(exist_ok=True)
    for picture in SCREENS:
        (PICTURES / f"{picture}.txt").write_text(draw(picture), encoding="utf-8")
