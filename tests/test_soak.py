"""The soak runs, in small."""

import pytest

from tests import soak


def test_a_run_in_one_process_leaves_no_descriptor_thread_or_zombie(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(soak, "GROWTH", 2.0)  # so few games say nothing of memory
    assert soak.main(150) == 0
    assert "flat and clean" in capsys.readouterr().out
