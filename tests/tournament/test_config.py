"""The config: every mistake is one line that names file, key, what was found, what may be."""

from pathlib import Path
from typing import Any

import msgspec
import pytest
import tomlkit
from hypothesis import given, settings
from hypothesis import strategies as st

from referee.games.game import games
from referee.games.oh_hell import OhHellRules
from referee.protocol import TimeControl
from referee.tournament.config import (
    Config,
    ConfigError,
    Faults,
    GameEntry,
    Limits,
    Running,
    Tournament,
    changed_keys,
    encode_config,
    load_config,
    name_objection,
)

GOOD = """
[[games]]
game = "oh_hell"
seats = 3
[[bots]]
name = "one"
path = "bots/one.py"
[[bots]]
name = "two"
path = "../two"
command = "python3 'my main.py' -v"
[[bots]]
name = "three"
path = "/far/three.js"
games = ["oh_hell"]
env = {DEPTH = "3"}
"""


def write(folder: Path, text: str) -> Path:
    path = folder / "spring.toml"
    path.write_text(text)
    return path


def said(folder: Path, text: str) -> str:
    """Return what is said of a config, without the file's name in front."""
    path = write(folder, text)
    with pytest.raises(ConfigError) as caught:
        load_config(path)
    line = str(caught.value)
    assert line.isprintable()
    assert line.startswith(f"{path}: ")
    return line.removeprefix(f"{path}: ")


# What a good config becomes.


def test_every_default_is_that_of_the_design(tmp_path: Path) -> None:
    config = load_config(write(tmp_path, GOOD))
    assert config.tournament == Tournament(
        name="spring",
        seed=None,
        seating="square",
        rounds=None,
        block=5,
        names="hidden",
        until=None,
        level=0.95,
    )
    assert config.games == (GameEntry(game="oh_hell", seats=3, deals=10, rules=OhHellRules()),)
    assert config.time == TimeControl(startup_ms=10_000, move_ms=100, bank_ms=20_000, grace_ms=500)
    assert config.faults == Faults(strikes=1)
    assert config.limits == Limits(
        memory_mb=1024,
        processes=64,
        file_mb=64,
        stderr_kb=256,
        cpu_factor=2,
        sandbox="auto",
        ponder="measure",
    )
    assert config.run == Running(concurrency="auto", engine="local", scheduler=None)


def test_bots_are_resolved_against_the_configs_folder(tmp_path: Path) -> None:
    folder = tmp_path / "in"
    folder.mkdir()
    one, two, three = load_config(write(folder, GOOD)).bots
    assert one.path == f"{folder}/bots/one.py"
    assert two.path == f"{tmp_path}/two"
    assert two.command == ("python3", "my main.py", "-v")
    assert three.path == "/far/three.js"
    assert three.program.path == Path("/far/three.js")
    assert three.program.env == {"DEPTH": "3"}


def test_a_config_reached_by_a_link_has_its_bots_beside_the_folder_itself(tmp_path: Path) -> None:
    (tmp_path / "deep" / "real").mkdir(parents=True)
    write(tmp_path / "deep" / "real", GOOD)
    (tmp_path / "link").symlink_to("deep/real")
    config = load_config(tmp_path / "link" / "spring.toml")
    assert config.bots[1].path == f"{tmp_path}/deep/two"


def test_a_byte_order_mark_is_passed_over(tmp_path: Path) -> None:
    path = tmp_path / "a.toml"
    path.write_bytes(b"\xef\xbb\xbf" + GOOD.encode())
    assert load_config(path).tournament.name == "a"


def test_rules_are_the_games_own_struct_with_every_option(tmp_path: Path) -> None:
    text = GOOD.replace("seats = 3", "seats = 3\nrules = {hook = true}")
    assert load_config(write(tmp_path, text)).games[0].rules == OhHellRules(hook=True)


def test_bots_without_games_play_every_entry_and_others_theirs(tmp_path: Path) -> None:
    text = GOOD + '[[bots]]\nname = "four"\npath = "x"\n[[games]]\ngame = "pitch"\nseats = 3\n'
    config = load_config(write(tmp_path, text))
    names = [[bot.name for bot in config.bots_of(entry)] for entry in config.games]
    assert names == [["one", "two", "three", "four"], ["one", "two", "four"]]


# Files that are no config.


