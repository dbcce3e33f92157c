"""What comes first in an answer that cannot hold everything: what much depends on, and source before tests.

Files are told to hold tests by the customs of the languages. Cutting answers short is left to operations and formats.
"""

from __future__ import annotations

import re

_is_test = re.compile(
    r"(?:^|/)(?:tests|__tests__)/"  # a folder of tests anywhere
    r"|^(?:test|testing)/"  # further down, `test` is often part of the product: django.test
    r"|(?:^|/)(?:conftest\.py|tests\.py|test_[^/]*|[^/]*_tests?\.[^/.]+|[^/]*\.(?:test|spec)\.[^/.]+)$"
).search


def is_test(path: str) -> bool:
    """Whether a file, by its path below the root, holds tests or what only tests need."""
    return _is_test(path) is not None
