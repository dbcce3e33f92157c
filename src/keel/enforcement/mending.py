"""Mending: what can be done at a broken place with certainty, as edits of its file.

A mend is planned where there is one thing to do: an argument by its new name, one that is not taken any more left out,
the default that went passed, a name where it has moved to. Everything else is left to people, with the reason. Whether
a mend helps is seen by compiling again, which is left to `operations/fix.py`.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from typing import NamedTuple

from keel.enforcement.delta import FUNCTIONS, MODULE
from keel.enforcement.overriding import overriding
from keel.enforcement.sameness import Text, is_same_parameter, is_same_text
from keel.enforcement.trees import Trees
from keel.model.contracts import Alteration, Shift, Spot, Successor
from keel.model.edits import Edit
from keel.model.facts import STAR, Interface, Lines, Param
from keel.model.findings import Affected
from keel.model.kinds import EdgeKind, ParamKind, RefKind
from keel.ports.editing import Editing
from keel.ports.rule import Break, How, Site

BY_HAND = {
    How.NATURE: "the result is come by in another way, and what to do with it depends on the caller",
    How.TYPES: "whether the new type fits is for whoever knows the values to say",
    How.LOST: "what led to it is gone, and it may be meant to be reached by another way",
    How.NEW_CALL: "the call is new: what it is to pass, its writer knows",
}
"""Why nothing is done about some places."""


class Mend(NamedTuple):
    """What is to be done at one place: in words, and as edits of the file it stands in; none if others do it all."""

    words: str
    edits: tuple[Edit, ...]


class Left(NamedTuple):
    """Why nothing is done at a place."""

    why: str


class Mending:
    """Plans mends over two trees of one language."""

    def __init__(
        self,
        trees: Trees,
        editing: Editing,
        text: Callable[[int], bytes | None],
        former: Callable[[int], bytes | None],
    ) -> None:
        self._trees, self._editing, self._text, self._former = trees, editing, text, former

    def of(self, broken: Break, all_breaks: Collection[Break]) -> Mend | Left:
        """What can be done about a place, given all others that are broken."""
        if broken.how in BY_HAND:
            return Left(BY_HAND[broken.how])
        if broken.site is None or broken.cause is None:
            return Left("it is not clear what it is about")
        source = self._text(broken.site.file)
        if source is None:
            return Left("its file is not plain UTF-8, or cannot be read")
        if broken.how is How.GONE:
            return self._renamed(source, broken, broken.site, all_breaks)
        return self._passed(source, broken.site, broken.cause, broken.changes)

    def besides(self, broken: Break) -> Iterator[tuple[Affected, Mend | Left]]:
        """What is to be done elsewhere along with a new name: methods that override, and what a file exports."""
        became, cause = broken.became, broken.cause
        if broken.how is not How.GONE or became is None or cause is None or not self._trees.now.facts.has(cause.file):
            return
        owner, _, old = self._trees.base.facts.name(cause)[0].rpartition(".")
        new = became.qualified_name.rpartition(".")[2]
        if owner:
            yield from self._along(cause, old, new)
        else:
            yield from self._exported(cause, became, old)

    # calls

    def _passed(self, source: bytes, site: Site, cause: Spot, changes: Sequence[Alteration]) -> Mend | Left:
        """Arguments as the function takes them now."""
        words: list[str] = []
        edits: list[Edit] = []
        for change in changes:
            made = self._argument(source, site, cause, change)
            if isinstance(made, Left):
                return made
            words += [made.words] if made.edits else []
            edits += made.edits
        return Mend(", ".join(words), tuple(edits)) if edits else Left("no change of a parameter explains it")

    def _argument(self, source: bytes, site: Site, cause: Spot, change: Alteration) -> Mend | Left:
        at = self._place(site)
        editing, name = self._editing, change.name
        edits: list[Edit] | None
        match change.shift:
            case Shift.RENAMED:
                if not self._is_same_parameter(cause, name, change.after):
                    return Left(f"'{change.after}' stands where '{name}' stood, and may be something else")
                edits = editing.rename_argument(source, at, name, change.after)
                return _mend(f"pass '{name}' as '{change.after}'", edits, name)
            case Shift.REMOVED:
                place = self._reached(site).index(name) if name in self._reached(site) else -1
                edits = editing.drop_argument(source, at, name, place)
                return _mend(f"leave out the argument for '{name}', which is not taken any more", edits, name)
            case Shift.REQUIRED:
                if self._has_to_be_placed(cause, name) or not editing.given_around(source, at, name):
                    return Left(f"what to pass for '{name}' is for whoever wrote it to say")
                return _mend(f"hand on '{name}'", self._handed_on(source, at, cause, name), name)
            case Shift.DEFAULT_GONE:
                default = self._default_before(cause, name)
                is_same = editing.is_plain(default) or self._is_seen_alike(source, site, cause, default)
                if self._has_to_be_placed(cause, name) or not is_same:
                    return Left(f"'{name}' had no default that means the same at the call")
                edits = editing.add_argument(source, at, name, default, self._is_named_only(cause, name))
                return _mend(f"pass '{name}={default}', the default it had", edits, name)
            case _:
                return Left(f"what to do about it is not plain: {change.words}")

    def _place(self, site: Site) -> int:
        return self._trees.now.facts.interface(site.file).defs[site.reference.source].start + site.reference.at

    def _reached(self, site: Site) -> Sequence[str]:
        """The parameters that the arguments of a call without a name reached before the edit."""
        trees = self._trees
        for one in trees.same_in_base(site.file, site.reference):
            at = trees.base.facts.interface(site.file).defs[one.source].start + one.at
            for edge in trees.base.out_of_place(site.file, at):
                given = trees.contracts.fitted(site.file, one, edge.target).given
                if given:
                    return given
        return ()

    def _params(self, spot: Spot | None, is_now: bool) -> Mapping[str, Param]:
        facts = self._trees.now.facts if is_now else self._trees.base.facts
        interface = facts.interface(spot.file) if spot is not None else None
        signature = interface.defs[spot.ordinal].signature if interface and spot else None
        return {interface.text(each.name): each for each in signature.params} if interface and signature else {}

    def _has_to_be_placed(self, cause: Spot, name: str) -> bool:
        """Whether a parameter is not taken by name."""
        param = self._params(cause, is_now=True).get(name)
        return param is None or param.kind == ParamKind.POSITIONAL_ONLY

    def _is_named_only(self, cause: Spot, name: str) -> bool:
        """Whether a parameter is taken by name alone."""
        return self._params(cause, is_now=True)[name].kind == ParamKind.KEYWORD_ONLY

    def _handed_on(self, source: bytes, at: int, cause: Spot, name: str) -> list[Edit] | None:
        return self._editing.add_argument(source, at, name, name, self._is_named_only(cause, name))

    def _is_seen_alike(self, source: bytes, site: Site, cause: Spot, value: str) -> bool:
        """Whether a value is a name that its file binds once at its top, and that means the same at a call there."""
        if site.file != cause.file:
            return False
        interface = self._trees.now.facts.interface(cause.file)
        bound = [each for each in interface.bindings if interface.text(each.name) == value]
        scopes = {each.scope for each in bound}
        is_fixed = scopes <= {MODULE, *_not_around(interface, cause.ordinal)} and MODULE in scopes
        once = [each for each in bound if each.scope == MODULE and len(each.sites) == 1]
        return is_fixed and bool(once) and self._editing.is_of_module(source, self._place(site), value)

    def _default_before(self, cause: Spot, name: str) -> str:
        before = self._trees.base.counterpart(cause)
        param = self._params(before, is_now=False).get(name)
        return self._trees.base.facts.interface(before.file).text(param.default) if before and param else ""

    def _is_same_parameter(self, cause: Spot, old: str, new: str) -> bool:
        before = self._trees.base.counterpart(cause)
        was = self._written(before, is_now=False) if before else None
        now = self._written(cause, is_now=True)
        return was is not None and now is not None and is_same_parameter(was, now, old, new)

    def _written(self, spot: Spot, is_now: bool) -> Text | None:
        """The text of a definition; None where it cannot be read."""
        facts = self._trees.now.facts if is_now else self._trees.base.facts
        source = self._text(spot.file) if is_now else self._former(spot.file)
        if source is None:
            return None
        definition = facts.interface(spot.file).defs[spot.ordinal]
        body = definition.start + definition.body
        return Text(source[definition.start : body].decode(), source[body : definition.end].decode())

    # names

    def _renamed(self, source: bytes, broken: Break, site: Site, all_breaks: Collection[Break]) -> Mend | Left:
        """The name of what something has become, if that is beyond doubt."""
        became, cause = broken.became, broken.cause
        if became is None or cause is None:
            return Left("nothing else has its body")
        if became.likeness < 1:
            return Left(f"'{became.qualified_name}' in {became.path} is like it, and not the same")
        owner, _, old = self._trees.base.facts.name(cause)[0].rpartition(".")
        new_owner, _, new = became.qualified_name.rpartition(".")
        if not self._is_same(cause, old, became, new):
            return Left(f"'{became.qualified_name}' in {became.path} is like it, and not the same")
        if owner != new_owner:
            return Left(f"it is '{became.qualified_name}' in {became.path} now, which is reached in another way")
        if isinstance(along := overriding(self._trees, cause, old, new), str):
            return Left(along)
        if self._trees.base.facts.tree.files[cause.file].path == became.path:
            is_had = site.file == cause.file or self._imports(site.file, became)
            return self._under_new_name(source, site, old, new, is_home=is_had)
        if owner:
            return Left(f"its class is in {became.path} now")
        return self._from_new_home(source, site, broken, became, all_breaks)

    def _along(self, cause: Spot, old: str, new: str) -> Iterator[tuple[Affected, Mend | Left]]:
        """Methods that overrode one under its old name, and whoever uses these."""
        along = overriding(self._trees, cause, old, new)
        if isinstance(along, str):
            return
        for method in along.methods:
            at = self._trees.now.facts.interface(method.file).defs[method.ordinal].name_at
            edit = Edit(at, at + len(old.encode()), new.encode())
            yield self._affected(method, "overrides it"), Mend(f"call it '{new}', as what it overrides", (edit,))
        for site in along.uses:
            source = self._text(site.file)
            if source is not None:
                around = Spot(site.file, site.reference.source)
                mend = self._under_new_name(source, site, old, new, is_home=False)
                yield self._affected(around, "uses one that overrides it", self._place(site)), mend

    def _exported(self, cause: Spot, became: Successor, old: str) -> Iterator[tuple[Affected, Mend | Left]]:
        """What the file that has defined something lists as its exports: `import *` fails on what is not there."""
        source = self._text(cause.file)
        listed = self._editing.listed(source, old, became.qualified_name) if source is not None else []
        if source is None or not listed:
            return
        place = self._affected(Spot(cause.file, MODULE), "exports it", listed[0].start)
        rows, home = self._trees.now.facts.tree.files, self._file(became.path)
        if home == cause.file:
            yield place, Mend(f"export it as '{became.qualified_name}'", tuple(listed))
            yield from self._exported_further(cause.file, old, became.qualified_name)
        elif home is None or not rows[home].module or became.qualified_name != old:
            yield place, Left("it stands elsewhere now, and is exported from here")
        elif self._leads_back(home, cause.file):
            yield place, Left(f"{became.path} imports this file, so that this file cannot import it")
        else:
            added = self._editing.import_at_top(source, rows[home].module, old)
            yield place, Mend(f"import '{old}' from {rows[home].module}, since it is exported from here", (added,))

    def _exported_further(self, file: int, old: str, new: str) -> Iterator[tuple[Affected, Mend | Left]]:
        """The same in files that take all that a file exports, and export it further."""
        for other in self._trees.now.files_into(file):
            source = self._text(other) if self._takes_all(other, file) else None
            listed = self._editing.listed(source, old, new) if source is not None else []
            if listed:
                place = self._affected(Spot(other, MODULE), "exports it", listed[0].start)
                yield place, Mend(f"export it as '{new}'", tuple(listed))

    def _takes_all(self, file: int, other: int) -> bool:
        """Whether a file has an `import *` of another."""
        facts = self._trees.now.facts
        imports = facts.interface(file).imports
        return any(
            imports[one.value].flags & STAR
            for edge in self._trees.now.out_of(file)
            if edge.kind == EdgeKind.IMPORTS and edge.target.file == other
            for _, one in facts.references_at(file, edge.at)
            if one.kind == RefKind.IMPORT
        )

    def _affected(self, spot: Spot, why: str, at: int | None = None) -> Affected:
        """A place of now, in words; without one, the definition around it."""
        subject = self._trees.subject(spot)
        line = subject.line if at is None else Lines(self._trees.now.facts.interface(spot.file).lines).line(at)
        return Affected(
            hash=subject.hash, name=subject.qualified_name, file=subject.file, line=line, why=why, root=subject.root
        )

    def _is_same(self, cause: Spot, old: str, became: Successor, new: str) -> bool:
        """Whether what something has become says the same, its annotations aside: as many bytes alone prove nothing."""
        facts = self._trees.now.facts
        home = self._file(became.path)
        spot = facts.named(home, (became.qualified_name, 1)) if home is not None else None
        was, now = self._written(cause, is_now=False), self._written(spot, is_now=True) if spot else None
        if was is None or now is None or not is_same_text(was.body, now.body, old, new):
            return False
        taken, takes = self._taken(cause, is_now=False), self._taken(spot, is_now=True)
        return taken == takes and (bool(taken) or is_same_text(was.head, now.head, old, new))

    def _taken(self, spot: Spot | None, is_now: bool) -> list[tuple[str, ParamKind, str]]:
        """The parameters of a function: name, kind and default of each."""
        params = self._params(spot, is_now)
        if spot is None or not params:
            return []
        interface = (self._trees.now if is_now else self._trees.base).facts.interface(spot.file)
        return [(name, param.kind, interface.text(param.default)) for name, param in params.items()]

    def _file(self, path: str) -> int | None:
        """The number of a file by its path."""
        return next((number for number, row in self._trees.now.facts.tree.files.items() if row.path == path), None)

    def _under_new_name(self, source: bytes, site: Site, old: str, new: str, is_home: bool) -> Mend | Left:
        said = self._trees.now.facts.interface(site.file).text(site.reference.text).split(".")
        if old not in said:
            return Mend(f"it is called '{said[-1]}' here, which stays", ())
        between = _between(said, old)  # the place is that of the last name
        edits = self._editing.rename(source, self._place(site) - between, old, new, is_home)
        return Left(f"'{new}' means something else there") if edits is None else Mend(f"call it '{new}'", tuple(edits))

    def _imports(self, file: int, became: Successor) -> bool:
        """Whether a file has what something has become by its new name already."""
        facts, home = self._trees.now.facts, self._file(became.path)
        imports = facts.interface(file).imports
        return any(
            imports[one.value].alias < 0
            for edge in self._trees.now.out_of(file)
            if edge.kind == EdgeKind.IMPORTS and edge.target.file == home
            if facts.name(edge.target)[0] == became.qualified_name
            for _, one in facts.references_at(file, edge.at)
            if one.kind == RefKind.IMPORT
        )

    def _from_new_home(
        self, source: bytes, site: Site, broken: Break, became: Successor, all_breaks: Collection[Break]
    ) -> Mend | Left:
        rows = self._trees.now.facts.tree.files
        home = self._file(became.path)
        if home is None or not rows[home].module:
            return Left(f"{became.path} is no module that can be imported")
        module, name, at = rows[home].module, became.qualified_name, self._place(site)
        words = f"import '{name}' from {module}"
        if site.file == home:
            return Left("it stands in the same file now")
        if site.reference.kind == RefKind.IMPORT:
            edits = self._editing.import_from(
                source, at, module, name, _package(rows[site.file].path, rows[site.file].module)
            )
            return _mend(words, edits, name)
        said = self._trees.now.facts.interface(site.file).text(site.reference.text)
        if "." not in said and any(_is_import_of(each, broken, site.file) for each in all_breaks):
            return Mend("follows from the import", ())
        is_late = self._leads_back(home, site.file)
        edits = self._editing.import_also(source, at, module, name, is_late)
        if is_late and edits is None:
            return Left(f"{became.path} imports this file, so that this file cannot import it")
        return _mend(words, edits, name)

    def _leads_back(self, home: int, file: int) -> bool:
        """Whether importing a file imports another, by whatever way."""
        seen, waiting = {home}, [home]
        while waiting:
            for each in self._imported_by(waiting.pop()):
                if each == file:
                    return True
                if each not in seen:
                    seen.add(each)
                    waiting.append(each)
        return False

    def _imported_by(self, file: int) -> Iterator[int]:
        """The files that are imported when a file is: not for types only, nor when a function of it runs."""
        for row in self._trees.now.reader.edges_of(file):
            if row.kind == EdgeKind.IMPORTS and not row.type_only and not self._is_in_function(file, row.source):
                yield row.target_file

    def _is_in_function(self, file: int, ordinal: int) -> bool:
        defs = self._trees.now.facts.interface(file).defs
        while ordinal > MODULE and defs[ordinal].kind not in FUNCTIONS:
            ordinal = defs[ordinal].parent
        return ordinal > MODULE


def _not_around(interface: Interface, ordinal: int) -> Iterator[int]:
    """The definitions of a file that do not stand around one: what they bind means nothing there."""
    around = {ordinal}
    while ordinal > MODULE:
        ordinal = interface.defs[ordinal].parent
        around.add(ordinal)
    return (each for each in range(len(interface.defs)) if each not in around)


def _between(names: Sequence[str], name: str) -> int:
    """How many bytes stand from where a name of a chain begins to where its last one does."""
    first = len(names) - 1 - names[::-1].index(name)
    return sum(len(each.encode()) + 1 for each in names[first:-1])


def _mend(words: str, edits: Sequence[Edit] | None, name: str) -> Mend | Left:
    if edits is None:
        return Left(f"what is written there leaves no plain way to change '{name}'")
    return Mend(words, tuple(edits))


def _is_import_of(other: Break, broken: Break, file: int) -> bool:
    """Whether another broken place is the import, in a file, of what is gone."""
    is_here = other.site is not None and other.site.file == file
    return (
        is_here
        and other.cause == broken.cause
        and other.site is not None
        and other.site.reference.kind == RefKind.IMPORT
    )


def _package(path: str, module: str) -> str:
    """The package that relative imports of a file start from."""
    is_package = path.rpartition("/")[2].startswith("__init__.")
    return module if is_package else module.rpartition(".")[0]
