"""Looking at a run: its records one by one, and whether everything in it holds."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

import msgspec

from referee.cards import deal_seed
from referee.record.lines import Header, decode, split
from referee.record.result import GameResult
from referee.record.verify import Problem, verify_record
from referee.tournament.config import Config
from referee.tournament.judge import Compared, CompareJudge, Hearing, Until, UntilJudge
from referee.tournament.schedule import Series, rotations
from referee.tournament.sizing import entries_of, schedule_of
from referee.tournament.standings import Played, Tables, Tally, tables
from referee.tournament.store import Damage, RunError, Store, Summary, open_run


class NoRecordError(Exception):
    """A file holds no record: one line that says so."""


class Progress(msgspec.Struct, frozen=True):
    """How much of an entry (from 1) has been played.

    ``provisional`` games are stored, but not counted: their blocks are not whole yet.
    """

    entry: int
    game: str
    games: int
    games_planned: int
    provisional: int


class Standings(Tables, frozen=True, kw_only=True):
    """The document of ``standings --json``: the tables, and what they are of."""

    run: str
    name: str
    complete: bool
    games: int
    games_planned: int
    provisional: int
    entries: list[Progress]
    capped: int
    isolation: str
    seeded: bool
    commitment: str
    until: Until | None
    compared: Compared | None


class Broken(msgspec.Struct, frozen=True):
    """The first thing in a record that does not hold; lines are counted from 1."""

    record: str
    line: int
    detail: str


class Verdict(msgspec.Struct, frozen=True):
    """What ``verify`` found: how many records were checked, and those that do not hold."""

    ok: bool
    records: int
    problems: list[Broken]


def standings_of(store: Store) -> Standings:
    """Return the standings of a run as far as it has been played.

    They look at whole blocks only, those of which every rotation is there: in any other some
    bots have had the better cards.
    """
    config = store.config
    summaries = {summary.id: summary for summary in store.summaries()}
    hearing = _hearing(store, summaries)
    if hearing.is_over():  # what was in flight then does not count
        counted = (series.id for block in hearing.blocks() for series in block.series())
        summaries = {series: summaries[series] for series in counted}
    results = [played for _, games in whole_series(store, summaries) for played in games]
    entries = _progress(config, results, summaries.values())
    planned = sum(entry.games_planned for entry in entries)
    return Standings(
        **msgspec.structs.asdict(tables(results, entries_of(config))),
        run=str(store.folder),
        name=config.tournament.name,
        complete=hearing.is_over() or len(results) == planned,
        games=len(results),
        games_planned=planned,
        provisional=sum(entry.provisional for entry in entries),
        entries=entries,
        capped=sum(played.game.capped for played in results),
        isolation=", ".join(sorted({summary.isolation for summary in summaries.values()})) or "off",
        seeded=config.tournament.seed is not None,
        commitment=store.commitment,
        until=hearing.judge.until if isinstance(hearing.judge, UntilJudge) else None,
        compared=hearing.judge.compared if isinstance(hearing.judge, CompareJudge) else None,
    )


def _progress(
    config: Config, counted: Iterable[Played], stored: Iterable[Summary]
) -> list[Progress]:
    games = Counter(played.entry for played in counted)
    all_games: Counter[int] = Counter()
    for summary in stored:
        all_games[int(summary.id.partition("-")[0])] += len(summary.games)
    planned = (counts.games for counts in schedule_of(config).counts)
    return [
        Progress(number, entry.game, games[number], all_of, all_games[number] - games[number])
        for number, (entry, all_of) in enumerate(zip(config.games, planned, strict=True), 1)
    ]


def whole_series(
    store: Store, summaries: Mapping[str, Summary]
) -> Iterator[tuple[Series, list[Played]]]:
    """Go through the stored series of whole blocks, in the schedule's order, with their results.

    Those beyond the block at which the run had seen enough do not count. A deal of a whole block
    is played nowhere any more: its hands are no secret.
    """
    for block in _hearing(store, summaries).blocks():
        series = list(block.series())
        if all(each.id in summaries for each in series):
            for each in series:
                games = summaries[each.id].games
                yield each, [Played(each.entry, each.table, game) for game in games]


def _hearing(store: Store, summaries: Mapping[str, Summary]) -> Hearing:
    def games_of(series: str) -> list[GameResult] | None:
        return summaries[series].games if series in summaries else None

    return Hearing(store.config, games_of)


def publish(store: Store, standings: Standings) -> None:
    """End a run: write its results and, with them, its secret.

    What was played beyond the block at which it had seen enough is dropped, so that a run that
    has ended holds the same games whatever was in flight then.
    """
    hearing = Hearing(store.config, store.games)
    if hearing.is_over():
        counted = {series.id for block in hearing.blocks() for series in block.series()}
        for series in list(stored_series(store)):
            if series.id not in counted:
                store.drop(series.id)
    store.publish(msgspec.to_builtins(standings))


def stored_series(store: Store) -> Iterator[Series]:
    """Go through the series of a run that are stored, in the order of the schedule."""
    left = store.series()
    for series in schedule_of(store.config).series() if left else ():
        if series.id in left:
            yield series
            left.remove(series.id)
            if not left:
                return


def count_stored(store: Store) -> tuple[Tally, int]:
    """Return a tally of what a run has stored, to go on from, and how many games that is."""
    config = store.config
    tally = Tally(rotations(config.tournament.seating, entry.seats) for entry in config.games)
    played = 0
    for series in stored_series(store):
        games = store.games(series.id) or []
        tally.add(series.entry, series.table, games)
        played += len(games)
    return tally, played


def record_name(game: int) -> str:
    """Return the name of a game's file: its place in the schedule, six digits."""
    return f"{game:06}.jsonl"


