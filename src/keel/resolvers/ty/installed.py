"""A fingerprint of the packages that ty may find: it changes when some are installed or removed.

A running server is notified about files of the project only; when the fingerprint changes, it must be restarted. Which
environment to use is left to ty, so all candidates count.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterable, Iterator
from glob import glob
from shutil import which

ENVIRONMENTS = ("VIRTUAL_ENV", "CONDA_PREFIX")
PACKAGES = ("lib/python3*/site-packages", "Lib/site-packages")

Mark = tuple[tuple[str, int], ...]


def installed(folder: str, program: str, settings: str) -> Mark:
    """The folders of packages with their modification times; `program` is ty, with its settings."""
    configured = _configured(settings)
    prefixes = [os.path.join(folder, ".venv"), _prefix(program), configured, _prefix(configured)]
    prefixes += [os.environ[name] for name in ENVIRONMENTS if os.environ.get(name)]
    prefixes += [_prefix(python) for python in (which("python3"), which("python")) if python]
    found = {
        place
        for prefix in filter(None, prefixes)
        for pattern in PACKAGES
        for place in glob(os.path.join(prefix, pattern))
    }
    found.update(filter(None, os.environ.get("PYTHONPATH", "").split(os.pathsep)))
    return tuple(_stamped(sorted(found)))


def _configured(settings: str) -> str:
    """The environment, or its interpreter, that the user names; empty for none."""
    said = re.search(r'^python = (".*")$', settings, re.MULTILINE)
    return str(json.loads(said[1])) if said else ""


def _prefix(program: str) -> str:
    """The environment of a program in its `bin`."""
    return os.path.dirname(os.path.dirname(program))


def _stamped(folders: Iterable[str]) -> Iterator[tuple[str, int]]:
    for folder in folders:
        try:
            yield folder, os.stat(folder).st_mtime_ns
        except OSError:
            yield folder, 0
