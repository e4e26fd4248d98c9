"""The README's pictures of a terminal, made from a real run: ``python -m tests.readme_pictures``.

Look at the difference. That they are still what a run looks like is tried in ``test_docs.py``.
"""

import io
import re
import subprocess
import sys
import tempfile
from pathlib import Path

from rich.console import Console, Group

from referee.show.replay.player import Player
from referee.show.replay.recording import read
from referee.show.replay.terminal import Screen
from referee.show.standings import standings_page
from referee.tournament.results import read_record, standings_of
from referee.tournament.store import open_run

ROOT = Path(__file__).parent.parent
PICTURES = ROOT / "tests" / "pictures"
GAME, KEYS = 6, "hhhhhhhtnn"
"""Which game of the quickstart is shown, and the keys that lead to the screen."""


def quickstart(folder: Path) -> Path:
    """Play the quickstart; return its run."""
    run = folder / "quickstart"
    config = str(ROOT / "tournaments" / "quickstart.toml")
    words = (sys.executable, "-m", "referee", "tournament", config, "--out", str(run))
    subprocess.run(words, check=True, capture_output=True, timeout=120)
    return run


def svg(console: Console, name: str, title: str) -> str:
    """Return what was printed as a picture that fetches no fonts."""
    text = console.export_svg(title=title, unique_id=name)
    return re.sub(r"@font-face \{.*?\}\s*", "", text, flags=re.DOTALL)


def standings_picture(run: Path) -> str:
    console = Console(record=True, file=io.StringIO(), width=80, highlight=False)
    console.print(standings_page(standings_of(open_run(run))))
    return svg(console, "standings", "referee tournament tournaments/quickstart.toml")


def replay_picture(run: Path) -> str:
    lines, _ = read_record(run, GAME)
    player = Player(read(lines))
    for key in KEYS:
        player.press(key)
    console = Console(record=True, file=io.StringIO(), width=80, height=24, highlight=False)
    console.print(Group(*Screen(player, console).rows(80, 24)))
    return svg(console, "replay", f"referee replay tournaments/quickstart {GAME}")


DRAWN = {"standings": standings_picture, "replay": replay_picture}


def lasting(picture: str) -> str:
    """Leave out what differs from run to run: milliseconds a decision, and the isolation."""
    for figure in (r'textLength="[\d.]+"', r"\d\.\d\d(&#160;)*(?=<)", r"isolation:[^<]*"):
        picture = re.sub(figure, "", picture)
    return picture


if __name__ == "__main__":
    PICTURES.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        made = quickstart(Path(folder))
        for name, draw in DRAWN.items():
            (PICTURES / f"{name}.svg").write_text(draw(made), encoding="utf-8")
