"""Set keel up: look at the code, build the graph, and write a configuration that fits it.

Shows the languages, projects and source roots that it finds, how much of the code has type hints and docstrings
already, and every file that it would write. On a terminal it asks before it writes; elsewhere it writes only with
`--yes`. The checks of a new configuration are as strict as the code is: an old code base with few type hints gets
warnings, not a flood of errors (`--strict`: errors all the same). An existing configuration is never changed; what
would differ is shown. `keel compile` checks edits by these settings.

For the coding agents that are used here, it adds a hook that runs `keel hook` after each edit, and keel's MCP server,
to the files of the project in which each keeps such things. What else is in those files stays as it is; a file that
cannot be read is left alone, and named. `--agents` says for which agents instead; `git` (a pre-commit hook) and
`github-actions` (a workflow) are set up only when they are named so. `--no-hooks` leaves all of them alone.

    keel init
    keel init --yes
    keel init --yes --strict
    keel init --agents claude-code,cursor
    keel init --agents git --yes
    keel init --no-hooks

The graph is built before the configuration is written, so that a workspace is set up whole or not at all; when
something fails, everything that was made for it is removed again. `keel deinit` removes everything that was written.

Questions alone need no setup: `keel map` is enough for them, and then the defaults hold. Source roots are wrong where a
build computes them; declare them in the manifest, and they are followed.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, NamedTuple

from keel import config
from keel.errors import UsageError, WorkspaceError
from keel.model.record import Record, field
from keel.ports.rule import keys_of
from keel.setup.agent_files import Plan, carry_out, chosen, difference, place_of, planned, shown
from keel.setup.footprint import taken_back_on_failure, text_of
from keel.setup.proposal import Measured, differences, measured, proposed, reasons, written
from keel.setup.survey import Survey, survey

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from typing import ClassVar

    from keel.ports.agent import Agent, AgentFolders
    from keel.ports.workspace import Workspace

GROUP = "set up"

PLANNED, WRITTEN, UNCHANGED = "planned", "written", "unchanged"
GIT = "git"
NEW, CHANGED, KEPT = "new", "gets keel's part", "stays as it is"


class Params(Record):
    """Parameters of `init`."""

    yes: bool = field("Do it without asking.", default=False)
    strict: bool = field("Hold new code to type hints and docstrings, whatever the code has now.", default=False)
    agents: tuple[str, ...] = field(
        "The agents to set up, instead of those that are used here; with commas between, or repeated.", default=()
    )
    hooks: bool = field("Set up agents at all (`--no-hooks`: not).", default=True)


class FileChange(Record):
    """A file of the setup."""

    LAYOUT: ClassVar = ("{path}  {what}",)

    path: str = field("Where it is, relative to the workspace.")
    what: str = field("What becomes of it.", choices=(NEW, CHANGED, KEPT))
    content: str = field(
        "What it will hold, or the lines that change in it; empty for the graph, and for what stays as it is."
    )


class Result(Record):
    """What `init` found, and what it wrote or would write."""

    LAYOUT: ClassVar = (
        "{headline}",
        "{note}",
        "languages",
        "projects",
        "source_roots",
        "checks",
        "{effect}",
        "agents",
        "{others}",
        "files",
        "{contents}",
        "differs",
        "warnings",
        "{advice}",
    )

    outcome: str = field("What it came to.", choices=(PLANNED, WRITTEN, UNCHANGED))
    applied: bool = field("Whether everything is in place.")
    folder: str = field("The workspace folder.")
    note: str = field("What is special about the folder; usually nothing.")
    languages: dict[str, int] = field("Files by language.")
    projects: tuple[str, ...] = field("Manifests, each with its project and the packages that it names.")
    source_roots: tuple[str, ...] = field("The folders that imports start from.")
    compliance: dict[str, Measured] = field("How much of the code has what a check asks for, and what follows.")
    checks: tuple[str, ...] = field("The same in words.")
    agents: tuple[str, ...] = field("The agents that are set up, each with what shows that it is used.")
    others: str = field("Which agents are not set up, and how they would be.")
    files: tuple[FileChange, ...] = field("Every file of the setup.")
    differs: tuple[str, ...] = field("Where your configuration is not what would be written.")
    warnings: tuple[str, ...] = field("What else was noticed.")

    @property
    def headline(self) -> str:
        """The outcome in one line."""
        said = {PLANNED: "not set up yet", WRITTEN: "set up", UNCHANGED: "set up already; nothing is written"}
        return f"{self.folder}  {said[self.outcome]}"

    @property
    def contents(self) -> str:
        """The content of new files, while they are only planned."""
        planned = [each for each in self.files if each.content and self.outcome == PLANNED]
        return "\n\n".join(f"--- {each.path}\n{each.content.rstrip()}" for each in planned)

    @property
    def effect(self) -> str:
        """What the checks do."""
        return "  (`keel compile` checks edits by these settings)" if self.checks else ""

    @property
    def since_plan(self) -> Result:
        """What is new to a reader of the plan."""
        return self.replace(languages={}, projects=(), source_roots=(), checks=(), agents=(), others="")

    @property
    def advice(self) -> str:
        """What to do next."""
        if self.outcome == PLANNED:
            return "nothing was written; run `keel init --yes` to write it"
        return "" if self.outcome == UNCHANGED else "next: `keel map --depth 1`, `keel stats`, `keel discover NAME`"

    @property
    def question(self) -> str:
        """The question that is asked before it is done."""
        return "" if self.applied else "Write this?"


def run(workspace: Workspace, params: Params) -> Result:
    """Plans the setup in a store outside of the workspace, or applies it in the workspace's own."""
    _check(workspace)
    missing, setup = _missing(workspace), _setup(workspace, params)
    if params.yes and (missing or setup.plan.changes):
        return _set_up(workspace, params, missing, setup)
    with workspace.scratch() as store:
        found = survey(workspace, store, _roots(workspace))
    outcome = PLANNED if missing or setup.plan.changes else UNCHANGED
    return _result(workspace, params, found, missing, setup, outcome)


