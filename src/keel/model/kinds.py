"""The closed vocabularies of the graph: what kinds of nodes, references, edges, reasons and tiers there are.

A new member is a decision about the product and is appended at the end, since the numbers are stored; the meaning of
each word is in `docs/concepts.md`.
"""

from __future__ import annotations

from enum import IntEnum


class Word(IntEnum):
    """A closed set whose members are stored as numbers and spoken as lower-case words."""

    @property
    def word(self) -> str:
        """The word that answers and exports use."""
        return self.name.lower()

    @classmethod
    def words(cls) -> tuple[str, ...]:
        """All words of the set, by number."""
        return tuple(member.word for member in cls)

    @classmethod
    def named(cls, word: str) -> Word:
        """The member behind a word; KeyError when there is none."""
        return cls[word.upper()]


class NodeKind(Word):
    """What a node is."""

    FILE = 0
    MODULE = 1
    PACKAGE = 2
    CLASS = 3
    INTERFACE = 4
    TRAIT = 5
    STRUCT = 6
    ENUM = 7
    TYPE_ALIAS = 8
    FUNCTION = 9
    METHOD = 10
    FIELD = 11
    CONSTANT = 12
    TEMPLATE = 13
    CHOICE = 14
    VIEWTYPE = 15
    EXCEPTION = 16
    CONSTRUCTOR = 17
    TYPECLASS = 18
    INSTANCE = 19
    ROUTE = 20
    CLIENT = 21
    PRODUCER = 22
    TOOL = 23


class RefKind(Word):
    """In what role a name is used."""

    IMPORT = 0
    CALL = 1
    INSTANTIATE = 2
    TYPE = 3
    INHERIT = 4
    DECORATE = 5
    READ = 6
    SIGNATORY = 7
    CONTROLLER = 8
    OBSERVER = 9
    IMPLEMENTS = 10
    REQUIRES = 11
    CREATE = 12
    EXERCISE = 13
    FETCH = 14


class EdgeKind(Word):
    """How one node stands to another."""

    CONTAINS = 0
    EXPORTS = 1
    IMPORTS = 2
    CALLS = 3
    INSTANTIATES = 4
    REFERENCES = 5
    TYPE_OF = 6
    INHERITS = 7
    IMPLEMENTS = 8
    OVERRIDES = 9
    DECORATES = 10
    INJECTS = 11
    EXPOSES = 12
    DECLARES_CLIENT = 13
    DECLARES_PRODUCER = 14
    HTTP_CALLS = 15
    ASYNC_CALLS = 16
    IN_PACKAGE = 17
    DEPENDS_ON = 18
    SIGNATORY = 19
    OBSERVER = 20
    CONTROLLER = 21
    REQUIRES = 22
    CREATES = 23
    EXERCISES = 24
    FETCHES = 25
    DELEGATES_TO = 26


class Tier(Word):
    """Who produced the evidence for an edge."""

    TIER1_TREESITTER = 0
    TIER2_TY = 1
    TIER2_OXC = 2
    TIER2_TREESITTER_HEURISTIC = 3
    TIER2_RUST_ANALYZER = 4
    TIER3_LSP = 5
    TIER3_SCIP = 6


class Reason(Word):
    """Why a reference has no edge. `LINKED` stands for one that has."""

    LINKED = 0
    NO_CANDIDATE = 1
    AMBIGUOUS = 2
    DYNAMIC = 3
    EXTERNAL = 4
    PROVIDER_FAILED = 5
    NOT_LOOKED = 6


class StepKind(Word):
    """What a step of evidence shows."""

    IMPORT = 0
    RE_EXPORT = 1
    CALL = 2
    TYPE_REF = 3
    INHERIT = 4
    ASSIGNMENT = 5
    ANNOTATION = 6
    CONSTANT = 7
    CONFIG = 8


class ParamKind(Word):
    """How a parameter takes its argument."""

    POSITIONAL_ONLY = 0
    POSITIONAL_OR_KEYWORD = 1
    VAR_POSITIONAL = 2
    KEYWORD_ONLY = 3
    VAR_KEYWORD = 4


class Visibility(Word):
    """Who may use a definition, by the language's own custom."""

    PUBLIC = 0
    PROTECTED = 1
    PRIVATE = 2