def export_records(store: Store, folder: Path) -> int:
    """Write every stored game's record into a new folder; return how many. Raises RunError."""
    new_folder(folder)
    written = 0
    for series in stored_series(store):
        for game, record in enumerate(split(records_of(store, series)), series.first_game):
            (folder / record_name(game)).write_bytes(b"\n".join(record) + b"\n")
            written += 1
    return written


def new_folder(folder: Path) -> None:
    """Make a folder to write into; raises RunError where there is something already."""
    try:
        folder.mkdir(parents=True)
    except FileExistsError:
        raise RunError(f"{folder}: is there already; choose another with --out") from None


def records_of(store: Store, series: Series) -> bytes:
    """Return the records of a stored series, one after another; raises RunError."""
    try:
        return store.records(series.id)
    except Damage as damage:
        raise RunError(f"{store.folder}: series {series.id} {damage}; play the run again") from None


def read_record(path: Path, game: int | None) -> tuple[list[bytes], bool]:
    """Return a record's lines, and whether its hands are no secret any more.

    The path is a file (with several records: ``game`` says which, from 1) or a run's folder
    (``game`` is the place in the schedule). Raises NoRecordError, RunError, OSError.
    """
    if not path.is_dir():
        records = list(split(path.read_bytes()))
        if not records or not records[0][0].startswith(b'{"type":"game"'):
            raise NoRecordError(f"{path}: no record: it does not begin with a game's header")
        if not 1 <= (game or 1) <= len(records):
            raise RunError(f"{path}: has records 1 to {len(records)}, not {game}")
        return records[(game or 1) - 1], True
    store = open_run(path)
    schedule = schedule_of(store.config)
    if game is None or not 1 <= game <= schedule.games:
        raise RunError(f"{path}: say which game, from 1 to {schedule.games}")
    series = schedule.series_of(game)
    if not store.has(series.id):
        raise RunError(f"{path}: game {game} has not been played yet")
    records = list(split(records_of(store, series)))
    return records[game - series.first_game], store.is_finished


def check_seat(record: list[bytes], seat: int) -> None:
    """Raise RunError where a record has no such seat."""
    try:
        header = decode(record[0])
    except msgspec.DecodeError:
        return  # that the record is damaged is said elsewhere
    seats = len(header.seats) if isinstance(header, Header) else 0
    if not 0 <= seat < seats:
        raise RunError(f"--seat {seat}: the game has the seats 0 to {seats - 1}")


def verify_all(path: Path) -> Verdict:
    """Recompute every record of a file or a run; a run's deals from its secret as well."""
    problems: list[Broken] = []
    count = 0
    for name, record, secret in _to_verify(path, problems):
        count += 1
        problem = verify_record(record) or (secret and _seed_problem(record, secret))
        if problem:
            problems.append(Broken(name, problem.line, problem.detail))
    return Verdict(not problems, count, problems)


def _to_verify(
    path: Path, problems: list[Broken]
) -> Iterator[tuple[str, list[bytes], bytes | None]]:
    if not path.is_dir():
        records = list(split(path.read_bytes())) or [[]]
        for number, record in enumerate(records, 1):
            yield path.name if len(records) == 1 else f"{path.name} {number}", record, None
        return
    store = open_run(path)
    if store.kept_commitment != store.commitment:
        problems.append(Broken("commitment", 1, "is not that of the run's secret"))
    if store.is_finished and (wrong := _wrong_results(store)):
        problems.append(Broken("results.json", 1, wrong))
    for series in stored_series(store):
        try:
            data = store.records(series.id)
        except Damage as damage:
            problems.append(Broken(f"series {series.id}", 1, str(damage)))
            continue
        for game, record in enumerate(split(data), series.first_game):
            yield record_name(game), record, store.secret


def _wrong_results(store: Store) -> str | None:
    """Say what the published results of a run say that its secret and its games do not."""
    published = store.published
    if published.get("secret") != store.secret.hex():
        return "does not publish the run's secret"
    found = msgspec.json.decode(msgspec.json.encode(standings_of(store)))
    if published.get("games") != found["games"]:
        return f"is of {published.get('games')} games, and there are {found['games']}"
    # Where the folder lies and what it is called may have changed.
    said = published.keys() - {"secret", "run", "name"}
    wrong = sorted(key for key in said if published[key] != found.get(key))
    return f"the games give other figures for: {', '.join(wrong)}" if wrong else None


def _seed_problem(record: list[bytes], secret: bytes) -> Problem | None:
    """Say where a verified record's deal is not the one that the run's secret gives."""
    header = msgspec.json.decode(record[0])
    right = deal_seed(secret, header["game"], len(header["seats"]), header["deal"]).hex()
    if header["seed"] == right:
        return None
    return Problem(1, f"deal {header['deal']} has the seed {right} by the run's secret")
