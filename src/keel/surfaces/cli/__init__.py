"""The command line: `main` is what the `keel` command calls.

Commands are the operations, and a few of the command line's own; arguments follow from their parameters, so no command
is named here. The work is left to the daemon where one listens (`through.py`), else to `main.py`; both are imported
where an interrupt can be caught.
"""

from __future__ import annotations

import gc
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["main"]

INTERRUPTED = 130
UTF8 = "utf-8"


def main(words: Sequence[str] | None = None) -> int:
    """Runs one command and returns its exit code; without `words`, those of the process."""
    # A command allocates many objects and ends soon: collecting cycles would only cost time.
    gc.set_threshold(100_000, 20, 100)
    try:
        if words is None and sys.getfilesystemencoding() != UTF8:
            _begin_again()
        if words is None:
            from keel.surfaces.cli.through import through

            code = through(sys.argv[1:])
            if code is not None:
                return code
        from keel.surfaces.cli.main import run

        return run(words)
    except KeyboardInterrupt:
        # Before the command began, or while its result was reported.
        from keel.surfaces.cli.streams import complain

        complain("keel: interrupted")
        return INTERRUPTED
    finally:
        gc.freeze()  # nor does the interpreter have to look for cycles in all of it at its end
        if words is None:
            _let_go()


def _begin_again() -> None:
    """Makes names of files UTF-8, whatever the locale says; Python decides that once, at its start."""
    import os

    if os.name == "posix" and sys.executable:
        os.execv(sys.executable, [sys.executable, "-X", "utf8", *sys.orig_argv[1:]])


def _let_go() -> None:
    """The answer is written: from here on an interrupt ends the process at once, without a traceback."""
    # `signal` itself takes a millisecond to make its enums.
    import _signal  # type: ignore[import-not-found]  # part of the interpreter, without a stub

    if _signal.getsignal(_signal.SIGINT) != _signal.SIG_IGN:  # as it is in the background
        _signal.signal(_signal.SIGINT, _signal.SIG_DFL)
