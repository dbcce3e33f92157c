"""Parameters from programs: checks values by name, and makes the parameters of an operation of them.

Values have their types already, as from JSON or Python; words of a command line are left to `cli/arguments.py`. All
problems are reported at once, with what is allowed.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from keel.errors import UsageError, brief
from keel.model.record import Field, fields_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

MAX_TEXT_LENGTH = 10_000
"""Characters of a text: no name, path or query is as long, and the cost of some operations grows with it."""
MAX_ENTRIES = 1_000
"""Entries of a list."""
PLAIN: Mapping[str, tuple[type, ...]] = {
    "str": (str,),
    "bool": (bool,),
    "int": (int,),
    "float": (int, float),
    "None": (type(None),),
}
WORDS = {"str": "a text", "bool": "true or false", "int": "a whole number", "float": "a number", "None": "null"}


def params_of(kind: type, given: Mapping[str, object], fields: Mapping[str, Field] | None = None) -> Any:
    """The parameters of an operation, whose class is `kind`; a UsageError says all that does not fit.

    `fields` are those that may be given, when that is not all of them.
    """
    fields = fields_of(kind) if fields is None else fields
    problems = list(_problems(fields, given))
    if problems:
        names = sorted(fields, key=lambda name: not fields[name].required)
        raise UsageError("; ".join(problems), f"it takes {', '.join(names)}" if names else "it takes nothing")
    return kind(**{name: _frozen(value) for name, value in given.items()})


def _problems(fields: Mapping[str, Field], given: Mapping[str, object]) -> Iterator[str]:
    for name in given:
        if name not in fields:
            yield f"there is no parameter '{brief(name, 40)}'"
    for name, field in fields.items():
        if name in given:
            problem = misfit(field, given[name])
            if problem:
                yield f"{name} {problem}"
        elif field.required:
            yield f"{name} is missing: {field.help.rstrip('.')}"


def misfit(field: Field, value: object) -> str:
    """What is wrong with the value of a field; empty when it fits."""
    forms = _alternatives(field.type)
    if not any(_has_form(form, value) for form in forms):
        return f"is {' or '.join(map(_in_words, forms))}, not {brief(repr(value), 40)}"
    return next(filter(None, (_unfit(field, one) for one in _leaves(value))), "")


def _alternatives(written: str) -> list[str]:
    """The forms of a type as a record writes it: `tuple[str, ...] | None` has two."""
    return [form.strip() for form in written.split("|")] if "[" not in written else _outside_brackets(written)


def _outside_brackets(written: str) -> list[str]:
    forms, depth = [""], 0
    for sign in written:
        depth += (sign == "[") - (sign == "]")
        if sign == "|" and depth == 0:
            forms.append("")
        else:
            forms[-1] += sign
    return [form.strip() for form in forms]


def _has_form(form: str, value: object) -> bool:
    if form in PLAIN:
        # `bool` is an `int` to Python, but `true` is no number to a caller.
        return isinstance(value, PLAIN[form]) and (form == "bool" or not isinstance(value, bool))
    inner = form.partition("[")[2].removesuffix("]")
    if form.startswith(("tuple[", "list[")):
        each = _alternatives(inner.removesuffix(", ..."))
        return isinstance(value, list | tuple) and all(any(_has_form(one, item) for one in each) for item in value)
    if form.startswith(("dict[", "Mapping[")):
        each = _alternatives(inner.partition(",")[2])
        return isinstance(value, dict) and all(
            isinstance(key, str) and any(_has_form(one, item) for one in each) for key, item in value.items()
        )
    return True  # `object`: the operation says what is wrong with it


def _in_words(form: str) -> str:
    if form.startswith(("tuple[", "list[")):
        inner = form.partition("[")[2].removesuffix("]").removesuffix(", ...")
        return f"a list, each of it {' or '.join(map(_in_words, _alternatives(inner)))}"
    return "an object" if form.startswith(("dict[", "Mapping[")) else WORDS.get(form, form)


def _leaves(value: object) -> Iterator[object]:
    """The value itself, and everything inside of it."""
    yield value
    inside = value.values() if isinstance(value, dict) else value if isinstance(value, list | tuple) else ()
    for item in inside:
        yield from _leaves(item)


def _unfit(field: Field, value: object) -> str:
    if isinstance(value, str):
        return _unfit_text(field, value)
    if isinstance(value, list | tuple | dict):
        return f"has {len(value):,} entries; {MAX_ENTRIES:,} are the most" if len(value) > MAX_ENTRIES else ""
    if not isinstance(value, int | float) or isinstance(value, bool):
        return ""
    least, most = field.least, field.most
    # Not `value < least`: `nan` compares false, and must be refused.
    if (least is not None and not value >= least) or (most is not None and not value <= most):
        low = f" at least {least:g}" if least is not None else ""
        high = f" at most {most:g}" if most is not None else ""
        return f"is{low}{' and' if low and high else ''}{high}, not {brief(repr(value), 40)}"
    return ""


def _unfit_text(field: Field, text: str) -> str:
    if field.choices and text not in field.choices:
        return f"is one of {', '.join(field.choices)}, not {brief(repr(text), 40)}"
    if len(text) > MAX_TEXT_LENGTH:
        return f"has {len(text):,} letters; {MAX_TEXT_LENGTH:,} are the most"
    if "\0" in text or any("\ud800" <= sign <= "\udfff" for sign in text):
        return "has a sign in it that no name and no path has"
    return ""


def _frozen(value: object) -> object:
    """Lists as the tuples that records hold."""
    if isinstance(value, list | tuple):
        return tuple(map(_frozen, value))
    return {key: _frozen(item) for key, item in value.items()} if isinstance(value, dict) else value
