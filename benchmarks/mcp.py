"""`python -m benchmarks.mcp`: the MCP server: how soon it greets, what its listing costs, and fifty clients at once.

The greeting is held against importing the SDK alone, in turns; many clients against one. Each client asks, waits for
the answer, and asks again after a second, as an agent that never thinks for long. Prints each figure with its bar and
keeps them; that answers are right is tested elsewhere.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import platform
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from importlib.metadata import version
from pathlib import Path
from statistics import median
from typing import Any

import httpx

from benchmarks.corpora import PINS, corpus
from benchmarks.measure import environment
from benchmarks.report import RESULTS
from benchmarks.tokenizers import tokens
from benchmarks.tools import Figure
from keel.surfaces.mcp.catalogue import entry, tools
from tests.mcp.serving import serving
from tests.mcp.talk import HELLO, talking

CORPUS = "httpx"
STARTS = 9
CLIENTS, SECONDS, PAUSE = 50, 60.0, 1.0
ALONE_PAUSE = 0.05
"""One client asks more often, so that its hundredth is more than a guess."""
MAX_TOKENS, MAX_RATIO, MAX_TIMES = 2500, 1.0, 10.0
HEADERS = {"Accept": "application/json, text/event-stream", "Content-Type": "application/json"}
QUESTIONS: tuple[tuple[str, dict[str, object]], ...] = (
    ("resolve", {"identifier": "Client.get"}),
    ("describe", {"symbol": "Client.get", "max_lines": 20}),
    ("search", {"query": "encode multipart form data"}),
    ("find", {"kind": "symbol", "limit": 20}),
    ("impact", {"symbol": "Client.request"}),
    ("explain", {"caller": "Client.get", "callee": "Client.request"}),
    ("compile", {"files": ["httpx/_client.py"]}),
    ("describe", {"symbol": "Clinet.get"}),
)
"""Asked in turns; those whose tool is not there are left out. The last is a question that finds nothing."""


def main() -> None:
    """Measures, prints the table and keeps it."""
    said = argparse.ArgumentParser(description=__doc__)
    said.add_argument("--seconds", type=float, default=SECONDS, help="how long the clients ask")
    seconds = said.parse_args().seconds
    with tempfile.TemporaryDirectory() as top:
        tree = _mapped(Path(top))
        figures = [*_starting(tree), *_listing(), *_crowd(tree, seconds)]
    text = as_markdown(figures)
    print(text)
    if seconds >= SECONDS:
        (RESULTS / "mcp.md").write_text(text, encoding="utf-8")
        kept = {"setting": _setting(), "figures": [figure.__dict__ for figure in figures]}
        (RESULTS / "mcp.json").write_text(f"{json.dumps(kept, indent=2)}\n", encoding="utf-8")


def as_markdown(figures: Sequence[Figure]) -> str:
    """The table, and what it was measured with."""
    rows = [
        f"| {each.measure} | {_shown(each.value)} {each.unit} | {each.wanted} | {each.verdict} |" for each in figures
    ]
    setting = ", ".join(f"{name} {said}" for name, said in _setting().items())
    head = ["# The MCP server", "", "Written by `make bench-mcp`; not edited by hand. Wall time, medians of starts."]
    notes = [
        f"Clients speak HTTP to one server about {CORPUS} {PINS[CORPUS]}; each asks again {PAUSE:g} s after an answer.",
        f"Measured with {setting}.",
    ]
    return "\n".join(
        [*head, "", "| measure | figure | bar | met |", "| --- | --- | --- | --- |", *rows, "", *notes, ""]
    )


def _shown(value: float) -> str:
    return f"{value:,.0f}" if value >= 100 else f"{value:.3g}"


def _setting() -> dict[str, str]:
    return {
        "Python": platform.python_version(),
        "mcp": version("mcp"),
        "cores": str(os.cpu_count()),
    }


def _mapped(top: Path) -> Path:
    tree = top / CORPUS
    shutil.copytree(corpus(CORPUS), tree, ignore=shutil.ignore_patterns(".keel"))
    os.environ.update(environment())
    subprocess.run([sys.executable, "-m", "keel", "map"], cwd=tree, check=True, stdout=subprocess.DEVNULL)
    subprocess.run([sys.executable, "-m", "keel", "compile"], cwd=tree, check=False, stdout=subprocess.DEVNULL)
    return tree


def _starting(tree: Path) -> Iterator[Figure]:
    """Seconds from the start of the process to an answer, and importing the SDK beside it, in turns."""
    greeted, listed, imported = [], [], []
    for _ in range(STARTS):
        begun = time.perf_counter()
        subprocess.run([sys.executable, "-c", "import mcp"], check=True)
        imported.append(time.perf_counter() - begun)
        begun = time.perf_counter()
        with talking(tree) as talk:
            talk.hello()
            greeted.append(time.perf_counter() - begun)
            talk.ask("tools/list")
            listed.append(time.perf_counter() - begun)
            talk.leave()
    yield Figure("`python -c 'import mcp'`", median(imported), "s")
    yield Figure("start to the answer of `initialize`", median(greeted), "s")
    yield Figure("the same, against importing the SDK", median(greeted) / median(imported), "×", MAX_RATIO)
    yield Figure("start to the answer of `tools/list`", median(listed), "s")
    yield Figure("the same, against importing the SDK", median(listed) / median(imported), "×")


def _listing() -> Iterator[Figure]:
    listed = json.dumps({"tools": [entry(tool) for tool in tools().values()]}, separators=(",", ":"))
    for name, count in tokens(listed).items():
        yield Figure(f"`tools/list` of {len(tools())} tools, by {name}", count, "tokens", MAX_TOKENS)


def _crowd(tree: Path, seconds: float) -> Iterator[Figure]:
    with serving(tree) as address:
        asyncio.run(_clients(address, 1, 3.0, ALONE_PAUSE))  # what is loaded with the first question is loaded now
        alone, wrong_alone = asyncio.run(_clients(address, 1, seconds, ALONE_PAUSE))
        many, wrong = asyncio.run(_clients(address, CLIENTS, seconds, PAUSE))
    yield Figure("answers to one client", len(alone), "")
    yield Figure("its median", median(alone) * 1000, "ms")
    yield Figure("its p99", _p99(alone) * 1000, "ms")
    yield Figure(f"answers to {CLIENTS} clients in {seconds:g} s", len(many), "")
    yield Figure("errors", wrong + wrong_alone, "", 0)
    yield Figure("their median", median(many) * 1000, "ms")
    yield Figure("their p99", _p99(many) * 1000, "ms")
    yield Figure("their p99 against that of one", _p99(many) / _p99(alone), "×", MAX_TIMES)


async def _clients(address: str, count: int, seconds: float, pause: float) -> tuple[list[float], int]:
    """What each answer took, and how many were none."""
    waits: list[float] = []
    wrong = connected = 0
    all_are_there = asyncio.Event()

    async def client(number: int) -> None:
        nonlocal wrong, connected
        async with httpx.AsyncClient(headers=HEADERS, timeout=60) as http:
            greeting = await _post(http, address, {"id": 0, "method": "initialize", "params": HELLO})
            http.headers["Mcp-Session-Id"] = greeting.headers["mcp-session-id"]
            await _post(http, address, {"method": "notifications/initialized"})
            connected += 1
            if connected == count:
                all_are_there.set()
            await all_are_there.wait()
            await asyncio.sleep(pause * number / count)  # so that they do not ask in step
            asked, end = number, time.monotonic() + seconds
            while time.monotonic() < end:
                begun = time.perf_counter()
                name, arguments = there[asked % len(there)]
                params = {"name": name, "arguments": arguments}
                answer = await _post(http, address, {"id": asked + 1, "method": "tools/call", "params": params})
                waits.append(time.perf_counter() - begun)
                wrong += not _is_answer(answer)
                asked += 1
                await asyncio.sleep(pause)

    there = [question for question in QUESTIONS if question[0] in tools()]
    await asyncio.gather(*(client(number) for number in range(count)))
    return waits, wrong


async def _post(http: httpx.AsyncClient, address: str, message: dict[str, Any]) -> httpx.Response:
    return await http.post(address, json={"jsonrpc": "2.0", **message})


def _is_answer(answer: httpx.Response) -> bool:
    """Whether it is a result; one that says that nothing has the name is, too."""
    data = [line.removeprefix("data: ") for line in answer.text.splitlines() if line.startswith("data: {")]
    result = json.loads(data[0]).get("result", {}) if answer.status_code == 200 and data else {}
    failed = result.get("structuredContent", {}).get("failure", {}).get("code", "") if result else "none"
    return failed in ("", "SymbolNotFound")


def _p99(waits: Sequence[float]) -> float:
    return sorted(waits)[int(len(waits) * 0.99)]


if __name__ == "__main__":
    main()
