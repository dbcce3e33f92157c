"""The ty that is run is the one beside keel, if there is one, in a version that keel was tested with."""

from __future__ import annotations

import sys
import sysconfig
from collections.abc import Callable
from pathlib import Path

import pytest

from keel.errors import HelperMissing, HelperUnfit
from keel.ports.definitions import Position
from keel.resolvers.ty import find
from keel.resolvers.ty.find import NEWEST, OLDEST, find_ty
from keel.resolvers.ty.resolver import TyResolver
from tests.repository import settings

MakeTy = Callable[[str, str], Path]


@pytest.fixture
def make_ty(tmp_path: Path) -> MakeTy:
    """Write an executable `ty` into a folder that does what a line of shell says."""

    def make(folder: str, does: str) -> Path:
        path = tmp_path / folder / "bin" / "ty"
        path.parent.mkdir(parents=True)
        path.write_text(f"#!/bin/sh\n{does}\n", encoding="utf-8")
        path.chmod(0o755)
        return path

    return make


@pytest.fixture(autouse=True)
def _nothing_else_is_installed(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(sysconfig, "get_path", lambda name: str(tmp_path / "keel" / "bin"))
    monkeypatch.setattr(sys, "executable", str(tmp_path / "keel" / "bin" / "python"))
    monkeypatch.setenv("PATH", str(tmp_path / "path" / "bin"))
    monkeypatch.delenv("VIRTUAL_ENV", raising=False)
    monkeypatch.delenv("CONDA_PREFIX", raising=False)


def said(version: tuple[int, ...]) -> str:
    """The line of shell by which a ty says its version."""
    return f"echo ty {'.'.join(map(str, version))}"


def test_the_range_is_the_one_that_is_installed_with_keel() -> None:
    [wanted] = [line for line in settings()["project"]["dependencies"] if line.startswith("ty")]
    assert wanted == f"ty>={'.'.join(map(str, OLDEST))},<={'.'.join(map(str, NEWEST))}"
    assert wanted in find.INSTALL


def test_the_one_beside_keel_comes_first(make_ty: MakeTy, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    on_path = make_ty("path", said(NEWEST))
    assert find_ty().path == str(on_path)
    active = make_ty("active", said(OLDEST))
    monkeypatch.setenv("VIRTUAL_ENV", str(tmp_path / "active"))
    assert find_ty() == (str(active), OLDEST, None)
    beside = make_ty("keel", said(NEWEST))
    assert find_ty() == (str(beside), NEWEST, None)


def test_one_that_is_too_old_is_passed_over(make_ty: MakeTy) -> None:
    make_ty("keel", said((0, 0, 15)))
    with pytest.raises(
        HelperUnfit, match=r"ty 0\.0\.15 \(.*\) is too old, 0\.0\.90 is the oldest .*; run `pip install"
    ):
        find_ty()
    better = make_ty("path", said(OLDEST))
    assert find_ty().path == str(better)


def test_one_that_is_newer_is_used_with_a_doubt(make_ty: MakeTy) -> None:
    make_ty("keel", said((0, 1, 0)))
    found = find_ty()
    assert found.version == (0, 1, 0)
    assert "ty 0.1.0" in str(found.doubt)
    assert "tested with none after 0.0.100" in str(found.doubt)


@pytest.mark.parametrize("does", ["echo tie 1.2.3", "exit 1", "echo ty 0.0.100; exit 2", "kill -9 $$", "echo ty x"])
def test_one_that_says_no_version_is_unfit(does: str, make_ty: MakeTy) -> None:
    make_ty("keel", does)
    with pytest.raises(HelperUnfit, match="does not say its version"):
        find_ty()


@pytest.mark.parametrize("does", ["exec /bin/sleep 600", "/bin/sleep 600; exit 0", "/bin/sleep 600 & /bin/sleep 600"])
def test_one_that_hangs_is_unfit(does: str, make_ty: MakeTy, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(find, "VERSION_SECONDS", 0.2)
    make_ty("keel", does)
    with pytest.raises(HelperUnfit, match=r"does not say its version in 0\.2 s"):
        find_ty()


def test_one_that_cannot_be_run_is_missing(make_ty: MakeTy) -> None:
    path = make_ty("keel", "")
    path.write_bytes(b"\x7fELF nonsense")
    with pytest.raises(HelperMissing, match=r"ty cannot be run: .*Exec format error"):
        find_ty()


def test_without_any_the_message_says_how_to_get_one() -> None:
    with pytest.raises(HelperMissing, match=r"ty was not found; run `pip install 'ty>=0\.0\.90,<=0\.0\.100'`"):
        find_ty()


def test_nothing_of_the_project_is_run(make_ty: MakeTy, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    make_ty("project/.venv", f"touch {tmp_path}/was_run; {said(NEWEST)}")
    make_ty("project", f"touch {tmp_path}/was_run; {said(NEWEST)}")
    monkeypatch.chdir(tmp_path / "project")
    monkeypatch.setenv("PATH", "bin::.")
    assert not TyResolver(str(tmp_path / "project")).available
    assert not (tmp_path / "was_run").exists()


def test_a_resolver_without_ty_answers_nothing_and_says_so_once(tmp_path: Path) -> None:
    question = Position(str(tmp_path / "a.py"), 1, 1)
    with TyResolver(str(tmp_path)) as resolver:
        assert not resolver.available
        assert list(resolver.ask([question])) == [(question, None)]
        assert isinstance(resolver.trouble, HelperMissing)


def test_a_doubt_gives_way_to_what_costs_answers(make_ty: MakeTy, tmp_path: Path) -> None:
    make_ty("keel", f'[ "$1" = --version ] && {said((0, 1, 0))} && exit; exit 7')
    with TyResolver(str(tmp_path)) as resolver:
        before = resolver.available, type(resolver.trouble)
        assert [answer for _, answer in resolver.ask([Position(str(tmp_path / "a.py"), 1, 1)])] == [None]
        assert before == (True, HelperUnfit)
        assert not resolver.available
        assert str(resolver.trouble) == "ty ended (exit code 7)"
