"""ty as a type checker when things go wrong: it is missing, dies, hangs or talks nonsense; and what it is told.

A script replaces ty where it must misbehave. What every type checker promises is in
`tests/contract/test_type_checker.py`.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from keel.errors import HelperEnded, HelperError, HelperMissing, HelperSilent
from keel.ports.type_checker import Complaint, Knowledge, Meaning, Scene
from keel.resolvers.ty.difference import new_complaints
from keel.resolvers.ty.find import Ty, find_ty
from keel.resolvers.ty.installed import installed
from keel.resolvers.ty.knowledge import knowledge_of
from keel.resolvers.ty.rule_meanings import DROPPED, MEANINGS
from keel.resolvers.ty.settings import settings_of
from keel.resolvers.ty.type_checker import MAX_FAILURES, MAX_LAID_OVER, REST, TyTypeChecker
from tests.servers import FAKE, SHORT, processes_with
from tests.workspaces import MakeWorkspace

SHOP = {"shop.py": "def price(item): ...\n\n\nprice(1)\n"}


def scripted(folder: Path, script: str) -> Ty:
    """A program that is run as ty would be, and behaves as the fake server is told."""
    program = folder / "ty-in-test"
    program.write_text(f"#!/bin/sh\nexec {sys.executable} -I -S {FAKE} '{script}' {folder}\n")
    program.chmod(0o755)
    return Ty(str(program), (0, 0, 100), None)


def scene_of(folder: Path) -> Scene:
    path = str(folder / "shop.py")
    return Scene(str(folder), (), {path: 1}, {path: 0}, {path: b"def price(): ...\n"})


def asked(checker: TyTypeChecker, folder: Path) -> object:
    return checker.complaints(scene_of(folder), [str(folder / "shop.py")])


def test_without_ty_there_is_no_answer_and_a_reason(workspace: MakeWorkspace) -> None:
    def nowhere() -> Ty:
        raise HelperMissing("ty")

    checker = TyTypeChecker(nowhere)
    assert asked(checker, workspace(SHOP)) is None
    assert isinstance(checker.trouble, HelperMissing)


@pytest.mark.parametrize(
    ("script", "trouble"),
    [
        pytest.param('{"start": "crash"}', HelperEnded, id="it dies at once"),
        pytest.param("{}", HelperSilent, id="it never answers"),
        pytest.param('{"start": "garbage"}', HelperError, id="it talks nonsense"),
    ],
)
def test_a_ty_that_fails_costs_its_word_and_leaves_nothing_behind(
    workspace: MakeWorkspace, script: str, trouble: type[HelperError]
) -> None:
    folder = workspace(SHOP)
    checker = TyTypeChecker(lambda: scripted(folder, script), seconds=SHORT)
    for _ in range(MAX_FAILURES + 1):
        assert asked(checker, folder) is None
    assert isinstance(checker.trouble, trouble)
    assert processes_with(str(folder)) == []


def test_a_ty_that_was_killed_is_started_again(workspace: MakeWorkspace) -> None:
    try:
        ty = find_ty()
    except HelperError as error:
        pytest.skip(str(error))
    folder = workspace(SHOP)
    link = folder / "ty-in-test"
    link.symlink_to(os.path.realpath(ty.path))
    checker = TyTypeChecker(lambda: ty._replace(path=str(link)))
    first = asked(checker, folder)
    assert first is not None
    [number] = processes_with(str(link))
    os.kill(number, 9)
    assert asked(checker, folder) == first
    assert checker.trouble is None
    checker.close()
    assert processes_with(str(link)) == []


def test_a_ty_that_keeps_failing_is_left_alone_for_a_while_only(workspace: MakeWorkspace) -> None:
    tries, now = [], 0.0

    def nowhere() -> Ty:
        tries.append(now)
        raise HelperMissing("ty")

    folder = workspace(SHOP)
    checker = TyTypeChecker(nowhere, clock=lambda: now)
    for _ in range(MAX_FAILURES + 2):
        asked(checker, folder)
    assert len(tries) == MAX_FAILURES
    now = REST
    asked(checker, folder)
    asked(checker, folder)
    assert len(tries) == MAX_FAILURES + 1


def test_too_many_files_that_differ_are_not_shown_and_no_reason_to_give_up(workspace: MakeWorkspace) -> None:
    tries = []

    def nowhere() -> Ty:
        tries.append("found")
        raise HelperMissing("ty")

    folder = workspace(SHOP)
    before = dict.fromkeys((str(folder / f"{number}.py") for number in range(MAX_LAID_OVER + 1)), b"")
    checker = TyTypeChecker(nowhere)
    for _ in range(MAX_FAILURES + 1):
        assert checker.complaints(scene_of(folder)._replace(before=before), []) is None
    assert not tries
    asked(checker, folder)
    assert tries


def test_packages_that_come_and_go_are_seen(workspace: MakeWorkspace, monkeypatch: pytest.MonkeyPatch) -> None:
    places = [".venv", "active", "named", "own"]
    folder = workspace({f"{place}/lib/python3.12/site-packages/one.py": "" for place in places} | {"path/two.py": ""})
    monkeypatch.setenv("VIRTUAL_ENV", str(folder / "active"))
    monkeypatch.setenv("PYTHONPATH", str(folder / "path"))
    monkeypatch.setenv("PATH", "")

    def mark() -> object:
        return installed(str(folder), str(folder / "own/bin/ty"), f'[environment]\npython = "{folder}/named"\n')

    for changed in [*(f"{place}/lib/python3.12/site-packages" for place in places), "path"]:
        before = mark()
        assert mark() == before
        os.utime(folder / changed, (0, 0))
        assert mark() != before


def test_the_environment_of_the_user_is_copied_and_nothing_else(workspace: MakeWorkspace) -> None:
    folder = workspace(
        {
            "pyproject.toml": '[tool.ty.environment]\npython = ".env"\npython-version = "3.12"\nroot = ["lib"]\n'
            '[tool.ty.rules]\nall = "ignore"\n[tool.ty.src]\nexclude = ["shop.py"]\n'
        }
    )
    told = settings_of(str(folder), [str(folder)], [str(folder / "dist" / "a.py"), str(folder / "shop.py")])
    assert told == (
        '[src]\nrespect-ignore-files = false\nexclude = ["!**/dist/"]\n\n'
        '[analysis]\nreturn-type-inference = "always"\n\n'
        f'[environment]\npython = "{folder}/.env"\npython-version = "3.12"\nroot = ["{folder}", "{folder}/lib"]\n'
    )


def test_a_file_of_ty_itself_comes_before_the_project_file(workspace: MakeWorkspace) -> None:
    folder = workspace(
        {"ty.toml": '[environment]\npython-version = "3.13"\n', "pyproject.toml": "[tool.ty]\nbroken = = \n"}
    )
    assert 'python-version = "3.13"' in settings_of(str(folder), (), ())
    (folder / "ty.toml").unlink()
    assert "environment" not in settings_of(str(folder), (), ())


def test_a_rule_is_either_in_the_table_or_dropped() -> None:
    assert not MEANINGS.keys() & set(DROPPED)
    assert not [rule for rule in MEANINGS if "overrid" in rule or "lost-keyword" in rule]


@pytest.mark.parametrize(
    ("hover", "expected"),
    [
        ("def price(\n    item: str,\n    tax: int = 0\n) -> int", Knowledge.TYPES),
        ("bound method Item.cost(n: int) -> int\n-----\nSays `Unknown` in its docstring.", Knowledge.TYPES),
        ("class Item(name: str)", Knowledge.TYPES),
        ("def price(item) -> Unknown", Knowledge.SHAPE),
        ("def inner(...) -> Unknown", Knowledge.VALUE),
        ("_lru_cache_wrapper[int, Hashable]\n-----\nCall self as a function.", Knowledge.VALUE),
        ("(bound method A.m(x: int) -> int) | (bound method B.m() -> int)", Knowledge.VALUE),
        ("int", Knowledge.VALUE),
        ("Unknown", Knowledge.NOTHING),
        ("Never", Knowledge.NOTHING),
        ("", Knowledge.NOTHING),
    ],
)
def test_what_a_hover_proves(hover: str, expected: Knowledge) -> None:
    assert knowledge_of(hover) is expected


def complaint(line: int, message: str = "no", rule: str = "missing-argument") -> Complaint:
    return Complaint("a.py", line, 1, line, 2, rule, Meaning.ARITY, message)


@pytest.mark.parametrize(
    ("was", "now", "before", "after", "new"),
    [
        pytest.param("a b c", "a b c", [2], [2, 3], [3], id="nothing moved"),
        pytest.param("a b c", "x y a b c", [2], [4], [], id="moved down"),
        pytest.param("a b c", "a b c", [2], [2, 2], [2], id="once more on the same line"),
        pytest.param("a b c d", "a c x d", [1, 4], [1, 4, 3], [3], id="around the edit"),
        pytest.param("a b c", "a B c", [2], [2], [], id="a replaced line says the same"),
        pytest.param("a b c", "a c", [2], [], [], id="a line is gone"),
    ],
)
def test_complaints_are_followed_through_the_edit(
    was: str, now: str, before: list[int], after: list[int], new: list[int]
) -> None:
    texts = [each.encode().split() for each in (was, now)]
    found = new_complaints([complaint(line) for line in before], [complaint(line) for line in after], *texts)
    assert [each.line for each in found] == new
