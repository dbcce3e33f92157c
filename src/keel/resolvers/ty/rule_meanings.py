"""What ty's diagnostics mean: one table from the names of its rules, of all releases that keel works with.

A rule that is not in the table says nothing about uses of a definition, and is dropped: rules about overrides,
overloads, unused comments and style. Comparing diagnostics is left to `difference`.
"""

from __future__ import annotations

from keel.ports.type_checker import Meaning

MEANINGS = {
    "missing-argument": Meaning.ARITY,
    "too-many-positional-arguments": Meaning.ARITY,
    "no-matching-overload": Meaning.ARITY,
    "unknown-argument": Meaning.NAME,
    "positional-only-parameter-as-kwarg": Meaning.NAME,
    "parameter-already-assigned": Meaning.NAME,
    "invalid-argument-type": Meaning.TYPE,
    "invalid-assignment": Meaning.TYPE,
    "invalid-return-type": Meaning.TYPE,
    "invalid-yield": Meaning.TYPE,
    "type-assertion-failure": Meaning.TYPE,
    "missing-attribute": Meaning.ATTRIBUTE,
    "missing-union-attribute": Meaning.ATTRIBUTE,
    "possibly-missing-attribute": Meaning.ATTRIBUTE,
    "unresolved-attribute": Meaning.ATTRIBUTE,
    "unresolved-reference": Meaning.ATTRIBUTE,
    "invalid-attribute-access": Meaning.ATTRIBUTE,
    "import-not-found": Meaning.IMPORT,
    "unresolved-import": Meaning.IMPORT,
    "possibly-missing-import": Meaning.IMPORT,
    "unused-awaitable": Meaning.ASYNC,
    "redundant-condition": Meaning.ASYNC,
    "invalid-await": Meaning.ASYNC,
    "call-non-callable": Meaning.USE,
    "call-top-callable": Meaning.USE,
    "not-subscriptable": Meaning.USE,
    "non-subscriptable": Meaning.USE,
    "not-iterable": Meaning.USE,
    "unsupported-operator": Meaning.USE,
    "unsupported-bool-conversion": Meaning.USE,
    "index-out-of-bounds": Meaning.USE,
    "invalid-context-manager": Meaning.USE,
    "invalid-base": Meaning.USE,
    "unsupported-base": Meaning.USE,
    "invalid-type-form": Meaning.USE,
    "invalid-exception-caught": Meaning.USE,
}
DROPPED = (
    "incompatible-attribute-override",
    "incompatible-method-override",
    "incompatible-mutable-override",
    "incompatible-property-override",
    "inconsistent-overload-decorator",
    "inconsistent-overload-implementation",
    "invalid-explicit-override",
    "lost-keyword-for-regular-parameter",
    "misplaced-overload-decorator",
    "missing-overload-implementation",
    "missing-override-decorator",
    "override-of-final-method",
    "override-of-final-variable",
)
"""Rules that fire on harmless edits, at the definition or at what overrides it, and are dropped for that."""
