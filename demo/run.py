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
        say("# an edit, by any program: `discounted` gets a parameter `currency`; which callers does that break?")
        replace(shop / "shop" / "pricing.py", "percent: float) -> float:", "percent: float, currency: str) -> float:")
        keel(shop, "compile", "shop/pricing.py", ends_with=1)
        say("# how keel knows")
        keel(shop, "explain", "E005", "discounted")
        say("# the caller is changed too: nothing is wrong, so nothing is printed")
        replace(shop / "shop" / "cart.py", "self.sum(), percent)", 'self.sum(), percent, "EUR")')
        keel(shop, "compile", "shop/cart.py")
    return 0


def keel(folder: Path, *words: str, ends_with: int = 0) -> None:
    """Runs one command in a folder and shows both."""
    say(f"$ keel {' '.join(words)}")
    status = subprocess.run([sys.executable, "-m", "keel", *words], cwd=folder, check=False).returncode
    if status != ends_with:
        raise SystemExit(f"keel {words[0]} ended with {status}")
    say("")


def replace(file: Path, old: str, new: str) -> None:
    """Replaces text in a file."""
    file.write_text(file.read_text().replace(old, new))


def say(text: str) -> None:
    """One line for the reader, before what follows it."""
    print(text, flush=True)


if __name__ == "__main__":
    sys.exit(main())
