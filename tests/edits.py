"""Random small Python projects and random edits of them, from whatever chooses: a seed or hypothesis.

A project is a tree, `{path: text}`; an edit makes another one of it. Names are few and used everywhere, so that they
clash, shadow and go missing all the time. Writing trees to disk and comparing graphs is left to `tests.twins`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import TypeVar

T = TypeVar("T")
Choose = Callable[[int], int]
"""A number from 0 up to, not including, the one given."""
Tree = dict[str, str]
"""Paths begin with the name of a root: `one/p/a.py`."""

MODULES = ("a", "a", "b", "p", "p", "p.a", "p.a", "p.b", "p.q", "q.a", "s")
RELATIVES = (".", ".a", ".a", ".b", ".q", "..", "..a")
NAMES = ("f", "f", "g", "A", "A", "B", "x", "a", "b", "q", "_u")
FUNCTIONS = ("f", "f", "g", "x", "_u", "A")
CLASSES = ("A", "A", "B", "B", "f")
METHODS = ("m", "m", "n", "x")
PATHS = (
    *("one/a.py", "one/b.py", "one/s.py", "one/__init__.py"),
    *("one/p/__init__.py", "one/p/a.py", "one/p/b.py", "one/p/a.pyi", "one/p/__init__.pyi", "one/p.py"),
    *("one/p/q/__init__.py", "one/p/q/a.py", "one/p/q.py", "one/p/a/__init__.py"),
    *("one/src/p/__init__.py", "one/src/p/a.py", "one/src/s.py", "one/src/__init__.py", "one/src/q/a.py"),
    *("one/sub/a.py", "one/sub/src/q/a.py", "one/sub/src/q/__init__.py", "one/t/test_a.py"),
    *("two/a.py", "two/p/b.py", "two/q/__init__.py", "two/q/a.py"),
)
USUAL = ("one/a.py", "one/b.py", "one/p/__init__.py", "one/p/a.py", "one/p/b.py")
MANIFESTS = (
    "one/pyproject.toml",
    "one/sub/pyproject.toml",
    "one/p/setup.py",
    "one/p/q/pyproject.toml",
    "two/setup.cfg",
)
DECLARATIONS = {
    "pyproject.toml": (
        "",
        "[tool.setuptools]\npackage-dir = {'' = 'sub'}\n",
        "[tool.setuptools]\npackage-dir = {'' = 'p', 's' = 'src', 'p.q' = 'q'}\n",
        "[tool.setuptools.packages.find]\nwhere = ['p/q', 'src']\n",
        "[tool.hatch.build.targets.wheel]\npackages = ['src/p', 'sub/a']\n",
        "[tool.poetry]\npackages = [{include = 'a', from = 'p'}]\n",
        "[tool.uv.workspace]\nmembers = ['*']\nexclude = ['p']\n",
        "[tool.pytest.ini_options]\npythonpath = ['t', '..']\n",
        "[tool.setuptools\n",
    ),
    "setup.cfg": ("", "[options]\npackage_dir =\n    = q\n    p = src/p\n", "no section = 1\n"),
    "setup.py": ("", "setup(package_dir={'': 'q', 's': '.'})\n", "setup(packages=find_packages('a'))\n", "setup(\n"),
}
"""What manifests say, by file name: folders that are there and folders that are not, and what cannot be read."""
KEEPERS = {"one/README": "roots are never empty\n", "two/README": "roots are never empty\n"}


class Author:
    """Writes and rewrites projects, each decision made by `choose`."""

    def __init__(self, choose: Choose) -> None:
        self._choose = choose
        self._offered: list[tuple[str, list[str]]] = []
        """Modules of the project and their names, so that most imports find something."""

    def tree(self) -> Tree:
        """A project to begin with."""
        tree = dict(KEEPERS)
        for path in (*USUAL, *self._some(PATHS, 2, 8)):
            tree[path] = self._module()
            self._offered = _offers(tree)
        if self._chance(3):
            manifest = self._one(MANIFESTS)
            tree[manifest] = self._declaration(manifest)
        return tree

    def edit(self, tree: Tree, history: Sequence[Tree]) -> Tree:
        """The tree after one to three edits; `history` holds the trees before, for switches between branches."""
        now = dict(tree)
        self._offered = _offers(tree)
        for _ in range(1 + self._choose(2) * self._choose(3)):
            now = self._edited(now, history)
        return now

    def _edited(self, tree: Tree, history: Sequence[Tree]) -> Tree:
        sources = sorted(path for path in tree if path.endswith((".py", ".pyi")) and not path.endswith("setup.py"))
        what = self._choose(26)
        if what == 0 or not sources:
            return {**tree, self._one(PATHS): self._module()}
        path = self._one(sources)
        if what == 1:
            return {other: text for other, text in tree.items() if other != path}
        if what == 2:
            kept = {other: text for other, text in tree.items() if other != path}
            return {**kept, self._one(PATHS): tree[path]}
        if what == 3:
            return self._toggled(tree, self._one([each for each in PATHS if "__init__" in each]), self._module())
        if what in (4, 24, 25):
            return self._manifest_changed(tree, self._one(MANIFESTS))
        if what == 5:
            return dict(self._one(history)) if history else self.tree()
        if what == 6:
            return {**tree, path: tree[path] + self._one(BROKEN)}
        if what == 7:
            return {**tree, path: _healed(tree[path])}
        if what == 8:
            return {**tree, path: self._renamed(tree[path])}
        if what == 9:
            return self._folder_moved(tree)
        if what < 14:
            return {**tree, path: self._class_changed(tree[path])}
        return {**tree, path: self._rewritten(tree[path])}

    def _toggled(self, tree: Tree, path: str, text: str) -> Tree:
        if path in tree:
            return {other: kept for other, kept in tree.items() if other != path}
        return {**tree, path: text}

    def _manifest_changed(self, tree: Tree, path: str) -> Tree:
        if path in tree and not self._chance(3):
            return {**tree, path: self._declaration(path)}
        return self._toggled(tree, path, self._declaration(path))

    def _declaration(self, path: str) -> str:
        return self._one(DECLARATIONS[path.rpartition("/")[2]])

    def _folder_moved(self, tree: Tree) -> Tree:
        old, new = self._one((("one/p/", "one/q/"), ("one/q/", "one/p/"), ("one/p/q/", "one/q/"), ("two/", "one/")))
        moved = {path: text for path, text in tree.items() if path.startswith(old) and path not in KEEPERS}
        kept = {path: text for path, text in tree.items() if path not in moved}
        return kept | {new + path.removeprefix(old): text for path, text in moved.items()}

    def _rewritten(self, text: str) -> str:
        """One block put in, taken out, replaced, or moved."""
        blocks = blocks_of(text)
        at = self._choose(len(blocks) + 1)
        what = self._choose(4)
        if what == 0 or at == len(blocks):
            blocks.insert(at, self._block())
        elif what == 1:
            del blocks[at]
        elif what == 2:
            blocks[at] = self._block()
        else:
            blocks.insert(self._choose(len(blocks)), blocks.pop(at))
        return "".join(blocks)

    def _class_changed(self, text: str) -> str:
        """A class of the module gets other bases, or a method more, or loses its methods."""
        blocks = blocks_of(text)
        classes = [index for index, block in enumerate(blocks) if block.startswith("class ")]
        if not classes:
            return text + _class(self)
        at = self._one(classes)
        what = self._choose(3)
        if what == 0:
            head, _, body = blocks[at].partition("(")
            blocks[at] = f"{head}({self.base()}):{body.partition(':')[2]}"
        elif what == 1:
            blocks[at] += self.indented(self.method())
        else:
            blocks[at] = "".join(blocks[at].splitlines(keepends=True)[:2])
        return "".join(blocks)

    def _renamed(self, text: str) -> str:
        """One name becomes another, of the same length: only the content tells."""
        old, new = self._one(("f", "g", "h")), self._one(("f", "g", "h"))
        return text.replace(f"def {old}(", f"def {new}(", 1)

    def _module(self) -> str:
        return "".join(self._block() for _ in range(2 + self._choose(7)))

    def _block(self) -> str:
        return self._one(BLOCKS)(self)

    # words

    def _one(self, options: Sequence[T]) -> T:
        return options[self._choose(len(options))]

    def _chance(self, of: int) -> bool:
        return self._choose(of) == of - 1

    def _some(self, options: Sequence[T], least: int, most: int) -> list[T]:
        count = least + self._choose(most - least + 1)
        return list(dict.fromkeys(self._one(options) for _ in range(count)))

    def name(self) -> str:
        """Any name."""
        return self._one(NAMES)

    def source(self) -> str:
        """What a `from` import may name."""
        return self._one(MODULES) if self._chance(2) else self._one(RELATIVES)

    def offer(self) -> tuple[str, str]:
        """A module and a name to import from it: mostly ones that are there."""
        if not self._offered or self._chance(4):
            return self.source(), self.name()
        module, names = self._one(self._offered)
        return module, self._one(names) if names and not self._chance(5) else self.name()

    def chain(self) -> str:
        """A name or dotted names."""
        kinds = (
            self.name(),
            f"{self._one(CLASSES)}.{self._one(METHODS)}",
            f"{self.name()}.{self.name()}",
            f"{self._one(MODULES)}.{self.name()}",
            f"{self._one(MODULES)}.{self._one(CLASSES)}.{self._one(METHODS)}",
        )
        return self._one(kinds)

    def base(self) -> str:
        """What a class may name as its base."""
        own = self._one(CLASSES)
        return self._one((own, own, f"{self._one(MODULES)}.{own}", f"{own}.{self._one(CLASSES)}", self.chain()))

    def indented(self, text: str) -> str:
        """A block as the body of another."""
        return "".join(f"    {line}\n" for line in text.splitlines())

    def body(self) -> str:
        """Some statements of a function."""
        lines = [
            f"{self.chain()}()",
            f"{self.chain()}()",
            f"return {self.chain()}",
            f"self.{self._one(METHODS)}()",
            f"self.{self._one(METHODS)}()",
            f"cls.{self._one(METHODS)}()",
            f"super().{self._one(METHODS)}()",
            "from {} import {}".format(*self.offer()),
            f"import {self._one(MODULES)}",
            f"global {self.name()}",
            f"{self.name()} = {self.chain()}",
            f"[{self.name()} for {self.name()} in {self.chain()}]",
        ]
        return "".join(f"{line}\n" for line in self._some(lines, 2, 4))

    def method(self) -> str:
        """A method, or another thing in the body of a class."""
        name = self._one(METHODS)
        kinds = (
            f"def {name}(self):\n{self.indented(self.body())}",
            f"def {name}(self):\n{self.indented(self.body())}",
            f"def {name}(self):\n{self.indented(self.body())}",
            f"def {name}(self):\n    self.{self._one(METHODS)} = {self.chain()}\n",
            f"@classmethod\ndef {name}(cls):\n{self.indented(self.body())}",
            f"@property\ndef {name}(self):\n    return {self.chain()}\n",
            f"{name} = {self.chain()}\n",
            f"{name}: {self.chain()}\n",
            f"from {self.source()} import {self.name()}\n",
            f"class {self._one(CLASSES)}({self.chain()}):\n    def {name}(self): pass\n",
            f"if x:\n    def {name}(self): pass\n",
        )
        return self._one(kinds)


def _import(by: Author) -> str:
    return f"import {by._one(MODULES)}\n"


def _import_as(by: Author) -> str:
    return f"import {by._one(MODULES)} as {by.name()}\n"


def _from(by: Author) -> str:
    return "from {} import {}\n".format(*by.offer())


def _from_as(by: Author) -> str:
    return "from {} import {} as {}, {}\n".format(*by.offer(), by.name(), by.name())


def _star(by: Author) -> str:
    return f"from {by.offer()[0]} import *\n"


def _type_checking(by: Author) -> str:
    return "if TYPE_CHECKING:\n    from {} import {}\n".format(*by.offer())


def _fallback(by: Author) -> str:
    (module, name), (other, again) = by.offer(), by.offer()
    instead = by._one((f"from {other} import {again} as {name}", f"{name} = None", "pass"))
    return f"try:\n    from {module} import {name}\nexcept ImportError:\n    {instead}\n"


def _all(by: Author) -> str:
    listed = ", ".join(f'"{name}"' for name in by._some(NAMES, 0, 3))
    return by._one((f"__all__ = [{listed}]\n", f"__all__ += [{listed}]\n", "__all__ += a.__all__\n"))


def _function(by: Author) -> str:
    decorator = f"@{by.chain()}\n" if by._chance(4) else ""
    hint = f"x: {by.chain()} = {by.chain()}" if by._chance(3) else ""
    return f"{decorator}def {by._one(FUNCTIONS)}({hint}):\n{by.indented(by.body())}"


def _class(by: Author) -> str:
    bases = ", ".join(by.base() for _ in range(by._choose(3)))
    methods = "".join(by.indented(by.method()) for _ in range(by._choose(5)))
    return f"class {by._one(CLASSES)}({bases}):\n    '''{by.name()}'''\n{methods}"


def _heir(by: Author) -> str:
    module, base = by.offer()
    body = f"    '''{by.name()}'''\n    def {by._one(METHODS)}(self):\n        self.{by._one(METHODS)}()\n"
    return f"from {module} import {base}\nclass {by._one(CLASSES)}({base}):\n{body}"


def _client(by: Author) -> str:
    module, name = by.offer()
    return f"from {module} import {name}\n{name}()\n{name}.{by._one(METHODS)}()\n"


def _constant(by: Author) -> str:
    hint = f": {by.chain()}" if by._chance(3) else ""
    return f"{by.name()}{hint} = {by.chain()}\n"


def _use(by: Author) -> str:
    return by._one((f"{by.chain()}()\n", f"{by.chain()}\n", f"{by.chain()}({by.chain()}, k={by.name()})\n"))


def _conditional(by: Author) -> str:
    first, second = by.indented(_function(by)), by.indented(by._one((_class, _function, _constant, _from))(by))
    return f"if {by.name()}:\n{first}else:\n{second}"


def _getattr(by: Author) -> str:
    return "def __getattr__(name):\n    return name\n"


def _comment(by: Author) -> str:
    if by._chance(4):
        return _getattr(by)
    return by._one(("# a remark\n", "\n\n", '"""é, in two bytes."""\n', "# keel:suppress E001 — because\n"))


def _delete(by: Author) -> str:
    return f"del {by.name()}\n"


BLOCKS: tuple[Callable[[Author], str], ...] = (
    *(_import, _import_as, _from, _from, _from_as, _star, _star, _type_checking, _fallback, _all),
    *(_import, _import, _from, _from, _function, _function, _function, _function, _class, _class, _class, _class),
    *(_heir, _heir, _heir, _client, _client, _client),
    *(_constant, _constant, _use, _use),
    *(_conditional, _conditional, _comment, _delete),
)
BROKEN = (
    "def broken(:\n",
    "x = (\n",
    '"""never closed\n',
    "class :\n    pass\n",
    "\x00\n",
    "    f()\n",
    "from . import\n",
)


_defined = re.compile(r"^(?:def|class) (\w+)|^(\w+)\b[^=\n]*=", re.MULTILINE).findall


def _offers(tree: Tree) -> list[tuple[str, list[str]]]:
    offers = []
    for path, text in sorted(tree.items()):
        if path.endswith(".py"):
            inner = path.partition("/")[2].removeprefix("src/").removesuffix(".py").removesuffix("__init__")
            names = sorted({first or second for first, second in _defined(text)})
            offers.append((inner.strip("/").replace("/", ".") or "a", names))
    return offers


def _healed(text: str) -> str:
    for stretch in BROKEN:
        text = text.replace(stretch, "")
    return text


def blocks_of(text: str) -> list[str]:
    """A module cut where a line at the margin begins something."""
    blocks: list[str] = []
    for line in text.splitlines(keepends=True):
        decorated = blocks and blocks[-1].startswith("@") and blocks[-1].count("\n") == 1
        if blocks and (decorated or line.startswith((" ", "else", "except"))):
            blocks[-1] += line
        else:
            blocks.append(line)
    return blocks
