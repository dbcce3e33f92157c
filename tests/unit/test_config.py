"""The configuration: what it may say, what it means when it says nothing, and how it is refused."""

from __future__ import annotations

import pickle
import subprocess
import sys
from pathlib import Path

import pytest

from keel import registry
from keel.bootstrap import open_workspace
from keel.config import CircuitBreaker, Config, Daemon, Override, Suppression, defaults
from keel.errors import ConfigError

SEED = """
schema_version = 1

[workspace]
name = "daml-stack"
[workspace.roots]
splice = "../splice"
utility = "../utility"

[enforcement]
type_hints = "warning"
docstring_format = "full"
placement = "off"

[enforcement.overrides]
"tests/**" = { type_hints = "warning", docstrings = "off" }
"scripts/**" = { type_hints = "off" }

[circuit_breaker]
max_retries = 5
auto_downgrade = false

[suppress]
"src/legacy/adapter.ts:validateInput" = { codes = ["W001"], reason = "Adapter pattern" }
"src/utils/index.ts:*" = { codes = ["W001", "E003"], reason = "Utility barrel" }

[exclude]
placement = ["utils/**"]

"""


def load(folder: str) -> Config:
    """The configuration of a folder, checked as far as a command checks it: against installed rules and languages."""
    workspace = open_workspace(folder, folder)
    assert workspace.config.enforcement == workspace.enforcement
    assert workspace.helpers is not None
    return workspace.config


def write(folder: Path, text: str | bytes) -> str:
    (folder / ".keel").mkdir(exist_ok=True)
    data = text.encode() if isinstance(text, str) else text
    (folder / ".keel" / "config.toml").write_bytes(data)
    return str(folder)


def test_everything_the_design_names_is_read(tmp_path: Path) -> None:
    config = load(write(tmp_path, SEED))
    assert config.workspace.name == "daml-stack"
    assert config.workspace.roots == (("splice", "../splice"), ("utility", "../utility"))
    said = dict(config.enforcement.settings)
    assert said["type_hints"] == "warning"
    assert "docstrings" not in said
    assert config.enforcement.overrides == (
        Override(pattern="tests/**", settings=(("type_hints", "warning"), ("docstrings", "off"))),
        Override(pattern="scripts/**", settings=(("type_hints", "off"),)),
    )
    assert config.circuit_breaker == CircuitBreaker(max_retries=5, auto_downgrade=False)
    assert config.suppress[1] == Suppression(
        path="src/utils/index.ts", symbol="*", codes=("W001", "E003"), reason="Utility barrel"
    )
    assert config.exclude.placement == ("utils/**",)


@pytest.mark.parametrize("text", ["", "# nothing\n", "\ufeffschema_version = 1\r\n", "[enforcement]\n"])
def test_what_is_not_said_has_the_defaults_of_the_seed(tmp_path: Path, text: str) -> None:
    assert load(write(tmp_path, text)) == defaults()
    keys = {name: said.default for name, said in registry.enforcement_keys().items()}
    assert (keys["type_hints"], keys["type_hints_existing"]) == ("error", "warning")
    assert (keys["docstrings"], keys["docstrings_existing"]) == ("error", "warning")
    assert (keys["placement"], keys["duplicate_detection"]) == ("warning", "warning")
    assert (defaults().circuit_breaker.max_retries, defaults().circuit_breaker.auto_downgrade) == (3, True)


def test_a_server_is_a_name_a_command_or_its_words_and_indexes_are_one_or_many(tmp_path: Path) -> None:
    for said, server in (
        ('"pyright"', ("pyright",)),
        ("\"a 'b c'\"", ("a", "b c")),
        ('["/x y", "-v"]', ("/x y", "-v")),
    ):
        for index, scip in (('"i.scip"', ("i.scip",)), ('["a", "b"]', ("a", "b"))):
            text = f"[resolution.tier3]\nserver = {said}\nscip = {index}\n[resolution.tier3.options]\nx.y = [1, true]\n"
            found = load(write(tmp_path, text)).resolution.tier3
            assert (found.server, found.scip, found.languages) == (server, scip, ())
            assert found.options == {"x": {"y": [1, True]}}


def test_a_missing_file_means_defaults(tmp_path: Path) -> None:
    assert load(str(tmp_path)) == Config()
    (tmp_path / ".keel").write_text("not a folder")
    assert load(str(tmp_path)) == Config()