def test_a_missing_file_a_folder_and_an_unreadable_one_are_named(tmp_path: Path) -> None:
    for path, complaint in [
        (tmp_path / "none.toml", "no such file"),
        (tmp_path, "a folder, not a config file"),
        (write(tmp_path, GOOD) / "x", "cannot be read: Not a directory"),
    ]:
        with pytest.raises(ConfigError) as caught:
            load_config(path)
        assert str(caught.value) == f"{path}: {complaint}"


def test_a_file_that_may_not_be_read_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # The tests may run as root, who may read everything.
    def refuse(_: Path) -> bytes:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "read_bytes", refuse)
    assert said(tmp_path, GOOD) == "cannot be read: Permission denied"


def test_a_file_that_is_not_utf8_is_named_with_the_line(tmp_path: Path) -> None:
    path = tmp_path / "a.toml"
    path.write_bytes(b'[tournament]\nname = "caf\xe9"\n')
    with pytest.raises(ConfigError, match=r"a\.toml: not UTF-8 \(at line 2\)"):
        load_config(path)


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("[tournament]\nname = spring", r"not TOML: Invalid value \(at line 2, column 8\)"),
        ("a = 1\na = 2\nb = 3", r"not TOML: Cannot overwrite a value \(at line 2"),
        ("a = " + "[" * 10_000, "not TOML: nested too deeply"),
        ("a = " + "9" * 5000, "not TOML: Exceeds the limit"),
    ],
)
def test_what_is_not_toml_is_said_with_its_place(tmp_path: Path, text: str, complaint: str) -> None:
    path = write(tmp_path, text)
    with pytest.raises(ConfigError, match=complaint):
        load_config(path)


# One mistake a row: what is put into the good config, and what is said.

