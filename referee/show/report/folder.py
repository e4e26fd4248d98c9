"""Writing a report: what stands where in its folder, and what it may replace."""

import re
import shutil
from collections import Counter
from collections.abc import Iterable
from itertools import groupby
from pathlib import Path

import msgspec

from referee.games.game import find_game
from referee.show.report.figures import BotFigures, figures_of, game_rows
from referee.show.report.packing import Packed, packed
from referee.show.report.pages import Fault, Pages
from referee.show.report.replays import shard_of
from referee.tournament.results import records_of, standings_of, whole_series
from referee.tournament.sizing import schedule_of
from referee.tournament.store import RunError, Store

STATIC = Path(__file__).parent / "static"
MOST_FAULTS = 50
"""How many faults of a bot are shown in full on its page."""
OURS = re.compile(r"index\.html|replay\.html|bot-\d+\.html|[a-z]+\.(css|js)|games|games/\d+\.js")
"""What may stand in a report's folder."""
MARK = '<meta name="generator" content="referee report">'


def write_report(store: Store, folder: Path) -> int:
    """Write the report of a run into a folder; return how many games it has.

    It tells what the standings tell: the games of whole blocks, whose hands are no secret any
    more. A report that is there already is replaced once the new one is whole; anything else is
    left alone. Raises RunError.
    """
    folder = folder.resolve()  # a link stays a link
    check_replaceable(folder)
    aside = folder.with_name(folder.name + ".new")
    if aside.exists():
        check_replaceable(aside)
        shutil.rmtree(aside)
    (aside / "games").mkdir(parents=True)
    try:
        games = _write(store, aside)
        if folder.exists():
            shutil.rmtree(folder)
        aside.rename(folder)
    except BaseException:
        shutil.rmtree(aside, ignore_errors=True)
        raise
    return games


def check_replaceable(folder: Path) -> None:
    """Raise RunError where a folder holds anything that no report of ours has."""
    if not folder.exists():
        return
    if not folder.is_dir():
        raise RunError(f"{folder}: is there already and no folder; choose another with --out")
    paths = [*folder.iterdir(), *(folder / "games").glob("*")]
    found = sorted(str(path.relative_to(folder)) for path in paths)
    strange = [name for name in found if not OURS.fullmatch(name)]
    if strange:
        raise RunError(
            f"{folder}: has {strange[0]}, which is no report's; choose another with --out"
        )
    index = folder / "index.html"
    if found and not (index.is_file() and MARK in index.read_text("utf-8", "replace")):
        raise RunError(f"{folder}: is there already and no report; choose another with --out")


def _write(store: Store, folder: Path) -> int:
    config = store.config
    schedule = schedule_of(config)
    summaries = {summary.id: summary for summary in store.summaries()}
    whole = list(whole_series(store, summaries))
    standings = standings_of(store)
    secret = store.secret.hex() if store.is_finished else None
    pages = Pages(config, standings, store.versions, secret)
    names = [bot.name for bot in config.bots]

    def write(name: str, text: str) -> None:
        (folder / name).write_text(text, encoding="utf-8")

    for path in STATIC.iterdir():
        shutil.copyfile(path, folder / path.name)
    played = {series.id: games for series, games in whole}
    rows = game_rows(schedule.series(), played, names)
    games = [entry.game for entry in config.games]
    titles = [find_game(game).title for game in games]
    write("games.js", f"listGames({_json({'bots': names, 'entries': titles, 'rows': rows})});\n")
    counts = Counter(series.entry for series, results in whole for _ in results)
    write("index.html", pages.index(schedule, [counts[1 + at] for at in range(len(games))]))
    write("replay.html", pages.replay())
    tasks = ((records_of(store, series), series.first_game) for series, _ in whole)
    faults = _write_replays(folder, packed(tasks, counts.total()))
    figures = figures_of(whole, games)
    for name in names:
        page = pages.bot(name, figures.get(name, BotFigures()), faults.get(name, []))
        write(pages.file_of(name), page)
    return counts.total()


def _json(value: object) -> str:
    return msgspec.json.encode(value).decode()


def _write_replays(folder: Path, games: Iterable[Packed]) -> dict[str, list[Fault]]:
    """Write the files of replays; return the faults of each bot that are shown in full."""
    faults: dict[str, list[Fault]] = {}
    for shard, in_shard in groupby(games, key=lambda game: shard_of(game.number)):
        with (folder / "games" / f"{shard}.js").open("w", encoding="ascii") as file:
            file.write("receiveReplays({\n")
            for game in in_shard:
                file.write(f'{game.number}:"{game.replay}",\n')
                for exchange in game.exchanges:
                    shown = faults.setdefault(exchange.bot, [])
                    if len(shown) < MOST_FAULTS:
                        shown.append(Fault(game.number, exchange))
            file.write("});\n")
    return faults
