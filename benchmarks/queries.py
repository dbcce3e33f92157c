"""`python -m benchmarks.queries`: how long questions take on a graph of a million symbols, inside the operation.

The graph is made once (a minute or two) and kept with the corpora. Questions are asked in one process, as a warm server
asks them; bringing the graph up to date with files is no part of it, and measured by `make bench`. Prints each figure
with its bar and keeps them.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import resource
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass
from functools import partial
from random import Random
from statistics import quantiles
from typing import Any

from benchmarks.million import HUB, NOUNS, VERBS, Million, a_sentence, database, million, some_symbols
from benchmarks.report import RESULTS
from keel import __version__
from keel.errors import SymbolAmbiguous
from keel.graph.naming import dotted, id_of
from keel.model.hashing import to_text
from keel.operations import describe, discover, find, neighbors, resolve, search, where

SYMBOLS = 1_000_000
ASKED = 400
POINT_MS, SEARCH_MS, HUB_MS = 5.0, 50.0, 50.0
"""The bars: the 95th percentile of questions about one symbol, of searching, and of a hub."""
HUB_ASKED = 20
Ask = Callable[[], object]


@dataclass(frozen=True)
class Figure:
    """How long one kind of question takes, in milliseconds, and its bar."""

    measure: str
    median: float
    p95: float
    slowest: float
    cpu: float
    """The 95th percentile of the processor's time: what is left of it where others do not want the processor too."""
    bar: float | None = None

    @property
    def verdict(self) -> str:
        """Whether the bar is met."""
        if self.bar is None:
            return ""
        return "met" if self.p95 <= self.bar else "met by CPU time" if self.cpu <= self.bar else "NOT MET"


def main() -> None:
    """Asks, prints the table and keeps it."""
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.queries", description=(__doc__ or "").partition("\n")[0]
    )
    parser.add_argument("--symbols", type=int, default=SYMBOLS, help="how large a graph")
    parser.add_argument("--asked", type=int, default=ASKED, help="how many symbols are asked about, in every way")
    parser.add_argument("--write", action="store_true", help="keep the figures")
    options = parser.parse_args()
    found = million(options.symbols)
    figures = []
    for name, asked, bar in _questions(found, options.asked):
        figures.append(_figure(name, asked, bar))
        print(_row(figures[-1]), flush=True)
    text = _page(found, figures)
    print(f"\n{text}")
    if options.write:
        (RESULTS / "queries.md").write_text(text, encoding="utf-8")
        kept = {"setting": _setting(), "figures": [asdict(figure) for figure in figures]}
        (RESULTS / "queries.json").write_text(f"{json.dumps(kept, indent=2)}\n", encoding="utf-8")