HOURS = 86_400_000
MISTAKES = {
    # unknown keys
    "[tournment]": "tournment: unknown key; did you mean tournament?",
    "[tournament]\nsede = 'x'": "tournament.sede: unknown key; did you mean seed?",
    "[faults]\nzzz = 1": "faults.zzz: unknown key; known are: strikes",
    "[time]\nMove_MS = 1": "time.Move_MS: unknown key; did you mean move_ms?",
    "[limits]\nmemory = 1": "limits.memory: unknown key; did you mean memory_mb?",
    "[run]\nthreads = 1": (
        "run.threads: unknown key; known are: concurrency, engine, scheduler, pin"
    ),
    "[[games]]\ngame = 'pitch'\nseat = 3": "[[games]] 2 seat: unknown key; did you mean seats?",
    "[[bots]]\nnmae = 'x'": "[[bots]] 4 nmae: unknown key; did you mean name?",
    '["\\u001b[2J"]\n': "\\x1b[2J: unknown key; known are: "
    "tournament, games, bots, time, faults, limits, run, compare",
    # an end that cannot be, a comparison that is none
    "[tournament]\nuntil = 'top:0'": (
        'tournament.until: found "top:0"; it may be text such as "winner", "top:3" or "separated"'
    ),
    "[tournament]\nuntil = 'top:3'": (
        'tournament.until: found "top:3"; of 3 bots it may be up to top:2'
    ),
    "[tournament]\nuntil = 'winner'\n[[games]]\ngame = 'pitch'\nseats = 2\ndeals = 9": (
        'tournament.until: found "winner"; it may be given where all [[games]] have as many deals'
    ),
    "[tournament]\nlevel = 1.0": (
        "tournament.level: found 1.0; it may be a number above 0 and below 1"
    ),
    "[compare]\n[[games]]\ngame = 'pitch'\nseats = 2": (
        "compare: it may be given where there is one [[games]]"
    ),
    "[compare]": (
        "[[games]] 1 seats: found 3 for 3 bots; a comparison has one more bot than seats: "
        "the two to compare, then those that play against both"
    ),
    "[compare]\n[tournament]\nrounds = 2\n[[bots]]\nname = 'four'\npath = 'x'": (
        "tournament.rounds: a comparison has its own; leave it out"
    ),
    # missing keys
    "[[games]]\ngame = 'pitch'": "[[games]] 2 seats: missing; it may be a whole number",
    "[[bots]]\nname = 'x'": "[[bots]] 4 path: missing; it may be text, not empty",
    # wrong types
    "[tournament]\nseed = 42": (
        "tournament.seed: found 42; it may be text of 1 to 1024 characters"
    ),
    "[tournament]\nblock = true": (
        "tournament.block: found true; it may be a whole number from 1 to 1000"
    ),
    "[tournament]\nblock = 5.0": (
        "tournament.block: found 5.0; it may be a whole number from 1 to 1000"
    ),
    "[tournament]\nblock = 2026-01-01": (
        "tournament.block: found 2026-01-01; it may be a whole number from 1 to 1000"
    ),
    "[time]\nbank_ms = '1s'": (
        f'time.bank_ms: found "1s"; it may be a whole number from 0 to {HOURS}'
    ),
    "[[tournament]]\nname = 'x'": "tournament: found a list; it may be a table",
    "[[games]]\ngame = 1\nseats = 3": "[[games]] 2 game: found 1; it may be text",
    "[[games]]\ngame = 'pitch'\nseats = 3\nrules = 1": (
        "[[games]] 2 rules: found 1; it may be a table"
    ),
    "[[bots]]\nname = 'x'\npath = 'x'\nenv = {A = 1}": (
        "[[bots]] 4 env.A: found 1; it may be text"
    ),
    "[[bots]]\nname = 'x'\npath = 'x'\ngames = 'pitch'": (
        '[[bots]] 4 games: found "pitch"; it may be a list of one or more, each text'
    ),
    "[[bots]]\nname = 'x'\npath = 'x'\ngames = ['pitch', 7]": (
        "[[bots]] 4 games 2: found 7; it may be text"
    ),
    "[[bots]]\nname = 'x'\npath = 'x'\ncommand = 7": (
        "[[bots]] 4 command: found 7; it may be text, not empty or a list of one or more, each text"
    ),
    # out of range
    "[tournament]\nname = ''": ('tournament.name: found ""; it may be text of 1 to 255 characters'),
    '[tournament]\nname = "\\u001b[2J"': (
        'tournament.name: found "\\u001b[2J"; '
        "it may be text of 1 to 255 characters, all of them printable"
    ),
    "[tournament]\nseating = 'rotated'": (
        'tournament.seating: found "rotated"; it may be "all", "once", "rotate" or "square"'
    ),
    "[tournament]\nnames = 'yes'": 'tournament.names: found "yes"; it may be "hidden" or "shown"',
    "[tournament]\nblock = 0": (
        "tournament.block: found 0; it may be a whole number from 1 to 1000"
    ),
    "[tournament]\nblock = 1001": (
        "tournament.block: found 1001; it may be a whole number from 1 to 1000"
    ),
    "[time]\nstartup_ms = 0": (
        "time.startup_ms: found 0; it may be a whole number from 1 to 600000"
    ),
    "[time]\nmove_ms = -1": f"time.move_ms: found -1; it may be a whole number from 0 to {HOURS}",
    "[time]\ngrace_ms = 99999": (
        "time.grace_ms: found 99999; it may be a whole number from 0 to 60000"
    ),
    "[time]\nmove_ms = 0\nbank_ms = 0": (
        "time.move_ms: found 0, and bank_ms is 0 too: no answer could be in time; "
        "one of the two may be 1 or more"
    ),
    "[faults]\nstrikes = 0": "faults.strikes: found 0; it may be a whole number from 1 to 1000",
    "[run]\nconcurrency = 0": (
        'run.concurrency: found 0; it may be "auto" or a whole number from 1 to 10000'
    ),
    "[run]\nconcurrency = 'all'": (
        'run.concurrency: found "all"; it may be "auto" or a whole number from 1 to 10000'
    ),
    "[[games]]\ngame = 'pitch'\nseats = 3\ndeals = 0": (
        "[[games]] 2 deals: found 0; it may be a whole number from 1 to 1000000"
    ),
    # games, their seats and options
    "[[games]]\ngame = 'oh-hell'\nseats = 3": (
        '[[games]] 2 game: found "oh-hell", which is no game; did you mean oh_hell?'
    ),
    "[[games]]\ngame = 'oh_hell'\nseats = 8": (
        "[[games]] 2 seats: found 8; for oh_hell it may be a whole number from 3 to 7"
    ),
    "[[games]]\ngame = 'oh_hell'\nseats = 100000000000000000000": (
        "[[games]] 2 seats: found 100000000000000000000; "
        "for oh_hell it may be a whole number from 3 to 7"
    ),
    "[[games]]\ngame = 'oh_hell'\nseats = 3\nrules = {hok = true}": (
        "[[games]] 2 rules.hok: unknown key; did you mean hook?"
    ),
    "[[games]]\ngame = 'oh_hell'\nseats = 3\nrules = {hook = 1}": (
        "[[games]] 2 rules.hook: found 1; it may be true or false"
    ),
    "[[games]]\ngame = 'oh_hell'\nseats = 3\nrules = {zero_bid = 'five'}": (
        '[[games]] 2 rules.zero_bid: found "five"; it may be "five_plus_hand" or "ten"'
    ),
    "[[games]]\ngame = 'oh_hell'\nseats = 3\nrules = {hook = true, bidding = 'simultaneous'}": (
        "[[games]] 2 rules: oh_hell: hook = true and bidding = 'simultaneous' exclude each other; "
        "leave one of them out"
    ),
    "[[games]]\ngame = 'oh_hell'\nseats = 4": (
        "[[games]] 2 seats: found 4, but 3 bots play this entry; enter more, "
        "or one bot twice: two [[bots]] with the same path and two names"
    ),
    # bots
    "[[bots]]\nname = 'ONE'\npath = 'x'": (
        '[[bots]] 4 name: found "ONE", but [[bots]] 1 is "one"; names differ in more than case'
    ),
    "[[bots]]\nname = '../x'\npath = 'x'": (
        '[[bots]] 4 name: found "../x"; a name has letters, digits, spaces and _.- only'
    ),
    "[[bots]]\nname = 'x'\npath = ''": '[[bots]] 4 path: found ""; it may be text, not empty',
    "[[bots]]\nname = 'x'\npath = 'x'\ngames = ['oh_hel']": (
        '[[bots]] 4 games: found "oh_hel", which no [[games]] has; did you mean oh_hell?'
    ),
    "[[bots]]\nname = 'x'\npath = 'x'\ngames = []": (
        "[[bots]] 4 games: found a list; it may be a list of one or more, each text"
    ),
    "[[bots]]\nname = 'x'\npath = 'x'\ncommand = \"python 'a\"": (
        "[[bots]] 4 command: no closing quotation in python 'a"
    ),
    "[[bots]]\nname = 'x'\npath = 'x'\ncommand = ' '": (
        "[[bots]] 4 command: it may be words of which the first is the program, without NUL"
    ),
    '[[bots]]\nname = "x"\npath = "x"\ncommand = ["a", "\\u0000"]': (
        "[[bots]] 4 command: it may be words of which the first is the program, without NUL"
    ),
    "[[bots]]\nname = 'x'\npath = 'x'\nenv = {'A=B' = 'x'}": (
        "[[bots]] 4 env.A=B: an environment has names that are not empty and have no =, "
        "and no NUL anywhere"
    ),
}


