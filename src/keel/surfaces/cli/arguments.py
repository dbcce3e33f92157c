"""Arguments: words of a command line become the fields of a record, as its class declares them.

A field declared `positional` takes a bare word; every other is an option: `min_confidence: float` is `--min-confidence
0.7`. It is written by hand because argparse would cost a fast command a fifth of its time. Values that come with types
are left to `surfaces/given.py`.
"""

from __future__ import annotations

from keel import registry
from keel.errors import UsageError, brief
from keel.model.record import Field, fields_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from typing import Any, NoReturn

    from keel.ports.operation import Operation

SHORT = {"-h": "--help", "-V": "--version", "-q": "--quiet", "-v": "--verbose"}
SEVERAL, BY_KEY = "tuple[", "dict["
HUMAN, JSON, LLM = "human", "json", "llm"
"""The formats of every command that names none, the default first."""
MAX_NAME_LENGTH = 100
"""Longer words get no suggestion: no command, option or value is as long."""


def parse(words: Iterable[str], *kinds: type) -> list[dict[str, Any]]:
    """The fields that words give to each of several records; a word that fits none is refused."""
    options = {option(name): (name, field) for kind in kinds for name, field in fields_of(kind).items()}
    given: dict[str, object] = {}
    loose: list[str] = []
    rest = iter(words)
    for word in rest:
        if word == "--":
            loose.extend(rest)
        elif word.startswith("-") and word != "-":
            for single in _apart(word):
                _take_option(single, rest, options, given)
        else:
            loose.append(word)
    _take_loose(loose, {name: field for name, field in options.values() if field.positional}, given)
    return [{name: given[name] for name in fields_of(kind) if name in given} for kind in kinds]


def check_required(kind: type, given: Mapping[str, object]) -> None:
    """Raises a UsageError when a required field is missing."""
    for name, field in fields_of(kind).items():
        if field.required and name not in given:
            raise UsageError(f"{shown(name, field)} is missing: {field.help}")


def formats_of(command: Operation) -> tuple[str, ...]:
    """The formats of a command, the default first; those of plugins are for all commands."""
    offered: tuple[str, ...] = getattr(command, "FORMATS", (HUMAN, JSON, LLM))
    return (*offered, *registry.guests(registry.FORMATS))


def option(name: str) -> str:
    """The option of a field."""
    return "--" + name.replace("_", "-")


def shown(name: str, field: Field) -> str:
    """A field as help and errors call it."""
    return name.upper().replace("_", "-") if field.positional else option(name)


def takes_value(field: Field) -> bool:
    """Whether the option of a field is followed by a value."""
    return field.type != "bool"


def _apart(word: str) -> list[str]:
    """Short options that are written as one: `-qh` is `-q -h`."""
    letters = [f"-{letter}" for letter in word[1:]]
    return letters if len(letters) > 1 and all(letter in SHORT for letter in letters) else [word]


def _take_option(
    word: str, rest: Iterator[str], options: Mapping[str, tuple[str, Field]], given: dict[str, object]
) -> None:
    key, equals, value = word.partition("=")
    key = SHORT.get(key, key)
    negative = f"--{key[len('--no-') :]}" if key.startswith("--no-") else ""
    if key not in options and negative in options and options[negative][1].type == "bool" and not equals:
        given[options[negative][0]] = False
        return
    if key not in options:
        raise UsageError(f"unknown option {brief(key)}", did_you_mean(key, options))
    name, field = options[key]
    if not takes_value(field):
        if equals:
            raise UsageError(f"{key} takes no value")
        given[name] = True
        return
    if not equals:
        value = _following(key, field, rest, options)
    _give(name, field, value, given)


def _following(key: str, field: Field, rest: Iterator[str], options: Mapping[str, object]) -> str:
    word = next(rest, None)
    if word is None:
        raise UsageError(f"{key} needs a value: {field.help}")
    if word == "--" or word in SHORT or word.partition("=")[0] in options:
        raise UsageError(f"{key} needs a value, and {word} is an option", f"write {key}={word} if that is the value")
    return word


def _take_loose(words: list[str], fields: Mapping[str, Field], given: dict[str, object]) -> None:
    waiting = [(name, field) for name, field in fields.items() if name not in given]
    for word in words:
        if not waiting:
            _refuse_extra(word)
        name, field = waiting[0]
        if not field.type.startswith((SEVERAL, BY_KEY)):
            waiting.pop(0)
        _give(name, field, word, given)


def _refuse_extra(word: str) -> NoReturn:
    raise UsageError(f"unexpected argument '{brief(word)}'")


def _give(name: str, field: Field, text: str, given: dict[str, object]) -> None:
    if field.type.startswith(BY_KEY):
        given[name] = _with_pair(shown(name, field), given.get(name, {}), text)
        return
    value = _read(shown(name, field), field, text)
    if field.type.startswith(SEVERAL):
        before = given.get(name, ())
        given[name] = (*before, value) if isinstance(before, tuple) else (value,)
    else:
        given[name] = value


def _with_pair(what: str, before: Any, text: str) -> dict[str, tuple[str, ...]]:
    """What was given by key before, and one more `key=value`."""
    key, equals, value = text.partition("=")
    if not equals or not key:
        lacks = "no key before the '='" if equals else "no '='"
        raise UsageError(f"{what} must be key=value: there is {lacks} in '{brief(text)}'")
    return {**before, key: (*before.get(key, ()), value)}


def _read(what: str, field: Field, text: str) -> object:
    if field.choices and text not in field.choices:
        near = did_you_mean(text, field.choices)
        known = "" if near else f" ({', '.join(field.choices)})"
        raise UsageError(f"{what} cannot be '{brief(text)}'{known}", near)
    wanted = field.type.removeprefix(SEVERAL).partition(",")[0].partition(" |")[0]
    if wanted not in ("int", "float"):
        return text
    kind = "a whole number" if wanted == "int" else "a number"
    try:
        number = int(text) if wanted == "int" else float(text)
    except ValueError:
        raise UsageError(f"{what} is {kind}, not '{brief(text)}'") from None
    least, most = field.least, field.most
    # Not `value < least`: `nan` compares false, and must be refused.
    if (least is not None and not number >= least) or (most is not None and not number <= most):
        raise UsageError(f"{what} is {kind}{_bounds(field)}, not '{brief(text)}'")
    return number


def _bounds(field: Field) -> str:
    if field.least is not None and field.most is not None:
        return f" from {field.least:g} to {field.most:g}"
    return f" of at least {field.least:g}" if field.least is not None else f" of at most {field.most:g}"


def did_you_mean(word: str, words: Iterable[str]) -> str:
    """A hint at the word that was probably meant, or nothing; capitals and dashes are mistyped as easily as letters."""
    import difflib  # only when something is wrong

    if len(word) > MAX_NAME_LENGTH:
        return ""
    written = {_plain(known): known for known in words}
    near = difflib.get_close_matches(_plain(word), written, n=1) or _begun(_plain(word), written)
    return f"did you mean {written[near[0]]}?" if near else ""


def _begun(word: str, words: Iterable[str]) -> list[str]:
    """The one word that begins like this, as when it was cut short."""
    begun = [known for known in words if word and known.startswith(word)]
    return begun if len(begun) == 1 else []


def _plain(word: str) -> str:
    return word.lower().replace("_", "-").lstrip("-")
