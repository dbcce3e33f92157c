"""The folders that imports of a root start from, as programs outside of keel need them.

Which folders these are is left to the language.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any

from keel.indexing.scan.folders import on_disk, prefix_of
from keel.ports.language import Language, manifests_of
from keel.ports.tree import Tree


def sources_of(language: Language, tree: Tree[Any], folders: Mapping[str, str], root: str) -> tuple[str, ...]:
    """The folders that imports start from, those of a root first; one that is itself a package is left out."""
    manifests = manifests_of(language)
    sources = manifests.sources(tree) if manifests is not None else {}
    own_first = sorted(sources, key=lambda name: name != root)
    plain = ((name, source) for name in own_first for source in sources[name] if not source.package)
    found = (on_disk(prefix_of(folders[name]), source.folder).rstrip(os.sep) for name, source in plain)
    return tuple(dict.fromkeys(found))
