"""The configuration: `.keel/config.toml` as one frozen tree; errors name file, key and line.

A missing file means the defaults and costs next to nothing: the TOML parser is imported only when the file exists.
Finding the workspace folder is left to `indexing/workspace.py`, matching globs against paths to the callers.
"""

from __future__ import annotations

import os

from keel.errors import ConfigError
from keel.model.record import Field, Record, field, fields_of

# Every command reads the configuration, most find none: `typing` alone would double the start of Python.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping
    from typing import Any, NoReturn

    Reader = Callable[["_ConfigKey", object], Any]

FOLDER = ".keel"
FILE = "config.toml"
SCHEMA_VERSION = 1
OVERRIDES = "overrides"


ERROR, WARNING, OFF = "error", "warning", "off"
GRADED, ADVICE = (ERROR, WARNING, OFF), (WARNING, OFF)


class Workspace(Record):
    """What the graph is called, and which folders it is made of.

        [workspace]
        name = "shop"

        [workspace.roots]
        backend = "backend"
        library = "../library"

    Roots are relative to the workspace folder and may lie outside it; none lies inside another.
    """

    name: str = field("What the graph is called. Without it: the name of the workspace folder.", default="")
    roots: tuple[tuple[str, str], ...] = field(
        "The folders that are read: name = folder. Without it: the workspace folder, under its own name.", default=()
    )


class Override(Record):
    """What differs from `[enforcement]` where a glob matches."""

    pattern: str = field("The glob that paths are matched with; it is the key.")
    settings: tuple[tuple[str, str], ...] = field("Keys of `[enforcement]` with the values they have there.")


class Enforcement(Record):
    """How strict each check is.

        [enforcement]
        type_hints = "warning"
        docstring_format = "full"

        [enforcement.overrides]
        "tests/**" = { type_hints = "off", docstrings = "off" }

    Of the overrides that match a path, the last one that names a key wins. `*` matches a part of a name, `**` any
    number of folders; a glob without `/` matches file names in any folder. One that names `type_hints` or `docstrings`
    alone holds existing code to no more than that.

    The keys are declared by the rules, installed ones included.
    """

    settings: tuple[tuple[str, str], ...] = field("The keys of rules, with the values they have here.", default=())
    overrides: tuple[Override, ...] = field(
        "What differs where a glob matches: glob = table of these keys.", default=()
    )


class CircuitBreaker(Record):
    """After how many failed attempts at one finding it is downgraded, and whether it is at all.

        [circuit_breaker]
        max_retries = 5

    An attempt has failed when `keel compile` shows an error again, in the same session, with no fewer affected places.
    """

    max_retries: int = field("Failed attempts at one finding before it is downgraded.", default=3, least=1)
    auto_downgrade: bool = field("Whether a finding is downgraded at all.", default=True)


class Suppression(Record):
    """Codes that do not count for one symbol of a file, and why not.

        [suppress]
        "src/legacy/adapter.py:validate" = { codes = ["W001"], reason = "the shape is that of the old interface" }
        "src/generated.py:*" = { codes = ["E003"], reason = "generated" }

    The key is cut at its last single colon. The path is that of one file, relative to its root; a symbol is named as in
    findings, methods with their class (`Cart.total`). What is suppressed is shown as S001.
    """

    path: str = field("The file: the key, up to its last single colon.")
    symbol: str = field("The symbol: the rest of the key; `*` means any.")
    codes: tuple[str, ...] = field("The codes that do not count, at least one.")
    reason: str = field("Why they do not count.")


class Exclude(Record):
    """Globs that are exempt from a check; which files are read is decided by ignore files only.

    [exclude]
    placement = ["scripts/**"]
    """

    placement: tuple[str, ...] = field("Files whose functions are exempt from the placement check.", default=())


