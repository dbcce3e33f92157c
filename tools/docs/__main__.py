"""`python -m tools.docs`: writes every generated page and region, and the output that pages show of commands.

What differs from before is named; what is generated is left to `pages`, what commands print to `sessions`.
"""

from __future__ import annotations

import sys

from tools.docs import pages, sessions
from tools.docs.repository import TOP


def main() -> int:
    """Writes what differs, removes what is no longer made, and says so."""
    told = 0
    for name in pages.stale():
        (TOP / name).unlink()
        print(f"removed {name}")
        told += 1
    for name, text in pages.generated().items():
        told += _write(name, text)
    for page in sessions.pages():
        told += _write(page, sessions.refreshed(page))
    print(f"docs: {told} files written or removed" if told else "docs: everything is as it should be")
    return 0


def _write(name: str, text: str) -> int:
    path = TOP / name
    if path.exists() and path.read_text(encoding="utf-8") == text:
        return 0
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8", newline="\n")
    print(f"wrote {name}")
    return 1


if __name__ == "__main__":
    sys.exit(main())
