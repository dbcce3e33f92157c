"""Comparisons of two versions as lines that specs can expect: ` ```changes ` and ` ```renames ` blocks.

Files below `before/` and `after/` are the two versions. `changes` lists what has changed about `name=f` (reached
through `reached=instance`), in words, `breaks` when some call that fitted cannot fit any more, or `none`; `renames`
lists `old -> new` with how alike they are, or `none`.
"""

from __future__ import annotations

from collections.abc import Iterator

from keel.languages.python.binding.functions import Reached
from keel.languages.python.comparison.changes import moves
from keel.languages.python.comparison.signatures import Version, compare
from tests.spec.markdown import Block
from tests.texts import Texts

BEFORE, AFTER = "before/", "after/"


def check_changes(files: dict[str, bytes], block: Block) -> list[str]:
    """What of a `changes` block does not hold."""
    name = block.options.get("name", "f")
    versions = [Version(tree.names(), tree.place(name)) for tree in _versions(files)]
    found = compare(versions[0], versions[1], Reached(block.options.get("reached", "name")))
    told = [change.words for change in found.changes]
    told += ["breaks"] if found.broken is not None else []
    told += [f"not known: {found.doubt.words}"] if found.doubt is not None else []
    return _differing(block, told)


def check_renames(files: dict[str, bytes], block: Block) -> list[str]:
    """What of a `renames` block does not hold."""
    facts = [{path: tree.facts[number] for path, number in tree.numbers.items()} for tree in _versions(files)]
    told = []
    for each in moves(*facts):
        places = [f"{one.path}:{one.name}" if each.is_move else one.name for one in (each.before, each.after)]
        told.append(f"{places[0]} -> {places[1]} {each.likeness:.2f}")
    return _differing(block, told)


def _versions(files: dict[str, bytes]) -> Iterator[Texts]:
    for folder in (BEFORE, AFTER):
        texts = {path.removeprefix(folder): data.decode() for path, data in files.items() if path.startswith(folder)}
        yield Texts(texts)


def _differing(block: Block, told: list[str]) -> list[str]:
    expected = [line for _, line in block.lines() if line != "none"]
    if sorted(expected) == sorted(told):
        return []
    return [
        f"line {block.line}: {block.word} differ",
        *(f"- {line}" for line in expected if line not in told),
        *(f"+ {line}" for line in told if line not in expected),
    ]
