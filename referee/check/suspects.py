"""The usual suspects: from what was sent and what came to the rule that is broken and the remedy.

Each suspect is a function that looks at the evidence and recognises its own work, or does not. They
are asked in the order of ``SUSPECTS``, from the certain to the general; where none recognises
anything, there is a word for each reason.
"""

import re
from collections.abc import Callable

import msgspec

from referee.check.evidence import Advice, Evidence, decode_json
from referee.protocol import Reason, printable

_LINES = "bots/README.md, section 1"
_MESSAGES = "bots/README.md, section 2"
_FAULTS = "bots/README.md, section 3"

_OWN = f"{_LINES}: standard output carries the protocol, one JSON object a line, and nothing else"
_OWN_LINE = f"{_LINES}: one JSON object a line, ended by a newline"
_START = f"{_FAULTS}: a bot is there with a valid ready within startup_ms"
_ASKED = f"{_LINES}: one question, one answer; a bot speaks only when asked"
_FORM = f'{_MESSAGES}: a turn is answered by {{"id":7,"choose":[...]}}'
_ID = f"{_MESSAGES}: an answer has the id of the turn that it answers"
_CHOICE = f"{_MESSAGES}: an answer chooses between min and max of the options, as they stand there"
_IN_TIME = f"{_MESSAGES}: an answer takes at most move_ms and what is left of the bank"
_STAYS = f"{_MESSAGES}: the process stays until bye"

LEFT_EARLY = Advice("leaves early", _STAYS, "read on until bye, in a loop; a game's end is no end")
NOT_ASKED = Advice(
    "answers unasked",
    _ASKED,
    "answer each turn once, and nothing else: a line too many is passed over as a late one, and "
    "more than 1,000 of them for one turn are a fault",
)
FORFEITED = Advice(
    "started anew",
    f"{_FAULTS}: who forfeits a game is stopped, and started anew for the next",
    "mend what stands above",
)
STAYS_ON = Advice(
    "stays on",
    f"{_MESSAGES}: a bot exits within grace_ms of bye",
    "end the process, with its threads and what it started, on bye and when its input ends",
)

_MOST_LINES = 50
"""Over so many lines an object is put together."""

_ERROR = re.compile(r"(\w+\.)*\w*(Error|Exception)\b")
_Suspect = Callable[[Evidence], Advice | None]


def advise(evidence: Evidence) -> Advice:
    """Return what is known to cause this, or the general word."""
    for suspect in SUSPECTS:
        if (advice := suspect(evidence)) is not None:
            break
    else:
        advice = _GENERAL[evidence.reason]
    is_later = evidence.games > 0 and evidence.before != "fault"
    if evidence.reason is Reason.CRASH and is_later and advice is not LEFT_EARLY:
        words = (
            f"{advice.words}; it was game {evidence.games + 1} of this process, so begin anew on "
            f"every start with what you remember"
        )
        return msgspec.structs.replace(advice, words=words)
    return advice


def shadowed_module(evidence: Evidence) -> Advice | None:
    """Recognise a file of the bot's that has the name of a module of Python's own."""
    if not evidence.remarks or not re.search(r"(Error|Exception)\b", evidence.stderr):
        return None
    words = "; ".join(evidence.remarks)
    return Advice("shadowed module", _rule_of_an_end(evidence), words)


def missing_module(evidence: Evidence) -> Advice | None:
    """Recognise an import that the interpreter does not find."""
    found = re.search(
        r"No module named '([^']+)'|Cannot find module '([^']+)'"
        r"|(?:Could not find or load main class|ClassNotFoundException:) (\S+)",
        evidence.stderr,
    )
    if found is None:
        return None
    name = next(filter(None, found.groups()))
    words = (
        f"{name} is not there where the bot runs: put it into the bot's own folder, "
        f"or do without; the bot sees its folder, /usr and the referee's Python with its packages"
    )
    return Advice("missing module", _rule_of_an_end(evidence), words)


def missing_program(evidence: Evidence) -> Advice | None:
    """Recognise that what is to run is not there, or not for this machine."""
    said = f"{evidence.detail}\n{evidence.stderr}"
    if "Exec format error" in said:
        words = "it is no program for this machine: build it here, or name its interpreter"
        return Advice("wrong machine", _START, words)
    if re.search(r"exit code 12[67]\b|No such file or directory", said) and evidence.reason in (
        Reason.STARTUP,
        Reason.CRASH,
    ):
        words = (
            "a program that it needs is not there: see its standard error; an isolated bot sees "
            "its own folder, /usr and the program that its command begins with"
        )
        return Advice("missing interpreter", _rule_of_an_end(evidence), words)
    return None


