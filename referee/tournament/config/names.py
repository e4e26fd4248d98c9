"""What a bot may be called, so that its name is safe in a terminal, a page and a path."""

import re
import unicodedata

MAX_CHARACTERS = 32

# Letters and marks that draw nothing: with them two names would look the same.
_INVISIBLE = re.compile(
    "[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u3164\ufe00-\ufe0f\uffa0\U000e0100-\U000e01ef]"
)


def name_objection(name: str) -> str | None:
    """Say what is wrong with a bot's name, as what it must do; None if it may be so.

    A name is 1 to 32 letters and digits of any script (with their combining marks), spaces and
    ``_.-``; no space begins or ends it, no combining mark begins it, and it is not only dots.
    """
    if not 1 <= len(name) <= MAX_CHARACTERS:
        return f"a name has 1 to {MAX_CHARACTERS} characters, not {len(name)}"
    if not all(map(_is_allowed, name)):
        return "a name has letters, digits, spaces and _.- only"
    if name.startswith(" ") or name.endswith(" "):
        return "a name begins and ends with no space"
    if unicodedata.category(name[0]).startswith("M"):
        return "a name begins with no combining mark"
    if not name.strip("."):
        return "a name is more than dots"
    return None


def folded(name: str) -> str:
    """Return what two names must not have in common: case and width do not tell them apart."""
    return unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", name).casefold())


def _is_allowed(char: str) -> bool:
    category = unicodedata.category(char)
    is_letter_or_digit = category[0] in "LM" or category == "Nd"
    return char in " _.-" or (is_letter_or_digit and not _INVISIBLE.match(char))
