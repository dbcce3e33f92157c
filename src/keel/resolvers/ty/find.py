"""Finds the ty to run: the one beside keel, else that of the active environment, else one on the search path.

Its version must be in the range that keel was tested with. An older one lacks required features and is skipped; a newer
one is used with a warning. The package `ty` is not imported, since a project may have a module of that name. Where
programs are looked for is left to `programs`, running the server to `resolver`.
"""

from __future__ import annotations

import re
import subprocess
from collections.abc import Iterator
from typing import NamedTuple

from keel.errors import HelperError, HelperMissing, HelperUnfit
from keel.resolvers.lsp.process import KILL, send_to_group
from keel.resolvers.programs import programs

OLDEST = (0, 0, 90)
"""Before 0.0.84 only files that an editor has open are answered for; 0.0.84 hangs when much is asked at once; 0.0.88
does not infer what functions return."""
NEWEST = (0, 0, 100)
"""The last that keel was tested with."""
VERSION_SECONDS = 10.0

INSTALL = f"run `pip install 'ty>={'.'.join(map(str, OLDEST))},<={'.'.join(map(str, NEWEST))}'` in keel's environment"

Version = tuple[int, ...]


class Ty(NamedTuple):
    """A ty that can be run."""

    path: str
    version: Version
    doubt: HelperUnfit | None
    """A warning about its version; may be empty."""


def find_ty() -> Ty:
    """The first ty that is not too old; HelperMissing or HelperUnfit when there is none."""
    refused: HelperError | None = None
    for path in _candidates():
        try:
            version = _version(path)
        except HelperError as error:
            refused = refused or error
            continue
        if version < OLDEST:
            problem = f"{_format(version)} ({path}) is too old, {_format(OLDEST)} is the oldest that keel can use"
            refused = refused or HelperUnfit("ty", problem, INSTALL)
            continue
        return Ty(path, version, _doubt(version, path))
    raise refused or HelperMissing("ty", hint=INSTALL)


def _doubt(version: Version, path: str) -> HelperUnfit | None:
    if version <= NEWEST:
        return None
    problem = f"{_format(version)} ({path}) is used, though keel was tested with none after {_format(NEWEST)}"
    return HelperUnfit("ty", problem, INSTALL)


def _candidates() -> Iterator[str]:
    return programs("ty")


def _version(path: str) -> Version:
    """The version that a ty says it has."""
    try:
        code, out = _run(path, "--version")
    except subprocess.TimeoutExpired:
        raise HelperUnfit("ty", f"({path}) does not say its version in {VERSION_SECONDS:g} s", INSTALL) from None
    except OSError as error:
        raise HelperMissing("ty", f"{path}: {error.strerror or error}", INSTALL) from None
    said = re.match(rb"ty (\d+)\.(\d+)\.(\d+)", out)
    if code or said is None:
        raise HelperUnfit("ty", f"({path}) does not say its version", INSTALL)
    return tuple(map(int, said.groups()))


def _run(*command: str) -> tuple[int, bytes]:
    """The code and the output of a short command; TimeoutExpired when it is none."""
    process = subprocess.Popen(
        command,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
    try:
        out, _ = process.communicate(timeout=VERSION_SECONDS)
    except BaseException:  # Ctrl-C too
        # With all that it started: who holds its output open would hold up keel.
        send_to_group(process, KILL)
        process.communicate()
        raise
    return process.returncode, out


def _format(version: Version) -> str:
    return ".".join(map(str, version))
