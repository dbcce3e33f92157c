"""Source archives of pinned releases, fetched once from the package index that pip is set up with.

`pip download` would run the build of every single release to learn its name; here the index's own page is read, and
nothing of a package is run. What becomes of an archive is left to `repository`.
"""

from __future__ import annotations

import hashlib
import os
import re
import ssl
import urllib.error
import urllib.request
from functools import cache
from html import unescape
from pathlib import Path
from urllib.parse import urldefrag, urljoin

from pip._internal.models.index import PyPI  # pip says its default nowhere else

from benchmarks.checkout import said
from benchmarks.corpora import CorpusMissing, cache_folder

TIMEOUT_SECONDS = 180
SUFFIXES = (".tar.gz", ".tar.bz2")
_links = re.compile(r"<a\s[^>]*?href=\"([^\"]+)\"[^>]*>\s*([^<]+?)\s*</a>", re.IGNORECASE).findall


def archive(package: str, version: str) -> Path:
    """The source archive of a release."""
    folder = cache_folder() / "history" / "archives"
    held = [folder / f"{package}-{version}{suffix}" for suffix in SUFFIXES]
    for path in held:
        if path.is_file():
            return path
    for path, suffix in zip(held, SUFFIXES, strict=True):
        address = _addresses(package).get(f"{package}-{version}{suffix}")
        if address is not None:
            folder.mkdir(parents=True, exist_ok=True)
            _keep(path, _read(urldefrag(address).url), urldefrag(address).fragment)
            return path
    raise CorpusMissing(f"{package} {version} has no source archive in the package index")


@cache
def _addresses(package: str) -> dict[str, str]:
    """Where the archives of a package are, by their name in the spelling of `releases.toml`."""
    page = f"{_index().rstrip('/')}/{package}/"
    found = _links(_read(page).decode("utf-8", "replace"))
    return {name.lower(): urljoin(page, unescape(address)) for address, name in found}


@cache
def _index() -> str:
    named = os.environ.get("PIP_INDEX_URL") or said("python3", "-m", "pip", "config", "get", "global.index-url")
    return named or PyPI.simple_url


def _read(address: str) -> bytes:
    try:
        trusted = ssl.create_default_context(cafile=os.environ.get("PIP_CERT"))
        with urllib.request.urlopen(address, timeout=TIMEOUT_SECONDS, context=trusted) as answer:
            content: bytes = answer.read()
            return content
    except (urllib.error.URLError, TimeoutError) as error:
        raise CorpusMissing(
            f"the package index does not give {address.rpartition('/')[2] or address}: {error}"
        ) from error


def _keep(path: Path, content: bytes, fragment: str) -> None:
    """Puts an archive in its place, whole and as the index says it is."""
    sort, _, wanted = fragment.partition("=")
    if sort == "sha256" and hashlib.sha256(content).hexdigest() != wanted:
        raise CorpusMissing(f"{path.name} is not what the package index says it is")
    making = path.with_suffix(f".{os.getpid()}")
    making.write_bytes(content)
    making.replace(path)
