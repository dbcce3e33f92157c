"""Every error says in one message what is the case, knows its exit code, and crosses processes whole."""

from __future__ import annotations

import copy
import inspect
import pickle
import re

import pytest

from keel import errors
from keel.errors import KeelError

EXAMPLES: list[tuple[KeelError, int, str]] = [
    (errors.UsageError("no such command"), 2, "no such command"),
    (errors.OutputError("the answer", "disk full"), 2, "cannot write the answer: disk full"),
    (errors.ConfigError("c.toml", "workspace.name", "is not text", 3), 2, "c.toml:3: workspace.name: is not text"),
    (errors.ConfigError("c.toml", "", "is not UTF-8"), 2, "c.toml: is not UTF-8"),
    (errors.WorkspaceError("no workspace"), 2, "no workspace"),
    (errors.RootMissing("lib", "/lib"), 2, "root 'lib' is missing: there is no folder /lib"),
    (errors.ScanError("/app", "denied"), 2, "cannot list /app: denied"),
    (errors.BaseError("/app", "there is no commit 'x'", "fetch it"), 2, "/app: there is no commit 'x'; fetch it"),
    (errors.HookError("there is no payload"), 1, "there is no payload"),
    (errors.StoreError("g.db", "odd"), 2, "g.db: odd"),
    (errors.GraphMissing("g.db"), 2, "no graph at g.db; run `keel map` first"),
    (errors.GraphUnfinished("/app"), 2, "this workspace is being mapped for the first time; ask again"),
    (
        errors.GraphUnfinished("/app", "reading", 12, 3400),
        2,
        "this workspace is being mapped for the first time: reading 12",
    ),
    (errors.StoreDamaged("g.db", "not a database"), 2, "g.db is damaged (not a database)"),
    (errors.StoreNewer("g.db", 9, 3), 2, "g.db has schema 9, this keel knows up to 3"),
    (errors.StoreBusy("g.db", "waited 30 s"), 2, "g.db is being written by another keel (waited 30 s)"),
    (
        errors.SearchMissing("g.db"),
        2,
        "g.db cannot be searched by words: SQLite was built without FTS5; "
        "use a Python whose SQLite has FTS5, and run `keel map --fresh`; every other question works",
    ),
    (errors.StoreFull("g.db", "disk full"), 2, "cannot write g.db: disk full"),
    (errors.HelperMissing("ty", hint="install it"), 2, "ty was not found; install it"),
    (errors.HelperMissing("ty", "permission denied"), 2, "ty cannot be run: permission denied"),
    (errors.HelperUnfit("ty", "0.0.15 is too old"), 2, "ty 0.0.15 is too old"),
    (errors.HelperEnded("ty", "signal 11"), 2, "ty ended (signal 11)"),
    (errors.HelperEnded("ty", "exit code 1", "oh no"), 2, "ty ended (exit code 1); its last output: oh no"),
    (errors.HelperGarbled("ty", "no length"), 2, "ty does not follow its protocol: no length"),
    (errors.HelperSilent("ty", "initialize", 10.0), 2, "ty did not answer within 10 s (initialize)"),
    (errors.HelperRefused("ty", "shutdown", -32603, "a bug"), 2, "ty refused shutdown: a bug (-32603)"),
    (
        errors.AnswerUnfinished(30.0, "linking", 1, 2),
        2,
        "the graph is being brought up to date, which has taken more than 30",
    ),
    (errors.CodeUnknown("E999", ["E001", "E002"]), 2, "no rule has the code E999; known codes: E001, E002"),
    (
        errors.FindingMissing("E001", "f", "HEAD", ["E005 x"]),
        1,
        "compared with HEAD, there is no E001 for 'f'; found instead: E005 x",
    ),
    (
        errors.FindingMissing("E001", "f", "HEAD", []),
        1,
        "compared with HEAD, there is no E001 for 'f'; it may have been",
    ),
    (errors.ToolIdError("../x", "its segment '..' begins with a dot"), 2, "'../x' is not a valid tool id: its segment"),
    (
        errors.ToolNotFoundError("gti", ["/p/gti.py"], ["git"]),
        1,
        "there is no tool 'gti' (searched /p/gti.py); did you",
    ),
    (errors.ToolNotFoundError("rt", wanted_by="git"), 1, "there is no tool 'rt', which 'git' names as its executor"),
    (errors.ToolTwice("git", ["/git.py", "/git.yaml"]), 2, "'git' exists twice: /git.py and /git.yaml; remove one"),
    (errors.ToolOutside("git", "/p/git.py", "/p"), 2, "/p/git.py is not used: its real path is outside /p"),
    (errors.ToolUnreadable("git", "/git.py", "denied"), 2, "/git.py cannot be read: denied"),
    (errors.ManifestError("git", "/git.py", "it is no Python", 3), 2, "/git.py:3: it is no Python"),
    (errors.ManifestError("git", "/git.py", "it is no mapping"), 2, "/git.py: it is no mapping"),
    (errors.ChainValidationError(["Circular chain: a → b → a.", "Two."]), 1, "Circular chain: a → b → a. Two."),
    (errors.LockError("git", ["it is not locked"], "lock it"), 1, "'git' is not run: it is not locked; lock it"),
    (errors.ParameterError("git", ["'n' is missing"]), 2, "the parameters do not fit 'git': 'n' is missing"),
    (errors.RunError("git", "no command"), 2, "'git' cannot be run: no command"),
    (errors.ToolNotWritten("git", "/git.py", "disk full"), 2, "/git.py was not written: disk full"),
    (errors.ImportUnresolved("os", "a.py", "external"), 1, "'os' in a.py names no file of the project: external"),
    (errors.SymbolNotFound("run", ["ran"]), 1, "no symbol is called 'run'; did you mean ran?"),
    (errors.SymbolNotFound("run", []), 1, "no symbol is called 'run'"),
    (errors.SymbolAmbiguous("f", ["a.py:f", "b.py:f"], 5), 1, "'f' names 5 symbols"),
]


