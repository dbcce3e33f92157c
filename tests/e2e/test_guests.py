"""What other distributions install is used by every command, as if it were built in.

How entry points are read, and what is refused, is tested in `tests/unit/test_registry.py`.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.guests import install, keel_with
from tests.workspaces import commit_all, write_files

LANGUAGE = """
from keel.languages.python import language as python

class Snake:
    name, suffixes = "snake", (".snk",)
    def __getattr__(self, name):
        return getattr(python, name)

language = Snake()
"""

RULE = '''"""X001 long_name: a function has a name that is too long.

What it finds: new and changed functions with a name that has more letters than `name_length` allows.

Why: nobody can read it.
"""

import sys

from keel.model.findings import WARNING, Finding
from keel.model.record import Field, field
from keel.ports.rule import finding_about

CODE, CATEGORY, SEVERITY = "X001", "long_name", WARNING
KEYS = {"name_length": Field("Letters that a name may have.", "20", ("5", "20", "off"))}
IS_DEFERRABLE = True


class LongName(Finding):
    """A finding that counts letters."""

    letters: int = field("X001: how many letters the name has.")


def check(case):
    for file in case.files:
        most = case.grade("name_length", file.path)
        for each in file.definitions if most != "off" else ():
            subject = each.subject
            if subject.is_new and subject.kind == "function" and len(subject.name) > int(most):
                callers = ", ".join(edge.source.name for edge in each.incoming if edge.kind == "calls")
                text = file.lines[subject.line - 1]
                yield finding_about(
                    sys.modules[__name__], subject, f"'{subject.name}' is long, for {callers}: {text}", "Shorten it",
                    LongName, letters=len(subject.name),
                )
'''

OPERATION = '''"""Say hello to the workspace.

    keel greet Ann
"""

from keel.model.record import Record, field

GROUP = "manners"


class Params(Record):
    name: str = field("Whom to greet.", positional=True)


class Result(Record):
    LAYOUT = ("{text}",)
    text: str = field("The greeting.")


def run(workspace, params):
    return Result(text=f"hello {params.name}, in {workspace.name}")
'''

FORMAT = """
class Loud:
    name = "loud"
    def render(self, result, colour=False):
        yield f"!!! {getattr(result, 'text', '') or getattr(result, 'path', '')}\\n"

format = Loud()
"""

AGENT = """
from keel.model.record import Record
from keel.ports.agent import Answer, Edit

class Hook(Record):
    takes_payload: bool = True
    def edit(self, payload):
        return Edit(files=(payload["changed"],))
    def answer(self, verdict):
        return Answer(out=f"parrot: {verdict.outcome}")

class Parrot(Record):
    name: str = "par-rot"
    title: str = "Parrot"
    advice: str = ""
    hook: Hook = Hook()
    def signs(self, place):
        return ()
    def parts(self, place):
        return ()

agent = Parrot()
"""

PUBLISHER = """
class Board:
    name = "board"
    def publish(self, graph, progress):
        pass

publisher = Board()
"""

MODULES = {
    "snake_language": LANGUAGE,
    "long_name": RULE,
    "greet_verb": OPERATION,
    "loud_format": FORMAT,
    "parrot_agent": AGENT,
    "board_publisher": PUBLISHER,
}
ENTRY_POINTS = """[console_scripts]
guest = greet_verb:main

[keel.languages]
snake = snake_language:language

[keel.rules]
x001_long_name = long_name

[keel.operations]
greet = greet_verb

[keel.formats]
loud = loud_format

[keel.agents]
par-rot = parrot_agent:agent

