"""The closed vocabularies of the graph: the kinds of nodes, references, edges, reasons and tiers.

A new member is a product decision and is appended at the end, since the numbers are stored. The docstring below a
member is its meaning, from which `docs/vocabulary.md` is made; using the words is left to all other parts.
"""

from __future__ import annotations

from enum import IntEnum


class Word(IntEnum):
    """A closed set whose members are stored as numbers and shown as lower-case words."""

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
        """The member of a word; KeyError when there is none."""
        return cls[word.upper()]


class NodeKind(Word):
    """What a node is."""

    FILE = 0
    """A source file."""
    MODULE = 1
    """What others import: a file, several files, or a part of one; definitions at its top level belong to it."""
    PACKAGE = 2
    """A package: the workspace's own, or one it depends on."""
    CLASS = 3
    """A class."""
    INTERFACE = 4
    """An interface."""
    TRAIT = 5
    """A trait."""
    STRUCT = 6
    """A structure or record type."""
    ENUM = 7
    """An enumeration."""
    TYPE_ALIAS = 8
    """A name for a type."""
    FUNCTION = 9
    """A function that belongs to no class, nested functions and lambdas among them."""
    METHOD = 10
    """A function in the body of a class."""
    FIELD = 11
    """A variable of a class or of its instances."""
    CONSTANT = 12
    """A variable at the top level of a module."""
    TEMPLATE = 13
    """A Daml template."""
    CHOICE = 14
    """A Daml choice."""
    VIEWTYPE = 15
    """The view type of a Daml interface."""
    EXCEPTION = 16
    """A Daml exception."""
    CONSTRUCTOR = 17
    """A data constructor."""
    TYPECLASS = 18
    """A type class."""
    INSTANCE = 19
    """An instance of a type class."""
    ROUTE = 20
    """What a service answers to: a path, a topic, a queue."""
    CLIENT = 21
    """A place that calls a route over the network."""
    PRODUCER = 22
    """A place that sends messages to a topic or queue."""
    TOOL = 23
    """A tool that an agent can ask for."""


class RefKind(Word):
    """In what role a name is used."""

    IMPORT = 0
    """A name that an import statement brings in."""
    CALL = 1
    """A name that is called; calling a class makes an `instantiates` edge."""
    INSTANTIATE = 2
    """A name that is instantiated, in languages with a syntax for it."""
    TYPE = 3
    """A name in a type annotation."""
    INHERIT = 4
    """A base class."""
    DECORATE = 5
    """A decorator."""
    READ = 6
    """A name that is only read."""
    SIGNATORY = 7
    """A signatory of a Daml template."""
    CONTROLLER = 8
    """A controller of a Daml choice."""
    OBSERVER = 9
    """An observer in Daml."""
    IMPLEMENTS = 10
    """An interface that is implemented."""
    REQUIRES = 11
    """An interface that another requires."""
    CREATE = 12
    """A contract that is created."""
    EXERCISE = 13
    """A choice that is exercised."""
    FETCH = 14
    """A contract that is fetched."""


class EdgeKind(Word):
    """How one node relates to another."""

    CONTAINS = 0
    """The source holds the target's definition."""
    EXPORTS = 1
    """The module offers the target to its importers."""
    IMPORTS = 2
    """The source imports the target."""
    CALLS = 3
    """The source calls the target."""
    INSTANTIATES = 4
    """The source makes an instance of the target."""
    REFERENCES = 5
    """The source reads the target's name."""
    TYPE_OF = 6
    """The source has the target in an annotation."""
    INHERITS = 7
    """The target is a base class of the source."""
    IMPLEMENTS = 8
    """The source implements the target."""
    OVERRIDES = 9
    """The source replaces the target in a subclass."""
    DECORATES = 10
    """The source is decorated with the target."""
    INJECTS = 11
    """The source gets the target by injection."""
    EXPOSES = 12
    """The source answers the route."""
    DECLARES_CLIENT = 13
    """The source holds the client."""
    DECLARES_PRODUCER = 14
    """The source holds the producer."""
    HTTP_CALLS = 15
    """The client calls the route."""
    ASYNC_CALLS = 16
    """The producer sends to the route."""
    IN_PACKAGE = 17
    """The source belongs to the package."""
    DEPENDS_ON = 18
    """The package needs the other."""
    SIGNATORY = 19
    """The target is a signatory of the source."""
    OBSERVER = 20
    """The target is an observer of the source."""
    CONTROLLER = 21
    """The target is a controller of the source."""
    REQUIRES = 22
    """The interface requires the other."""
    CREATES = 23
    """The source creates the contract."""
    EXERCISES = 24
    """The source exercises the choice."""
    FETCHES = 25
    """The source fetches the contract."""
    DELEGATES_TO = 26
    """The tool is run by the other."""


