"""What every game shares: decisions and how an answer is judged, ranks, the words for options."""

from typing import Any

import pytest

from referee.games.game import Decision, RulesError, find_game, ranks

BID = Decision("bid", [0, 1, 2, 3])
DOUBT = Decision("doubt", [False, True])
PLAY = Decision("play", ["7H", "9H"])
TWICE = Decision("pass", ["QS", "QS", "2C", "3D"], min=3, max=3)
SOME = Decision("discard", ["2C", "3D", "4H"], min=1, max=3)


@pytest.mark.parametrize(
    ("decision", "choose"),
    [
        (BID, [0]),
        (BID, [3]),
        (DOUBT, [False]),
        (DOUBT, [True]),
        (PLAY, ["9H"]),
        (TWICE, ["QS", "3D", "QS"]),
        (SOME, ["4H"]),
        (SOME, ["4H", "3D", "2C"]),
    ],
)
def test_a_possible_answer_meets_no_objection(decision: Decision, choose: list[Any]) -> None:
    assert decision.objection(choose) is None


@pytest.mark.parametrize(
    ("decision", "choose", "says"),
    [
        pytest.param(BID, [True], "chose true, which is not", id="true is not 1"),
        pytest.param(BID, [False], "chose false, which is not", id="false is not 0"),
        pytest.param(BID, [3.0], "chose 3.0, which is not", id="3.0 is not 3"),
        pytest.param(BID, ["3"], 'chose "3", which is not', id="a text is not a number"),
        pytest.param(BID, [4], "chose 4, which is not", id="out of range"),
        pytest.param(BID, [-1], "chose -1, which is not", id="below the range"),
        pytest.param(BID, [None], "chose null, which is not", id="null"),
        pytest.param(BID, [[1]], "chose [1], which is not", id="a list"),
        pytest.param(BID, [{"bid": 1}], 'chose {"bid":1}, which is not', id="an object"),
        pytest.param(DOUBT, [0], "chose 0, which is not", id="0 is not false"),
        pytest.param(DOUBT, [1], "chose 1, which is not", id="1 is not true"),
        pytest.param(PLAY, ["AS"], 'chose "AS", which is not', id="not a card offered"),
        pytest.param(PLAY, ["9h"], 'chose "9h", which is not', id="case matters"),
        pytest.param(PLAY, ["x" * 60], f'chose "{"x" * 39}...', id="long ones are cut"),
        pytest.param(PLAY, [], "chose 0 of the options, but 1 must", id="none"),
        pytest.param(PLAY, ["7H", "9H"], "chose 2 of the options, but 1 must", id="too many"),
        pytest.param(SOME, [], "chose 0 of the options, but 1 to 3 must", id="fewer than min"),
        pytest.param(SOME, ["2C", "2C"], 'chose "2C" more often than', id="a duplicate"),
        pytest.param(TWICE, ["QS", "QS", "QS"], 'chose "QS" more often than', id="a third queen"),
    ],
)
def test_any_other_answer_is_refused_in_one_sentence(
    decision: Decision, choose: list[Any], says: str
) -> None:
    objection = decision.objection(choose)
    assert objection is not None
    assert objection.startswith(says)
    assert "\n" not in objection


@pytest.mark.parametrize(
    ("decision", "is_forced"),
    [
        (Decision("play", ["7H"]), True),
        (Decision("play", ["7H", "7H"]), True),
        (Decision("pass", ["2C", "3D", "4H"], min=3, max=3), True),
        (PLAY, False),
        (DOUBT, False),
        (TWICE, False),
        (SOME, False),
    ],
)
def test_a_decision_with_one_possible_answer_is_forced(decision: Decision, is_forced: bool) -> None:
    assert decision.is_forced == is_forced


def test_the_referees_own_choice_is_the_first_options() -> None:
    assert PLAY.default == ["7H"]
    assert TWICE.default == ["QS", "QS", "2C"]


def test_ties_share_the_better_rank() -> None:
    assert ranks([40, 61, 61, 7]) == [3, 1, 1, 4]


@pytest.mark.parametrize(
    ("game", "options", "says"),
    [
        ("oh_hell", {"hook": 1}, "oh_hell: option hook: must be true or false, found 1"),
        (
            "oh_hell",
            {"missed": "all"},
            "oh_hell: option missed: must be 'nothing' or 'tricks', found 'all'",
        ),
        (
            "pitch",
            {"target": 101},
            "pitch: option target: must be a whole number from 1 to 100, found 101",
        ),
        (
            "pitch",
            {"target": 7.0},
            "pitch: option target: must be a whole number from 1 to 100, found 7.0",
        ),
        ("i_doubt_it", {"packs": 3}, "i_doubt_it: option packs: must be 1 or 2, found 3"),
    ],
)
def test_a_bad_option_is_told_what_it_may_be(
    game: str, options: dict[str, object], says: str
) -> None:
    with pytest.raises(RulesError) as caught:
        find_game(game).rules(options, 4)
    assert str(caught.value) == says


def test_an_unknown_game_is_told_the_games_there_are() -> None:
    with pytest.raises(RulesError, match=r"no game 'poker'; the games are: .*oh_hell, pitch"):
        find_game("poker")
