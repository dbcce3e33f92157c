"""The error tree: every way in which keel can fail to answer, and the exit code of each.

A finding about code is not an error; how errors are shown, beyond their one-line message, is left to the surfaces.

    KeelError                      2   keel could not do what was asked
    ├── UsageError                 2   the arguments of the command are wrong
    ├── OutputError                2   the answer could not be written
    ├── ConfigError                2   .keel/config.toml, with file, key and line
    ├── WorkspaceError             2   no workspace, a root that does not exist
    │   └── RootMissing            2
    ├── ScanError                  2   the files could not be listed (nothing is deleted for it)
    ├── BaseError                  2   what an edit is compared with is not available
    ├── HookError                  1   an agent's hook could not check an edit, which passes
    ├── StoreError                 2
    │   ├── GraphMissing           2   there is no graph yet: run `keel map`
    │   │   └── GraphUnfinished    2   it is being built for the first time, in the background
    │   ├── StoreDamaged           2
    │   ├── StoreNewer             2   written by a newer keel
    │   ├── SearchMissing          2   it was made by an SQLite without full-text search
    │   ├── StoreBusy              2   another writer did not finish in time
    │   └── StoreFull              2   the disk is full or read-only; the old graph is kept
    ├── HelperError                2   a helper outside of keel, such as ty, failed
    │   ├── HelperMissing          2   it is not installed
    │   ├── HelperUnfit            2   too old, too new, or without what is needed
    │   ├── HelperEnded            2   it crashed or exited
    │   ├── HelperGarbled          2   what it sends does not follow its protocol
    │   ├── HelperSilent           2   it did not answer in time
    │   └── HelperRefused          2   it answered with an error
    ├── AnswerUnfinished           2   it takes longer than clients wait, and goes on in the background
    ├── CodeUnknown                2   no rule has that code
    ├── FindingMissing             1   nothing of that code is found about a definition
    ├── ToolError                  2   a tool of the tool spaces is not run
    │   ├── ToolIdError            2   what was asked for is no id of a tool
    │   ├── ToolNotFoundError      1   no space has it; with the paths that were searched and the nearest names
    │   ├── ToolTwice              2   one space has it twice, as .py and as .yaml
    │   ├── ToolOutside            2   its real path lies outside of its space
    │   ├── ToolUnreadable         2   its file cannot be read
    │   ├── ManifestError          2   its file does not say what it must, as literals
    │   ├── ChainValidationError   1   it must not be run by what it names; with every issue
    │   ├── LockError              1   it is not what was locked, or not locked; with what differs
    │   ├── ParameterError         2   its parameters do not fit what it takes
    │   ├── RunError               2   it could not be started
    │   └── ToolNotWritten         2   a tool or lock could not be written
    ├── ImportUnresolved           1   an import names no file of the project
    └── SymbolError                1
        ├── SymbolNotFound         1   with the nearest names
        └── SymbolAmbiguous        1   with all that match
"""

from __future__ import annotations


class KeelError(Exception):
    """Anything keel refuses to do: a one-line message, with details in fields."""

    exit_code = 2
    hint: str = ""
    """What to do about it, where keel knows."""

    def __init__(self, **fields: object) -> None:
        super().__init__(fields)
        self.fields = fields
        self.__dict__.update(fields)

    def __reduce__(self) -> tuple[object, ...]:
        return (_revive, (type(self), self.fields))

    def __str__(self) -> str:
        return f"{self.message()}; {self.hint}" if self.hint else self.message()

    def message(self) -> str:
        """The message, without the hint."""
        return str(self.fields.get("problem", type(self).__name__))


def brief(text: str, most: int = 200) -> str:
    """A text that was typed, short enough for a message."""
    return text if len(text) <= most else f"{text[: most - 1]}…"


def _revive(kind: type[KeelError], fields: dict[str, object]) -> KeelError:
    return kind(**fields)


class _InWords:
    """What errors that are one sentence have in common."""

    problem: str

    def __init__(self, problem: str, hint: str = "") -> None:
        super().__init__(problem=problem, hint=hint)  # type: ignore[call-arg]  # that of KeelError


class UsageError(_InWords, KeelError):
    """The arguments do not fit the command."""


class OutputError(KeelError):
    """The answer cannot be written to its target."""

    target: str
    problem: str

    def __init__(self, target: str, problem: str) -> None:
        super().__init__(target=target, problem=problem)

    def message(self) -> str:
        return f"cannot write {self.target}: {self.problem}"


