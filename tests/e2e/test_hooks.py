"""Hooks as agents call them: a payload on standard input, in a real repository, and what the agent gets to see.

What each agent's payloads and answers look like is in `tests/unit/test_agent_formats.py`.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from keel.surfaces.cli import building, hooking
from tests.workspaces import PATIENCE, MakeWorkspace, commit_all, git, run_keel, write_files

PRICING = '''def discounted(amount: int, percent: int) -> int:
    """The amount that is left."""
    return amount - amount * percent // 100
'''
CART = '''from shop.pricing import discounted


def reduced(total: int) -> int:
    """What is to be paid."""
    return discounted(total, 10)
'''
FILES = {"shop/__init__.py": "", "shop/pricing.py": PRICING, "shop/cart.py": CART, "README.md": "A shop.\n"}
CHANGED = PRICING.replace("percent: int)", "percent: int, floor: int)")
FIXED = CART.replace("discounted(total, 10)", "discounted(total, 10, 0)")
CALLER = "shop/cart.py:6"

Payload = Callable[[Path, str], dict[str, object]]


def claude(folder: Path, path: str) -> dict[str, object]:
    return {
        "session_id": "abc",
        "cwd": str(folder),
        "hook_event_name": "PostToolUse",
        "tool_name": "Edit",
        "tool_input": {"file_path": str(folder / path), "old_string": "a", "new_string": "b"},
        "tool_response": {"filePath": str(folder / path)},
    }


def cursor(folder: Path, path: str) -> dict[str, object]:
    return {
        "conversation_id": "c1",
        "hook_event_name": "postToolUse",
        "tool_name": "Write",
        "tool_input": {"file_path": str(folder / path)},
        "workspace_roots": [str(folder)],
    }


def codex(folder: Path, path: str) -> dict[str, object]:
    patch = f"*** Begin Patch\n*** Update File: {path}\n@@\n-a\n+b\n*** End Patch"
    given = {"command": patch}
    return {"session_id": "x", "cwd": str(folder), "tool_name": "apply_patch", "tool_input": given}


def gemini(folder: Path, path: str) -> dict[str, object]:
    given = {"file_path": str(folder / path), "content": ""}
    return {"session_id": "g", "cwd": str(folder), "tool_name": "write_file", "tool_input": given}


def copilot(folder: Path, path: str) -> dict[str, object]:
    return {"sessionId": "s", "cwd": str(folder), "toolName": "edit", "toolArgs": {"path": str(folder / path)}}


PAYLOADS: dict[str, Payload] = {
    "claude-code": claude,
    "codex": codex,
    "copilot": copilot,
    "cursor": cursor,
    "gemini": gemini,
}
BY_EXIT_CODE = ("claude-code", "codex", "gemini")


@pytest.fixture(scope="module")
def mapped(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The shop under git, mapped; not to be changed."""
    folder = write_files(tmp_path_factory.mktemp("hooks") / "shop", FILES)
    commit_all(folder)
    assert run_keel(["map"], cwd=folder).returncode == 0
    return folder


@pytest.fixture
def shop(mapped: Path, tmp_path: Path) -> Path:
    """A copy of it."""
    import shutil

    return Path(shutil.copytree(mapped, tmp_path / "shop")).resolve()


def hook(folder: Path, agent: str, payload: object = b"", **more: str) -> subprocess.CompletedProcess[bytes]:
    """Runs a hook as an agent does."""
    given = payload if isinstance(payload, bytes) else json.dumps(payload).encode()
    return subprocess.run(
        [sys.executable, "-m", "keel", "hook", agent],
        cwd=folder,
        env={**os.environ, **more},
        input=given,
        capture_output=True,
        timeout=PATIENCE,
    )


def silent(done: subprocess.CompletedProcess[bytes]) -> bool:
    return (done.returncode, done.stdout, done.stderr) == (0, b"", b"")


def passed(done: subprocess.CompletedProcess[bytes]) -> str:
    """The line of a hook that let the edit pass without having checked it."""
    assert done.returncode in (0, 1)
    assert b"Traceback" not in done.stderr
    lines = done.stderr.decode().splitlines()
    assert len(lines) == 1
    return lines[0]


# What the agent gets to see