def buffered_input(evidence: Evidence) -> Advice | None:
    """Recognise who answers as soon as its input has filled a block."""
    if evidence.buffer != "input":
        return None
    words = (
        "it reads its input in blocks, and waits for more before it looks at the first line: read "
        "line by line (in old Pythons sys.stdin.readline() in place of `for line in sys.stdin`)"
    )
    return Advice("buffered reading", _rule_of_silence(evidence), words)


def no_flush(evidence: Evidence) -> Advice | None:
    """Recognise answers that lay in the bot's own buffer until its end wrote them out."""
    if not (evidence.buffer == "output" or evidence.at_end):
        return None
    words = (
        "its output came only when its input was closed: it lay in the bot's own buffer; flush "
        "after every line (print(..., flush=True), fflush(stdout), jq --unbuffered)"
    )
    return Advice("no flush", _rule_of_silence(evidence), words)


def no_newline(evidence: Evidence) -> Advice | None:
    """Recognise an answer that lacks its newline, and so is none yet."""
    cut = "of a line: " in evidence.detail or "unfinished line: " in evidence.detail
    hung = evidence.detail.startswith("not ready") and not evidence.buffer
    if not cut and not (hung and _is_object(evidence.line)):
        return None
    return Advice("no newline", _OWN_LINE, "a line is one when its newline has come: end it so")


def other_protocol(evidence: Evidence) -> Advice | None:
    """Recognise a ready for a version that is not spoken here."""
    if "was not offered" not in evidence.detail:
        return None
    words = "leave protocol out of ready, or give one of the numbers in hello's protocols"
    return Advice("other protocol", _START, words)


def asks_for_input(evidence: Evidence) -> Advice | None:
    """Recognise a prompt for a person who is not there."""
    if evidence.reason is not Reason.STARTUP or not _is_a_bad_line(evidence):
        return None
    if not evidence.detail.startswith("not ready") and b"{" not in evidence.line:
        return None
    prompt = evidence.line.partition(b"{")[0].strip()
    words = (
        f"{printable(prompt, 60)!r} looks like a prompt: nobody is there to type, and the "
        f"first line that it reads is the referee's hello; ask for nothing, and print nothing "
        f"before ready"
    )
    return Advice("asks for input", _OWN, words)


def several_lines(evidence: Evidence) -> Advice | None:
    """Recognise a line that is a piece of an object that was written over several."""
    if not _is_a_bad_line(evidence):
        return None
    before = [*evidence.earlier, *evidence.came[:-1]][-_MOST_LINES:]
    lines = [*before, evidence.line, *evidence.later[:_MOST_LINES]]
    fault = len(before)
    for begin in range(fault + 1):
        if not lines[begin].lstrip().startswith(b"{") or _is_object(lines[begin]):
            continue
        ends = range(max(begin, fault) + 1, len(lines) + 1)
        if any(_is_object(b"\n".join(lines[begin:end])) for end in ends):
            words = (
                "one object came over several lines, and each of them counts: write it as ONE "
                "line, without indentation (JSON.stringify(answer), json.dumps(answer), jq -c)"
            )
            return Advice("several lines", _OWN_LINE, words)
    return None


def no_json(evidence: Evidence) -> Advice | None:
    """Recognise what looks like an object and is none."""
    if not _is_a_bad_line(evidence) or not evidence.line.lstrip().startswith(b"{"):
        return None
    words = (
        "it begins as a JSON object and is none (names and texts stand in double quotes): let "
        "the language's JSON library write it"
    )
    return Advice("no JSON", _OWN_LINE, words)


def traceback_on_output(evidence: Evidence) -> Advice | None:
    """Recognise an error that went to standard output."""
    if not evidence.line.startswith(b"Traceback (most recent call last)"):
        return None
    lines = [printable(line, 120) for line in evidence.later]
    named = next(filter(_ERROR.match, lines), "see what came")
    words = f"mend the error ({named}), and let it go to standard error"
    return Advice("traceback on standard output", _OWN, words)


def prints(evidence: Evidence) -> Advice | None:
    """Recognise what is no JSON object at all."""
    if not _is_a_bad_line(evidence):
        return None
    words = (
        "standard output is for answers only; print what is for yourself to standard error "
        "(print(..., file=sys.stderr), console.error, fprintf(stderr, ...))"
    )
    return Advice("prints on standard output", _OWN, words)


def answers_unasked(evidence: Evidence) -> Advice | None:
    """Recognise an answer to a message that is no question."""
    if evidence.reason is not Reason.MALFORMED or not evidence.before:
        return None
    message = evidence.message
    if not isinstance(message, dict) or "choose" in message:
        return None
    words = (
        f"{evidence.before} was answered: only hello and turn are; take note of the others and "
        f"read on"
    )
    return Advice("answers unasked", _ASKED, words)


