"""What a game is: the contract between the rules and whatever plays, checks or shows them.

A ``Game`` declares its nature as data and starts a ``State``. A state holds ``decisions``: which
seats must decide now (several at once: simultaneously, none: the game is over). ``apply`` takes a
choice from each of them and returns the events that follow, each with the seats that may learn it.
A state never sees a bot, a clock or a file.

A game registers itself as an entry point of the group ``referee.games``.
"""

import re
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from importlib.metadata import entry_points
from typing import Any, ClassVar

import msgspec

from referee.cards import Shuffle

Option = str | int | bool
"""One thing that can be chosen."""
_OPTION_TYPES = frozenset({str, int, bool})


class RulesError(Exception):
    """A game cannot be set up so: the user's config is wrong. The text says what it may be."""


class Decision(msgspec.Struct, frozen=True, gc=False):
    """What a seat must decide: between ``min`` and ``max`` of the options.

    Each option may be chosen as often as it stands there. ``options`` is in the order that the
    game's page gives.
    """

    kind: str
    options: Sequence[Option]
    min: int = 1
    max: int = 1

    @property
    def is_forced(self) -> bool:
        """Whether there is only one possible answer, as a multiset."""
        options, least = self.options, self.min
        if least != self.max:
            return False
        return len(options) == least or (
            options[0] == options[-1] and options.count(options[0]) == len(options)
        )

    @property
    def default(self) -> list[Option]:
        """What the referee chooses in a bot's stead: the first ``min`` options."""
        return list(self.options[: self.min])

    def objection(self, choose: Sequence[Any]) -> str | None:
        """Say in one sentence why this is not a possible answer; None if it is one.

        The values come from a bot: any JSON value may be among them. Types count: ``True`` is not
        1, and 3.0 and "3" are not 3.
        """
        if len(choose) == 1 and self.min == 1:
            # The common case, kept short: a string equals nothing but the same string.
            chosen, options = choose[0], self.options
            kind = type(chosen)
            if chosen in options and (kind is str or type(options[options.index(chosen)]) is kind):
                return None
        if not self.min <= len(choose) <= self.max:
            wanted = str(self.min) if self.min == self.max else f"{self.min} to {self.max}"
            return f"chose {len(choose)} of the options, but {wanted} must be chosen"
        left = Counter((type(option), option) for option in self.options)
        for chosen in choose:
            if type(chosen) not in _OPTION_TYPES or (type(chosen), chosen) not in left:
                return f"chose {_shown(chosen)}, which is not among the options"
            left[type(chosen), chosen] -= 1
            if left[type(chosen), chosen] < 0:
                return f"chose {_shown(chosen)} more often than it stands among the options"
        return None


class Choice(msgspec.Struct, frozen=True, gc=False):
    """What a seat chose: some of its decision's options, and the claim where the game takes one.

    It is not to be changed: ``choose`` stands in the record as well.
    """

    choose: Sequence[Option]
    claim: str | None = None


def _event_name(class_name: str) -> str:
    return re.sub(r"(?<!^)(?=[A-Z])", "_", class_name).lower()


class Event(msgspec.Struct, gc=False, tag_field="event", tag=_event_name):
    """Something that happened: a subclass an event, named in snake case on the wire.

    Its docstring says ``; public`` or ``; private``: told to all, or to some seats only.
    """


class Dealt(Event):
    """The cards that a seat was dealt; private."""

    cards: list[str]


Told = tuple[tuple[int, ...] | None, Event]
"""An event and the seats that may learn it; None is all."""


class View(msgspec.Struct, gc=False):
    """What a seat may know now: a subclass a game."""


class Rules(msgspec.Struct, forbid_unknown_fields=True, kw_only=True):
    """The options of a game with their values: a subclass a game, each field with its default.

    A field's ``Meta(description=...)`` is what ``referee games`` prints; its bounds are enforced.
    """


class Outcome(msgspec.Struct, frozen=True):
    """How a game ended, by seat: ``ranks`` from 1, best first, ties sharing the better rank."""

    scores: list[int]
    ranks: list[int]
    capped: bool = False


class State(ABC):
    """A game under way."""

    decisions: dict[int, Decision]
    """Who must decide now; empty when the game is over.

    In the order of seats; where ``settled_by`` is set, in the order in which a tie is settled.
    """
    opening: list[Told]
    """What is known before the first decision."""
    outcome: Outcome | None = None
    """Set when the game is over."""
    settled_by: Option | None = None
    """The choice that settles the open simultaneous decisions as soon as one seat makes it."""

    @abstractmethod
    def apply(self, choices: Mapping[int, Choice]) -> list[Told]:
        """Take the choices of the seats that must decide and return what follows, in order.

        Every choice must be one without ``Decision.objection``, and every deciding seat must
        be there. Where ``settled_by`` is set, the seats may be fewer, in the order in which
        they answered, as soon as one of them chose it.
        """

    @abstractmethod
    def view(self, seat: int) -> View:
        """Return what this seat, which must decide now, may know.

        It may hold the state's own lists, so it is good till the next ``apply``.
        """