[keel.publishers]
board = board_publisher:publisher
"""
APP = 'def greet(name: str) -> str:\n    """Greets."""\n    return name\n'
LONG = 'def greet_everybody_who_is_here() -> str:\n    """Greets."""\n    return greet("all")\n'
USE = 'def main() -> str:\n    """Runs."""\n    return greet_everybody_who_is_here()\n'


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a guest of every group."""
    return install(tmp_path_factory.mktemp("site"), MODULES, ENTRY_POINTS)


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A project under git."""
    folder = write_files(tmp_path / "shop", {"app.py": APP})
    commit_all(folder)
    return folder


def test_a_guest_verb_is_a_command_with_help(site: Path, project: Path) -> None:
    assert keel_with(site, project, "greet", "Ann").stdout == "hello Ann, in shop\n"
    assert json.loads(keel_with(site, project, "greet", "Ann", "--json").stdout) == {"text": "hello Ann, in shop"}
    overview = keel_with(site, project, "--help").stdout
    assert "  manners" in overview
    assert "greet" in overview
    assert "Whom to greet." in keel_with(site, project, "greet", "--help").stdout


def test_a_guest_verb_is_a_method_of_the_library(site: Path, project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import subprocess
    import sys

    code = "import keel; shop = keel.open('.'); print(shop.greet('Ann').text, 'greet' in dir(shop))"
    monkeypatch.setenv("PYTHONPATH", str(site))
    done = subprocess.run([sys.executable, "-c", code], cwd=project, capture_output=True, encoding="utf-8", check=True)
    assert done.stdout == "hello Ann, in shop True\n"


def test_a_guest_rule_is_one_file(site: Path, project: Path) -> None:
    assert keel_with(site, project, "map").returncode == 0
    write_files(project, {"app.py": f"{APP}{LONG}{USE}"})
    found = json.loads(keel_with(site, project, "compile", "app.py", "--json").stdout)
    (finding,) = [each for each in found["warnings"] if each["code"] == "X001"]
    assert finding["symbol"] == "greet_everybody_who_is_here"
    assert finding["letters"] == 27
    assert finding["message"].endswith("is long, for main: def greet_everybody_who_is_here() -> str:")
    assert keel_with(site, project, "help", "x001").stdout.startswith("X001 long_name: a function has a name")
    schema = json.loads(keel_with(site, project, "help", "compile", "--json").stdout)["answer"]
    assert "letters" in schema["properties"]["warnings"]["items"]["properties"]


def test_a_guest_rule_has_its_key_its_suppression_and_its_batch(site: Path, project: Path) -> None:
    keel_with(site, project, "map")
    write_files(project, {"app.py": f"{APP}{LONG}{USE}"})

    def codes(*words: str) -> list[str]:
        said = json.loads(keel_with(site, project, "compile", "app.py", "--json", "--verbose", *words).stdout)
        return [each["code"] for each in (*said["warnings"], *said["info"]["findings"])]

    assert codes() == ["X001"]
    assert codes("--suppress", "X001") == ["S001"]
    assert codes("--batch-start") == []
    assert "X001" in codes("--batch-end")
    for text, expected in {
        '[enforcement]\nname_length = "off"': [],
        '[enforcement]\nname_length = "5"\n[enforcement.overrides]\n"a*" = { name_length = "off" }': [],
        '[suppress]\n"app.py:*" = { codes = ["X001"], reason = "they are read aloud" }': ["S001"],
    }.items():
        write_files(project, {".keel/config.toml": f"{text}\n"})
        assert codes() == expected, text
    write_files(project, {".keel/config.toml": '[enforcement]\nname_length = "7"\n'})
    refused = keel_with(site, project, "compile", "app.py")
    assert refused.returncode == 2
    assert "config.toml:2: enforcement.name_length: is one of 5, 20, off, not '7'" in refused.stderr


def test_a_guest_language_is_read_and_its_names_resolve(site: Path, project: Path) -> None:
    write_files(project, {"lib.snk": f"{LONG}\n\ndef main():\n    return greet_everybody_who_is_here()\n"})
    assert keel_with(site, project, "map").returncode == 0
    found = json.loads(keel_with(site, project, "where", "greet_everybody_who_is_here", "--json").stdout)
    assert (found["path"], found["line"]) == ("lib.snk", 1)
    assert "main" in keel_with(site, project, "discover", "greet_everybody_who_is_here").stdout


def test_a_guest_format_shows_answers(site: Path, project: Path) -> None:
    keel_with(site, project, "map")
    assert keel_with(site, project, "where", "greet", "--format", "loud").stdout == "!!! app.py\n"
    assert keel_with(site, project, "greet", "Ann", "--format", "loud").stdout == "!!! hello Ann, in shop\n"


def test_a_guest_agent_has_a_hook(site: Path, project: Path) -> None:
    keel_with(site, project, "map")
    done = keel_with(site, project, "hook", "par-rot", given='{"changed": "app.py"}')
    assert (done.returncode, done.stdout) == (0, "parrot: clean\n")
    assert "par-rot" in keel_with(site, project, "init", "--agents", "nobody").stderr


def test_a_broken_guest_is_one_error_that_names_it(tmp_path: Path, project: Path) -> None:
    site = install(tmp_path / "site", {"broken": "1 / 0"}, "[keel.rules]\nx002_broken = broken\n")
    keel_with(site, project, "map")
    write_files(project, {"app.py": LONG})
    done = keel_with(site, project, "compile", "app.py")
    said = "the entry point 'x002_broken' of keel.rules in guest cannot be loaded: ZeroDivisionError"
    assert (done.returncode, done.stderr.count("\n")) == (2, 1)
    assert said in done.stderr


def test_code_that_is_only_looked_at_brings_no_guests(tmp_path: Path, project: Path) -> None:
    install(project, MODULES, ENTRY_POINTS)
    done = keel_with(tmp_path / "nothing", project, "greet", "Ann")
    assert done.returncode == 2
    assert "unknown command 'greet'" in done.stderr
