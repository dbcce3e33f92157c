"""Facts of a file as lines that specs can expect: what the extractor read, each fact one line.

Reading is the language's, and what variables hold is made visible by `held`; which facts a file must have is each
document's own business.
"""

from __future__ import annotations

import codecs
import json
from collections.abc import Iterator

from keel.languages.python import facts as own
from keel.languages.python import language
from keel.languages.python.facts import Def, Facts, Interface
from keel.languages.python.syntax import SYNTAX
from keel.model import facts as f
from keel.model.expressions import Call
from keel.model.facts import Lines, Reference
from keel.model.kinds import NodeKind, ParamKind, RefKind
from keel.model.signatures import chain_text
from tests.spec.expect import ExpectedLine, compare, parse_line
from tests.spec.held import seen
from tests.spec.markdown import Block
from tests.spec.values import written

FLAGS = {
    **{"async": f.ASYNC, "generator": f.GENERATOR, "static": f.STATIC, "classmethod": f.CLASSMETHOD},
    **{"property": f.PROPERTY, "abstract": f.ABSTRACT, "overload": f.OVERLOAD, "typed": f.TYPED},
    **{"unreliable": f.UNRELIABLE, "accessor": f.ACCESSOR, "instance": f.INSTANCE, "stub": f.STUB},
}
IMPORT_FLAGS = {"type_only": f.TYPE_ONLY, "conditional": f.CONDITIONAL, "star": f.STAR}
ROOTS = {own.UNBOUND: "unbound", own.LOCAL: "local", own.SELF: "self", own.VALUE: "value", own.IMPORTED: "imported"}
HOW = ("plain", "augmented", "iterated", "entered", "caught", "unpacked", "deleted", "grown")
HOW_BACK = ("returned", "yielded", "yielded_from")
NEWLINES = {"": "\n", "lf": "\n", "crlf": "\r\n", "cr": "\r"}


def bytes_of(block: Block) -> bytes:
    """The file that a block is: `encoding=latin-1`, `newline=crlf`, `bom=yes`; `escapes=yes` reads `\\xff`."""
    text = block.text.replace("\n", NEWLINES[block.options.get("newline", "")])
    data = text.encode(block.options.get("encoding", "utf-8"))
    if block.options.get("escapes"):
        data = codecs.escape_decode(data)[0]
    return (codecs.BOM_UTF8 if block.options.get("bom") else b"") + data


def check_facts(files: dict[str, bytes], block: Block) -> list[str]:
    """What of a `facts` block does not hold for the file it is about: its `path`, or else the last one."""
    path = block.options.get("path") or list(files)[-1]
    found = language.extract(files[path], path)
    expected = [(number, parse_line(line)) for number, line in block.lines()]
    return compare(expected, [*_Reader(found).lines(), *seen(found)], sort_of)


def check_hashes(files: dict[str, bytes], block: Block) -> list[str]:
    """What of a `hashes` block does not hold: `same f a.py b.py` and `differ f a.py c.py` compare body hashes."""
    wrong = []
    for number, line in block.lines():
        verb, name, *paths = line.split()
        if verb not in ("same", "differ") or len(paths) < 2:
            return [f"line {number}: not `same` or `differ`, a name, and two paths: {line}"]
        hashes = [_body_hash(files[path], path, name) for path in paths]
        if len(set(hashes)) != (1 if verb == "same" else len(hashes)):
            wrong.append(f"line {number}: {line}: {hashes}")
    return wrong


def _body_hash(data: bytes, path: str, name: str) -> int:
    interface = language.extract(data, path).interface
    found = [each.body_hash for each in interface.defs if interface.text(each.qualified_name) == name]
    if len(found) != 1:
        raise LookupError(f"{len(found)} definitions of {name} in {path}")
    return found[0]


def sort_of(head: str) -> str:
    """What a line is about: its first word, and the role of a reference."""
    first, *rest = head.split()
    return f"{first} {rest[0]}" if first == "reference" else first


