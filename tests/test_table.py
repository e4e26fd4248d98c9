"""The referee at one table, against scripted bots under a clock that jumps."""

import json
from collections.abc import Sequence
from functools import partial
from types import SimpleNamespace
from typing import Any

import msgspec
import pytest
import trio
import trio.testing

from referee.bot import Verdict, Watchdog
from referee.games import tricks
from referee.games.game import find_game
from referee.protocol import Reason, TimeControl
from referee.record.lines import EncodedEventLine, Player, split
from referee.record.result import GameResult
from referee.record.verify import verify_record
from referee.table import Deal, News, Setting, Table
from tests.bot.scripted import Message, Peer, Script, ScriptedBot, first_options


class Played:
    """A game that scripts have played."""

    def __init__(self, result: GameResult, record: bytes, bots: list[ScriptedBot]) -> None:
        self.result = result
        (lines,) = split(record)
        assert verify_record(lines) is None
        self.lines: list[Message] = [json.loads(line) for line in lines]
        self.bots = bots

    def of(self, kind: str, /, **facts: object) -> list[Message]:
        """Return the record's lines of this kind of which these facts hold."""
        return [
            line
            for line in self.lines
            if line["type"] == kind and all(line.get(key) == value for key, value in facts.items())
        ]


def play(game: str, scripts: Sequence[Script | Verdict], **how: Any) -> Played:
    """Play a game under a clock that jumps: see ``_play``."""
    clock = trio.testing.MockClock(autojump_threshold=0)
    return trio.run(partial(_play, game, scripts, **how), clock=clock)


async def _play(
    game: str,
    scripts: Sequence[Script | Verdict],
    *,
    strikes: int = 1,
    time: TimeControl | None = None,
    names_shown: bool = False,
    **options: object,
) -> Played:
    """Play a game; a verdict in place of a script is a bot that could not be started."""
    found = find_game(game)
    seats = len(scripts)
    rules = msgspec.to_builtins(found.rules(options, seats))
    time = time or TimeControl(move_ms=100, bank_ms=1000, grace_ms=500)
    setting = Setting(game, rules, time, strikes, names_shown, "0-1-0-1")
    players = [Player(f"bot{seat}", "sha256:0") for seat in range(seats)]
    deal = Deal(1, "00" * 32, players, list(range(100, 100 + seats)))
    watchdog = Watchdog(trio.current_time)
    bots = [ScriptedBot(watchdog) for _ in scripts]
    try:
        async with trio.open_nursery() as nursery:
            nursery.start_soon(watchdog.run)
            for bot, script in zip(bots, scripts, strict=True):
                if isinstance(script, Verdict):
                    bot.fail_to_start(script)
                else:
                    nursery.start_soon(script, bot.peer)
            table = Table(found, setting, deal, bots, watchdog)
            result, record = await table.play(nursery)
            for bot in bots:
                bot.wire.close_in()
            await trio.testing.wait_all_tasks_blocked()
            nursery.cancel_scope.cancel()
    finally:
        for bot in bots:
            bot.close()
    return Played(result, record, bots)


def answers(*replies: object) -> Script:
    """Answer so, one reply a question, then with the first options.

    None: nothing. Bytes: as they are. A number: that late, in seconds. A list: these options.
    """

    async def script(peer: Peer) -> None:
        for reply in replies:
            turn = await peer.turn()
            if turn is None:
                return
            decision = turn["decision"]
            if isinstance(reply, float):
                await trio.sleep(reply)
                peer.answer(turn, *decision["options"][: decision["min"]])
            elif isinstance(reply, bytes):
                peer.say(reply)
            elif isinstance(reply, list):
                peer.answer(turn, *reply)
        await first_options(peer)

    return script


def test_a_start_says_all_that_a_bot_needs_to_know() -> None:
    game = play("pitch", [first_options] * 2, max_hands=1, names_shown=True)
    start = game.bots[1].heard[0]
    assert start == {
        "type": "start",
        "game": "pitch",
        "rules": game.lines[0]["rules"],
        "seats": 2,
        "seat": 1,
        "names": ["bot0", "bot1"],
        "seed": 101,
        "time": {"move_ms": 100, "bank_ms": 1000},
    }
    assert start["rules"]["max_hands"] == 1
    hidden = play("pitch", [first_options] * 2, max_hands=1)
    assert hidden.bots[0].heard[0]["names"] is None


