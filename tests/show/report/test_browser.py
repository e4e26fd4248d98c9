"""The report in a real browser, opened from the disk."""

import random
import re
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page, expect, sync_playwright

from referee.record.lines import ResultLine, split
from referee.show.replay.keys import END_OF_INPUT
from referee.show.replay.narrate import narrate
from referee.show.replay.player import ACTIONS, Player
from referee.show.replay.recording import Recording, read
from referee.show.report.replays import pack, replay_of
from referee.tournament.results import records_of, standings_of, stored_series
from referee.tournament.store import Store
from tests.show.replay.recorded import recorded
from tests.show.report.conftest import RUDE_CHOICE, RUDE_NOTE
from tests.tournament.engine.left import all_end

CHROMIUM = shutil.which("chromium")
QUIET = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)

pytestmark = pytest.mark.skipif(
    CHROMIUM is None, reason="no browser: install Debian's chromium (apt-get install chromium)"
)


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=QUIET)
        yield browser
        browser.close()
    # Where a test has made this process the one that adopts orphans, the browser's come here.
    assert all_end(within_s=10)


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    """Give a page that fails its test where anything is said on the console or fetched outside."""
    page = browser.new_page(viewport={"width": 1200, "height": 900})
    page.set_default_timeout(PATIENCE_MS)
    found: list[str] = []
    page.on("console", lambda message: found.append(message.text))
    page.on("pageerror", lambda error: found.append(str(error)))
    page.on("request", lambda request: found.extend(outside(request.url)))
    yield page
    page.close()
    assert not found


def outside(url: str) -> list[str]:
    return [] if url.startswith(("file:", "data:")) else [url]


def recordings(store: Store) -> dict[int, Recording]:
    return {
        number: read(record)
        for series in stored_series(store)
        for number, record in enumerate(split(records_of(store, series)), series.first_game)
    }


def first_of(game: str, store: Store) -> tuple[int, Recording]:
    """Return the first game of this kind, with its place in the schedule."""
    return next(
        (number, each)
        for number, each in sorted(recordings(store).items())
        if each.header is not None and each.header.game == game
    )


def check_result(page: Page, recording: Recording) -> None:
    """Check that the page shows the record's result."""
    result = recording.lines[-1]
    assert isinstance(result, ResultLine)
    places = zip(result.ranks, result.scores, strict=True)
    facts = [f"{rank}. with {score}" for rank, score in places]
    expect(page.locator(".seatfacts")).to_have_text(facts)
    told = [line.text for line in narrate(recording).lines]
    assert page.locator("#told li").all_text_contents() == told[-200:]


PATIENCE_MS = 30_000
"""How long a busy machine may take for what it does at once."""
expect.set_options(timeout=PATIENCE_MS)

PAGES = ["index.html", "bot-1.html", "bot-4.html", "replay.html#game=1&step=20"]


@pytest.mark.parametrize("name", PAGES)
def test_each_page_loads_without_a_complaint_and_is_accessible(
    page: Page, report: Path, name: str
) -> None:
    page.goto(f"{report.as_uri()}/{name}")
    expect(page.locator("h1")).not_to_have_text("Replay")
    check_access(page)
    page.emulate_media(color_scheme="dark")
    check_access(page, runOnly=["color-contrast"])


def check_access(page: Page, **options: Any) -> None:
    """Check by axe; ``preload`` would fetch the styles anew, which a page from disk may not."""
    found = Axe().run(page, options={"preload": False, **options})
    assert found.violations_count == 0, found.generate_report()


@pytest.mark.parametrize("name", PAGES)
def test_each_page_fits_a_phone(page: Page, report: Path, name: str) -> None:
    page.set_viewport_size({"width": 390, "height": 844})
    page.goto(f"{report.as_uri()}/{name}")
    expect(page.locator("h1")).not_to_have_text("Replay")
    assert page.evaluate("document.documentElement.scrollWidth") == 390


