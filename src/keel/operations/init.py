"""Set keel up: look at the code, build the graph, and write a configuration that fits it.

Shows the languages, projects and source roots that it finds, how much of the code has type hints and docstrings
already, and every file that it would write. On a terminal it asks before it writes; elsewhere it writes only with
`--yes`. The checks of a new configuration are as strict as the code is: an old code base with few type hints gets
warnings, not a flood of errors (`--strict`: errors all the same). A configuration that is there is never changed; what
would differ is said. `keel compile` checks edits by these settings.

    keel init
    keel init --yes
    keel init --yes --strict

The graph is built before the configuration is written, so that a workspace is set up whole or not at all; when
something fails, everything that was made for it is taken back. Afterwards all questions can be asked. `keel deinit`
takes everything away again.

Questions alone need no setup: `keel map` is enough for them, and then the defaults hold. Source roots are wrong where a
build computes them; declare them in the manifest, and they are followed.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from keel import config
from keel.errors import WorkspaceError
from keel.model.record import Record, field
from keel.operations._footprint import taken_back_on_failure, text_of
from keel.operations._proposal import Measured, differences, measured, proposed, reasons, written
from keel.operations._survey import Survey, survey

if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import ClassVar

    from keel.ports.workspace import Workspace

GROUP = "set up"

PLANNED, WRITTEN, UNCHANGED = "planned", "written", "unchanged"
NEW, KEPT = "new", "stays as it is"


class Params(Record):
    """What `init` can be told."""

    yes: bool = field("Do it without asking.", default=False)
    strict: bool = field("Hold new code to type hints and docstrings, whatever the code has now.", default=False)


class FileChange(Record):
    """A file of the setup."""

    LAYOUT: ClassVar = ("{path}  {what}",)

    path: str = field("Where it is, relative to the workspace.")
    what: str = field("What becomes of it.", choices=(NEW, KEPT))
    content: str = field("What it will hold; empty for the graph, and for what stays as it is.")


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
    files: tuple[FileChange, ...] = field("Every file of the setup.")
    differs: tuple[str, ...] = field("Where your configuration is not what would be written.")
    warnings: tuple[str, ...] = field("What else was noticed.")

    @property
    def headline(self) -> str:
        """What it came to, in a line."""
        said = {PLANNED: "not set up yet", WRITTEN: "set up", UNCHANGED: "set up already; nothing is written"}
        return f"{self.folder}  {said[self.outcome]}"

    @property
    def contents(self) -> str:
        """The new files with what they will hold, while they are only planned."""
        planned = [each for each in self.files if each.content and self.outcome == PLANNED]
        return "\n\n".join(f"--- {each.path}\n{each.content.rstrip()}" for each in planned)

    @property
    def effect(self) -> str:
        """What the checks do."""
        return "  (`keel compile` checks edits by these settings)" if self.checks else ""

    @property
    def since_plan(self) -> Result:
        """What is new to those who have seen the plan."""
        return self.replace(languages={}, projects=(), source_roots=(), checks=())

    @property
    def advice(self) -> str:
        """What to do next."""
        if self.outcome == PLANNED:
            return "nothing is written yet; `keel init --yes` writes it"
        return "" if self.outcome == UNCHANGED else "ask away: `keel map --depth 1`, `keel stats`, `keel discover NAME`"

    @property
    def question(self) -> str:
        """What is to be agreed to."""
        return "" if self.applied else "Write this?"


def run(workspace: Workspace, params: Params) -> Result:
    """Plans the setup in a store outside of the workspace, or carries it out in the workspace's own."""
    _check(workspace)
    missing = _missing(workspace)
    if params.yes and missing:
        return _set_up(workspace, params, missing)
    with workspace.scratch() as store:
        found = survey(workspace, store, _roots(workspace))
    return _result(workspace, params, found, missing, PLANNED if missing else UNCHANGED)


def _set_up(workspace: Workspace, params: Params, missing: set[str]) -> Result:
    """The configuration comes last: with it, everything is there."""
    with taken_back_on_failure(workspace.footprint):
        workspace.prepare()
        found = survey(workspace, workspace.store, _roots(workspace))
        result = _result(workspace, params, found, missing, WRITTEN)
        _write_config(workspace, result)
    return result


def _check(workspace: Workspace) -> None:
    """Refuses before anything is made: a folder that cannot be one, a configuration or graph that cannot be read."""
    folder = workspace.footprint.folder
    if os.path.lexists(folder) and not os.path.isdir(folder):
        raise WorkspaceError(f"{folder} is in the way: keel needs a folder of that name; move it and run this again")
    workspace.config  # noqa: B018  # reading it is the check
    workspace.store.exists()


def _missing(workspace: Workspace) -> set[str]:
    """The files of a setup that are not there yet."""
    place = workspace.footprint
    paths = {path for path in (place.ignore, place.config) if not os.path.lexists(path)}
    return paths if workspace.store.exists() else paths | {place.graph[0]}


def _name(workspace: Workspace) -> str:
    from keel.indexing.workspace import shared_name

    return shared_name(workspace.folder)


def _roots(workspace: Workspace) -> Mapping[str, str]:
    """The roots as they will be."""
    is_new = not os.path.lexists(workspace.footprint.config)
    return {_name(workspace): workspace.folder} if is_new else workspace.roots


def _result(workspace: Workspace, params: Params, found: Survey, missing: set[str], outcome: str) -> Result:
    checks = measured(found.found, params.strict)
    proposal = proposed(_name(workspace), checks, found.paths)
    text = written(proposal, checks, params.strict)
    config.read(workspace.footprint.config, text)  # what is written can be read
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
        files=_files(workspace, missing, text),
        differs=tuple(differences(workspace.config.enforcement, proposal.enforcement)) if has_config else (),
        warnings=found.warnings,
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


def _note(workspace: Workspace, found: Survey) -> str:
    from keel.indexing.workspace import workspace_around

    around = workspace_around(workspace.folder)
    notes = [f"it lies inside the workspace {around}, which keeps a graph of its own"] if around else []
    if not found.languages:
        suffixes = " ".join(suffix for language in workspace.languages for suffix in language.suffixes)
        notes.append(f"no file here is in a language that keel reads ({suffixes})")
    place = workspace.footprint
    if os.path.lexists(place.ignore) and text_of(place.ignore) != place.ignore_text:
        notes.append(f"{place.ignore} is not as keel writes it, and stays so")
    return "\n".join(notes)


def _write_config(workspace: Workspace, result: Result) -> None:
    """Writes the configuration unless there is one; never over one that came in between."""
    content = next(each.content for each in result.files if each.path.endswith(config.FILE))
    if not content:
        return
    path = workspace.footprint.config
    try:
        with open(path, "x", encoding="utf-8", newline="\n") as file:
            file.write(content)
    except OSError as error:
        raise WorkspaceError(f"cannot write {path}: {error.strerror}") from error
