"""Containers: elements of lists, tuples, sets and dicts, of generators, and of objects that behave like them.

Literal keys and indexes are followed one by one; where they are not known, every element may be meant.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from keel.languages.python.resolve.members import attribute, is_enum
from keel.languages.python.resolve.returns import handed_back, yielded
from keel.languages.python.resolve.things import (
    CLASS,
    DISPLAY,
    ENTRIES,
    GENERATOR,
    INSTANCE,
    ITEMS,
    METHOD,
    NONE,
    ROW,
    TEXT,
    Thing,
    Things,
    join,
)
from keel.model import values

if TYPE_CHECKING:
    from keel.languages.python.resolve.evaluation import Evaluation


def elements(e: Evaluation, whole: Thing) -> Things:
    """What iterating over a thing gives."""
    sort = whole[0]
    if sort == DISPLAY:
        return e.lookup.remember(("E", *whole, e.frame), NONE, _of_display, e, *whole[1:])
    if sort == ITEMS:
        return tuple(whole[1])
    if sort == CLASS:
        return ((INSTANCE, *whole[1:]),) if is_enum(e, whole) else NONE
    if sort == ROW:
        return join(whole[1:])
    if sort == GENERATOR:
        return yielded(e, whole)
    if sort == INSTANCE:
        return _iterated(e, whole)
    return NONE


def _of_display(e: Evaluation, file: int, place: int) -> Things:
    tape = e.source(file).tape
    parts = values.operands(tape, place)
    if tape[place + 1] == values.DICT:
        return e.all(file, parts[::2])
    return join(_parts(e, file, part) for part in parts)


def _parts(e: Evaluation, file: int, place: int) -> Things:
    """A part of a display; a starred one gives all its elements."""
    tape = e.source(file).tape
    if place >= 0 and tape[place] == values.WRAP and tape[place + 1] == values.STARRED:
        return join(elements(e, thing) for thing in e.evaluate(file, tape[place + 2]))
    return e.evaluate(file, place)


def _iterated(e: Evaluation, whole: Thing) -> Things:
    found: list[Things] = []
    for iterator in called(e, whole, "__iter__") or called(e, whole, "__aiter__"):
        if iterator[0] == INSTANCE:
            found.append(called(e, iterator, "__next__") or called(e, iterator, "__anext__"))
        else:
            found.append(elements(e, iterator))
    return join(found)


def called(e: Evaluation, owner: Thing, name: str) -> Things:
    """What a method of a thing hands back, when it is called with nothing."""
    methods = attribute(e, owner, name)
    return join(handed_back(e, method[1], method[2], method[3]) for method in methods if method[0] == METHOD)


def held(e: Evaluation, whole: Thing) -> Things:
    """Everything that keys or indexes of a thing lead to."""
    sort = whole[0]
    if sort == DISPLAY:
        return e.lookup.remember(("H", *whole, e.frame), NONE, _held, e, whole)
    if sort == ITEMS:
        return tuple(whole[2])
    if sort == ENTRIES:
        return join(things for _, things in whole[1])
    return join(whole[1:]) if sort == ROW else NONE


def _held(e: Evaluation, whole: Thing) -> Things:
    _, file, place = whole
    tape = e.source(file).tape
    if tape[place + 1] != values.DICT:
        return elements(e, whole)
    parts = values.operands(tape, place)
    return join(_entry(e, file, part) for part in parts[1::2])


def _entry(e: Evaluation, file: int, place: int) -> Things:
    tape = e.source(file).tape
    if place >= 0 and tape[place] == values.WRAP and tape[place + 1] == values.DOUBLE_STARRED:
        return join(held(e, thing) for thing in e.evaluate(file, tape[place + 2]))
    return e.evaluate(file, place)


def rest(e: Evaluation, whole: Thing, index: int, after: int) -> Things:
    """The starred rest of what a thing is unpacked into: all but so many before and after it."""
    if whole[0] == ROW:
        kept = join(whole[1:][index : len(whole) - 1 - after])
        return ((ITEMS, kept, kept),)
    if whole[0] == DISPLAY:
        _, file, place = whole
        tape = e.source(file).tape
        parts = values.operands(tape, place)
        if tape[place + 1] in (values.LIST, values.TUPLE) and not any(_is_starred(tape, item) for item in parts):
            kept = e.all(file, parts[index : len(parts) - after])
            return ((ITEMS, kept, kept),)
    found = elements(e, whole)
    return ((ITEMS, found, found),)


def part(e: Evaluation, whole: Thing, index: int) -> Things:
    """One of what a thing is unpacked into."""
    sort = whole[0]
    if sort == ROW:
        row = whole[1:]
        return row[index] if -len(row) <= index < len(row) else NONE
    if sort == DISPLAY:
        _, file, place = whole
        tape = e.source(file).tape
        parts = values.operands(tape, place)
        known = tape[place + 1] in (values.LIST, values.TUPLE) and not any(_is_starred(tape, item) for item in parts)
        if known:
            return e.evaluate(file, parts[index]) if -len(parts) <= index < len(parts) else NONE
    return elements(e, whole)


def _is_starred(tape: list[int], place: int) -> bool:
    return place >= 0 and tape[place] == values.WRAP


def element(e: Evaluation, whole: Thing, file: int, key: int) -> Things:
    """`whole[key]`, the key being a place of a file's tape."""
    sort = whole[0]
    if sort == CLASS:
        return ((INSTANCE, *whole[1:]),) if is_enum(e, whole) else (whole,)
    if sort == INSTANCE:
        return called(e, whole, "__getitem__")
    tape = e.source(file).tape
    if key >= 0 and tape[key] == values.NUMBER:
        text = e.source(file).strings[tape[key + 1]]
        if whole[0] == DISPLAY and e.source(whole[1]).tape[whole[2] + 1] == values.DICT:
            return _numbered(e, whole, text)
        return part(e, whole, int(text)) if text.lstrip("-").isdecimal() and len(text) < 9 else held(e, whole)
    return entry(e, whole, e.evaluate(file, key))