def test_every_event_is_told_once_to_those_who_may_learn_it() -> None:
    game = play("cancellation_hearts", [first_options] * 6, max_hands=1)
    for seat, bot in enumerate(game.bots):
        told = [event for message in bot.heard for event in message.get("events", [])]
        recorded = [
            line["event"] for line in game.of("event") if line["to"] is None or seat in line["to"]
        ]
        assert told == recorded


def test_the_end_tells_scores_ranks_and_who_forfeited() -> None:
    game = play("pitch", [answers([77]), first_options, first_options], max_hands=1)
    end = game.bots[1].heard[-1]
    result = game.lines[-1]
    assert end["type"] == "end"
    for key in ("scores", "ranks", "forfeited", "capped"):
        assert end[key] == result[key]
    assert end["forfeited"] == [0]
    assert game.bots[0].heard[-1]["type"] == "fault"  # no end and no bye follow a forfeit


def test_a_decision_with_one_answer_is_never_asked() -> None:
    game = play("oh_hell", [first_options] * 3)
    forced = game.of("choice", by="forced")
    assert forced
    for line in forced:
        assert line["ms"] == 0
        assert "id" not in line
    for bot in game.bots:
        for turn in bot.heard:
            if turn["type"] == "turn":
                assert len(turn["decision"]["options"]) > 1
    assert game.lines[-1]["decisions"] == len(game.of("choice"))


def test_ids_grow_by_one_a_question() -> None:
    game = play("pitch", [first_options] * 2, max_hands=1)
    ids = [turn["id"] for turn in game.bots[0].heard if turn["type"] == "turn"]
    assert ids == list(range(1, len(ids) + 1))


def test_simultaneous_questions_are_asked_at_once_and_nobody_learns_the_others_answers() -> None:
    asked: list[float] = []

    async def slow(peer: Peer) -> None:
        turn = await peer.turn()
        assert turn is not None
        asked.append(trio.current_time())
        assert not any(event["event"] == "passed" for event in turn["events"])
        await trio.sleep(0.3)
        peer.answer(turn, *turn["decision"]["options"][:3])
        await first_options(peer)

    game = play("cancellation_hearts", [slow] * 6, max_hands=1)
    assert len(asked) == 6
    assert max(asked) - min(asked) < 0.01
    passes = game.of("choice", kind="pass")
    assert [line["seat"] for line in passes] == list(range(6))
    assert all(290 <= line["ms"] <= 320 for line in passes)


def test_nobody_is_charged_for_anothers_thinking() -> None:
    game = play("cancellation_hearts", [answers(0.9), *[first_options] * 5], max_hands=1)
    charged = {line["seat"]: line["bank_ms"] for line in game.of("choice", kind="pass")}
    assert charged.pop(0) in range(180, 202)
    assert set(charged.values()) == {1000}


def test_time_beyond_move_ms_is_taken_from_the_bank() -> None:
    game = play("pitch", [answers(0.08, 0.3, 0.5), first_options], max_hands=1)
    banks = [line["bank_ms"] for line in game.of("choice", seat=0, by="bot")]
    assert banks[0] == 1000
    assert banks[1] in range(785, 801)
    assert banks[2] in range(370, 401)
    told = [turn["time"]["bank_ms"] for turn in game.bots[0].heard if turn["type"] == "turn"]
    assert told[:4] == [1000, *banks[:3]]
    assert game.result.times[0].max_ms >= 500


async def long_line(peer: Peer) -> None:
    """Write a line of more than 64 KiB as a full pipe lets it through, and play on."""
    await peer.turn()
    peer.say(b"x" * 40000)
    await trio.sleep(0.02)
    peer.say(b"x" * 40000)
    await trio.sleep(0.02)
    peer.say(b"\n")
    await first_options(peer)