class Tier3(Record):
    """What confirms the answers of keel and ty: a language server, a SCIP index, or both.

        [resolution.tier3]
        server = "pyright"
        scip = "index.scip"

    `keel map` asks them after ty, the server first. What they agree with is `tier3_lsp` or `tier3_scip` at 0.97; where
    nothing was found, what they name becomes an edge; where they name something else, their answer wins, and the edge
    records the earlier one. A server answers slowly: it is asked only about references that are unresolved or below
    0.95. Files that were edited after an index was made are not looked up in it; run `keel map` after remaking it. A
    server or an index that is missing or broken costs its answers and a warning.

    A server is a program that keel runs: look at this section before mapping a repository that is not yours. For one
    run only, `keel map --no-tier3` or `KEEL_NO_TIER3` in the environment turns both off.
    """

    server: tuple[str, ...] = field(
        '`"pyright"`, which is looked for beside keel, in the active environment and on the search path, or the command'
        " of any server that talks over standard input and output: a text, or a list of words.",
        default=(),
    )
    languages: tuple[str, ...] = field(
        "The languages that the server is asked about. Without it: Python for `pyright`, all for any other.",
        default=(),
    )
    options: dict[str, object] = field("The `initializationOptions` that the server is started with.", default={})
    settings: dict[str, object] = field(
        "The settings that the server gets when it asks for them, by section.", default={}
    )
    scip: tuple[str, ...] = field(
        "Indexes in the SCIP format, from the workspace folder: a path, or a list.", default=()
    )


class Resolution(Record):
    """The helpers that resolve names, beside keel's own analysis.

        [resolution]
        ty = false

    For one run only, `keel map --no-ty` or `KEEL_NO_TY` in the environment turns ty off.
    """

    ty: bool = field("Whether the type checker ty is asked about Python.", default=True)
    tier3: Tier3 = field("The server and indexes that confirm answers.", default=Tier3())


class Daemon(Record):
    """The daemon: a background process that keeps a workspace open between commands.

        [daemon]
        idle_minutes = 60

    It is started by `keel compile` and by hooks. `KEEL_NO_DAEMON` in the environment turns it off for one run; where
    `CI` is set, it is neither started nor used.
    """

    enabled: bool = field("Whether the daemon is started.", default=True)
    idle_minutes: int = field("Minutes without a request after which it ends.", default=15, least=1)


class Config(Record):
    """Everything `.keel/config.toml` can say."""

    schema_version: int = field("The version of the file's format.", default=SCHEMA_VERSION, least=1)
    workspace: Workspace = field("The name of the graph and its roots.", default=Workspace())
    enforcement: Enforcement = field("How strict each check is.", default=Enforcement())
    circuit_breaker: CircuitBreaker = field("When a finding is downgraded.", default=CircuitBreaker())
    suppress: tuple[Suppression, ...] = field(
        'Findings that do not count: "path:symbol" = { codes, reason }.', default=()
    )
    exclude: Exclude = field("What is exempt from a check.", default=Exclude())
    resolution: Resolution = field("The helpers that resolve names.", default=Resolution())
    daemon: Daemon = field("The daemon, which keeps a workspace open between commands.", default=Daemon())


def load(folder: str) -> Config:
    """The configuration of a workspace folder; the defaults when it has no file."""
    path = os.path.join(folder, FOLDER, FILE)
    text = _text(path)
    return defaults() if text is None else read(path, text)


def read(path: str, text: str) -> Config:
    """The configuration in a text; `path` is for error messages."""
    return _config(_ConfigKey(path, text), _table(path, text))


def line_of(folder: str, *keys: str) -> int:
    """The line of a key in the file of a workspace folder; 1 when it is not found."""
    text = _text(os.path.join(folder, FOLDER, FILE))
    return _line(text, keys) or 1 if text is not None else 1


def check_enforcement(folder: str, said: Enforcement, keys: Mapping[str, Field]) -> Enforcement:
    """The section `[enforcement]` of a workspace folder, its keys and values checked against what the rules declare."""
    place = _ConfigKey(os.path.join(folder, FOLDER, FILE), None, ("enforcement",))
    readers: dict[str, Reader] = {name: _as_said(key) for name, key in keys.items()}
    _fields(place, dict(said.settings), {**readers, OVERRIDES: _words})
    for each in said.overrides:
        _fields(place.at(OVERRIDES).at(each.pattern), dict(each.settings), readers)
    return said


