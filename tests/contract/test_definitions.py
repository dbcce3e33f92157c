"""What everybody who can be asked for definitions promises: one answer a question, in order, with keel's columns.

The real ty is asked too, wherever it is installed. How servers may break is in `tests/unit/test_lsp_definitions.py`.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from keel.errors import HelperError
from keel.ports.definitions import Answer, Definition, Definitions, Position
from keel.resolvers.lsp.definitions import ServerDefinitions
from keel.resolvers.scip.resolver import ScipResolver
from keel.resolvers.ty.find import find_ty
from keel.resolvers.ty.resolver import TyResolver
from tests.scip_writer import indexed
from tests.servers import LONG, fake
from tests.workspaces import MakeWorkspace


def ty(folder: Path) -> Definitions:
    """The real one."""
    try:
        find_ty()
    except HelperError as error:
        pytest.skip(str(error))
    return TyResolver(str(folder))


def scip(folder: Path) -> Definitions:
    """An index of the project, as it is now."""
    path = folder.parent / f"{folder.name}.scip"
    path.write_bytes(indexed(folder, "utf-16"))
    return ScipResolver([str(path)], [str(folder)])


ASKED: dict[str, Callable[[Path], Definitions]] = {
    "utf-8": lambda folder: ServerDefinitions(fake(folder, {"encoding": "utf-8"}), LONG),
    "utf-16": lambda folder: ServerDefinitions(fake(folder, {"encoding": "utf-16"}), LONG),
    "utf-32": lambda folder: ServerDefinitions(fake(folder, {"encoding": "utf-32"}), LONG),
    "shown": lambda folder: ServerDefinitions(fake(folder, {"only_open": True})._replace(opens="python"), LONG),
    "ty": ty,
    "scip": lambda folder: scip(folder),
}

FILES = {
    "shop/__init__.py": "from shop.goods import price as price\n",
    "shop/goods.py": "class Item:\n    '''€'''; zwölf = '\U0001f600'; \n    def cost(self): ...\n\ndef price(): ...\n",
    "till.py": "from shop import price\nfrom shop.goods import Item\né = '\U0001f600€'; price(); price()\nItem()\n",
    "odd ü#.py": "from shop.goods import Item\n\nclass Bag(Item): ...\n",
}


@pytest.fixture
def project(workspace: MakeWorkspace) -> Path:
    return workspace(FILES)


@pytest.fixture(params=ASKED)
def definitions(request: pytest.FixtureRequest, project: Path) -> Iterator[Definitions]:
    asked = ASKED[request.param](project)
    yield asked
    asked.close()


def at(project: Path, path: str, text: str, nth: int = 1) -> Position:
    """Where a text is for the nth time in a file: in lines and bytes, from 1."""
    content = (project / path).read_bytes()
    begin = -1
    for _ in range(nth):
        begin = content.index(text.encode(), begin + 1)
    before = content[:begin]
    return Position(str(project / path), before.count(b"\n") + 1, begin - (before.rfind(b"\n") + 1) + 1)


def place(project: Path, path: str, name: str) -> Definition:
    """Where a definition's name is."""
    keyword = "class" if name[0].isupper() else "def"
    start = at(project, path, f"{keyword} {name}")
    column = start.column + len(keyword) + 1
    return Definition(start.path, start.line, column, start.line, column + len(name))


def test_each_question_is_answered_in_its_turn(definitions: Definitions, project: Path) -> None:
    price, item = place(project, "shop/goods.py", "price"), place(project, "shop/goods.py", "Item")
    expected: list[tuple[Position, Answer]] = [
        (at(project, "till.py", "price", 2), (price,)),  # behind letters of two, three and four bytes
        (at(project, "till.py", "price", 3), (price,)),
        (at(project, "till.py", "Item()"), (item,)),
        (at(project, "till.py", "price"), (price,)),  # an imported name
        (at(project, "till.py", "price", 2), (price,)),  # asked once more
        (at(project, "odd ü#.py", "Item)"), (item,)),  # a base, in a file with an awkward name
        (at(project, "odd ü#.py", "Bag"), (place(project, "odd ü#.py", "Bag"),)),
    ]
    assert list(definitions.ask(question for question, _ in expected)) == expected
    assert definitions.trouble is None


def test_what_has_no_definition_is_no_trouble(definitions: Definitions, project: Path) -> None:
    blank = Position(str(project / "odd ü#.py"), 2, 1)
    assert list(definitions.ask([blank])) == [(blank, ())]
    assert definitions.trouble is None
    assert definitions.available


def test_it_can_be_asked_again_and_again(definitions: Definitions, project: Path) -> None:
    question = at(project, "till.py", "Item()")
    answers = [list(definitions.ask([question])) for _ in range(3)]
    assert answers == [[(question, (place(project, "shop/goods.py", "Item"),))]] * 3
    assert list(definitions.ask([])) == []


def test_who_stops_listening_may_ask_again(definitions: Definitions, project: Path) -> None:
    question = at(project, "till.py", "Item()")
    for _ in definitions.ask([question] * 500):
        break
    assert list(definitions.ask([question])) == [(question, (place(project, "shop/goods.py", "Item"),))]


def test_once_closed_it_answers_nothing(definitions: Definitions, project: Path) -> None:
    question = at(project, "till.py", "Item()")
    assert next(iter(definitions.ask([question])))[1]
    definitions.close()
    assert list(definitions.ask([question])) == [(question, None)]
    assert not definitions.available
    assert definitions.trouble is None
    definitions.close()


def test_a_name_that_is_no_text_is_a_name(definitions: Definitions, project: Path) -> None:
    path = os.path.join(str(project), os.fsdecode(b"\xff.py"))
    question = Position(path, 1, 1)
    [(asked, answer)] = definitions.ask([question])
    assert asked == question
    assert not answer


def test_ty_infers_what_functions_return_only_when_told(workspace: MakeWorkspace) -> None:
    text = "class Item:\n    def cost(self): ...\n\ndef make():\n    return Item()\n\nmake().cost()\n"
    folder = workspace({"a.py": text})
    ty(folder).close()
    question = at(folder, "a.py", "cost", 2)
    found = []
    for infer in (False, True):
        with TyResolver(str(folder), infer_returns=infer) as resolver:
            found.append(dict(resolver.ask([question]))[question])
    assert found == [(), (place(folder, "a.py", "cost"),)]
