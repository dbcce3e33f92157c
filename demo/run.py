"""The demo: keel at work on a small project, told in its own output.

It leaves every answer to the command line it calls; the project it shows is in `demo/sample`.
"""

from __future__ import annotations


def main() -> None:
    """Say that the demo is still to come."""
    print("The demo is not written yet.")


if __name__ == "__main__":
    main()
