"""Servers that the configuration names: how they are found, what they are told and shown, and what their faults cost.

How servers break in all ways is in `tests/unit/test_lsp_definitions.py`. The real pyright is asked where there is one.
"""

from __future__ import annotations

import json
import os
import shutil
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from keel.bootstrap import open_workspace
from keel.graph.export import export_graph
from keel.indexing.pipeline import build
from keel.indexing.report import Report
from keel.model.lines import EdgeLine
from keel.ports.definitions import Position, Project
from keel.querying.current_graph import index_context
from keel.resolvers.lsp.client import Client
from keel.resolvers.lsp.definitions import ServerDefinitions
from keel.resolvers.servers import configured
from keel.resolvers.servers.configured import Configured, open_server
from tests.fake_server import Script
from tests.servers import FAKE, LONG, SHORT, fake, nothing_is_left
from tests.workspaces import MakeWorkspace

FILES = {"lib.py": "def f(): ...\n", "user.py": "from lib import f\n\n\ndef use():\n    f()\n"}


def configure(folder: Path, words: Sequence[str], more: str = "") -> None:
    (folder / ".keel").mkdir(exist_ok=True)
    text = f"[resolution]\nty = false\n[resolution.tier3]\nserver = {json.dumps(list(words))}\n{more}\n"
    (folder / ".keel/config.toml").write_text(text, encoding="utf-8")


def fake_words(folder: Path, script: Script) -> list[str]:
    return [sys.executable, "-I", "-S", str(FAKE), json.dumps(script), str(folder)]


def mapped(folder: Path) -> tuple[Report, list[str]]:
    """What a map tells, and how the call of `use` was found."""
    workspace = open_workspace(str(folder))
    workspace.prepare()
    report = build(index_context(workspace))
    with workspace.store.reading() as reader:
        edges = [line for line in export_graph(reader) if isinstance(line, EdgeLine) and line.kind == "calls"]
    return report, [f"{edge.tier} {edge.confidence:.2f}" for edge in edges]


OWN = ["tier2_treesitter_heuristic 0.80"]


def test_a_configured_server_confirms(workspace: MakeWorkspace) -> None:
    folder = workspace(FILES)
    configure(folder, fake_words(folder, {"encoding": None, "only_open": True}))
    report, calls = mapped(folder)
    assert (report.warnings, calls) == ((), ["tier3_lsp 0.97"])
    assert nothing_is_left(str(folder))


@pytest.mark.parametrize(
    ("script", "told"),
    [
        ({"start": "crash"}, "ended (exit code 3); its last output: no configuration"),
        ({"start": "garbage"}, "does not follow its protocol"),
        ({"start": "hang"}, "did not answer within"),
        ({"lines": {"1": "crash", "5": "crash"}}, "ended (signal 9); its last output: thread 'main' panicked"),
        ({"lines": {"1": "garbage", "5": "garbage"}}, "does not follow its protocol"),
        ({"lines": {"1": "hang", "5": "hang"}}, "did not answer within"),
        ({"encoding": "utf-7"}, "counts columns in utf-7"),
    ],
)
def test_its_faults_cost_the_tier_and_one_warning(
    workspace: MakeWorkspace, monkeypatch: pytest.MonkeyPatch, script: Script, told: str
) -> None:
    if "hang" in str(script):
        monkeypatch.setattr(configured, "SECONDS", SHORT)
        monkeypatch.setattr(configured, "START_SECONDS", SHORT)
    folder = workspace(FILES)
    configure(folder, fake_words(folder, script))
    report, calls = mapped(folder)
    [warning] = report.warnings
    assert told in warning
    assert warning.startswith(os.path.basename(sys.executable))
    assert calls == OWN
    assert nothing_is_left(str(folder)), "no server outlives its use"


def test_a_command_that_is_not_there_is_told_with_the_place_to_fix_it(workspace: MakeWorkspace) -> None:
    folder = workspace(FILES)
    configure(folder, ["no-such-server", "--stdio"])
    report, calls = mapped(folder)
    assert report.warnings == (
        "no-such-server cannot be run: there is no no-such-server on the search path; "
        "see `server` in [resolution.tier3] of .keel/config.toml",
    )
    assert calls == OWN