def _questions(found: Million, count: int) -> Iterator[tuple[str, list[Ask], float | None]]:
    handles = _handles(found, count)
    unknown = [f"{handle}_x" for handle in handles["short name"]]
    everything = [handle for kind in handles.values() for handle in kind]
    yield "`resolve`, by all that follow", [_resolve(found, handle) for handle in everything], POINT_MS
    for kind, some in handles.items():
        yield f"`resolve` by {kind}", [_resolve(found, handle) for handle in some], None
    yield "`resolve` of a name that nothing has, with the nearest", [_resolve(found, one) for one in unknown], None
    exact = [*handles["id"], *handles["hash"], *handles["dotted name"]]
    for operation in (where, describe, discover):
        verb = operation.__name__.rpartition(".")[2]
        yield f"`{verb}` by id, hash and dotted name", [_about(found, operation, one) for one in exact], POINT_MS
    yield "`neighbors`, callers and callees", [_neighbors(found, one, "both") for one in exact], POINT_MS
    yield "`find`, classes of a module", [_find(found, one) for one in handles["dotted name"]], SEARCH_MS
    pages = [_neighbors(found, HUB, "in", offset) for offset in range(0, 70_000, 70_000 // HUB_ASKED)]
    yield "`neighbors` of a hub with 70,000 callers, a page of 50", pages, HUB_MS
    yield "`describe` of the hub", [_about(found, describe, HUB)] * HUB_ASKED, HUB_MS
    yield "`discover` of the hub", [_about(found, discover, HUB)] * HUB_ASKED, HUB_MS
    asked = _searched(handles["short name"])
    every = [text for texts in asked.values() for text in texts]
    yield "`search`, by all that follow", [_search(found, text) for text in every], SEARCH_MS
    for kind, texts in asked.items():
        yield f"`search` for {kind}", [_search(found, text) for text in texts], None


def _about(found: Million, operation: Any, symbol: str) -> Ask:
    return partial(operation.run, found.workspace, operation.Params(symbol=symbol))


def _handles(found: Million, count: int) -> dict[str, list[str]]:
    """Random symbols, named in every way."""
    handles: dict[str, list[str]] = {
        kind: [] for kind in ("id", "hash", "dotted name", "end of the name", "short name", "route")
    }
    with found.workspace.store.reading() as reader:
        for file, ordinal in some_symbols(found, count, seed=1):
            row, node = reader.file(file), reader.nodes(file)[ordinal]
            assert row is not None
            handles["id"].append(id_of(node, row))
            handles["hash"].append(to_text(node.hash))
            handles["dotted name"].append(dotted(node, row))
            handles["end of the name"].append(".".join(dotted(node, row).split(".")[-2:]))
            handles["short name"].append(node.name)
            handles["route"].append(f"GET /things/{file - file % 100}/{{}}")
    return handles


def _resolve(found: Million, identifier: str) -> Ask:
    return lambda: resolve.run(found.workspace, resolve.Params(identifier=identifier))


def _neighbors(found: Million, symbol: str, direction: str, offset: int = 0) -> Ask:
    params = neighbors.Params(ids=(symbol,), direction=direction, edge_types=("calls",), offset=offset)
    return lambda: neighbors.run(found.workspace, params)


def _searched(names: Sequence[str]) -> dict[str, list[str]]:
    """What a person types who looks for these: words of a name, some of them mistyped, or a sentence around them."""
    chance = Random(2)
    said = [name.strip("_").replace("_", " ") for name in names]
    return {
        "a name": list(names),
        "the words of a name": said,
        "a name that is typed wrong": [_mistyped(words, chance) for words in said],
        "the beginning of a name": [name[: 2 + len(name) // 2] for name in names],
        "what a sentence says": [f"where do we {words} for {a_sentence(chance)}" for words in said],
        "one common word": [chance.choice((*VERBS, *NOUNS)) for _ in said],
    }


def _mistyped(words: str, chance: Random) -> str:
    at = chance.randrange(1, len(words))
    return f"{words[:at]}{words[at + 1 :]}"


def _search(found: Million, query: str) -> Ask:
    return lambda: search.run(found.workspace, search.Params(query=query))


def _find(found: Million, name: str) -> Ask:
    module = ".".join(name.split(".")[:3])
    params = find.Params(kind="symbol", filter={"module": module, "symbol_kind": "class"})
    return lambda: find.run(found.workspace, params)


def _figure(name: str, asked: Sequence[Ask], bar: float | None) -> Figure:
    asked[0]()  # what is imported on the first question is not part of a warm server
    spent, used = [], []
    for ask in asked:
        began, worked = time.perf_counter(), time.process_time()
        with suppress(SymbolAmbiguous):  # an answer like any other
            ask()
        spent.append((time.perf_counter() - began) * 1000)
        used.append((time.process_time() - worked) * 1000)
    cuts = quantiles(spent, n=20, method="inclusive")
    return Figure(name, cuts[9], cuts[18], max(spent), quantiles(used, n=20, method="inclusive")[18], bar)


def _row(figure: Figure) -> str:
    times = " | ".join(f"{value:.3g} ms" for value in (figure.median, figure.p95, figure.slowest, figure.cpu))
    bar = f"{figure.bar:g} ms" if figure.bar is not None else ""
    return f"| {figure.measure} | {times} | {bar} | {figure.verdict} |"


def _page(found: Million, figures: list[Figure]) -> str:
    size = os.path.getsize(database(found)) / 2**20
    setting = ", ".join(f"{name} {said}" for name, said in _setting().items())
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    return "\n".join(
        [
            "# Questions on a large graph",
            "",
            f"Written by `make bench-queries`; not edited by hand. A generated graph of {found.symbols:,} symbols in",
            f"{found.files:,} files, {size:,.0f} MiB, asked in one process that does not look at files. Times are of",
            "the operation, without making text; the bar is for the 95th percentile, of CPU time where the machine was",
            f"busy. The process took {memory:,.0f} MiB.",
            "",
            "| question | median | p95 | slowest | p95 of CPU time | bar | met |",
            "| --- | --- | --- | --- | --- | --- | --- |",
            *map(_row, figures),
            "",
            f"Measured with {setting}.",
            "",
        ]
    )


def _setting() -> dict[str, object]:
    return {
        "keel": __version__,
        platform.python_implementation(): platform.python_version(),
        platform.system(): platform.release(),
        "cores": os.cpu_count(),
    }


if __name__ == "__main__":
    main()
