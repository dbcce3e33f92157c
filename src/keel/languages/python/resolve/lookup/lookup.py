"""Look-ups: what a name of a module or an attribute of a class means, through imports, re-exports and inheritance.

Answers are cached together with the keys of everything that was asked on the way, so that the file that asks can record
them. Names inside one file are left to `link`.
"""

from __future__ import annotations

from collections.abc import Callable

from msgspec import Struct
from msgspec.structs import replace

from keel.languages.python.facts import PythonTree
from keel.languages.python.resolve.inheritance import Owner, method_order, reason_of, searched, unknown_base
from keel.languages.python.resolve.lookup import keys
from keel.languages.python.resolve.lookup.answer_cache import AnswerCache
from keel.languages.python.resolve.lookup.modules import INITS, ModuleMatch, Modules
from keel.languages.python.resolve.lookup.tables import VARIABLES, Bound, ClassTable, Defined, Held, Imported, Table
from keel.languages.python.standard_library import SILENT_BASES, last_names
from keel.model.facts import MODULE_DEF
from keel.model.kinds import NodeKind, Reason

LEXICAL, RELATIVE, ABSOLUTE, RE_EXPORT, RECEIVER = 95, 85, 80, 78, 80
STAR_LISTED, STAR_UNLISTED, STAND_IN, SEVERAL, NAMESPACE_LESS = 60, 50, 60, 40, 5
"""Confidence in hundredths, as in `docs/concepts.md`."""


class Answer(Struct, frozen=True):
    """What a name means: a definition (LINKED), or why that is not known."""

    reason: int
    """A Reason."""
    file: int = -1
    ordinal: int = -1
    kind: int = -1
    confidence: int = LEXICAL
    type_only: bool = False
    star: str = ""
    """The module of a star import the name came through."""
    candidates: tuple[tuple[int, int], ...] = ()
    """File and ordinal of what could be meant, when that is ambiguous or several files match."""
    namespace: ModuleMatch | None = None
    """A namespace package, which has members but no file."""


LINKED, MISSING, OUTSIDE, AMBIGUOUS = (
    int(reason) for reason in (Reason.LINKED, Reason.NO_CANDIDATE, Reason.EXTERNAL, Reason.AMBIGUOUS)
)
MODULE, CLASS = int(NodeKind.MODULE), int(NodeKind.CLASS)
"""Plain numbers, since members of enumerations are slow to reach."""

NO_CANDIDATE = Answer(MISSING)
EXTERNAL = Answer(OUTSIDE)
NOT_LOOKED = Answer(int(Reason.NOT_LOOKED))
DYNAMIC = Answer(int(Reason.DYNAMIC))

Order = tuple[list[Owner], int | None]
IN_A_CYCLE: Order = ([], NOT_LOOKED.reason)

FUNCTIONS = frozenset((int(NodeKind.FUNCTION), int(NodeKind.METHOD)))
OF_EVERY_CLASS = frozenset((*dir(object), *dir(type)))
"""What Python gives every class and its instances."""
WITHOUT_ATTRIBUTES = last_names(SILENT_BASES)
"""Bases from outside that hide no attribute of the bases behind them."""


def capped(answer: Answer, confidence: int) -> Answer:
    """The same answer with no more than this confidence."""
    return answer if answer.confidence <= confidence else replace(answer, confidence=confidence)


