"""Building facts: what every extractor does alike while it reads a file.

Texts become indexes, offsets of references are counted from the enclosing definition, and definitions of one name are
numbered. Expressions and the private fields of a language are left to the language.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from keel.model.facts import (
    FILE_DEF,
    MODULE_DEF,
    NOTHING,
    Def,
    Facts,
    Import,
    Interface,
    Param,
    Reference,
    References,
    Signature,
)
from keel.model.hashing import digest64
from keel.model.kinds import NodeKind, ParamKind, RefKind, Visibility

MODULE_LABEL = "<module>"


class FactsBuilder:
    """The facts of one file while it is read; `source` is its text as UTF-8."""

    def __init__(self, source: bytes, module: str = "", separator: str = ".") -> None:
        """`module` is the name that the text itself gives to its module, if any: facts do not depend on the path."""
        self.source = source
        self._separator = separator
        self._texts: dict[str, int] = {}
        self._occurrences: Counter[str] = Counter()
        self._imports: list[Import] = []
        self._references: list[Reference] = []
        self.labels: list[str] = []
        """The qualified names of the definitions so far."""
        self.defs: list[Def] = []
        self._whole(NodeKind.FILE, "", "", NOTHING)
        self._whole(NodeKind.MODULE, module, MODULE_LABEL, FILE_DEF)

    def text(self, text: str) -> int:
        """The index of a text."""
        return self._texts.setdefault(text, len(self._texts))

    def define(
        self,
        kind: NodeKind,
        name: str,
        span: tuple[int, int],
        name_at: int,
        parent: int = MODULE_DEF,
        params: Iterable[str] | None = None,
        visibility: Visibility = Visibility.PUBLIC,
    ) -> int:
        """Adds a definition inside another; returns its ordinal. `params` are names that are passed by position."""
        label = name if parent <= MODULE_DEF else f"{self.labels[parent]}{self._separator}{name}"
        self._occurrences[label] += 1
        signature = None
        if params is not None:
            signature = Signature([Param(self.text(each), ParamKind.POSITIONAL_ONLY) for each in params])
        self._add(kind, name, label, self._occurrences[label], parent, span, name_at, visibility, signature)
        return len(self.defs) - 1

    def refer(self, kind: RefKind, text: str, at: int, source: int) -> None:
        """Adds a use of a name inside a definition, by the offset of its last identifier."""
        self._references.append(Reference(kind, source, at - self.defs[source].start, self.text(text)))

    def take(self, specifier: str, name: str, at: int, alias: str = "", flags: int = 0) -> None:
        """Adds an import at the top of the file, and its reference; without a name, of the whole module."""
        item = Import(
            self.text(specifier),
            self.text(name) if name else NOTHING,
            self.text(alias) if alias else NOTHING,
            at,
            MODULE_DEF,
            flags,
        )
        self._imports.append(item)
        text = self.text(name or specifier)
        self._references.append(Reference(RefKind.IMPORT, MODULE_DEF, at, text, value=len(self._imports) - 1))

    def facts(self) -> Facts:
        """The facts of everything that was added."""
        lines = [len(line) for line in self.source.split(b"\n")]
        interface = Interface(list(self._texts), lines, [], self.defs, self._imports, [], [], None)
        return Facts(interface, References(self._references))

    def _whole(self, kind: NodeKind, name: str, label: str, parent: int) -> None:
        self._add(kind, name, label, 1, parent, (0, len(self.source)), 0, Visibility.PUBLIC, None)

    def _add(
        self,
        kind: NodeKind,
        name: str,
        label: str,
        occurrence: int,
        parent: int,
        span: tuple[int, int],
        name_at: int,
        visibility: Visibility,
        signature: Signature | None,
    ) -> None:
        start, end = span
        digest = digest64(self.source[start:end])
        names = (self.text(name), self.text(label), occurrence, parent)
        self.labels.append(label)
        self.defs.append(Def(kind, *names, start, end, name_at, 0, visibility, NOTHING, digest, signature))
