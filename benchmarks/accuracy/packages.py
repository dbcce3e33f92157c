"""The packages whose names are resolved: where their source is, and a place where a type checker can read it.

Fetching the source is left to `benchmarks.corpora`, asking about it to `truth`.
"""

from __future__ import annotations

import hashlib
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from benchmarks.corpora import PINS, cache_folder, corpus


@dataclass(frozen=True, slots=True)
class Sample:
    """What is read of a package, and what it is a sample of."""

    folders: tuple[str, ...]
    """Its own source, from the top of its tree; its tests, wherever they lie, are left out."""
    style: str


SAMPLES: Mapping[str, Sample] = {
    "httpx": Sample(("httpx",), "annotated throughout; the same client twice, blocking and async"),
    "fastapi": Sample(("fastapi",), "annotated; functions handed around, classes of other libraries as bases"),
    "django-ninja": Sample(("ninja",), "annotated in part; decorators, metaclasses of pydantic"),
    "pytest": Sample(("src/_pytest", "src/pytest"), "annotated, below `src`; plugins and hooks called by name"),
    "networkx": Sample(("networkx",), "hardly annotated; functions behind one decorator, re-exported by stars"),
    "docutils": Sample(("docutils",), "not annotated, grown since 2002; states and visitors found by name"),
    "django": Sample(("django",), "not annotated; large, managers and fields made at run time"),
}
"""The packages by their names on the registry."""
NAMES = tuple(SAMPLES)
TESTS = "tests"
REQUIREMENTS = Path(__file__).resolve().parent / "requirements"


class NotInstalled(Exception):
    """Something that the benchmark needs could not be installed; the message says why."""


@dataclass(frozen=True, slots=True)
class Package:
    """A pinned package. Paths of its files are relative to `tree`."""

    name: str
    version: str
    tree: Path
    """Its source as released, tests included: what keel maps."""
    room: Path
    """The package's own folders alone, without settings of its own: what a type checker is shown."""
    own_path: Path
    """Where answers and results are kept."""

    def files(self) -> list[str]:
        """The package's own files, without tests that lie among them."""
        found = [path for folder in SAMPLES[self.name].folders for path in (self.tree / folder).rglob("*.py")]
        own = [path.relative_to(self.tree) for path in found]
        return sorted(path.as_posix() for path in own if TESTS not in path.parts)


def package(name: str) -> Package:
    """A package, fetched on first use."""
    kept = accuracy_folder() / f"{name}-{PINS[name]}"
    kept.mkdir(parents=True, exist_ok=True)
    tree = corpus(name)
    room = kept / "room"
    if not room.is_dir():
        with tempfile.TemporaryDirectory(dir=kept) as making:
            whole = Path(making) / "room"
            for folder in SAMPLES[name].folders:
                shutil.copytree(tree / folder, whole / folder, ignore=shutil.ignore_patterns("__pycache__"))
            whole.rename(room)
    return Package(name, PINS[name], tree, room, kept)


def accuracy_folder() -> Path:
    """Where everything of this benchmark is kept, beside the corpora."""
    return cache_folder() / "accuracy"


def dependencies(package: Package) -> Path:
    """A virtual environment with the pinned dependencies of a package, and not the package itself."""
    return installed(package.own_path / "environment", REQUIREMENTS / f"{package.name}.txt")


def environment_digest(package: Package) -> str:
    """What the answers of a checker depend on besides the source: the dependencies, as a short text."""
    return hashlib.sha256((REQUIREMENTS / f"{package.name}.txt").read_bytes()).hexdigest()[:8]


def installed(folder: Path, requirements: Path) -> Path:
    """A virtual environment with exactly what a file of requirements lists; made anew when the list changes."""
    wanted = hashlib.sha256(requirements.read_bytes()).hexdigest()
    ready = folder / "ready"
    if not ready.exists() or ready.read_text(encoding="utf-8") != wanted:
        said([sys.executable, "-m", "venv", "--clear", str(folder)])
        pip = [str(folder / "bin" / "python"), "-m", "pip", "install", "--quiet", "--no-deps"]
        said([*pip, "--requirement", str(requirements)])
        ready.write_text(wanted, encoding="utf-8")
    return folder


def pinned(name: str) -> str:
    """The version of a tool that its own file of requirements pins."""
    lines = (REQUIREMENTS / f"{name}.txt").read_text(encoding="utf-8").splitlines()
    return next(line.partition("==")[2] for line in lines if line.startswith(f"{name}=="))


def said(command: list[str], cwd: Path | None = None) -> str:
    """What a command printed; an error with its last words when it fails."""
    done = subprocess.run(
        command, cwd=cwd, stdin=subprocess.DEVNULL, capture_output=True, encoding="utf-8", errors="replace"
    )
    if done.returncode:
        words = done.stderr.strip().splitlines() or ["no word why"]
        raise NotInstalled(f"{Path(command[0]).name} {' '.join(command[1:4])}: {words[-1]}")
    return done.stdout
