"""What a config would play, on a terminal of 80 columns."""

from io import StringIO
from pathlib import Path

from rich.console import Console

from referee.show.schedule import schedule_page
from referee.tournament.config import load_config
from referee.tournament.prepare import size_of


def page(folder: Path, bots: int, entry: str) -> str:
    """Return the page of a config; its bots are not there, for none is looked at."""
    path = folder / "evening.toml"
    entered = "".join(f'[[bots]]\nname = "bot {n}"\npath = "{n}.py"\n' for n in range(bots))
    path.write_text(f"[[games]]\n{entry}\n{entered}", encoding="utf-8")
    config = load_config(path)
    out = StringIO()
    schedule, size = size_of(config)
    Console(file=out, width=80, highlight=False).print(schedule_page(config, schedule, size))
    return out.getvalue()


def test_counts_balance_and_times_fit_80_columns(tmp_path: Path) -> None:
    """Twelve bots at tables of six: 924 tables, 462 of a bot, 210 of two, in 10 deals."""
    shown = page(tmp_path, 12, 'game = "cancellation_hearts"\nseats = 6')
    assert "…" not in shown
    counts, balance = (line for line in shown.splitlines() if line.startswith("cancellation"))
    assert counts.split()[1:] == ["6", "12", "924", "10", "11,088", "55,440"]
    assert balance.split()[1:] == ["27,720", "4,620", "12,600", "2,520"]
    assert "questions" in shown
    assert "at worst" in shown


def test_a_thousand_bots_are_counted_without_being_listed(tmp_path: Path) -> None:
    """Of 41,417,124,750 tables; left neighbours, in no whole cycle of deals, are not counted."""
    shown = page(tmp_path, 1000, 'game = "pitch"\nseats = 4')
    assert "41,417,124,750" in shown
    assert "…" not in shown
    assert "not counted" in shown