class Lookup(AnswerCache):
    """Questions about other files, cached."""

    def __init__(self, tree: PythonTree, table: Callable[[int], Table]) -> None:
        super().__init__()
        self.modules = tree.layout(Modules)
        self._rows = tree.files
        self._table = table
        self._by_import: dict[tuple[str, str, str, int, bool], tuple[Answer, frozenset[int]]] = {}
        self._base_keys: dict[tuple[int, int], int] = {}
        self._of_classes: dict[tuple[int, int, str], tuple[ClassTable, int]] = {}

    # imports

    def imported(self, file: int, item: Imported) -> Answer:
        """What an import in a file binds."""
        if item.name and item.name != "*":
            module = self.module(file, item.module, item.level)
            answer = self.member(module, item.name)
        elif item.aliased or item.name:
            answer = self.module(file, item.module, item.level)
        else:  # `import a.b` binds `a`
            answer = self.module(file, item.module.partition(".")[0], 0)
        return replace(answer, type_only=True) if item.type_only else answer

    def module(self, file: int, dotted: str, level: int) -> Answer:
        """A module, as an import statement of a file names it: the same for all files of a folder."""
        row = self._rows[file]
        key = (row.root, row.path.rpartition("/")[0], dotted, level, self._is_stub(file))
        known = self._by_import.get(key)
        if known is None:
            asked: set[int] = set()
            known = self._by_import[key] = (self._find_module(file, dotted, level, asked), frozenset(asked))
        self.keys.update(known[1])
        return known[0]

    def _find_module(self, file: int, dotted: str, level: int, asked: set[int]) -> Answer:
        if level:
            relative = self.modules.relative(file, level, dotted, asked)
            found = [relative] if relative else []
        else:
            found = self.modules.absolute(file, dotted, asked)
        if self._is_stub(file):
            found = [self.modules.stub(match) for match in found]
        return self._module_answer(found, *((RELATIVE, NO_CANDIDATE) if level else (ABSOLUTE, EXTERNAL)))

    def _is_stub(self, file: int) -> bool:
        return self._rows[file].path.endswith(".pyi")

    def _module_answer(self, found: list[ModuleMatch], confidence: int, missing: Answer) -> Answer:
        if not found:
            return missing
        first = found[0]
        if first.file < 0:
            return Answer(MISSING, confidence=confidence - NAMESPACE_LESS, namespace=first)
        if len(found) > 1:
            matches = tuple((match.file, MODULE_DEF) for match in found)
            return Answer(LINKED, first.file, MODULE_DEF, MODULE, SEVERAL, candidates=matches)
        confidence -= NAMESPACE_LESS if first.namespace else 0
        return Answer(LINKED, first.file, MODULE_DEF, MODULE, confidence)

    # members

    def member(self, owner: Answer, name: str) -> Answer:
        """An attribute of what an answer names."""
        if owner.namespace is not None:
            return capped(self.submodule(owner.namespace, name), owner.confidence)
        if owner.reason != LINKED:
            return owner
        if owner.kind == MODULE:
            answer = self.global_name(owner.file, name)
        elif owner.kind == CLASS:
            answer = capped(self.attribute(owner.file, owner.ordinal, name), RECEIVER)
        else:
            return NOT_LOOKED
        if owner.candidates and answer.reason == LINKED:
            return replace(capped(answer, owner.confidence), candidates=owner.candidates)
        return capped(answer, owner.confidence)

    def submodule(self, package: ModuleMatch, name: str) -> Answer:
        """A module of a namespace package."""
        found = self.modules.submodule(package, name, self.keys)
        return self._module_answer([found] if found else [], ABSOLUTE, EXTERNAL)

    def global_name(self, file: int, name: str) -> Answer:
        """A name of a module: its own, then a submodule, then what star imports bind."""
        return self.remember(("G", file, name), NO_CANDIDATE, self._global_name, file, name)

    def _global_name(self, file: int, name: str) -> Answer:
        row = self._rows[file]
        table = self._table(file)
        self.keys.add(keys.global_name(row.root, row.path, name))
        sites = table.names.get(name)
        answer = NO_CANDIDATE
        if sites:
            answer = self.choose(file, sites, re_export=True)
            if answer.reason != MISSING or answer.namespace is not None:
                return answer  # else the import that binds it may be the one that loads the submodule
        folder, _, base = row.path.rpartition("/")
        if base in INITS:
            below = self.modules.submodule(ModuleMatch(file, row.root, folder, False), name, self.keys)
            if below is not None and self._is_stub(file):
                below = self.modules.stub(below)
            if below is not None:
                return self._module_answer([below], LEXICAL, NO_CANDIDATE)
        if sites:
            return answer
        answer = self.from_stars(file, name)
        if answer.reason == MISSING:
            self.keys.add(keys.global_name(row.root, row.path, "__getattr__"))
            if "__getattr__" in table.names:
                return DYNAMIC
        return answer

    def from_stars(self, file: int, name: str) -> Answer:
        """A name that one of a module's star imports binds; the last one that has it wins."""
        row = self._rows[file]
        self.keys.add(keys.star_names(row.root, row.path))
        missing = NO_CANDIDATE
        for star in reversed(self._table(file).stars):
            module = self.module(file, star.module, star.level)
            if module.reason == OUTSIDE:
                missing = EXTERNAL
            if module.reason != LINKED:
                continue
            brought = self.remember(("S", module.file, name), NO_CANDIDATE, self._star_member, module.file, name)
            if brought.reason != MISSING:
                return replace(capped(brought, module.confidence), star="." * star.level + star.module)
        return missing

    def _star_member(self, file: int, name: str) -> Answer:
        row = self._rows[file]
        self.keys.add(keys.star_names(row.root, row.path))
        exports = self._table(file).exports
        if exports is None and name.startswith("_"):
            return NO_CANDIDATE
        if exports is not None and name not in exports:
            return NO_CANDIDATE
        answer = self.global_name(file, name)
        return capped(answer, STAR_UNLISTED if exports is None else STAR_LISTED)

    def choose(self, file: int, sites: tuple[Bound, ...], re_export: bool = False) -> Answer:
        """What a name bound at these sites means; several different meanings are ambiguous, never guessed.

        An import that may fail beside a fallback value (`except ImportError: x = None`) means the import; a definition
        that is the fallback for one from outside is linked, with the confidence of one among several.
        """
        if len(sites) == 1:
            return self._site(file, sites[0], re_export)
        answers: list[Answer] = []
        for site in sites:
            answer = self._site(file, site, re_export)
            if answer not in answers:
                answers.append(answer)
        if len(answers) == 1:
            return answers[0]
        if _is_rebound(sites) and any(map(_is_definition, answers)):
            found = [(answer.file, answer.ordinal) for answer in answers if answer.file >= 0]
            return Answer(AMBIGUOUS, candidates=tuple(found))
        for wanted in (_is_definition, _is_outside, _is_variable):
            kept = [answer for answer in answers if wanted(answer)]
            targets = dict.fromkeys(target for answer in kept for target in _targets(answer))
            if len(targets) == 1 and all(answer.reason != AMBIGUOUS for answer in kept):
                answer = min(kept, key=lambda answer: answer.confidence)
                return (
                    capped(answer, STAND_IN) if wanted is _is_definition and any(map(_is_outside, answers)) else answer
                )
            if kept:
                candidates = tuple([(target, ordinal) for target, ordinal, _ in targets if target >= 0])
                return Answer(AMBIGUOUS, candidates=candidates)
        return answers[-1] if answers else NO_CANDIDATE

    def _site(self, file: int, site: Bound, re_export: bool) -> Answer:
        what = site.what
        if isinstance(what, Defined):
            return Answer(LINKED, file, what.ordinal, what.kind)
        if isinstance(what, Imported):
            answer = self.imported(file, what)
            if re_export and answer.kind != MODULE:
                return capped(answer, RE_EXPORT)
            return answer
        assert isinstance(what, Held)
        if what.ordinal < 0:
            return NOT_LOOKED
        return Answer(LINKED, file, what.ordinal, self._table(file).kinds[what.ordinal])

    # classes

    def attribute(self, file: int, ordinal: int, name: str) -> Answer:
        """An attribute of a class, by its method resolution order."""
        return self.remember(("A", file, ordinal, name), NO_CANDIDATE, self._attribute, file, ordinal, name)

    def _attribute(self, file: int, ordinal: int, name: str) -> Answer:
        order, unknown = self.order(file, ordinal)
        known, stranger = searched(order, name)
        for owner in known:
            sites = self._class(*owner, name).attributes.get(name)
            if sites:
                return self._unless_replaced(known, name, self.choose(owner[0], sites))
        for owner in known:
            sites = self._class(*owner, name).fields.get(name)
            if sites:
                return self.choose(owner[0], sites)
        if stranger is not None:  # what is behind a base that is not known is not known either
            return Answer(reason_of(stranger))
        return self._without(known, name) if unknown is None else Answer(unknown)

    def special(self, file: int, ordinal: int, name: str) -> Answer:
        """A method that Python itself looks up on the class of an instance: it goes with the order of the class."""
        return self.remember(("P", file, ordinal, name), NO_CANDIDATE, self._special, file, ordinal, name)

    def _special(self, file: int, ordinal: int, name: str) -> Answer:
        for owner in searched(self.order(file, ordinal)[0], name)[0]:
            sites = self._table(owner[0]).classes[owner[1]].attributes.get(name)
            if sites:
                return self.choose(owner[0], sites)
        return NO_CANDIDATE

    def _class(self, file: int, ordinal: int, name: str) -> ClassTable:
        """A class, asked about one attribute."""
        known = self._of_classes.get((file, ordinal, name))
        if known is None:
            row = self._rows[file]
            entry = self._table(file).classes[ordinal]
            label = keys.class_label(entry.name, entry.occurrence)
            key = keys.class_attribute(row.root, row.path, label, name)
            known = self._of_classes[file, ordinal, name] = (entry, key)
        self.keys.add(known[1])
        return known[0]

    def asked_of_class(self, file: int, ordinal: int, name: str) -> None:
        """Records that a class itself was asked for an attribute."""
        self._class(file, ordinal, name)

    def _unless_replaced(self, owners: list[tuple[int, int]], name: str, answer: Answer) -> Answer:
        """A method, unless some method sets another value of that name on instances."""
        if answer.kind not in FUNCTIONS:
            return answer
        return DYNAMIC if any(name in self._class(*owner, name).assigned for owner in owners) else answer

    def _without(self, owners: list[tuple[int, int]], name: str) -> Answer:
        """Why no class has an attribute: it is Python's own, made at run time, a metaclass's, or there is none."""
        if name in OF_EVERY_CLASS:
            return EXTERNAL
        for owner in owners:
            if "__getattr__" in self._class(*owner, "__getattr__").attributes:
                return DYNAMIC
            if self._class(*owner, name).has_metaclass:
                return NOT_LOOKED
        return NO_CANDIDATE

    def base_names(self, file: int, ordinal: int) -> list[str]:
        """The last names of a class's bases as written."""
        self.keys.add(self._bases_key(file, ordinal))
        return [base.text.rpartition(".")[2] for base in self._table(file).classes[ordinal].bases]

    def _bases_key(self, file: int, ordinal: int) -> int:
        known = self._base_keys.get((file, ordinal))
        if known is None:
            row, entry = self._rows[file], self._table(file).classes[ordinal]
            known = keys.class_bases(row.root, row.path, keys.class_label(entry.name, entry.occurrence))
            self._base_keys[file, ordinal] = known
        return known

    def bases(self, file: int, ordinal: int) -> list[Answer]:
        """What the bases of a class are; its order has been asked for."""
        return [self._base(file, base.text, base.root) for base in self._table(file).classes[ordinal].bases]

    def in_body(self, file: int, ordinal: int, name: str) -> tuple[Bound, ...]:
        """What the body of a class binds a name to."""
        return self._class(file, ordinal, name).attributes.get(name, ())

    def order(self, file: int, ordinal: int) -> Order:
        """The method resolution order as far as it is known, and why it is not whole, if it is not."""
        return self.remember(("O", file, ordinal), IN_A_CYCLE, self._order, file, ordinal)

    def _order(self, file: int, ordinal: int) -> Order:
        entry = self._table(file).classes[ordinal]
        self.keys.add(self._bases_key(file, ordinal))
        unknown: int | None = None
        bases: list[tuple[Owner, list[Owner]]] = []
        for base in entry.bases:
            answer = self._base(file, base.text, base.root)
            target = (answer.file, answer.ordinal)
            if answer.reason == LINKED and answer.kind == CLASS:
                line, gap = self.order(*target)
                unknown = unknown or gap
                if line:
                    bases.append((target, line))
            elif base.text.rpartition(".")[2] not in WITHOUT_ATTRIBUTES:
                unknown = unknown or _why(answer)
                stranger = unknown_base(base.text, _why(answer))
                bases.append((stranger, [stranger]))
        return method_order((file, ordinal), bases), unknown

    def _base(self, file: int, text: str, root: tuple[Bound, ...]) -> Answer:
        if not text:
            return NOT_LOOKED
        first, *rest = text.split(".")
        answer = self.choose(file, root) if root else self.from_stars(file, first)
        if answer.reason == MISSING and not root and answer.namespace is None:
            answer = EXTERNAL
        for name in rest:
            answer = self.member(answer, name)
        return answer


def _targets(answer: Answer) -> list[tuple[int, int, ModuleMatch | None]]:
    if answer.reason == AMBIGUOUS:
        return [(file, ordinal, None) for file, ordinal in answer.candidates]
    return [(answer.file, answer.ordinal, answer.namespace)]


def _is_rebound(sites: tuple[Bound, ...]) -> bool:
    """Whether a name may hold a value that is more than a fallback."""
    return any(isinstance(site.what, Held) and not site.what.literal for site in sites)


def _is_definition(answer: Answer) -> bool:
    if answer.namespace is not None or answer.reason == AMBIGUOUS:
        return True
    return answer.reason == LINKED and answer.kind not in VARIABLES


def _is_outside(answer: Answer) -> bool:
    return answer.reason == OUTSIDE


def _is_variable(answer: Answer) -> bool:
    return answer.reason == LINKED


def _why(answer: Answer) -> int:
    if answer.reason in (LINKED, MISSING):
        return NOT_LOOKED.reason
    return answer.reason
