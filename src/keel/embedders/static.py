"""Static vectors: the mean of the vectors of a text's tokens, by the weights inside the package `wordllama`.

The package's own code is not run: it looks for downloads and brings a web client along. Its two files, a table of
32,000 vectors and the tokenizer's vocabulary, are all that is used, so that it works without a network. Vectors are
stored as 256 signed bytes; many are compared by their signs first, which takes milliseconds for a million. Which texts
are embedded is left to `indexing`.
"""

from __future__ import annotations

import json
import os
from functools import cached_property
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    import numpy as np
    from numpy.typing import NDArray

PACKAGE, NEEDED = "wordllama", ("numpy", "tokenizers")
WEIGHTS = os.path.join("weights", "l2_supercat_256.safetensors")
VOCABULARY = os.path.join("tokenizers", "l2_supercat_tokenizer_config.json")
TABLE = "embedding.weight"
DIMENSIONS = 256
LOT = 4096
"""Texts that are worked on together: enough to be fast, few enough to need little memory."""
MAX_WORDS = 1 << 16
"""Words whose vectors are remembered, a kilobyte each; with more, all are forgotten before the next texts."""
LARGEST = 127
SHATTERED = 4
"""A word in so many pieces or more, of two letters or fewer each, has no vector: it would be near to anything."""
FIRST_LOOK = 2000
"""So many are compared exactly, after a first look at the signs alone."""


def is_installed() -> bool:
    """Whether the extra `semantic` is installed, found without importing it."""
    return _folder() is not None and all(find_spec(name) is not None for name in NEEDED)


def _folder() -> str | None:
    found = find_spec(PACKAGE)
    places = list(found.submodule_search_locations or ()) if found is not None else []
    return next((place for place in places if os.path.exists(os.path.join(place, WEIGHTS))), None)


class StaticEmbedder:
    """The Embedder socket over the files of `wordllama`."""

    name = "wordllama l2_supercat 256"

    def __init__(self) -> None:
        self._rows: dict[str, int] = {}
        """The index in `_sums` of each word met before."""
        self._sums: list[NDArray[np.float32]] = []

    def embed(self, texts: Sequence[str]) -> list[bytes]:
        """A vector for each text."""
        return [vector for at in range(0, len(texts), LOT) for vector in self._embed(texts[at : at + LOT])]

    def gather(self, vectors: Iterable[tuple[int, bytes]]) -> StaticNearness:
        """Numbered vectors, ready to be asked."""
        return StaticNearness(vectors)

    def _embed(self, texts: Sequence[str]) -> list[bytes]:
        """Words are looked up once: the vector of a text is the sum of those of its words, scaled to one length."""
        import numpy as np

        if len(self._rows) > MAX_WORDS:
            self._rows.clear()
            self._sums.clear()
        split = [text.split() for text in texts]
        self._learn(dict.fromkeys(word for words in split for word in words if word not in self._rows))
        table = np.stack(self._sums) if self._sums else np.zeros((0, DIMENSIONS), dtype=np.float32)
        flat = np.fromiter((self._rows[word] for words in split for word in words), dtype=np.int64)
        made: list[bytes] = []
        start = 0
        for words in split:
            rows = table[flat[start : start + len(words)]]
            start += len(words)
            made.append(_packed(rows.sum(axis=0)) if len(rows) else b"")
        return made

    def _learn(self, words: Iterable[str]) -> None:
        for word in words:
            pieces = self._tokenizer.encode(word, add_special_tokens=False).ids
            tokens = [] if _is_shattered(word, len(pieces)) else pieces
            self._rows[word] = len(self._sums)
            self._sums.append(self._weights[tokens].astype("float32").sum(axis=0))

    @cached_property
    def _tokenizer(self) -> Any:
        from tokenizers import Tokenizer

        return Tokenizer.from_file(os.path.join(_folder() or "", VOCABULARY))

    @cached_property
    def _weights(self) -> NDArray[np.float16]:
        """The table, mapped into memory: only the rows that are asked for are read. The form is that of safetensors."""
        import numpy as np

        path = os.path.join(_folder() or "", WEIGHTS)
        with open(path, "rb") as file:
            size = int.from_bytes(file.read(8), "little")
            about = json.loads(file.read(size))[TABLE]
        assert about["dtype"] == "F16", "the form of the weights that this was written for"
        at = 8 + size + about["data_offsets"][0]
        return np.memmap(path, dtype=np.float16, mode="r", offset=at, shape=tuple(about["shape"]))


def _is_shattered(word: str, pieces: int) -> bool:
    """Whether the model knows a word letter by letter only, as it knows `xyzzyplugh`; other scripts are written so."""
    return word.isascii() and pieces >= SHATTERED and len(word) <= 2 * pieces


def _packed(vector: NDArray[np.float32]) -> bytes:
    """As signed bytes, the largest of them 127; empty when there is nothing in it."""
    largest = float(abs(vector).max())
    return (vector * (LARGEST / largest)).round().astype("int8").tobytes() if largest else b""


class StaticNearness:
    """Vectors as two matrices: their signs as bits, for a first look at all, and whole, for a second at few."""

    def __init__(self, vectors: Iterable[tuple[int, bytes]]) -> None:
        import numpy as np

        kept = [(number, vector) for number, vector in vectors if len(vector) == DIMENSIONS]
        self._numbers = np.array([number for number, _ in kept], dtype=np.int64)
        whole = np.frombuffer(b"".join(vector for _, vector in kept), dtype=np.int8)
        self._whole = whole.reshape(len(kept), DIMENSIONS)
        signs = np.packbits(self._whole > 0, axis=1).view(np.uint64)
        self._signs = np.ascontiguousarray(signs.T)  # column by column, which is five times as fast to compare

    def nearest(self, vector: bytes, limit: int) -> list[int]:
        """The numbers of those nearest to a vector, by the cosine between them."""
        import numpy as np

        if len(vector) != DIMENSIONS or not len(self._numbers) or limit < 1:
            return []
        asked = np.frombuffer(vector, dtype=np.int8)
        rows = self._first_look(asked, max(FIRST_LOOK, limit))
        some = self._whole[rows].astype(np.float32)
        cosines = some @ asked.astype(np.float32) / (np.linalg.norm(some, axis=1) + 1e-9)
        order = np.lexsort((self._numbers[rows], -cosines.round(4)))[:limit]
        return [int(number) for number in self._numbers[rows][order]]

    def _first_look(self, asked: NDArray[np.int8], most: int) -> NDArray[np.int64]:
        import numpy as np

        if len(self._numbers) <= most:
            return np.arange(len(self._numbers))
        differing = np.zeros(len(self._numbers), dtype=np.uint16)
        for column, signs in zip(self._signs, np.packbits(asked > 0).view(np.uint64), strict=True):
            differing += np.bitwise_count(column ^ signs)
        # There are but 257 distances: counting them is faster than putting a million rows in order.
        last = int(np.searchsorted(np.cumsum(np.bincount(differing)), most))
        nearer = np.flatnonzero(differing < last)
        return np.concatenate((nearer, np.flatnonzero(differing == last)[: most - len(nearer)]))