@pytest.mark.parametrize("text", MISTAKES)
def test_a_mistake_is_one_line_that_says_what_may_be(tmp_path: Path, text: str) -> None:
    assert said(tmp_path, f"{GOOD}\n{text}") == MISTAKES[text]


def test_an_end_is_a_question_of_the_bots_that_play_everything(tmp_path: Path) -> None:
    """Two games with as many deals: some bots play one of them, the others both."""
    games = "".join(f"[[games]]\ngame = '{game}'\nseats = 3\n" for game in ("pitch", "oh_hell"))

    def text(everywhere: str) -> str:
        bots = [
            f"[[bots]]\nname = '{game}-{number}'\npath = 'x'\ngames = ['{game}']\n"
            for game in ("pitch", "oh_hell")
            for number in range(3)
        ]
        bots += [f"[[bots]]\nname = '{name}'\npath = 'x'\n" for name in everywhere]
        return f"[tournament]\nuntil = 'top:2'\n{games}{''.join(bots)}"

    load_config(write(tmp_path, text("abc")))
    assert said(tmp_path, text("ab")) == (
        'tournament.until: found "top:2"; of 2 bots it may be up to top:1'
    )
    assert said(tmp_path, text("a")) == (
        'tournament.until: found "top:2", but no two bots play all [[games]]'
    )


def test_a_config_without_games_or_bots_says_what_is_missing(tmp_path: Path) -> None:
    assert said(tmp_path, "") == "games: missing; at least one [[games]] says what is played"
    without_bots = GOOD.partition("[[bots]]")[0]
    assert "found 3, but 0 bots play this entry" in said(tmp_path, without_bots)


