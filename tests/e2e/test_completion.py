"""Completion: what can be typed next, and real shells that ask for it."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from keel.surfaces.cli import commands
from keel.surfaces.cli.completing import candidates
from keel.surfaces.cli.main import Options
from keel.surfaces.cli.own.completion import SCRIPTS, split
from tests.e2e.shop import ok, refused
from tests.workspaces import PATIENCE, MakeWorkspace


def offered(*words: str) -> list[str]:
    """What the last of the words can become."""
    return [word for word, _ in candidates(words, Options, described=False)]


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (["wh"], ["where", "where-to-put"]),
        (["-q", "wh"], ["where", "where-to-put"]),
        (["--workspace", "x", "wh"], ["where", "where-to-put"]),
        (["--workspace=x", "wh"], ["where", "where-to-put"]),
        (["--js"], ["--json"]),
        (["where", "--js"], ["--json"]),
        (["map", "--fr"], ["--fresh"]),
        (["export", "--kind", "cla"], ["class"]),
        (["export", "--kind=cla"], ["--kind=class"]),
        (["export", "--format", ""], ["jsonl", "dot", "mermaid"]),
        (["where", "--format", ""], ["human", "json", "llm"]),
        (["export", "--language", "py"], ["python"]),
        (["where", "x", "--color", ""], ["auto", "always", "never"]),
        (["help", "wh"], ["where", "where-to-put"]),
        (["completion", "b"], ["bash"]),
        (["too"], ["tools"]),
        (["tools", "l"], ["list", "lock"]),
        (["-q", "tools", "--json", "ch"], ["chain", "check"]),
        (["tools", "show", "python_r"], ["python_runtime"]),
        (["tools", "new", "--sp"], ["--space"]),
        (["tools", "new", "x", "--space", "u"], ["user"]),
        (["where", "--output", ""], []),
        (["where", "Cart", ""], []),
        (["map", ""], []),
        (["where", "--", "--js"], []),
        (["where", ""], []),
    ],
)
def test_words_follow_from_what_commands_say(words: list[str], expected: list[str]) -> None:
    assert offered(*words) == expected


def test_every_command_is_offered_with_what_it_does() -> None:
    assert offered("") == list(dict.fromkeys(name.split()[0] for name in commands.names()))
    assert ("where", commands.summary(commands.command("where"))) in candidates([""], Options)


def test_symbols_come_from_the_graph(shop: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(shop)
    assert offered("where", "ca") == ["cart"]  # the module, and the parameter of `pay` is no symbol
    assert offered("where", "Ca") == ["Cart"]
    assert offered("describe", "Cart.") == ["Cart.total"]
    assert offered("where", "shop/") == []
    monkeypatch.chdir(shop.parent)
    assert offered("--workspace", str(shop), "where", "Ca") == ["Cart"]
    assert offered("where", "--workspace", str(shop), "Ca") == ["Cart"]


def test_what_goes_wrong_during_completion_is_not_told(workspace: MakeWorkspace) -> None:
    folder = workspace({"a.py": "x = 1\n"}, "plain")
    assert ok(folder, "completion", "bash", "--", "where", "x") == ""
    assert ok(folder, "completion", "bash", "--", "nope", "x") == ""
    assert ok(folder, "completion", "bash", "--", "--workspace", "nowhere", "where", "x") == ""
    assert not (folder / ".keel").exists()


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("keel", [""]),
        ("keel ", [""]),
        ("keel wh", ["wh"]),
        ("keel where ", ["where", ""]),
        ("keel where 'a b", ["where", "a b"]),
        ('keel where "a b', ["where", "a b"]),
        ("keel where a\\ b", ["where", "a b"]),
        ("keel export --kind=cl", ["export", "--kind=cl"]),
        ("keel where a.py:1", ["where", "a.py:1"]),
    ],
)
def test_a_line_is_split_as_a_shell_would(line: str, expected: list[str]) -> None:
    assert split(line) == expected


def test_a_shell_that_is_not_known_is_told(tmp_path: Path) -> None:
    assert refused(tmp_path, "completion", "fisch") == "SHELL cannot be 'fisch'; did you mean fish?"
    assert refused(tmp_path, "completion").startswith("SHELL is missing")


# real shells

ASK_BASH = """eval "$(keel completion bash)"
COMP_LINE=$1 COMP_POINT=${#1}
_keel keel
printf '%s\\n' "${COMPREPLY[@]}"
"""
ASK_FISH = 'keel completion fish | source; complete -C "$argv[1]" | string split -f1 \\t'


@pytest.fixture
def with_keel(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Puts a `keel` on the path of shells."""
    folder = tmp_path / "bin"
    folder.mkdir()
    (folder / "keel").write_text(f'#!/bin/sh\nexec "{sys.executable}" -m keel "$@"\n', encoding="utf-8")
    (folder / "keel").chmod(0o755)
    monkeypatch.setenv("PATH", f"{folder}{os.pathsep}{os.environ['PATH']}")


def needs(shell: str) -> pytest.MarkDecorator:
    """Skips where the shell is not installed."""
    return pytest.mark.skipif(shutil.which(shell) is None, reason=f"{shell} is not installed")


@pytest.mark.usefixtures("with_keel")
@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("keel whe", ["where", "where-to-put"]),
        ("keel where Cart.t", ["Cart.total"]),
        # Bash takes what is before `=` for a word of its own.
        ("keel export --format=d", ["dot"]),
        ("keel export --kind cla", ["class"]),
        ("keel where nothing_like_it", [""]),
    ],
)
@pytest.mark.parametrize(
    "shell", [pytest.param("bash", marks=needs("bash")), pytest.param("fish", marks=needs("fish"))]
)
def test_a_shell_completes(shop: Path, shell: str, line: str, expected: list[str]) -> None:
    if shell == "bash":
        command = ["bash", "--norc", "-c", ASK_BASH, "bash", line]
    else:
        command = ["fish", "--no-config", "-c", ASK_FISH, line]
        expected = [word.replace("dot", "--format=dot") for word in expected if word]
    done = subprocess.run(command, cwd=shop, capture_output=True, encoding="utf-8", timeout=PATIENCE)
    assert (done.stdout.splitlines(), done.stderr) == (expected, "")


@pytest.mark.parametrize("shell", [pytest.param(shell, marks=needs(shell)) for shell in SCRIPTS])
def test_a_shell_can_read_its_script(shell: str, tmp_path: Path) -> None:
    (tmp_path / "script").write_text(ok(tmp_path, "completion", shell), encoding="utf-8")
    done = subprocess.run([shell, "-n", str(tmp_path / "script")], capture_output=True, encoding="utf-8")
    assert (done.returncode, done.stderr) == (0, "")
