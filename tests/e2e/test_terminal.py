"""On a terminal: colour, width, progress and safety; and nothing of it elsewhere."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.e2e.shop import ok
from tests.workspaces import PATIENCE, MakeWorkspace, run_keel

pty = pytest.importorskip("pty", reason="needs a pseudo-terminal")

PLAIN = {"TERM": "xterm", "NO_COLOR": "", "FORCE_COLOR": "", "CLICOLOR_FORCE": "", "COLUMNS": ""}


def on_terminal(folder: Path, *words: str, columns: int = 80, **environment: str) -> str:
    """What a command shows on a terminal of so many columns, standard error included."""
    with _terminal(columns) as (ours, theirs):
        running = subprocess.Popen(
            [sys.executable, "-m", "keel", *words],
            cwd=folder,
            env={**os.environ, **PLAIN, **environment},
            stdin=subprocess.DEVNULL,
            stdout=theirs,
            stderr=theirs,
        )
        os.close(theirs)
        shown = b"".join(_read(ours))
        running.wait(timeout=PATIENCE)
    return shown.decode().replace("\r\n", "\n")


@contextmanager
def _terminal(columns: int) -> Iterator[tuple[int, int]]:
    import fcntl
    import struct
    import termios

    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
    try:
        yield ours, theirs
    finally:
        os.close(ours)


def _read(ours: int) -> Iterator[bytes]:
    while True:
        try:
            piece = os.read(ours, 65536)
        except OSError:  # how Linux says that the other end is closed
            return
        if not piece:
            return
        yield piece


# colour


def test_colour_is_for_terminals(shop: Path) -> None:
    assert on_terminal(shop, "where", "Cart").startswith("\033[1mshop/cart.py:1\033[0m  class Cart  ")
    assert "\033" not in ok(shop, "where", "Cart")
    assert "\033[1;31mkeel:\033[0m no symbol is called" in on_terminal(shop, "where", "Crat")


@pytest.mark.parametrize("environment", [{"NO_COLOR": "1"}, {"TERM": "dumb"}, {"NO_COLOR": "1", "FORCE_COLOR": "1"}])
def test_colour_can_be_declined(shop: Path, environment: dict[str, str]) -> None:
    assert "\033" not in on_terminal(shop, "where", "Cart", columns=80, **environment)


@pytest.mark.parametrize("name", ["FORCE_COLOR", "CLICOLOR_FORCE"])
def test_colour_can_be_asked_for(shop: Path, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    for other, value in {**PLAIN, name: "1"}.items():
        monkeypatch.setenv(other, value)
    assert "\033[1m" in ok(shop, "where", "Cart")
    monkeypatch.setenv(name, "0")
    assert "\033" not in ok(shop, "where", "Cart")


def test_what_is_said_counts_more_than_the_environment(shop: Path) -> None:
    assert "\033[1m" in ok(shop, "where", "Cart", "--color", "always")
    assert "\033" not in on_terminal(shop, "where", "Cart", "--color=never", FORCE_COLOR="1")
    assert "\033" not in on_terminal(shop, "where", "Crat", "--color=never")


def test_no_colour_gets_into_files_and_json(shop: Path, tmp_path: Path) -> None:
    on_terminal(shop, "where", "Cart", "--output", str(tmp_path / "said"))
    assert "\033" not in (tmp_path / "said").read_text(encoding="utf-8")
    assert "\033" not in on_terminal(shop, "where", "Cart", "--json")


# width


def test_long_lists_are_cut_on_a_terminal_alone(workspace: MakeWorkspace) -> None:
    folder = workspace({f"module_{number:02}.py": "1 +\n" for number in range(30)}, "many")
    ok(folder, "map")
    shown = on_terminal(folder, "status")
    assert "module_19.py" in shown
    assert "module_20.py" not in shown
    assert "  … and 10 more\n" in shown
    assert "module_29.py" in ok(folder, "status")


def test_a_list_that_was_asked_for_in_a_length_is_shown_so(workspace: MakeWorkspace) -> None:
    folder = workspace({f"module_{number:02}.py": "x = 1\n" for number in range(30)}, "many")
    assert "… and 10 added; --limit names more\n" in on_terminal(folder, "status")
    assert "module_29.py" in on_terminal(folder, "status", "--limit", "30")


def test_help_fits_the_terminal(shop: Path) -> None:
    for columns in (50, 80, 200):
        for words in (["--help"], ["help", "commands"]):
            shown = on_terminal(shop, *words, columns=columns)
            assert max(map(len, shown.splitlines())) <= columns
    assert max(map(len, on_terminal(shop, "--help", COLUMNS="60").splitlines())) <= 60


def test_candidates_fit_the_terminal(workspace: MakeWorkspace) -> None:
    files = {f"{'deep/' * number}m.py": "class AClassWithALongName:\n    def same(self): ...\n" for number in range(4)}
    folder = workspace(files, "same")
    ok(folder, "map")
    shown = on_terminal(folder, "where", "same", columns=50, NO_COLOR="1").splitlines()
    assert max(map(len, shown[1:])) <= 50
    assert shown[-1].startswith("  m.py:2  method AClassWithALongName.same  ")


# names that would control a terminal


def test_source_cannot_control_the_terminal(workspace: MakeWorkspace) -> None:
    evil = "\033]0;title\007\033[31m\u202e\x9b2J"
    folder = workspace({"a.py": f'def f():\n\t"""{evil}"""\n', f"e{evil[:4]}.py": "def g(): ...\n"}, "evil")
    ok(folder, "map")
    for words in (["describe", "f"], ["where", "g"], ["where", evil], ["describe", "f", "--color=never"], [evil]):
        for shown in (on_terminal(folder, *words, NO_COLOR="1"), run_keel(words, cwd=folder).stdout):
            assert not set(shown) & {"\033", "\007", "\u202e", "\x9b"}, words
    assert '\t"""\\x1b]0;title\\x07\\x1b[31m\\u202e\\x9b2J"""' in ok(folder, "describe", "f")


# progress, quiet and verbose


def test_verbose_tells_steps_and_times_beside_the_answer(shop: Path) -> None:
    done = run_keel(["-v", "sync"], cwd=shop)
    assert done.returncode == 0
    assert done.stdout == ok(shop, "sync")
    lines = done.stderr.splitlines()
    assert all(line.startswith("keel: ") and " ms  " in line for line in lines)
    assert f"keel sync in the workspace {shop.resolve()}" in lines[0]
    assert lines[-1].endswith("the answer is written as human")
    assert " ms  linking: 3\n" in run_keel(["map", "--fresh", "-v"], cwd=shop).stderr


def test_quiet_says_nothing_but_the_answer(shop: Path) -> None:
    program = (
        "import sys; from keel.operations import sync; from keel.surfaces.cli import main\n"
        "run = sync.run; sync.run = lambda *given: run(*given).replace(warnings=('mind the gap',))\n"
        "sys.exit(main(['sync', *sys.argv[1:]]))"
    )
    said = {
        words: subprocess.run([sys.executable, "-c", program, *words], cwd=shop, capture_output=True).stdout
        for words in ((), ("-q",), ("-q", "--json"))
    }
    assert b"mind the gap" in said[()]
    assert b"mind the gap" not in said[("-q",)]
    assert b"mind the gap" in said[("-q", "--json")]