def test_a_file_whose_name_cannot_be_shown_must_give_a_name(tmp_path: Path) -> None:
    path = tmp_path / "a\x1bb.toml"
    path.write_text(GOOD)
    with pytest.raises(ConfigError, match=r"tournament\.name: found") as caught:
        load_config(path)
    assert str(caught.value).isprintable()
    path.write_text("tournament.name = 'a'\n" + GOOD)
    assert load_config(path).tournament.name == "a"


def fields(struct: type[msgspec.Struct]) -> set[str]:
    return set(struct.__struct_fields__)


# Bots' names.


@pytest.mark.parametrize(
    "name", ["a", "a" * 32, "Röd Räv 2", "日本語", "हिन्दी", "x.y-z_1", ".hidden", "été"]
)
def test_letters_of_any_script_make_a_name(name: str) -> None:
    assert name_objection(name) is None


@pytest.mark.parametrize(
    "name",
    [
        "",
        "a" * 33,
        " a",
        "a ",
        ".",
        "..",
        "[bold]",
        "a/b",
        "../x",
        "a\\b",
        "a\nb",
        "\x1b[2J",
        "a\u202eb",  # right-to-left override
        "a\u200bb",  # zero width space
        "a\u3164b",  # Hangul filler: a letter that draws nothing
        "a\ufe0fb",  # variation selector: a mark that draws nothing
        "\u0301a",  # a combining mark with nothing to stand on
        "a\u00a0b",  # another space
        "<b>",
        "a\0",
    ],
)
def test_what_could_mislead_a_terminal_a_path_or_a_reader_is_no_name(name: str) -> None:
    assert name_objection(name) is not None


@pytest.mark.parametrize(
    ("one", "other"), [("Straße", "STRASSE"), ("é", "e\u0301"), ("\uff21", "a"), ("İ", "i̇")]
)
def test_names_that_differ_in_case_or_form_only_are_the_same(
    tmp_path: Path, one: str, other: str
) -> None:
    bots = "".join(f"[[bots]]\nname = '{name}'\npath = 'x'\n" for name in (one, other))
    assert "names differ in more than case" in said(tmp_path, GOOD + bots)


# The resolved config.


def rules_of(name: str) -> st.SearchStrategy[dict[str, Any]]:
    game = games()[name]
    rules = game.rules({}, game.typical_seats)
    options = {key: value for key, value in msgspec.to_builtins(rules).items() if value is not None}
    return st.sampled_from([{}, options])


any_text = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=20)
some_text = any_text.filter(bool)
bot_names = st.text("abcäλ字9 _.-", min_size=1, max_size=32).filter(
    lambda name: name_objection(name) is None
)


@st.composite
def tables(draw: st.DrawFn) -> dict[str, Any]:
    """Draw what a good config's TOML may hold."""
    names = draw(st.lists(bot_names, min_size=11, max_size=14, unique_by=str.casefold))
    entered = draw(st.lists(st.sampled_from(sorted(games())), min_size=1, max_size=3))
    bots = [
        {
            "name": name,
            "path": draw(some_text),
            "command": draw(st.lists(some_text, min_size=1, max_size=3)),
            "env": draw(st.dictionaries(some_text.filter(lambda key: "=" not in key), any_text)),
        }
        for name in names
    ]
    some = draw(st.lists(st.sampled_from(entered), min_size=1, max_size=2))
    bots.append({"name": "extra", "path": "x", "games": some})
    return {
        "tournament": draw(
            st.fixed_dictionaries(
                {},
                optional={
                    "name": some_text.filter(str.isprintable),
                    "seed": some_text,
                    "seating": st.sampled_from(["square", "rotate", "all", "once"]),
                    "block": st.integers(1, 1000),
                    "names": st.sampled_from(["hidden", "shown"]),
                },
            )
        ),
        "games": [
            {
                "game": name,
                "seats": games()[name].typical_seats,
                "deals": draw(st.integers(1, 1_000_000)),
                "rules": draw(rules_of(name)),
            }
            for name in entered
        ],
        "bots": bots,
        "time": draw(st.fixed_dictionaries({}, optional={"move_ms": st.integers(1, HOURS)})),
        "faults": draw(st.fixed_dictionaries({}, optional={"strikes": st.integers(1, 1000)})),
        "run": {"concurrency": draw(st.just("auto") | st.integers(1, 10_000))},
    }


