"""Whatever happens to the daemon in the middle of an answer, the command has one, and it is right."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from keel import daemon
from keel.daemon import runtime_folder, socket_of
from keel.surfaces.daemon import client
from keel.surfaces.daemon.protocol import ALIVE, ANSWER, frame, pack, receive
from tests.daemons import LONG, alone, clear, environment, keel, log_of, process_of, running, served, serving, until
from tests.e2e.bad_input.running import fill_up, small_disk
from tests.e2e.daemon.conftest import BROKEN, FILES
from tests.workspaces import commit_all, write_files


@contextmanager
def pretending(folder: Path, does: Callable[[socket.socket], None]) -> Iterator[None]:
    """Something that listens where the daemon would, hears a question, and does this."""
    Path(runtime_folder()).mkdir(mode=0o700, exist_ok=True)
    path = Path(socket_of(os.path.realpath(folder)))
    path.unlink(missing_ok=True)
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(str(path))
        listener.listen()

        def hear() -> None:
            connection, _ = listener.accept()
            with connection:
                receive(connection)
                does(connection)

        thread = threading.Thread(target=hear, daemon=True)
        thread.start()
        yield
        thread.join(LONG)
    path.unlink(missing_ok=True)


WHOLE = frame(ANSWER, pack([b"0", b"oall is well\n"]))
BREAKS: dict[str, Callable[[socket.socket], None]] = {
    "it leaves without a word": lambda line: None,
    "it dies in the middle of its answer": lambda line: line.sendall(frame(ALIVE) + WHOLE[:-3]),
    "it says something else": lambda line: line.sendall(b"HTTP/1.0 200 OK\r\n\r\n"),
    "its answer makes no sense": lambda line: line.sendall(frame(ANSWER, b"\xff\xff\xff\xff\xff")),
}


@pytest.mark.parametrize("does", BREAKS.values(), ids=BREAKS.keys())
def test_the_command_does_the_work_itself_when(does: Callable[[socket.socket], None], shop: Path) -> None:
    (shop / "shop.py").write_text(BROKEN)
    expected = alone(shop, "compile", "shop.py")
    with pretending(shop, does):
        assert keel(shop, "compile", "shop.py") == expected


def test_one_that_is_silent_is_ended_and_the_work_done(shop: Path) -> None:
    (shop / "shop.py").write_text(BROKEN)
    expected = alone(shop, "compile", "shop.py")
    with serving(shop) as pid:
        os.kill(pid, signal.SIGSTOP)
        assert keel(shop, "compile", "shop.py") == expected
        assert os.waitpid(pid, 0)[1] == signal.SIGKILL


def test_an_interrupt_ends_the_client_as_it_ends_every_command(shop: Path) -> None:
    heard = threading.Event()

    def never(line: socket.socket) -> None:
        heard.set()
        while line.recv(1):
            pass

    with pretending(shop, never):
        words = [sys.executable, "-m", "keel", "compile", "shop.py"]
        child = subprocess.Popen(words, cwd=shop, env=environment(), stderr=subprocess.PIPE, encoding="utf-8")
        assert heard.wait(LONG)
        child.send_signal(signal.SIGINT)
        assert child.communicate(timeout=LONG)[1] == "keel: interrupted\n"
        assert child.returncode == 130


def test_a_full_disk_costs_no_verdict_and_nothing_that_was_there(tmp_path: Path) -> None:
    folder = tmp_path / "small"
    with small_disk(folder, "4m"):
        write_files(folder, FILES)
        commit_all(folder)
        assert alone(folder, "map")[0] == 0
        with serving(folder):
            assert keel(folder, "compile", "shop.py") == (0, "", "")
            (folder / "shop.py").write_text(BROKEN)
            filler = fill_up(folder)
            code, _, err = keel(folder, "compile", "shop.py")
            assert code == 1 or (code == 2 and "full" in err)
            filler.unlink()
            code, out, _ = keel(folder, "compile", "shop.py")
            assert (code, "till.py:6" in out) == (1, True)
            (folder / "shop.py").write_text(FILES["shop.py"])
            assert keel(folder, "compile", "shop.py") == (0, "", "")
        clear(folder)


def test_a_disk_that_is_full_for_the_daemon_alone_is_the_daemons_trouble(shop: Path) -> None:
    import resource

    with serving(shop) as pid:
        assert keel(shop, "compile", "shop.py") == (0, "", "")
        before = resource.prlimit(pid, resource.RLIMIT_FSIZE)
        resource.prlimit(pid, resource.RLIMIT_FSIZE, (100, before[1]))
        (shop / "shop.py").write_text(BROKEN)
        code, out, _ = keel(shop, "compile", "shop.py")
        assert (code, "till.py:6" in out) == (1, True)
        resource.prlimit(pid, resource.RLIMIT_FSIZE, before)
        (shop / "shop.py").write_text(FILES["shop.py"])
        assert keel(shop, "compile", "shop.py") == (0, "", "")


def test_another_user_is_neither_asked_nor_heard(shop: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with serving(shop):
        connection = client.connect(os.path.realpath(shop))
        assert connection is not None
        connection.close()
        monkeypatch.setattr(client, "peer_of", lambda _: (1, os.getuid() + 1))
        assert client.connect(os.path.realpath(shop)) is None


STRANGERS = """
import os, sys
from keel.surfaces.cli.answering import answer
from keel.surfaces.daemon import server
server.peer_of = lambda connection: (1, os.getuid() + 1)
server.serve(sys.argv[1], answer, lambda text: print(text, flush=True), None)
"""


def test_a_stranger_gets_no_answer(shop: Path) -> None:
    (shop / "shop.py").write_text(BROKEN)
    expected = alone(shop, "compile", "shop.py")
    words = [sys.executable, "-c", STRANGERS, os.path.realpath(shop)]
    child = subprocess.Popen(words, env=environment(), stdout=subprocess.PIPE, encoding="utf-8")
    until(lambda: process_of(shop) and Path(socket_of(os.path.realpath(shop))).exists())
    assert keel(shop, "compile", "shop.py") == expected
    child.terminate()
    assert "refused another user" in child.communicate(timeout=LONG)[0]


def test_a_folder_that_others_can_write_to_is_not_listened_in(shop: Path, tmp_path: Path) -> None:
    for mode in (0o777, 0o750):
        open_to_all = tmp_path / f"{mode:o}"
        open_to_all.mkdir()
        open_to_all.chmod(mode)
        assert not daemon.is_safe(str(open_to_all))
    link = tmp_path / "link"
    own = tmp_path / "own"
    own.mkdir(mode=0o700)
    link.symlink_to(own)
    assert daemon.is_safe(str(own))
    assert not daemon.is_safe(str(link))


def test_what_cannot_be_watched_is_looked_at_and_said_once(shop: Path) -> None:
    limited = """
import sys
from keel.indexing.watch import inotify
inotify.LOCAL = frozenset()
from keel.surfaces.cli import main
sys.exit(main())
"""
    words = [sys.executable, "-c", limited, "serve", "--detached", "--workspace", str(shop)]
    with running(words, shop):
        until(lambda: "watches nothing" in log_of(shop))
        for text, code in ((BROKEN, 1), (FILES["shop.py"], 0)):
            (shop / "shop.py").write_text(text)
            assert keel(shop, "compile", "shop.py")[0] == code
        assert served(shop) == 2
        assert log_of(shop).count("watches nothing") == 1