FAULTS: dict[str, tuple[object, Reason]] = {
    "no answer": (None, Reason.TIMEOUT),
    "a part of a line": (b'{"id":1,', Reason.TIMEOUT),
    "an answer after the deadline": (1.2, Reason.TIMEOUT),
    "no JSON": (b"hello\n", Reason.MALFORMED),
    "not UTF-8": (b'{"id":1,"choose":["\xff"]}\n', Reason.MALFORMED),
    "no choose": (b'{"id":1}\n', Reason.MALFORMED),
    "an id to come": (b'{"id":2,"choose":["pass"]}\n', Reason.MALFORMED),
    "an id as text": (b'{"id":"1","choose":["pass"]}\n', Reason.MALFORMED),
    "no option": ([5], Reason.ILLEGAL),
    "an option twice": (["pass", "pass"], Reason.ILLEGAL),
    "none": ([], Reason.ILLEGAL),
    "true for 1": ([True], Reason.ILLEGAL),
    "1.0 for 1": ([1.0], Reason.ILLEGAL),
    "a line over the limit": (long_line, Reason.OVERSIZE),
}


@pytest.mark.parametrize("name", FAULTS)
def test_a_fault_is_a_strike_and_the_referee_chooses(name: str) -> None:
    reply, reason = FAULTS[name]
    script = answers(reply) if reason is not Reason.OVERSIZE else long_line
    game = play("pitch", [script, first_options], strikes=3, max_hands=1)
    fault, *others = game.of("fault")
    assert fault["reason"] == reason
    # What is left of a line is a part of the next one, which is then no JSON either.
    assert len(others) == (name == "a part of a line")
    assert (fault["seat"], fault["id"], fault["strikes"], fault["forfeit"]) == (0, 1, 1, False)
    told, *_ = [message for message in game.bots[0].heard if message["type"] == "fault"]
    assert told == {
        key: fault[key] for key in ("type", "id", "reason", "detail", "strikes", "forfeit")
    }
    at = game.lines.index(fault)
    choice = game.lines[at + 1]
    assert (choice["by"], choice["choose"], choice["seat"]) == ("referee", ["pass"], 0)
    assert game.result.forfeited == []
    assert game.bots[0].is_alive
    if reason is Reason.TIMEOUT:
        assert choice["bank_ms"] == 0


def test_at_the_last_strike_the_bot_forfeits_and_its_seat_is_played_on() -> None:
    game = play("pitch", [answers([9], [9]), first_options], strikes=2, max_hands=2)
    assert [fault["forfeit"] for fault in game.of("fault")] == [False, True]
    assert game.result.forfeited == [0]
    assert game.result.ranks == [2, 1]
    assert game.bots[0].stopped_after_ms == 500
    at = game.lines.index(game.of("fault")[1])
    later = [line for line in game.lines[at:] if line["type"] == "choice" and line["seat"] == 0]
    assert {line["by"] for line in later} == {"referee", "forced"}
    assert len(game.of("event", event=game.of("event")[0]["event"])) == 1
    hands = [line for line in game.of("event") if line["event"]["event"] == "scored"]
    assert len(hands) == 2


def test_a_crash_forfeits_at_once_whatever_strikes_are_left() -> None:
    async def crash(peer: Peer) -> None:
        await peer.turn()
        peer.say(b"half a li")
        peer.hang_up()

    game = play("pitch", [crash, first_options], strikes=9, max_hands=1)
    (fault,) = game.of("fault")
    assert (fault["reason"], fault["forfeit"]) == ("crash", True)
    assert "half a li" in fault["detail"]


def test_a_last_answer_counts_though_the_bot_hangs_up() -> None:
    whole = play("pitch", [first_options] * 2, max_hands=1)
    asked = sum(message["type"] == "turn" for message in whole.bots[0].heard)

    async def last(peer: Peer) -> None:
        for _ in range(asked):
            turn = await peer.turn()
            assert turn is not None
            peer.answer(turn, turn["decision"]["options"][0])
        peer.hang_up()

    game = play("pitch", [last, first_options], max_hands=1)
    assert game.of("fault") == []
    assert game.result.forfeited == []


