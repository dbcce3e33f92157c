"""From the text of manifests to what they declare: a reader by file name, paths relative to the workspace.

A manifest that cannot be read costs one warning and counts as one that declares nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from posixpath import join, normpath

from keel.languages.python.manifests import pyproject, setup_cfg, setup_py
from keel.languages.python.manifests.declared import Declared, Unreadable
from keel.model.ids import escape_path
from keel.model.manifests import Manifest, Source
from keel.ports.language import ManifestReading

READERS: dict[str, Callable[[str], Declared]] = {
    "pyproject.toml": pyproject.read,
    "setup.cfg": setup_cfg.read,
    "setup.py": setup_py.read,
}


def read_manifests(contents: Mapping[tuple[str, str], bytes]) -> ManifestReading:
    """What the manifests, given by root and path, declare, and what is wrong with them."""
    manifests: list[Manifest] = []
    warnings: list[str] = []
    for (root, path), data in sorted(contents.items()):
        name = path.rpartition("/")[2]
        try:
            declared = READERS[name](_text(data))
        except Unreadable as problem:
            warnings.append(f"{root}/{path}: {problem}; the usual layout is taken instead")
            declared = Declared()
        manifests.append(_placed(root, path, declared))
    return ManifestReading(manifests, warnings)


def _text(data: bytes) -> str:
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise Unreadable("is not UTF-8") from None


def _placed(root: str, path: str, declared: Declared) -> Manifest:
    folder = path.rpartition("/")[0]
    folders = [(_folder(folder, each.folder), each.package) for each in declared.sources]
    sources = {Source(at, package) for at, package in folders if at is not None and _is_package(package)}
    extra = {at for at in (_folder(folder, written) for written in declared.extra) if at is not None}
    return Manifest(
        root,
        path,
        declared.name,
        sorted(sources),
        sorted(extra),
        _unique(declared.packages),
        _unique(declared.members),
        _unique(declared.excluded),
    )


def _folder(base: str, written: str) -> str | None:
    """A folder as the graph names it; None when it does not lie in the root."""
    path = normpath(join(base, escape_path(written.replace("\\", "/"))))
    if path.startswith(("/", "../")) or path == "..":
        return None
    return "" if path == "." else path


def _is_package(dotted: str) -> bool:
    """Whether an import can name it; the empty name means all packages of a folder."""
    return not dotted or all(part.isidentifier() for part in dotted.split("."))


def _unique(items: Iterable[str]) -> list[str]:
    return list(dict.fromkeys(items))