def test_a_table_sorts_by_its_columns_both_ways(page: Page, report: Path, store: Store) -> None:
    page.goto(f"{report.as_uri()}/index.html")
    table = page.locator("table.sorts").first
    bots = table.locator("tbody th")
    overall = standings_of(store).standings
    by_score = sorted(overall, key=lambda row: row.mean_score)
    expect(bots).to_have_text([row.bot for row in overall])
    table.get_by_role("button", name="Bot").click()
    expect(bots).to_have_text(sorted(row.bot for row in overall))
    table.get_by_role("button", name="Score").click()
    expect(bots).to_have_text([row.bot for row in by_score[::-1]])
    table.get_by_role("button", name="Score").click()
    expect(bots).to_have_text([row.bot for row in by_score])
    head = table.get_by_role("columnheader", name="Score")
    expect(head).to_have_attribute("aria-sort", "ascending")


def test_the_list_has_every_game_and_filters_them(page: Page, report: Path, store: Store) -> None:
    page.goto(f"{report.as_uri()}/index.html")
    rows = page.locator("#gamelist tbody tr")
    expect(rows).to_have_count(28)
    page.get_by_role("combobox", name="Bot").select_option("rude")
    expect(rows).to_have_count(22)  # it sits at three of the four tables of Pitch
    page.get_by_label("with faults").check()
    faulty = [number for number, each in recordings(store).items() if Player(each).faults]
    expect(rows.locator("th")).to_have_text([str(number) for number in faulty])
    page.goto(f"{report.as_uri()}/bot-4.html")
    page.get_by_role("link", name="its games").click()
    expect(rows).to_have_count(22)


def open_replay(page: Page, report: Path, link: str) -> None:
    page.goto("about:blank")
    page.goto(f"{report.as_uri()}/replay.html#{link}")
    expect(page.locator("#stage")).to_be_visible()


def test_a_replay_is_stepped_by_keys_to_its_end(page: Page, report: Path, store: Store) -> None:
    game, recording = first_of("i_doubt_it", store)
    last = len(recording.steps) - 1
    open_replay(page, report, f"game={game}")
    for _ in range(last):
        page.keyboard.press("ArrowRight")
    expect(page.locator("#status")).to_contain_text(f"step {last} of {last}")
    check_result(page, recording)


def test_a_replay_is_stepped_by_clicks_to_its_end(page: Page, report: Path, store: Store) -> None:
    game, recording = first_of("pitch", store)
    last = len(recording.steps) - 1
    open_replay(page, report, f"game={game}")
    forward = page.get_by_role("button", name="The next step")
    for _ in range(last):
        forward.click()
    expect(page.locator("#status")).to_contain_text(f"step {last} of {last}")
    check_result(page, recording)
    page.get_by_role("button", name="A step back").click()
    expect(page.locator("#status")).to_contain_text(f"step {last - 1} of {last}")


def test_a_link_to_a_decision_lands_there(page: Page, report: Path, store: Store) -> None:
    player = Player(recordings(store)[5])
    for key in "13":
        player.press(key)
    player.press("enter")
    open_replay(page, report, "game=5&decision=13&seat=1")
    expect(page.locator("h1")).to_contain_text("Game 5:")
    status = page.locator("#status")
    expect(status).to_contain_text(f"decision 13 of {player.decisions[-1]}")
    expect(status).to_contain_text(f"step {player.step} of {player.last}")
    expect(status).to_contain_text("as seat 1 knew it")
    assert page.url.endswith(f"#game=5&step={player.step}&seat=1")
    last_told = page.locator("#told li").last.text_content() or ""
    expect(page.locator("#news")).to_contain_text(last_told.strip())  # what a reader reads out
    page.get_by_role("link", name="the next game").click()
    expect(page.locator("h1")).to_contain_text("Game 6:")


def test_every_key_does_what_it_does_on_the_terminal(
    page: Page, report: Path, store: Store
) -> None:
    rng = random.Random(7)
    known = [key for key in ACTIONS if key not in ("q", "Q", END_OF_INPUT)]
    for game, recording in (first_of("pitch", store), first_of("i_doubt_it", store)):
        player = Player(recording)
        keys = rng.choices([*known, *"0123456789", "x"], k=400)
        here = []
        for key in keys:
            player.press(key)
            player.tick()
            state = (player.step, player.seat, player.shows_notes, player.shows_help)
            here.append([*state, player.is_playing, player.speed, player.typed])
        open_replay(page, report, f"game={game}")
        script = """keys => keys.map(key => {
            player.press(key);
            player.tick();
            const { step, seat, showsNotes, showsHelp, isPlaying, speed, typed } = player;
            return [step, seat, showsNotes, showsHelp, isPlaying, speed, typed];
        })"""
        assert page.evaluate(script, keys) == here


