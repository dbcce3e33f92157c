"""No server outlives keel, however keel goes: Ctrl-C, `kill`, `kill -9`, or a plain exit that forgot to close.

Ends that keel has in its hand are in `test_lsp_client`.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest

from tests.fake_server import Script
from tests.servers import LONG, fake, gone, processes_with

PARENT = """
import json, sys, time
from keel.resolvers.lsp.client import Client, Launch

client = Client(Launch(*json.loads(sys.stdin.readline())))
try:
    print("ready", flush=True)  # from here on it may be interrupted
    if sys.argv[1] == "forget":
        sys.exit(0)
    with client:
        client.call("fake/hang", None, 600)
except KeyboardInterrupt:
    print("interrupted", flush=True)
"""

SERVERS: dict[str, Script] = {
    "sound": {},
    # It heeds neither requests nor signals nor the end of its input: only force ends it.
    "stubborn": {"shutdown": "ignore"},
    "with a child": {"start": "child"},
}


@pytest.mark.parametrize("server", SERVERS)
@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM, signal.SIGHUP])
def test_no_server_outlives_a_killed_keel(number: signal.Signals, server: str, tmp_path: Path) -> None:
    with keel_process(tmp_path, SERVERS[server]) as keel:
        assert processes_with(str(tmp_path))
        keel.send_signal(number)
        assert keel.wait(LONG) == -number
        assert gone(str(tmp_path))


def test_killing_the_whole_group_of_keel_spares_no_server(tmp_path: Path) -> None:
    with keel_process(tmp_path, SERVERS["stubborn"]) as keel:
        os.killpg(keel.pid, signal.SIGKILL)
        assert gone(str(tmp_path))


@pytest.mark.parametrize("server", SERVERS)
def test_ctrl_c_ends_the_server_quietly(server: str, tmp_path: Path) -> None:
    with keel_process(tmp_path, SERVERS[server]) as keel:
        os.killpg(keel.pid, signal.SIGINT)  # as a terminal does
        out, err = keel.communicate(timeout=LONG)
        assert (out, err, keel.returncode) == (b"interrupted\n", b"", 0)
        assert gone(str(tmp_path))


@pytest.mark.parametrize("server", SERVERS)
def test_a_keel_that_forgets_to_close_leaves_nothing_behind(server: str, tmp_path: Path) -> None:
    with keel_process(tmp_path, SERVERS[server], "forget") as keel:
        out, err = keel.communicate(timeout=LONG)
        assert (out, err, keel.returncode) == (b"", b"", 0)
        assert gone(str(tmp_path))


@contextmanager
def keel_process(folder: Path, script: Script, what: str = "wait") -> Iterator[subprocess.Popen[bytes]]:
    """A process that has a server running and waits for an answer that does not come."""
    keel = subprocess.Popen(
        # How to start the server comes by its input: its command line would carry the mark of the server.
        [sys.executable, "-c", PARENT, what],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,
    )
    try:
        assert keel.stdin is not None
        assert keel.stdout is not None
        keel.stdin.write(json.dumps(fake(folder, script)).encode() + b"\n")
        keel.stdin.flush()
        assert keel.stdout.readline() == b"ready\n"
        yield keel
    finally:
        with suppress(ProcessLookupError):
            os.killpg(keel.pid, signal.SIGKILL)
        keel.communicate()