def test_bots_that_could_not_be_started_share_the_last_rank() -> None:
    broken = Verdict(Reason.STARTUP, "no such file")
    scripts: list[Any] = [broken, first_options, broken, answers([9])]
    game = play("pitch", scripts, max_hands=1)
    assert game.result.forfeited == [0, 2, 3]
    assert game.result.ranks == [3, 1, 3, 2]  # the later forfeit ranks better
    starts = game.of("fault", reason="startup")
    assert [line["seat"] for line in starts] == [0, 2]
    assert all("id" not in line for line in starts)
    assert game.lines[1:3] == starts


def test_forfeits_in_the_same_decision_share_a_rank() -> None:
    scripts = [answers([]), answers([]), *[first_options] * 4]
    game = play("cancellation_hearts", scripts, max_hands=1)
    assert game.result.ranks[:2] == [5, 5]


def test_a_partner_keeps_the_teams_place() -> None:
    scripts = [answers([9]), *[first_options] * 3]
    game = play("pitch", scripts, max_hands=1, teams=True)
    ranks = game.result.ranks
    assert ranks[0] == 4
    assert ranks[1] == ranks[3]
    assert (ranks[2], ranks[1]) in {(1, 2), (3, 1), (1, 1)}


def test_a_note_is_kept_to_its_first_kib_and_shown_to_nobody() -> None:
    async def chatty(peer: Peer) -> None:
        while (turn := await peer.turn()) is not None:
            peer.answer(turn, turn["decision"]["options"][0], note="é" * 2000)

    game = play("pitch", [chatty, first_options], max_hands=1)
    notes = [line["note"] for line in game.of("choice", by="bot", seat=0)]
    assert set(notes) == {"é" * 512}
    assert not any("note" in message for message in game.bots[1].heard)


@pytest.mark.parametrize(
    ("claim", "reason"),
    [("K", None), ("A", None), (None, None), ("1", "malformed"), (1, "malformed")],
)
def test_a_claim_is_a_rank_or_malformed(claim: object, reason: str | None) -> None:
    async def claims(peer: Peer) -> None:
        turn = await peer.turn()
        assert turn is not None
        peer.answer(turn, turn["decision"]["options"][0], claim=claim)
        await first_options(peer)

    game = play("i_doubt_it", [claims, *[first_options] * 2], max_discards=3, strikes=2)
    assert [fault["reason"] for fault in game.of("fault")] == ([reason] if reason else [])
    (first,) = game.of("choice", seat=0, id=1)
    assert first.get("claim") == (claim if not reason else None)


def test_with_doubt_first_the_first_to_doubt_counts_and_others_are_not_waited_for() -> None:
    def doubter(after: float, doubts: bool) -> Script:
        async def script(peer: Peer) -> None:
            while (turn := await peer.turn()) is not None:
                if turn["decision"]["kind"] == "doubt":
                    await trio.sleep(after)
                    peer.answer(turn, doubts)
                else:
                    peer.answer(turn, turn["decision"]["options"][0])

        return script

    trusting = [doubter(0.05, False), doubter(0.03, False)]
    scripts = [first_options, *trusting, doubter(0.09, True), doubter(0.07, True)]
    game = play("i_doubt_it", scripts, doubt="first", max_discards=1)
    doubts = [(line["seat"], line["choose"]) for line in game.of("choice", kind="doubt")]
    assert doubts == [(2, [False]), (1, [False]), (4, [True])]
    (doubted,) = [line["event"] for line in game.of("event") if line["event"]["event"] == "doubted"]
    assert doubted["seat"] == 4