@pytest.mark.parametrize("agent", PAYLOADS)
def test_a_changed_signature_is_blocked_with_the_caller_and_fixing_it_is_silent(shop: Path, agent: str) -> None:
    payload = PAYLOADS[agent]
    assert silent(hook(shop, agent, payload(shop, "shop/pricing.py")))
    (shop / "shop/pricing.py").write_text(CHANGED, encoding="utf-8")
    done = hook(shop, agent, payload(shop, "shop/pricing.py"))
    if agent in BY_EXIT_CODE:
        assert (done.returncode, done.stdout) == (2, b"")
        told = done.stderr.decode()
    else:
        assert (done.returncode, done.stderr) == (0, b"")
        told = " ".join(map(str, json.loads(done.stdout).values()))
    assert "E005 ERROR" in told
    assert CALLER in told
    (shop / "shop/cart.py").write_text(FIXED, encoding="utf-8")
    assert silent(hook(shop, agent, payload(shop, "shop/cart.py")))
    assert silent(hook(shop, agent, payload(shop, "shop/pricing.py")))


def test_warnings_are_told_and_do_not_block(shop: Path) -> None:
    write_files(shop, {".keel/config.toml": 'schema_version = 1\n[enforcement]\ndocstrings = "warning"\n'})
    (shop / "shop/pricing.py").write_text(f"{PRICING}\n\ndef free() -> int:\n    return 0\n", encoding="utf-8")
    done = hook(shop, "claude-code", claude(shop, "shop/pricing.py"))
    assert (done.returncode, done.stderr) == (0, b"")
    context = json.loads(done.stdout)["hookSpecificOutput"]["additionalContext"]
    assert "E003 WARNING" in context
    assert "'free'" in context
    commit_all(shop)
    assert silent(hook(shop, "claude-code", claude(shop, "shop/pricing.py")))  # nothing of it is new any more


def test_the_session_is_the_agents_and_a_third_failed_attempt_is_a_warning(shop: Path) -> None:
    (shop / "shop/pricing.py").write_text(CHANGED, encoding="utf-8")
    codes = [hook(shop, "claude-code", claude(shop, "shop/pricing.py")).returncode for _ in range(3)]
    assert codes == [2, 2, 0]
    other = {**claude(shop, "shop/pricing.py"), "session_id": "another"}
    assert hook(shop, "claude-code", other).returncode == 2
    assert hook(shop, "git").returncode == 2  # what was downgraded for an agent does not pass a commit


def test_a_deleted_file_is_judged_and_an_unknown_one_is_nothing(shop: Path) -> None:
    (shop / "shop/pricing.py").unlink()
    done = hook(shop, "claude-code", claude(shop, "shop/pricing.py"))
    assert done.returncode == 2
    assert b"E004" in done.stderr
    assert silent(hook(shop, "claude-code", claude(shop, "shop/gone.py")))
    both = {
        **codex(shop, ""),
        "tool_input": {"command": "*** Delete File: shop/gone.py\n*** Update File: shop/cart.py"},
    }
    assert b"E004" in hook(shop, "codex", both).stderr


@pytest.mark.parametrize("path", ["README.md", "notes/new.txt", "shop", ""])
def test_what_is_no_source_is_nothing(shop: Path, path: str) -> None:
    assert silent(hook(shop, "claude-code", claude(shop, path)))


def test_several_files_are_one_attempt(shop: Path) -> None:
    write_files(shop, {"shop/pricing.py": CHANGED, "tools/show.py": "x = 1\n", "README.md": "New.\n"})
    names = ("README.md", "tools/show.py", "shop/cart.py", "shop/pricing.py")
    patch = "\n".join(f"*** Update File: {name}" for name in names)
    payload = {**codex(shop, ""), "tool_input": {"command": patch}}
    done = [hook(shop, "codex", payload) for _ in range(3)]
    assert [each.returncode for each in done] == [2, 2, 0]
    assert done[0].stderr.decode().count("E005 ERROR") == 1
    assert CALLER in done[0].stderr.decode()


def test_a_file_is_named_from_the_folder_the_agent_is_in(shop: Path) -> None:
    (shop / "shop/pricing.py").write_text(CHANGED, encoding="utf-8")
    payload = {**codex(shop / "shop", ""), "tool_input": {"command": "*** Update File: pricing.py"}}
    assert hook(shop, "codex", payload).returncode == 2
    assert hook(shop / "shop", "codex", {**payload, "cwd": None}).returncode == 2


# Without a graph


