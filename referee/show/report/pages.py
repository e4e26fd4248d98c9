"""The pages, from their templates."""

import shlex
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec
from jinja2 import Environment, FileSystemLoader, StrictUndefined

from referee import __version__
from referee.games.game import find_game
from referee.protocol import Reason
from referee.show.replay.player import HELP
from referee.show.report.charts import half_width, heat, histogram_of, scale_of
from referee.show.report.figures import BotFigures, against
from referee.show.report.questions import Exchange
from referee.show.report.replays import SHARD
from referee.show.standings import remarks
from referee.tournament.config import Config
from referee.tournament.config.sections import Seating
from referee.tournament.results import Standings
from referee.tournament.schedule import Schedule
from referee.tournament.standings import EntryTable

TEMPLATES = Path(__file__).parent / "templates"


NONE = "\N{EN DASH}"
"""What stands where there is no figure."""


SEATINGS: dict[Seating, str] = {
    "square": "once for each seat, every time with other neighbours",
    "rotate": "once in each rotation of the seats",
    "all": "in every order of the seats",
    "once": "once",
}
"""How often a deal is played, as the page says it."""


class Fault(msgspec.Struct, frozen=True):
    """A fault of a bot, in the game with this place in the schedule."""

    game: int
    exchange: Exchange


class Pages:
    """Renders the pages of one report. ``secret`` is the run's, once it is published."""

    def __init__(
        self, config: Config, standings: Standings, versions: Mapping[str, str], secret: str | None
    ) -> None:
        self.config = config
        self.standings = standings
        self.versions = versions
        env = Environment(
            loader=FileSystemLoader(TEMPLATES),
            autoescape=True,
            undefined=StrictUndefined,
            trim_blocks=True,
            lstrip_blocks=True,
        )
        env.filters |= _FILTERS
        env.globals |= {
            "referee": __version__,
            "run": standings,
            "secret": secret,
            "href": {bot.name: self.file_of(bot.name) for bot in config.bots},
            "scale_of": scale_of,
        }
        self._env = env

    def file_of(self, bot: str) -> str:
        """Return the name of a bot's page: by its place in the config, whatever its name."""
        return f"bot-{1 + [each.name for each in self.config.bots].index(bot)}.html"

    def index(self, schedule: Schedule, played: Sequence[int]) -> str:
        """Return the front page; ``played`` is how many games of each entry there are."""
        entries = [
            {
                "entry": entry,
                "bots": len(self.config.bots_of(entry)),
                "title": find_game(entry.game).title,
                "rules": _changed_rules(entry.game, entry.seats, entry.rules),
                "counts": counts,
                "played": games,
            }
            for entry, counts, games in zip(self.config.games, schedule.counts, played, strict=True)
        ]
        return self._render(
            "index.html",
            entries=entries,
            remarks=list(remarks(self.standings)),
            seating=SEATINGS[self.config.tournament.seating],
            block=self.config.tournament.block,
        )

    def bot(self, name: str, figures: BotFigures, faults: Sequence[Fault]) -> str:
        """Return a bot's page; of its faults those that are shown in full."""
        by_entry = [
            (_entry_title(entry), row)
            for entry in self.standings.by_entry
            for row in entry.standings
            if row.bot == name
        ]
        reasons = {str(reason): sum(row.faults[reason] for _, row in by_entry) for reason in Reason}
        return self._render(
            "bot.html",
            name=name,
            version=self.versions[name],
            row=next((row for row in self.standings.standings if row.bot == name), None),
            by_entry=by_entry,
            against=against(name, self.standings.pairs),
            seats=figures.by_seat(),
            times=figures.times,
            histogram=histogram_of(figures.times),
            faults=faults,
            reasons=reasons,
            faults_counted=sum(reasons.values()),
        )

    def replay(self) -> str:
        """Return the page that replays a game."""
        return self._render("replay.html", keys=HELP, shard=SHARD)

    def _render(self, template: str, **context: Any) -> str:
        return self._env.get_template(template).render(context)


def _changed_rules(game: str, seats: int, rules: Any) -> dict[str, Any]:
    """Return the options that are not as usual."""
    usual = msgspec.to_builtins(find_game(game).rules({}, seats))
    return {
        name: value for name, value in msgspec.to_builtins(rules).items() if value != usual[name]
    }


def _points(value: float | None) -> str:
    return NONE if value is None else f"{value:.3f}"


def _signed(value: float) -> str:
    return f"{value:+.3f}".replace("-", "\N{MINUS SIGN}")


def _plus_minus(interval: tuple[float, float] | None, digits: int = 3) -> str:
    half = half_width(interval)
    return "one deal" if half is None else f"± {half:.{digits}f}"


def _percent(share: float | None, digits: int = 0) -> str:
    return NONE if share is None else f"{share:.{digits}%}"


def _ms(value: float) -> str:
    return f"{value:.2f}" if value < 10 else f"{value:,.0f}"


def _count(value: float) -> str:
    return f"{value:,.1f}".removesuffix(".0")


def _entry_title(entry: EntryTable) -> str:
    return f"{_game_title(entry.game)}, {entry.seats} seats"


def _game_title(name: str) -> str:
    return find_game(name).title


_FILTERS = {
    "points": _points,
    "signed": _signed,
    "plus_minus": _plus_minus,
    "percent": _percent,
    "ms": _ms,
    "count": _count,
    "heat": heat,
    "game_title": _game_title,
    "entry_title": _entry_title,
    "shell_word": shlex.quote,
}
