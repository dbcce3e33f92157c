"""Tool spaces over random trees: the first match wins, a change counts at once, and nothing outside is read."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import jsonschema
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from keel.errors import ToolError, ToolNotFoundError
from keel.model.refs import FileKey
from keel.toolspaces import reading
from keel.toolspaces.chain import elements_of
from keel.toolspaces.listing import ids_of
from keel.toolspaces.overview import entries
from keel.toolspaces.resolve import find_tool
from keel.toolspaces.schema import misfits, schema_problem
from keel.toolspaces.schema_errors import MAX_LENGTH, MAX_PROBLEMS
from keel.toolspaces.spaces import RANK, Space, Spaces
from keel.toolspaces.validation import validate_chain
from tests.toolspaces import manifest

NAMES = ("a", "b", "c", "d/e", "d/f", "g.h")
places = st.tuples(st.sampled_from(sorted(RANK)), st.sampled_from(NAMES))
trees = st.dictionaries(places, st.sampled_from([*NAMES, None]), max_size=14)
edits = st.lists(st.tuples(places, st.one_of(st.just("gone"), st.sampled_from([*NAMES, None]))), max_size=12)


@contextmanager
def spaces() -> Iterator[Spaces]:
    """Three empty spaces, the highest first."""
    top = tempfile.mkdtemp()
    try:
        real = os.path.realpath(top)
        yield tuple(Space(name, os.path.join(top, name), os.path.join(real, name)) for name in RANK)
    finally:
        shutil.rmtree(top)


def path_of(among: Spaces, place: FileKey) -> Path:
    root = next(space for space in among if space.name == place[0])
    return Path(root.tools, f"{place[1]}.py")


def put(among: Spaces, place: FileKey, executor: str | None) -> None:
    path = path_of(among, place)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(manifest(executor))


def check(among: Spaces, there: dict[FileKey, str | None]) -> None:
    """Holds everything that is asked against what a plain model says."""
    for item_id in NAMES:
        having = [name for name in RANK if (name, item_id) in there]
        if not having:
            with pytest.raises(ToolNotFoundError):
                find_tool(item_id, among)
            continue
        found = find_tool(item_id, among)
        assert found == find_tool(item_id, among)
        assert (found.space.name, found.path) == (having[0], str(path_of(among, (having[0], item_id))))
        assert [space for space, _ in found.shadows] == having[1:]
        check_chain(among, there, item_id)
    listed = {entry.item_id: entry.space for entry in entries(among)}
    assert listed == {
        item_id: min((s for s, i in there if i == item_id), key=lambda s: -RANK[s]) for _, item_id in there
    }
    for space in among:
        assert ids_of(space) == sorted(item_id for name, item_id in there if name == space.name)


def check_chain(among: Spaces, there: dict[FileKey, str | None], start: str) -> None:
    """The chain is a walk over first matches; what ends it otherwise is an error that keel names."""
    walk: list[FileKey] = []
    wanted: str | None = start
    while wanted is not None and wanted not in [item_id for _, item_id in walk]:
        having = [name for name in RANK if (name, wanted) in there]
        if not having:
            break
        walk.append((having[0], wanted))
        wanted = there[walk[-1]]
    if wanted is not None:
        with pytest.raises(ToolError):
            elements_of(start, among)
        return
    elements = elements_of(start, among)
    assert [(each.space, each.item_id) for each in elements] == walk
    ranks = [RANK[space] for space, _ in walk]
    assert validate_chain(elements).valid is (ranks == sorted(ranks, reverse=True))


@settings(max_examples=120, deadline=None)
@given(trees, edits)
def test_the_first_match_wins_and_every_change_counts_at_once(
    there: dict[FileKey, str | None], changes: list[tuple[FileKey, str | None]]
) -> None:
    with spaces() as among:
        for place, executor in there.items():
            put(among, place, executor)
        check(among, there)
        for place, executor in changes:
            if executor == "gone":
                path_of(among, place).unlink(missing_ok=True)
                there.pop(place, None)
            else:
                put(among, place, executor)
                there[place] = executor
            check(among, there)


links = st.dictionaries(places, st.sampled_from(["inside", "up", "absolute", "dangling", "ring"]), max_size=6)


@settings(max_examples=80, deadline=None)
@given(trees, links)
def test_nothing_outside_of_the_spaces_is_ever_read(
    there: dict[FileKey, str | None], turned: dict[FileKey, str]
) -> None:
    read: list[str] = []
    original = os.read

    def watched(descriptor: int, size: int) -> bytes:
        read.append(os.readlink(f"/proc/self/fd/{descriptor}"))
        return original(descriptor, size)

    with spaces() as among, pytest.MonkeyPatch.context() as patch:
        outside = Path(among[0].root).parent / "secret.py"
        outside.write_text(manifest(None))
        for place, executor in there.items():
            put(among, place, executor)
        for place, way in turned.items():
            path = path_of(among, place)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.unlink(missing_ok=True)
            targets: dict[str, str | Path] = {
                "inside": path.parent / "kept.py",
                "up": os.path.relpath(outside, path.parent),
                "absolute": outside,
                "dangling": path.parent / "nowhere",
                "ring": path,
            }
            path.symlink_to(targets[way])
            (path.parent / "kept.py").write_text(manifest(None))
        patch.setattr(os, "read", watched)
        for item_id in NAMES:
            try:
                elements_of(item_id, among)
            except ToolError:
                continue
        list(entries(among))
        roots = [os.path.realpath(space.root) for space in among]
        assert all(any(reading.is_inside(path, root) for root in roots) for path in read)


# parameters: every misfit is told, in words and within bounds

scalars = st.one_of(
    st.none(), st.booleans(), st.integers(-5, 5), st.sampled_from([0.5, 2.0]), st.text("ab", max_size=3)
)
values = st.recursive(
    scalars, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text("ab", max_size=2), inner, max_size=3)
)
types = st.sampled_from(["string", "boolean", "integer", "number", "array", "object", "null"])
keywords = {
    "type": types | st.lists(types, min_size=1, max_size=3, unique=True),
    "enum": st.lists(values, max_size=3),
    "const": values,
    "required": st.lists(st.text("ab", max_size=2), max_size=2, unique=True),
    "minimum": st.integers(-3, 3),
    "maximum": st.integers(-3, 3),
    "minLength": st.integers(0, 3),
    "maxLength": st.integers(0, 3),
    "exclusiveMinimum": st.integers(-3, 3),
    "multipleOf": st.integers(1, 3),
    "minProperties": st.integers(0, 2),
    "minItems": st.integers(0, 2),
    "maxItems": st.integers(0, 2),
    "title": st.text("ab", max_size=2),
}
schemas = st.recursive(
    st.booleans() | st.fixed_dictionaries({}, optional=keywords),
    lambda inner: st.fixed_dictionaries(
        {},
        optional={
            **keywords,
            "properties": st.dictionaries(st.text("ab", max_size=2), inner, max_size=3),
            "additionalProperties": inner,
            "items": inner,
            "anyOf": st.lists(inner, min_size=1, max_size=2),
            "oneOf": st.lists(inner, min_size=1, max_size=2),
            "not": inner,
            "propertyNames": inner,
        },
    ),
    max_leaves=4,
)


@settings(max_examples=400, deadline=None)
@given(schemas, values)
def test_a_value_that_does_not_fit_is_told_in_words_and_no_other(schema: object, value: object) -> None:
    assert schema_problem(schema) == ""
    library = jsonschema.Draft202012Validator(schema)  # type: ignore[arg-type]  # a schema can be a truth value
    told = misfits(schema, value)
    assert (told == []) is library.is_valid(value)
    assert all(line.startswith(("parameter '", "the parameters", "there ")) for line in told)
    assert all(len(line) <= MAX_LENGTH for line in told)
    assert len(told) <= MAX_PROBLEMS + 1