def wrong_id(evidence: Evidence) -> Advice | None:
    """Recognise an answer that carries another id than its question, or none."""
    open_id = evidence.question.get("id")
    for line in evidence.came if open_id is not None else ():
        answer = decode_json(line)
        if not isinstance(answer, dict) or "choose" not in answer:
            continue
        if answer.get("id") not in (open_id, *evidence.owed):
            given = msgspec.json.encode(answer["id"]).decode() if "id" in answer else "none"
            words = (
                f"the question's id is {open_id}, the answer's {printable(given, 40)}: copy it "
                f"from the turn as it is; ids go on through all games of a process"
            )
            return Advice("wrong id", _ID, words)
    return None


def wrong_choice(evidence: Evidence) -> Advice | None:
    """Say in what way a choice cannot be chosen."""
    answer, question = evidence.message, evidence.question
    if evidence.reason is not Reason.ILLEGAL or not isinstance(answer, dict):
        return None
    options = question["decision"]["options"]
    cards = question.get("view", {}).get("cards") or []
    for chosen in answer.get("choose", ()):
        if chosen in options and any(type(chosen) is type(option) for option in options):
            continue
        if any(_text(chosen) == _text(option) for option in options):
            words = f"{_text(chosen)!r} is of another JSON type than the option: leave it as it is"
            return Advice("another type", _CHOICE, words)
        if chosen in cards:
            words = (
                f"{chosen} is held, but may not be chosen now: the options have what the rules "
                f"allow (who can follow suit must), so choose from them, not from the hand"
            )
            return Advice("card not allowed", _CHOICE, words)
        words = (
            f"{printable(_text(chosen), 40)} is not there to be chosen (a card that is not held, "
            f"or a number out of bounds): choose from this turn's options, not from a memory of "
            f"the hand"
        )
        return Advice("card not held", _CHOICE, words)
    return None


def error_in_the_bot(evidence: Evidence) -> Advice | None:
    """Recognise an end by an error that the bot itself tells of."""
    if evidence.reason not in (Reason.STARTUP, Reason.CRASH) or not evidence.stderr.strip():
        return None
    lines = [line.strip() for line in evidence.stderr.splitlines() if line.strip()]
    named = list(filter(_ERROR.match, lines))
    words = f"the bot ended by its own error: {printable((named or lines)[-1], 120)}"
    return Advice("error in the bot", _rule_of_an_end(evidence), words)


def leaves_early(evidence: Evidence) -> Advice | None:
    """Recognise who ended of its own accord."""
    if evidence.reason is not Reason.CRASH or "exit code 0" not in evidence.detail:
        return None
    return LEFT_EARLY


SUSPECTS: tuple[_Suspect, ...] = (
    shadowed_module,
    missing_module,
    missing_program,
    other_protocol,
    buffered_input,
    no_newline,
    no_flush,
    several_lines,
    no_json,
    asks_for_input,
    traceback_on_output,
    prints,
    wrong_id,
    answers_unasked,
    wrong_choice,
    error_in_the_bot,
    leaves_early,
)

_GENERAL = {
    Reason.STARTUP: Advice(
        "startup", _START, 'read hello, and answer {"type":"ready"} at once, flushed'
    ),
    Reason.TIMEOUT: Advice(
        "timeout", _IN_TIME, "flush after every answer; think no longer than the turn's time allows"
    ),
    Reason.MALFORMED: Advice(
        "malformed", _FORM, "id is the question's integer, choose a list, note a text"
    ),
    Reason.ILLEGAL: Advice(
        "illegal", _CHOICE, "choose at least min and at most max, each as often as it stands there"
    ),
    Reason.OVERSIZE: Advice(
        "oversize",
        f"{_LINES}: a line is at most 64 KiB, and no more than 1,000 lines answer nothing",
        "answer once, in one short line",
    ),
    Reason.CRASH: Advice("crash", _STAYS, "find out why the process ended or closed a stream"),
    Reason.LIMIT: Advice(
        "limit",
        f"{_FAULTS}: a bot keeps to its limits of memory, processor time, processes and output",
        "use less of what the detail names; a config's [limits] may allow more",
    ),
}


def _rule_of_an_end(evidence: Evidence) -> str:
    return _START if evidence.reason is Reason.STARTUP else _STAYS


def _rule_of_silence(evidence: Evidence) -> str:
    return _START if evidence.reason is Reason.STARTUP else _IN_TIME


def _is_a_bad_line(evidence: Evidence) -> bool:
    """Whether a line came that is no JSON object."""
    if evidence.reason not in (Reason.STARTUP, Reason.MALFORMED) or not evidence.came:
        return False
    return not _is_object(evidence.line)


def _is_object(line: bytes) -> bool:
    return isinstance(decode_json(line), dict)


def _text(value: object) -> str:
    return value if isinstance(value, str) else msgspec.json.encode(value).decode()