def refuse(folder: str, keys: tuple[str, ...], problem: str) -> NoReturn:
    """Raises a ConfigError for a value that only its user can check."""
    _ConfigKey(os.path.join(folder, FOLDER, FILE), None, keys).refuse(problem)


def defaults() -> Config:
    """The defaults of `[enforcement]`."""
    return Config()


def _text(path: str) -> str | None:
    try:
        with open(path, "rb") as file:
            data = file.read()
        return data.decode("utf-8-sig")
    except (FileNotFoundError, NotADirectoryError):
        return None
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise ConfigError(path, "", "is not UTF-8", line) from None
    except OSError as error:
        raise ConfigError(path, "", f"cannot be read: {error.strerror}") from None


def _table(path: str, text: str) -> dict[str, object]:
    import tomllib

    try:
        return tomllib.loads(text)
    except (ValueError, RecursionError) as error:
        # Syntax errors are ValueErrors, and so are numbers without end. The place is a part of the message.
        problem, _, place = str(error).rpartition(" (at ")
        words = place.replace(",", " ").split()
        line = int(words[1]) if words[:1] == ["line"] else text.count("\n") + 1
        raise ConfigError(path, "", f"is not TOML: {problem or error}", line) from None


class _ConfigKey:
    """The key of a value in the file, for errors that name key and line."""

    def __init__(self, path: str, text: str | None, keys: tuple[str, ...] = ()) -> None:
        self.path, self.text, self.keys = path, text, keys
        """Without the text, the file is read again when there is an error to report."""

    def at(self, key: str) -> _ConfigKey:
        return _ConfigKey(self.path, self.text, (*self.keys, key))

    def refuse(self, problem: str) -> NoReturn:
        shown = ".".join(key if key.isidentifier() else f'"{key}"' for key in self.keys)
        text = self.text if self.text is not None else _text(self.path) or ""
        raise ConfigError(self.path, shown, problem, _line(text, self.keys))


def _config(place: _ConfigKey, table: dict[str, object]) -> Config:
    # The version comes first: what a newer file means by its other keys is not ours to judge.
    _schema_version(place.at("schema_version"), table.get("schema_version", SCHEMA_VERSION))
    sections: dict[str, Reader] = {
        "schema_version": _schema_version,
        "workspace": _table_of(Workspace, roots=_roots),
        "enforcement": _enforcement,
        "circuit_breaker": _table_of(CircuitBreaker),
        "suppress": _suppress,
        "exclude": _table_of(Exclude),
        "resolution": _table_of(Resolution, tier3=_tier3),
        "daemon": _table_of(Daemon),
    }
    return Config(**_fields(place, table, sections))


def _table_of(kind: type[Record], **special: Reader) -> Reader:
    """Reads a table as a record: each key by a reader of its own, or as its field says."""
    readers = {name: special.get(name) or _as_said(said) for name, said in fields_of(kind).items()}
    return lambda place, value: kind(**_fields(place, value, readers))


def _as_said(said: Field) -> Reader:
    """The reader that a field's choices, bound or type ask for."""
    if said.choices:
        return _one_of(*said.choices)
    if said.least is not None:
        return _at_least(int(said.least))
    return {"str": _words, "bool": _boolean, "tuple[str, ...]": _texts}[said.type]


def _schema_version(place: _ConfigKey, value: object) -> int:
    version: int = _as_said(fields_of(Config)["schema_version"])(place, value)
    if version != SCHEMA_VERSION:
        place.refuse(f"is {version}, this keel knows {SCHEMA_VERSION}; upgrade keel")
    return version


