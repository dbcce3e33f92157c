"""`init` and `deinit` with coding agents: what is there is found, the change is shown, and all of it goes back.

Merging into single files is in `tests/contract/test_agent.py`; everything else about a setup in `test_setup.py`.
"""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from tests.workspaces import CommandResult, MakeWorkspace, git, keel_inside, write_files

CODE = {"shop.py": 'def total(price: int) -> int:\n    """The sum."""\n    return price\n'}
SETTINGS = '{\n    "model": "opus", // the big one\n    "hooks": {"Stop": []},\n}\n'
THEIRS = {
    ".gemini/settings.json": SETTINGS,
    ".codex/config.toml": 'model = "x"',
    "AGENTS.md": "# Agents\r\n\r\nBe nice.\r\n",
    ".cursor/hooks.json": "{ }\n",
}
ALL = "agents-md,claude-code,codex,copilot,cursor,gemini,git,github-actions"


@pytest.fixture
def shop(git_workspace: MakeWorkspace) -> Path:
    """A project whose people use some agents."""
    return git_workspace({**CODE, **THEIRS}, "shop").resolve()


def tree(folder: Path) -> dict[str, bytes | None]:
    """Every file with its bytes, and every folder, hooks of git included, but for keel's own."""
    below = [path for path in sorted(folder.rglob("*")) if ".keel" not in path.parts]
    kept = [path for path in below if ".git" not in path.parts or "hooks" in path.parts]
    return {str(path.relative_to(folder)): path.read_bytes() if path.is_file() else None for path in kept}


def keel(folder: Path, *words: str, code: int = 0) -> CommandResult:
    said = keel_inside(folder, *words)
    assert said.code == code, said.err
    return said


def files(said: CommandResult) -> dict[str, str]:
    """What becomes of each file but keel's own, by what `init --json` says."""
    return {
        each["path"]: each["what"] for each in json.loads(said.out)["files"] if not each["path"].startswith(".keel")
    }


def test_the_agents_that_are_used_are_found_and_the_change_is_shown(shop: Path) -> None:
    before = tree(shop)
    said = keel(shop, "init").out
    assert tree(shop) == before
    assert "  Gemini CLI  found by .gemini\n" in said
    assert "  AGENTS.md   found by AGENTS.md\n" in said
    assert "not set up: claude-code, copilot, git, github-actions; `keel init --agents NAME` adds one\n" in said
    assert "  .gemini/settings.json  gets keel's part\n" in said
    assert '-    "hooks": {"Stop": []},\n+    "hooks": {"Stop": [], "AfterTool": [{"matcher": ' in said
    assert '--- .codex/hooks.json\n{\n  "hooks": {\n' in said


def test_what_is_used_at_home_counts(workspace: MakeWorkspace, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "home/.claude").mkdir(parents=True)
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    said = keel(workspace(CODE), "init", "--json")
    assert files(said) == {".claude/settings.json": "new", ".mcp.json": "new"}


def test_agents_are_named_or_left_alone(shop: Path) -> None:
    assert files(keel(shop, "init", "--agents", "cursor, codex", "--agents", "cursor", "--json")).keys() == {
        ".cursor/hooks.json",
        ".cursor/mcp.json",
        ".codex/hooks.json",
        ".codex/config.toml",
    }
    assert files(keel(shop, "init", "--no-hooks", "--json")) == {}
    assert "unknown agent 'emacs'; known: agents-md, claude-code" in keel(shop, "init", "--agents", "emacs", code=2).err
    assert "cannot be used together" in keel(shop, "init", "--agents", "git", "--no-hooks", code=2).err


def test_everything_goes_back_byte_for_byte(shop: Path) -> None:
    before = tree(shop)
    keel(shop, "init", "--yes", "--agents", ALL)
    assert tree(shop) != before
    assert keel(shop, "init", "--agents", ALL).out.splitlines()[0].endswith("set up already; nothing is written")
    keel(shop, "deinit", "--yes", "--purge")
    assert tree(shop) == before
    assert git(shop, "status", "--porcelain", "--ignored") == ""