@pytest.mark.parametrize(("error", "code", "text"), EXAMPLES, ids=lambda value: type(value).__name__)
def test_message_and_exit_code(error: KeelError, code: int, text: str) -> None:
    assert str(error).startswith(text)
    assert error.exit_code == code


@pytest.mark.parametrize("error", [error for error, _, _ in EXAMPLES], ids=lambda error: type(error).__name__)
@pytest.mark.parametrize("again", [lambda error: pickle.loads(pickle.dumps(error)), copy.copy, copy.deepcopy])
def test_errors_survive_the_way_between_processes(error: KeelError, again: object) -> None:
    assert callable(again)
    other = again(error)
    assert type(other) is type(error)
    assert str(other) == str(error)
    assert other.fields == error.fields
    assert vars(other) == vars(error)


@pytest.mark.parametrize("error", [error for error, _, _ in EXAMPLES], ids=lambda error: type(error).__name__)
def test_the_message_is_what_is_the_case_and_then_what_to_do(error: KeelError) -> None:
    expected = f"{error.message()}; {error.hint}" if error.hint else error.message()
    assert str(error).splitlines()[0] == expected
    assert "\n" not in error.message()


def test_a_long_handle_is_not_repeated_whole() -> None:
    assert len(str(errors.SymbolNotFound("x" * 100_000, []))) < 300
    assert errors.brief("short") == "short"


def test_the_candidates_of_an_ambiguous_handle_are_listed() -> None:
    error = errors.SymbolAmbiguous("f", ["a.py:f", "b.py:f"], 5)
    assert str(error).splitlines()[1:] == ["  a.py:f", "  b.py:f", "  … and 3 more"]


def test_every_error_is_in_an_example_and_in_the_drawn_tree() -> None:
    classes = {name: one for name, one in vars(errors).items() if inspect.isclass(one) and issubclass(one, KeelError)}
    shown = {type(error).__name__ for error, _, _ in EXAMPLES}
    assert classes.keys() - shown == {
        "KeelError",
        "HelperError",
        "SymbolError",
        "ToolError",
    }  # these are only ever caught
    drawn = dict(re.findall(r"^[ │├└─]*(\w+) +(\d)\b", errors.__doc__ or "", re.MULTILINE))
    assert drawn == {name: str(one.exit_code) for name, one in classes.items()}
