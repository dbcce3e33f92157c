"""The packages whose functions are changed: pinned, fetched once, each in rooms of its own.

keel and the checkers have a room each, so that an edit for one is not seen by the other, and a third is never edited.
"""

from __future__ import annotations

import hashlib
import shutil
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

from benchmarks.accuracy.packages import installed, said
from benchmarks.corpora import cache_folder, git

REQUIREMENTS = Path(__file__).resolve().parent / "requirements"
PINS = {
    "httpx": "0.28.1",
    "jinja2": "3.1.6",
    "rich": "15.0.0",
    "mako": "1.4.3",
}
STYLES = {
    "httpx": "typed, a client of classes and keywords",
    "jinja2": "typed, a compiler of visitors, generated code",
    "rich": "typed, many small classes and protocols",
    "mako": "untyped, older style",
}
RELEASED = "released"
"""The folder that is not edited."""
LEFT_OUT = shutil.ignore_patterns("__pycache__", "tests", "*.pyc", "*.so")


@dataclass(frozen=True, slots=True)
class Package:
    """A pinned package. Paths of its files begin with its name."""

    name: str
    version: str
    room: Path
    """Its source in a git repository: what keel maps."""
    shown: Path
    """The same for the checkers."""
    own_path: Path
    """Where answers and results are kept."""

    def files(self) -> dict[str, bytes]:
        """The package's own source as released, by path."""
        released = self.own_path / RELEASED
        found = sorted((released / self.name).rglob("*.py"))
        return {path.relative_to(released).as_posix(): path.read_bytes() for path in found}


def package(name: str) -> Package:
    """A package, fetched on first use and as it was released."""
    kept = mutations_folder() / f"{name}-{PINS[name]}"
    kept.mkdir(parents=True, exist_ok=True)
    room, shown = kept / "room", kept / "shown"
    if not (kept / RELEASED).is_dir():
        with tempfile.TemporaryDirectory(dir=kept) as making:
            whole = Path(making)
            _fetch(name, whole / "fetched")
            for place in (room, shown, kept / RELEASED):
                made = whole / place.name
                shutil.copytree(whole / "fetched" / name, made / name, ignore=LEFT_OUT)
                _commit(made)
                shutil.rmtree(place, ignore_errors=True)
                made.rename(place)
    for place in (room, shown):  # a run that was killed may have left an edit
        git(place, "checkout", "--quiet", "--", ".")
        git(place, "clean", "--quiet", "--force", "--", name)
    return Package(name, PINS[name], room, shown, kept)


def mutations_folder() -> Path:
    """Where everything of this benchmark is kept, beside the corpora."""
    return cache_folder() / "mutations"


def dependencies(one: Package) -> Path:
    """A virtual environment with the pinned dependencies of a package, and not the package itself."""
    return installed(one.own_path / "environment", REQUIREMENTS / f"{one.name}.txt")


def environment_digest(one: Package) -> str:
    """What the answers of a checker depend on besides the source, as a short text."""
    return hashlib.sha256((REQUIREMENTS / f"{one.name}.txt").read_bytes()).hexdigest()[:8]


def _fetch(name: str, target: Path) -> None:
    pip = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--no-compile", "--target", str(target)]
    said([*pip, f"{name}=={PINS[name]}"])


def _commit(tree: Path) -> None:
    git(tree, "init", "--quiet")
    (tree / ".git" / "info" / "exclude").write_text("/.keel/\n__pycache__/\n", encoding="utf-8")
    git(tree, "add", "--all")
    author = ("-c", "user.name=bench", "-c", "user.email=bench@example.com")
    git(tree, *author, "commit", "--quiet", "--message", "As released")
