"""What comes first in an answer that cannot hold everything: symbols with many dependents, and source before tests.

Examples and copies of other projects' code are recognised by their path; what a test is, is left to the `Syntax` of
their language. Cutting answers short is left to operations and formats.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from keel.model.syntax import Syntax

_is_example = re.compile(r"(?:^|/)(?:docs?|docs_src|examples?|samples?|demos?|benchmarks?|tutorials?)/").search


def is_example(path: str) -> bool:
    """Whether a file, by its path, shows how code is used, or measures it: documentation, examples, benchmarks."""
    return _is_example(path) is not None


_is_vendored = re.compile(
    r"(?:^|/)(?:_?vendor|_?vendored|third_party|thirdparty|3rdparty|extern|externals|node_modules)/"
).search


def is_foreign(path: str, syntax: Syntax) -> bool:
    """Whether a file, by its path, was copied from elsewhere (vendored) or written by a program (generated)."""
    return _is_vendored(path) is not None or syntax.is_generated(path)
