"""Whatever goes wrong: one line and an exit code for people, an object for programs, and nothing left behind."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from keel.model.schemas import schema_of
from keel.surfaces.failures import Failure
from tests.e2e.shop import FILES, faulty, ok, python, refused
from tests.workspaces import PATIENCE, MakeWorkspace, run_keel

KEEL = [sys.executable, "-m", "keel"]


def failed(folder: Path, *words: str, code: int = 2) -> dict[str, Any]:
    """What a command that fails says to a program, and writes nothing else."""
    done = run_keel(words, cwd=folder)
    assert (done.returncode, done.stderr) == (code, ""), done.stderr
    said: dict[str, Any] = json.loads(done.stdout)
    jsonschema.Draft202012Validator(schema_of(Failure)).validate(said)
    assert said["exit_code"] == code
    return said


# for programs


@pytest.mark.parametrize(
    ("words", "code", "kind"),
    [
        (["where", "Crat", "--json"], 1, "SymbolNotFound"),
        (["--json", "where", "Crat"], 1, "SymbolNotFound"),
        (["where", "Crat", "--format", "json"], 1, "SymbolNotFound"),
        (["where", "--json"], 2, "UsageError"),
        (["where", "Cart", "--nope", "--json"], 2, "UsageError"),
        (["where", "Cart", "--nope", "--format=json"], 2, "UsageError"),
        (["nope", "--json"], 2, "UsageError"),
        (["--workspace", "nowhere", "where", "Cart", "--json"], 2, "WorkspaceError"),
        (["export", "--output", "no/such/folder", "--json"], 2, "OutputError"),
    ],
)
def test_failures_are_objects_where_answers_are(shop: Path, words: list[str], code: int, kind: str) -> None:
    assert failed(shop, *words, code=code)["kind"] == kind


def test_an_object_holds_the_hint_and_what_the_error_knows(shop: Path) -> None:
    said = failed(shop, "where", "Crat", "--json", code=1)
    assert said["error"] == "no symbol is called 'Crat'"
    assert said["hint"].startswith("did you mean Cart")
    assert said["details"]["handle"] == "Crat"
    assert "Cart" in said["details"]["nearest"]


def test_without_a_graph_the_object_says_what_to_do(workspace: MakeWorkspace) -> None:
    said = failed(workspace(FILES, "plain"), "where", "Cart", "--json")
    assert (said["kind"], said["hint"]) == ("GraphMissing", "run `keel map` first")


def test_a_word_after_the_end_of_options_asks_for_no_json(shop: Path) -> None:
    assert refused(shop, "where", "--", "--json", code=1).startswith("no symbol is called '--json'")
    assert refused(shop, "where", "--nope", "--", "--json").startswith("unknown option --nope")


# faults of keel


def test_a_fault_is_one_line_and_its_details_are_in_the_log(shop: Path) -> None:
    done = python(shop, faulty("ValueError('a surprise')"))
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == "keel: this is a fault of keel: ValueError: a surprise; details are in .keel/log\n"
    assert "    Traceback" in (shop / ".keel/log").read_text(encoding="utf-8")


def test_a_fault_is_shown_whole_to_those_who_ask(shop: Path) -> None:
    assert "Traceback" in python(shop, faulty("ValueError('a surprise')"), "-v").stderr


def test_a_fault_is_an_object_to_programs(shop: Path) -> None:
    said = json.loads(python(shop, faulty("ValueError('a surprise')"), "--json").stdout)
    assert (said["kind"], said["exit_code"], said["hint"]) == ("Fault", 2, "details are in .keel/log")


def test_a_fault_where_nothing_can_be_kept_says_how_to_see_it(workspace: MakeWorkspace) -> None:
    folder = workspace(FILES, "plain")
    assert python(folder, faulty("ValueError")).stderr.endswith("; run again with -v for details\n")
    assert not (folder / ".keel").exists()


# interrupts


def test_an_interrupt_is_one_line(shop: Path) -> None:
    done = python(shop, faulty("KeyboardInterrupt"))
    assert (done.returncode, done.stdout, done.stderr) == (130, "", "keel: interrupted\n")


@pytest.mark.parametrize(
    "place", ["keel.surfaces.cli.main.parse", "keel.surfaces.cli.main.show", "keel.surfaces.cli.log.note"]
)
def test_an_interrupt_anywhere_is_one_line(shop: Path, place: str) -> None:
    program = (
        "import sys; from unittest.mock import patch; from keel.surfaces.cli import main\n"
        f"with patch('{place}', side_effect=KeyboardInterrupt): sys.exit(main(['where', 'Cart']))"
    )
    done = python(shop, program)
    assert (done.returncode, done.stderr) == (130, "keel: interrupted\n")


def test_an_interrupt_before_the_command_began_is_one_line(shop: Path) -> None:
    program = (
        "import sys\n"
        "class Finder:\n"
        "    def find_spec(self, name, *rest):\n"
        "        if name == 'keel.surfaces.cli.main': raise KeyboardInterrupt\n"
        "sys.meta_path.insert(0, Finder())\n"
        "from keel.surfaces.cli import main; sys.exit(main(['where', 'Cart']))"
    )
    done = python(shop, program)
    assert (done.returncode, done.stderr) == (130, "keel: interrupted\n")


@pytest.mark.skipif(os.name == "nt", reason="signals are not sent like this on Windows")
def test_a_signal_ends_a_long_command(workspace: MakeWorkspace) -> None:
    body = "".join(f"def f{number}(): return f{number - 1}()\n" for number in range(1, 400))
    folder = workspace({f"m{number}.py": body for number in range(400)}, "large")
    running = subprocess.Popen(
        [*KEEL, "map"], cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True
    )
    while not (folder / ".keel/graph.db").exists():
        assert running.poll() is None
        time.sleep(0.01)
    os.killpg(running.pid, signal.SIGINT)  # as a terminal does: every process of the command gets it
    said, complained = running.communicate(timeout=PATIENCE)
    # A shell shows both as 130: the command ended by itself, or (outside its own reach, as at its start) by the signal.
    assert running.returncode in (130, -signal.SIGINT)
    assert said == ""
    assert complained == ("keel: interrupted\n" if running.returncode == 130 else "")
    ok(folder, "map")
    assert sorted(path.name for path in folder.iterdir()) == [".keel", *sorted(f"m{n}.py" for n in range(400))]


@pytest.mark.skipif(os.name == "nt", reason="signals are not sent like this on Windows")
@pytest.mark.parametrize(("before", "after"), [("SIG_IGN", "Handlers.SIG_IGN"), ("SIG_DFL", "Handlers.SIG_DFL")])
def test_an_interrupt_that_is_ignored_is_ignored_to_the_end(shop: Path, before: str, after: str) -> None:
    """As it is for a command in the background; otherwise it ends the process at once when the answer is out."""
    program = (
        f"import signal, sys; signal.signal(signal.SIGINT, signal.{before})\n"
        "from keel.surfaces.cli import main; sys.argv = ['keel', '--version']; main()\n"
        "print(repr(signal.getsignal(signal.SIGINT)))"
    )
    assert after in python(shop, program).stdout


@pytest.mark.skipif(os.name == "nt", reason="signals are not sent like this on Windows")
def test_an_interrupted_export_leaves_the_file_as_it_was(shop: Path, tmp_path: Path) -> None:
    target = tmp_path / "out" / "graph.jsonl"
    target.parent.mkdir()
    target.write_text("before", encoding="utf-8")
    program = (
        "import sys; from keel.operations import export; from keel.surfaces.cli import main\n"
        "def lines(*_):\n    yield from ()\n    raise KeyboardInterrupt\n"
        "export._lines = lines; sys.exit(main(['export', '--output', sys.argv[1]]))"
    )
    done = python(shop, program, str(target))
    assert (done.returncode, done.stderr) == (130, "keel: interrupted\n")
    assert [path.name for path in target.parent.iterdir()] == ["graph.jsonl"]
    assert target.read_text(encoding="utf-8") == "before"


# standard output and standard error


def test_a_reader_that_has_enough_is_no_error(shop: Path) -> None:
    running = subprocess.Popen([*KEEL, "export"], cwd=shop, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    assert running.stdout is not None
    assert running.stderr is not None
    running.stdout.close()
    assert running.stderr.read() == b""
    running.stderr.close()
    assert running.wait(timeout=PATIENCE) == 141


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="needs a device that is always full")
@pytest.mark.parametrize("words", [["export"], ["where", "Cart"], ["where", "Cart", "--json"], ["--help"], ["-V"]])
def test_an_answer_that_cannot_be_written_is_told(shop: Path, words: list[str]) -> None:
    with open("/dev/full", "wb") as full:
        done = subprocess.run([*KEEL, *words], cwd=shop, stdout=full, stderr=subprocess.PIPE, encoding="utf-8")
    assert (done.returncode, done.stderr) == (2, "keel: cannot write the answer: No space left on device\n")


@pytest.mark.skipif(os.name == "nt", reason="needs a POSIX shell")
@pytest.mark.parametrize("words", ["where Cart", "--help", "where Cart --json", "map"])
def test_a_closed_output_is_told(shop: Path, words: str) -> None:
    done = _shell(shop, f'"$0" -m keel {words} >&-')
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == "keel: cannot write the answer: standard output is closed\n"


@pytest.mark.skipif(os.name == "nt", reason="needs a POSIX shell")
@pytest.mark.parametrize("closed", ["2>&-", "2>/dev/full"])
def test_what_went_wrong_may_go_to_a_closed_stream(shop: Path, closed: str) -> None:
    done = _shell(shop, f'"$0" -m keel where Crat {closed}')
    assert (done.returncode, done.stdout) == (1, "")
    assert _shell(shop, f'"$0" -m keel where Cart -v {closed}').returncode == 0


LOCALES = [
    {"LC_ALL": "C", "PYTHONIOENCODING": "ascii"},
    {"LC_ALL": "POSIX", "PYTHONCOERCECLOCALE": "0", "PYTHONUTF8": "0"},
]


@pytest.mark.parametrize("locale", LOCALES, ids=["ascii", "posix"])
def test_names_of_any_script_are_shown_whatever_the_locale(
    workspace: MakeWorkspace, monkeypatch: pytest.MonkeyPatch, locale: dict[str, str]
) -> None:
    folder = workspace({"maß.py": "def größe(): pass\n"}, "names")
    for name, value in locale.items():
        monkeypatch.setenv(name, value)
    ok(folder, "map")
    assert ok(folder, "where", "größe").startswith("maß.py:1  function größe  ")
    assert ok(folder, "where", "maß.py").startswith("maß.py:1  file maß.py  ")
    assert "no symbol is called 'größer'; did you mean größe" in refused(folder, "where", "größer", code=1)
    assert "…" in ok(folder, "completion", "--help")
    ok(folder, "export", "--output", "maß.jsonl")
    assert (folder / "maß.jsonl").exists()


def test_words_that_are_no_text_are_told(shop: Path) -> None:
    done = subprocess.run([*map(os.fsencode, KEEL), b"where", b"\xff\xfe"], cwd=shop, capture_output=True)
    assert done.returncode == 1
    assert done.stderr.startswith(rb"keel: no symbol is called '\udcff\udcfe'")


def test_a_huge_word_is_told_in_short(shop: Path) -> None:
    huge = "x" * 100_000
    for words in (["where", huge], [huge], ["where", f"--{huge}"], ["where", "Cart", huge], ["help", huge]):
        done = run_keel(words, cwd=shop)
        assert done.returncode in (1, 2)
        assert len(done.stderr) < 400, words[0][:20]


def _shell(folder: Path, script: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        ["sh", "-c", script, sys.executable], cwd=folder, capture_output=True, encoding="utf-8", timeout=PATIENCE
    )


@pytest.mark.parametrize("words", [("--workspace=",), ("--workspace", "")])
def test_an_empty_workspace_is_not_the_current_folder(shop: Path, words: tuple[str, ...]) -> None:
    assert refused(shop, "where", "Cart", *words).startswith("--workspace names no folder")
