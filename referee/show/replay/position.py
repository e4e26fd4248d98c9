"""What lies on the table after each step of a record: folded from its events, knowing no rules."""

from collections.abc import Sequence
from typing import Any, TypeVar

import msgspec

from referee.cards import CARDS
from referee.record.lines import ChoiceLine, EventLine, FaultLine, ResultLine
from referee.show.replay.recording import Recording

T = TypeVar("T")


class Laid(msgspec.Struct, frozen=True):
    """A discard on the pile: what was said of it, and its cards."""

    seat: int
    count: int
    rank: str
    cards: tuple[str, ...] = ()


class Position(msgspec.Struct, frozen=True):
    """What can be seen at one moment with all cards open; tuples are by seat unless said."""

    hands: tuple[tuple[str, ...], ...]
    bids: tuple[int | str | None, ...]
    won: tuple[int, ...]
    """Tricks won in this hand."""
    scores: tuple[int, ...]
    hand: int = 0
    """The hand's number; 0 in a game that has but one."""
    dealer: int | None = None
    trump: str | None = None
    has_trump: bool = False
    """Whether it is known if there is a trump."""
    turned: str | None = None
    pass_to: str | None = None
    pitcher: int | None = None
    trick: int = 0
    """The number of the trick that is played or was played last."""
    plays: tuple[tuple[int, str], ...] = ()
    """The seats and cards of that trick, in play order."""
    is_won: bool = False
    """Whether that trick is over."""
    winner: int | None = None
    set_aside: int = 0
    left_over: int = 0
    pile: tuple[Laid, ...] = ()
    shown: tuple[str, ...] = ()
    """Cards just shown to all, with ``verdict`` on them."""
    verdict: str = ""
    deciding: frozenset[int] = frozenset()
    """The seats that choose next."""
    forfeited: frozenset[int] = frozenset()
    ranks: tuple[int, ...] | None = None
    """Set when the game is over."""


def positions(recording: Recording) -> list[Position]:
    """Return the position after each step. Events that do not fit leave it as it was."""
    seats = len(recording.names)
    position = Position(((),) * seats, (None,) * seats, (0,) * seats, (0,) * seats)
    found: list[Position] = []
    for step in range(len(recording.steps)):
        for line in recording.lines_of(step):
            try:
                position = _after(position, line)
            except (KeyError, TypeError, IndexError, ValueError):
                continue  # said in the telling
        found.append(position)
    return [
        msgspec.structs.replace(position, deciding=_deciding(recording, step + 1))
        for step, position in enumerate(found)
    ]


def _deciding(recording: Recording, step: int) -> frozenset[int]:
    if step == len(recording.steps):
        return frozenset()
    return frozenset(line.seat for line in recording.lines_of(step) if isinstance(line, ChoiceLine))


def _after(position: Position, line: object) -> Position:
    match line:
        case EventLine():
            return _after_event(position, line.event, line.to or ())
        case FaultLine(forfeit=True):
            return msgspec.structs.replace(position, forfeited=position.forfeited | {line.seat})
        case ResultLine():
            return msgspec.structs.replace(
                position, scores=tuple(line.scores), ranks=tuple(line.ranks)
            )
    return position


def _after_event(was: Position, event: dict[str, Any], to: Sequence[int]) -> Position:  # noqa: C901, PLR0911, PLR0912 one case an event
    replace = msgspec.structs.replace
    seats = len(was.hands)
    match event["event"]:
        case "hand":
            return Position(
                hands=((),) * seats,
                bids=(None,) * seats,
                won=(0,) * seats,
                scores=was.scores,
                forfeited=was.forfeited,
                hand=event["hand"],
                dealer=event["dealer"],
                trump=event.get("trump"),
                has_trump="trump" in event,
                turned=event.get("turned"),
                pass_to=event.get("pass_to"),
                left_over=event.get("left_over", 0),
            )
        case "dealt":
            return replace(was, hands=_with(was.hands, to[0], tuple(event["cards"])))
        case "passed":
            hands = _without(was.hands, event["from"], event["cards"])
            return replace(was, hands=_and(hands, event["to"], event["cards"]))
        case "bid":
            return replace(was, bids=_with(was.bids, event["seat"], event["bid"]))
        case "bids":
            return replace(was, bids=_with_all(was.bids, event["bids"]))
        case "pitcher":
            return replace(was, pitcher=event["seat"])
        case "trump":
            return replace(was, trump=event["suit"], has_trump=True)
        case "played":
            play = (event["seat"], event["card"])
            begins = was.is_won or not was.plays
            return replace(
                was,
                hands=_without(was.hands, play[0], [play[1]]),
                plays=(play,) if begins else (*was.plays, play),
                trick=was.trick + begins,
                is_won=False,
                winner=None,
            )
        case "trick":
            winner = event["winner"]
            won = was.won if winner is None else _with(was.won, winner, was.won[winner] + 1)
            left_over = 0 if event.get("takes_left_over") else was.left_over
            return replace(
                was,
                is_won=True,
                winner=winner,
                won=won,
                set_aside=event.get("set_aside", 0),
                left_over=left_over,
            )
        case "scored":
            return replace(was, scores=_with_all(was.scores, event["totals"]))
        case "discarded":
            laid = Laid(event["seat"], event["count"], event["rank"])
            return replace(was, pile=(*was.pile, laid), shown=(), verdict="")
        case "own_discard":
            *under, laid = was.pile
            laid = replace(laid, cards=tuple(event["cards"]))
            hands = _without(was.hands, laid.seat, laid.cards)
            return replace(was, pile=(*under, laid), hands=hands)
        case "misnamed":
            return replace(was, pile=(), verdict="the wrong rank")
        case "doubted":
            verdict = "honest" if event["honest"] else "a lie"
            pile = was.pile if event["taker"] is None else ()
            return replace(was, pile=pile, shown=tuple(event["cards"]), verdict=verdict)
        case "taken":
            return replace(was, hands=_and(was.hands, to[0], event["cards"]))
    return was


def _with(by_seat: tuple[T, ...], seat: int, value: T) -> tuple[T, ...]:
    """Return the values with another one for a seat; a seat that is not there is an IndexError."""
    if not 0 <= seat < len(by_seat):
        raise IndexError(seat)
    return (*by_seat[:seat], value, *by_seat[seat + 1 :])


def _with_all(by_seat: tuple[T, ...], values: Sequence[T]) -> tuple[T, ...]:
    """Return other values, as many; another number of them is a ValueError."""
    if len(values) != len(by_seat):
        raise ValueError(values)
    return tuple(values)


Hands = tuple[tuple[str, ...], ...]


def _without(hands: Hands, seat: int, cards: Sequence[str]) -> Hands:
    hand = list(hands[seat])
    for card in cards:
        hand.remove(card)
    return _with(hands, seat, tuple(hand))


def _and(hands: Hands, seat: int, cards: Sequence[str]) -> Hands:
    return _with(hands, seat, tuple(sorted((*hands[seat], *cards), key=CARDS.__getitem__)))
