"""Rewriting source files: all or none, and back byte for byte."""

from __future__ import annotations

import os
import signal
import stat
from pathlib import Path

import pytest

from keel.checking.rewriting import Rewriting, ending_raises
from keel.errors import OutputError


@pytest.fixture
def files(tmp_path: Path) -> list[Path]:
    """Two files, one of them a script."""
    found = [tmp_path / "one.py", tmp_path / "two.py"]
    for path in found:
        path.write_bytes(b"before\r\n")
    found[0].chmod(0o755)
    return found


def test_files_are_written_and_put_back(files: list[Path]) -> None:
    rewriting = Rewriting()
    rewriting.write({str(path): b"after" for path in files})
    rewriting.write({str(files[0]): b"later"})
    assert [path.read_bytes() for path in files] == [b"later", b"after"]
    assert stat.S_IMODE(files[0].stat().st_mode) == 0o755
    rewriting.undo()
    assert [path.read_bytes() for path in files] == [b"before\r\n"] * 2


def test_when_one_cannot_be_written_none_is(files: list[Path], monkeypatch: pytest.MonkeyPatch) -> None:
    replace = os.replace

    def full(source: str, target: str) -> None:
        if target.endswith("two.py"):
            raise OSError(28, "No space left on device")
        replace(source, target)

    monkeypatch.setattr(os, "replace", full)
    with pytest.raises(OutputError, match="No space left"):
        Rewriting().write({str(path): b"after" for path in files})
    assert [path.read_bytes() for path in files] == [b"before\r\n"] * 2
    assert sorted(path.name for path in files[0].parent.iterdir()) == ["one.py", "two.py"]


def test_a_file_that_is_gone_is_told(tmp_path: Path) -> None:
    with pytest.raises(OutputError, match="cannot read it"):
        Rewriting().write({str(tmp_path / "gone.py"): b""})


def test_a_link_stays_a_link(files: list[Path]) -> None:
    link = files[0].parent / "link.py"
    link.symlink_to(files[0])
    Rewriting().write({str(link): b"after"})
    assert link.is_symlink()
    assert files[0].read_bytes() == b"after"


def test_what_is_read_only_is_not_written(files: list[Path], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "access", lambda path, mode: not path.endswith("two.py"))
    with pytest.raises(OutputError, match=r"cannot write .*two\.py: it is read-only"):
        Rewriting().write({str(path): b"after" for path in files})
    assert [path.read_bytes() for path in files] == [b"before\r\n"] * 2


def test_being_told_to_end_leaves_every_file_as_it_was(files: list[Path], monkeypatch: pytest.MonkeyPatch) -> None:
    replace = os.replace

    def ended(source: str, target: str) -> None:
        if target.endswith("two.py"):
            monkeypatch.undo()
            signal.raise_signal(signal.SIGTERM)
        replace(source, target)

    before = signal.getsignal(signal.SIGTERM)
    monkeypatch.setattr(os, "replace", ended)
    with pytest.raises(SystemExit), ending_raises():
        Rewriting().write({str(path): b"after" for path in files})
    assert [path.read_bytes() for path in files] == [b"before\r\n"] * 2
    assert sorted(path.name for path in files[0].parent.iterdir()) == ["one.py", "two.py"]
    assert signal.getsignal(signal.SIGTERM) == before


def test_a_signal_that_is_ignored_goes_on_being_ignored(files: list[Path]) -> None:
    """As SIGHUP is under nohup."""
    before = signal.signal(signal.SIGHUP, signal.SIG_IGN)
    try:
        with ending_raises():
            signal.raise_signal(signal.SIGHUP)
            Rewriting().write({str(path): b"after" for path in files})
        assert signal.getsignal(signal.SIGHUP) == signal.SIG_IGN
    finally:
        signal.signal(signal.SIGHUP, before)
    assert [path.read_bytes() for path in files] == [b"after"] * 2
