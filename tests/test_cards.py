"""Cards, their order, and the published shuffle of PROTOCOL.md, section 4."""

import hashlib
import hmac
from collections.abc import Iterator

import pytest

from referee.cards import (
    CARDS,
    NAMES,
    RANK,
    SUIT,
    bot_seed,
    commitment,
    deal_cards,
    deal_seed,
    parse_cards,
    seed_secret,
    shuffle_of,
    shuffled,
    sorted_names,
)
from tests.games.cases import Case, cases

GAMES = ("cancellation_hearts", "pitch", "oh_hell", "i_doubt_it")


def test_cards_sort_by_suit_then_rank() -> None:
    hand = parse_cards(["AS", "2H", "TC", "QS", "9D", "TC"])
    assert sorted_names(hand) == ["TC", "TC", "9D", "2H", "QS", "AS"]


def test_names_suits_and_ranks_agree() -> None:
    assert len(set(NAMES)) == 52
    for name, card in CARDS.items():
        assert name == "23456789TJQKA"[RANK[card]] + "CDHS"[SUIT[card]]


def test_cards_are_dealt_one_at_a_time_from_the_first_seat() -> None:
    assert deal_cards(list(range(10)), 3, 1, 3) == [[2, 5, 8], [0, 3, 6], [1, 4, 7]]


def reference_shuffle(seed: bytes, hand: int, packs: int) -> list[str]:
    """Shuffle as the page words it, as plainly as can be."""

    def numbers() -> Iterator[int]:
        stream = hashlib.shake_256(seed + b"/hand/" + str(hand).encode()).digest(1 << 16)
        for at in range(0, len(stream), 4):
            yield int.from_bytes(stream[at : at + 4], "big")

    source = numbers()
    pack = [rank + suit for suit in "CDHS" for rank in "23456789TJQKA"] * packs
    for i in range(len(pack) - 1, 0, -1):
        u = next(u for u in source if u < 2**32 - 2**32 % (i + 1))
        j = u % (i + 1)
        pack[i], pack[j] = pack[j], pack[i]
    return pack


@pytest.mark.parametrize("packs", [1, 2])
@pytest.mark.parametrize("hand", [1, 2, 30])
def test_the_shuffle_is_the_published_one(hand: int, packs: int) -> None:
    for number in range(20):
        seed = deal_seed(b"secret", "pitch", 4, number)
        dealt = [NAMES[card] for card in shuffle_of(seed)(hand, packs)]
        assert dealt == reference_shuffle(seed, hand, packs)


class _Stream:
    """A hash whose first numbers are all too large to be fair, and then count up."""

    def __init__(self, _: bytes) -> None:
        pass

    def digest(self, size: int) -> bytes:
        numbers = [2**32 - 1] * 60 + list(range(1000))
        return b"".join(n.to_bytes(4, "big") for n in numbers)[:size]


def test_numbers_that_would_not_be_fair_are_skipped(monkeypatch: pytest.MonkeyPatch) -> None:
    """2**32 - 1 is unfair for every size but powers of two; more of the stream is then read."""
    monkeypatch.setattr(hashlib, "shake_256", _Stream)
    cards = list(range(52))
    numbers = iter([2**32 - 1] * 60 + list(range(1000)))
    for i in range(51, 0, -1):
        u = next(u for u in numbers if u < 2**32 - 2**32 % (i + 1))
        cards[i], cards[u % (i + 1)] = cards[u % (i + 1)], cards[i]
    assert shuffle_of(bytes(32))(1, 1) == cards


@pytest.mark.parametrize("packs", [1, 2])
def test_the_largest_fair_number_is_used_and_the_next_one_skipped(packs: int) -> None:
    fair = 2**32 - 2**32 % (52 * packs)
    others = [1] * 52 * packs
    assert shuffled(packs, iter([fair, *others])) == shuffled(packs, iter(others))
    assert shuffled(packs, iter([fair - 1, *others]))[-1] == 51


DEALS = [
    pytest.param(game, *case.values, id=case.id) for game in GAMES for case in cases(game, "deal")
]


@pytest.mark.parametrize(("game", "case"), DEALS)
def test_deal_seeds_of_the_worked_cases(game: str, case: Case) -> None:
    secret = (
        seed_secret(case["seed_text"]) if "seed_text" in case else bytes.fromhex(case["secret"])
    )
    assert deal_seed(secret, game, case["seats"], case["deal"]).hex() == case["expect"]["seed"]


def test_a_commitment_is_the_sha256_of_the_secret() -> None:
    secret = seed_secret("2026")
    assert secret == hashlib.sha256(b"2026").digest()
    assert commitment(secret) == hashlib.sha256(secret).hexdigest()


def test_a_bots_seed_depends_on_its_seat_and_fits_a_double() -> None:
    seeds = {bot_seed(b"s", 1, 1, rotation, 3, seat) for rotation in range(4) for seat in range(4)}
    assert len(seeds) == 16
    assert all(0 <= seed < 2**53 for seed in seeds)
    digest = hmac.digest(b"s", b"bot/1/2/3/4/5", "sha256")
    assert bot_seed(b"s", 1, 2, 3, 4, 5) == int.from_bytes(digest[:8], "big") >> 11