def _set_up(workspace: Workspace, params: Params, missing: set[str], setup: _Setup) -> Result:
    """Writes the configuration last but for the agents: then everything that they use exists."""
    with taken_back_on_failure(workspace.footprint):
        workspace.prepare()
        found = survey(workspace, workspace.store, _roots(workspace))
        result = _result(workspace, params, found, missing, setup, WRITTEN)
        _write_config(workspace, result)
        carry_out(workspace, setup.plan.changes)
    return result


class _Setup(NamedTuple):
    """The agents that are set up, and the changes to their files."""

    agents: Sequence[Agent]
    place: AgentFolders
    plan: Plan


def _setup(workspace: Workspace, params: Params) -> _Setup:
    if params.agents and not params.hooks:
        raise UsageError("--agents and --no-hooks cannot be used together")
    place = place_of(workspace)
    agents = chosen(workspace, params.agents, place) if params.hooks else []
    return _Setup(agents, place, planned(workspace, agents, place))


def _check(workspace: Workspace) -> None:
    """Checks before anything is written: a folder that cannot be a workspace, a configuration or graph that cannot be
    read.
    """
    folder = workspace.footprint.folder
    if os.path.lexists(folder) and not os.path.isdir(folder):
        raise WorkspaceError(f"{folder} is in the way: keel needs a folder of that name; move it and run this again")
    workspace.config  # noqa: B018  # reading it is the check
    workspace.store.exists()


def _missing(workspace: Workspace) -> set[str]:
    """The files of a setup that do not exist yet."""
    place = workspace.footprint
    paths = {path for path in (place.ignore, place.config) if not os.path.lexists(path)}
    return paths if workspace.store.exists() else paths | {place.graph[0]}


def _name(workspace: Workspace) -> str:
    from keel.indexing.workspace import shared_name

    return shared_name(workspace.folder)


def _roots(workspace: Workspace) -> Mapping[str, str]:
    """The roots that the workspace will have."""
    is_new = not os.path.lexists(workspace.footprint.config)
    return {_name(workspace): workspace.folder} if is_new else workspace.roots


