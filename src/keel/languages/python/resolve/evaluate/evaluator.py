"""Evaluation: the abstract values of an expression, followed through variables, attributes, calls and containers.

An expression of a file becomes abstract values (`abstract_values.py`); flow of control was settled when the file was
read. What is not known is left out, never guessed. Answers are cached with everything that was looked up for them
(`lookup`). Members are left to `members`, calls to `calls`, annotations to `types`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from keel.languages.python import forms
from keel.languages.python.facts import CELLS, UNBOUND, PythonTree
from keel.languages.python.resolve.evaluate import calls, containers, members, types
from keel.languages.python.resolve.evaluate.abstract_values import (
    CLASS,
    DISPLAY,
    ENTRIES,
    FUNCTION,
    GENERATOR,
    INSTANCE,
    ITEMS,
    MODULE,
    NONE,
    ROW,
    SPACE,
    SUPER_OF,
    TEXT,
    TOO_MANY,
    AbstractValue,
    AbstractValues,
    Frame,
    join,
)
from keel.languages.python.resolve.evaluate.abstract_values import OUTSIDE as OUTSIDE_THING
from keel.languages.python.resolve.evaluate.evaluation import ParameterSlots
from keel.languages.python.resolve.evaluate.returns import returned
from keel.languages.python.resolve.lookup import keys
from keel.languages.python.resolve.lookup.lookup import AMBIGUOUS, LINKED, NOT_LOOKED, OUTSIDE, Answer, Lookup
from keel.languages.python.resolve.lookup.sources import Source
from keel.languages.python.resolve.lookup.tables import VARIABLES, Imported, visible
from keel.languages.python.standard_library import BUILTINS
from keel.model.facts import CLASSMETHOD, DEFINED, FROM_IMPORT, MODULE_DEF, STATIC, TYPE_ONLY, Site
from keel.model.kinds import NodeKind, ParamKind

TRANSPARENT = frozenset((forms.AWAIT, forms.STARRED, forms.DOUBLE_STARRED, forms.ASYNC))


class Evaluator:
    """Abstract values of the whole workspace; caches its answers."""

    def __init__(
        self, tree: PythonTree, lookup: Lookup, source: Callable[[int], Source], slots: ParameterSlots
    ) -> None:
        self.lookup = lookup
        self.source = source
        self.slots = slots
        self.rows = tree.files
        self._function_keys: dict[tuple[int, int], int] = {}
        self._attribute_keys: dict[tuple[int, int, str], int] = {}
        self.at_hand = -1
        """The file that is being linked."""
        self.frame: Frame | None = None
        """The function whose parameters are known to hold certain values, while its result is evaluated."""

    def evaluate(self, file: int, expr: int) -> AbstractValues:
        """The abstract values of an expression of a file."""
        if expr < 0:
            return NONE
        ir = self.source(file).ir
        op = ir[expr]
        while op == forms.BOUND and ir[expr + 3] == PLAIN_NAME:
            expr = ir[expr + 2]
            if expr < 0:
                return NONE
            op = ir[expr]
        if op in CHEAP or (op == forms.CHAIN and ir[expr + 2] > CELLS):
            return EVALUATE[op](self, file, expr)
        if op not in EVALUATE:
            return NONE
        question = ("V", file, expr, self.frame)
        return self.lookup.remember(question, NONE, EVALUATE[op], self, file, expr)

    def all(self, file: int, exprs: Sequence[int]) -> AbstractValues:
        """The abstract values of several expressions."""
        if len(exprs) == 1:
            return self.evaluate(file, exprs[0])
        return join(self.evaluate(file, expr) for expr in exprs)

    def given(self, argument: calls.PassedArgument) -> AbstractValues:
        """The abstract values of an argument."""
        if argument.abstract_values is not None:
            return argument.abstract_values
        outer, self.frame = self.frame, argument.frame
        try:
            return self.evaluate(argument.file, argument.expr)
        finally:
            self.frame = outer

    def without_frame(self, ask: Callable[..., AbstractValues], *arguments: object) -> AbstractValues:
        """An answer that does not depend on the caller's arguments."""
        outer, self.frame = self.frame, None
        try:
            return ask(*arguments)
        finally:
            self.frame = outer

    def is_test(self, file: int) -> bool:
        """Whether a file is test code, by its path and name."""
        return self.slots.is_test(file)

    def change(self, file: int) -> None:
        """A file differs: what refers to its definitions by number may be stale."""
        caches: tuple[dict[Any, int], ...] = (self._function_keys, self._attribute_keys)
        for known in (*caches, *self.slots.by_slot):
            for key in [key for key in known if key[0] == file]:
                del known[key]

    # what is recorded

    def note_function(self, file: int, ordinal: int) -> None:
        """Records that the kind and the result of a function were looked up."""
        ref = (file, ordinal)
        key = self._function_keys.get(ref)
        if key is None:
            row = self.rows[file]
            key = keys.function_value(row.root, row.path, self.source(file).label(ordinal))
            self._function_keys[ref] = key
        self.lookup.keys.add(key)

    def note_attribute(self, file: int, ordinal: int, name: str) -> None:
        """Records that the values of an attribute of a class were looked up."""
        ref = (file, ordinal, name)
        key = self._attribute_keys.get(ref)
        if key is None:
            row = self.rows[file]
            key = keys.attribute_value(row.root, row.path, self.source(file).label(ordinal), name)
            self._attribute_keys[ref] = key
        self.lookup.keys.add(key)

    # names

    def name(self, file: int, name: str) -> AbstractValues:
        """A name of a module."""
        answer = self.lookup.global_name(file, name)
        if answer.reason in (OUTSIDE, NOT_LOOKED.reason):
            # the import knows the name it has there; a variable without a node has values all the same
            return self.binding(file, MODULE_DEF, name)
        return self.of_answer(answer, name)

    def binding(self, file: int, scope: int, name: str) -> AbstractValues:
        """What a name of a scope of a file may be at its end."""
        return self.lookup.remember(("N", file, scope, name), NONE, self._binding, file, scope, name)

    def _binding(self, file: int, scope: int, name: str) -> AbstractValues:
        source, row = self.source(file), self.rows[file]
        if scope == MODULE_DEF:
            self.lookup.keys.add(keys.name_value(row.root, row.path, name))
        return self.without_frame(self._sites, source, file, scope, name)

    def _sites(self, source: Source, file: int, scope: int, name: str) -> AbstractValues:
        field = source.fields.get((scope, name))
        if field is not None:
            declared = types.instances(self, file, source.defs[field].type)
            if declared:
                return declared
        found = [self._site(file, site) for site in visible(source.bindings.get((scope, name), []))]
        found += [self.extension(file, expr) for expr in source.extended.get((scope, name), ())]
        return join([*found, self.grown(file, source.grown.get((scope, name), ()))])

    def extension(self, file: int, expr: int) -> AbstractValues:
        """What is added to a container: another container."""
        return tuple(value for value in self.evaluate(file, expr) if value[0] in (DISPLAY, ITEMS, ROW, ENTRIES))

    def _site(self, file: int, site: Site) -> AbstractValues:
        if site.what == DEFINED:
            return self.definition(file, site.target)
        if site.what == FROM_IMPORT:
            return self.imported(file, site.target)
        return self.evaluate(file, site.target)

    def imported(self, file: int, index: int) -> AbstractValues:
        """What an import binds."""
        source = self.source(file)
        item = source.interface.imports[index]
        name = source.strings[item.name] if item.name >= 0 else ""
        module = source.strings[item.module] if item.module >= 0 else ""
        if name == "*":
            return NONE
        what = Imported(module, item.level, name, item.alias >= 0, bool(item.flags & TYPE_ONLY))
        dotted = f"{module}.{name}" if name else module if item.alias >= 0 else module.partition(".")[0]
        return self.of_answer(self.lookup.imported(file, what), dotted)

    def unbound(self, file: int, name: str) -> AbstractValues:
        """A name that no scope of the file binds: from a star import, or built in."""
        answer = self.lookup.from_stars(file, name)
        if answer.reason in (LINKED, AMBIGUOUS):
            return self.of_answer(answer, name)
        return ((OUTSIDE_THING, f"builtins.{name}"),) if name in BUILTINS else NONE

    def of_answer(self, answer: Answer, dotted: str) -> AbstractValues:
        """The abstract values of the answer of a look-up; `dotted` names it when it is outside."""
        if answer.namespace is not None:
            return ((SPACE, answer.namespace),)
        if answer.reason == LINKED:
            return self.of_definition(answer.file, answer.ordinal)
        if answer.reason == AMBIGUOUS:
            return join(self.of_definition(file, ordinal) for file, ordinal in answer.candidates)
        return ((OUTSIDE_THING, dotted),) if answer.reason == OUTSIDE else NONE

    def of_definition(self, file: int, ordinal: int) -> AbstractValues:
        """What a definition's name denotes."""
        definition = self.source(file).defs[ordinal]
        if definition.kind == NodeKind.MODULE:
            return ((MODULE, file),)
        if definition.kind in VARIABLES:
            return self.binding(file, definition.parent, self.source(file).strings[definition.name])
        return self.without_frame(self.definition, file, ordinal)

    def definition(self, file: int, ordinal: int) -> AbstractValues:
        """A class or function as its decorators leave it."""
        definition = self.source(file).defs[ordinal]
        if definition.kind == NodeKind.CLASS:
            return ((CLASS, file, ordinal),)
        plain: AbstractValues = ((FUNCTION, file, ordinal),)
        if not definition.decorators:
            return plain
        self.note_function(file, ordinal)
        question = ("D", file, ordinal, self.frame)
        return self.lookup.remember(question, plain, calls.decorated, self, file, ordinal)

    # expressions

    def _chain(self, file: int, expr: int) -> AbstractValues:
        source = self.source(file)
        first, *rest = source.strings[source.ir[expr + 1]].split(".")
        found = self.root(file, source.ir[expr + 2], first)
        for name in rest:
            found = self.attributes(found, name)
        return found

    def root(self, file: int, root: int, first: str) -> AbstractValues:
        """What the first name of a chain may be, by where it is bound."""
        interface = self.source(file).interface
        if root >= 0:
            scope = interface.bindings[root].scope
            return self.name(file, first) if scope == MODULE_DEF else self.binding(file, scope, first)
        if root <= CELLS:
            return self.all(file, interface.cells[CELLS - root])
        return self.unbound(file, first) if root == UNBOUND else NONE

    def _bound(self, file: int, expr: int) -> AbstractValues:
        source = self.source(file)
        ir = source.ir
        found = self.evaluate(file, ir[expr + 2])
        if found:
            text = source.strings[ir[expr + 1]]
            if "." in text:
                for name in text.split(".")[ir[expr + 3] :]:
                    found = self.attributes(found, name)
        return found

    def attributes(self, owners: AbstractValues, name: str) -> AbstractValues:
        """An attribute of abstract values; a private name is that of the class around it, which comes first."""
        if len(owners) == 1 or (name.startswith("__") and not name.endswith("__") and owners):
            return members.attribute(self, owners[0], name)
        return join(members.attribute(self, owner, name) for owner in owners)

    def grown(self, file: int, exprs: Iterable[int]) -> AbstractValues:
        """The elements added to a container, as containers."""
        return containers.grown(self, file, exprs)

    def elements(self, whole: AbstractValue) -> AbstractValues:
        """The elements that iterating over a value yields."""
        return containers.elements(self, whole)

    def _attribute(self, file: int, expr: int) -> AbstractValues:
        source = self.source(file)
        owners = self.evaluate(file, source.ir[expr + 1])
        return self.attributes(owners, source.strings[source.ir[expr + 2]])

    def _parameter(self, file: int, expr: int) -> AbstractValues:
        ir = self.source(file).ir
        return self.parameter(file, ir[expr + 1], ir[expr + 2])

    def parameter(self, file: int, function: int, index: int) -> AbstractValues:
        """The arguments of a parameter: those of this caller, those of its annotation, or those of any caller."""
        frame = self.frame
        if frame is not None and frame[0] == file and frame[1] == function:
            given = frame[2][index] if index < len(frame[2]) else None
            if given is not None:
                return given
        source = self.source(file)
        definition = source.defs[function]
        params = definition.signature.params if definition.signature else []
        if index >= len(params):
            return NONE
        receiver = self.receiver(file, function, index)
        if receiver:
            if source.strings[definition.name] == INIT_SUBCLASS:  # it never runs for its own class
                return self.receivers(file, function) or receiver
            return join([receiver, self.receivers(file, function)])
        param = params[index]
        if param.type >= 0:
            declared = self.without_frame(types.instances, self, file, param.type)
            if declared and types.is_protocol(self, declared):
                given = self.slots.parameter(file, function, index)
                return declared if not given or given == TOO_MANY else given
            if declared:
                return _declared(declared, param.kind)
        return self.slots.parameter(file, function, index)

    def receivers(self, file: int, function: int) -> AbstractValues:
        """Subclasses that a method is known to be called on, if they are few."""
        found = self.slots.parameter(file, function, 0)
        return found if len(found) <= MAX_RECEIVERS else NONE

    def receiver(self, file: int, function: int, index: int) -> AbstractValues:
        """The object or class that a method is called on, for its first parameter."""
        source = self.source(file)
        definition = source.defs[function]
        if index or definition.kind != NodeKind.METHOD or definition.flags & STATIC:
            return NONE
        if source.defs[definition.parent].kind != NodeKind.CLASS:
            return NONE
        is_class = definition.flags & CLASSMETHOD or source.strings[definition.name] in members.OF_CLASSES
        return ((CLASS if is_class else INSTANCE, file, definition.parent),)

    def _defined(self, file: int, expr: int) -> AbstractValues:
        return self.definition(file, self.source(file).ir[expr + 1])

    def _import(self, file: int, expr: int) -> AbstractValues:
        return self.imported(file, self.source(file).ir[expr + 1])

    def _lambda(self, file: int, expr: int) -> AbstractValues:
        return ((FUNCTION, file, self.source(file).ir[expr + 1]),)

    def _call(self, file: int, expr: int) -> AbstractValues:
        return calls.result(self, file, expr)

    def _text(self, file: int, expr: int) -> AbstractValues:
        source = self.source(file)
        return ((TEXT, source.strings[source.ir[expr + 1]]),)

    def _display(self, file: int, expr: int) -> AbstractValues:
        return ((DISPLAY, file, expr),)

    def _listed(self, file: int, expr: int) -> AbstractValues:
        return self.all(file, forms.operands(self.source(file).ir, expr))

    def _concat(self, file: int, expr: int) -> AbstractValues:
        found = self._listed(file, expr)
        kept = tuple(value for value in found if value[0] in (DISPLAY, ITEMS))
        if kept or not any(value[0] == INSTANCE for value in found):
            return kept
        first, *rest = (self.evaluate(file, part) for part in forms.operands(self.source(file).ir, expr))
        for part in rest:
            first = calls.operated(self, "+", first, part)
        return first

    def _subscript(self, file: int, expr: int) -> AbstractValues:
        ir = self.source(file).ir
        if ir[expr + 3] >= 0:
            return self.evaluate(file, ir[expr + 3])
        owners = self.evaluate(file, ir[expr + 1])
        return join(containers.element(self, owner, file, ir[expr + 2]) for owner in owners)

    def _wrap(self, file: int, expr: int) -> AbstractValues:
        ir = self.source(file).ir
        which, inner = ir[expr + 1], ir[expr + 2]
        if which in TRANSPARENT:
            return self.evaluate(file, inner)
        if which == forms.ELEMENT:
            elements = self.evaluate(file, inner)
            return ((ITEMS, elements, elements),)
        if which == forms.YIELD_FROM:
            return join(returned(self, value) for value in self.evaluate(file, inner) if value[0] == GENERATOR)
        return NONE

    def _part(self, file: int, expr: int) -> AbstractValues:
        ir = self.source(file).ir
        wholes = self.evaluate(file, ir[expr + 1])
        return join(containers.part(self, whole, ir[expr + 2]) for whole in wholes)

    def _rest(self, file: int, expr: int) -> AbstractValues:
        ir = self.source(file).ir
        wholes = self.evaluate(file, ir[expr + 1])
        return join(containers.rest(self, whole, ir[expr + 2], ir[expr + 3]) for whole in wholes)

    def _item(self, file: int, expr: int) -> AbstractValues:
        ir = self.source(file).ir
        inner, is_async = forms.behind_async(ir, ir[expr + 1])
        return join(containers.elements(self, whole, is_async) for whole in self.evaluate(file, inner))

    def _entered(self, file: int, expr: int) -> AbstractValues:
        ir = self.source(file).ir
        inner, is_async = forms.behind_async(ir, ir[expr + 1])
        return join(containers.entered(self, manager, is_async) for manager in self.evaluate(file, inner))

    def _caught(self, file: int, expr: int) -> AbstractValues:
        classes = self.evaluate(file, self.source(file).ir[expr + 1])
        inner = [value for value in classes if value[0] != DISPLAY]
        for value in classes:
            if value[0] == DISPLAY:
                inner += containers.elements(self, value)
        return join(types.instance_of(value) for value in inner)

    def _narrowed(self, file: int, expr: int) -> AbstractValues:
        ir = self.source(file).ir
        found = self.evaluate(file, ir[expr + 1])
        declared = types.instances(self, file, ir[expr + 2])
        if not declared:
            return found
        kept = [value for value in found if value[0] == INSTANCE and self._fits(value, declared)]
        if not kept and found and types.is_protocol(self, declared):
            return found
        return tuple(kept) or declared

    def _excluded(self, file: int, expr: int) -> AbstractValues:
        ir = self.source(file).ir
        found = self.evaluate(file, ir[expr + 1])
        without = types.instances(self, file, ir[expr + 2])
        if not without:
            return found
        return tuple(value for value in found if value[0] != INSTANCE or not self._fits(value, without))

    def _fits(self, value: AbstractValue, declared: AbstractValues) -> bool:
        order, _ = self.lookup.order(value[1], value[2])
        return any(wanted[0] == INSTANCE and (wanted[1], wanted[2]) in order for wanted in declared)

    def _grown(self, file: int, expr: int) -> AbstractValues:
        ir = self.source(file).ir
        elements = self.evaluate(file, ir[expr + 2])
        base = self.evaluate(file, ir[expr + 1])
        if not elements:
            return base
        key = containers.key_at(self, file, ir[expr + 3])
        made = (ITEMS, elements, elements) if key is None else (ENTRIES, ((key, elements),))
        return join([base, (made,)])

    def _operated(self, file: int, expr: int) -> AbstractValues:
        source = self.source(file)
        sign = source.strings[source.ir[expr + 1]]
        left, right = (self.evaluate(file, source.ir[expr + offset]) for offset in (2, 3))
        if sign in calls.IN_PLACE:
            kept = tuple(value for value in join([left, right]) if value[0] in (DISPLAY, ITEMS))
            return kept or calls.operated(self, sign, left, right)
        if sign not in calls.OPERATORS:
            return NONE
        found = calls.operated(self, sign, left, right)
        return join([found, containers.combined(self, sign, left, right)])

    def _super(self, file: int, expr: int) -> AbstractValues:
        ir = self.source(file).ir
        receivers = self.evaluate(file, ir[expr + 2])
        return tuple((SUPER_OF, file, ir[expr + 1], receiver) for receiver in receivers)