class ConfigError(KeelError):
    """The configuration file cannot be used: which file, which key, which line, and why."""

    path: str
    key: str
    line: int | None
    problem: str

    def __init__(self, path: str, key: str, problem: str, line: int | None = None) -> None:
        super().__init__(path=path, key=key, problem=problem, line=line)

    def message(self) -> str:
        place = f"{self.path}:{self.line}" if self.line else self.path
        return f"{place}: {self.key}: {self.problem}" if self.key else f"{place}: {self.problem}"


class WorkspaceError(_InWords, KeelError):
    """The workspace cannot be found or used."""


class RootMissing(WorkspaceError):
    """A root named in the configuration does not exist; its stored graph is never deleted for that."""

    root: str
    path: str

    def __init__(self, root: str, path: str) -> None:
        KeelError.__init__(self, root=root, path=path)

    def message(self) -> str:
        return (
            f"root '{self.root}' is missing: there is no folder {self.path} (its stored graph is kept; "
            f"restore the folder, or remove the root from .keel/config.toml)"
        )


class _AtPath:
    """What errors about a path have in common."""

    path: str
    problem: str

    def __init__(self, path: str, problem: str = "", **fields: object) -> None:
        super().__init__(path=path, problem=problem, **fields)  # type: ignore[call-arg]  # that of KeelError

    def message(self) -> str:
        return f"{self.path}: {self.problem}"


class ScanError(_AtPath, KeelError):
    """The files of a root could not be listed, so nothing is known about what was deleted."""

    def message(self) -> str:
        return f"cannot list {self.path}: {self.problem}"


class BaseError(_AtPath, KeelError):
    """The accepted tree, which an edit is compared with, is not available."""

    def __init__(self, path: str, problem: str, hint: str = "") -> None:
        super().__init__(path, problem, hint=hint)


class HookError(_InWords, KeelError):
    """A hook could not check an edit: its input is invalid, or it took too long. The edit passes."""

    exit_code = 1


class StoreError(_AtPath, KeelError):
    """The graph database cannot be used."""


class GraphMissing(StoreError):
    """There is no graph yet."""

    hint = "run `keel map` first"

    def message(self) -> str:
        return f"no graph at {self.path}"


class GraphUnfinished(GraphMissing):
    """The graph is being built for the first time, in the background; with its progress."""

    hint = "ask again in a few seconds"
    stage: str
    done: int
    total: int

    def __init__(self, path: str, stage: str = "", done: int = 0, total: int = 0) -> None:
        KeelError.__init__(self, path=path, stage=stage, done=done, total=total)

    def message(self) -> str:
        far = f": {self.stage} {self.done:,} of {self.total:,}" if self.stage else ""
        return f"this workspace is being mapped for the first time{far}"


class StoreDamaged(StoreError):
    """The database file is damaged; the graph can be rebuilt from source."""

    hint = "run `keel map --fresh` to rebuild it from source"

    def message(self) -> str:
        return f"{self.path} is damaged ({self.problem})"


class StoreNewer(StoreError):
    """The database was written by a newer keel."""

    hint = "upgrade keel, or rebuild with `keel map --fresh`"
    found: int
    known: int

    def __init__(self, path: str, found: int, known: int) -> None:
        KeelError.__init__(self, path=path, found=found, known=known)

    def message(self) -> str:
        return f"{self.path} has schema {self.found}, this keel knows up to {self.known}"


class SearchMissing(StoreError):
    """The graph has no words to search by, or this Python's SQLite cannot read them: it was built without FTS5."""

    hint = "use a Python whose SQLite has FTS5, and run `keel map --fresh`; every other question works"

    def message(self) -> str:
        return f"{self.path} cannot be searched by words: SQLite was built without FTS5"


class StoreBusy(StoreError):
    """Another process is writing and did not finish within the wait."""

    hint = "try again"

    def message(self) -> str:
        return f"{self.path} is being written by another keel ({self.problem})"


class StoreFull(StoreError):
    """The database could not be written; the graph before it is kept."""

    def message(self) -> str:
        return f"cannot write {self.path}: {self.problem}; the graph is as it was before"


class HelperError(KeelError):
    """A helper, which is a program outside of keel, failed: its answers are missing, and the run goes on."""

    helper: str


class HelperMissing(HelperError):
    """The helper is not installed, or cannot be run."""

    problem: str

    def __init__(self, helper: str, problem: str = "", hint: str = "") -> None:
        super().__init__(helper=helper, problem=problem, hint=hint)

    def message(self) -> str:
        return f"{self.helper} cannot be run: {self.problem}" if self.problem else f"{self.helper} was not found"


class HelperUnfit(HelperError):
    """The helper is installed, but keel does not support its version or capabilities."""

    problem: str

    def __init__(self, helper: str, problem: str, hint: str = "") -> None:
        super().__init__(helper=helper, problem=problem, hint=hint)

    def message(self) -> str:
        return f"{self.helper} {self.problem}"