def _result(
    workspace: Workspace, params: Params, found: Survey, missing: set[str], setup: _Setup, outcome: str
) -> Result:
    checks = measured(found.compliance, params.strict)
    keys = keys_of(workspace.rules)
    proposal = proposed(_name(workspace), checks, found.paths)
    text = written(proposal, checks, params.strict, keys)
    config.read(workspace.footprint.config, text)  # checks that what is written can be read
    has_config = workspace.footprint.config not in missing
    return Result(
        outcome=outcome,
        applied=outcome != PLANNED,
        folder=workspace.folder,
        note=_note(workspace, found),
        languages=found.languages,
        projects=found.projects,
        source_roots=found.source_roots,
        compliance=checks,
        checks=tuple(reasons(checks, params.strict)),
        agents=tuple(_format_agents(setup, outcome)),
        others="" if params.agents or not params.hooks else _others(workspace, setup),
        files=(*_files(workspace, missing, text), *_agent_files(workspace, setup.plan)),
        differs=tuple(differences(workspace.enforcement, proposal.enforcement, keys)) if has_config else (),
        warnings=(*found.warnings, *_unfit(setup)),
    )


def _files(workspace: Workspace, missing: set[str], text: str) -> tuple[FileChange, ...]:
    place = workspace.footprint
    contents = {place.ignore: place.ignore_text, place.graph[0]: "", place.config: text}
    return tuple(
        FileChange(
            path=os.path.relpath(path, workspace.folder),
            what=NEW if path in missing else KEPT,
            content=content if path in missing else "",
        )
        for path, content in contents.items()
    )


def _format_agents(setup: _Setup, outcome: str) -> Iterator[str]:
    """Each agent that is set up, why, and, once that is done, what is left to people."""
    for agent in setup.agents:
        signs = ", ".join(agent.signs(setup.place))
        advice = f"; {agent.advice}" if agent.advice and outcome == WRITTEN else ""
        yield f"{agent.title}  {f'found by {signs}' if signs else 'asked for'}{advice}"


def _others(workspace: Workspace, setup: _Setup) -> str:
    names = [agent.name for agent in workspace.agents if agent not in setup.agents]
    return f"not set up: {', '.join(names)}; `keel init --agents NAME` adds one" if names else ""


def _agent_files(workspace: Workspace, plan: Plan) -> Iterator[FileChange]:
    for change in plan.changes:
        is_new = change.before is None
        content = change.after if is_new else "\n".join(difference(change))
        path = shown(change.path, workspace.folder)
        yield FileChange(path=path, what=NEW if is_new else CHANGED, content=content or "")
    for path in plan.as_wanted:
        yield FileChange(path=shown(path, workspace.folder), what=KEPT, content="")


def _unfit(setup: _Setup) -> Iterator[str]:
    """What cannot be set up, and what would keep agents from finding keel."""
    from shutil import which

    for path, problem in setup.plan.refused:
        yield f"{path}: keel's part was not added: {problem}"
    if any(agent.name == GIT for agent in setup.agents) and not setup.place.hooks:
        yield "git: there is no folder for hooks that belongs to this repository (`git rev-parse --git-path hooks`)"
    if setup.agents and which("keel") is None:
        yield "`keel` is not on the PATH, where agents look for it; install it so that it is, as `pipx install` does"


def _note(workspace: Workspace, found: Survey) -> str:
    from keel.indexing.workspace import workspace_around

    around = workspace_around(workspace.folder)
    notes = [f"it is inside the workspace {around}, which has a graph of its own"] if around else []
    if not found.languages:
        suffixes = " ".join(suffix for language in workspace.languages for suffix in language.suffixes)
        notes.append(f"no file here is in a language that keel reads ({suffixes})")
    place = workspace.footprint
    if os.path.lexists(place.ignore) and text_of(place.ignore) != place.ignore_text:
        notes.append(f"{place.ignore} is not as keel writes it, and is left as it is")
    return "\n".join(notes)


def _write_config(workspace: Workspace, result: Result) -> None:
    """Writes the configuration unless there is one; never replaces one that was written meanwhile."""
    content = next(each.content for each in result.files if each.path.endswith(config.FILE))
    if not content:
        return
    path = workspace.footprint.config
    try:
        with open(path, "x", encoding="utf-8", newline="\n") as file:
            file.write(content)
    except OSError as error:
        raise WorkspaceError(f"cannot write {path}: {error.strerror}") from error
