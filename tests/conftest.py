"""Fixtures every test may ask for: a project on disk, the same under git, and keel run on it.

How they work is in `tests.workspaces`; fixtures of one kind of test live in that kind's folder.
"""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

from keel.bootstrap import NO_SEMANTIC, NO_TY
from keel.daemon import OFF
from keel.embedders.static import is_installed
from tests import workspaces
from tests.workspaces import MakeWorkspace, RunKeel

ENDINGS = tuple(getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP", "SIGQUIT") if hasattr(signal, name))
"""Signals that end a process which does not ask for anything else."""
# Set while git runs a hook; left in place, a commit of a test would land in the outer repository.
GIT_LOCATION = ("GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_OBJECT_DIRECTORY", "GIT_PREFIX")


@pytest.fixture(scope="session", autouse=True)
def _signals_of_a_terminal() -> Iterator[None]:
    """Processes that tests start can be interrupted, also where the tests run in the background or under nohup.

    There a shell ignores some signals, and what a process ignores is ignored by every process that it starts.
    """
    ignored = [each for each in ENDINGS if signal.getsignal(each) == signal.SIG_IGN]
    for each in ignored:
        signal.signal(each, signal.default_int_handler if each == signal.SIGINT else signal.SIG_DFL)
    yield
    for each in ignored:
        signal.signal(each, signal.SIG_IGN)


@pytest.fixture(scope="session", autouse=True)
def _no_ty() -> Iterator[None]:
    """keel's own analysis is what most tests are about, and starting ty takes longer; those about ty ask for it."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv(NO_TY, "1")
        yield


@pytest.fixture(scope="session", autouse=True)
def _no_semantic() -> Iterator[None]:
    """Search by words is what most tests are about, and loading a model takes longer."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv(NO_SEMANTIC, "1")
        yield


@pytest.fixture
def with_semantic(monkeypatch: pytest.MonkeyPatch) -> None:
    """Vectors are made, as they are where the extra is installed."""
    if not is_installed():
        pytest.skip("the extra `semantic` is not installed")
    monkeypatch.delenv(NO_SEMANTIC, raising=False)


@pytest.fixture(scope="session", autouse=True)
def _no_daemon() -> Iterator[None]:
    """Nothing stays behind that a test did not ask for; those about the daemon do."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv(OFF, "1")
        yield


@pytest.fixture
def with_ty(monkeypatch: pytest.MonkeyPatch) -> None:
    """ty is asked, as it is by default."""
    monkeypatch.delenv(NO_TY, raising=False)


@pytest.fixture(scope="session", autouse=True)
def _only_our_git_settings(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Git in tests, and git under keel in tests, knows nothing of the machine's settings."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("GIT_CONFIG_GLOBAL", os.devnull)
        patch.setenv("GIT_CONFIG_NOSYSTEM", "1")
        patch.setenv("GIT_CEILING_DIRECTORIES", str(tmp_path_factory.getbasetemp().resolve()))
        for name in GIT_LOCATION:
            patch.delenv(name, raising=False)
        yield


@pytest.fixture(scope="session", autouse=True)
def _no_home(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Which coding agents the developer uses is not seen; caches stay where they are."""
    with pytest.MonkeyPatch.context() as patch:
        if "XDG_CACHE_HOME" not in os.environ:
            patch.setenv("XDG_CACHE_HOME", os.path.expanduser("~/.cache"))
        patch.setenv("HOME", str(tmp_path_factory.mktemp("home")))
        yield


@pytest.fixture
def workspace(tmp_path: Path) -> MakeWorkspace:
    """Make a project, not under git, from `{relative path: text}`."""

    def make(files: Mapping[str, str], name: str = "workspace") -> Path:
        return workspaces.write_files(tmp_path / name, files)

    return make


@pytest.fixture
def git_workspace(workspace: MakeWorkspace) -> MakeWorkspace:
    """Make a project from `{relative path: text}`, with everything in its first commit."""

    def make(files: Mapping[str, str], name: str = "workspace") -> Path:
        folder = workspace(files, name)
        workspaces.commit_all(folder)
        return folder

    return make


@pytest.fixture
def run_keel() -> RunKeel:
    """Run keel's command line in a process of its own: `run_keel(["map"], cwd=folder)`."""
    return workspaces.run_keel
