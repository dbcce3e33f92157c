"""`keel fix` from the command line: plans, what it writes, and that nothing else is touched."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.workspaces import MakeWorkspace, commit_all, git, run_keel, write_files

LIBRARY = '''"""The library."""


def send(to: str, text: str, retries: int = 3) -> str:
    """Sends."""
    return f"{to} {text} {retries}"


def helper(value: list[int]) -> int:
    """Helps."""
    total = sum(value)
    return total + len(value)


def former(number: int) -> str:
    """Was called otherwise."""
    return str(number).strip()


def drop(one: int, two: int, three: int) -> int:
    """Takes three."""
    return one + three
'''
USER = '''"""Who uses it."""

from library import drop, former, helper, send


def use() -> object:
    """Uses all."""
    send(
        to="me",  # who
        text="hi",
    )
    drop(1, 2, 3)
    drop(1, two=2, three=3)
    return helper([1, 2]), former(3)
'''
MOVED = LIBRARY[LIBRARY.index("def helper") : LIBRARY.index("def former")].rstrip() + "\n"


@pytest.fixture
def project(workspace: MakeWorkspace) -> Path:
    """A repository in which one file uses another, committed and mapped."""
    folder = workspace({"library.py": LIBRARY, "user.py": USER})
    commit_all(folder)
    assert run_keel(["map", "--quiet"], cwd=folder).returncode == 0
    return folder


def broken(project: Path) -> Path:
    """The project after an edit that breaks every use in a way that can be fixed."""
    changed = LIBRARY.replace(MOVED, "").replace("former", "latter").replace("to: str", "recipient: str")
    changed = changed.replace("{to}", "{recipient}").replace("retries: int = 3", "retries: int")
    return write_files(
        project, {"library.py": changed.replace(", two: int", ""), "home.py": f'"""New."""\n\n\n{MOVED}'}
    )


def fix(folder: Path, *words: str, code: int) -> dict[str, Any]:
    """What fix answers in JSON."""
    done = run_keel(["fix", *words, "--json"], cwd=folder)
    assert done.returncode == code, done.stderr
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def test_nothing_to_fix_says_nothing(project: Path) -> None:
    done = run_keel(["fix", "--apply"], cwd=project)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


def test_a_plan_writes_nothing_and_says_what_it_would(project: Path) -> None:
    done = run_keel(["fix", "--diff"], cwd=broken(project))
    assert done.returncode == 1
    assert "user.py:8  use: pass 'to' as 'recipient', pass 'retries=3', the default it had" in done.stdout
    assert '-        to="me",  # who\n+        recipient="me",  # who' in done.stdout
    assert "run `keel fix --apply`" in done.stdout
    assert (project / "user.py").read_text() == USER


def test_what_is_plain_is_fixed_and_formatting_stays(project: Path) -> None:
    assert fix(broken(project), "--apply", code=0)["outcome"] == "fixed"
    assert (project / "user.py").read_text() == (
        USER.replace("to=", "recipient=")
        .replace('        text="hi",\n', '        text="hi",\n        retries=3,\n')
        .replace("drop(1, 2, 3)", "drop(1, 3)")
        .replace("two=2, ", "")
        .replace("former", "latter")
        .replace(
            "from library import drop, latter, helper, send",
            "from library import drop, latter, send\nfrom home import helper",
        )
    )
    assert run_keel(["compile"], cwd=project).returncode == 0


def test_what_only_its_writer_knows_is_left(project: Path) -> None:
    write_files(project, {"library.py": LIBRARY.replace("three: int", "three: int, four: int")})
    told = fix(project, "--apply", code=1)
    assert (told["outcome"], told["written"], told["remaining"]) == ("nothing", [], 1)
    assert told["plans"][0]["left"][0]["what"] == "the value for 'four' is not known at the call"
    assert (project / "user.py").read_text() == USER


def test_a_parameter_of_the_caller_is_handed_on(project: Path) -> None:
    write_files(project, {"user.py": USER.replace("def use()", "def use(four: int)")})
    git(project, "-c", "user.name=a", "-c", "user.email=a@b", "commit", "--quiet", "--all", "--message", "four")
    write_files(project, {"library.py": LIBRARY.replace("three: int", "three: int, four: int")})
    fix(project, "--apply", code=0)
    assert "drop(1, 2, 3, four=four)" in (project / "user.py").read_text()


def test_findings_of_other_files_are_left_alone(project: Path) -> None:
    broken(project)
    told = fix(project, "home.py", "--apply", code=0)
    assert (told["outcome"], (project / "user.py").read_text()) == ("clean", USER)


def test_what_may_be_something_else_is_left(project: Path) -> None:
    changed = (
        LIBRARY.replace("retries: int = 3", "timeout: int")
        .replace(" {retries}", "")
        .replace("return one + three", "return one - three")
    )
    write_files(project, {"user.py": USER.replace('text="hi",', 'text="hi", retries=2')})
    commit_all(project)
    write_files(project, {"library.py": changed.replace("def drop", "def less")})
    told = fix(project, "--apply", code=1)
    reasons = {step["what"] for plan in told["plans"] for step in plan["left"]}
    assert told["written"] == []
    assert "'timeout' is in the place of 'retries', and may mean something else" in reasons
    assert "'less' in library.py is similar to it, and not the same" in reasons


OVERRIDDEN = """class One:
    def old(self) -> int:
        '''One.'''
        return len("one")


