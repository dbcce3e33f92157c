"""Which folders are never source, whatever the ignore files say: git's and keel's own, environments, build output.

What the tools of a language leave behind is said by its `Syntax`. Ignore files are read in `ignore.py` and by git
itself.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from keel.model.syntax import Syntax

NEVER = frozenset({".git", ".keel", "node_modules"})
"""Not looked into at all."""
OUTPUT = frozenset({"build", "dist", "target"})
"""Not looked into beside a manifest, unless git tracks something in them: elsewhere these are ordinary names."""
MANIFESTS = frozenset({"package.json", "Cargo.toml", "go.mod", "pom.xml", "build.gradle"})
"""Manifests of languages that are not read, too: their tools write the same folders."""
ANY = "*"


class NotSource(NamedTuple):
    """What the tools of the languages that are read leave behind."""

    leftovers: frozenset[str]
    """Folders that are not looked into unless git tracks something in them."""
    endings: tuple[str, ...]
    """The same, by how their names end."""
    marks: frozenset[str]
    """A folder with one of these is an environment."""
    environments: tuple[str, ...]
    """Ends of paths of folders that are environments by their mere name."""
    packages: frozenset[str]
    """Files that say of their folder that it is a package, and no environment."""
    manifests: frozenset[str]

    def is_left_behind(self, name: str, beside: Collection[str], tracked: bool) -> bool:
        """Whether a folder of this name, beside these names, is what tools leave behind."""
        if name in NEVER:
            return True
        if tracked:
            return False
        if name in OUTPUT:
            return not self.manifests.isdisjoint(beside)
        return name in self.leftovers or name.endswith(self.endings)

    def is_environment(self, path: str, inside: Collection[str], tracked: bool) -> bool:
        """Whether a folder with these names inside is an environment.

        One by its mere name is one too, unless git tracks it or it is a package.
        """
        if not self.marks.isdisjoint(inside):
            return True
        return path.endswith(self.environments) and not tracked and self.packages.isdisjoint(inside)


def not_source_of(syntaxes: Iterable[Syntax], manifests: Iterable[str]) -> NotSource:
    """What is no source where these languages are read, and these are their manifests."""
    known = list(syntaxes)
    left = [name for syntax in known for name in syntax.leftovers]
    return NotSource(
        frozenset(name for name in left if not name.startswith(ANY)),
        tuple(name.removeprefix(ANY) for name in left if name.startswith(ANY)),
        frozenset(name for syntax in known for name in syntax.environment_marks),
        tuple(f"/{name}" for syntax in known for name in syntax.environment_names),
        frozenset(name for syntax in known for name in syntax.package_files),
        MANIFESTS.union(manifests),
    )
