"""`python -m keel` is the `keel` command.

Everything is left to the command line.
"""

import sys

from keel.surfaces.cli import main

if __name__ == "__main__":
    sys.exit(main())
