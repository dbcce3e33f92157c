"""Bounded answers: what every verb that lists shares, so that no answer is unbounded, stale or empty in silence.

A listing is one page of the results: it states how many there are, how many of them it leaves out, and as of when the
graph is. An empty one states what that means. Cutting text to a budget of tokens is left to the formats, bringing the
graph up to date to `current_graph.py`.
"""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, NamedTuple, TypeVar

from keel.errors import StoreBusy, StoreFull
from keel.model.record import Record, field
from keel.model.rows import INDEXED
from keel.model.text.wording import counted
from keel.querying.current_graph import current_graph
from keel.querying.single_file import LAST_SYNC, NOW

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from typing import Any, ClassVar

    from keel.ports.store import GraphReader
    from keel.ports.workspace import Workspace

T = TypeVar("T")
MAX_ENTRIES = 1000
"""Entries that one answer has at most."""
FARTHEST = 10**9
"""Entries that can be skipped before the first: databases count little further."""
SYNC = "keel sync"
"""The command that brings the graph up to date."""
PROVEN, NEAR_MISS, STALE = "proven", "near_miss", "stale"
"""What an empty answer means: it does not exist; something similar may be meant; not known before a sync."""


class Page(Record):
    """Which page of a listing is requested."""

    limit: int = field("Show at most so many.", default=50, least=1, most=MAX_ENTRIES)
    offset: int = field("Leave out so many before the first.", default=0, least=0, most=FARTHEST)


class PageOfEdges(Page):
    """The same for listings that depend on edges."""

    min_confidence: float = field("Leave out edges with less confidence than this.", default=0.0, least=0, most=1)


class AsOf(NamedTuple):
    """As of when the graph behind an answer is, and why it is not current where it is not."""

    when: str = NOW
    problem: str = ""


class Absence(Record):
    """What it means that an answer is empty."""

    LAYOUT: ClassVar = ("{words}",)

    kind: str = field(
        "There is nothing, there is something near it, or the graph is old.", choices=(PROVEN, NEAR_MISS, STALE)
    )
    why: str = field("How that is known.")
    nearest: tuple[str, ...] = field("What may have been meant, the most similar first.", default=())
    command: str = field("What to run to know more; empty when there is nothing.", default="")

    @property
    def words(self) -> str:
        """All of it in words."""
        near = f"; did you mean {', '.join(self.nearest)}?" if self.nearest else ""
        command = f"; run `{self.command}`" if self.command else ""
        return f"{self.why}{near}{command}"


class Listing(Record):
    """What an answer that lists says about itself. Its entries are a field of the verb's own.

    `{unshown}`, `{freshness}` and `{nothing}` in a layout give it in words, each only where there is something to say.
    """

    total: int = field("How many there are, shown or not.")
    offset: int = field("How many were left out before the first that is shown.")
    left_out: int = field("How many are not shown, before and after those that are.")
    as_of: str = field("Of when the graph is that was asked.", choices=(NOW, LAST_SYNC))
    problem: str = field("Why the graph is not current; empty when it is, or when no sync was tried.", default="")
    absence: Absence | None = field("What it means that there is nothing; null when there is something.", default=None)

    @property
    def unshown(self) -> str:
        """How many entries are left out, in words."""
        if not self.left_out:
            return ""
        after = self.left_out - min(self.offset, self.total)
        more = f"--offset {self.total - after} shows more" if after else "--offset 0 shows them"
        return f"not shown: {self.left_out:,} of {self.total:,}; {more}"

    @property
    def freshness(self) -> str:
        """As of when the answer is, in words, unless it is current."""
        return freshness_of(AsOf(self.as_of, self.problem))

    @property
    def nothing(self) -> str:
        """What an empty answer means, in words."""
        return self.absence.words if self.absence is not None else ""


def freshness_of(as_of: AsOf) -> str:
    """As of when a graph is, in words, unless it is current."""
    if as_of.when == NOW:
        return ""
    why = f" ({as_of.problem})" if as_of.problem else ""
    return f"as of {as_of.when}{why}; `{SYNC}` brings the graph up to date"


@contextmanager
def freshest_graph(workspace: Workspace) -> Iterator[tuple[GraphReader, AsOf]]:
    """The current graph; where it cannot be written, that of the last sync, with the reason: that beats no answer."""
    as_of = AsOf()
    try:
        with current_graph(workspace):
            pass
    except (StoreBusy, StoreFull) as error:
        as_of = AsOf(LAST_SYNC, error.message())
    with workspace.store.reading() as reader:
        yield reader, as_of


def page_of(found: Sequence[T], page: Page) -> Sequence[T]:
    """The requested page of the results."""
    return found[page.offset : page.offset + page.limit]


def listing_fields(page: Page, shown: int, total: int, as_of: AsOf, absence: Absence | None = None) -> dict[str, Any]:
    """The fields of a `Listing`, given how many entries are shown and how many there are."""
    return {
        "total": total,
        "offset": page.offset,
        "left_out": total - shown,
        "as_of": as_of.when,
        "problem": as_of.problem,
        "absence": absence if total == 0 else None,
    }


def absence_of(
    reader: GraphReader,
    what: str,
    as_of: AsOf,
    nearest: Iterable[str] = (),
    doubts: Sequence[str] = (),
    because: Sequence[str] = (),
) -> Absence:
    """What an empty result means; `what` names what was looked for.

    `doubts` are reasons why something may exist all the same, `because` is the reason why nothing does.
    """
    if as_of.when != NOW:
        why = f" ({as_of.problem})" if as_of.problem else ""
        return Absence(kind=STALE, why=f"{what}: nothing as of {as_of.when}{why}", command=SYNC)
    files = reader.files()
    unread = sum(file.state != INDEXED for file in files)
    said = [*doubts, *([f"{counted(unread, 'file')} could not be read"] if unread else [])]
    near = tuple(nearest)
    if near or said:
        return Absence(kind=NEAR_MISS, why="; ".join((f"{what}: nothing", *because, *said)), nearest=near)
    proven = f"{what}: nothing in all {counted(len(files), 'file')}, as of {NOW}"
    return Absence(kind=PROVEN, why="; ".join((proven, *because)))
