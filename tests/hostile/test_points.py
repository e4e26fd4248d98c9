"""Every point of the list of failing machines has its test, and the guide to the tests names it."""

import re
from pathlib import Path

FOLDER = Path(__file__).parent
POINTS = set(range(1, 21)) - {11}  # many games: that is the soak, which stands beside the suite


def test_every_point_has_a_test_that_is_called_after_it() -> None:
    tests = "".join(path.read_text() for path in FOLDER.glob("test_machine_*.py"))
    assert {
        int(number) for number in re.findall(r"^def test_c(\d+)_", tests, re.MULTILINE)
    } == POINTS


def test_the_guide_says_where_each_point_is_tried() -> None:
    guide = (FOLDER.parent / "README.md").read_text()
    named = set()
    for row in re.findall(r"^\|.*\| `(\w+)` \|$", guide, re.MULTILINE):
        assert (FOLDER / f"test_machine_{row}.py").is_file()
    for first, last in re.findall(r"`test_c(\d+)_`(?:(?: to|,) `test_c(\d+)_`)?", guide):
        named |= set(range(int(first), int(last or first) + 1))
    assert named == POINTS