def test_a_missing_file_loads_no_parser(tmp_path: Path) -> None:
    code = (
        "import sys; from keel.config import load; load(sys.argv[1]);"
        "sys.exit(str(sorted({'tomllib', 'msgspec', 're', 'typing', 'difflib'} & set(sys.modules)) or ''))"
    )
    done = subprocess.run(
        [sys.executable, "-S", "-c", code, str(tmp_path)],
        env={"PYTHONPATH": str(Path(__file__).parents[2] / "src")},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.stderr.strip() == ""


WRONG = [
    ("schema_version = 2", "schema_version", 1, "this keel knows 1"),
    ('schema_version = "1"', "schema_version", 1, "not a text"),
    ("schema_version = true", "schema_version", 1, "not true or false"),
    ('\n[enforcment]\ntype_hints = "off"', "enforcment", 2, "did you mean 'enforcement'?"),
    ('[enforcement]\n\ntype_hint = "off"', "enforcement.type_hint", 3, "did you mean 'type_hints'?"),
    ('[enforcement]\ntype_hints = "fatal"', "enforcement.type_hints", 2, "error, warning, off, not 'fatal'"),
    ('[enforcement]\nplacement = "error"', "enforcement.placement", 2, "warning, off, not 'error'"),
    ("[enforcement]\ndocstring_format = 1", "enforcement.docstring_format", 2, "not a whole number"),
    ("enforcement = 3", "enforcement", 1, "is a table"),
    ("enforcement.placement = 1979-05-27", "enforcement.placement", 1, "not a date or time"),
    (
        '[enforcement]\ndocstrings = "off"\n[enforcement.overrides]\n"a=b/**" = { docstring = "off" }',
        'enforcement.overrides."a=b/**".docstring',
        4,
        "did you mean 'docstrings'?",
    ),
    ('[enforcement.overrides]\n"x" = { overrides = {} }', "enforcement.overrides.x.overrides", 2, "not a key"),
    ("[circuit_breaker]\nmax_retries = 0", "circuit_breaker.max_retries", 2, "at least 1"),
    ("[circuit_breaker]\nmax_retries = 2.5", "circuit_breaker.max_retries", 2, "not a number"),
    ("[circuit_breaker]\nauto_downgrade = 1", "circuit_breaker.auto_downgrade", 2, "true or false"),
    ('[suppress]\n# why\n"a.py:f" = { codes = ["E001"] }', 'suppress."a.py:f"', 3, "no reason"),
    ('[suppress]\n"a.py:f" = { codes = ["E001"], reason = " " }', 'suppress."a.py:f".reason', 2, "empty"),
    ('[suppress."a.py:f"]\nreason = "r"\ncodes = []', 'suppress."a.py:f".codes', 3, "names no code"),
    ('[suppress]\n"a.py:f" = { codes = ["e1"], reason = "r" }', 'suppress."a.py:f".codes', 2, "not a code"),
    ('[suppress]\n"a.py" = { codes = ["E001"], reason = "r" }', 'suppress."a.py"', 2, "path:symbol"),
    ("[exclude]\nplacement = 'utils'", "exclude.placement", 2, "a list of texts"),
    ("[exclude]\nscan = []", "exclude.scan", 2, "known: placement"),
    ("[exclude]\nplacement = [1]", "exclude.placement", 2, "is a text"),
    ('[workspace.roots]\n"a:b" = "x"', 'workspace.roots."a:b"', 2, "without ':' and '/'"),
    ('[workspace.roots]\n"" = "x"', 'workspace.roots.""', 2, "not empty"),
    ('[workspace]\nroots = { a = "x", "b/c" = "y" }', 'workspace.roots."b/c"', 2, "without ':' and '/'"),
    ('[workspace.roots]\na = ""', "workspace.roots.a", 2, "is empty"),
    ('[workspace.roots]\na = "x"\nb = "./x/"', "workspace.roots.b", 3, "same folder as root 'a'"),
    ('[workspace.roots]\na = "x"\nb = "x/y"', "workspace.roots.b", 3, "inside root 'a'"),
    ('[workspace.roots]\na = "x/y"\nb = "x"', "workspace.roots.b", 3, "holds root 'a'"),
    ('[workspace.roots]\na = "x"\na = "y"', "", 3, "is not TOML"),
    ('[resolution.tier3]\nsever = "pyright"', "resolution.tier3.sever", 2, "did you mean 'server'?"),
    ('[resolution.tier3]\nserver = ""', "resolution.tier3.server", 2, "is empty"),
    ("[resolution.tier3]\nserver = []", "resolution.tier3.server", 2, "is empty"),
    (
        "[resolution.tier3]\nserver = 3",
        "resolution.tier3.server",
        2,
        "is a text or a list of texts, not a whole number",
    ),
    ("[resolution.tier3]\nserver = 'a \"b'", "resolution.tier3.server", 2, "a quotation mark that is not closed"),
    ('[resolution.tier3]\nserver = "./tool"', "resolution.tier3.server", 2, "a program on the search path"),
    (
        '[resolution.tier3]\nserver = "a"\nlanguages = ["go"]',
        "resolution.tier3.languages",
        3,
        "one of python, not 'go'",
    ),
    ("[resolution.tier3]\noptions = {a = 1}", "resolution.tier3.options", 2, "needs `server`"),
    (
        '[resolution.tier3]\nserver = "a"\noptions = {a = {b = nan}}',
        "resolution.tier3.options.a.b",
        3,
        "JSON cannot represent it",
    ),
    (
        '[resolution.tier3]\nserver = "a"\nsettings = {a = [1979-05-27]}',
        "resolution.tier3.settings.a",
        3,
        "JSON cannot represent it",
    ),
    ("[resolution.tier3]\nscip = []", "resolution.tier3.scip", 2, "is empty"),
    ("[resolution.tier3]\nscip = {}", "resolution.tier3.scip", 2, "is a text or a list of texts, not a table"),
    ("[enforcement]\ntype_hints = \n", "", 2, "is not TOML"),
    ('a = "', "", 1, "is not TOML"),
    ("[" * 5000, "", 1, "is not TOML"),
    ("schema_version = " + "1" * 9000, "", 1, "is not TOML"),
    (b"# caf\xe9", "", 1, "is not UTF-8"),
    (b"\n\nname = '\xff'", "", 3, "is not UTF-8"),
]


@pytest.mark.parametrize(("text", "key", "line", "problem"), WRONG)
def test_what_is_wrong_is_named_with_key_and_line(
    tmp_path: Path, text: str | bytes, key: str, line: int, problem: str
) -> None:
    folder = write(tmp_path, text)
    with pytest.raises(ConfigError) as caught:
        load(folder)
    error = caught.value
    assert error.path == str(tmp_path / ".keel" / "config.toml")
    assert (error.key, error.line) == (key, line)
    assert problem in error.problem
    assert f"config.toml:{line}: " in str(error)


def test_a_file_that_cannot_be_read_is_refused(tmp_path: Path) -> None:
    (tmp_path / ".keel" / "config.toml").mkdir(parents=True)
    with pytest.raises(ConfigError, match="cannot be read"):
        load(str(tmp_path))


def test_roots_that_are_one_folder_by_a_link_are_refused(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "link").symlink_to("real")
    with pytest.raises(ConfigError, match="same folder"):
        load(write(tmp_path, '[workspace.roots]\na = "real"\nb = "link"'))


@pytest.mark.parametrize(
    ("target", "path", "symbol"),
    [
        ("a.py:f", "a.py", "f"),
        ("odd:name.py:C.m", "odd:name.py", "C.m"),
        ("src/a.rs:Type::method", "src/a.rs", "Type::method"),
    ],
)
def test_a_suppression_is_cut_at_the_last_single_colon(tmp_path: Path, target: str, path: str, symbol: str) -> None:
    config = load(write(tmp_path, f'[suppress]\n"{target}" = {{ codes = ["E001"], reason = "r" }}'))
    assert (config.suppress[0].path, config.suppress[0].symbol) == (path, symbol)


def test_values_are_frozen_and_equal_by_content() -> None:
    strict = Daemon(enabled=False)
    with pytest.raises(AttributeError, match="frozen"):
        strict.enabled = True  # type: ignore[misc]  # it is frozen, which is the point
    with pytest.raises(TypeError, match="enable"):
        Daemon(enable=False)  # type: ignore[call-arg]  # a slip of the pen, which is the point
    assert strict.replace(idle_minutes=1) == Daemon(enabled=False, idle_minutes=1)
    assert strict != Daemon()
    assert hash(strict) == hash(Daemon(enabled=False))
    assert pickle.loads(pickle.dumps(strict)) == strict
    assert "enabled=False" in repr(strict)
