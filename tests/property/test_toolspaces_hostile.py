"""Hostile ids, links and manifests by the thousand: none escapes, none is run, each is refused by a typed error."""

from __future__ import annotations

import os
import random
from pathlib import Path

import pytest

from keel.errors import ChainValidationError, ManifestError, ParameterError, RunError, ToolError, ToolIdError
from keel.toolspaces import resolve_chain, resolve_tool, run_tool
from keel.toolspaces.manifests.manifest import KEYS, parsed
from tests.toolspaces import SpaceFolders, make_trees, manifest

IDS, LINKS, MANIFESTS, RUNS = 3000, 200, 3000, 60
PIECES = [
    *("..", ".", "", "/", "\\", "\0", "\n", " ", "~", "a", "git", "%2e%2e", "..\\", "C:", "\u2024", "\u2025", "\uff0e"),
    *(
        "\udcff",
        "\x7f",
        "\u202e",
        "é",
        "con",
        "a.",
        "-",
        "$(id)",
        "`id`",
        ";",
        "|",
        "*",
        "?",
        "[a]",
        "{a}",
        "'",
        '"',
        "\t",
    ),
]


@pytest.fixture
def trees(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> SpaceFolders:
    made = make_trees(tmp_path, monkeypatch)
    (tmp_path / "git.py").write_text(manifest(None))
    made.add("project", "git")
    return made


def hostile_id(luck: random.Random) -> str:
    """An id with at least one piece in it that no id may have."""
    made = "/".join("".join(luck.choices(PIECES, k=luck.randint(1, 3))) for _ in range(luck.randint(1, 5)))
    bad = luck.choice(["../", "/", "a/../", "\\", "\0", "a//", "./", " ", "\n", "x" * 201])
    return luck.choice([bad + made, made + bad, f"a/{bad}/{made}"])


def test_no_hostile_id_makes_a_path(trees: SpaceFolders) -> None:
    luck = random.Random(1)
    for _ in range(IDS):
        with pytest.raises(ToolIdError):
            resolve_tool(hostile_id(luck), trees.project)


def test_no_link_leads_out(trees: SpaceFolders, tmp_path: Path) -> None:
    """Links by way of links, up, down and around, to files and folders that are tools elsewhere."""
    luck = random.Random(2)
    tools = trees.tools("project")
    targets = [tmp_path / "git.py", tmp_path, Path("/etc/passwd"), Path("/dev/zero"), Path("/proc/self/mem"), Path("/")]
    links: list[Path] = []
    for number in range(LINKS):
        link = tools / f"l{number}{luck.choice(['.py', '.yaml', ''])}"
        target = luck.choice([*targets, *links[-20:]])
        folder = os.path.relpath(target, tools)
        link.symlink_to(
            luck.choice([str(target), folder, f"./../tools/{folder}", str(tools / ".." / "tools" / folder)])
        )
        links.append(link)
    for link in links:
        stem = link.name.partition(".")[0]
        for item_id in (stem, f"{stem}/git", f"{stem}/passwd"):
            with pytest.raises(ToolError):
                resolve_chain(item_id, trees.project)


def hostile_manifest(luck: random.Random, mark: str) -> bytes:
    """A file that would leave a mark if any of it were run, and is wrong as a manifest in some way."""
    deed = f"open({mark!r}, 'w')"
    deeds = [
        f"__import__('os').system('touch {mark}')",
        deed,
        f"(lambda: {deed})()",
        f"[{deed} for _ in range(1)]",
        f"{{'a': {deed}}}",
        f"f'{{{deed}}}'",
        f"x := {deed}",
        f"type('X', (), {{'__init_subclass__': {deed}}})",
    ]
    lines = [f"{key} = {luck.choice(deeds)}" for key in luck.sample(KEYS, luck.randint(1, 4))]
    lines += luck.choices(
        [
            "@print\nclass X: pass",
            f"class X(metaclass=lambda *a: {deed}): pass",
            f"def f(x={deed}): pass",
            f"assert {deed}",
            f"import os; os.environ['X'] = str({deed})",
            "__tool_type__ = __executor_id__ = CONFIG = 1e999",
            "__executor_id__ = '../../etc/passwd'",
            f"__executor_id__: {deed} = 'a'",
            "__tool_type__ = b'python'",
            f"CONFIG = {{{'[' * 50}{']' * 50}: 1}}",
            f"CONFIG = {'(' * 300}{')' * 300}",
            "\0",
            "\x0c\x0c  bad indent",
            "'" * luck.randint(1, 5),
        ],
        k=luck.randint(1, 4),
    )
    luck.shuffle(lines)
    data = "\n".join(lines).encode()
    for _ in range(luck.randint(0, 3)):
        at = luck.randrange(len(data))
        data = data[:at] + bytes([luck.randrange(256)]) + data[at + luck.randint(0, 2) :]
    return data


def hostile_yaml(luck: random.Random, mark: str) -> bytes:
    """The same in YAML: tags that make objects, aliases that grow, and plain nonsense."""
    pieces = [
        f"__tool_type__: !!python/object/apply:os.system ['touch {mark}']",
        f"CONFIG: !!python/object/new:open [{mark}, w]",
        f"__executor_id__: !!python/name:os.system {mark}",
        "a: &a [x, x]\nb: &b [*a, *a, *a]\nc: &c [*b, *b, *b]\nCONFIG: {x: [*c, *c]}",
        "<<: {__tool_type__: x}",
        "__executor_id__: ../../etc/passwd",
        "? [complex, key]\n: 1",
        f"CONFIG: {'[' * 80}",
        "%YAML 9.9\n---",
        "\t- tab",
    ]
    return "\n".join(luck.choices(pieces, k=luck.randint(1, 3))).encode()


def test_no_hostile_manifest_is_taken_or_run(tmp_path: Path) -> None:
    luck, mark = random.Random(3), tmp_path / "ran"
    for number in range(MANIFESTS):
        is_yaml = number % 4 == 0
        data = hostile_yaml(luck, str(mark)) if is_yaml else hostile_manifest(luck, str(mark))
        with pytest.raises(ManifestError):
            parsed("x", "x.yaml" if is_yaml else "x.py", data)
    assert not mark.exists()


def test_no_hostile_setting_gets_a_program_of_its_own(trees: SpaceFolders, tmp_path: Path) -> None:
    """Chains and settings that are read well, and must not lead to a run."""
    luck, mark = random.Random(4), tmp_path / "ran"
    deed = f"open({str(mark)!r}, 'w')\n"
    for _ in range(RUNS):
        executor = luck.choice([None, "git", "tool", "python_runtime", "bash_runtime"])
        said: dict[str, object] = {
            "CONFIG": luck.choice([{"args": ["{tool.evil}"]}, {"args": [1]}, {"timeout": -1}, {"protocol": "sh"}]),
            "ENV_CONFIG": luck.choice([{"pass": ["A=B"]}, {"set": {"A\0": "x"}}, {"shell": True}]),
            "CONFIG_SCHEMA": luck.choice([True, False, {"type": "nothing"}, {"required": "x"}]),
        }
        trees.add("project", "tool", manifest(executor, "python", **said) + deed)
        with pytest.raises((ChainValidationError, ParameterError, RunError)):
            run_tool("tool", trees.project)
    assert not mark.exists()


def test_there_are_enough_of_them() -> None:
    assert IDS + LINKS + MANIFESTS + RUNS >= 5000