def test_everything_goes_back_although_a_checkout_came_in_between(shop: Path) -> None:
    write_files(shop, {".mcp.json": '{"mcpServers": {}}', ".cursor/hooks.json": '{"hooks":{}}'})
    git(shop, "add", "--all")
    git(shop, "commit", "--quiet", "--message", "Agents")
    before = tree(shop)
    keel(shop, "init", "--agents", ALL, "--yes")
    git(shop, "checkout", "--quiet", ".")
    keel(shop, "init", "--agents", ALL, "--yes")
    keel(shop, "deinit", "--yes")
    assert tree(shop) == before


def test_files_that_were_changed_since_lose_keels_entries_alone(shop: Path) -> None:
    keel(shop, "init", "--yes", "--agents", ALL)
    settings = shop / ".gemini/settings.json"
    settings.write_text(settings.read_text(encoding="utf-8").replace("opus", "haiku"), encoding="utf-8")
    claude = shop / ".claude/settings.json"
    claude.write_text(claude.read_text(encoding="utf-8").replace("{", '{\n  "mine": 1,', 1), encoding="utf-8")
    notes = shop / "AGENTS.md"
    notes.write_bytes(notes.read_bytes() + b"More.\r\n")
    keel(shop, "deinit", "--yes", "--purge")
    assert settings.read_text(encoding="utf-8") == SETTINGS.replace("opus", "haiku")
    assert json.loads(claude.read_text(encoding="utf-8")) == {"mine": 1}
    assert notes.read_bytes() == b"# Agents\r\n\r\nBe nice.\r\nMore.\r\n"


def test_a_file_that_people_and_another_keel_changed_loses_keels_entry_alone(shop: Path) -> None:
    claude = shop / ".claude/settings.json"
    keel(shop, "init", "--yes", "--agents", "claude-code")
    for mine in ('{"a": 1,', '{"b": 2,'):
        text = claude.read_text(encoding="utf-8").replace("Edit|MultiEdit|Write", "Edit")  # as an earlier keel wrote it
        claude.write_text(text.replace("{", mine, 1), encoding="utf-8")
        keel(shop, "init", "--yes", "--agents", "claude-code")
        assert "Edit|MultiEdit|Write" in claude.read_text(encoding="utf-8")
    keel(shop, "deinit", "--yes")
    assert json.loads(claude.read_text(encoding="utf-8")) == {"b": 2, "a": 1}


def test_a_clone_that_was_set_up_elsewhere_can_be_taken_down(shop: Path) -> None:
    before = tree(shop)
    keel(shop, "init", "--yes", "--agents", ALL)
    (shop / ".keel/setup.json").unlink()  # it is not committed
    keel(shop, "deinit", "--yes", "--purge")
    after = {path: text for path, text in tree(shop).items() if text is not None}
    kept = {path: text for path, text in before.items() if text is not None}
    assert after.keys() == kept.keys() - {".cursor/hooks.json"}  # which held nothing but what keel begins one with
    assert after[".gemini/settings.json"] == SETTINGS.encode()
    assert after["AGENTS.md"] == kept["AGENTS.md"]


def test_a_file_that_cannot_be_read_is_left_alone_and_the_rest_is_set_up(shop: Path) -> None:
    (shop / ".gemini/settings.json").write_text('{"a": \n', encoding="utf-8")
    (shop / ".codex/config.toml").write_text("a = \n", encoding="utf-8")
    said = keel(shop, "init", "--yes", "--json")
    warnings = "\n".join(json.loads(said.out)["warnings"])
    assert ".gemini/settings.json: keel's part was not added: it is not valid JSON (line 2: " in warnings
    assert ".codex/config.toml: keel's part was not added: it is not valid TOML" in warnings
    assert (shop / ".gemini/settings.json").read_text(encoding="utf-8") == '{"a": \n'
    assert (shop / ".cursor/mcp.json").exists()
    assert (shop / ".codex/hooks.json").exists()