class Game(ABC):
    """A game's declaration of itself."""

    name: ClassVar[str]
    """As in configs and on the wire, in snake case."""
    title: ClassVar[str]
    """As people call it."""
    seats: ClassVar[range]
    """How many may play."""
    typical_seats: ClassVar[int]
    rules_type: ClassVar[type[Rules]]
    view_type: ClassVar[type[View]]
    event_types: ClassVar[tuple[type[Event], ...]]
    kinds: ClassVar[tuple[str, ...]]
    """The kinds of decisions."""
    claims: ClassVar[Mapping[str, tuple[str, ...]]] = {}
    """For the kinds of decisions that take a ``claim``: what may be claimed."""
    lowest_wins: ClassVar[bool] = False
    """Whether low scores are good."""

    def rules(self, options: Mapping[str, object], seats: int) -> Rules:
        """Return the full rules that these options mean for this number of seats.

        Raises RulesError with one line that names the option and what it may be.
        """
        if seats not in self.seats:
            raise RulesError(
                f"{self.name} is for {self.seats[0]} to {self.seats[-1]} seats, not {seats}"
            )
        for name in options:
            if name not in self.rules_type.__struct_fields__:
                known = ", ".join(self.rules_type.__struct_fields__)
                raise RulesError(f"{self.name} has no option {name!r}; its options are: {known}")
        try:
            return self.check(msgspec.convert(options, self.rules_type), seats)
        except msgspec.ValidationError as error:
            name = str(error).partition(" - at `$.")[2].rstrip("`")
            raise RulesError(
                f"{self.name}: option {name}: must be {self.values()[name]}, "
                f"found {options.get(name)!r}"
            ) from None

    def values(self) -> dict[str, str]:
        """Say for each option what it may be, such as ``"a whole number from 1 to 100"``."""
        _, components = msgspec.json.schema_components([self.rules_type])
        options = components[self.rules_type.__name__]["properties"]
        return {name: _values(schema) for name, schema in options.items()}

    def check(self, rules: Rules, seats: int) -> Rules:  # noqa: ARG002 a game may need the seats
        """Return the rules, completed; raise RulesError where options and seats do not fit."""
        return rules

    def remarks(self, rules: Rules) -> list[str]:  # noqa: ARG002 a game may remark on its rules
        """Return what the user should be told once about these rules, though they are allowed."""
        return []

    @abstractmethod
    def start(self, seats: int, rules: Any, shuffle: Shuffle) -> State:
        """Deal the first hand; ``rules`` is what ``rules()`` returned for this many seats."""


def ranks(merits: Sequence[Any]) -> list[int]:
    """Rank by merit, more is better: 1 is best, ties share the better rank."""
    return [1 + sum(other > merit for other in merits) for merit in merits]


def next_seat(seat: int, seats: int) -> int:
    """Return the seat to the left."""
    return (seat + 1) % seats


@cache
def games() -> Mapping[str, Game]:
    """Return every game that is installed, by name."""
    found: dict[str, Game] = {}
    for point in sorted(entry_points(group="referee.games"), key=lambda point: point.name):
        game: Game = point.load()()
        found[game.name] = game
    return found


def find_game(name: str) -> Game:
    """Return the game of this name; raises RulesError that lists the games there are."""
    try:
        return games()[name]
    except KeyError:
        raise RulesError(f"no game {name!r}; the games are: {', '.join(games())}") from None


def union_of(types: Iterable[type[msgspec.Struct]]) -> Any:
    """Return the union type of some structs, for decoders and schemas."""
    union: Any = None
    for each in types:
        union = each if union is None else union | each
    return union


def _values(schema: Mapping[str, Any]) -> str:
    match schema:
        case {"anyOf": kinds}:
            return " or ".join(_values(kind) for kind in kinds if kind != {"type": "null"})
        case {"enum": values}:
            return " or ".join(repr(value) for value in values)
        case {"type": "boolean"}:
            return "true or false"
        case {"minimum": least, "maximum": most}:
            return f"a whole number from {least} to {most}"
    return f"of the type {schema['type']}"


def _shown(value: Any) -> str:
    text = msgspec.json.encode(value).decode()
    return text if len(text) <= 40 else text[:40] + "..."
