"""A daemon begins when it is of use, is the only one, and makes room when anything under it is another."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pytest

import keel as package
from keel.daemon import OFF, lock_of, socket_of
from tests.daemons import alone, answers, ended, environment, keel, log_of, process_of, running, served, serving, until
from tests.e2e.daemon.conftest import BROKEN, FILES
from tests.workspaces import PATIENCE, MakeWorkspace


def test_the_first_compile_starts_one_and_the_next_is_answered_by_it(shop: Path) -> None:
    assert keel(shop, "compile", "shop.py") == (0, "", "")
    until(lambda: answers(shop))
    assert keel(shop, "compile", "shop.py") == (0, "", "")
    assert served(shop) == 1
    state = json.loads(keel(shop, "daemon", "status", "--json")[1])
    assert (state["running"], state["served"], state["version"]) == (True, 1, package.__version__)
    assert state["memory"] > 0


@pytest.mark.parametrize(
    ("name", "value"), [(OFF, "1"), ("CI", "true"), ("", "")], ids=["switched off", "in a build", "configured off"]
)
def test_none_is_started_where_none_is_wanted(name: str, value: str, shop: Path) -> None:
    if not name:
        (shop / ".keel/config.toml").write_text("[daemon]\nenabled = false\n")
    env = environment(**{name: value}) if name else environment()
    assert keel(shop, "compile", "shop.py", env=env) == (0, "", "")
    assert process_of(shop) == 0


def test_a_question_starts_none(shop: Path) -> None:
    assert keel(shop, "where", "price")[0] == 0
    assert process_of(shop) == 0


def test_stop_start_and_log(shop: Path) -> None:
    assert "started" in keel(shop, "daemon", "start", "--json")[1]
    pid = process_of(shop)
    assert pid
    assert f"process {pid} is stopped" in keel(shop, "daemon", "stop")[1]
    assert process_of(shop) == 0
    assert "no daemon is running" in keel(shop, "daemon", "stop")[1]
    assert "serves" in keel(shop, "daemon", "log")[1]


def test_of_two_that_start_at_once_one_stays(shop: Path) -> None:
    words = [sys.executable, "-m", "keel", "serve", "--detached", "--workspace", str(shop)]
    both = [subprocess.Popen(words, env=environment(), stderr=subprocess.PIPE) for _ in range(2)]
    until(lambda: any(each.poll() is not None for each in both))
    until(lambda: answers(shop))
    [stayed] = [each for each in both if each.poll() is None]
    [left] = [each for each in both if each is not stayed]
    assert left.communicate()[1].decode().startswith(f"keel: process {stayed.pid} serves this workspace already")
    assert process_of(shop) == stayed.pid
    stayed.terminate()
    stayed.communicate()


def test_in_the_foreground_it_says_what_it_does_and_ends_with_an_interrupt(shop: Path) -> None:
    words = [sys.executable, "-m", "keel", "serve"]
    child = subprocess.Popen(words, cwd=shop, env=environment(), stderr=subprocess.PIPE, encoding="utf-8")
    until(lambda: answers(shop))
    child.send_signal(signal.SIGINT)
    said = child.communicate()[1]
    assert child.returncode == 0
    assert said.splitlines()[0] == f"keel serve: serves {os.path.realpath(shop)}"
    assert said.splitlines()[-1] == "keel serve: ends: was signalled (SIGINT)"


def test_in_the_background_it_ignores_what_the_shell_ignores_for_it(shop: Path) -> None:
    words = ["sh", "-c", 'trap "" INT HUP; exec "$@"', "sh", sys.executable, "-m", "keel", "serve"]
    child = subprocess.Popen(words, cwd=shop, env=environment(), stderr=subprocess.PIPE, encoding="utf-8")
    until(lambda: answers(shop))
    child.send_signal(signal.SIGINT)
    child.send_signal(signal.SIGHUP)
    assert answers(shop)
    child.send_signal(signal.SIGTERM)
    said = child.communicate()[1]
    assert child.returncode == 0
    assert said.splitlines()[-1] == "keel serve: ends: was signalled (SIGTERM)"


def test_without_a_graph_there_is_nothing_to_serve(git_workspace: MakeWorkspace) -> None:
    code, _, err = keel(git_workspace(FILES), "serve")
    assert (code, "keel map" in err) == (2, True)


def test_what_a_killed_one_leaves_behind_is_in_nobodys_way(shop: Path) -> None:
    with serving(shop) as pid:
        os.kill(pid, signal.SIGKILL)
        until(lambda: ended(pid))
        assert Path(socket_of(os.path.realpath(shop))).exists()
        (shop / "shop.py").write_text(BROKEN)
        assert keel(shop, "compile", "shop.py")[0] == 1
        assert keel(shop, "daemon", "start")[0] == 0
        assert keel(shop, "compile", "shop.py")[0] == 1
        assert served(shop) == 1


def test_a_path_longer_than_the_name_of_a_socket_may_be(git_workspace: MakeWorkspace) -> None:
    folder = git_workspace(FILES, name="/".join(["quite-a-long-name-of-a-folder"] * 6))
    assert len(str(folder)) > 108
    assert alone(folder, "map")[0] == 0
    with serving(folder):
        assert keel(folder, "compile", "shop.py") == (0, "", "")
        assert served(folder) == 1


def test_when_the_graph_is_taken_away_it_ends_and_answers_nothing_from_it(shop: Path) -> None:
    with serving(shop) as pid:
        assert keel(shop, "where", "price")[0] == 0
        for path in (shop / ".keel").glob("graph.db*"):
            path.unlink()
        code, _, err = keel(shop, "where", "price")
        assert (code, "keel map" in err) == (2, True)
        until(lambda: ended(pid))


def test_when_the_graph_is_another_one_it_ends_and_the_other_is_read(shop: Path, tmp_path: Path) -> None:
    (shop / "shop.py").write_text(FILES["shop.py"].replace("price", "cost"))
    spare = tmp_path / "spare"
    spare.mkdir()
    with serving(shop) as pid:
        assert keel(shop, "where", "cost")[0] == 0
        for path in (shop / ".keel").glob("graph.db*"):
            path.rename(spare / path.name)
        (shop / "shop.py").write_text(FILES["shop.py"])
        assert alone(shop, "map")[0] == 0
        assert (keel(shop, "where", "price")[0], keel(shop, "where", "cost")[0]) == (0, 1)
        until(lambda: ended(pid))


def test_when_the_configuration_wants_none_it_ends_after_its_answer(shop: Path) -> None:
    with serving(shop) as pid:
        (shop / ".keel/config.toml").write_text("[daemon]\nenabled = false\n")
        assert keel(shop, "compile", "shop.py") == (0, "", "")
        until(lambda: ended(pid))
        assert "the configuration turns it off" in log_of(shop)


def test_deinit_ends_it_and_leaves_nothing_of_it(shop: Path) -> None:
    with serving(shop) as pid:
        keel(shop, "compile")
        assert keel(shop, "deinit", "--yes")[0] == 0
        until(lambda: ended(pid))
        assert process_of(shop) == 0
        assert not (shop / ".keel").exists()
        for path in (socket_of(os.path.realpath(shop)), lock_of(os.path.realpath(shop))):
            assert not Path(path).exists()


def test_when_keel_changes_on_disk_it_ends(shop: Path, tmp_path: Path) -> None:
    copy = tmp_path / "installed"
    shutil.copytree(Path(package.__file__).parent, copy / "keel", ignore=shutil.ignore_patterns("__pycache__"))
    env = environment(PYTHONPATH=str(copy))
    with serving(shop, env) as pid:
        assert keel(shop, "compile", "shop.py", env=env) == (0, "", "")
        with (copy / "keel/surfaces/http_of_tomorrow.py").open("w") as new:
            new.write("")
        (copy / "keel/errors.py").write_text((copy / "keel/errors.py").read_text() + "\n")
        assert keel(shop, "compile", "shop.py", env=env) == (0, "", "")
        until(lambda: ended(pid))
        assert "keel has changed on disk" in log_of(shop)
        until(lambda: answers(shop))  # another has begun


def test_another_keel_gets_no_answer_and_the_place(shop: Path, tmp_path: Path) -> None:
    copy = tmp_path / "other"
    shutil.copytree(Path(package.__file__).parent, copy / "keel", ignore=shutil.ignore_patterns("__pycache__"))
    with serving(shop) as pid:
        assert keel(shop, "compile", "shop.py", env=environment(PYTHONPATH=str(copy))) == (0, "", "")
        until(lambda: ended(pid))
        assert "another keel asked" in log_of(shop)
        until(lambda: answers(shop))  # it has begun one of its own


IDLE = """
import sys
from keel.surfaces.cli.answering import answer
from keel.surfaces.daemon.server import serve
serve(sys.argv[1], answer, lambda text: print(text, flush=True), 0.5)
"""


def test_it_ends_when_it_is_idle(shop: Path) -> None:
    words = [sys.executable, "-c", IDLE, os.path.realpath(shop)]
    done = subprocess.run(words, env=environment(), capture_output=True, encoding="utf-8", timeout=PATIENCE)
    assert done.stdout.splitlines()[-1].startswith("ends: no request for")


FAILING = """
import sys
from keel.surfaces.cli.answering import answer
from keel.surfaces.daemon.server import serve
calls = []
def fails_first(question, kept):
    calls.append(question)
    return answer(question, kept) if len(calls) > 1 else 1 / 0
serve(sys.argv[1], fails_first, lambda text: None, None)
"""


def test_a_question_that_fails_costs_only_itself(shop: Path) -> None:
    (shop / "shop.py").write_text(BROKEN)
    with running([sys.executable, "-c", FAILING, os.path.realpath(shop)], shop):
        assert keel(shop, "compile", "shop.py")[0] == 1
        assert served(shop) == 0
        assert keel(shop, "compile", "shop.py")[0] == 1
        assert served(shop) == 1