INIT_SUBCLASS = "__init_subclass__"

EVALUATE: dict[int, Callable[[Evaluator, int, int], AbstractValues]] = {
    forms.CHAIN: Evaluator._chain,
    forms.BOUND: Evaluator._bound,
    forms.ATTR: Evaluator._attribute,
    forms.PARAM: Evaluator._parameter,
    forms.DEFINED: Evaluator._defined,
    forms.IMPORT: Evaluator._import,
    forms.LAMBDA: Evaluator._lambda,
    forms.CALL: Evaluator._call,
    forms.STRING: Evaluator._text,
    forms.DISPLAY: Evaluator._display,
    forms.CHOICE: Evaluator._listed,
    forms.CONCAT: Evaluator._concat,
    forms.SUBSCRIPT: Evaluator._subscript,
    forms.WRAP: Evaluator._wrap,
    forms.PART: Evaluator._part,
    forms.REST: Evaluator._rest,
    forms.ITEM: Evaluator._item,
    forms.ENTERED: Evaluator._entered,
    forms.CAUGHT: Evaluator._caught,
    forms.NARROWED: Evaluator._narrowed,
    forms.EXCLUDED: Evaluator._excluded,
    forms.GROWN: Evaluator._grown,
    forms.SUPER: Evaluator._super,
    forms.OPERATED: Evaluator._operated,
}
PLAIN_NAME = 0
"""The `skip` of a BOUND whose value is read whole."""
MAX_RECEIVERS = 6
CHEAP = frozenset(
    (
        forms.LAMBDA,
        forms.DISPLAY,
        forms.STRING,
        forms.DEFINED,
        forms.IMPORT,
        forms.PARAM,
        forms.WRAP,
        forms.BOUND,
        forms.ATTR,
        forms.SUPER,
    )
)
"""Cheaper to evaluate again than to cache: they depend on one other value at most. Every cycle has some other."""


def _declared(values: AbstractValues, kind: ParamKind) -> AbstractValues:
    """What an annotated parameter holds: `*args` and `**kwargs` hold containers."""
    if kind in (ParamKind.VAR_POSITIONAL, ParamKind.VAR_KEYWORD):
        return ((ITEMS, values if kind == ParamKind.VAR_POSITIONAL else NONE, values),)
    return values