class HelperEnded(HelperError):
    """The helper crashed, or exited while it was needed."""

    how: str
    last_words: str

    def __init__(self, helper: str, how: str, last_words: str = "") -> None:
        super().__init__(helper=helper, how=how, last_words=last_words)

    def message(self) -> str:
        said = f"; its last output: {brief(self.last_words)}" if self.last_words else ""
        return f"{self.helper} ended ({self.how}){said}"


class HelperGarbled(HelperError):
    """What the helper sends does not follow its protocol."""

    problem: str

    def __init__(self, helper: str, problem: str) -> None:
        super().__init__(helper=helper, problem=problem)

    def message(self) -> str:
        return f"{self.helper} does not follow its protocol: {brief(self.problem)}"


class HelperSilent(HelperError):
    """The helper did not answer in time."""

    what: str
    seconds: float

    def __init__(self, helper: str, what: str, seconds: float) -> None:
        super().__init__(helper=helper, what=what, seconds=seconds)

    def message(self) -> str:
        return f"{self.helper} did not answer within {self.seconds:g} s ({self.what})"


class HelperRefused(HelperError):
    """The helper answered with an error."""

    what: str
    code: int
    problem: str

    def __init__(self, helper: str, what: str, code: int, problem: str) -> None:
        super().__init__(helper=helper, what=what, code=code, problem=problem)

    def message(self) -> str:
        return f"{self.helper} refused {self.what}: {brief(self.problem)} ({self.code})"


class AnswerUnfinished(KeelError):
    """The work behind an answer takes longer than a client waits; it goes on in the background."""

    hint = "it goes on in the background; ask again in a moment"
    seconds: float
    stage: str
    done: int
    total: int

    def __init__(self, seconds: float, stage: str = "", done: int = 0, total: int = 0) -> None:
        super().__init__(seconds=seconds, stage=stage, done=done, total=total)

    def message(self) -> str:
        far = f": {self.stage} {self.done:,} of {self.total:,}" if self.stage else ""
        return f"the graph is being brought up to date, which has taken more than {self.seconds:g} s{far}"


class CodeUnknown(KeelError):
    """No rule has the code; the known ones are listed."""

    code: str
    known: list[str]

    def __init__(self, code: str, known: list[str]) -> None:
        super().__init__(code=code, known=known)
        self.hint = f"known codes: {', '.join(known)}"

    def message(self) -> str:
        return f"no rule has the code {brief(self.code)}"


class FindingMissing(KeelError):
    """No finding with that code exists for a definition; the codes it does have are listed."""

    exit_code = 1
    code: str
    handle: str
    base: str
    others: list[str]

    def __init__(self, code: str, handle: str, base: str, others: list[str]) -> None:
        super().__init__(code=code, handle=handle, base=base, others=others)
        self.hint = (
            f"found instead: {', '.join(others)}" if others else "it may have been fixed, reverted or accepted since"
        )

    def message(self) -> str:
        return f"compared with {self.base}, there is no {self.code} for '{brief(self.handle)}'"


class ToolError(KeelError):
    """A tool of the tool spaces is not run, and why."""

    item_id: str


class ToolIdError(ToolError):
    """What was asked for is no id of a tool."""

    hint = "an id is made of letters, digits, `.`, `_` and `-`, with `/` between folders"
    problem: str

    def __init__(self, item_id: str, problem: str) -> None:
        super().__init__(item_id=item_id, problem=problem)

    def message(self) -> str:
        return f"{brief(repr(self.item_id))} is not a valid tool id: {self.problem}"


class ToolNotFoundError(ToolError):
    """No space has the tool; with the paths that were searched and the nearest names."""

    exit_code = 1
    searched: list[str]
    nearest: list[str]
    wanted_by: str

    def __init__(
        self, item_id: str, searched: list[str] | None = None, nearest: list[str] | None = None, wanted_by: str = ""
    ) -> None:
        super().__init__(item_id=item_id, searched=searched or [], nearest=nearest or [], wanted_by=wanted_by)
        self.hint = f"did you mean {', '.join(self.nearest)}?" if self.nearest else ""

    def message(self) -> str:
        wanted = f", which '{self.wanted_by}' names as its executor" if self.wanted_by else ""
        searched = f" (searched {', '.join(self.searched)})" if self.searched else ""
        return f"there is no tool '{brief(self.item_id)}'{wanted}{searched}"


class ToolTwice(ToolError):
    """One space has the tool twice, as code and as configuration."""

    hint = "remove one of them"
    paths: list[str]

    def __init__(self, item_id: str, paths: list[str]) -> None:
        super().__init__(item_id=item_id, paths=paths)

    def message(self) -> str:
        return f"'{self.item_id}' exists twice: {' and '.join(self.paths)}"