class Two(One):
    def old(self) -> int:
        '''Two.'''
        return sum([2]) + super().old()
"""


def test_methods_that_override_a_renamed_one_are_renamed_along(workspace: MakeWorkspace) -> None:
    user = "from library import One, Two\n\n\ndef _use(one: One, two: Two) -> int:\n    return one.old() + two.old()\n"
    folder = workspace({"library.py": OVERRIDDEN, "user.py": user})
    commit_all(folder)
    write_files(folder, {"library.py": OVERRIDDEN.replace("old", "new", 1)})
    fix(folder, "--apply", code=0)
    assert (folder / "library.py").read_text() == OVERRIDDEN.replace("old", "new")
    assert (folder / "user.py").read_text() == user.replace("old", "new")


def test_a_method_that_may_have_to_keep_its_name_keeps_it(workspace: MakeWorkspace) -> None:
    library = "from somewhere import Other\n\n\n" + OVERRIDDEN.replace("Two(One)", "Two(One, Other)")
    user = "from library import One\n\n\ndef use(one: One) -> int:\n    return one.old()\n"
    folder = workspace({"library.py": library, "user.py": user})
    commit_all(folder)
    write_files(folder, {"library.py": library.replace("old", "new", 1)})
    told = fix(folder, "--apply", code=1)
    assert "'Two.old' overrides it, and something else may require its name" in {
        step["what"] for plan in told["plans"] for step in plan["left"]
    }
    assert told["written"] == []


def test_what_a_file_exports_follows_a_new_name_and_stays_after_a_move(workspace: MakeWorkspace) -> None:
    library = f'__all__ = ["former", "helper"]\n\n\n{LIBRARY}'
    package = 'from library import *\n\n__all__ = ["former", "helper"]\n'
    folder = workspace({"library.py": library, "package.py": package, "user.py": USER})
    commit_all(folder)
    write_files(
        folder, {"library.py": library.replace(MOVED, "").replace("def former", "def latter"), "home.py": MOVED}
    )
    fix(folder, "--apply", code=0)
    assert (folder / "package.py").read_text() == package.replace("former", "latter")
    assert (folder / "library.py").read_text().startswith('from home import helper\n__all__ = ["latter", "helper"]')


def test_what_only_shows_after_a_fix_is_fixed_too(workspace: MakeWorkspace) -> None:
    library = 'class Tree:\n    def add(self) -> "Tree":\n        """Grows."""\n        return self\n'
    user = "from library import Tree\n\nroot = Tree()\nnode = root.add()\nleaf = node.add()\nleaf.add()\n"
    folder = workspace({"library.py": library, "user.py": user})
    commit_all(folder)
    write_files(folder, {"library.py": library.replace("add", "grow")})
    told = fix(folder, "--apply", "--diff", code=0)
    assert (folder / "user.py").read_text() == user.replace("add", "grow")
    assert told["diff"].count("+++ b/user.py") == 1


def test_a_line_that_a_type_checker_is_told_to_ignore_gets_the_new_name(project: Path) -> None:
    write_files(project, {"user.py": f"{USER}\n\nshown = former(3)  # type: ignore[arg-type]\n"})
    commit_all(project)
    write_files(project, {"library.py": LIBRARY.replace("former", "latter")})
    fix(project, "--apply", code=0)
    assert "former" not in (project / "user.py").read_text()


def test_a_name_that_was_the_default_is_passed_where_it_means_the_same(workspace: MakeWorkspace) -> None:
    library = "LIMIT = [3]\n\n\ndef send(text: str, limit: list[int] = LIMIT) -> str:\n    return text * len(limit)\n"
    more = "\n\ndef near() -> str:\n    return send('a')\n\n\ndef far(LIMIT: int) -> str:\n    return send('b')\n"
    folder = workspace({"library.py": library + more})
    commit_all(folder)
    write_files(folder, {"library.py": (library + more).replace("= LIMIT", "")})
    fix(folder, "--apply", code=1)
    found = (folder / "library.py").read_text()
    assert "send('a', limit=LIMIT)" in found
    assert "send('b')" in found


def test_a_file_that_needs_the_other_for_types_alone_can_be_imported_by_it(workspace: MakeWorkspace) -> None:
    """The new home names the old file under TYPE_CHECKING, and another one in a function: no ring."""
    library = LIBRARY + "\n\nTABLE = {'helper': helper}\n"
    folder = workspace({"library.py": library, "user.py": USER})
    commit_all(folder)
    head = "from typing import TYPE_CHECKING\n\nimport other\n\nif TYPE_CHECKING:\n    import library\n\n\n"
    other = "def _late() -> object:\n    import library\n\n    return library\n"
    write_files(folder, {"library.py": library.replace(MOVED, ""), "home.py": head + MOVED, "other.py": other})
    fix(folder, "--apply", code=0)
    assert "from home import helper\n" in (folder / "library.py").read_text()


def test_changes_of_the_same_text_come_one_after_the_other(project: Path) -> None:
    """A name is moved out of an import that another has moved out of: the second is done after the first."""
    moved = LIBRARY[LIBRARY.index("def former") : LIBRARY.index("def drop")].rstrip() + "\n"
    write_files(project, {"user.py": "from library import former, helper\n\nhelper([1])\nformer(1)\n"})
    commit_all(project)
    write_files(
        project,
        {
            "library.py": LIBRARY.replace(MOVED, "").replace(moved, ""),
            "home.py": f'"""New."""\n\n\n{MOVED}\n\n{moved}',
        },
    )
    assert "@@" in run_keel(["fix", "--diff"], cwd=project).stdout
    assert fix(project, "--apply", code=0)["outcome"] == "fixed"
    assert (project / "user.py").read_text() == (
        "from home import former\nfrom home import helper\n\nhelper([1])\nformer(1)\n"
    )


CACHED = '''from functools import lru_cache


@lru_cache
def settings() -> dict[str, str]:
    """What is set."""
    return {"a": "b"}


def forget() -> None:
    """Empties it."""
    settings.cache_clear()
'''


def test_every_use_follows_a_renamed_import(workspace: MakeWorkspace) -> None:
    user = (
        "from library import settings\n\n\ndef _reset() -> None:\n    settings.cache_clear()\n\n\n"
        'def _read() -> str:\n    return settings()["a"]\n'
    )
    folder = workspace({"library.py": CACHED, "user.py": user})
    commit_all(folder)
    write_files(folder, {"library.py": CACHED.replace("def settings", "def get_settings")})
    fix(folder, "--apply", code=0)
    assert (folder / "user.py").read_text() == user.replace("settings", "get_settings")
    assert (folder / "library.py").read_text() == CACHED.replace("settings", "get_settings")


def test_what_says_the_old_name_beside_an_import_of_the_new_one_is_fixed(workspace: MakeWorkspace) -> None:
    user = "from library import settings\n\n\ndef _reset() -> None:\n    settings.cache_clear()\n"
    folder = workspace({"library.py": CACHED, "user.py": user})
    commit_all(folder)
    half = user.replace("import settings", "import get_settings")
    write_files(folder, {"library.py": CACHED.replace("settings", "get_settings"), "user.py": half})
    told = fix(folder, "--apply", code=0)
    assert (folder / "user.py").read_text() == user.replace("settings", "get_settings")
    assert told["remaining"] == 0


def test_an_import_whose_name_means_more_in_its_file_keeps_it(workspace: MakeWorkspace) -> None:
    user = "from library import settings\n\n\ndef _show(settings: object = settings()) -> None:\n    print(settings)\n"
    folder = workspace({"library.py": CACHED, "user.py": user})
    commit_all(folder)
    write_files(folder, {"library.py": CACHED.replace("settings", "get_settings")})
    fix(folder, "--apply", code=0)
    assert (folder / "user.py").read_text() == user.replace("import settings", "import get_settings as settings")