def _roots(place: _ConfigKey, value: object) -> tuple[tuple[str, str], ...]:
    folder = os.path.dirname(os.path.dirname(place.path))
    roots: list[tuple[str, str]] = []
    taken: list[tuple[str, str]] = []
    for name, written in _items(place, value):
        here = place.at(name)
        if not name or not name.isprintable() or ":" in name or "/" in name:
            here.refuse("a root's name is printable and not empty, without ':' and '/'")
        path = _words(here, written)
        real = os.path.realpath(os.path.join(folder, path))
        for other, theirs in taken:
            if real == theirs:
                here.refuse(f"is the same folder as root '{other}'")
            if _is_inside(real, theirs):
                here.refuse(f"lies inside root '{other}'")
            if _is_inside(theirs, real):
                here.refuse(f"holds root '{other}'")
        roots.append((name, path))
        taken.append((name, real))
    return tuple(roots)


def _is_inside(path: str, folder: str) -> bool:
    return path.startswith(folder.rstrip(os.sep) + os.sep)


def _enforcement(place: _ConfigKey, value: object) -> Enforcement:
    """The section as it is written; `check_enforcement` checks it against the rules."""
    settings: dict[str, Any] = dict(_items(place, value))
    overrides = []
    for pattern, table in _items(place.at(OVERRIDES), settings.pop(OVERRIDES, {})):
        here = place.at(OVERRIDES).at(pattern)
        if not pattern:
            here.refuse("a glob is not empty")
        inside: dict[str, Any] = dict(_items(here, table))
        overrides.append(Override(pattern=pattern, settings=tuple(inside.items())))
    return Enforcement(settings=tuple(settings.items()), overrides=tuple(overrides))


def _suppress(place: _ConfigKey, value: object) -> tuple[Suppression, ...]:
    readers: dict[str, Reader] = {"codes": _codes, "reason": _words}
    entries = []
    for target, table in _items(place, value):
        here = place.at(target)
        path, symbol = _target(here, target)
        fields = _fields(here, table, readers)
        for key in sorted(readers.keys() - fields.keys()):
            here.refuse(f'has no {key}; write {{ codes = [...], reason = "..." }}')
        entries.append(Suppression(path=path, symbol=symbol, **fields))
    return tuple(entries)


def _target(place: _ConfigKey, target: str) -> tuple[str, str]:
    # Cut at the last single colon: paths may hold colons, and Rust's names hold `::`.
    cut = len(target.replace("::", "\0\0").rpartition(":")[0])
    path, symbol = target[:cut], target[cut + 1 :]
    if not path or not symbol:
        place.refuse('is not "path:symbol" or "path:*"')
    return path, symbol


def _codes(place: _ConfigKey, value: object) -> tuple[str, ...]:
    codes = _texts(place, value)
    if not codes:
        place.refuse("names no code")
    for code in codes:
        if not (code[:-3].isalpha() and code.isascii() and code.isupper() and code[-3:].isdecimal()):
            place.refuse(f"'{code}' is not a code such as E001 or W001")
    return codes


def _tier3(place: _ConfigKey, value: object) -> Tier3:
    special = {"server": _command, "options": _plain_table, "settings": _plain_table, "scip": _one_or_more}
    said: Tier3 = _table_of(Tier3, **special)(place, value)
    for key in ("languages", "options", "settings"):
        if not said.server and isinstance(value, dict) and key in value:
            place.at(key).refuse("needs `server`, which is not set")
    return said


def _command(place: _ConfigKey, value: object) -> tuple[str, ...]:
    """The words of a command; a text is split as a shell would split it, without expansions."""
    if not isinstance(value, str):
        words = _one_or_more(place, value)
    else:
        import shlex

        try:
            words = tuple(shlex.split(_words(place, value)))
        except ValueError:
            place.refuse("has a quotation mark that is not closed")
    # A program inside the repository would run as soon as the repository is mapped.
    if not words or not words[0].strip() or not (os.path.isabs(words[0]) or os.path.basename(words[0]) == words[0]):
        place.refuse("begins with the name of a program on the search path, or with an absolute path")
    return words


def _plain_table(place: _ConfigKey, value: object) -> dict[str, object]:
    """A table that JSON can represent."""
    return {key: _tellable(place.at(key), item) for key, item in _items(place, value)}


def _tellable(place: _ConfigKey, value: object) -> object:
    if isinstance(value, dict):
        return _plain_table(place, value)
    if isinstance(value, list):
        return [_tellable(place, item) for item in value]
    if not isinstance(value, str | int | float) or value != value or value in (float("inf"), float("-inf")):
        place.refuse("cannot be sent to a server: JSON cannot represent it")
    return value