def test_a_withdrawn_question_costs_no_time_and_its_answer_is_late() -> None:
    async def doubts_at_once(peer: Peer) -> None:
        while (turn := await peer.turn()) is not None:
            options = turn["decision"]["options"]
            peer.answer(turn, options[-1] if turn["decision"]["kind"] == "doubt" else options[0])

    async def ponders(peer: Peer) -> None:
        """Answer the question that is withdrawn long after its time, and all others at once."""
        while (turn := await peer.turn()) is not None:
            if turn["decision"]["kind"] == "doubt" and turn["id"] == 1:
                await trio.sleep(0.09)
            peer.answer(turn, turn["decision"]["options"][0])

    async def first_to_play(peer: Peer) -> None:
        while (turn := await peer.turn()) is not None:
            await trio.sleep(0.05)
            peer.answer(turn, turn["decision"]["options"][0])

    scripts = [first_to_play, ponders, doubts_at_once]
    game = play("i_doubt_it", scripts, doubt="first", max_discards=4)
    assert game.of("fault") == []
    asked_of = [turn for turn in game.bots[1].heard if turn["type"] == "turn"]
    assert asked_of[0]["decision"]["kind"] == "doubt"
    assert game.of("choice", seat=1, id=1) == []  # withdrawn: no line of the record
    (second,) = game.of("choice", seat=1, id=2)
    assert second["ms"] < 5  # its clock waited for the late answer
    assert {turn["time"]["bank_ms"] for turn in asked_of} == {1000}
    (note,) = game.of("note", seat=1)
    assert int(note["detail"].split()[0]) >= 1


def test_doubts_that_arrive_together_are_settled_nearest_left_first() -> None:
    async def doubts(peer: Peer) -> None:
        while (turn := await peer.turn()) is not None:
            options = turn["decision"]["options"]
            await trio.sleep(0.05)
            peer.answer(turn, options[-1] if turn["decision"]["kind"] == "doubt" else options[0])

    game = play("i_doubt_it", [doubts] * 4, doubt="first", max_discards=2)
    first, second = (line for line in game.of("choice", kind="doubt", choose=[True]))
    assert (first["seat"], second["seat"]) == (1, 2)


def test_late_answers_are_passed_over_and_counted() -> None:
    async def late(peer: Peer) -> None:
        first = await peer.turn()
        assert first is not None
        await trio.sleep(1.15)
        peer.answer(first, "pass")
        await first_options(peer)

    game = play("pitch", [late, first_options], strikes=2, max_hands=1)
    assert [fault["reason"] for fault in game.of("fault")] == ["timeout"]
    (note,) = game.of("note")
    assert note["detail"] == "1 late answers passed over"


def test_after_a_timeout_one_clock_waits_for_the_late_answer_and_no_other() -> None:
    # 1100 ms are all there is: after the timeout there is no bank, and 100 ms are free.
    game = play("pitch", [answers(1.17, 0.08, 0.13), first_options], strikes=3, max_hands=1)
    assert [(fault["id"], fault["reason"]) for fault in game.of("fault")] == [
        (1, "timeout"),
        (3, "timeout"),
    ]
    (second,) = game.of("choice", seat=0, id=2)
    assert (second["by"], second["bank_ms"]) == ("bot", 0)
    assert 70 <= second["ms"] <= 90


def test_each_seat_is_told_its_news_once_and_in_their_order() -> None:
    noted: list[EncodedEventLine] = []
    news = News(3, SimpleNamespace(add=noted.append))  # type: ignore[arg-type]

    def told(seat: int) -> list[str]:
        return [msgspec.json.decode(event)["card"] for event in news.take(seat)]

    news.tell(
        [
            (None, tricks.Played(0, "2C")),
            ((1,), tricks.Played(0, "3C")),
            (None, tricks.Played(0, "4C")),
        ]
    )
    assert told(1) == ["2C", "3C", "4C"]
    news.tell(
        [
            ((0, 1), tricks.Played(0, "5C")),
            (None, tricks.Played(0, "6C")),
            ((0,), tricks.Played(0, "7C")),
        ]
    )
    assert told(0) == ["2C", "4C", "5C", "6C", "7C"]
    assert told(1) == ["5C", "6C"]
    assert told(2) == ["2C", "4C", "6C"]
    assert [told(seat) for seat in range(3)] == [[], [], []]
    assert [line.to for line in noted] == [None, (1,), None, (0, 1), None, (0,)]
