"""Fix what an edit broke: a plan for each open finding, applied where only one change makes sense.

Takes the findings of `keel compile`, and says for every affected place what would fix it, or why that is left to you.
With `--apply`, the certain fixes are written: an argument is passed by its new name, or left out where the parameter
was removed; the old default is passed where a parameter has lost it; a value is passed on to a new parameter of the
same name; a moved name is imported from its new module; a renamed one is called by its new name, with overriding
methods and lists of exports. Only the bytes that must differ are changed.

    keel fix
    keel fix --diff
    keel fix src/auth/login.py --apply

Every change is verified by compiling again, and what shows only then is fixed too; a change that does not help, or
breaks something else, is undone. What only the author can know (a value for a new parameter, a type, whether to await)
is never guessed.

Exit code: 0 when nothing is left to do, 1 when findings remain, 2 when it could not be done; of a plan, 1 when there
are findings at all.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from difflib import unified_diff
from typing import TYPE_CHECKING, NamedTuple

from keel.checking.fix_plans import ENTANGLED, Planned, path_of, planned
from keel.checking.rewriting import Rewriting, ending_raises, read
from keel.enforcement.session.session import CI
from keel.model.edits import Edit, edited
from keel.model.findings import Finding
from keel.model.record import Record, field
from keel.model.refs import FileKey
from keel.model.text.wording import counted
from keel.operations import compile as compiling
from keel.ports.rule import codes_that

if TYPE_CHECKING:
    from typing import ClassVar

    from keel.ports.workspace import Workspace

GROUP = "check"
CLEAN, PLANNED, FIXED, PARTLY, NOTHING = "clean", "planned", "fixed", "partly", "nothing"
MAX_ROUNDS = 10
"""How often the remaining findings are planned again."""


class Params(Record):
    """Parameters of `fix`."""

    files: tuple[str, ...] = field(
        "Only findings whose cause or affected place is in one of these files.", default=(), positional=True
    )
    since: str | None = field("Compare with the commit where this branch left this one.", default=None)
    apply: bool = field("Write what is safe, compile again, and undo what does not help.", default=False)
    diff: bool = field("Show what would be, or was, written as a diff.", default=False)


class Step(Record):
    """The fix at one place, or why there is none."""

    file: str = field("The file, relative to its root.")
    line: int = field("The line before the change.")
    symbol: str = field("The definition around the place.")
    what: str = field("What is done; or, for a place that is left to you, why.")


class Plan(Record):
    """The plan for one finding."""

    code: str = field("Which rule found it.")
    file: str = field("The file of the definition it is about.")
    line: int = field("The line of that definition.")
    symbol: str = field("The qualified name of that definition.")
    message: str = field("The message of the finding.")
    steps: tuple[Step, ...] = field("What is done, place by place.")
    left: tuple[Step, ...] = field("Places that are left to you.")
    hint: str = field("What to do about those.")
    outcome: str = field("What came of it.", choices=("planned", "written", "undone", "left"))


class Result(Record):
    """The plans, and their outcome."""

    LAYOUT: ClassVar = ("{report}",)

    outcome: str = field("What it came to.", choices=(CLEAN, PLANNED, FIXED, PARTLY, NOTHING))
    plans: tuple[Plan, ...] = field("A plan for each finding.")
    written: tuple[str, ...] = field("The files that were changed.")
    remaining: int = field("Findings that remain; of a plan, those it leaves to you.")
    diff: str = field("What would be, or was, written; empty unless it was asked for.")

    @property
    def exit_code(self) -> int:
        """1 while something is left to do."""
        return int(self.outcome not in (CLEAN, FIXED))

    @property
    def report(self) -> str:
        """The plans in lines, then their outcome."""
        return "\n".join(_lines(self))


def run(workspace: Workspace, params: Params) -> Result:
    """Plans, and with `--apply` writes, compiles again, and undoes what did not help."""
    before = _found(workspace, params)
    plans = planned(workspace, before, params.since) if before else []
    if not plans:
        return Result(outcome=CLEAN, plans=(), written=(), remaining=0, diff="")
    if not params.apply:
        shown = tuple(_format_plan(each, "planned" if each.edits else "left") for each in plans)
        diff = _diff(workspace, _joined(workspace, plans)) if params.diff else ""
        left = sum(bool(each.left) for each in plans)
        return Result(outcome=PLANNED, plans=shown, written=(), remaining=left, diff=diff)
    return _applied(workspace, params, before, plans)


def _found(workspace: Workspace, params: Params) -> list[Finding]:
    """The open findings; in a session that counts nothing, since fixing is not a failed attempt."""
    asked = compiling.Params(files=params.files, since=params.since, session=CI)
    told = compiling.run(workspace, asked)
    return [each for each in (*told.errors, *told.warnings) if not each.unchanged]


def _applied(workspace: Workspace, params: Params, before: Sequence[Finding], plans: Sequence[Planned]) -> Result:
    """Applies plans in rounds, as long as one helps: a fixed place may reveal the next one."""
    former: dict[FileKey, bytes] = {}
    written: list[Plan] = []
    after = before
    for _ in range(MAX_ROUNDS):
        done = _round(workspace, params, after, plans)
        rest = [_format_plan(each, "undone" if each.edits else "left") for each in plans if each not in done.plans]
        if not done.plans:
            break
        written += [_format_plan(each, "written") for each in done.plans]
        after, former = done.after, {**done.texts, **former}
        plans = planned(workspace, after, params.since) if after else []
    written = [_without_told(each, rest) for each in written] if after else [_without_done(each) for each in written]
    left = len(after) or sum(bool(each.left) for each in written)
    return Result(
        outcome=FIXED if not left else PARTLY if written else NOTHING,
        plans=(*written, *rest) if after else tuple(written),
        written=tuple(sorted(path for _, path in former)),
        remaining=left,
        diff=_diff(workspace, former, is_done=True) if params.diff else "",
    )


def _without_told(plan: Plan, others: Sequence[Plan]) -> Plan:
    """A plan without the places that other plans leave to people as well."""
    told = {(step.file, step.symbol, step.what) for each in others for step in each.left}
    left = tuple(step for step in plan.left if (step.file, step.symbol, step.what) not in told)
    return plan.replace(left=left, hint=plan.hint if left else "")


def _without_done(plan: Plan) -> Plan:
    """A plan without the places that only had to wait for another plan, when all plans were applied."""
    left = tuple(step for step in plan.left if step.what != ENTANGLED)
    return plan.replace(left=left, hint=plan.hint if left else "")


class _Done(NamedTuple):
    """The outcome of a round."""

    plans: list[Planned]
    after: Sequence[Finding]
    """The findings after it."""
    texts: dict[FileKey, bytes]
    """The files as they were before it."""


def _round(workspace: Workspace, params: Params, before: Sequence[Finding], plans: Sequence[Planned]) -> _Done:
    """Applies all plans at once if that helps; otherwise one after the other, keeping those that do."""
    texts = {place: read(path_of(workspace, place)) for each in plans for place in each.edits}
    done = _Done([], before, {})
    useful = [each for each in plans if each.edits]
    for group in [useful] if len(useful) == 1 else [useful, *([each] for each in useful)]:
        wanted = [*done.plans, *group]
        tried = _tried(workspace, params, done.after, wanted, texts) if group else None
        done = tried or done
        if len(done.plans) >= len(useful) or (tried and len(tried.plans) > len(wanted)):
            break  # nothing is left to try, or following fixes were applied too
    return done


def _tried(
    workspace: Workspace,
    params: Params,
    before: Sequence[Finding],
    plans: Sequence[Planned],
    texts: Mapping[FileKey, bytes],
) -> _Done | None:
    """The outcome of some plans, and of the fixes that follow from them; None, and nothing written, when it did not
    help.
    """
    rewriting = Rewriting()
    breaking = codes_that(workspace.rules, "IS_BREAKING")
    done = _Done([], before, {})
    with ending_raises():
        try:
            for _ in range(MAX_ROUNDS):
                made = _edited(plans, texts)
                if not made:
                    break
                rewriting.write({path_of(workspace, place): made.get(place, texts[place]) for place in texts})
                done = _Done([*done.plans, *plans], _found(workspace, params), {**texts, **done.texts})
                if _is_better(before, done.after, breaking):
                    written = {place for each in done.plans for place in each.edits}
                    return done._replace(texts={place: done.texts[place] for place in written})
                if not _leads_on(before, done.after, breaking):
                    break
                plans = [each for each in planned(workspace, done.after, params.since) if each.edits]
                texts = {place: read(path_of(workspace, place)) for each in plans for place in each.edits}
        except BaseException:
            rewriting.undo()
            raise
        rewriting.undo()
    return None


def _leads_on(before: Sequence[Finding], after: Sequence[Finding], breaking: Collection[str]) -> bool:
    """Whether no new definition is reported: a fixed place may reveal the next one that it had hidden."""
    was, now = _places(before, breaking), _places(after, breaking)
    return {(code, about) for code, about, _ in now} <= {(code, about) for code, about, _ in was}


def _is_better(before: Sequence[Finding], after: Sequence[Finding], breaking: Collection[str]) -> bool:
    """Whether fewer places are broken, and no new ones; missing hints of an edited caller do not matter."""
    was, now = _places(before, breaking), _places(after, breaking)
    return now.total() < was.total() and now <= was


def _places(findings: Sequence[Finding], breaking: Collection[str]) -> Counter[tuple[str, str, str]]:
    """How many places each finding with a breaking code has, by file, since lines move; without any, its own file."""
    found = [each for each in findings if each.code in breaking]
    return Counter((each.code, each.id, one.file) for each in found for one in (each.affected or (each,)))


def _edited(plans: Sequence[Planned], texts: Mapping[FileKey, bytes]) -> dict[FileKey, bytes] | None:
    """The texts of all files after all plans; None when plans change the same bytes."""
    edits: dict[FileKey, list[Edit]] = {}
    for plan in plans:
        for place, wanted in plan.edits.items():
            edits.setdefault(place, []).extend(wanted)
    made = {place: edited(texts[place], wanted) for place, wanted in edits.items()}
    whole = {place: text for place, text in made.items() if text is not None}
    return whole if len(whole) == len(made) else None


def _joined(workspace: Workspace, plans: Sequence[Planned]) -> dict[FileKey, bytes]:
    """The texts that the plans would give."""
    texts = {place: read(path_of(workspace, place)) for each in plans for place in each.edits}
    return _edited(plans, texts) or {}


def _diff(workspace: Workspace, texts: Mapping[FileKey, bytes], is_done: bool = False) -> str:
    """A diff of files: against the planned texts, or, when it is done, against those before."""
    parts: list[str] = []
    for place in sorted(texts):
        here, other = _lines_of(read(path_of(workspace, place))), _lines_of(texts[place])
        old, new = (other, here) if is_done else (here, other)
        parts += unified_diff(old, new, f"a/{place[1]}", f"b/{place[1]}", lineterm="")
    return "\n".join(parts)


def _lines_of(text: bytes) -> list[str]:
    return text.decode("utf-8", "replace").split("\n")


def _format_plan(plan: Planned, outcome: str) -> Plan:
    finding = plan.finding
    return Plan(
        code=finding.code,
        file=finding.file,
        line=finding.line,
        symbol=finding.symbol,
        message=finding.message,
        steps=tuple(
            dict.fromkeys(
                Step(file=place.file, line=place.line, symbol=place.name, what=fix.words)
                for place, fix in plan.steps
                if fix.edits
            )
        ),
        left=tuple(
            Step(
                file=place.file if place else finding.file,
                line=place.line if place else finding.line,
                symbol=place.name if place else finding.symbol,
                what=why,
            )
            for place, why in plan.left
        ),
        hint=finding.fix_hint if plan.left else "",
        outcome=outcome,
    )


def _lines(result: Result) -> Iterator[str]:
    for plan in result.plans:
        yield f"{plan.file}:{plan.line}  {plan.code}  {plan.symbol}: {plan.outcome}"
        for step in plan.steps:
            yield f"    {step.file}:{step.line}  {step.symbol}: {step.what}"
        for step in plan.left:
            yield f"    {step.file}:{step.line}  {step.symbol}: left to you: {step.what}"
    if result.diff:
        yield result.diff
    if result.plans:
        yield _summary(result)


def _summary(result: Result) -> str:
    if result.outcome == PLANNED:
        can = sum(bool(plan.steps) for plan in result.plans)
        if not can:
            return f"{counted(len(result.plans), 'finding')}; none can be fixed automatically"
        return f"{counted(can, 'finding')} of {len(result.plans)} can be fixed; run `keel fix --apply`"
    files = counted(len(result.written), "file")
    left = f"{counted(result.remaining, 'finding')} left" if result.remaining else "nothing is left"
    return f"{files} changed; {left}" if result.written else f"nothing was changed; {left}"