def _numbered(e: Evaluation, whole: Thing, text: str) -> Things:
    """The entry of a dict under a number."""
    _, file, place = whole
    source = e.source(file)
    parts = values.operands(source.tape, place)
    for key, value in zip(parts[::2], parts[1::2], strict=False):
        if _is_number(source.tape, key) and source.strings[source.tape[key + 1]] == text:
            return e.evaluate(file, value)
    return held(e, whole)


def entry(e: Evaluation, whole: Thing, keys: Things) -> Things:
    """What a key leads to: that entry of a dict when the key is a known text, else any."""
    texts = [thing[1] for thing in keys if thing[0] == TEXT]
    if whole[0] == ENTRIES and len(texts) == len(keys) == 1:
        return next((things for key, things in whole[1] if key == texts[0]), NONE)
    if whole[0] != DISPLAY or len(texts) != 1 or len(keys) != 1:
        return held(e, whole)
    _, file, place = whole
    tape = e.source(file).tape
    if tape[place + 1] != values.DICT:
        return held(e, whole)
    return e.lookup.remember(("K", *whole, e.frame, texts[0]), NONE, _named, e, file, place, keys)


def _named(e: Evaluation, file: int, place: int, keys: Things) -> Things:
    """The entry of a dict under a text; of several the last counts."""
    tape = e.source(file).tape
    parts = values.operands(tape, place)
    found: list[Things] = []
    for key, value in reversed(list(zip(parts[::2], parts[1::2], strict=False))):
        known = e.evaluate(file, key)
        if known == keys:
            return join([*found, e.evaluate(file, value)])
        if value >= 0 and tape[value] == values.WRAP and tape[value + 1] == values.DOUBLE_STARRED:
            inner = join(entry(e, thing, keys) for thing in e.evaluate(file, tape[value + 2]))
            if inner:
                return join([*found, inner])
        elif not known and not _is_number(tape, key):
            found.append(_entry(e, file, value))
    return join(found)


def _is_number(tape: Sequence[int], place: int) -> bool:
    return place >= 0 and tape[place] == values.NUMBER


# methods of built-in containers


def method(e: Evaluation, name: str, whole: Thing, arguments: list[Things]) -> Things:
    """What a method of a built-in container hands back."""
    if name in ("get", "pop", "setdefault"):
        found = entry(e, whole, arguments[0]) if arguments else held(e, whole)
        if len(arguments) < 2:
            return found
        is_known = whole[0] == DISPLAY and bool(found) and len(arguments[0]) == 1 and arguments[0][0][0] == TEXT
        return found if is_known else join([found, arguments[1]])
    if name in ("popleft", "popitem", "__getitem__"):
        return held(e, whole)
    if name == "values":
        found = held(e, whole)
        return ((ITEMS, found, found),)
    if name == "items":
        return ((ITEMS, ((ROW, elements(e, whole), held(e, whole)),), NONE),)
    if name in ("keys", "__iter__"):
        found = elements(e, whole)
        return ((ITEMS, found, found),)
    return (whole,) if name == "copy" else NONE
