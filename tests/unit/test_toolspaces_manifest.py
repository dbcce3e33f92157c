"""Manifests are read and never run; what they must say, they must say as literals."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from keel.errors import ManifestError
from keel.toolspaces import parse_metadata
from keel.toolspaces.manifests.manifest import parsed
from tests.toolspaces import manifest

SAID = '__tool_type__ = "python"\n__executor_id__ = None\n'
IN_YAML = "__tool_type__: python\n__executor_id__: null\n"


def read(folder: Path, text: str | bytes, suffix: str = ".py") -> dict[str, object]:
    path = folder / f"tool{suffix}"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return parse_metadata(path)


def refused(folder: Path, text: str | bytes, suffix: str = ".py") -> ManifestError:
    with pytest.raises(ManifestError) as caught:
        read(folder, text, suffix)
    return caught.value


def test_plain_and_annotated_assignments_are_read(tmp_path: Path) -> None:
    said = read(
        tmp_path,
        '__tool_type__: str = "python"\nfrom x import y\n__executor_id__ = "python_runtime"\n'
        '__version__ = "1.2"\n__inputs__ = ("a", "b")\nCONFIG: dict = {"n": -1, "deep": [{"x": None}]}\nOTHER = f()\n',
    )
    assert said == {
        "__tool_type__": "python",
        "__executor_id__": "python_runtime",
        "__version__": "1.2",
        "__inputs__": ["a", "b"],
        "CONFIG": {"n": -1, "deep": [{"x": None}]},
    }


def test_yaml_says_the_same_keys_as_a_mapping(tmp_path: Path) -> None:
    text = manifest("bash_runtime", "bash", CONFIG={"script": "true", "n": [1, 2.5, None, True]})
    in_yaml = (
        '__tool_type__: bash\n__executor_id__: bash_runtime\nother: 1\nCONFIG: {script: "true", n: [1, 2.5, ~, true]}\n'
    )
    assert read(tmp_path, in_yaml, ".yaml") == read(tmp_path, text)


def test_a_manifest_is_not_run(tmp_path: Path) -> None:
    mark = tmp_path / "ran"
    read(tmp_path, f"{SAID}open({str(mark)!r}, 'w')\nimport does_not_exist\n")
    assert not mark.exists()
    assert "does_not_exist" not in sys.modules


@pytest.mark.parametrize(
    "text",
    [
        f"{SAID}def run():\n    CONFIG = 1\n",
        f"def before(): ...\n{SAID}CONFIG = {{'script': '''\nif true; then\n  CONFIG\nfi\n'''}}\nif x: pass\n",
        f"{SAID}CONFIG = {{\n'a': (\n1)}}\nclass X: pass\n",
        f"{SAID}x = 1",
    ],
)
def test_a_glance_sees_what_a_look_at_the_whole_sees(text: str) -> None:
    assert parsed("x", "x.py", text.encode(), at_a_glance=True) == parsed("x", "x.py", text.encode())


def test_a_glance_does_not_judge_what_is_behind(tmp_path: Path) -> None:
    text = f"{SAID}def run(:\n"
    assert parsed("x", "x.py", text.encode(), at_a_glance=True).executor_id is None
    assert refused(tmp_path, text).problem.startswith("it is no Python")


def test_missing_is_an_error_and_none_is_a_primitive(tmp_path: Path) -> None:
    assert read(tmp_path, SAID)["__executor_id__"] is None
    assert refused(tmp_path, '__tool_type__ = "python"\n').problem == "__executor_id__ is missing"
    assert refused(tmp_path, "__executor_id__ = None\n").problem == "__tool_type__ is missing"
    assert refused(tmp_path, "x = 1\n").problem == "__tool_type__ and __executor_id__ are missing"
    assert refused(tmp_path, "__tool_type__: str\n__executor_id__: str\n").problem.endswith("are missing")


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        ("CONFIG = dict(a=1)", "CONFIG is no literal; a manifest is read, never run"),
        ("CONFIG = {**{}}", "CONFIG is no literal"),
        ("CONFIG = {'a': open('x')}", "CONFIG is no literal"),
        ("__version__ = '1.' + '0'", "__version__ is no literal"),
        ("__version__ = f'{x}'", "__version__ is no literal"),
        ("__version__ = 1.0", "__version__ must be a text, in quotes"),
        ("__version__ = ''", "__version__ must be a text"),
        ("CONFIG = {'a': -'b'}", "CONFIG is no literal"),
        ("CONFIG = {'a': -True}", "CONFIG is no literal"),
        ("CONFIG = {'a': +1}", "CONFIG is no literal"),
        ("CONFIG = [1]", "CONFIG must be a mapping"),
        ("CONFIG = {1: 2}", "CONFIG has a key that is no text: 1"),
        ("CONFIG = {'a': b'x'}", "CONFIG holds a value that JSON does not know: bytes"),
        ("CONFIG = {'a': 1e999}", "CONFIG holds a value that JSON does not know: float"),
        (f"CONFIG = {{'a': 0x{'f' * 40}}}", "CONFIG holds a value that JSON does not know: int"),
        ("CONFIG = {'a': '\\ud800'}", "CONFIG holds a text that is no Unicode"),
        (f"CONFIG = {{'a': {'[' * 60}{']' * 60}}}", "CONFIG holds lists or mappings too deep"),
        ("__tool_type__ = 'again'", "__tool_type__ is said twice, here and on line 1"),
        ("__inputs__ = 'a'", "__inputs__ must be a list of names"),
        ("CONFIG_SCHEMA = []", "CONFIG_SCHEMA must be a JSON Schema"),
        ("child_constraints = {'a': '2.0'}", "child_constraints must map ids of tools"),
        ("child_constraints = {'a': {'least': '2.0'}}", "child_constraints must map ids of tools"),
    ],
)
def test_what_is_wrong_is_said_with_its_line(tmp_path: Path, line: str, problem: str) -> None:
    error = refused(tmp_path, f"{SAID}{line}\n")
    assert error.problem.startswith(problem)
    assert error.line == 3


@pytest.mark.parametrize("executor", ["..", "../x", "/etc/passwd", "a b", "", 7, ["x"], "a\0b"])
def test_an_executor_is_an_id_or_none(tmp_path: Path, executor: object) -> None:
    error = refused(tmp_path, f"__tool_type__ = 'python'\n__executor_id__ = {executor!r}\n")
    assert error.problem == "__executor_id__ must be the id of a tool, or None for a primitive"


@pytest.mark.parametrize(
    "text", [b"def", b"\xff\xfe", b"x = 1\0", b"(" * 5000, b"# coding: nonsense\n", b"-" * 20000 + b"1"]
)
def test_what_is_no_python_is_told(tmp_path: Path, text: bytes) -> None:
    assert refused(tmp_path, text).problem.startswith("it is no Python")


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("a: &x [1]\nb: *x\n", "anchors and aliases are not taken"),
        ("a: !!python/object/apply:os.system [ls]\n", "tags are not taken"),
        ("- 1\n", "it is no mapping"),
        ("", "it is no mapping"),
        ("a: [\n", "it is no YAML"),
        ("a: 1\n---\nb: 2\n", "it is no YAML"),
        (f"{IN_YAML}CONFIG: {{a: 1, a: 2}}\n", "a is said twice"),
        (f"{IN_YAML}__tool_type__: x\n", "__tool_type__ is said twice"),
        (f"{IN_YAML}CONFIG: {{1: 2}}\n", "a key is no text"),
        (f"{IN_YAML}CONFIG: {{a: 2020-01-01}}\n", "holds a value that JSON does not know: date"),
        (f"{IN_YAML}CONFIG: {'[' * 60}{']' * 60}\n", "it holds lists or mappings too deep"),
        (f"{IN_YAML}__version__: 1.0\n", "__version__ must be a text, in quotes"),
        ("x: 1\n", "__tool_type__ and __executor_id__ are missing"),
    ],
)
def test_what_is_wrong_in_yaml_is_said(tmp_path: Path, text: str, problem: str) -> None:
    assert refused(tmp_path, text, ".yaml").problem.startswith(problem)


def test_yaml_without_its_parser_is_a_clear_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "yaml", None)
    error = refused(tmp_path, IN_YAML, ".yaml")
    assert error.problem == "a tool in YAML needs yaml, which is not installed: pip install 'keel-graph[tools]'"


def test_a_file_that_is_too_large_is_not_read(tmp_path: Path) -> None:
    from keel.errors import ToolUnreadable

    with pytest.raises(ToolUnreadable, match="larger than 1 MiB"):
        read(tmp_path, SAID + "#" * (1 << 20))
