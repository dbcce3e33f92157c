"""The baseline: the content of every file in the last commit, stored with the graph, so that git is asked only once.

It is valid as long as HEAD names the same commit and the same manifests exist. It is written when git was asked and
nothing changed meanwhile; files that are not in it yet, and repositories inside the workspace's, are left to git.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING

from keel.indexing.base.sources import Sources
from keel.indexing.git.repository import head_commit, repository_above
from keel.model.hashing import content_hash
from keel.model.refs import FileKey

if TYPE_CHECKING:
    from keel.indexing.context import IndexContext
    from keel.model.rows import FileRow
    from keel.ports.store import GraphReader, GraphWriter

LAST_COMMIT = "HEAD"
BASELINE = "baseline"
"""The note: a line with what it depends on, then one for each file, with its content hash there."""


def recall(context: IndexContext, reader: GraphReader, files: Sequence[FileRow]) -> tuple[str, Sources] | None:
    """The key of the last commit, and the files that differ from it; None when there is no valid baseline."""
    note = reader.note(BASELINE) or b""
    head, _, body = note.partition(b"\n")
    if not head or head.decode() != _hangs_on(context, reader):
        return None
    then = _contents(context, note, body)
    contents: dict[FileKey, bytes | None] = {}
    for row in files:
        content = then.get((row.root, row.path))
        if content is None:
            return None  # a new file, which may be in the commit all the same
        if content != row.content:
            contents[row.root, row.path] = content or None
    if len(then) > len(files):
        here = {(row.root, row.path) for row in files}
        contents |= {place: content for place, content in then.items() if content and place not in here}
    return head.decode(), Sources(contents, partial(_from_git, context.roots))


def _contents(context: IndexContext, note: bytes, body: bytes) -> dict[FileKey, bytes]:
    """The content hash of every file of the commit, by file key; empty for one that did not exist."""
    graph_cache = context.graph_cache
    if graph_cache is not None and graph_cache.baseline is not None and graph_cache.baseline[0] == note:
        return graph_cache.baseline[1]
    said = dict(map(_parsed, body.decode().split("\n"))) if body else {}
    if graph_cache is not None:
        graph_cache.baseline = note, said
    return said


def remember(
    context: IndexContext, writer: GraphWriter, files: Sequence[FileRow], found: Mapping[FileKey, bytes | None]
) -> None:
    """Writes the baseline; `scan_result` are the files that differ from it, as they were there."""
    head = _hangs_on(context, writer)
    if not head:
        return
    lines = [_line(row.content, (row.root, row.path)) for row in files if (row.root, row.path) not in found]
    lines += [_line(b"" if data is None else content_hash(data), place) for place, data in found.items()]
    writer.set_note(BASELINE, "\n".join((head, *lines)).encode())


def _line(content: bytes, place: FileKey) -> str:
    return f"{content.hex()}\t{place[0]}\t{place[1]}"


def _parsed(line: str) -> tuple[FileKey, bytes]:
    content, root, path = line.split("\t")
    return (root, path), bytes.fromhex(content)


def _hangs_on(context: IndexContext, reader: GraphReader) -> str:
    """The commits of all roots, and the manifests; empty when that is not known without git."""
    from keel.indexing.scan.manifests import noted

    said = [content_hash(noted(reader, language)).hex() for language in context.languages]
    for root, folder in context.roots.items():
        repository = repository_above(folder)
        commit = head_commit(repository) if repository is not None else ""
        if not commit:
            return ""
        said.append(f"{root} {folder} {commit}")
    return "\t".join(said).replace("\n", " ")


def _from_git(roots: Mapping[str, str], place: FileKey) -> bytes:
    """A file as a checkout of the last commit would write it."""
    from keel.errors import BaseError
    from keel.indexing.git.files import git
    from keel.model.ids import unescape_path

    root, path = place
    answer = git(roots[root], "cat-file", "--filters", f"{LAST_COMMIT}:./{unescape_path(path)}")
    if answer.problem:
        raise BaseError(roots[root], answer.problem)
    return answer.output
