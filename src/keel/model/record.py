"""Records: frozen values that cost next to nothing to import, for the fastest commands.

A class declares the fields, their defaults and meanings; an instance has the values. Only the names are checked: types
are left to mypy, and untrusted input to the code that reads it.
"""

from __future__ import annotations

# `typing` alone would double the start of Python; mypy reads a record as it reads a dataclass.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Self, dataclass_transform
else:

    def dataclass_transform(**_):
        return lambda decorated: decorated


class Missing:
    """The sentinel for a field without a default."""

    def __repr__(self) -> str:
        return "missing"


MISSING = Missing()


class Field:
    """The declaration of a field: its type as written, its default, and its meaning."""

    __slots__ = ("choices", "default", "help", "least", "most", "positional", "type")

    def __init__(
        self,
        help: str = "",
        default: object = MISSING,
        choices: tuple[str, ...] = (),
        positional: bool = False,
        least: float | None = None,
        most: float | None = None,
    ) -> None:
        self.help, self.default, self.choices, self.positional = help, default, choices, positional
        self.least, self.most = least, most
        self.type = ""

    @property
    def required(self) -> bool:
        """Whether a value must be given."""
        return self.default is MISSING


def field(
    help: str = "",
    *,
    default: Any = MISSING,
    choices: tuple[str, ...] = (),
    positional: bool = False,
    least: float | None = None,
    most: float | None = None,
) -> Any:
    """A field with a meaning: surfaces and schemas show `help`, and allow only `choices`, or `least` to `most`.

    One that is `positional` can be given without its name.
    """
    return Field(help, default, choices, positional, least, most)


@dataclass_transform(frozen_default=True, kw_only_default=True, field_specifiers=(field,))
class Record:
    """A frozen value, constructed by name: `Position(path="a.py", line=3)`."""

    def __init_subclass__(cls) -> None:
        fields: dict[str, Field] = dict(getattr(cls, "__fields__", {}))
        for name, written in cls.__annotations__.items():
            # A class without annotations of its own shows those of its base, whose fields are known already.
            if str(written).startswith("ClassVar") or (name in fields and name not in vars(cls)):
                continue
            given = vars(cls).get(name, MISSING)
            said = given if isinstance(given, Field) else Field(default=given)
            # Written as text in modules with `from __future__ import annotations`, as they are elsewhere.
            said.type = written.__name__ if type(written) is type else str(written)
            fields[name] = said
            if said is given:
                # The default stays as a class attribute, which instances without a value fall back to.
                delattr(cls, name) if said.required else setattr(cls, name, said.default)
        cls.__fields__ = fields  # type: ignore[attr-defined]  # declared here, it would be a field itself

    def __init__(self, **given: object) -> None:
        fields = fields_of(type(self))
        unknown = given.keys() - fields.keys()
        if unknown:
            raise TypeError(f"{type(self).__name__} has no {', '.join(sorted(unknown))}")
        vars(self).update(given)

    def replace(self, **changes: object) -> Self:
        """The same value with these fields changed."""
        return type(self)(**{**vars(self), **changes})

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"{type(self).__name__} is frozen")

    def __eq__(self, other: object) -> bool:
        return type(self) is type(other) and items(self) == items(other)

    def __hash__(self) -> int:
        return hash(tuple(items(self)))

    def __repr__(self) -> str:
        shown = ", ".join(f"{name}={value!r}" for name, value in items(self))
        return f"{type(self).__name__}({shown})"


def fields_of(kind: type) -> dict[str, Field]:
    """The fields of a record's class by name, in the order of their declaration."""
    fields: dict[str, Field] = getattr(kind, "__fields__", {})
    return fields


def items(record: object) -> list[tuple[str, object]]:
    """The fields of a record with their values."""
    return [(name, getattr(record, name)) for name in fields_of(type(record))]
