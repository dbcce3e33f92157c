"""The command line: `main` is what the `keel` command calls.

Commands are the operations there are, and a few of the command line's own; arguments follow from their parameters.
Nothing here knows a single one. The work is done by a daemon where one listens (`through.py`), else by `main.py`; both
are imported where an interrupt can be caught.
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
    """Runs one command and returns its exit code; its words are those of the process when none are given."""
    # A command makes many values that are no garbage, and ends soon: looking for cycles can wait.
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
        # Before the command began, or while its end was told.
        from keel.surfaces.cli.streams import complain

        complain("keel: interrupted")
        return INTERRUPTED
    finally:
        gc.freeze()  # nor does the interpreter have to look for cycles in all of it at its end
        if words is None:
            _let_go()


def _begin_again() -> None:
    """Names of symbols and files are UTF-8, whatever the locale says; Python decides that once, when it starts."""
    import os

    if os.name == "posix" and sys.executable:
        os.execv(sys.executable, [sys.executable, "-X", "utf8", *sys.orig_argv[1:]])


def _let_go() -> None:
    """From here on the answer is out: an interrupt ends the process at once, without a word of Python's."""
    # `signal` itself takes a millisecond to make its enums.
    import _signal  # type: ignore[import-not-found]  # part of the interpreter, without a stub

    if _signal.getsignal(_signal.SIGINT) != _signal.SIG_IGN:  # as it is in the background
        _signal.signal(_signal.SIGINT, _signal.SIG_DFL)