def _one_or_more(place: _ConfigKey, value: object) -> tuple[str, ...]:
    """A text, or a list of at least one."""
    if isinstance(value, str):
        return (_words(place, value),)
    if not isinstance(value, list):
        place.refuse(f"is a text or a list of texts, not {_kind(value)}")
    if not value:
        place.refuse("is empty")
    return _texts(place, value)


def _fields(place: _ConfigKey, value: object, readers: Mapping[str, Reader]) -> dict[str, Any]:
    """The keys that a table has, each read by its reader; an unknown key is an error."""
    fields = {}
    for key, item in _items(place, value):
        reader = readers.get(key)
        if reader is None:
            place.at(key).refuse(f"is not a key keel knows{_nearest(key, readers)}")
        fields[key] = reader(place.at(key), item)
    return fields


def _nearest(word: str, words: Mapping[str, object]) -> str:
    import difflib

    near = difflib.get_close_matches(word, words, n=1)
    return f"; did you mean '{near[0]}'?" if near else f" (known: {', '.join(words)})"


def _items(place: _ConfigKey, value: object) -> Iterable[tuple[str, object]]:
    if not isinstance(value, dict):
        place.refuse(f"is a table, not {_kind(value)}")
    return value.items()


def _one_of(*allowed: str) -> Reader:
    def read(place: _ConfigKey, value: object) -> str:
        if not isinstance(value, str) or value not in allowed:
            said = f"'{value}'" if isinstance(value, str) else _kind(value)
            place.refuse(f"is one of {', '.join(allowed)}, not {said}")
        return value

    return read


def _words(place: _ConfigKey, value: object) -> str:
    if not isinstance(value, str):
        place.refuse(f"is a text, not {_kind(value)}")
    if not value.strip():
        place.refuse("is empty")
    return value


def _texts(place: _ConfigKey, value: object) -> tuple[str, ...]:
    if not isinstance(value, list):
        place.refuse(f"is a list of texts, not {_kind(value)}")
    return tuple(_words(place, item) for item in value)


def _at_least(least: int) -> Reader:
    def read(place: _ConfigKey, value: object) -> int:
        if not isinstance(value, int) or isinstance(value, bool):
            place.refuse(f"is a whole number, not {_kind(value)}")
        if value < least:
            place.refuse(f"is at least {least}, not {value}")
        return value

    return read


def _boolean(place: _ConfigKey, value: object) -> bool:
    if not isinstance(value, bool):
        place.refuse(f"is true or false, not {_kind(value)}")
    return value


def _kind(value: object) -> str:
    kinds = {"str": "a text", "bool": "true or false", "int": "a whole number", "float": "a number"}
    kinds |= {"list": "a list", "dict": "a table"}
    return kinds.get(type(value).__name__, "a date or time")


def _line(text: str, keys: tuple[str, ...]) -> int | None:
    """The line of a key, or else of the nearest table around it; a search, not a parser."""
    best, found = 0, None
    table: tuple[str, ...] = ()
    for number, line in enumerate(text.split("\n"), 1):
        words = line.strip()
        if words.startswith("["):
            here = table = _keys(words) or table
        else:
            here = table + _keys_before_equals(words)
        if len(here) > best and keys[: len(here)] == here:
            best, found = len(here), number
    return found


def _keys_before_equals(line: str) -> tuple[str, ...]:
    ends = (at for at, letter in enumerate(line) if letter == "=")
    return next((keys for end in ends if (keys := _keys(line[:end] + "= 0"))), ())


def _keys(statement: str) -> tuple[str, ...]:
    """The dotted key of one statement, read by the TOML parser itself so that quoting is right."""
    import tomllib

    try:
        value: object = tomllib.loads(statement)
    except tomllib.TOMLDecodeError:
        return ()
    keys = []
    while isinstance(value, dict) and value:
        key, value = next(iter(value.items()))
        keys.append(key)
    return tuple(keys)