def test_without_a_graph_it_is_built_once_in_the_background_and_the_edit_passes(git_workspace: MakeWorkspace) -> None:
    folder = git_workspace(FILES, "shop").resolve()
    (folder / "shop/pricing.py").write_text(CHANGED, encoding="utf-8")
    said = {passed(hook(folder, "claude-code", claude(folder, "shop/pricing.py"))) for _ in range(2)}
    assert said == {hooking.BUILDING}
    log = folder / ".keel/log"
    wait_for(lambda: log.exists() and ": map " in log.read_text(encoding="utf-8"))
    assert log.read_text(encoding="utf-8").count(": map ") == 1
    assert hook(folder, "claude-code", claude(folder, "shop/pricing.py")).returncode == 2
    assert git(folder, "status", "--porcelain") == " M shop/pricing.py\n"


def test_a_working_tree_inside_the_repository_is_a_workspace_of_its_own(shop: Path) -> None:
    git(shop, "worktree", "add", "-q", "-b", "other", ".claude/worktrees/other")
    other = shop / ".claude/worktrees/other"
    assert passed(hook(shop, "claude-code", claude(other, "shop/pricing.py"))) == hooking.BUILDING
    wait_for(lambda: (other / ".keel/graph.db").exists())
    assert run_keel(["map"], cwd=other).returncode == 0
    (other / "shop/pricing.py").write_text(CHANGED, encoding="utf-8")
    assert hook(shop, "claude-code", claude(other, "shop/pricing.py")).returncode == 2
    assert silent(hook(shop, "claude-code", claude(shop, "shop/pricing.py")))


def test_another_repository_inside_the_workspace_is_left_alone(shop: Path) -> None:
    commit_all(write_files(shop / "vendor/other", FILES))
    assert silent(hook(shop, "claude-code", claude(shop, "vendor/other/shop/pricing.py")))
    assert not (shop / "vendor/other/.keel").exists()


def test_two_builds_at_a_time_are_one(git_workspace: MakeWorkspace, monkeypatch: pytest.MonkeyPatch) -> None:
    from keel.bootstrap import open_workspace

    held: list[int] = []
    monkeypatch.setattr(building, "_start", lambda folder, locks: held.extend(map(os.dup, locks)))
    workspace = open_workspace(str(git_workspace(FILES)))
    assert building.build(workspace)
    assert not building.build(workspace)  # the process that was started holds the lock
    for lock in held:
        os.close(lock)
    assert building.build(workspace)
    os.close(held[-1])


def wait_for(is_so: Callable[[], bool]) -> None:
    """Until something is the case; most of the time is for machines that are very busy."""
    for _ in range(10 * PATIENCE):
        if is_so():
            return
        time.sleep(0.1)
    pytest.fail("it never came")


# What must never block


@pytest.mark.parametrize(
    ("payload", "said"),
    [
        (b"", "there is no payload"),
        (b'{"a": ', "the payload is not JSON"),
        (b"[1, 2]", "the payload is no JSON object"),
        (b"\xff\xfe{}", "the payload is not JSON"),
        (b"[" * 100_000, "the payload is not JSON"),
    ],
)
def test_a_payload_that_is_none_is_a_line_and_passes(tmp_path: Path, payload: bytes, said: str) -> None:
    assert said in passed(hook(tmp_path, "claude-code", payload))


@pytest.mark.parametrize("agent", PAYLOADS)
def test_no_agent_is_stopped_by_a_payload_that_is_none(tmp_path: Path, agent: str) -> None:
    assert "the payload is not JSON" in passed(hook(tmp_path, agent, b"not json"))


def test_a_payload_without_end_is_not_read_to_its_end() -> None:
    with pytest.raises(Exception, match="larger than"):
        hooking.decoded(b" " * (hooking.MAX_BYTES + 1))


@pytest.mark.parametrize(
    "path",
    [
        "../outside.py",
        "/etc/passwd.py",
        "shop/../../outside.py",
        "link.py",
        "linked/outside.py",
        "a\0b.py",
        "x" * 5000 + ".py",
        "~/outside.py",
    ],
)
def test_paths_that_lead_out_are_none_of_keels_business(shop: Path, path: str) -> None:
    outside = shop.parent / "outside.py"
    outside.write_text("def f(): ...\n", encoding="utf-8")
    (shop / "link.py").symlink_to(outside)
    (shop / "linked").symlink_to(shop.parent)
    given = {"file_path": path}
    assert silent(hook(shop, "claude-code", {**claude(shop, ""), "tool_input": given}))


