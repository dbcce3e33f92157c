"""Files stay small: a file past the limit answers a second question and wants to be two.

What belongs together is for the writer to say; only lines are counted here.
"""

from __future__ import annotations

from statistics import median

from tests.repository import name_of, source_modules

LIMIT = 600
MEDIAN_LIMIT = 150


def test_no_file_is_past_the_limit() -> None:
    sizes = {name_of(path): line_count(path.read_bytes()) for path in source_modules()}
    assert {name: size for name, size in sizes.items() if size > LIMIT} == {}


def test_the_median_file_is_short() -> None:
    middle = median(line_count(path.read_bytes()) for path in source_modules())
    assert middle <= MEDIAN_LIMIT


def line_count(content: bytes) -> int:
    """Lines as an editor counts them."""
    return len(content.splitlines())
