"""A run with everything that a report has to cope with, and its report."""

from pathlib import Path

import pytest

from referee.show.report import write_report
from referee.tournament.results import publish, standings_of
from referee.tournament.store import Store
from tests.tournament.played import BOTS, config_of, play_run

RUDE_NOTE = """<img src=x onerror="document.title='taken'"> & </script><b>bold</b>"""
RUDE_CHOICE = "<script>document.title='taken'</script>"

_RUDE_BOT = f"""
import json
import sys

asked = 0
for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        print('{{"type":"ready"}}', flush=True)
    elif message["type"] == "start":
        asked = 0
    elif message["type"] == "turn":
        asked += 1
        decision = message["decision"]
        if asked == 3:
            print(line, end="", file=sys.stderr)
        choose = [{RUDE_CHOICE!r}] if asked == 3 else decision["options"][: decision["min"]]
        answer = {{"id": message["id"], "choose": choose, "note": {RUDE_NOTE!r}}}
        print(json.dumps(answer), flush=True)
"""

_CONFIG = f"""
[tournament]
name = "Club & <i>guests</i>"
seed = "report"
block = 1
[[games]]
game = "pitch"
seats = 3
deals = 2
rules = {{ target = 3 }}
[[games]]
game = "i_doubt_it"
seats = 4
deals = 1
rules = {{ max_discards = 60 }}
[time]
move_ms = 5000
[faults]
strikes = 2
[[bots]]
name = "random"
path = "{BOTS}/random_bot.py"
[[bots]]
name = "greedy"
path = "{BOTS}/greedy_bot.py"
[[bots]]
name = "careful"
path = "{BOTS}/greedy_bot.py"
command = "python greedy_bot.py --style careful"
[[bots]]
name = "rude"
path = "rude.py"
"""
"""28 games: 4 tables of Pitch in 3 rotations of 2 deals, one table of I Doubt It in 4 rotations."""


@pytest.fixture(scope="session")
def store(tmp_path_factory: pytest.TempPathFactory) -> Store:
    folder = tmp_path_factory.mktemp("report of")
    (folder / "rude.py").write_text(_RUDE_BOT)
    store, ending = play_run(config_of(folder, _CONFIG), folder / "a run")
    assert not ending.aborted
    publish(store, standings_of(store))
    return store


@pytest.fixture(scope="session")
def report(store: Store, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("with spaces, ümlaut") / "pages"
    assert write_report(store, folder) == 28
    return folder
