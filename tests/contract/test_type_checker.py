"""What every type checker promises: what is new since base, what it knows of a callee, and the same answer again.

The real ty is asked too, wherever it is installed. How it may break is in `tests/unit/test_ty_type_checker.py`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

import pytest

from keel.errors import HelperError
from keel.ports.definitions import Position
from keel.ports.type_checker import Knowledge, Meaning, Scene, TypeChecker
from keel.resolvers.ty.find import find_ty
from keel.resolvers.ty.type_checker import TyTypeChecker
from tests.type_checking import FakeTypeChecker
from tests.workspaces import MakeWorkspace

BASE = {
    "shop.py": "def price(item: int) -> int:\n    return item\n\n\ndef other(one: int) -> int:\n    return one\n",
    "till.py": "from shop import price, other\n\nprice(1)\nother(1, 2)\nnobody = None\nprice(2)\n",
}
WIDER = BASE["shop.py"].replace("price(item: int)", "price(item: int, tax: int)")


def ty() -> TypeChecker:
    """The real one."""
    try:
        find_ty()
    except HelperError as error:
        pytest.skip(str(error))
    return TyTypeChecker()


@pytest.fixture(params=[pytest.param(ty, id="ty"), pytest.param(FakeTypeChecker, id="fake")])
def checker(request: pytest.FixtureRequest) -> Iterator[TypeChecker]:
    make: Callable[[], TypeChecker] = request.param
    made = make()
    yield made
    made.close()


def scene_of(folder: Path, base: Mapping[str, str]) -> Scene:
    """The files of a folder beside what they were."""
    files = {str(path): path.read_bytes() for path in sorted(folder.glob("*.py"))}
    was = {str(folder / name): text.encode() for name, text in base.items()}
    before = {path: was.get(path) for path in sorted({*files, *was}) if was.get(path) != files.get(path)}
    return Scene(str(folder), (), files, was, before)


def found(checker: TypeChecker, scene: Scene, *names: str) -> list[tuple[int, Meaning]] | None:
    said = checker.complaints(scene, [str(Path(scene.folder) / name) for name in names])
    return None if said is None else [(each.line, each.meaning) for each in said]


def test_only_what_base_was_fine_with_is_complained_about(checker: TypeChecker, workspace: MakeWorkspace) -> None:
    folder = workspace({**BASE, "shop.py": WIDER})
    assert found(checker, scene_of(folder, BASE), "till.py") == [(3, Meaning.ARITY), (6, Meaning.ARITY)]


def test_nothing_is_complained_about_when_nothing_differs(checker: TypeChecker, workspace: MakeWorkspace) -> None:
    folder = workspace(BASE)
    assert found(checker, scene_of(folder, BASE), "till.py", "shop.py") == []


def test_a_complaint_of_base_that_has_moved_is_no_new_one(checker: TypeChecker, workspace: MakeWorkspace) -> None:
    folder = workspace(
        {"shop.py": WIDER, "till.py": "# above\n\n" + BASE["till.py"].replace("price(2)", "price(2, 3)")}
    )
    assert found(checker, scene_of(folder, BASE), "till.py") == [(5, Meaning.ARITY)]


def test_the_same_scene_gives_the_same_answer_again(checker: TypeChecker, workspace: MakeWorkspace) -> None:
    folder = workspace({**BASE, "shop.py": WIDER})
    first = found(checker, scene_of(folder, BASE), "till.py")
    (folder / "shop.py").write_text(BASE["shop.py"])
    assert found(checker, scene_of(folder, BASE), "till.py") == []
    (folder / "shop.py").write_text(WIDER)
    assert found(checker, scene_of(folder, BASE), "till.py") == first
    checker.close()
    assert found(checker, scene_of(folder, BASE), "till.py") == first


def test_new_and_deleted_files_are_seen(checker: TypeChecker, workspace: MakeWorkspace) -> None:
    folder = workspace(BASE)
    assert found(checker, scene_of(folder, BASE), "till.py") == []
    (folder / "new.py").write_text("from shop import price\n\nprice(1, 2, 3)\n")
    assert found(checker, scene_of(folder, BASE), "new.py", "till.py") == [(3, Meaning.ARITY)]
    (folder / "new.py").unlink()
    assert found(checker, scene_of(folder, BASE), "till.py") == []


def test_it_does_not_matter_whether_a_deleted_file_was_ever_seen(
    checker: TypeChecker, workspace: MakeWorkspace
) -> None:
    base = {
        "goods.py": "class Item: ...\n",
        "shop.py": "from goods import *\n",
        "till.py": "import shop\n\nshop.Item()\n",
    }
    folder = workspace(base)
    assert found(checker, scene_of(folder, base), "till.py", "shop.py") == []
    (folder / "goods.py").unlink()
    after = found(checker, scene_of(folder, base), "till.py", "shop.py")
    checker.close()
    assert found(checker, scene_of(folder, base), "till.py", "shop.py") == after
    (folder / "goods.py").write_text(base["goods.py"])
    assert found(checker, scene_of(folder, base), "till.py", "shop.py") == []


def test_what_is_accepted_becomes_base(checker: TypeChecker, workspace: MakeWorkspace) -> None:
    folder = workspace({**BASE, "shop.py": WIDER})
    assert found(checker, scene_of(folder, BASE), "till.py") != []
    assert found(checker, scene_of(folder, {**BASE, "shop.py": WIDER}), "till.py") == []


def test_a_callee_that_is_known_is_told_from_one_that_is_not(checker: TypeChecker, workspace: MakeWorkspace) -> None:
    folder = workspace(BASE)
    path = str(folder / "till.py")
    known = checker.knowledge(
        scene_of(folder, BASE), [Position(path, 3, 1), Position(path, 4, 1), Position(path, 5, 10)]
    )
    assert known is not None
    assert known[:2] == [Knowledge.TYPES, Knowledge.TYPES]
    assert known[2] not in (Knowledge.SHAPE, Knowledge.TYPES)
