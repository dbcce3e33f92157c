"""What comes first in an answer that cannot hold everything: what much depends on, and source before tests.

Files are told to hold tests, or code of others, by the customs of the languages. Cutting answers short is left to
operations and formats.
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


_is_foreign = re.compile(
    r"(?:^|/)(?:_?vendor|_?vendored|third_party|thirdparty|3rdparty|extern|externals|node_modules)/"
    r"|(?:^|/)[^/]*(?:_pb2(?:_grpc)?\.pyi?|\.generated\.[^/.]+|_generated\.[^/.]+|\.pb\.go|\.min\.js)$"
).search


def is_foreign(path: str) -> bool:
    """Whether a file, by its path, was copied from elsewhere (vendored) or written by a program (generated)."""
    return _is_foreign(path) is not None
