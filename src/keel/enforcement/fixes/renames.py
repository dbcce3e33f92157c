"""Fixes of removed names: uses get the name, or the module, of the successor, if that is beyond doubt.

Overriding methods are renamed with a method, and lists of exports with a name.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

from keel.enforcement.breaks.overrides import Along, overriding
from keel.enforcement.delta import FUNCTIONS
from keel.enforcement.fixes.same_text import is_same_text
from keel.enforcement.fixes.source_text import SourceTexts
from keel.enforcement.fixes.steps import Fix, Left, fix_of
from keel.model.contracts import Successor
from keel.model.edits import Edit
from keel.model.facts import MODULE_DEF, STAR, Lines
from keel.model.findings import Affected
from keel.model.kinds import EdgeKind, ParamKind, RefKind
from keel.model.refs import DefRef
from keel.model.syntax import Syntax
from keel.ports.editing import Editing
from keel.ports.rule import Break, Site


class RenameFixer:
    """Fixes of uses of removed definitions."""

    def __init__(self, written: SourceTexts, editing: Editing) -> None:
        self._written, self._comparison, self._editing = written, written.comparison, editing
        self._overriding: dict[DefRef, Along | str] = {}

    def besides(self, broken: Break) -> Iterator[tuple[Affected, Fix | Left]]:
        """The fixes at other places that a new name needs: overriding methods, and lists of exports."""
        became, cause = broken.became, broken.cause
        if became is None or cause is None or not self._comparison.now.facts.has(cause.file):
            return
        owner, _, old = self._comparison.base.facts.name(cause)[0].rpartition(".")
        new = became.qualified_name.rpartition(".")[2]
        if owner:
            yield from self._along(cause, old, new)
        else:
            yield from self._exported(cause, became, old)

    def fix(self, source: bytes, broken: Break, site: Site, all_breaks: Collection[Break]) -> Fix | Left:
        """Renames a use to the successor, if that is beyond doubt."""
        became, cause = broken.became, broken.cause
        if became is None or cause is None:
            return Left("no other definition has its body")
        if became.likeness < 1:
            return Left(f"'{became.qualified_name}' in {became.path} is similar to it, and not the same")
        owner, _, old = self._comparison.base.facts.name(cause)[0].rpartition(".")
        new_owner, _, new = became.qualified_name.rpartition(".")
        if not self._is_same(cause, old, became, new):
            return Left(f"'{became.qualified_name}' in {became.path} is similar to it, and not the same")
        if owner != new_owner:
            return Left(f"it is '{became.qualified_name}' in {became.path} now, which needs another kind of reference")
        if isinstance(along := self._overriding_of(cause, old, new), str):
            return Left(along)
        if self._comparison.base.facts.tree.files[cause.file].path == became.path:
            is_had = site.file == cause.file or self._imports(site.file, became)
            return self._under_new_name(source, site, old, new, is_home=is_had)
        if owner:
            return Left(f"its class is in {became.path} now")
        return self._from_new_home(source, site, broken, became, all_breaks)

    def _along(self, cause: DefRef, old: str, new: str) -> Iterator[tuple[Affected, Fix | Left]]:
        """Methods that overrode one under its old name, and their uses."""
        along = self._overriding_of(cause, old, new)
        if isinstance(along, str):
            return
        for method in along.methods:
            at = self._comparison.now.facts.interface(method.file).defs[method.ordinal].name_at
            edit = Edit(at, at + len(old.encode()), new.encode())
            yield self._affected(method, "overrides it"), Fix(f"call it '{new}', like the method it overrides", (edit,))
        for site in along.uses:
            source = self._written.text(site.file)
            if source is not None:
                around = DefRef(site.file, site.reference.source)
                fix = self._under_new_name(source, site, old, new, is_home=False)
                yield self._affected(around, "uses one that overrides it", self._written.place(site)), fix

    def _overriding_of(self, cause: DefRef, old: str, new: str) -> Along | str:
        if cause not in self._overriding:
            self._overriding[cause] = overriding(self._comparison, cause, old, new)
        return self._overriding[cause]

    def _exported(self, cause: DefRef, became: Successor, old: str) -> Iterator[tuple[Affected, Fix | Left]]:
        """The list of exports of the file that defined it: `import *` fails on a name that does not exist."""
        source = self._written.text(cause.file)
        listed = self._editing.listed(source, old, became.qualified_name) if source is not None else []
        if source is None or not listed:
            return
        place = self._affected(DefRef(cause.file, MODULE_DEF), "exports it", listed[0].start)
        rows, home = self._comparison.now.facts.tree.files, self._file(became.path)
        if home == cause.file:
            yield place, Fix(f"export it as '{became.qualified_name}'", tuple(listed))
            yield from self._exported_further(cause.file, old, became.qualified_name)
        elif home is None or not rows[home].module or became.qualified_name != old:
            yield place, Left("it is defined elsewhere now, and is exported from here")
        elif self._leads_back(home, cause.file):
            yield place, Left(f"{became.path} imports this file, so that this file cannot import it")
        else:
            added = self._editing.import_at_top(source, rows[home].module, old)
            yield place, Fix(f"import '{old}' from {rows[home].module}, since it is exported from here", (added,))

    def _exported_further(self, file: int, old: str, new: str) -> Iterator[tuple[Affected, Fix | Left]]:
        """The same in files that import everything a file exports, and export it again."""
        for other in self._comparison.now.files_into(file):
            source = self._written.text(other) if self._takes_all(other, file) else None
            listed = self._editing.listed(source, old, new) if source is not None else []
            if listed:
                place = self._affected(DefRef(other, MODULE_DEF), "exports it", listed[0].start)
                yield place, Fix(f"export it as '{new}'", tuple(listed))

    def _takes_all(self, file: int, other: int) -> bool:
        """Whether a file has an `import *` of another."""
        facts = self._comparison.now.facts
        imports = facts.interface(file).imports
        return any(
            imports[one.value].flags & STAR
            for edge in self._comparison.now.out_of(file)
            if edge.kind == EdgeKind.IMPORTS and edge.target.file == other
            for _, one in facts.references_at(file, edge.at)
            if one.kind == RefKind.IMPORT
        )

    def _affected(self, ref: DefRef, why: str, at: int | None = None) -> Affected:
        """A current place as a finding names it; without an offset, the definition around it."""
        subject = self._comparison.subject(ref)
        line = subject.line if at is None else Lines(self._comparison.now.facts.interface(ref.file).lines).line(at)
        return Affected(
            hash=subject.hash, name=subject.qualified_name, file=subject.file, line=line, why=why, root=subject.root
        )

    def _is_same(self, cause: DefRef, old: str, became: Successor, new: str) -> bool:
        """Whether a successor has the same text, apart from annotations: an equal length alone proves nothing."""
        facts = self._comparison.now.facts
        home = self._file(became.path)
        spot = facts.named(home, (became.qualified_name, 1)) if home is not None else None
        was, now = (
            self._written.definition(cause, is_now=False),
            self._written.definition(spot, is_now=True) if spot else None,
        )
        if was is None or now is None or not is_same_text(was.body, now.body, old, new):
            return False
        taken, takes = self._taken(cause, is_now=False), self._taken(spot, is_now=True)
        return taken == takes and (bool(taken) or is_same_text(was.head, now.head, old, new))

    def _taken(self, ref: DefRef | None, is_now: bool) -> list[tuple[str, ParamKind, str]]:
        """The parameters of a function: name, kind and default of each."""
        params = self._written.params(ref, is_now)
        if ref is None or not params:
            return []
        interface = (self._comparison.now if is_now else self._comparison.base).facts.interface(ref.file)
        return [(name, param.kind, interface.text(param.default)) for name, param in params.items()]

    def _file(self, path: str) -> int | None:
        """The number of a file by its path."""
        return next((number for number, row in self._comparison.now.facts.tree.files.items() if row.path == path), None)

    def _under_new_name(self, source: bytes, site: Site, old: str, new: str, is_home: bool) -> Fix | Left:
        said = self._comparison.now.facts.interface(site.file).text(site.reference.text).split(".")
        if old not in said:
            return Fix(f"it is called '{said[-1]}' here, which does not change", ())
        between = _between(said, old)  # the offset is that of the last name
        edits = self._editing.rename(source, self._written.place(site) - between, old, new, is_home)
        return Left(f"'{new}' means something else there") if edits is None else Fix(f"call it '{new}'", tuple(edits))

    def _imports(self, file: int, became: Successor) -> bool:
        """Whether a file already imports the successor by its new name."""
        facts, home = self._comparison.now.facts, self._file(became.path)
        imports = facts.interface(file).imports
        return any(
            imports[one.value].alias < 0
            for edge in self._comparison.now.out_of(file)
            if edge.kind == EdgeKind.IMPORTS and edge.target.file == home
            if facts.name(edge.target)[0] == became.qualified_name
            for _, one in facts.references_at(file, edge.at)
            if one.kind == RefKind.IMPORT
        )

    def _from_new_home(
        self, source: bytes, site: Site, broken: Break, became: Successor, all_breaks: Collection[Break]
    ) -> Fix | Left:
        rows = self._comparison.now.facts.tree.files
        home = self._file(became.path)
        if home is None or not rows[home].module:
            return Left(f"{became.path} is not an importable module")
        module, name, at = rows[home].module, became.qualified_name, self._written.place(site)
        words = f"import '{name}' from {module}"
        if site.file == home:
            return Left("it is in the same file now")
        if site.reference.kind == RefKind.IMPORT:
            package = _package(rows[site.file].path, rows[site.file].module, self._comparison.syntax(site.file))
            edits = self._editing.import_from(source, at, module, name, package)
            return fix_of(words, edits, name)
        said = self._comparison.now.facts.interface(site.file).text(site.reference.text)
        if "." not in said and any(_is_import_of(each, broken, site.file) for each in all_breaks):
            return Fix("follows from the import", ())
        is_late = self._leads_back(home, site.file)
        edits = self._editing.import_also(source, at, module, name, is_late)
        if is_late and edits is None:
            return Left(f"{became.path} imports this file, so that this file cannot import it")
        return fix_of(words, edits, name)

    def _leads_back(self, home: int, file: int) -> bool:
        """Whether importing a file imports another, directly or not."""
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
        """The files that importing a file imports: not type-only imports, nor those inside functions."""
        for row in self._comparison.now.reader.edges_of(file):
            if row.kind == EdgeKind.IMPORTS and not row.type_only and not self._is_in_function(file, row.source):
                yield row.target_file

    def _is_in_function(self, file: int, ordinal: int) -> bool:
        defs = self._comparison.now.facts.interface(file).defs
        while ordinal > MODULE_DEF and defs[ordinal].kind not in FUNCTIONS:
            ordinal = defs[ordinal].parent
        return ordinal > MODULE_DEF


def _between(names: Sequence[str], name: str) -> int:
    """The number of bytes from the start of a name in a chain to the start of its last name."""
    first = len(names) - 1 - names[::-1].index(name)
    return sum(len(each.encode()) + 1 for each in names[first:-1])


def _is_import_of(other: Break, broken: Break, file: int) -> bool:
    """Whether another broken place is the import of the removed definition in a file."""
    is_here = other.site is not None and other.site.file == file
    return (
        is_here
        and other.cause == broken.cause
        and other.site is not None
        and other.site.reference.kind == RefKind.IMPORT
    )


def _package(path: str, module: str, syntax: Syntax) -> str:
    """The package that relative imports of a file start from."""
    is_package = path.rpartition("/")[2] in syntax.package_files
    return module if is_package else syntax.owner(module)
