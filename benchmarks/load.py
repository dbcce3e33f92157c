"""`python -m benchmarks.load`: eight clients that edit and compile at once for a minute, and what goes wrong meanwhile.

Each has a function of its own and a caller of it; it breaks the signature, asks, fixes it, asks. Every verdict is held
against what must come out. In the second half the daemon is killed every few seconds. At the end the graph must be what
a fresh map of the same files gives. Like every benchmark it prints; a short run of it is a test.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from statistics import median, quantiles

from benchmarks.measure import NO_DAEMON, environment
from benchmarks.report import RESULTS
from keel.daemon import end, runner_of

CLIENTS = 8
SECONDS = 60.0
KILL_SECONDS = 4.0
MODULES = 200
"""What else the workspace has, so that a look at it is worth something."""

GOOD = 'def price(item: str) -> int:\n    """The price."""\n    return len(item)\n'
BAD = 'def price(item: str, count: int) -> int:\n    """The price."""\n    return len(item) * count\n'
CALLER = 'from shop{n} import price\n\n\ndef total() -> int:\n    """All."""\n    return price("pear")\n'
OTHER = 'from other{next} import f as g\n\n\ndef f() -> object:\n    """It."""\n    return g\n'


@dataclass
class Load:
    """What came out of a run."""

    clients: int
    seconds: float
    verdicts: int = 0
    wrong: list[str] = field(default_factory=list)
    """Verdicts that are not what they must be, and errors: with what was said."""
    by_daemon: int = 0
    """How many of them daemons have given, as far as those lived to tell."""
    kills: int = 0
    milliseconds: dict[str, float] = field(default_factory=dict)
    """Of single commands, while the others ask too."""
    same_graph: bool = False
    """Whether the graph at the end is that of a fresh map."""
    memory: int = 0
    """Bytes of the daemon at the end."""


def main() -> None:
    """Runs the minute, prints what came of it and keeps that."""
    import tempfile

    with tempfile.TemporaryDirectory(prefix="keel-load-") as folder:
        found = run(Path(folder).resolve() / "workspace", CLIENTS, SECONDS, KILL_SECONDS)
    print(as_markdown(found))
    (RESULTS / "load.md").write_text(as_markdown(found), encoding="utf-8")
    (RESULTS / "load.json").write_text(f"{json.dumps(asdict(found), indent=2)}\n", encoding="utf-8")
    sys.exit(bool(found.wrong) or not found.same_graph)


def run(folder: Path, clients: int, seconds: float, kill_seconds: float) -> Load:
    """Makes a workspace and lets clients at it; from the middle on, the daemon is killed now and then."""
    env = environment(KEEL_SESSION="git")
    del env[NO_DAEMON]
    env.pop("CI", None)
    _make(folder, clients, env)
    load = Load(clients, seconds)
    times: list[float] = []
    over = time.monotonic() + seconds
    try:
        _keel(folder, env, "daemon", "start")
        threads = [threading.Thread(target=_client, args=(folder, env, n, over, load, times)) for n in range(clients)]
        for thread in threads:
            thread.start()
        _kill_now_and_then(folder, over - seconds / 2, over, kill_seconds, load)
        for thread in threads:
            thread.join()
        load.same_graph = _is_as_mapped_anew(folder, env, load)
    finally:
        end(str(folder))
    load.milliseconds = {"p50": median(times) * 1000, "p95": quantiles(times, n=20)[-1] * 1000}
    return load


def as_markdown(load: Load) -> str:
    """The run as a table."""
    rows = {
        "clients that edit and compile at once": f"{load.clients} for {load.seconds:.0f} s",
        "verdicts": f"{load.verdicts:,}",
        "wrong verdicts, lock errors and other failures": f"{len(load.wrong)}",
        "given by a daemon that lived to tell": f"{load.by_daemon:,}",
        "times the daemon was killed": f"{load.kills}",
        "one command meanwhile, p50 / p95": f"{load.milliseconds['p50']:.0f} / {load.milliseconds['p95']:.0f} ms",
        "the graph at the end is that of a fresh map": "yes" if load.same_graph else "NO",
        "memory of the daemon at the end": f"{load.memory / 1e6:.0f} MB",
    }
    table = "\n".join(f"| {name} | {said} |" for name, said in rows.items())
    cores = f"On {os.cpu_count()} cores, `make bench-load`."
    wrong = "".join(f"\n- {each}" for each in load.wrong[:20])
    return f"# Load\n\n{cores}\n\n| measure | figure |\n| --- | --- |\n{table}\n{wrong}"


def _make(folder: Path, clients: int, env: Mapping[str, str]) -> None:
    folder.mkdir(parents=True)
    for n in range(clients):
        (folder / f"shop{n}.py").write_text(GOOD)
        (folder / f"till{n}.py").write_text(CALLER.format(n=n))
    for n in range(MODULES):
        (folder / f"other{n}.py").write_text(OTHER.format(next=(n + 1) % MODULES))
    for words in (("init", "-q"), ("add", "--all"), ("commit", "-q", "-m", "state")):
        who = ("-c", "user.name=Load", "-c", "user.email=load@example.com")
        subprocess.run(["git", *who, *words], cwd=folder, env=dict(env), check=True)
    done = _keel(folder, env, "map")
    assert done.returncode == 0, done.stderr


def _client(folder: Path, env: Mapping[str, str], n: int, over: float, load: Load, times: list[float]) -> None:
    """One client: breaks its function, asks, fixes it, asks."""
    own, caller = folder / f"shop{n}.py", f"till{n}.py:6"
    while time.monotonic() < over:
        for text, code in ((BAD, 1), (GOOD, 0)):
            own.write_text(text)
            begun = time.monotonic()
            done = _keel(folder, env, "compile", own.name)
            times.append(time.monotonic() - begun)
            load.verdicts += 1
            # Others are broken and fixed meanwhile: of those there is at most a count.
            told = [line for line in done.stdout.splitlines() if line.startswith((" ", "till", "shop"))]
            is_right = done.returncode == code and not done.stderr and (caller in done.stdout) == bool(code)
            if not is_right or any(
                f"shop{n}" not in line and f"till{n}" not in line for line in told if ".py:" in line
            ):
                load.wrong.append(f"client {n}, expected {code}: {done.returncode} {done.stdout!r} {done.stderr!r}")


def _kill_now_and_then(folder: Path, begin: float, over: float, kill_seconds: float, load: Load) -> None:
    at = begin
    while time.monotonic() < over:
        time.sleep(0.2)
        running = runner_of(str(folder))
        if time.monotonic() < at or not running or at > over - kill_seconds:
            continue
        load.by_daemon += _state(folder, load)
        os.kill(running, signal.SIGKILL)
        load.kills += 1
        at = time.monotonic() + kill_seconds


def _state(folder: Path, load: Load) -> int:
    """How many the daemon has answered; its memory is noted."""
    from keel.surfaces.daemon.client import tell
    from keel.surfaces.daemon.protocol import STATUS, unpack

    said = tell(str(folder), STATUS)
    if said is None:
        return 0
    _, _, _, served, memory, *_ = unpack(said)
    load.memory = int(memory)
    return int(served)


def _is_as_mapped_anew(folder: Path, env: Mapping[str, str], load: Load) -> bool:
    """Whether nothing was lost: what the graph says is what a new one says, and nothing is wrong with the files."""
    clean = _keel(folder, env, "compile")
    if clean.returncode:
        load.wrong.append(f"at the end: {clean.returncode} {clean.stdout!r} {clean.stderr!r}")
    load.by_daemon += _state(folder, load)
    before = _keel(folder, env, "export").stdout
    _keel(folder, env, "daemon", "stop")
    _keel(folder, env, "map", "--fresh")
    return before == _keel(folder, env, "export").stdout


def _keel(folder: Path, env: Mapping[str, str], *words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "keel", *words],
        cwd=folder,
        env=dict(env),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        encoding="utf-8",
        timeout=120,
    )


if __name__ == "__main__":
    main()
