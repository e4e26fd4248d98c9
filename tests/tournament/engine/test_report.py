"""Which machines may play a run together, and in what they may differ."""

import pytest

pytest.importorskip("distributed", reason="the extra cluster is not installed")

from referee.tournament.engine.cluster.report import Report, mixes, objection

HERE = Report("0.1.0", "3.11.7", "bwrap")


@pytest.mark.parametrize(
    ("worker", "words"),
    [
        (HERE, ""),
        (Report("0.1.0", "3.11.2", "off"), ""),
        (Report("0.2.0", "3.11.7", "bwrap"), "has referee 0.2.0, the coordinator 0.1.0"),
        (Report("0.1.0", "3.12.1", "bwrap"), "has Python 3.12.1, the coordinator 3.11.7"),
        (Report("0.1.0", "3.11.7", "off", "no isolation: none"), "no isolation: none"),
    ],
)
def test_a_worker_where_games_might_go_otherwise_may_not_play(worker: Report, words: str) -> None:
    assert objection(HERE, worker) == words


def test_workers_that_differ_harmlessly_are_named() -> None:
    other = Report("0.1.0", "3.11.2", "off")
    assert mixes({"a": HERE, "b": HERE}) == []
    assert mixes({"a": HERE, "b": other}) == [
        "the workers' Python differs: 3.11.7 on a, 3.11.2 on b",
        "the workers' isolation differs: bwrap on a, off on b",
    ]