def test_a_missing_pyright_is_told_with_what_brings_one(
    workspace: MakeWorkspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(configured, "programs", lambda name: iter(()))
    folder = workspace(FILES)
    configure(folder, ["pyright"])
    report, calls = mapped(folder)
    [warning] = report.warnings
    assert warning.startswith(
        "pyright cannot be run: there is no pyright-langserver on the search path; install it with `pip"
    )
    assert calls == OWN


def test_the_environment_leaves_it_out(workspace: MakeWorkspace, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = workspace(FILES)
    configure(folder, ["no-such-server"], 'scip = "none.scip"')
    monkeypatch.setenv("KEEL_NO_TIER3", "1")
    report, calls = mapped(folder)
    assert (report.warnings, calls) == ((), OWN)


# what it is told and shown


def test_files_are_open_while_they_are_asked_about_and_few_at_a_time(workspace: MakeWorkspace) -> None:
    names = [f"m{number}.py" for number in range(12)]
    folder = workspace(dict.fromkeys(names, "def f(): ...\n"))
    launch = fake(folder, {"only_open": True})._replace(opens="python")
    with ServerDefinitions(launch, LONG, in_flight=4) as definitions:
        questions = [Position(str(folder / name), 1, 5) for name in (*names, *names)]
        assert all(answer for _, answer in definitions.ask(questions))
        assert definitions._client is not None
        notifications = definitions._client.call("fake/heard", None, LONG)
    told = [message["method"].rpartition("/")[2] for message in notifications if "/did" in message["method"]]
    opened = told.count("didOpen")
    assert opened == 24, "each is shown anew when it comes again"
    assert opened - told.count("didClose") == 5


def test_a_file_that_is_no_text_is_asked_about_without_being_shown(workspace: MakeWorkspace) -> None:
    folder = workspace({"b.py": "def g(): ...\n"})
    (folder / "a.py").write_bytes(b"# \xff\ndef f(): ...\n")
    launch = fake(folder, {"lines": {"2": "nobody"}})._replace(opens="python")
    with ServerDefinitions(launch, LONG) as definitions:
        questions = [Position(str(folder / "a.py"), 2, 5), Position(str(folder / "gone.py"), 2, 1)]
        assert [answer for _, answer in definitions.ask(questions)] == [(), ()]


@pytest.mark.parametrize(
    ("section", "said"),
    [("python", {"analysis": {"mode": "off"}}), ("python.analysis", {"mode": "off"}), ("a.b", 1), ("other", None)],
)
def test_sections_of_settings_are_found_by_their_parts(workspace: MakeWorkspace, section: str, said: object) -> None:
    folder = workspace({})
    request = {"method": "workspace/configuration", "params": {"items": [{"section": section}]}}
    launch = fake(folder, {"asks": [request]})._replace(settings={"python": {"analysis": {"mode": "off"}}, "a.b": 1})
    with Client(launch) as server:
        server.call("fake/heard", None, LONG)
        notifications = server.call("fake/heard", None, LONG)
    [answer] = [message for message in notifications if message.get("id") == "mine 0"]
    assert answer["result"] == [said]


def test_pyright_is_told_where_imports_start_and_what_the_configuration_says(
    workspace: MakeWorkspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(configured, "programs", lambda name: iter([f"/bin/{name}"]))
    folder = str(workspace({}))
    server = Configured(("pyright",), {"x": 1}, {"python": {"pythonPath": "/p", "analysis": {"indexing": True}}})
    opened = open_server(server, "python", Project(folder, (folder, f"{folder}/src")))
    assert isinstance(opened, ServerDefinitions)
    launch = opened._launch
    assert launch.command == ("/bin/pyright-langserver", "--stdio")
    assert (launch.name, launch.options, launch.opens) == ("pyright", {"x": 1}, "python")
    python = launch.settings["python"]
    assert python["pythonPath"] == "/p"
    assert python["analysis"]["extraPaths"] == [f"{folder}/src"]
    assert python["analysis"]["indexing"] is True
    assert python["analysis"]["typeCheckingMode"] == "off"


@pytest.mark.skipif(shutil.which("pyright-langserver") is None, reason="pyright is not installed")
def test_the_real_pyright_confirms(workspace: MakeWorkspace) -> None:
    folder = workspace(FILES)
    configure(folder, ["pyright"])
    report, calls = mapped(folder)
    assert (report.warnings, calls) == ((), ["tier3_lsp 0.97"])
