"""In which seats the bots of a table sit: four seatings, each a pure function.

Bots are meant by their places in the table's order, from 0. Seats are numbered from 0, and seat
``(s + 1) mod n`` sits to the left of seat ``s``.
"""

from functools import cache
from math import factorial
from typing import Literal

Seating = Literal["square", "rotate", "all", "once"]
"""How often a deal is played: once a seat, each time with other neighbours (a Latin square); in
each rotation of one order; in every order; or once."""

Places = tuple[int, ...]
"""Which bot each seat holds, by seat."""


def rotations(seating: Seating, seats: int) -> int:
    """Return how many times a deal is played, each time with the bots in other seats."""
    match seating:
        case "square" | "rotate":
            return seats
        case "all":
            return factorial(seats)
        case "once":
            return 1


def places(seating: Seating, seats: int, start: int, deal: int, rotation: int) -> Places:
    """Return which bot each seat holds in this rotation of a table's deal, both from 0.

    ``start`` is where the table's cycle of seatings begins: any number from 0.
    """
    match seating:
        case "square":
            return square_row(seats, (start + deal) % period(seating, seats), rotation)
        case "rotate":
            order = neighbour_order(seats, (start + deal) % neighbour_period(seats))
            return order[rotation:] + order[:rotation]
        case "all":
            return nth_permutation(seats, rotation)
        case "once":
            square = (start // seats + deal // seats) % (seats - 1)
            return square_row(seats, square, (start + deal) % seats)


def period(seating: Seating, seats: int) -> int:
    """Return after how many deals a table's cycle of seatings begins anew.

    Over these every bot has had every seat, and every other bot to its left, equally often.
    """
    match seating:
        case "square":
            return seats - 1
        case "rotate":
            return neighbour_period(seats)
        case "all":
            return 1
        case "once":
            return seats * (seats - 1)


def neighbour_period(seats: int) -> int:
    """Return after how many turns ``neighbour_order`` begins anew."""
    return (seats - 1) * (1 + (seats % 2 == 0))


@cache
def neighbour_order(seats: int, turn: int) -> Places:
    """Return the order round the table for a turn below ``neighbour_period``.

    Walecki's construction: the last bot stays, the others follow a zigzag that moves on by one a
    turn; with an even number of seats every other order runs the other way round. Over a period
    every bot has every other to its left equally often: once with an odd number of seats, twice
    with an even one. Over any number of successive turns from 0 on, two such counts differ by 1 at
    most (odd) or 2 (even).
    """
    others = seats - 1
    order = (*((place + turn) % others for place in _zigzag(others)), others)
    return order[::-1] if seats % 2 == 0 and turn % 2 else order


@cache
def square_row(seats: int, square: int, row: int) -> Places:
    """Return which bot each seat holds in a row of a square.

    The ``seats - 1`` squares are Latin: in each every bot sits in every seat once. The rows are
    Williams's: a zigzag that moves on by one a row, in which every bot has every other to its left
    once (even) or, over a square and its mirror image, twice (odd), but for the neighbours across
    the ends of the row. Each square gives the bots other labels, so that those fall on every pair
    in turn: over all squares every bot has every other to its left equally often. Over the first
    rows of a table two counts of seats differ by 1 at most, two of left neighbours by 2 (even) or
    3 (odd).
    """
    labels = _square_labels(seats, square)
    zigzag = _zigzag(seats)
    if seats % 2 and square % 2:
        zigzag = zigzag[::-1]
    return tuple(labels[(place + row) % seats] for place in zigzag)


def _square_labels(seats: int, square: int) -> Places:
    """Return the bots in the order in which a square counts them.

    In a square of even size the neighbours across the ends are those half a square apart: they
    go through the rounds of the circle method. In two of odd size they are those ``half`` apart,
    which is one way round all bots: it goes through Walecki's orders.
    """
    half = seats // 2
    labels = [0] * seats
    if seats % 2 == 0:
        others = seats - 1
        labels[0], labels[half] = others, square % others
        for i in range(1, half):
            labels[i], labels[half + i] = (square + i) % others, (square - i) % others
    else:
        for i, bot in enumerate(neighbour_order(seats, square // 2 % half)):
            labels[half * i % seats] = bot
    return tuple(labels)


def nth_permutation(seats: int, number: int) -> Places:
    """Return the permutation with this number (from 0) in lexicographic order."""
    left = list(range(seats))
    chosen = []
    for remaining in range(seats - 1, -1, -1):
        at, number = divmod(number, factorial(remaining))
        chosen.append(left.pop(at))
    return tuple(chosen)


def _zigzag(size: int) -> Places:
    """Return 0, 1, -1, 2, -2, ... modulo ``size``: each number once."""
    return tuple((-(i // 2) if i % 2 == 0 else i // 2 + 1) % size for i in range(size))
