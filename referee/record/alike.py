"""Whether two records tell of the same game (PROTOCOL.md, section 5)."""

from collections.abc import Iterator

import msgspec

_decode = msgspec.json.Decoder(dict[str, object]).decode
_OF_THE_CLOCK = ("ms", "bank_ms", "started", "sha256")


def are_alike(one: bytes, other: bytes) -> bool:
    """Whether two files of records differ in nothing but times, and notes, which may tell of times.

    Raises msgspec.DecodeError for what is no record.
    """
    return list(_timeless(one)) == list(_timeless(other))


def _timeless(records: bytes) -> Iterator[dict[str, object]]:
    """Go through the lines of records, without what depends on the clock."""
    for line in map(_decode, records.splitlines()):
        if line.get("type") != "note":
            yield {key: value for key, value in line.items() if key not in _OF_THE_CLOCK}