@pytest.mark.parametrize(
    ("path", "text", "said"),
    [
        (".keel/config.toml", "nonsense = [", "config.toml"),
        (".keel/graph.db", "not a database", "is damaged"),
    ],
)
def test_a_keel_that_cannot_work_says_so_and_passes(shop: Path, path: str, text: str, said: str) -> None:
    (shop / "shop/pricing.py").write_text(CHANGED, encoding="utf-8")
    (shop / path).write_text(text, encoding="utf-8")
    line = passed(hook(shop, "claude-code", claude(shop, "shop/pricing.py")))
    assert line.startswith("keel could not check this edit: ")
    assert said in line
    assert "exit 1" in (shop / ".keel/log").read_text(encoding="utf-8")


FAULTY = """
import sys
from keel.operations import compile
from keel.surfaces.cli import hooking, main
def run(workspace, params): {body}
compile.run = run
{more}
sys.exit(main(["hook", "claude-code"]))
"""


@pytest.mark.parametrize(
    ("body", "more", "said"),
    [
        ("raise ZeroDivisionError('a fault')", "", "this is a fault of keel: ZeroDivisionError: a fault"),
        ("raise MemoryError", "", "this is a fault of keel: MemoryError"),
        ("import time; time.sleep(60)", "hooking.SECONDS = 0.2", "it took longer than 0.2 s"),
    ],
)
def test_a_fault_or_a_hang_of_keel_is_a_line_and_passes(shop: Path, body: str, more: str, said: str) -> None:
    done = subprocess.run(
        [sys.executable, "-c", FAULTY.format(body=body, more=more)],
        cwd=shop,
        input=json.dumps(claude(shop, "shop/pricing.py")).encode(),
        capture_output=True,
        timeout=PATIENCE,
    )
    assert said in passed(done)
    assert done.returncode == 1
    assert "hook claude-code shop/pricing.py" in (shop / ".keel/log").read_text(encoding="utf-8")


@pytest.mark.parametrize("words", [("hook",), ("hook", "nobody"), ("hook", "agents-md"), ("hook", "cursor", "--new")])
def test_words_that_keel_does_not_know_do_not_block(tmp_path: Path, words: tuple[str, ...]) -> None:
    done = run_keel(words, cwd=tmp_path)
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.startswith("keel: ")


# git


def test_a_commit_that_breaks_a_caller_is_refused_and_a_fixed_one_passes(shop: Path) -> None:
    assert run_keel(["init", "--agents", "git", "--yes"], cwd=shop).returncode == 0
    (shop / "shop/pricing.py").write_text(CHANGED, encoding="utf-8")
    done = commit(shop, path=with_keel(shop.parent))
    assert done.returncode == 1
    assert CALLER in done.stderr
    (shop / "shop/cart.py").write_text(FIXED, encoding="utf-8")
    assert commit(shop, path=with_keel(shop.parent)).returncode == 0


def test_a_keel_that_is_missing_or_fails_holds_up_no_commit(shop: Path) -> None:
    assert run_keel(["init", "--agents", "git", "--yes"], cwd=shop).returncode == 0
    (shop / "shop/pricing.py").write_text(CHANGED, encoding="utf-8")
    (shop / ".keel/config.toml").write_text("nonsense = [", encoding="utf-8")
    assert commit(shop, path=with_keel(shop.parent)).returncode == 0
    (shop / "shop/pricing.py").write_text(PRICING, encoding="utf-8")
    assert commit(shop, path=os.environ["PATH"]).returncode == 0


def with_keel(folder: Path) -> str:
    """A PATH on which `keel` is this one."""
    program = write_files(folder / "bin", {"keel": f'#!/bin/sh\nexec "{sys.executable}" -m keel "$@"\n'}) / "keel"
    program.chmod(0o755)
    return f"{program.parent}{os.pathsep}{os.environ['PATH']}"


def commit(folder: Path, path: str) -> subprocess.CompletedProcess[str]:
    """What `git commit` of everything says."""
    return subprocess.run(
        ["git", "commit", "-q", "-a", "-m", "an edit"],
        cwd=folder,
        env={**os.environ, "PATH": path},
        capture_output=True,
        encoding="utf-8",
    )
