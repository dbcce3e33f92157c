"""What keel reads and what it does not, from the registry and the constants of the scan.

How files are found is left to `keel.indexing`.
"""

from __future__ import annotations

from collections.abc import Iterable

from keel import registry
from keel.indexing.scan.excluded_folders import NEVER, OUTPUT, not_source_of
from keel.indexing.scan.regular_files import MAX_SIZE
from keel.ports.language import manifest_names
from tools.docs.markdown import table


def languages() -> str:
    """Every language with the suffixes of its files."""
    rows = [(one.name, _spans(one.suffixes), _spans(manifest_names(one))) for one in registry.languages()]
    return table(("language", "files", "also looked at, since imports depend on them"), rows)


def not_read() -> str:
    """What is left out, and on what ground."""
    found = registry.languages()
    left = not_source_of([one.syntax for one in found], [name for one in found for name in manifest_names(one)])
    endings = "".join(f", `*{ending}`" for ending in left.endings)
    named = [path.removeprefix("/") for path in left.environments]
    rows = [
        ("what git ignores, and what a `.keelignore` file names (in the syntax of `.gitignore`)", "always"),
        (_spans(NEVER), "always"),
        (f"environments: folders that hold {_spans(left.marks, ' or ')}", "always"),
        (_spans(named), "unless git tracks something in it, or it is a package"),
        (f"{_spans(left.leftovers)}{endings}", "unless git tracks something in them"),
        (_spans(OUTPUT), f"beside one of {_spans(left.manifests)}, unless git tracks something in them"),
        (f"files of more than {MAX_SIZE:,} bytes", "always; counted as `large`"),
        ("notebooks (`.ipynb`)", "always; counted as `notebook`"),
        ("files with a suffix of no language above", "always; counted as `suffix`"),
        ("symbolic links; sockets, pipes and devices", "always; counted as `link` and `special`"),
    ]
    return table(("not read", "when"), rows)


def _spans(words: Iterable[str], between: str = " ") -> str:
    return between.join(f"`{word}`" for word in (words if isinstance(words, tuple) else sorted(words)))
