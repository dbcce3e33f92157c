"""Manifests of Python projects: what each build tool's words declare, and what bad ones cost.

What declared folders mean for imports is in `tests/spec/python/links/roots.md`.
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from keel.indexing.context import IndexContext
from keel.indexing.pipeline import bring_up_to_date, build
from keel.languages.python import language
from keel.languages.python.manifests.read import read_manifests
from keel.model.manifests import Manifest, Source, decode, encode
from keel.stores.sqlite.facts_cache import SqliteFactsCache
from tests.memory_store import MemoryStore
from tests.twins import inline
from tests.workspaces import MakeWorkspace


def declared(text: str, path: str = "pyproject.toml") -> Manifest:
    """What one manifest, which can be read, declares."""
    [manifest], warnings = read_manifests({("r", path): text.encode()})
    assert warnings == []
    return manifest


SOURCES: list[tuple[str, str, list[Source]]] = [
    ("nothing", "", []),
    ("other tools", "[tool.ruff]\nsrc = ['lib']\n", []),
    ("setuptools, a folder", "[tool.setuptools]\npackage-dir = {'' = 'lib'}\n", [Source("lib")]),
    ("setuptools, a package", "[tool.setuptools]\npackage-dir = {'a.b' = 'c'}\n", [Source("c", "a.b")]),
    ("setuptools, searched", "[tool.setuptools.packages.find]\nwhere = ['a', './b/']\n", [Source("a"), Source("b")]),
    ("setuptools, searched here", "[tool.setuptools.packages.find]\ninclude = ['a*']\n", [Source("")]),
    ("setuptools, listed", "[tool.setuptools]\npackages = ['a']\n", [Source("")]),
    ("setuptools, modules", "[tool.setuptools]\npy-modules = ['a']\n", [Source("")]),
    ("hatch", "[tool.hatch.build.targets.wheel]\npackages = ['src/a', 'b']\n", [Source(""), Source("src")]),
    ("hatch, for all targets", "[tool.hatch.build]\npackages = ['lib/a']\n", [Source("lib")]),
    ("hatch, sources", "[tool.hatch.build.targets.wheel]\nsources = ['lib']\n", [Source("lib")]),
    ("hatch, renamed", "[tool.hatch.build.targets.wheel.sources]\n'a/b' = 'c/d'\n", [Source("a/b", "c.d")]),
    ("hatch, while developing", "[tool.hatch.build]\ndev-mode-dirs = ['lib']\n", [Source("lib")]),
    ("poetry", "[tool.poetry]\npackages = [{include = 'a', from = 'lib'}]\n", [Source("lib")]),
    ("poetry, moved", "[tool.poetry]\npackages = [{include = 'a', to = 'b'}]\n", [Source("", "b")]),
    ("pdm", "[tool.pdm.build]\npackage-dir = 'lib'\n", [Source("lib")]),
    ("pdm, older", "[tool.pdm]\npackage-dir = 'lib'\n", [Source("lib")]),
    ("uv", "[tool.uv.build-backend]\nmodule-root = 'lib'\n", [Source("lib")]),
    ("uv, here", "[tool.uv.build-backend]\nmodule-root = ''\n", [Source("")]),
    ("maturin", "[tool.maturin]\npython-source = 'python'\n", [Source("python")]),
    ("scikit-build", "[tool.scikit-build]\nwheel.packages = ['python/a']\n", [Source("python")]),
    ("scikit-build, named", "[tool.scikit-build.wheel.packages]\n'a/b' = 'lib'\n", [Source("lib", "a.b")]),
    ("a folder outside", "[tool.setuptools]\npackage-dir = {'' = '../..', 'a' = '/a'}\n", []),
    ("a name of no package", "[tool.setuptools]\npackage-dir = {'a-b' = 'c', '' = 'd'}\n", [Source("d")]),
    ("a sign that ids escape", "[tool.setuptools]\npackage-dir = {'' = '100%'}\n", [Source("100%25")]),
]


@pytest.mark.parametrize(("text", "expected"), [each[1:] for each in SOURCES], ids=[each[0] for each in SOURCES])
def test_sources_of_pyproject(text: str, expected: list[Source]) -> None:
    assert declared(text).sources == expected


def test_folders_count_from_the_manifest() -> None:
    text = "[tool.setuptools]\npackage-dir = {'' = '../lib'}\n[tool.pytest.ini_options]\npythonpath = 'tests'\n"
    manifest = declared(text, "services/api/pyproject.toml")
    assert (manifest.folder, manifest.sources, manifest.extra) == (
        "services/api",
        [Source("services/lib")],
        ["services/api/tests"],
    )


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("[tool.setuptools]\npackages = ['a', 'a.b']\npy-modules = ['c']\n", ["a", "a.b", "c"]),
        ("[tool.hatch.build.targets.wheel]\npackages = ['src/a']\n", ["a"]),
        ("[tool.poetry]\npackages = [{include = 'a/**/*.py'}, {include = '*'}, {include = 'm.py'}]\n", ["a", "m"]),
        ("[tool.flit.module]\nname = 'a'\n", ["a"]),
        ("[tool.uv.build-backend]\nmodule-name = ['a', 'b']\n", ["a", "b"]),
    ],
)
def test_packages_that_are_named(text: str, expected: list[str]) -> None:
    assert declared(text).packages == expected


def test_the_name_of_a_project() -> None:
    assert declared("[project]\nname = 'shop'\n").name == "shop"
    assert declared("[tool.poetry]\nname = 'shop'\n").name == "shop"
    assert declared("[metadata]\nname = shop\n", "setup.cfg").name == "shop"
    assert declared("from setuptools import setup\nsetup(name='shop')\n", "setup.py").name == "shop"


def test_members_of_a_workspace() -> None:
    manifest = declared("[tool.uv.workspace]\nmembers = ['a/*', 'b']\nexclude = ['a/c']\n")
    assert (manifest.members, manifest.excluded) == (["a/*", "b"], ["a/c"])


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", []),
        ("[options]\npackages = find:\n", [Source("")]),
        ("[options]\npackages = find_namespace:\n[options.packages.find]\nwhere = src\n", [Source("src")]),
        ("[options]\npackage_dir = =src\n", [Source("src")]),
        ("[options]\npackage_dir =\n  = src\n  a = lib/a\n", [Source("lib/a", "a"), Source("src")]),
        ("[options]\npackages =\n  a\n  a.b\n", [Source("")]),
    ],
)
def test_sources_of_setup_cfg(text: str, expected: list[Source]) -> None:
    assert declared(text, "setup.cfg").sources == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("x = 1\n", []),
        ("setup(package_dir={'': 'lib'})\n", [Source("lib")]),
        ("setuptools.setup(packages=find_packages('lib'))\n", [Source("lib")]),
        ("setup(packages=setuptools.find_namespace_packages(where='lib'))\n", [Source("lib")]),
        ("setup(packages=['a'])\n", [Source("")]),
        ("setup(package_dir=computed(), packages=more)\n", []),
        ("setup(package_dir={'': folder}, packages=['a'])\n", []),
        ("setup(**everything)\n", []),
    ],
)
def test_sources_of_setup_py(text: str, expected: list[Source]) -> None:
    assert declared(text, "setup.py").sources == expected


@pytest.mark.parametrize(
    ("path", "data", "problem"),
    [
        ("pyproject.toml", b"[tool", "is not TOML"),
        ("pyproject.toml", b"x = " + b"[" * 9999, "is not TOML"),
        ("pyproject.toml", b"\xff", "is not UTF-8"),
        ("setup.cfg", b"no section", "is not in the form of setup.cfg"),
        ("setup.py", b"setup(", "is not Python"),
        ("setup.py", b"setup\0", "is not Python"),
    ],
)
def test_a_bad_manifest_is_told_once_and_declares_nothing(path: str, data: bytes, problem: str) -> None:
    manifests, warnings = read_manifests({("r", f"a/{path}"): data})
    assert manifests == [Manifest("r", f"a/{path}")]
    [warning] = warnings
    assert warning.startswith(f"r/a/{path}: {problem}")
    assert "\n" not in warning


@pytest.mark.parametrize("value", ["1", "true", "'x'", "[1]", "[[]]", "{a = 1}", "{'' = 1}", "[{include = 1}]"])
def test_values_of_the_wrong_kind_declare_nothing(value: str) -> None:
    keys = (
        *(
            "setuptools.package-dir",
            "setuptools.packages",
            "setuptools.packages.find",
            "setuptools.packages.find.where",
        ),
        *("hatch.build.targets.wheel", "hatch.build.targets.wheel.sources", "poetry", "poetry.packages", "pdm", "flit"),
        *("uv", "uv.workspace.members", "uv.build-backend", "maturin", "scikit-build", "pytest.ini_options"),
    )
    for key in keys:
        assert declared(f"project = 1\n[tool]\n{key} = {value}\n").name == ""


def test_manifests_are_remembered_as_bytes() -> None:
    manifest = declared("[tool.setuptools]\npackage-dir = {'' = 'lib'}\n")
    assert decode(encode([manifest])) == [manifest]
    assert decode(b"\xc1") is None
    assert decode(None) is None


# the write line


def line_over(folder: Path) -> IndexContext:
    """A write line over one root, with a store of its own."""
    return IndexContext({"r": str(folder)}, [language], MemoryStore(), SqliteFactsCache(folder / "none.db"), inline)


def test_a_bad_manifest_is_told_when_it_is_read_and_not_again(workspace: MakeWorkspace) -> None:
    folder = workspace({"pyproject.toml": "[", "a.py": "", "b.py": ""})
    for name in ("pyproject.toml", "a.py", "b.py"):
        os.utime(folder / name, ns=(10**18, 10**18))
    line = line_over(folder)
    [warning] = build(line).warnings
    assert warning.startswith("r/pyproject.toml: is not TOML")
    (folder / "a.py").write_text("x = 1\n", encoding="utf-8")
    report = bring_up_to_date(line)
    assert (report.changed, report.warnings) == (1, ())


def test_manifests_are_not_read_again_while_they_stay_as_they_are(
    workspace: MakeWorkspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = workspace({"pyproject.toml": "[tool.setuptools]\npackage-dir = {'' = 'lib'}\n", "lib/a.py": ""})
    os.utime(folder / "pyproject.toml", ns=(10**18, 10**18))
    line = line_over(folder)
    build(line)
    monkeypatch.setattr(language, "parse_manifests", None)
    (folder / "lib/a.py").write_text("x = 1\n", encoding="utf-8")
    assert bring_up_to_date(line).changed == 1
    with line.store.reading() as graph:
        assert [row.module for row in graph.files()] == ["a"]


def test_a_manifest_that_cannot_be_opened_is_told_and_taken_up_when_it_can(
    workspace: MakeWorkspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = workspace({"pyproject.toml": "[tool.setuptools]\npackage-dir = {'' = 'lib'}\n", "lib/a.py": ""})
    (folder / "pyproject.toml").chmod(0)
    barred = {str(folder / "pyproject.toml")}
    really = os.access
    monkeypatch.setattr(os, "access", lambda path, mode: path not in barred and really(path, mode))
    line = line_over(folder)
    assert build(line).unreadable == ("r/pyproject.toml",)
    (folder / "pyproject.toml").chmod(0o644)
    barred.clear()
    bring_up_to_date(line)
    with line.store.reading() as graph:
        assert [row.module for row in graph.files()] == ["a"]