def test_a_file_that_broke_since_stays_and_is_named(shop: Path) -> None:
    keel(shop, "init", "--yes")
    (shop / ".cursor/hooks.json").write_text('{"keel": \n', encoding="utf-8")
    said = keel(shop, "deinit", "--yes")
    assert "it is not valid JSON" in said.out
    assert (shop / ".cursor/hooks.json").read_text(encoding="utf-8") == '{"keel": \n'


def test_nothing_is_written_through_a_link_that_leads_out(shop: Path, tmp_path: Path) -> None:
    outside = write_files(tmp_path / "dotfiles", {"settings.json": "{}\n"})
    (shop / ".claude").symlink_to(outside)
    said = keel(shop, "init", "--yes", "--agents", "claude-code", "--json")
    assert "it is a link to outside the workspace" in "\n".join(json.loads(said.out)["warnings"])
    assert (outside / "settings.json").read_text(encoding="utf-8") == "{}\n"


def test_a_failure_takes_back_what_was_changed(shop: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = tree(shop)
    replace, written = os.replace, list[str]()

    def full(source: str, target: str) -> None:
        written.append(target)
        if len(written) == 4:
            raise OSError(28, "No space left on device")
        replace(source, target)

    monkeypatch.setattr(os, "replace", full)
    assert "No space left on device" in keel(shop, "init", "--yes", code=2).err
    assert tree(shop) == before
    assert not (shop / ".keel").exists()


# git's hooks


def test_a_hook_of_another_program_is_kept_and_keel_runs_before_it(shop: Path) -> None:
    hook = shop / ".git/hooks/pre-commit"
    hook.parent.mkdir(exist_ok=True)
    hook.write_text("#!/bin/sh\nexec ./lint.sh\n", encoding="utf-8")
    hook.chmod(0o755)
    keel(shop, "init", "--yes", "--agents", "git")
    lines = hook.read_text(encoding="utf-8").splitlines()
    assert lines[0] == "#!/bin/sh"
    assert lines[-1] == "exec ./lint.sh"
    assert "keel hook git || [ $? -ne 2 ] || exit 1" in lines
    assert os.access(hook, os.X_OK)
    keel(shop, "deinit", "--yes")
    assert hook.read_text(encoding="utf-8") == "#!/bin/sh\nexec ./lint.sh\n"


@pytest.mark.parametrize(
    ("text", "mode", "said"),
    [
        ("#!/usr/bin/env python3\nprint(1)\n", 0o755, "it is no shell script"),
        ("#!/bin/sh\n# File generated by pre-commit: https://pre-commit.com\n", 0o755, ".pre-commit-config.yaml"),
        ("#!/bin/sh\nexit 1\n", 0o644, "it is not executable"),
    ],
)
def test_a_hook_that_keel_cannot_join_is_left_alone(shop: Path, text: str, mode: int, said: str) -> None:
    hook = shop / ".git/hooks/pre-commit"
    hook.parent.mkdir(exist_ok=True)
    hook.write_text(text, encoding="utf-8")
    hook.chmod(mode)
    done = keel(shop, "init", "--yes", "--agents", "git", "--json")
    assert said in "\n".join(json.loads(done.out)["warnings"])
    assert hook.read_text(encoding="utf-8") == text


def test_the_folder_that_git_looks_for_hooks_in_is_used_unless_it_is_shared(shop: Path, tmp_path: Path) -> None:
    git(shop, "config", "core.hooksPath", ".githooks")
    assert files(keel(shop, "init", "--agents", "git", "--json")) == {".githooks/pre-commit": "new"}
    git(shop, "config", "core.hooksPath", ".husky/_")
    assert files(keel(shop, "init", "--agents", "git", "--json")) == {".husky/pre-commit": "new"}
    git(shop, "config", "core.hooksPath", str(tmp_path / "everywhere"))
    done = keel(shop, "init", "--agents", "git", "--json")
    assert files(done) == {}
    assert "no folder for hooks that belongs to this repository" in "\n".join(json.loads(done.out)["warnings"])
