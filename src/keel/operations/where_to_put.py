"""Say where something belongs: the three modules that fit best, with the reasons.

A module is a directory. What is asked about is a description in words, for something that is still to be written, or a
symbol that exists. Words are compared with what modules are called, the names of their functions and classes and the
first lines of their documentation. A symbol is weighed as W001 does it: by what it calls, what calls it, the types it
touches and the words of its name; the module it is in is shown as well.

    keel where-to-put "send an email with an attachment"
    keel where-to-put calculate_shipping
    keel where-to-put src/checkout/cart.py:25 --json

A single word that names one symbol is that symbol; what names several, or none, is taken as a description. Files with
tests, examples, scripts, migrations and vendored code are not weighed. A score is between 0 and 1: of a symbol, the
share of everything about it that points to the module; of a description, how well the module knows its words. Scores of
two questions do not compare.

Exit code: 0 with an answer, 1 when nothing fits.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from keel.errors import UsageError
from keel.graph.lookup.handles import PathScope, find_all
from keel.graph.naming import kind_of
from keel.graph.placement.descriptions import reasons_of_text, signs_of_text
from keel.graph.placement.modules import Modules
from keel.graph.placement.placement import fits_of, reasons_of, siblings_of, signs_of
from keel.model.kinds import NodeKind
from keel.model.record import Record, field
from keel.model.text.topics import prose_topics
from keel.model.text.wording import format_counts
from keel.querying.current_graph import current_graph

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import ClassVar

    from keel.graph.lookup.handles import Match
    from keel.graph.placement.placement import Fit
    from keel.model.profiles import ModuleProfile
    from keel.model.syntax import Syntaxes
    from keel.ports.store import GraphReader
    from keel.ports.workspace import Workspace

    Reasons = Callable[[ModuleProfile, Fit], list[str]]

GROUP = "ask"
BEST = 3
SYMBOL, DESCRIPTION = "symbol", "description"
MAX_LETTERS = 1000
"""Of a description; what is longer is a text, not a description."""


class Params(Record):
    """What `where-to-put` can be asked."""

    what: str = field("A description in words, or a symbol by any handle that `where` takes.", positional=True)


class Module(Record):
    """A module something fits into."""

    LAYOUT: ClassVar = ("{module}  {score:.2f}  {size}  {why}",)

    module: str = field("The directory, with a `/` at the end.")
    root: str = field("The root it is in.")
    score: float = field("How well it fits, from 0 to 1.")
    functions: int = field("How many functions and methods it has.")
    classes: int = field("How many classes it has.")
    siblings: tuple[str, ...] = field("Functions it would be beside, the most related first.")
    reasons: tuple[str, ...] = field("Why it fits, in words.")

    @property
    def size(self) -> str:
        """How large it is, in words."""
        return format_counts({"class": self.classes, "function": self.functions})

    @property
    def why(self) -> str:
        """Reasons and siblings in a line."""
        beside = [f"beside {', '.join(self.siblings)}"] if self.siblings else []
        return "; ".join([*self.reasons, *beside])


class Result(Record):
    """Where it belongs."""

    LAYOUT: ClassVar = ("{headline}", "modules", "{note}")

    version: str = field("The version of this form of answer.", default="1.0")
    command: str = field("The command that answered.", default="where-to-put")
    what: str = field("What was asked about; of a symbol its qualified name.")
    asked_as: str = field("How it was understood.", choices=(SYMBOL, DESCRIPTION))
    hash: str = field("Of a symbol: its handle.", default="")
    stands_in: str = field("Of a symbol: the module it is in.", default="")
    modules: tuple[Module, ...] = field("The modules that fit best, at most three, the best first.")
    unknown: tuple[str, ...] = field("Words of the description that no module knows.", default=())
    note: str = field("A remark about the answer; usually empty.", default="")

    @property
    def headline(self) -> str:
        """What was asked, and whether there is an answer."""
        here = f", now in {self.stands_in}" if self.stands_in else ""
        return f"'{self.what}'{here}" if self.modules else f"no module fits '{self.what}'{here}"

    @property
    def exit_code(self) -> int:
        """1 when nothing fits."""
        return 0 if self.modules else 1


def run(workspace: Workspace, params: Params) -> Result:
    """Weighs the symbol, or the words, against every module."""
    what = params.what.strip()
    if not what:
        raise UsageError("name what to put somewhere: a description, or a symbol")
    with current_graph(workspace) as reader:
        matches = find_all(reader, what, PathScope(workspace.roots, workspace.here))
        if len(matches) == 1:
            return _symbol(reader, matches[0], workspace.syntaxes)
        return _description(reader, what[:MAX_LETTERS], len(matches), workspace.syntaxes)


def _symbol(reader: GraphReader, match: Match, syntaxes: Syntaxes) -> Result:
    from keel.model.hashing import to_text

    node, file, _ = match
    if kind_of(node) in (NodeKind.FILE.word, NodeKind.MODULE.word):
        raise UsageError(f"{file.path} is a {kind_of(node)}; name a function, method or class in it")
    modules = Modules(reader, syntaxes)
    if node.file not in modules.folders:
        note = "it is a test, an example or the like; where those go is up to the project"
        return Result(what=node.qualified_name, asked_as=SYMBOL, hash=to_text(node.hash), modules=(), note=note)
    fits = fits_of(signs_of(modules, node))
    return Result(
        what=node.qualified_name,
        asked_as=SYMBOL,
        hash=to_text(node.hash),
        stands_in=f"{modules.folders[node.file][1] or '.'}/",
        modules=_best(modules, fits, lambda _, fit: reasons_of(fit, modules.syntax(fit.folder)), node.name),
        note="" if fits else "nothing in the workspace uses it or is used by it, and no name is like its own",
    )


def _description(reader: GraphReader, text: str, matches: int, syntaxes: Syntaxes) -> Result:
    modules = Modules(reader, syntaxes)
    signs = signs_of_text(modules, text)
    known = {sign.what for sign in signs}
    unknown = tuple(word for word in prose_topics(text).values() if word not in known)
    return Result(
        what=text,
        asked_as=DESCRIPTION,
        modules=_best(modules, fits_of(signs), reasons_of_text),
        unknown=unknown,
        note="\n".join(_notes(unknown, matches)),
    )


def _notes(unknown: tuple[str, ...], matches: int) -> list[str]:
    said = [f"no module uses the words: {', '.join(unknown)}"] if unknown else []
    if matches > 1:
        said.append(f"taken as words, since {matches} symbols have that name; name one by its hash or path:line")
    return said


def _best(modules: Modules, fits: list[Fit], reasons: Reasons, own: str = "") -> tuple[Module, ...]:
    known = [(modules.profiles[fit.folder], fit) for fit in fits if fit.folder in modules.profiles]
    return tuple(_module(modules, profile, fit, reasons(profile, fit), own) for profile, fit in known[:BEST])


def _module(modules: Modules, profile: ModuleProfile, fit: Fit, reasons: list[str], own: str) -> Module:
    return Module(
        module=profile.path,
        root=fit.folder[0],
        score=round(fit.score, 2),
        functions=profile.size,
        classes=len(profile.classes),
        siblings=tuple(name for name in siblings_of(modules, fit) if name != own),
        reasons=tuple(reasons),
    )
