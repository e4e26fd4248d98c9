"""Imports point down the house's list only, and the pure rooms stay pure."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent / "referee"

# Each room may import those before it. A folder stands for all that is in it, unless rooms of it
# have a line of their own: then it is its __init__ alone. The games are as many as there are.
HOUSE = [
    "referee",
    "referee.cards",
    "referee.games.game",
    "referee.games.tricks",
    "referee.games",
    "referee.protocol",
    "referee.schema",
    "referee.program",
    "referee.archive",
    "referee.sandbox.seccomp",
    "referee.sandbox.bwrap",
    "referee.sandbox.probe",
    "referee.sandbox",
    "referee.bot.ticker",
    "referee.bot.watchdog",
    "referee.bot.wire",
    "referee.bot.stream",
    "referee.bot.limits",
    "referee.bot.tree",
    "referee.bot.meter",
    "referee.bot.ask",
    "referee.bot.spawn",
    "referee.bot.process",
    "referee.bot",
    "referee.build",
    "referee.record.lines",
    "referee.record.result",
    "referee.record.verify",
    "referee.record.alike",
    "referee.record",
    "referee.table",
    "referee.series",
    "referee.check",
    "referee.chunk",
    "referee.worker",
    "referee.match",
    "referee.tournament.config",
    "referee.tournament.schedule",
    "referee.tournament.sizing",
    "referee.tournament.store",
    "referee.tournament.specs",
    "referee.tournament.standings",
    "referee.tournament.anytime",
    "referee.tournament.engine",
    "referee.tournament.pace",
    "referee.tournament.runner",
    "referee.tournament.judge",
    "referee.tournament.estimate",
    "referee.tournament.compare",
    "referee.tournament.prepare",
    "referee.tournament.results",
    "referee.tournament.spreadsheet",
    "referee.tournament.merge",
    "referee.tournament.submit",
    "referee.tournament",
    "referee.scaffold",
    "referee.show",
    "referee.cli",
    "referee.__main__",
]
PURE = (
    "referee.cards",
    "referee.games",
    "referee.protocol",
    "referee.schema",
    "referee.record",
    "referee.tournament.config",
    "referee.tournament.schedule",
    "referee.tournament.standings",
    "referee.tournament.anytime",
)
IMPURE = {"trio", "subprocess", "socket", "rich", "time", "signal", "selectors"}

MODULES = {
    ".".join(("referee", *path.relative_to(ROOT).with_suffix("").parts)).removesuffix(
        ".__init__"
    ): path
    for path in ROOT.rglob("*.py")
}


def room_of(module: str) -> str:
    """Return the module's place in the house."""
    if module in HOUSE:
        return module
    whole = [room for room in HOUSE if room == "referee.games" or not any(_within(room))]
    rooms = [room for room in whole if module.startswith(f"{room}.")]
    assert rooms, f"{module} has no place in the house: give it one in this test and in the design"
    return rooms[0]


def _within(room: str) -> Iterator[str]:
    return (other for other in HOUSE if other.startswith(f"{room}."))


def imports_of(module: str) -> set[str]:
    found = set()
    for node in ast.walk(ast.parse(MODULES[module].read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.module, f"{module}: an import says where from, in full"
            assert node.level == 0, f"{module}: an import says where from, in full"
            submodules = {f"{node.module}.{alias.name}" for alias in node.names}
            found |= {name if name in MODULES else node.module for name in submodules}
    return found


@pytest.mark.parametrize("module", ["referee.nonsense", "referee.tournament.nonsense"])
def test_a_new_module_must_be_given_its_place(module: str) -> None:
    with pytest.raises(AssertionError, match=f"{module} has no place in the house: give it one"):
        room_of(module)


@pytest.mark.parametrize("module", sorted(MODULES))
def test_a_module_imports_only_what_stands_below_it(module: str) -> None:
    room = room_of(module)
    for imported in imports_of(module) & set(MODULES):
        other = room_of(imported)
        below = HOUSE.index(other) < HOUSE.index(room)
        neighbours = other == room != "referee.games"
        assert below or neighbours, f"{module} imports {imported}"


@pytest.mark.parametrize("module", [m for m in sorted(MODULES) if m.startswith(PURE)])
def test_a_pure_room_knows_no_clock_no_process_and_no_terminal(module: str) -> None:
    assert not {name.split(".")[0] for name in imports_of(module)} & IMPURE


@pytest.mark.parametrize("module", [m for m in sorted(MODULES) if m.startswith("referee.games.")])
def test_a_game_knows_cards_and_the_contract_and_no_other_game(module: str) -> None:
    allowed = {"referee.cards", "referee.games", "referee.games.game", "referee.games.tricks"}
    assert imports_of(module) & set(MODULES) <= allowed - {module}


@pytest.mark.parametrize("module", sorted(MODULES))
def test_nothing_but_the_command_line_imports_what_is_shown(module: str) -> None:
    if not module.startswith(("referee.cli", "referee.show")):
        assert not any(name.startswith("referee.show") for name in imports_of(module))