@settings(max_examples=25, deadline=None)
@given(table=tables())
def test_the_resolved_config_reads_back_equal(
    tmp_path_factory: pytest.TempPathFactory, table: dict[str, Any]
) -> None:
    folder = tmp_path_factory.mktemp("config")
    config = load_config(write(folder, tomlkit.dumps(table)))
    run = folder / "runs" / "spring"
    run.mkdir(parents=True)
    (run / "run.toml").write_bytes(encode_config(config, run))
    read_back = load_config(run / "run.toml")
    assert read_back == config
    assert changed_keys(config, read_back) == []
    assert encode_config(read_back, run) == encode_config(config, run)


def test_a_folder_may_move_with_its_run_in_it(tmp_path: Path) -> None:
    here, there = tmp_path / "here", tmp_path / "there"
    (here / "spring").mkdir(parents=True)
    config = load_config(write(here, GOOD.replace("/far/three.js", "three.js")))
    (here / "spring" / "run.toml").write_bytes(encode_config(config, here / "spring"))
    here.rename(there)
    moved = load_config(there / "spring" / "run.toml")
    assert changed_keys(moved, load_config(there / "spring.toml")) == []


def test_the_resolved_config_has_every_key_that_is_there_with_its_value(tmp_path: Path) -> None:
    written = encode_config(load_config(write(tmp_path, GOOD)), tmp_path).decode()
    for line in ("block = 5", "deals = 10", "must_trump = false", "bank_ms = 20000", "strikes = 1"):
        assert f"\n{line}\n" in written


def changed(folder: Path, old: str, new: str) -> list[str]:
    return changed_keys(load_config(write(folder, old)), load_config(write(folder, new)))


def test_a_resume_may_change_how_it_runs_and_what_it_is_called(tmp_path: Path) -> None:
    more = "[run]\nconcurrency = 3\n[tournament]\nname = 'other'\n"
    assert changed(tmp_path, GOOD, f"{GOOD}\n{more}") == []
    config = load_config(write(tmp_path, GOOD))
    kept = msgspec.structs.replace(config, limits=Limits(stderr_kb=1))
    assert changed_keys(config, kept) == []


@pytest.mark.parametrize(
    ("old", "new", "keys"),
    [
        ("deals = 3", "deals = 4", ["[[games]] 1 deals"]),
        ("rules = {}", "rules = {hook = true}", ["[[games]] 1 rules.hook"]),
        ('DEPTH = "3"', 'DEPTH = "4"', ["[[bots]] 3 env.DEPTH"]),
        ('DEPTH = "3"', 'WIDTH = "3"', ["[[bots]] 3 env.DEPTH", "[[bots]] 3 env.WIDTH"]),
        ("one.py", "uno.py", ["[[bots]] 1 path"]),
        ("-v", "-q", ["[[bots]] 2 command"]),
        ('games = ["oh_hell"]\n', "", ["[[bots]] 3 games"]),
        ("[tail]", "[tournament]\nseed = 'x'\nblock = 6", ["tournament.seed", "tournament.block"]),
        ("[tail]", "[time]\nmove_ms = 1", ["time.move_ms"]),
        ("[tail]", "[faults]\nstrikes = 2", ["faults.strikes"]),
        ("[tail]", "[[bots]]\nname = 'four'\npath = 'x'", ["[[bots]] 4"]),
        ("[tail]", "[[games]]\ngame = 'pitch'\nseats = 2\n", ["[[games]] 2"]),
    ],
)
def test_any_other_difference_is_named_key_by_key_both_ways(
    tmp_path: Path, old: str, new: str, keys: list[str]
) -> None:
    base = GOOD.replace("seats = 3", "seats = 3\ndeals = 3\nrules = {}") + "[tail]"
    assert old in base
    before = base.replace("[tail]", "")
    after = base.replace(old, new).replace("[tail]", "")
    assert sorted(changed(tmp_path, before, after)) == sorted(keys)
    assert sorted(changed(tmp_path, after, before)) == sorted(keys)


def test_other_limits_would_be_named(tmp_path: Path) -> None:
    config = load_config(write(tmp_path, GOOD))
    limited = msgspec.structs.replace(config, limits=Limits(memory_mb=1, cpu_factor=3.0))
    assert changed_keys(config, limited) == ["limits.memory_mb", "limits.cpu_factor"]


def test_the_sections_are_those_of_the_design() -> None:
    sections = {"tournament", "games", "bots", "time", "faults", "limits", "run", "compare"}
    assert fields(Config) == sections
