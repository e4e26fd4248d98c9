"""The command that asks whether a change made a bot better."""

# ruff: noqa: PLC0415 heavy modules are imported where they are used

from typing import Annotated, Literal

from cyclopts import Parameter, validators

from referee.cli.app import DONE, NO, Flag, Named, app, console, print_error, print_json
from referee.cli.running import end, play_on

Share = Annotated[float, Parameter(validator=validators.Number(gt=0, lt=1))]
Count = Annotated[int, Parameter(validator=validators.Number(gte=1))]


@app.command
def compare(
    new: Named,
    old: Named,
    /,
    *,
    game: str,
    against: Annotated[tuple[Named, ...], Parameter(consume_multiple=True, negative="")],
    alpha: Share = 0.05,
    margin: Share | None = None,
    max_deals: Annotated[int, Parameter(validator=validators.Number(gte=1, lte=1_000_000))] = 1000,
    rules: Annotated[tuple[str, ...], Parameter(consume_multiple=False, negative="")] = (),
    seed: str | None = None,
    move_ms: Annotated[int, Parameter(validator=validators.Number(gte=0))] = 100,
    bank_ms: Annotated[int, Parameter(validator=validators.Number(gte=0))] = 20_000,
    sandbox: Literal["auto", "required", "off"] = "auto",
    concurrency: Count | None = None,
    out: Named | None = None,
    fresh: Flag = False,
    force: Flag = False,
    json: Flag = False,
) -> int:
    """Ask whether a bot is better than another: the same deals and opponents for both.

    Ends when that is clear. Exit code 0: NEW is better; 1: it is not, or that is not clear.

    Parameters
    ----------
    new
        The bot that may be better.
    old
        The bot that it is compared with.
    game
        The game, such as oh_hell.
    against
        Who else sits at the table: the seats are one more. May be repeated.
    alpha
        The chance of a false verdict, however often one looks.
    margin
        End as well when the difference is clearly smaller than so many points a game.
    max_deals
        Deals at most; each is played once a seat with NEW, and once a seat with OLD.
    rules
        An option of the game as KEY=VALUE, such as --rules hook=true; may be repeated.
    seed
        Text that makes the deals known; without it a secret is drawn.
    move_ms
        Free time an answer, in milliseconds.
    bank_ms
        Reserve a game, in milliseconds.
    sandbox
        Keep the bots apart: auto where that works here, required or not at all, or off.
    concurrency
        Tables at a time; by default as many as there are cores.
    out
        The run's folder; by default one in comparisons/ that belongs to these bots as they are.
    fresh
        Start anew, and keep the old folder beside it.
    force
        Play with bots that do not start.
    json
        Print one JSON document, and everything else on standard error.
    """
    from referee.show.comparison import compared_json, verdict_page
    from referee.tournament.compare import compare_config, compare_folder, is_same
    from referee.tournament.prepare import find_or_make, hold, remarks_on, size_of

    config = compare_config(
        new,
        old,
        against,
        game=game,
        options=rules,
        max_deals=max_deals,
        sections={
            "compare": {"alpha": alpha, "margin": margin},
            "tournament": {"seed": seed},
            "time": {"move_ms": move_ms, "bank_ms": bank_ms},
            "limits": {"sandbox": sandbox},
            "run": {"concurrency": concurrency or "auto"},
        },
    )
    for remark in remarks_on(config):
        print_error(remark)
    same = is_same(config)
    if same:
        print_error(f"{new} and {old} are the same to the byte: no difference is to be found")
    say = console(stderr=json)
    folder = out or compare_folder(config)
    with hold(folder, fresh=fresh):
        store = find_or_make(config, folder)
        code, standings = end(store, play_on(store, *size_of(config), say, force=force))
    if standings is None or standings.compared is None:
        return code
    if json:
        print_json(compared_json(standings, standings.compared, same=same))
    else:
        say.print(verdict_page(standings, standings.compared))
    return code or (DONE if standings.compared.verdict == "better" else NO)