class Tier(Word):
    """What found an edge."""

    TIER1_TREESITTER = 0
    """keel, from one file alone."""
    TIER2_TY = 1
    """The type checker ty."""
    TIER2_OXC = 2
    """The module resolver of oxc."""
    TIER2_TREESITTER_HEURISTIC = 3
    """keel, by imports and scopes across files; no type checker confirmed it."""
    TIER2_RUST_ANALYZER = 4
    """rust-analyzer."""
    TIER3_LSP = 5
    """A language server."""
    TIER3_SCIP = 6
    """A SCIP index."""


class Reason(Word):
    """Why a reference has no edge. `LINKED` means that it has one."""

    LINKED = 0
    """It has an edge."""
    NO_CANDIDATE = 1
    """Nothing of that name is visible from there."""
    AMBIGUOUS = 2
    """Several definitions may be meant; they are listed, none is chosen."""
    DYNAMIC = 3
    """It depends on a value (a variable, a parameter, the result of a call) or a name that only a run would tell."""
    EXTERNAL = 4
    """It belongs to a package outside the workspace, or to the language itself."""
    PROVIDER_FAILED = 5
    """The helper that should have answered failed."""
    NOT_LOOKED = 6
    """It depends on more values or calls than the analysis follows, or on a construct that it does not follow."""


class StepKind(Word):
    """What a step of evidence shows."""

    IMPORT = 0
    """An import statement."""
    RE_EXPORT = 1
    """A name that a module re-exports."""
    CALL = 2
    """A call."""
    TYPE_REF = 3
    """A type that is named."""
    INHERIT = 4
    """A base class."""
    ASSIGNMENT = 5
    """An assignment."""
    ANNOTATION = 6
    """An annotation."""
    CONSTANT = 7
    """A constant."""
    CONFIG = 8
    """A configuration file."""
    DEFINITION = 9
    """A definition, as it is now."""
    BEFORE = 10
    """A definition, in the accepted tree."""
    USE = 11
    """A use that is neither a call nor an import: a read, a base class, a decorator."""
    DIAGNOSTIC = 12
    """What a type checker says about the line."""


class ParamKind(Word):
    """How a parameter takes its argument."""

    POSITIONAL_ONLY = 0
    """By position only."""
    POSITIONAL_OR_KEYWORD = 1
    """By position or by name."""
    VAR_POSITIONAL = 2
    """All further positional arguments."""
    KEYWORD_ONLY = 3
    """By name only."""
    VAR_KEYWORD = 4
    """All further named arguments."""


class Visibility(Word):
    """Who may use a definition, by the language's own convention."""

    PUBLIC = 0
    """Every other part of the code."""
    PROTECTED = 1
    """By convention, only code close to it."""
    PRIVATE = 2
    """By convention, only the code that defines it."""


class ResolveReason(Word):
    """Why `resolve` takes a node for what an identifier names, the most specific first among those of one priority."""

    EXACT_ID = 0
    """It is the node's id, its hash, or one of its last hashes."""
    EXACT_FQN = 1
    """It is the name with its module, or the path of a file."""
    ROUTE_METHOD_PATH = 2
    """It is the method and path of a route, with its service or without."""
    CLIENT_TARGET_PATH = 3
    """It is what a client calls: the service and the path."""
    FQN_SUFFIX = 4
    """The name with its module ends with it; for a type or module its last name is enough."""
    ROUTE_TEMPLATE = 5
    """It is the path of a route, or the topic that it listens to."""
    SHORT_NAME = 6
    """It is the last name of a function, method or variable."""
    CLIENT_TARGET = 7
    """It is the service that a client calls."""
    TOOL_ID = 8
    """It is the id of a tool."""
    PRODUCER_TOPIC = 9
    """It is the topic that a producer sends to."""
    PACKAGE_NAME = 10
    """It is the name of a package."""
