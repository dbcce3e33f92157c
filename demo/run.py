"""The demo: keel on a small project in a temporary folder, command by command, as a new user would type them.

The sample project is `demo/sample`; what the commands do is theirs to show.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

SAMPLE = Path(__file__).parent / "sample"


def main() -> int:
    """Maps the sample, asks about it, edits it, and asks again."""
    with tempfile.TemporaryDirectory() as folder:
        shop = Path(folder) / "shop"
        shutil.copytree(SAMPLE, shop, ignore=shutil.ignore_patterns("__pycache__", ".keel"))
        keel(shop, "map")
        keel(shop, "where", "discounted")
        keel(shop, "describe", "Cart.reduced")
        say("# what calls it, and what it calls")
        keel(shop, "discover", "Cart.reduced")
        say("# which references have an edge, how sure keel is of each, and why the others have none")
        keel(shop, "stats")
        say("# an edit by anybody, with anything: `discounted` gets another name")
        rename(shop / "shop" / "pricing.py", "def discounted(", "def less(")
        keel(shop, "sync")
        keel(shop, "where", "less")
        say("# the import that this broke: it has no edge any more, and says why")
        keel(shop, "export", "--kind", "module", "--kind", "import", "--path", "shop/cart.py")
    return 0


def keel(folder: Path, *words: str) -> None:
    """Runs one command in a folder and shows both."""
    say(f"$ keel {' '.join(words)}")
    status = subprocess.run([sys.executable, "-m", "keel", *words], cwd=folder, check=False).returncode
    if status:
        raise SystemExit(f"keel {words[0]} ended with {status}")
    say("")


def rename(file: Path, old: str, new: str) -> None:
    """Replaces text in a file."""
    file.write_text(file.read_text().replace(old, new))


def say(text: str) -> None:
    """One line for the reader, before what follows it."""
    print(text, flush=True)


if __name__ == "__main__":
    sys.exit(main())
