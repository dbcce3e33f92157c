"""The syntax of a language as one value: how it writes names, comments and signatures.

Every part that prints, counts or compares what was read from source uses the syntax of the file's language. Reading
source and resolving names are left to the languages.
"""

from __future__ import annotations

from functools import lru_cache

from keel.model.kinds import NodeKind
from keel.model.record import Record, field

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from re import Match
    from typing import Any

    from keel.model.facts import Def, Interface

    WriteSignature = Callable[[Interface, Def, str], str]
    """Writes the signature of a definition, under the given name."""

SUPPRESS = "keel:suppress"
"""The marker of a suppression, after the start of the comment."""

TESTS = (
    r"(?:^|/)(?:tests|__tests__)/"  # a folder of tests anywhere
    r"|^(?:test|testing)/"  # further down, `test` is often part of the product: django.test
    r"|(?:^|/)(?:[^/]*_tests?\.[^/.]+|[^/]*\.(?:test|spec)\.[^/.]+)$"
)
"""Paths of tests by the conventions that languages share."""
GENERATED = r"(?:\.generated|_generated|\.pb|\.min)\.[^/.]+$"
"""Paths of files written by a program, by the conventions that languages share."""


class Syntax(Record):
    """What one language means by a constructor, a receiver, a comment or a test.

    The defaults claim nothing: they are the syntax of a language that is not installed.
    """

    title: str = field("The language as people write it; empty for its name.", default="")
    separator: str = field("What separates the parts of a qualified name.", default=".")
    comment: str = field("What a comment that ends with its line begins with.", default="")
    doc_comment: str = field("What the documentation of a definition is called.", default="doc comment")
    constructors: tuple[str, ...] = field(
        "Methods that take the arguments of a construction, the first of them first.", default=()
    )
    initializers: tuple[str, ...] = field(
        "Methods that a construction runs beside its constructor; the call is not bound to them.", default=()
    )
    setter_decorator: str = field("What the decorator of a property's setter ends with.", default="")
    empty_bases: tuple[str, ...] = field("Bases that every package may use, and that declare no member.", default=())
    call_operators: tuple[str, ...] = field("Methods that run when an object is called like a function.", default=())
    receivers: tuple[str, ...] = field("Names of parameters that say no more than that it is a method.", default=())
    bound_parameters: int = field("How many leading parameters of a method no call gives.", default=0)
    nameless: str = field("The name that functions have which are written without one.", default="")
    entry_point: str = field("The name of the function that a program begins with.", default="main")
    special_affix: str = field("What names begin and end with that the language itself gives a meaning.", default="")
    private_prefix: str = field("What names begin with that are not meant for others.", default="")
    package_files: tuple[str, ...] = field("Files that are the module of the folder they are in.", default=())
    test_files: str = field("A pattern of paths that hold tests, beside the customs of all languages.", default="")
    test_prefix: str = field("What names of test functions begin with; empty: all in a file of tests.", default="")
    test_words: tuple[str, ...] = field("Words by which people ask for tests, beside `test`.", default=())
    generated_files: str = field("A pattern of paths that a program wrote, beside those of all languages.", default="")
    leftovers: tuple[str, ...] = field("Folders that its tools leave behind; `*.x` for all with this end.", default=())
    environment_marks: tuple[str, ...] = field("Names in a folder that is an installed environment.", default=())
    environment_names: tuple[str, ...] = field("Names of folders that are environments, unless packages.", default=())
    customary_names: tuple[str, ...] = field("Names that many functions have, each for itself.", default=())
    transparent_decorators: tuple[str, ...] = field("Decorators that leave a function what it is.", default=())
    write_signature: WriteSignature | None = field("Writes signatures; None for the plain form.", default=None)

    def __hash__(self) -> int:
        return hash((self.title, self.separator, self.comment))  # few differ, and the rest is left to equality

    def is_constructor(self, name: str, kind: int = 0) -> bool:
        """Whether constructing an instance runs a definition; some languages have a kind of definition for it."""
        return kind == NodeKind.CONSTRUCTOR or name in self.constructors or name in self.initializers

    def is_special(self, name: str) -> bool:
        """Whether the language itself defines the meaning of the name, and calls what has it."""
        affix = self.special_affix
        return bool(affix) and len(name) > 2 * len(affix) and name.startswith(affix) and name.endswith(affix)

    def is_public(self, name: str) -> bool:
        """Whether a name, by its spelling, is meant for other code."""
        return not self.private_prefix or not name.startswith(self.private_prefix)

    def is_test(self, path: str) -> bool:
        """Whether a file, by its path below the root, has tests or code that only tests need."""
        return _searching(TESTS, self.test_files)(path) is not None

    def is_test_name(self, name: str) -> bool:
        """Whether a function in a file of tests is itself a test, by its name."""
        return name.startswith(self.test_prefix)

    def is_generated(self, path: str) -> bool:
        """Whether a file, by its path, was written by a program."""
        return _searching(GENERATED, self.generated_files)(path) is not None

    def last_name(self, qualified: str) -> str:
        """The last part of a qualified name."""
        return qualified.rpartition(self.separator)[2]

    def owner(self, qualified: str) -> str:
        """A qualified name without its last part; empty for one that has only one."""
        return qualified.rpartition(self.separator)[0]

    def joined(self, *names: str) -> str:
        """Names as one qualified name; empty ones are left out."""
        return self.separator.join(name for name in names if name)

    def suppression(self, said: str) -> str:
        """A comment that suppresses a finding, with its text."""
        return f"{self.comment} {SUPPRESS} {said}".lstrip()

    def signature(self, interface: Interface, definition: Def, name: str = "") -> str:
        """The declaration of a definition, under its own name or the given one; empty for files and modules."""
        called = name or interface.text(definition.name)
        if self.write_signature is not None:
            return self.write_signature(interface, definition, called)
        from keel.model.signatures import plain_signature

        return plain_signature(interface, definition, called)


PLAIN = Syntax()
"""Of a language that is not known, such as one that is no longer installed."""


class Syntaxes(dict[str, Syntax]):
    """The syntax of each language, by its name; the plain one for all others."""

    def __missing__(self, language: str) -> Syntax:
        return PLAIN


def syntaxes_of(languages: Iterable[Any]) -> Syntaxes:
    """The syntaxes of some languages."""
    return Syntaxes({language.name: language.syntax for language in languages})


@lru_cache(64)
def _searching(common: str, own: str) -> Callable[[str], Match[str] | None]:
    import re  # a command that shows no path does without

    return re.compile(f"{common}|{own}" if own else common).search
