"""Incremental equals full, at length: thousands of random edits, the kept graph compared with a fresh one after each.

`python -m benchmarks.incremental [N]` makes N edits (10,000) in small projects, a new one every few dozen. A difference
ends the run with its seed and the smallest projects that still show it. The edits are those of `tests.edits`.
"""

from __future__ import annotations

import random
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from tests.edits import Author, Tree, blocks_of
from tests.twins import Twins, difference

DEFAULT = 10_000
EPISODE = 40
"""Edits in one project."""
PROGRESS = 1_000
FIRST_SEED = 100_000
"""Far from the seeds of the tests."""
PROBES = 2_000
"""How often at most a failure is tried again, smaller."""


def main() -> int:
    """Runs the edits; 0 when every graph was equal."""
    wanted = int(sys.argv[1]) if len(sys.argv) > 1 else DEFAULT
    done, seed, started = 0, FIRST_SEED, time.process_time()
    while done < wanted:
        trees: list[Tree] = []
        for tree, failure in _episode(seed, min(EPISODE, wanted - done)):
            trees.append(tree)
            if failure:
                print(f"seed {seed}, edit {len(trees)}: incremental differs from full\n{failure}\n", flush=True)
                _reproduce(trees)
                return 1
            done += 1
            if done % PROGRESS == 0:
                print(f"{done:,} of {wanted:,} edits, {time.process_time() - started:.0f} CPU-s", flush=True)
        seed += 1
    print(f"{wanted} random edits: incremental = full, every time")
    return 0


def _episode(seed: int, edits: int) -> Iterator[tuple[Tree, str]]:
    """Each state of a project, and what was wrong with its graph."""
    author = Author(random.Random(seed).randrange)
    with tempfile.TemporaryDirectory() as folder:
        twins = Twins(Path(folder))
        tree = author.tree()
        history: list[Tree] = []
        for _ in range(edits):
            yield tree, _difference(twins, tree)
            history.append(tree)
            tree = author.edit(tree, history)


def _difference(twins: Twins, tree: Tree) -> str:
    twins.become(tree)
    try:
        kept, fresh = twins.sync(), twins.map()
    except Exception as error:
        return f"{type(error).__name__}: {error}"
    return "" if kept == fresh else difference(kept, fresh)


def _fails(trees: list[Tree]) -> str:
    """What goes wrong when a project goes through these states."""
    with tempfile.TemporaryDirectory() as folder:
        twins = Twins(Path(folder))
        return next(filter(None, (_difference(twins, tree) for tree in trees)), "")


def _reproduce(trees: list[Tree]) -> None:
    """Prints the smallest states that still fail, as a script."""
    if not _fails(trees):
        print("it did not fail again: it depends on time")
        return
    small = _smallest(trees)
    print("from benchmarks.incremental import replay\n\nreplay(\n    [")
    for tree in small:
        print("        {")
        for path, text in sorted(tree.items()):
            print(f"            {path!r}: {text!r},")
        print("        },")
    print("    ]\n)\n")
    print(_fails(small))


def replay(trees: list[Tree]) -> None:
    """Prints what goes wrong in these states, if anything does."""
    print(_fails(trees) or "incremental = full")


def _smallest(trees: list[Tree]) -> list[Tree]:
    """Without the states, files, blocks and lines that it fails without as well."""
    probes = 0
    progress = True
    while progress:
        progress = False
        for smaller in _smaller(trees):
            probes += 1
            if probes > PROBES:
                return trees
            if smaller != trees and _fails(smaller):
                trees, progress = smaller, True
                break
    return trees


def _smaller(trees: list[Tree]) -> Iterator[list[Tree]]:
    for index in range(len(trees) - 1):
        yield trees[:index] + trees[index + 1 :]
    paths = sorted({path for tree in trees for path in tree if not path.endswith("README")})
    for path in paths:
        yield [{other: text for other, text in tree.items() if other != path} for tree in trees]
    for path in paths:
        texts = {tree[path] for tree in trees if path in tree}
        pieces = {block for text in texts for block in blocks_of(text)}
        pieces |= {line for text in texts for line in text.splitlines(keepends=True)}
        for piece in sorted(pieces):
            yield [{**tree, path: tree[path].replace(piece, "")} if path in tree else tree for tree in trees]


if __name__ == "__main__":
    sys.exit(main())