class ToolOutside(ToolError):
    """The real path of a tool lies outside of its space, as by a link."""

    path: str
    root: str

    def __init__(self, item_id: str, path: str, root: str) -> None:
        super().__init__(item_id=item_id, path=path, root=root)

    def message(self) -> str:
        return f"{self.path} is not used: its real path is outside {self.root}"


class ToolUnreadable(ToolError):
    """The file of a tool cannot be read."""

    path: str
    problem: str

    def __init__(self, item_id: str, path: str, problem: str) -> None:
        super().__init__(item_id=item_id, path=path, problem=problem)

    def message(self) -> str:
        return f"{self.path} cannot be read: {self.problem}"


class ManifestError(ToolError):
    """The file of a tool does not say what it must, or not as literals."""

    path: str
    problem: str
    line: int | None

    def __init__(self, item_id: str, path: str, problem: str, line: int | None = None) -> None:
        super().__init__(item_id=item_id, path=path, problem=problem, line=line)

    def message(self) -> str:
        return f"{self.path}:{self.line}: {self.problem}" if self.line else f"{self.path}: {self.problem}"


class ChainValidationError(ToolError):
    """The tool must not be run by what it names as its executor; every issue is listed."""

    exit_code = 1
    issues: list[str]

    def __init__(self, issues: list[str]) -> None:
        super().__init__(issues=issues)

    def message(self) -> str:
        return " ".join(" ".join(issue.split()) for issue in self.issues) or "the chain is not valid"


class LockError(ToolError):
    """The tool is not what was locked, or not locked where it must be; what differs is listed."""

    exit_code = 1
    differences: list[str]

    def __init__(self, item_id: str, differences: list[str], hint: str = "") -> None:
        super().__init__(item_id=item_id, differences=differences, hint=hint)

    def message(self) -> str:
        return f"'{self.item_id}' is not run: {'; '.join(self.differences)}"


class ParameterError(ToolError):
    """The parameters of a run do not fit what the tool takes."""

    problems: list[str]

    def __init__(self, item_id: str, problems: list[str], hint: str = "") -> None:
        super().__init__(item_id=item_id, problems=problems, hint=hint)

    def message(self) -> str:
        return f"the parameters do not fit '{self.item_id}': {'; '.join(map(brief, self.problems))}"


class RunError(ToolError):
    """The tool could not be started: its configuration, or something it needs, is wrong."""

    problem: str

    def __init__(self, item_id: str, problem: str, hint: str = "") -> None:
        super().__init__(item_id=item_id, problem=problem, hint=hint)

    def message(self) -> str:
        return f"'{self.item_id}' cannot be run: {self.problem}"


class ToolNotWritten(ToolError):
    """A tool or a lock could not be written; what was there before is kept."""

    path: str
    problem: str

    def __init__(self, item_id: str, path: str, problem: str, hint: str = "") -> None:
        super().__init__(item_id=item_id, path=path, problem=problem, hint=hint)

    def message(self) -> str:
        return f"{self.path} was not written: {self.problem}"


class ImportUnresolved(KeelError):
    """An import that names no file of the project, and why."""

    exit_code = 1
    import_path: str
    source: str
    reason: str

    def __init__(self, import_path: str, source: str, reason: str) -> None:
        super().__init__(import_path=import_path, source=source, reason=reason)

    def message(self) -> str:
        return f"'{self.import_path}' in {self.source} names no file of the project: {self.reason}"


class SymbolError(KeelError):
    """A handle does not name exactly one symbol."""

    exit_code = 1
    handle: str


class SymbolNotFound(SymbolError):
    """No symbol has that name; with the nearest names."""

    nearest: list[str]

    def __init__(self, handle: str, nearest: list[str]) -> None:
        super().__init__(handle=handle, nearest=nearest)
        self.hint = f"did you mean {', '.join(nearest)}?" if nearest else ""

    def message(self) -> str:
        return f"no symbol is called '{brief(self.handle)}'"


class SymbolAmbiguous(SymbolError):
    """Several symbols match; all are listed, none is chosen."""

    hint = "pick one by id, hash or path:line; `keel resolve` ranks them"
    candidates: list[str]
    total: int

    def __init__(self, handle: str, candidates: list[str], total: int) -> None:
        super().__init__(handle=handle, candidates=candidates, total=total)

    def __str__(self) -> str:
        shown = "\n".join(f"  {line}" for line in self.candidates)
        more = self.total - len(self.candidates)
        tail = f"\n  … and {more} more" if more else ""
        return f"{super().__str__()}\n{shown}{tail}"

    def message(self) -> str:
        return f"'{brief(self.handle)}' names {self.total} symbols"
