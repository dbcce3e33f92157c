"""The command line: `main` is what the `keel` command calls.

Commands are the operations there are, arguments follow from their parameters; nothing here knows a single one.
"""

from keel.surfaces.cli.main import main

__all__ = ["main"]
