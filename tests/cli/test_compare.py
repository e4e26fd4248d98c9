"""``compare`` as a user runs it: the verdict, the exit code, one clear line for bad input."""

import json
from pathlib import Path

import pytest

from tests.cli.commands import GREEDY, RANDOM, referee

AT_PITCH = ("--game", "pitch", "--against", RANDOM, "--rules", "target=3", "--seed", "cli")


@pytest.fixture(scope="module")
def better(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder in which a bot was found better than another."""
    folder = tmp_path_factory.mktemp("better")
    out, _ = referee("compare", GREEDY, RANDOM, *AT_PITCH, cwd=folder)
    assert "at most 4,000 games in 800 series" in out
    ending = out[out.rindex(" of 4,000 games") :]
    assert ending.count("greedy_bot less random_bot: +") == 1
    assert out.endswith("greedy_bot is better than random_bot\n")
    return folder


def test_the_same_command_says_the_verdict_again(better: Path) -> None:
    out, said = referee("compare", GREEDY, RANDOM, *AT_PITCH, "--json", cwd=better)
    assert not said
    found = json.loads(out)
    assert (found["new"], found["old"]) == ("greedy_bot", "random_bot")
    assert (found["verdict"], found["complete"], found["same"]) == ("better", True, False)
    low, high = found["interval"]
    assert 0 <= low < found["difference"] < high
    assert found["games"] == 4 * found["deals"]
    assert found["max_deals"] == 1000


def test_a_comparison_is_a_run_like_any_other(better: Path) -> None:
    (run,) = (better / "comparisons").iterdir()
    page, _ = referee("standings", run)
    assert "greedy_bot is better than random_bot" in page
    assert "of at most 4,000 games" in page
    checked, _ = referee("verify", run)
    records = int(checked.split()[0])
    assert f"{records} records: everything holds" in checked
    _, said = referee("export", run, "--out", better / "records")
    assert f"{records} records written" in said
    assert len(list((better / "records").iterdir())) == records
    replayed, _ = referee("replay", run, str(records), "--plain")
    assert "The end" in replayed
    table = json.loads(referee("standings", run, "--json")[0])
    assert table["compared"]["verdict"] == "better"
    assert table["complete"]
    assert table["games"] == records < table["games_planned"]


def test_a_bot_that_is_not_found_better_ends_with_code_1(tmp_path: Path) -> None:
    words = ("compare", RANDOM, RANDOM, *AT_PITCH, "--max-deals", "2")
    out, said = referee(*words, "--json", cwd=tmp_path, code=1)
    found = json.loads(out)
    assert (found["verdict"], found["difference"], found["same"]) == ("open", 0, True)
    assert "are the same to the byte" in said


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (["nix.py", RANDOM, "--game", "pitch", "--against", RANDOM], "nix.py: no such file"),
        ([GREEDY, RANDOM, "--game", "pitch"], "--against requires"),
        ([GREEDY, RANDOM, "--game", "pich", "--against", RANDOM], "no game 'pich'"),
        (
            [GREEDY, RANDOM, "--game", "oh_hell", "--against", RANDOM],
            "--against names 1, and oh_hell is for 3 to 7 seats, one of them for greedy_bot.py and",
        ),
        ([GREEDY, "", *AT_PITCH], "'' is empty, and names no file or folder"),
        ([GREEDY, RANDOM, *AT_PITCH, "--alpha", "1"], 'Invalid value "1.0" for --alpha'),
        ([GREEDY, RANDOM, *AT_PITCH, "--margin", "0"], 'Invalid value "0.0" for --margin'),
        ([GREEDY, RANDOM, *AT_PITCH, "--max-deals", "0"], 'Invalid value "0" for --max-deals'),
        ([GREEDY, RANDOM, *AT_PITCH, "--rules", "trump=1"], "pitch has no option 'trump'"),
        (
            [GREEDY, RANDOM, *AT_PITCH, "--move-ms", "0", "--bank-ms", "0"],
            "compare: time.move_ms: found 0, and bank_ms is 0 too",
        ),
    ],
)
def test_bad_input_is_one_line(tmp_path: Path, words: list[str], complaint: str) -> None:
    out, said = referee("compare", *words, cwd=tmp_path, code=2)
    assert not out
    assert said.count("\n") == 1
    assert complaint in said
    assert not list(tmp_path.iterdir())


def test_another_comparison_in_the_same_folder_is_refused(better: Path) -> None:
    (run,) = (better / "comparisons").iterdir()
    words = ("compare", RANDOM, GREEDY, *AT_PITCH, "--out", run)
    _, said = referee(*words, cwd=better, code=2)
    assert "holds a run of another config: [[bots]] 1 name" in said