def test_each_seats_view_tells_and_shows_what_that_seat_knew(
    page: Page, report: Path, store: Store
) -> None:
    game, recording = first_of("i_doubt_it", store)
    open_replay(page, report, f"game={game}&step=30")
    expect(page.locator(".hand")).to_have_count(4)
    for seat in range(4):
        page.keyboard.press("s")
        told = narrate(recording, seat).until(30, 200)
        assert page.locator("#told li").all_text_contents() == [line.text for line in told]
        expect(page.locator(".hand")).to_have_count(1)
        expect(page.locator(".hand")).to_contain_text(f"{seat} {recording.names[seat]}")
    page.keyboard.press("s")
    expect(page.locator(".hand")).to_have_count(4)


def test_what_a_bot_wrote_shows_as_text(page: Page, report: Path, store: Store) -> None:
    faults = {number: Player(each).faults for number, each in recordings(store).items()}
    game = next(number for number in faults if faults[number])
    open_replay(page, report, f"game={game}&step={faults[game][0]}")
    expect(page.locator("#told")).to_contain_text(RUDE_NOTE)
    expect(page.locator("#told .fault")).to_contain_text([re.compile("script")])
    page.goto(f"{report.as_uri()}/bot-4.html")
    exchange = page.locator("article.fault").first
    expect(exchange).to_contain_text(RUDE_CHOICE[:20])
    exchange.get_by_text("What it was asked").click()
    expect(exchange.locator("pre")).to_contain_text('{"type":"turn","id":3,')
    exchange.get_by_role("link").click()
    expect(page.locator("#status")).to_contain_text(f"step {faults[game][0]} of")
    page.goto(f"{report.as_uri()}/index.html")
    expect(page.locator("h1")).to_have_text("Club & <i>guests</i>")
    assert page.title() != "taken"


def test_light_and_dark_are_the_readers_choice(page: Page, report: Path) -> None:
    page.emulate_media(color_scheme="light")
    page.goto(f"{report.as_uri()}/index.html")
    colour = "getComputedStyle(document.body).backgroundColor"
    light = page.evaluate(colour)
    page.get_by_role("button", name="Dark").click()
    assert page.evaluate(colour) != light
    page.reload()
    assert page.evaluate(colour) != light
    page.get_by_role("button", name="Light").click()
    assert page.evaluate(colour) == light


def test_the_keys_are_shown_and_put_away(page: Page, report: Path) -> None:
    open_replay(page, report, "game=1")
    page.keyboard.press("?")
    expect(page.get_by_role("dialog")).to_contain_text("37 and enter")
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_be_hidden()
    page.keyboard.press("ArrowRight")
    expect(page.locator("#status")).to_contain_text("step 1 of")


def test_a_link_to_no_game_says_so(page: Page, report: Path) -> None:
    page.goto(f"{report.as_uri()}/replay.html#game=29")
    expect(page.get_by_role("alert")).to_contain_text("The games of this run are 1 to 28")


@pytest.mark.parametrize("is_drawn", [False, True], ids=["every line", "every event"])
def test_a_record_with_a_fault_in_every_line_still_replays(
    page: Page, report: Path, tmp_path: Path, *, is_drawn: bool
) -> None:
    lines = list(recorded("pitch"))
    lines[0] = lines[0].replace(b'"bot":"bot0"', b'"bot":"<img src=x onerror=alert()>"')
    lines[1:] = [line.replace(b'"card":"', b'"card":"<b>') for line in lines[1:]]
    damaged = lines if is_drawn else [line[:-2] for line in lines]
    recording = read(damaged)
    shutil.copytree(report, tmp_path / "report")
    text = f'receiveReplays({{\n1:"{pack(replay_of(recording))}",\n}});\n'
    (tmp_path / "report" / "games" / "1.js").write_text(text)
    open_replay(page, tmp_path / "report", "game=1")
    last = len(recording.steps) - 1
    for step in range(1, last + 1):
        page.keyboard.press("ArrowRight")
        expect(page.locator("#status")).to_contain_text(f"step {step} of {last}")
    told = [line.text for line in narrate(recording).lines]
    assert page.locator("#told li").all_text_contents() == told[-200:]
    expect(page.locator("#table")).to_be_visible(visible=is_drawn)
