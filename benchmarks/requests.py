"""`python -m benchmarks.requests`: 10,000 random and hostile requests to every verb that asks, and what came of them.

Each is answered, or refused by an error of keel's own tree; a traceback or a byte written is a failure. What is sent
and what is sound is `tests.adversarial`'s to say; `make test` sends a slice.
"""

from __future__ import annotations

import argparse
import platform
import sys
import tempfile
import time
import traceback
from collections import Counter
from itertools import islice
from pathlib import Path

from benchmarks.report import RESULTS
from keel import __version__
from keel.bootstrap import open_workspace
from keel.operations import map as map_operation
from keel.operations import sync
from tests.adversarial import FILES, asking_verbs, fingerprint, outcome, requests
from tests.workspaces import write_files

SHOWN = 10


def main() -> int:
    """Sends them; 0 when nothing failed."""
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.requests", description=(__doc__ or "").partition("\n")[0]
    )
    parser.add_argument("--requests", type=int, default=10_000, help="how many")
    parser.add_argument("--seed", type=int, default=0, help="what everything random follows from")
    parser.add_argument("--write", action="store_true", help="keep the report")
    options = parser.parse_args()
    outcomes: Counter[tuple[str, str]] = Counter()
    failures: list[str] = []
    slowest = (0.0, "")
    with tempfile.TemporaryDirectory() as top:
        folder = write_files(Path(top) / "shop", FILES)
        workspace = open_workspace(str(folder), str(folder))
        map_operation.run(workspace, map_operation.Params())
        sync.run(workspace, sync.Params())
        workspace.is_watched = True
        before = fingerprint(folder)
        for request in islice(requests(options.seed), options.requests):
            began = time.process_time()
            try:
                outcomes[request.verb, outcome(workspace, request)] += 1
            except Exception:
                failures.append(f"{request}\n{traceback.format_exc(limit=-3)}")
            slowest = max(slowest, (time.process_time() - began, request.verb))
        written = fingerprint(folder) != before
    report = _report(options, outcomes, failures, written, slowest)
    print(report)
    for failure in failures[:SHOWN]:
        print(failure, file=sys.stderr)
    if options.write:
        (RESULTS / "requests.md").write_text(report, encoding="utf-8")
    return 1 if failures or written else 0


def _report(
    options: argparse.Namespace,
    outcomes: Counter[tuple[str, str]],
    failures: list[str],
    written: bool,
    slowest: tuple[float, str],
) -> str:
    rows = []
    for verb in asking_verbs():
        of_verb = {said: count for (name, said), count in outcomes.items() if name == verb}
        errors = ", ".join(f"{said} {count:,}" for said, count in sorted(of_verb.items()) if said != "answer")
        rows.append(f"| `{verb}` | {sum(of_verb.values()):,} | {of_verb.get('answer', 0):,} | {errors} |")
    return "\n".join(
        [
            "# Hostile requests",
            "",
            f"`make fuzz-requests ARGS='--requests {options.requests} --seed {options.seed}'` with keel {__version__},",
            f"Python {platform.python_version()}. Wrong types, huge texts, operators of SQL and of full-text search,",
            "paths that lead elsewhere, ids of nothing, and some good ones; parameters are decoded as from JSON.",
            "",
            f"Failures (anything but an answer or an error of keel's own): {len(failures):,}. Anything written:",
            f"{'YES' if written else 'no'}. The slowest took {slowest[0] * 1000:,.0f} ms of CPU time (`{slowest[1]}`).",
            "",
            "| verb | requests | answered | refused with |",
            "| --- | --- | --- | --- |",
            *rows,
            "",
        ]
    )


if __name__ == "__main__":
    sys.exit(main())
