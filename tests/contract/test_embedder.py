"""What every embedder promises: the same vectors anywhere, nearness by meaning, and nothing for what says nothing."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable

import pytest

from keel.embedders.static import StaticEmbedder, is_installed
from keel.ports.embedder import Embedder
from tests.meaning import FakeEmbedder
from tests.repository import TOP

needs_extra = pytest.mark.skipif(not is_installed(), reason="the extra `semantic` is not installed")
EMBEDDERS = [pytest.param(FakeEmbedder, id="fake"), pytest.param(StaticEmbedder, id="static", marks=needs_extra)]
TEXTS = ["delete user account", "price of cart", "open network connection", ""]


@pytest.fixture(params=EMBEDDERS)
def embedder(request: pytest.FixtureRequest) -> Embedder:
    make: Callable[[], Embedder] = request.param
    return make()


def test_each_text_has_one_vector_and_the_same_each_time(embedder: Embedder) -> None:
    vectors = embedder.embed(TEXTS)
    assert len(vectors) == len(TEXTS)
    assert len({len(vector) for vector in vectors[:-1]}) == 1
    assert embedder.embed(TEXTS) == vectors == [vector for text in TEXTS for vector in embedder.embed([text])]
    assert embedder.embed([]) == []


def test_what_says_nothing_is_near_nothing(embedder: Embedder) -> None:
    [nothing, something] = embedder.embed(["", "price"])
    assert nothing == b""
    assert embedder.gather([(1, something)]).nearest(nothing, 5) == []
    assert embedder.gather([(1, nothing)]).nearest(something, 5) == []
    assert embedder.gather([]).nearest(something, 5) == []


@needs_extra
@pytest.mark.parametrize("nonsense", ["xyzzyplugh", "asdfghjkl", "qwertyuiop zxcvbnm"])
def test_made_up_words_are_near_nothing(nonsense: str) -> None:
    embedder = StaticEmbedder()
    near = embedder.gather(enumerate(embedder.embed(TEXTS)))
    [asked] = embedder.embed([nonsense])
    assert near.nearest(asked, 5) == []


def test_the_nearest_comes_first(embedder: Embedder) -> None:
    near = embedder.gather(enumerate(embedder.embed(TEXTS), 10))
    [money, removal] = embedder.embed(["cost of cart", "remove user"])
    assert near.nearest(money, 1) == [11]
    assert near.nearest(removal, 1) == [10]
    assert sorted(near.nearest(money, 99)) == [10, 11, 12]
    assert near.nearest(money, 0) == []


def test_equally_near_ones_come_by_number(embedder: Embedder) -> None:
    [vector] = embedder.embed(["price"])
    assert embedder.gather([(7, vector), (3, vector), (5, vector)]).nearest(vector, 9) == [3, 5, 7]


def test_odd_text_is_no_trouble(embedder: Embedder) -> None:
    assert len(embedder.embed(["\0", "日本語 größe", "x" * 5000, "a\nb\tc"])) == 4


@needs_extra
def test_many_are_sifted_by_their_signs_first() -> None:
    embedder = StaticEmbedder()
    words = [f"{one} {other}" for one in ("red", "blue", "green") for other in map(str, range(1500))]
    near = embedder.gather(enumerate(embedder.embed([*words, "password hash salt"])))
    [asked] = embedder.embed(["hash of a password"])
    assert near.nearest(asked, 1) == [len(words)]


@needs_extra
def test_asking_whether_it_is_installed_loads_none_of_it() -> None:
    program = (
        "import sys; from keel.embedders.static import StaticEmbedder, is_installed; assert is_installed();"
        " StaticEmbedder(); print(sorted({'numpy', 'tokenizers', 'wordllama'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", program], cwd=TOP, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