class _Reader:
    """The facts of one file, turned into lines."""

    def __init__(self, found: Facts) -> None:
        self._interface: Interface = found.interface
        self._references = found.references.items
        self._lines = Lines(found.interface.lines)

    def lines(self) -> Iterator[ExpectedLine]:
        interface = self._interface
        for definition in interface.defs:
            yield self._definition(definition)
        for item in interface.imports:
            yield self._import(item)
        for reference in self._references:
            yield self._reference(reference)
        for assign in interface.assigns:
            text = f"assign {self._value(assign.target)} = {self._value(assign.value)}"
            yield ExpectedLine(
                text, {"how": HOW[assign.how], "in": self._name(assign.scope), "at": self._at(assign.at)}
            )
        for back in interface.returns:
            text = f"return {self._value(back.value)}"
            yield ExpectedLine(text, {"how": HOW_BACK[back.how], "in": self._name(back.scope), "at": self._at(back.at)})
        exports = interface.exports
        yield ExpectedLine("exports " + ("unknown" if exports is None else ", ".join(exports) or "nothing"), {})
        for gap in interface.gaps:
            yield ExpectedLine("gap", {"from": self._at(gap.start), "to": self._at(gap.end)})
        for silence in interface.suppressions:
            reason = json.dumps(silence.reason, ensure_ascii=False)
            behind = {"behind": "yes"} if silence.behind else {}
            yield ExpectedLine(
                f"suppress {','.join(silence.codes)}", {"reason": reason, "at": self._at(silence.at), **behind}
            )
        yield ExpectedLine(f"lines {len(interface.lines)}", {})

    def _definition(self, definition: Def) -> ExpectedLine:
        interface = self._interface
        start, end = self._lines.line(definition.start), self._lines.line(max(definition.end - 1, definition.start))
        attributes = {
            "doc": json.dumps(interface.text(definition.doc), ensure_ascii=False) if definition.doc >= 0 else "none",
            "flags": _words(FLAGS, definition.flags),
            "visibility": definition.visibility.word,
            "at": self._at(definition.name_at),
            "lines": f"{start}-{end}",
            "in": self._name(definition.parent),
            "decorators": ",".join(chain_text(interface, place) for place in definition.decorators) or "none",
        }
        if definition.occurrence > 1:
            attributes["occurrence"] = str(definition.occurrence)
        if definition.value >= 0:
            attributes["value"] = json.dumps(self._value(definition.value), ensure_ascii=False)
        if definition.signature is not None:
            attributes["kinds"] = ",".join(_initials(param.kind) for param in definition.signature.params) or "none"
        return ExpectedLine(self._head(definition), attributes)

    def _head(self, definition: Def) -> str:
        interface = self._interface
        kind = definition.kind.word
        if definition.kind in (NodeKind.FILE, NodeKind.MODULE):
            return kind
        qualified = interface.text(definition.qualified_name)
        if definition.kind == NodeKind.CLASS:
            parts = [self._value(place) for place in definition.bases]
            parts += [f"{interface.text(name)}={self._value(value)}" for name, value in definition.keywords]
            return f"{kind} {qualified}({', '.join(parts)})" if parts else f"{kind} {qualified}"
        text = SYNTAX.signature(interface, definition).removeprefix("async ").removeprefix("def ")
        return " ".join(f"{kind} {qualified}{text.removeprefix(interface.text(definition.name))}".split())

    def _import(self, item: own.Import) -> ExpectedLine:
        text = self._interface.text
        module = "." * item.level + text(item.module)
        head = f"from {module} import {text(item.name)}" if item.name >= 0 else f"import {module}"
        if item.alias >= 0:
            head += f" as {text(item.alias)}"
        attributes = {
            "flags": _words(IMPORT_FLAGS, item.flags),
            "in": self._name(item.scope),
            "at": self._at(item.at),
        }
        return ExpectedLine(head, attributes)

    def _reference(self, reference: Reference) -> ExpectedLine:
        interface = self._interface
        kind = RefKind(reference.kind)
        at = interface.defs[reference.source].start + reference.at
        attributes = {"in": self._name(reference.source), "at": self._at(at)}
        if reference.root in ROOTS:
            attributes["root"] = ROOTS[reference.root]
        else:
            attributes["root"] = self._name(interface.bindings[reference.root].scope)
        value = interface.expression(reference.value) if kind != RefKind.IMPORT and reference.value >= 0 else None
        if isinstance(value, Call):
            stars = ("*" if value.star_args else "") + ("**" if value.star_kwargs else "")
            spans = [self._source_span(each.start, each.end) for each in (*value.positional, *value.keywords)]
            attributes |= {
                "positional": str(len(value.positional)),
                "keywords": ",".join(each.keyword for each in value.keywords if each.keyword) or "none",
                "stars": stars or "none",
                "spans": ",".join(spans) or "none",
            }
        return ExpectedLine(f"reference {kind.word} {interface.text(reference.text)}", attributes)

    def _source_span(self, start: int, end: int) -> str:
        return f"{self._at(start)}-{self._at(end)}"

    def _value(self, place: int) -> str:
        return written(self._interface.expression(place), self._name)

    def _name(self, index: int) -> str:
        if index < 0:
            return "none"
        definition = self._interface.defs[index]
        return "<file>" if definition.kind == NodeKind.FILE else self._interface.text(definition.qualified_name)

    def _at(self, place: int) -> str:
        line, column = self._lines.place(place)
        return f"{line}:{column}"


def _words(names: dict[str, int], flags: int) -> str:
    return ",".join(name for name, bit in names.items() if flags & bit) or "none"


def _initials(kind: ParamKind) -> str:
    return {
        ParamKind.POSITIONAL_ONLY: "pos",
        ParamKind.POSITIONAL_OR_KEYWORD: "any",
        ParamKind.VAR_POSITIONAL: "*",
        ParamKind.KEYWORD_ONLY: "kw",
        ParamKind.VAR_KEYWORD: "**",
    }[kind]
